//! `constant-propagation`: what can be computed now is; branches that are decided and loops that do not run go.
//!
//! Operators are computed by the runtime's kernels, so a folded program computes what the program would have.

use crate::dce::eliminate_dead_code;
use crate::graph::{
    self, Rewriter, block_ops, constant, each_function, inner_blocks, inputs, int, is_constant, keep_results, nodes,
    passed, root_block, script_type,
};
use rustc_hash::FxHashSet;
use sconce_analysis::Aliases;
use sconce_analysis::alias::{id, is_mutable};
use sconce_analysis::operators::{is_silent, kind, source};
use sconce_analysis::refine::results;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun, fuel};
use sconce_schema::shape::{Meta, Size};
use sconce_schema::{Trait, Type as ScriptType};
use sconce_syntax::graph_text::AttributeValue;
use sconce_tensor::{Dict, DictKey, IValue, Tuple};
use std::sync::Arc;

/// The pass `constant-propagation`.
pub struct ConstantPropagation;

impl Pass for ConstantPropagation {
    const NAME: &'static str = "constant-propagation";
    const DESCRIPTION: &'static str = "Compute what is constant; decided branches and loops that do not run go";
    const PYTORCH: &'static str =
        "`ConstantPropagation`; with `immutable-only`, its `ConstantPropagationImmutableTypes`";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] =
        &[PassOption::bool("immutable-only", "only values that cannot change: doing it twice is doing it once", false)];
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        each_function(root, |function| constant_propagation(function, run.bool("immutable-only")))
    }
}

/// See the module's page. Dead code goes with what is computed.
pub(crate) fn constant_propagation<'c: 'a, 'a>(function: OperationRef<'c, 'a>, immutable_only: bool) -> PassResult {
    let Some(root) = root_block(function) else { return Ok(()) };
    let written = if immutable_only { None } else { Some(written_operations(function)) };
    let rewriter = Rewriter::new(function.context_ref());
    let mut propagator = Propagator { rewriter, written, changed: false };
    propagator.block(root)?;
    if propagator.changed { eliminate_dead_code(function) } else { Ok(()) }
}

/// Operations of which something writes to an operand or a result.
fn written_operations<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> FxHashSet<usize> {
    let aliases = Aliases::of(function);
    let touches = |op: &OperationRef<'c, 'a>| {
        op.operand_values().into_iter().chain(op.result_values()).any(|v| aliases.has_writers(v))
    };
    nodes(function).into_iter().filter(touches).map(id).collect()
}

struct Propagator<'c> {
    rewriter: Rewriter<'c>,
    /// None: only what cannot change is computed.
    written: Option<FxHashSet<usize>>,
    changed: bool,
}

impl<'c: 'a, 'a> Propagator<'c> {
    fn block(&mut self, block: BlockRef<'c, 'a>) -> PassResult {
        block_ops(block).into_iter().try_for_each(|op| self.operation(op))
    }

    fn operation(&mut self, op: OperationRef<'c, 'a>) -> PassResult {
        match op.op_name() {
            "torch.prim.If" => {
                if let Some(IValue::Bool(decided)) = op.operand_value(0).and_then(constant)
                    && fuel::spend("decided-branch", op)
                {
                    return self.inline_if(op, decided);
                }
                inner_blocks(op).into_iter().try_for_each(|b| self.block(b))?;
                self.extra_if_results(op)
            }
            "torch.prim.Loop" if never_runs(op) && fuel::spend("loop-without-turns", op) => {
                for (result, value) in op.result_values().into_iter().zip(inputs(op).split_off(2)) {
                    self.rewriter.replace_uses(result, value)?;
                }
                self.changed = true;
                op.erase().map_err(Failure::from)
            }
            "torch.prim.Loop" => {
                inner_blocks(op).into_iter().try_for_each(|b| self.block(b))?;
                self.extra_loop_results(op)
            }
            _ if self.is_supported(op) => self.fold(op),
            _ => inner_blocks(op).into_iter().try_for_each(|b| self.block(b)),
        }
    }

