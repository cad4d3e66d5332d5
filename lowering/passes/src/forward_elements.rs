//! `forward-elements`: what is done with lists whose elements are known and that nobody changes is done at once: `[a, b][1]` is `b`, and `[a]` with `b` behind it is
//! `[a, b]`.
//!
//! An operator whose schema says of elements only that they are of some type cannot look into them: the runtime's kernel does with values that stand for them what it
//! would do with the elements. One that does look (to sort them) refuses what stands for them.

use crate::graph::{Rewriter, constant, each_function, keep_results, nodes, passed, script_type};
use rustc_hash::FxHashMap;
use sconce_analysis::Aliases;
use sconce_analysis::operators::source;
use sconce_analysis::refine::results;
use sconce_ir::prelude::*;
use sconce_ir::torch_type::Parts;
use sconce_pass::{Failure, Pass, PassResult, PassRun};
use sconce_schema::shape::Meta;
use sconce_schema::types::Device;
use sconce_schema::{OpEntry, Type as ScriptType, ops};
use sconce_tensor::IValue;

/// The pass `forward-elements`.
pub struct ForwardElements;

/// Lists of more elements than these are left alone: each has a copy for every use.
const MOST: usize = 4096;

impl Pass for ForwardElements {
    const NAME: &'static str = "forward-elements";
    const DESCRIPTION: &'static str = "Compute at once what is done with lists whose elements are known";
    const PYTORCH: &'static str = "`PeepholeOptimizeListIdioms`, of lists that are never changed";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let aliases = Aliases::of(function);
            let rewriter = Rewriter::new(function.context_ref());
            let mut known =
                Known { aliases, rewriter, lists: FxHashMap::default(), elements: Vec::new(), done: Vec::new() };
            nodes(function).into_iter().try_for_each(|op| known.operation(op))?;
            known.make_what_is_used()?;
            // Loops within others first: what those are given is another operation then.
            let loops = nodes(function).into_iter().filter(|op| op.is("torch.prim.Loop"));
            loops.collect::<Vec<_>>().into_iter().rev().try_for_each(use_before)
        })
    }
}

/// A list that a loop carries and passes on as it is given is the list that was there before the loop.
fn use_before<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> PassResult {
    let Some(body) = op.body(0) else { return Ok(()) };
    let (before, arguments, given) = (op.operand_values(), body.args(), passed(body));
    let is_list = |v: Value<'c, 'a>| matches!(script_type(v), ScriptType::List(_));
    let stays =
        |i: usize| source(given[1 + i]) == arguments[1 + i] && before[2 + i].r#type() == arguments[1 + i].r#type();
    let (stay, order): (Vec<usize>, Vec<usize>) =
        (0..before.len() - 2).partition(|i| is_list(before[2 + i]) && stays(*i));
    for i in &stay {
        arguments[1 + i].replace_all_uses_with(before[2 + i]);
        if let Some(result) = op.result_value(*i) {
            result.replace_all_uses_with(before[2 + i]);
        }
    }
    if !stay.is_empty() {
        keep_results(op, &order)?;
    }
    Ok(())
}

struct Known<'c, 'a> {
    aliases: Aliases<'c>,
    rewriter: Rewriter<'c>,
    /// By value, the list with a stand-in for each element.
    lists: FxHashMap<usize, IValue>,
    /// What each stand-in stands for.
    elements: Vec<Value<'c, 'a>>,
    /// What makes known lists, and what is computed, in order.
    done: Vec<OperationRef<'c, 'a>>,
}

/// A value that stands for an element: a device, for which nothing has an order.
fn stand_in(number: usize) -> IValue {
    IValue::Device(Device { kind: "element".into(), index: i32::try_from(number).ok() }.into())
}

fn number_of(stand_in: &IValue) -> Option<usize> {
    match stand_in {
        IValue::Device(device) => usize::try_from(device.index?).ok(),
        _ => None,
    }
}

/// Does the schema say of elements nothing but that they are of some type?
fn is_blind(entry: &OpEntry) -> bool {
    let is_any_list =
        |ty: &ScriptType| matches!(ty, ScriptType::List(element) if matches!(**element, ScriptType::Var(_)));
    let is_plain = |ty: &ScriptType| {
        matches!(ty, ScriptType::Int | ScriptType::Optional(_) | ScriptType::Var(_)) || is_any_list(ty)
    };
    let schema = entry.schema();
    schema.is_functional()
        && entry.effect().may_return.is_empty()
        && schema.arguments.first().is_some_and(|a| is_any_list(&a.ty))
        && schema.arguments.iter().all(|a| is_plain(&a.ty))
        && schema.returns.iter().all(|r| is_plain(&r.ty))
}

