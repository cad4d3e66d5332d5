//! What an operation does besides giving results: nothing, sharing storage with an operand, or anything at all.
//!
//! Read from the operator's record ([`sconce_schema::effect`]); an operation that nobody knows may do anything.

use crate::operators::{Constant, constant, is_constant_node, is_constant_op, kind};
use rustc_hash::FxHashSet;
use sconce_ir::{OpExt, OperationRef, Value, ValueExt};
use sconce_schema::op::Numerics;
use sconce_schema::{OpEntry, Trait};
use sconce_torch::NAMED_CONSTANT;

/// The effect of an operation on tensors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// A constant, or a container made of its operands.
    Structural,
    /// Reads its operands; its results are new.
    Fresh,
    /// Reads its operands; a result may share storage with one of them, or be it.
    View,
    /// Writes to a tensor or a container, draws from a generator, or may do anything.
    Writes,
}

/// The effect of a table's operator on these operands.
fn entry_effect(entry: &OpEntry, op: OperationRef<'_, '_>) -> Effect {
    let (schema, effect) = (entry.schema(), entry.effect());
    let in_training = effect.writes_unless_false.as_ref().is_some_and(|(flag, _)| {
        let flag = op.operand_values().get(*flag).copied();
        flag.and_then(constant) != Some(Constant::Bool(false))
    });
    let is_zero = |i: &usize| op.operand_values().get(*i).is_some_and(|v| constant(*v).is_some_and(|c| c.is_zero()));
    let draws = effect.draws && !effect.draws_unless_zero.iter().any(is_zero);
    if !effect.writes.is_empty() || in_training || draws || effect.other || schema.is_vararg {
        return Effect::Writes;
    }
    if (0..schema.returns.len()).any(|result| effect.may_share(result)) {
        return Effect::View;
    }
    // Raising, printing and the like are not pure although they write nothing.
    if entry.has(Trait::Pure)
        || entry.has(Trait::RunningStatistics)
        || entry.name.starts_with("aten::") && !schema.returns.is_empty()
    {
        return Effect::Fresh;
    }
    Effect::Writes
}

/// May a tensor that is there have other sizes afterwards? What makes views in place does (`t_`), what takes a size (`resize_`), what gives a tensor another
/// storage (`set_`), a destination of an `out=` form, and what nobody knows.
pub fn may_resize(op: OperationRef<'_, '_>) -> bool {
    if effect(op) != Effect::Writes {
        return false;
    }
    let Some(entry) = sconce_torch::entry(op) else { return true };
    let of_views = || entry.functional.and_then(sconce_schema::lookup).is_some_and(|form| form.has(Trait::View));
    let in_place = [Trait::Resizes, Trait::Effect].iter().any(|t| entry.has(*t)) || entry.numerics == Numerics::Meta;
    entry.has(Trait::Out) || entry.has(Trait::InPlace) && (in_place || of_views())
}

/// The effect of an operation.
pub fn effect(op: OperationRef<'_, '_>) -> Effect {
    let name = op.op_name();
    if is_constant_op(op)
        || matches!(
            name,
            "torch.prim.ListConstruct" | "torch.prim.ListUnpack" | "torch.derefine" | "torch.prim.TupleConstruct"
        )
    {
        return Effect::Structural;
    }
    if matches!(name, "torch.tensor_static_info_cast" | "torch.copy.to_vtensor" | "torch.copy.to_tensor") {
        return Effect::View;
    }
    // Numbers, and lists of them.
    if is_constant_node(op) && op.result_value(0).and_then(constant).is_some() {
        return Effect::Structural;
    }
    // Literals are shared constants: a write to one would be seen by the next call.
    if matches!(name, "torch.vtensor.literal" | "torch.tensor.literal")
        || is_constant_node(op)
        || kind(op) == NAMED_CONSTANT
    {
        return Effect::View;
    }
    match sconce_torch::entry(op) {
        Some(entry) => entry_effect(entry, op),
        None => Effect::Writes,
    }
}

/// Does a tensor go nowhere but into operations that make something new of it, or look at parts of it that go nowhere else either? None of them writes to it.
pub fn is_only_read<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    let (mut seen, mut todo) = (FxHashSet::default(), vec![value]);
    while let Some(v) = todo.pop() {
        for usage in v.uses() {
            match effect(usage.owner) {
                Effect::Fresh => {}
                Effect::View | Effect::Structural => {
                    todo.extend(usage.owner.result_values().into_iter().filter(|v| seen.insert(v.id())));
                }
                Effect::Writes => return false,
            }
        }
    }
    true
}

/// Views that show a place of a tensor, and the operators that put another value in that place: these take the tensor, the value, and what the view takes behind the
/// tensor.
pub const SCATTERS: &[(&str, &str)] = &[
    ("torch.aten.slice.Tensor", "torch.aten.slice_scatter"),
    ("torch.aten.select.int", "torch.aten.select_scatter"),
    ("torch.aten.diagonal", "torch.aten.diagonal_scatter"),
];

/// Is it a tensor with its second operand in a place of it, which may be written where the tensor is if nobody else needs that?
pub fn puts_in_place(op: OperationRef<'_, '_>) -> bool {
    SCATTERS.iter().any(|(_, scatter)| op.is(scatter))
}