    fn is_supported(&self, op: OperationRef<'c, 'a>) -> bool {
        let of_constants = inputs(op).into_iter().all(|v| v.defining_op().is_some_and(is_constant));
        if !of_constants || is_silent(op) || is_constant(op) || !op.region_refs().is_empty() {
            return false;
        }
        let safe = match &self.written {
            None => {
                let mut touched = inputs(op).into_iter().chain(op.result_values());
                touched.all(|v| !is_mutable(v.r#type()))
            }
            Some(written) => !written.contains(&id(op)),
        };
        safe && !matches!(
            kind(op),
            "prim.Closure"
                | "prim.Uninitialized"
                | "prim.Print"
                | "prim.RaiseException"
                | "prim.CallFunction"
                | "prim.CallMethod"
                | "prim.Enter"
                | "prim.Exit"
                | "prim.unchecked_unwrap_optional"
                | "aten.dequantize"
                | "aten.warn"
                | "aten.format"
                | "aten.wait"
                | "prim.fork"
        )
    }

    /// Computes an operation and puts constants in front of it, which are used in the place of its results.
    fn fold(&mut self, op: OperationRef<'c, 'a>) -> PassResult {
        let values: Option<Vec<IValue>> = inputs(op).into_iter().map(constant).collect();
        let Some(computed) = values.and_then(|values| evaluate(op, values)) else { return Ok(()) };
        let results = op.result_values();
        if computed.len() != results.len() {
            return Ok(());
        }
        let at = Builder::before(op);
        for (result, value) in results.into_iter().zip(computed) {
            if !value.is_insertable() {
                continue;
            }
            let ty = match &value {
                IValue::Tensor(t) => ScriptType::Tensor(Arc::new(t.observed_type())),
                IValue::Bool(_) | IValue::Int(_) | IValue::Double(_) | IValue::Str(_) => {
                    sconce_import::constants::type_of(&value)
                }
                _ => script_type(result),
            };
            if fuel::spend("fold", op)
                && let Some(folded) = self.rewriter.constant(&at, &value, &ty, result)?
            {
                self.changed |= self.rewriter.replace_uses(result, folded)?;
            }
        }
        Ok(())
    }

    fn inline_if(&mut self, op: OperationRef<'c, 'a>, which: bool) -> PassResult {
        let Some(branch) = op.body(usize::from(!which)) else { return Ok(()) };
        self.block(branch)?;
        for (result, value) in op.result_values().into_iter().zip(passed(branch)) {
            result.replace_all_uses_with(value);
        }
        if let Some(end) = branch.terminator_op() {
            end.erase()?;
        }
        branch.splice_before(op);
        self.changed = true;
        op.erase().map_err(Failure::from)
    }

    /// Results that are the same value, or equal constants, in both branches.
    fn extra_if_results(&mut self, op: OperationRef<'c, 'a>) -> PassResult {
        let (Some(yes), Some(no)) = (op.body(0), op.body(1)) else { return Ok(()) };
        let mut left = Vec::new();
        let both = passed(yes).into_iter().zip(passed(no));
        for (i, (result, (a, b))) in op.result_values().into_iter().zip(both).enumerate() {
            let same = self.same(op, a, b)?;
            match same {
                Some(same) if fuel::spend("same-in-both", op) && self.rewriter.replace_uses(result, same)? => {
                    self.changed = true;
                }
                _ => left.push(i),
            }
        }
        if left.len() < op.result_values().len() {
            keep_results(op, &left)?;
        }
        Ok(())
    }

    fn same(
        &mut self,
        op: OperationRef<'c, 'a>,
        a: Value<'c, 'a>,
        b: Value<'c, 'a>,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        let (a, b) = (source(a), source(b));
        if a == b {
            return Ok(Some(a));
        }
        let (Some(x), Some(y)) = (a.defining_op(), b.defining_op()) else { return Ok(None) };
        let equal = is_constant(x) && x.op_name() == y.op_name() && x.attrs() == y.attrs() && a.r#type() == b.r#type();
        if !equal || constant(a).is_none() {
            return Ok(None);
        }
        Ok(Builder::before(op).insert(x.clone_with(&[])).result_value(0))
    }

    /// Carried values that the body passes on as they came.
    fn extra_loop_results(&mut self, op: OperationRef<'c, 'a>) -> PassResult {
        let Some(body) = op.body(0) else { return Ok(()) };
        let (carried, passed, first) = (body.args(), passed(body), op.operand_values());
        let mut left = Vec::new();
        for (i, result) in op.result_values().into_iter().enumerate() {
            if source(passed[i + 1]) == carried[i + 1] && fuel::spend("passed-on", op) {
                // A loop's carried types agree, so that nothing needs a cast.
                result.replace_all_uses_with(first[i + 2]);
                carried[i + 1].replace_all_uses_with(first[i + 2]);
                self.changed = true;
            } else {
                left.push(i);
            }
        }
        if left.len() < op.result_values().len() {
            keep_results(op, &left)?;
        }
        Ok(())
    }
}

fn never_runs(op: OperationRef<'_, '_>) -> bool {
    let operands = op.operand_values();
    int(operands[0]).is_some_and(|n| n <= 0) || matches!(constant(operands[1]), Some(IValue::Bool(false)))
}

/// The results of an operation for constants, if it can be computed without being run.
fn evaluate(op: OperationRef<'_, '_>, mut values: Vec<IValue>) -> Option<Vec<IValue>> {
    let result = script_type(op.result_value(0)?);
    match (kind(op), &values[..], &result) {
        ("prim.TupleConstruct", _, ty) => {
            let names = if let ScriptType::NamedTuple(names) = ty { Some(names.clone()) } else { None };
            return Some(vec![IValue::Tuple(Tuple::new(values, names))]);
        }
        ("prim.TupleUnpack", [IValue::Tuple(tuple)], _) => return Some(tuple.items.to_vec()),
        ("prim.TupleIndex", [IValue::Tuple(tuple), IValue::Int(i)], _) => {
            let i = if *i < 0 { i.checked_add(tuple.items.len() as i64)? } else { *i };
            return Some(vec![tuple.items.get(usize::try_from(i).ok()?)?.clone()]);
        }
        ("prim.ListConstruct", _, ScriptType::List(element)) => {
            return Some(vec![IValue::list((**element).clone(), values)]);
        }
        ("prim.DictConstruct", _, ScriptType::Dict(key, value)) => {
            let dict = Dict::new((**key).clone(), (**value).clone());
            for (k, v) in key_value_pairs(op, &values) {
                dict.write().insert(DictKey::from_value(k)?, v.clone());
            }
            return Some(vec![IValue::Dict(dict)]);
        }
        ("prim.ListUnpack", [IValue::List(list)], _) => return Some(list.to_vec()),
        ("prim.isinstance", [value], _) => {
            let (of, types) = (sconce_import::constants::type_of(value), types_attribute(op)?);
            return Some(vec![IValue::Bool(types.iter().any(|t| of.is_subtype_of(t)))]);
        }
        ("prim.unchecked_cast", ..) => return Some(values),
        ("aten.__is__", [a, b], _) => return Some(vec![IValue::Bool(a.is(b))]),
        ("aten.__isnot__", [a, b], _) => return Some(vec![IValue::Bool(!a.is(b))]),
        _ => {}
    }
    let entry = sconce_torch::entry(op)?;
    if entry.has(Trait::Effect) || entry.has(Trait::Random) || entry.has(Trait::Writes) || entry.schema().is_vararg {
        return None;
    }
    if results(op).unwrap_or_default().iter().any(|meta| !is_small(meta)) {
        return None;
    }
    // A kernel may take its arguments; constants must not be written.
    let computed = sconce_kernels::call(entry, &mut values).ok()?.into_vec();
    // Of some operators only the computation tells the size.
    let fits =
        |value: &IValue| value.as_tensor().map_or(true, |t| t.numel().saturating_mul(t.dtype().size()) <= MOST_BYTES);
    computed.iter().all(fits).then_some(computed)
}

/// Tensors of more bytes are left to the program: who only reads it need not hold them, and what is made once is not made smaller by standing in a text.
const MOST_BYTES: usize = 1 << 20;

/// Is a result known to be small, or not known?
fn is_small(meta: &Meta) -> bool {
    let Meta::Tensor(t) = meta else { return true };
    let known = |size: &Size| if let Size::Known(n) = size { Some(*n) } else { None };
    let bytes = t.sizes.as_ref().and_then(|sizes| graph::bytes(t.dtype, sizes.iter().map(known)));
    bytes.is_none_or(|bytes| bytes <= MOST_BYTES)
}

/// The dialect's operation has all keys first; as an operator without a place for it they alternate, as in graph text.
fn key_value_pairs<'v>(op: OperationRef<'_, '_>, values: &'v [IValue]) -> Vec<(&'v IValue, &'v IValue)> {
    if op.is("torch.operator") {
        return values.chunks_exact(2).map(|pair| (&pair[0], &pair[1])).collect();
    }
    let (keys, values) = values.split_at(values.len() / 2);
    keys.iter().zip(values).collect()
}

/// The types that a `prim::isinstance` asks for.
fn types_attribute(op: OperationRef<'_, '_>) -> Option<Vec<ScriptType>> {
    let said = sconce_import::text::attributes::of(op);
    match &said.iter().find(|(name, _)| name == "types")?.1 {
        AttributeValue::List(items) => items.iter().map(AttributeValue::as_type).collect(),
        _ => None,
    }
}