impl<'c: 'a, 'a> Known<'c, 'a> {
    fn operation(&mut self, op: OperationRef<'c, 'a>) -> PassResult {
        if op.is("torch.prim.ListConstruct") {
            if let Some(list) = op.result_value(0).filter(|list| self.is_fixed(*list)) {
                let items: Vec<IValue> = op.operand_values().into_iter().map(|v| self.element(v)).collect();
                self.lists.insert(list.id(), IValue::list(ScriptType::Any, items));
                self.done.push(op);
            }
            return Ok(());
        }
        if op.is("torch.prim.ListUnpack") {
            return self.unpack(op);
        }
        let Some(entry) = sconce_torch::entry(op) else { return Ok(()) };
        if entry.op() == ops::aten::add__t {
            return self.append_each(op);
        }
        if !is_blind(entry) {
            return self.pieces(op, entry);
        }
        let Some(given) = self.computed(op, entry) else { return Ok(()) };
        self.put(op, given)
    }

    /// `list += [a, b]` appends each: that has a form which does not write.
    fn append_each(&mut self, op: OperationRef<'c, 'a>) -> PassResult {
        let [list, more] = op.operand_values()[..] else { return Ok(()) };
        let made = more.defining_op().filter(|made| made.is("torch.prim.ListConstruct") && self.is_fixed(more));
        let (Some(made), Some(result)) = (made, op.result_value(0)) else { return Ok(()) };
        let (at, ty) = (Builder::before(op), script_type(list));
        for element in made.operand_values() {
            let operands = [list, element];
            self.rewriter.node(&at, "aten::append", op.location(), &operands, (list.r#type(), &ty))?;
        }
        // It gives the list itself.
        result.replace_all_uses_with(list);
        op.erase().map_err(Failure::from)
    }

    /// Takes a list of tensors apart that an operator cuts into a number that types tell, where somebody asks for one of them by a known place.
    fn pieces(&mut self, op: OperationRef<'c, 'a>, entry: &'static OpEntry) -> PassResult {
        let of_tensors = |ty: &ScriptType| matches!(ty, ScriptType::List(element) if element.is_tensor());
        let [list] = op.result_values()[..] else { return Ok(()) };
        if !entry.schema().returns.iter().all(|r| of_tensors(&r.ty)) || !self.has_known_places(list) {
            return Ok(());
        }
        let Some(Meta::List(metas)) = results(op).and_then(|metas| metas.into_iter().next()) else {
            return Ok(());
        };
        if metas.len() > MOST || self.aliases.is_written(list) {
            return Ok(());
        }
        let Some(ty) = Parts::of(list.r#type()).and_then(|parts| parts.types.first().copied()) else { return Ok(()) };
        let types = vec![ty; metas.len()];
        let unpacked =
            Builder::after(op).op("torch.prim.ListUnpack", op.location()).operands(&[list]).results(&types).build()?;
        let items: Vec<IValue> = unpacked.result_values().into_iter().map(|v| self.element(v)).collect();
        self.lists.insert(list.id(), IValue::list(ScriptType::Any, items));
        self.done.push(unpacked);
        Ok(())
    }

    fn has_known_places(&self, list: Value<'c, 'a>) -> bool {
        let is_asked = |op: OperationRef<'c, 'a>| {
            sconce_torch::entry(op).is_some_and(|entry| entry.op() == ops::aten::__getitem___t)
                && op.operand_value(1).is_some_and(|place| constant(place).is_some())
        };
        !list.uses().is_empty() && list.uses().iter().all(|u| is_asked(u.owner))
    }

    /// A list that has few elements and that nothing changes.
    fn is_fixed(&self, list: Value<'c, 'a>) -> bool {
        let count = list.defining_op().map_or(0, |op| op.operand_values().len());
        count <= MOST && !self.aliases.is_written(list)
    }

    fn element(&mut self, value: Value<'c, 'a>) -> IValue {
        self.elements.push(value);
        stand_in(self.elements.len() - 1)
    }

    /// What the kernel gives for stand-ins, if all lists are known and all numbers constants.
    fn computed(&mut self, op: OperationRef<'c, 'a>, entry: &'static OpEntry) -> Option<Vec<IValue>> {
        let operands = op.operand_values();
        let formals = &entry.schema().arguments;
        let is_list = |at: usize| matches!(formals[at].ty, ScriptType::List(_));
        if operands.len() != formals.len() || op.result_values().len() != entry.schema().returns.len() {
            return None;
        }
        let all_known =
            (0..operands.len()).filter(|at| is_list(*at)).all(|at| self.lists.contains_key(&operands[at].id()));
        let are_fixed = op
            .result_values()
            .into_iter()
            .all(|v| !self.aliases.is_written(v) || !matches!(script_type(v), ScriptType::List(_)));
        if !all_known || !are_fixed {
            return None;
        }
        let mut values = Vec::new();
        for (at, operand) in operands.iter().enumerate() {
            values.push(match &formals[at].ty {
                ScriptType::List(_) => self.lists.get(&operand.id())?.clone(),
                ScriptType::Var(_) => self.element(*operand),
                _ => constant(*operand)?,
            });
        }
        // A list that is read once may be changed in place: chains of changes stay short.
        for operand in operands.iter().filter(|v| v.uses().len() == 1) {
            self.lists.remove(&operand.id());
        }
        let given = sconce_kernels::call(entry, &mut values).ok()?;
        let is_short = |v: &IValue| v.as_list().map_or(true, |list| list.read().len() <= MOST);
        given.iter().all(is_short).then(|| given.into_vec())
    }

    fn unpack(&mut self, op: OperationRef<'c, 'a>) -> PassResult {
        let items = op.operand_value(0).and_then(|list| self.lists.get(&list.id())).and_then(|l| l.as_list().ok());
        let items = items.map(|list| list.to_vec()).filter(|items| items.len() == op.result_values().len());
        for (old, item) in op.result_values().into_iter().zip(items.unwrap_or_default()) {
            self.replace(old, &item)?;
        }
        self.done.push(op);
        Ok(())
    }

    fn replace(&mut self, old: Value<'c, 'a>, item: &IValue) -> PassResult {
        if let Some(element) = number_of(item).and_then(|n| self.elements.get(n).copied()) {
            self.rewriter.replace_uses(old, element)?;
        }
        Ok(())
    }

    /// Elements and numbers take the place of results; lists are made where something else reads them.
    fn put(&mut self, op: OperationRef<'c, 'a>, given: Vec<IValue>) -> PassResult {
        for (old, value) in op.result_values().into_iter().zip(given) {
            match (script_type(old), &value) {
                (ScriptType::Int, IValue::Int(_)) => {
                    let number = self.rewriter.constant(&Builder::before(op), &value, &ScriptType::Int, old)?;
                    if let Some(number) = number {
                        self.rewriter.replace_uses(old, number)?;
                    }
                }
                (_, IValue::List(_)) => _ = self.lists.insert(old.id(), value),
                _ => self.replace(old, &value)?,
            }
        }
        self.done.push(op);
        Ok(())
    }

    /// Makes the lists that something else reads; users first, so that what only they read is not made.
    fn make_what_is_used(mut self) -> PassResult {
        for op in std::mem::take(&mut self.done).into_iter().rev() {
            if !op.is("torch.prim.ListConstruct") {
                op.result_values().into_iter().try_for_each(|list| self.make(op, list))?;
            }
            if op.is_unused() {
                op.erase()?;
            }
        }
        Ok(())
    }

    fn make(&mut self, op: OperationRef<'c, 'a>, old: Value<'c, 'a>) -> PassResult {
        let items = self.lists.get(&old.id()).filter(|_| !old.uses().is_empty()).and_then(|list| list.as_list().ok());
        let Some(items) = items.map(|list| list.to_vec()) else { return Ok(()) };
        let items: Option<Vec<Value<'c, 'a>>> =
            items.iter().map(|item| self.elements.get(number_of(item)?).copied()).collect();
        let items = items.ok_or_else(|| Failure::new("an element of a list that nobody knows"))?;
        let (at, ty) = (Builder::before(op), script_type(old));
        let made = self.rewriter.node(&at, "prim::ListConstruct", op.location(), &items, (old.r#type(), &ty))?;
        if let Some(new) = made.result_value(0) {
            old.replace_all_uses_with(new);
        }
        Ok(())
    }
}
