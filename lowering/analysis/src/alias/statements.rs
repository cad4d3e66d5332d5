//! What each operation states about objects: what it makes, passes on, puts away, takes out and writes to.

use super::slices::may_lay_out;
use super::{Aliases, Var, Written, id};
use crate::operators::{Constant, constant, kind};
use sconce_ir::ValueLike;
use sconce_ir::{BlockExt, BlockRef, OpExt, OperationRef, RegionExt, Value, ValueExt};
use sconce_schema::{Effect, OpEntry};
use sconce_torch::NAMED_CONSTANT;

impl<'c> Aliases<'c> {
    /// A function: its arguments come from outside, in every block.
    pub(super) fn function<'a>(&mut self, function: OperationRef<'c, 'a>)
    where
        'c: 'a,
    {
        for region in function.region_refs() {
            for block in region.blocks() {
                self.block_from_outside(block);
            }
        }
    }

    fn block_from_outside<'a>(&mut self, block: BlockRef<'c, 'a>)
    where
        'c: 'a,
    {
        block.args().into_iter().for_each(|v| self.comes_from_outside(v));
        self.block(block);
        // What a branch or an unknown end passes on may come back anywhere; a function's results are seen by its callers only.
        if let Some(end) = block.terminator_op().filter(|end| !end.is("func.return")) {
            end.operand_values().into_iter().for_each(|v| self.goes_outside(v));
        }
    }

    fn block<'a>(&mut self, block: BlockRef<'c, 'a>)
    where
        'c: 'a,
    {
        for op in block.ops() {
            if !op.is_terminator() {
                self.operation(op);
            }
        }
    }

    fn operation<'a>(&mut self, op: OperationRef<'c, 'a>)
    where
        'c: 'a,
    {
        let (inputs, outputs) = (op.operand_values(), op.result_values());
        match kind(op) {
            "prim.If" => self.branches(op, &outputs),
            "prim.Loop" => self.trips(op, &inputs, &outputs),
            "prim.fork" => {
                inputs.iter().for_each(|v| self.goes_outside(*v));
                outputs.iter().for_each(|v| self.is_new_of_unknown(*v));
            }
            "aten.wait" => {
                outputs.iter().for_each(|v| self.comes_from_outside(*v));
                self.writes_everything.insert(id(op));
            }
            "prim.TupleConstruct" | "prim.ListConstruct" | "prim.DictConstruct" => self.container(&inputs, &outputs),
            "prim.Constant" | NAMED_CONSTANT | "tensor.literal" | "copy.to_tensor" | "linear_params.create" => {
                outputs.iter().for_each(|v| self.is_new_of_unknown(*v));
            }
            "prim.GetAttr" if self.own.contains(&id(op)) => outputs.iter().for_each(|v| self.is_new_of_unknown(*v)),
            "prim.GetAttr" | "prim.Load" | "global_slot.get" => {
                outputs.iter().for_each(|v| self.comes_from_outside(*v));
            }
            "prim.TupleUnpack" | "prim.TupleIndex" | "prim.ListUnpack" => {
                outputs.iter().for_each(|v| self.take(inputs[0], *v));
            }
            "prim.TupleSlice" => {
                if let Some(slice) = outputs.first().and_then(|o| self.is_new(*o)) {
                    let (tuple, held) = (self.var(inputs[0]), self.graph.variable());
                    self.graph.load(tuple, held);
                    self.graph.store(slice, held);
                }
            }
            "prim.SetAttr" => {
                if let [object, value] = inputs[..] {
                    self.write(op, object, false);
                    self.goes_outside(value);
                }
            }
            // What it gives is a copy as of now, and no object.
            "copy.to_vtensor" => {}
            "overwrite.tensor.contents" => {
                if let [_, overwritten] = inputs[..] {
                    self.write(op, overwritten, false);
                }
            }
            "prim.unchecked_cast"
            | "prim.unchecked_unwrap_optional"
            | "aten._unwrap_optional"
            | "prim.data"
            | "prim.ConstantChunk"
            | "derefine"
            | "tensor_static_info_cast" => {
                if let [from, ..] = inputs[..] {
                    outputs.iter().for_each(|to| self.point(*to, from));
                }
            }
            "prim.CreateObject"
            | "prim.tolist"
            | "prim.Uninitialized"
            | "prim.Print"
            | "prim.isinstance"
            | "prim.EmptyListLiteral"
            | "prim.Closure"
            | "prim.RaiseException"
            | "aten.format" => outputs.iter().for_each(|v| _ = self.is_new(*v)),
            "prim.CallFunction" | "prim.CallMethod" | "prim.Enter" | "prim.Exit" | "prim.PythonOp" => {
                self.conservative(op);
            }
            // What is in a graph that it holds is not looked at.
            _ if op.attr("torch.subgraph").is_some() => self.conservative(op),
            _ => self.operator(op, &inputs, &outputs),
        }
    }

