//! What a branch or a loop gives is new: each tensor of its own memory, which nobody else holds. Only then code may make it, whose results are its own.

use sconce_analysis::effects::{Effect, effect};
use sconce_analysis::operators::{Constant, constant, is_silent, kind};
use sconce_analysis::types::{Tensor, TorchType};
use sconce_ir::torch_type::Parts;
use sconce_ir::{BlockExt, OpExt, OperationRef, RegionExt, Type, Value, ValueExt, ValueLike};
use sconce_linalg::is_control_flow;
use std::collections::BTreeSet;

/// Whether no result of a branch or a loop, once that took a turn, shares memory with another or with what was there before.
pub fn gives_new_tensors(op: OperationRef<'_, '_>) -> bool {
    let mut all = BTreeSet::new();
    op.result_values().into_iter().enumerate().filter(|(_, v)| Tensor::of(v.r#type()).is_some()).all(|(i, _)| {
        let mut made = BTreeSet::new();
        ends(op, i).into_iter().all(|v| makers(op, v, &|v| is_carried_alone(op, i, v), &mut made))
            && made.into_iter().all(|maker| all.insert(maker))
    })
}

/// The tensors that a loop is given and gives back if it takes no turn: of each, the number of its result and the value. None if it takes one in any case.
pub fn given_back<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<(usize, Value<'c, 'a>)> {
    let operands = op.operand_values();
    let [_, _, start @ ..] = &operands[..] else { return Vec::new() };
    if takes_a_turn(op) || !op.is("torch.prim.Loop") {
        return Vec::new();
    }
    start.iter().copied().enumerate().filter(|(_, v)| Tensor::of(v.r#type()).is_some()).collect()
}

/// Whether it is a loop that takes a turn in any case.
fn takes_a_turn(op: OperationRef<'_, '_>) -> bool {
    let known = |i: usize| op.operand_value(i).and_then(constant);
    op.is("torch.prim.Loop") && matches!(known(0), Some(Constant::Int(1..))) && known(1) == Some(Constant::Bool(true))
}

/// What the blocks of a branch or a loop give for its result `i`.
fn ends<'c, 'a>(op: OperationRef<'c, 'a>, i: usize) -> Vec<Value<'c, 'a>> {
    // A loop's block says first whether it goes on.
    let at = i + usize::from(op.is("torch.prim.Loop"));
    let blocks = op.region_refs().into_iter().flat_map(|region| region.blocks());
    let terminators = blocks.filter_map(|block| block.terminator_op());
    terminators.filter_map(|end| end.operand_values().get(at).copied()).collect()
}

/// Whether a value is what a loop carries from a tensor on that nobody else has: which of the turns gave it, if any did, nobody sees.
fn is_carried_alone<'c, 'a>(around: OperationRef<'c, 'a>, i: usize, v: Value<'c, 'a>) -> bool {
    let is_carried =
        around.is("torch.prim.Loop") && around.body(0).and_then(|body| body.args().get(1 + i).copied()) == Some(v);
    let Some(before) = around.operand_value(2 + i).filter(|_| is_carried) else { return false };
    let is_new = before
        .defining_op()
        .is_some_and(|op| effect(op) == Effect::Fresh || matches!(kind(op), "tensor.literal" | "vtensor.literal"));
    is_new && before.uses().into_iter().filter(|usage| !is_dead_cast(usage.owner)).count() == 1
}

/// A cast of which nothing comes.
fn is_dead_cast(op: OperationRef<'_, '_>) -> bool {
    let mut uses = op.result_values().into_iter().flat_map(ValueExt::uses);
    is_silent(op) && uses.all(|usage| is_dead_cast(usage.owner))
}

/// Adds the values inside of `around` whose memory a value has, each made there; false if it may have memory of elsewhere, or of a turn before. `own` is such a value that
/// may be given all the same.
fn makers<'c, 'a>(
    around: OperationRef<'c, 'a>,
    v: Value<'c, 'a>,
    own: &impl Fn(Value<'c, 'a>) -> bool,
    made: &mut BTreeSet<usize>,
) -> bool {
    if own(v) {
        made.insert(v.id());
        return true;
    }
    let Some(op) = v.defining_op() else { return false };
    if !std::iter::successors(op.parent(), |op| op.parent()).any(|op| op == around) {
        return false;
    }
    let mut all =
        |values: Vec<Value<'c, 'a>>| !values.is_empty() && values.into_iter().all(|v| makers(around, v, own, made));
    if is_control_flow(op) {
        let Some(i) = op.result_values().into_iter().position(|result| result == v) else { return false };
        let before = op.operand_values().get(i + 2).copied().filter(|_| op.is("torch.prim.Loop") && !takes_a_turn(op));
        return all(ends(op, i).into_iter().chain(before).collect());
    }
    match effect(op) {
        Effect::Fresh => {
            made.insert(v.id());
            true
        }
        Effect::View | Effect::Structural => {
            all(op.operand_values().into_iter().filter(|v| may_hold_a_tensor(v.r#type())).collect())
        }
        Effect::Writes => false,
    }
}

/// Tensors, and what is not known to hold none of them.
fn may_hold_a_tensor(ty: Type<'_>) -> bool {
    match TorchType::of(ty) {
        TorchType::Tensor(_) => true,
        TorchType::Other => Parts::of(ty).is_none_or(|parts| {
            parts.types.is_empty()
                || matches!(parts.word, "tensor" | "vtensor")
                || parts.types.into_iter().any(may_hold_a_tensor)
        }),
        _ => false,
    }
}
