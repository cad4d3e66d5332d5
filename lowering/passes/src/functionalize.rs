//! `functionalize`: an operator that writes to a tensor which nothing else can see becomes its functional form, whose result stands for the tensor from there on.
//!
//! The tensor is the new result of an operation, of which nothing was made but by reading it: no view, no container, no block that it goes into. The functional form must
//! give what the write would leave: the same dtype, and the same sizes.

use crate::graph::{each_function, root_block, walk};
use sconce_analysis::Tensor;
use sconce_analysis::effects::{Effect, effect};
use sconce_analysis::refine::results;
use sconce_ir::prelude::*;
use sconce_ir::{ValueLike, diagnostics};
use sconce_pass::{Pass, PassResult, PassRun};
use sconce_schema::shape::{Meta, Size};

/// In-place operators on values of their own.
pub struct Functionalize;

impl Pass for Functionalize {
    const NAME: &'static str = "functionalize";
    const DESCRIPTION: &'static str = "Turn writes to tensors that nothing else can see into new tensors";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let Some(root) = root_block(function) else { return Ok(()) };
            // In order: what one write gives may be what the next writes to.
            walk(root).into_iter().try_for_each(write)
        })
    }
}

/// Replaces one operation, if it is such a write.
fn write<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> PassResult {
    let entry = sconce_torch::entry(op).filter(|e| e.schema().is_in_place() && op.op_name() == e.dialect_name());
    let Some(functional) = entry.and_then(sconce_schema::OpEntry::functional_entry) else { return Ok(()) };
    let (Some(written), Some(result)) = (op.operand_value(0), op.result_value(0)) else { return Ok(()) };
    if !is_own(op, written) || written.r#type() != result.r#type() {
        return Ok(());
    }
    let made = Builder::before(op)
        .op(&functional.dialect_name(), op.location())
        .operands(&op.operand_values())
        .results(&[written.r#type()])
        .build()?;
    let stands = diagnostics::collect(op.context_ref(), || made.verify()).0 && leaves_the_same(made, written);
    let (true, Some(new)) = (stands, made.result_value(0)) else {
        made.erase()?;
        return Ok(());
    };
    result.replace_all_uses_with(new);
    for usage in written.uses() {
        if is_behind(op, usage.owner) {
            usage.owner.set_operand_value(usage.operand, new);
        }
    }
    op.erase()?;
    Ok(())
}

/// Whether nothing can tell that the value is written to but who uses it by its name, in the block of the write.
fn is_own<'c: 'a, 'a>(op: OperationRef<'c, 'a>, written: Value<'c, 'a>) -> bool {
    let is_new = written.defining_op().is_some_and(|d| effect(d) == Effect::Fresh && d.block_ref() == op.block_ref());
    is_new
        && written.uses().into_iter().all(|usage| {
            let is_write = usage.owner.to_raw().ptr == op.to_raw().ptr;
            is_write || is_behind(op, usage.owner) || effect(usage.owner) == Effect::Fresh
        })
}

/// Whether a user of what is made in the operation's block comes behind the operation, there or in something that stands there.
fn is_behind<'c: 'a, 'a>(op: OperationRef<'c, 'a>, user: OperationRef<'c, 'a>) -> bool {
    let mut user = user;
    while user.block_ref() != op.block_ref() {
        match user.parent() {
            Some(outer) => user = outer,
            None => return false,
        }
    }
    op.is_before_in_block(user)
}

/// Whether the operation gives a tensor of the dtype and sizes of the one that was to be written.
fn leaves_the_same<'c: 'a, 'a>(made: OperationRef<'c, 'a>, written: Value<'c, 'a>) -> bool {
    let Some(have) = Tensor::of(written.r#type()) else { return false };
    let metas = results(made);
    let Some(Meta::Tensor(gives)) = metas.as_ref().and_then(|m| m.first()) else { return false };
    let is_tensor = |v: &Value<'c, 'a>| Tensor::of(v.r#type()).is_some();
    let is_alone = made.operand_values().iter().filter(|v| is_tensor(v)).count() == 1;
    let sizes = have.sizes.as_ref().zip(gives.sizes.as_ref());
    let are_equal = sizes.is_some_and(|(a, b)| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_some_and(|a| *b == Size::Known(a)))
    });
    have.dtype.is_some() && have.dtype == gives.dtype && (is_alone || are_equal)
}