    // -- control flow and containers

    fn branches<'a>(&mut self, op: OperationRef<'c, 'a>, outputs: &[Value<'c, 'a>])
    where
        'c: 'a,
    {
        for block in op.region_refs().into_iter().flat_map(RegionExt::blocks) {
            self.block(block);
            let passed = block.terminator_op().map(OpExt::operand_values).unwrap_or_default();
            for (output, passed) in outputs.iter().zip(passed) {
                self.point(*output, passed);
            }
        }
    }

    fn trips<'a>(&mut self, op: OperationRef<'c, 'a>, inputs: &[Value<'c, 'a>], outputs: &[Value<'c, 'a>])
    where
        'c: 'a,
    {
        let Some(body) = op.body(0) else { return };
        self.block(body);
        let carried = body.args().into_iter().skip(1);
        let passed = body.terminator_op().map(OpExt::operand_values).unwrap_or_default().into_iter().skip(1);
        // What a turn passes on is what the next begins with, and what comes out; so is what goes in.
        for (((input, first), next), output) in carried.zip(inputs.iter().skip(2)).zip(passed).zip(outputs) {
            self.point(input, *first);
            self.point(input, next);
            self.point(*output, input);
        }
    }

    fn container<'a>(&mut self, inputs: &[Value<'c, 'a>], outputs: &[Value<'c, 'a>])
    where
        'c: 'a,
    {
        let Some(container) = outputs.first().and_then(|o| self.is_new(*o)) else { return };
        for held in inputs {
            if self.is_tracked(*held) {
                let held = self.var(*held);
                self.graph.store(container, held);
            }
        }
    }

    // -- operators

    /// By the operator's record; what has none may do anything.
    fn operator<'a>(&mut self, op: OperationRef<'c, 'a>, inputs: &[Value<'c, 'a>], outputs: &[Value<'c, 'a>])
    where
        'c: 'a,
    {
        if may_act(op) {
            self.acts.insert(id(op));
        }
        let Some(effect) = sconce_torch::entry(op).map(OpEntry::effect).filter(|e| !e.other) else {
            self.conservative(op);
            return;
        };
        for write in &effect.writes {
            match inputs.get(write.argument) {
                Some(value) if write.elements => self.write_elements(op, *value),
                Some(value) => self.write(op, *value, false),
                None => {}
            }
        }
        if let Some((flag, written)) = &effect.writes_unless_false {
            let off = inputs.get(*flag).and_then(|v| constant(*v));
            if off != Some(Constant::Bool(false)) {
                written.iter().filter_map(|a| inputs.get(*a)).for_each(|v| self.write(op, *v, false));
            }
        }
        for spilled in effect.spills.iter().filter_map(|a| inputs.get(*a)) {
            if self.is_tracked(*spilled) {
                let (container, held) = (self.var(*spilled), self.graph.variable());
                self.graph.load(container, held);
                self.graph.escape(held);
            }
        }
        effect.keeps.iter().filter_map(|a| inputs.get(*a)).for_each(|v| self.goes_outside(*v));
        for (result, value) in outputs.iter().enumerate() {
            if self.is_tracked(*value) {
                self.result(effect, inputs, result, *value);
            }
        }
    }

    /// What an operator's result may be.
    fn result<'a>(&mut self, effect: &Effect, inputs: &[Value<'c, 'a>], result: usize, value: Value<'c, 'a>)
    where
        'c: 'a,
    {
        let mut is_new = true;
        if let Some(taken) = effect.takes.iter().find(|t| t.result == result) {
            match inputs.get(taken.argument).copied() {
                Some(container) if self.is_tracked(container) => self.take(container, value),
                _ => self.comes_from_outside(value),
            }
            is_new = false;
        }
        let var = self.var(value);
        for shared in effect.may_return.iter().filter(|r| r.result == result) {
            let Some(given) = inputs.get(shared.argument).copied() else { continue };
            if !self.is_tracked(given) {
                continue;
            }
            let mut from = self.var(given);
            if shared.of_elements {
                let elements = self.graph.variable();
                self.graph.load(from, elements);
                from = elements;
            }
            if shared.as_elements {
                self.is_new(value);
                self.graph.store(var, from);
            } else {
                self.graph.copy(from, var);
            }
            is_new = false;
        }
        if is_new {
            self.is_new_of_unknown(value);
        }
    }

