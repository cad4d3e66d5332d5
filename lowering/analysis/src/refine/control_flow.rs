//! What branches and loops give has the type that all their ways have in common, whatever way is taken and how often: [`Symbols`] knows it.

use super::{cast_before, refined, set_tensor_type};
use crate::Symbols;
use crate::types::Tensor;
use sconce_ir::{BlockExt, Error, OpExt, OperationRef, Value, ValueLike};
use sconce_schema::shape::Meta;

pub(super) fn is_control_flow(op: OperationRef<'_, '_>) -> bool {
    op.is("torch.prim.If") || op.is("torch.prim.Loop")
}

/// Does a function hold branches or loops that give tensors?
pub(super) fn gives_tensors(function: OperationRef<'_, '_>) -> bool {
    let is_it = |op: &OperationRef<'_, '_>| op.result_values().iter().any(|v| Tensor::of(v.r#type()).is_some());
    ["torch.prim.If", "torch.prim.Loop"].iter().any(|name| function.find_all(name).iter().any(is_it))
}

/// Gives what a branch or loop gives, and what is passed on within it, the types that are known of it; whether one changed.
pub(super) fn refine<'c: 'a, 'a>(op: OperationRef<'c, 'a>, flow: &Symbols<'c, 'a, '_>) -> Result<bool, Error> {
    // Behind the number of turns and the condition stand what a loop carries, behind the number of the turn its arguments.
    let is_loop = op.is("torch.prim.Loop");
    let ways: Vec<_> = (0..op.region_refs().len()).filter_map(|way| op.body(way)).collect();
    let mut changed = false;
    for (at, result) in op.result_values().into_iter().enumerate() {
        if !says_more(result, flow.meta(result))? {
            continue;
        }
        changed = true;
        let ty = result.r#type();
        if is_loop {
            cast_before(op, at + 2, ty)?;
        }
        for way in &ways {
            if let Some(argument) = way.args().get(at + 1).filter(|_| is_loop) {
                Tensor::of(ty).map_or(Ok(false), |t| set_tensor_type(*argument, &t))?;
            }
            if let Some(end) = way.terminator_op() {
                cast_before(end, at + usize::from(is_loop), ty)?;
            }
        }
    }
    Ok(changed)
}

/// Gives a tensor a type that says this too.
fn says_more(v: Value<'_, '_>, known: Meta) -> Result<bool, Error> {
    match (Tensor::of(v.r#type()), known) {
        (Some(have), Meta::Tensor(known)) => set_tensor_type(v, &refined(&have, &known)),
        _ => Ok(false),
    }
}
