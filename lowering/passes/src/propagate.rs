//! What is known of tensors, carried from operands to results and out of branches: one mechanism for the passes that carry sizes, dtypes or devices.
//!
//! Types say more afterwards, and never something else. What MLIR's types cannot say stands beside them, as wherever graph text says it.

pub(crate) mod device;
pub(crate) mod dtype;
pub(crate) mod shapes;

use crate::graph::{Rewriter, block_ops, inner_blocks, inputs, passed, root_block, script_type};
use sconce_analysis::Tensor;
use sconce_analysis::operators::{is_operator, is_silent, kind};
use sconce_analysis::refine::set_tensor_type;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, PassResult};
use sconce_schema::Type as ScriptType;
use sconce_schema::types::TensorType;
use std::sync::Arc;

/// One thing that is known of tensors.
pub(crate) trait Knowledge {
    /// Adds it to the types of an operator's results.
    fn results(&self, op: OperationRef<'_, '_>, types: &mut [Option<TensorType>]);
    /// What is known of a tensor that is one of two.
    fn either(&self, to: &mut TensorType, a: &TensorType, b: &TensorType);
}

/// Carries it through a function.
pub(crate) fn propagate<'c: 'a, 'a>(function: OperationRef<'c, 'a>, knowledge: &impl Knowledge) -> PassResult {
    let rewriter = Rewriter::new(function.context_ref());
    root_block(function).map_or(Ok(()), |block| in_block(&rewriter, block, knowledge))
}

fn in_block<'c: 'a, 'a>(rewriter: &Rewriter<'c>, block: BlockRef<'c, 'a>, knowledge: &impl Knowledge) -> PassResult {
    for op in block_ops(block).into_iter().filter(|op| !is_silent(*op)) {
        inner_blocks(op).into_iter().try_for_each(|inner| in_block(rewriter, inner, knowledge))?;
        let old: Vec<ScriptType> = op.result_values().into_iter().map(script_type).collect();
        let mut tensors: Vec<Option<TensorType>> = old.iter().map(as_tensor).collect();
        match kind(op) {
            "prim.If" => join(op, &mut tensors, knowledge),
            "prim.TupleConstruct" => {
                tuple(rewriter, op, &old);
                continue;
            }
            _ if is_operator(op) || kind(op) == "prim.ConstantChunk" => knowledge.results(op, &mut tensors),
            _ => continue,
        }
        say(rewriter, op, &old, &tensors)?;
    }
    Ok(())
}

pub(crate) fn as_tensor(ty: &ScriptType) -> Option<TensorType> {
    match ty {
        ScriptType::Tensor(tensor) => Some(TensorType::clone(tensor)),
        _ => None,
    }
}

/// A branch gives what one of its blocks passes on.
fn join(op: OperationRef<'_, '_>, tensors: &mut [Option<TensorType>], knowledge: &impl Knowledge) {
    let blocks: Vec<Vec<ScriptType>> =
        inner_blocks(op).into_iter().map(|block| passed(block).into_iter().map(script_type).collect()).collect();
    let [first, second] = &blocks[..] else { return };
    for ((a, b), to) in first.iter().zip(second).zip(tensors) {
        if let (Some(a), Some(b), Some(to)) = (as_tensor(a), as_tensor(b), to) {
            knowledge.either(to, &a, &b);
        }
    }
}

/// A tuple's type says what is known of what it holds.
fn tuple(rewriter: &Rewriter<'_>, op: OperationRef<'_, '_>, old: &[ScriptType]) {
    let [ScriptType::Tuple(items)] = old else { return };
    let held: Vec<ScriptType> = inputs(op).into_iter().map(script_type).collect();
    let kept = |(have, is): (&ScriptType, &ScriptType)| if is.is_subtype_of(have) { is.clone() } else { have.clone() };
    let types: Vec<ScriptType> = items.iter().zip(&held).map(kept).collect();
    if types.len() == held.len() && types[..] != items[..] {
        rewriter.keep_types(op, &[ScriptType::Tuple(types.into())]);
    }
}

/// Gives results their types, where there is something new.
fn say<'c: 'a, 'a>(
    rewriter: &Rewriter<'c>,
    op: OperationRef<'c, 'a>,
    old: &[ScriptType],
    tensors: &[Option<TensorType>],
) -> PassResult {
    let new: Vec<ScriptType> = old
        .iter()
        .zip(tensors)
        .map(|(old, tensor)| tensor.as_ref().map_or(old.clone(), |t| ScriptType::Tensor(Arc::new(t.clone()))))
        .collect();
    if new == old {
        return Ok(());
    }
    for (index, (value, ty)) in op.result_values().into_iter().zip(&new).enumerate() {
        let Some(have) = Tensor::of(value.r#type()) else { continue };
        let context = op.context_ref();
        let mlir = if have.value {
            sconce_torch::types::to_mlir_value(context, ty)
        } else {
            sconce_torch::types::to_mlir(context, ty)
        };
        let Some((mlir, more)) = mlir.and_then(|mlir| Some((mlir, Tensor::of(mlir)?))) else { continue };
        // What a declared type says wrongly is corrected in the text; users of the value may insist on it.
        if agrees(&have, &more) && pass_as(rewriter, op, index, mlir)? {
            set_tensor_type(value, &more).map_err(Failure::from)?;
        }
    }
    rewriter.keep_types(op, &new);
    Ok(())
}

/// Does a type say of sizes nothing else than another?
fn agrees(have: &Tensor, more: &Tensor) -> bool {
    let (Some(have), Some(more)) = (&have.sizes, &more.sizes) else { return true };
    have.len() == more.len() && have.iter().zip(more).all(|(a, b)| a.is_none() || a == b)
}

/// The blocks of a branch pass on the type that its result has; false if they cannot.
fn pass_as<'c: 'a, 'a>(
    rewriter: &Rewriter<'c>,
    op: OperationRef<'c, 'a>,
    index: usize,
    ty: Type<'c>,
) -> Result<bool, Failure> {
    for end in inner_blocks(op).into_iter().filter_map(BlockExt::terminator_op) {
        let Some(value) = end.operand_value(index) else { return Ok(false) };
        let given = rewriter.pass_on(&Builder::before(end), sconce_analysis::operators::source(value), ty)?;
        let Some(given) = given else { return Ok(false) };
        end.set_operand_value(index, given);
    }
    Ok(true)
}