    /// It may write to all its operands and what they hold, and give any of them back; so may what is in it.
    fn conservative<'a>(&mut self, op: OperationRef<'c, 'a>)
    where
        'c: 'a,
    {
        for input in op.operand_values() {
            self.write(op, input, true);
            self.goes_outside(input);
        }
        for output in op.result_values() {
            self.comes_from_outside(output);
        }
        for block in op.region_refs().into_iter().flat_map(RegionExt::blocks) {
            self.block_from_outside(block);
        }
    }

    // -- statements

    fn is_tracked(&mut self, value: Value<'c, '_>) -> bool {
        self.graph.is_mutable(value.r#type())
    }

    fn var(&mut self, value: Value<'c, '_>) -> Var {
        let graph = &mut self.graph;
        *self.of_value.entry(value.id()).or_insert_with(|| graph.variable())
    }

    /// The value is made here.
    fn is_new(&mut self, value: Value<'c, '_>) -> Option<Var> {
        if !self.is_tracked(value) {
            return None;
        }
        let var = self.var(value);
        self.graph.make(var, value.r#type(), value.id());
        Some(var)
    }

    /// The value is made here, of something nobody knows.
    fn is_new_of_unknown(&mut self, value: Value<'c, '_>) {
        if let Some(var) = self.is_new(value) {
            self.graph.fill_unknown(var, value.r#type());
        }
    }

    /// The value may be anything of its type.
    fn comes_from_outside(&mut self, value: Value<'c, '_>) {
        if self.is_tracked(value) {
            let var = self.var(value);
            self.graph.make_unknown(var, value.r#type());
        }
    }

    /// The value goes where others may find it.
    fn goes_outside(&mut self, value: Value<'c, '_>) {
        if self.is_tracked(value) {
            let var = self.var(value);
            self.graph.escape(var);
        }
    }

    fn point(&mut self, from: Value<'c, '_>, to: Value<'c, '_>) {
        if self.is_tracked(from) && self.is_tracked(to) {
            let (from, to) = (self.var(from), self.var(to));
            self.graph.copy(to, from);
        }
    }

    /// The value may be what the container holds, or another thing of its type.
    fn take(&mut self, container: Value<'c, '_>, value: Value<'c, '_>) {
        if self.is_tracked(value) {
            let (from, to) = (self.var(container), self.var(value));
            self.graph.load(from, to);
            self.comes_from_outside(value);
        }
    }

    fn write(&mut self, op: OperationRef<'c, '_>, value: Value<'c, '_>, deep: bool) {
        if self.is_tracked(value) {
            if may_lay_out(op) {
                self.lays_out.insert(id(op));
            }
            let var = self.var(value);
            self.graph.fill_unknown(var, value.r#type());
            self.writes.entry(id(op)).or_default().push(Written { var, deep });
        }
    }

    fn write_elements(&mut self, op: OperationRef<'c, '_>, value: Value<'c, '_>) {
        if self.is_tracked(value) {
            self.lays_out.insert(id(op));
            let (list, var) = (self.var(value), self.graph.variable());
            self.graph.load(list, var);
            self.writes.entry(id(op)).or_default().push(Written { var, deep: false });
        }
    }
}

/// May an operation that no statement here speaks of do what no value shows?
fn may_act(op: OperationRef<'_, '_>) -> bool {
    let kind = kind(op);
    match sconce_torch::entry(op) {
        _ if matches!(kind, "prim.With" | "aten.is_scripting") => false,
        Some(entry) => entry.effect().other,
        None if kind.starts_with("prim.") => false,
        // Nobody knows what it does.
        None if op.is("torch.operator") => true,
        // What is in it is asked for itself.
        None => op.region_refs().is_empty() && !op.is_effect_free(),
    }
}

/// Operations that print, raise, wait or call whatever their records say.
pub(super) const ACT: &[&str] = &[
    "aten.manual_seed",
    "aten.save",
    "aten.wait",
    "aten.warn",
    "prim.CallFunction",
    "prim.CallMethod",
    "prim.Enter",
    "prim.Exit",
    "prim.IgnoredPythonOp",
    "prim.Print",
    "prim.PythonOp",
    "prim.RaiseException",
];
