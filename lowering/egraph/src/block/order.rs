//! The order of a block's operations, made to depend on what they compute alone: what may stand anywhere stands right in front of the first operation that needs it,
//! operands from the first to the last.

use rustc_hash::FxHashSet;
use sconce_analysis::Aliases;
use sconce_analysis::alias::{id, is_mutable};
use sconce_analysis::effects::{Effect, effect};
use sconce_analysis::operators::any_within;
use sconce_ir::prelude::*;

/// Sorts a block. `aliases`: who writes to what, where something can be written to.
pub fn sort<'c: 'a, 'a>(block: BlockRef<'c, 'a>, aliases: Option<&Aliases<'c>>) {
    let ops = block.ops();
    let is_set = ops.iter().any(|op| may_set_attributes(*op));
    let can_move =
        |op: &OperationRef<'c, 'a>| can_move(*op, aliases) || !is_set && op.is(ATTRIBUTE) && !is_written(*op, aliases);
    let movable: FxHashSet<usize> = ops.iter().filter(|op| can_move(op)).map(|op| id(*op)).collect();
    let mut placed: FxHashSet<usize> = FxHashSet::default();
    for anchor in ops.iter().filter(|op| !movable.contains(&id(**op))) {
        for needed in needed_inside(*anchor) {
            place(needed, *anchor, &movable, &mut placed);
        }
    }
}

/// Does it give the same wherever it stands?
fn can_move<'c: 'a, 'a>(op: OperationRef<'c, 'a>, aliases: Option<&Aliases<'c>>) -> bool {
    op.region_refs().is_empty() && !op.is_terminator() && effect(op) != Effect::Writes && !is_written(op, aliases)
}

/// Does anything write to what it reads or gives?
fn is_written<'c: 'a, 'a>(op: OperationRef<'c, 'a>, aliases: Option<&Aliases<'c>>) -> bool {
    let is_written = |v: Value<'c, 'a>| is_mutable(v.r#type()) && aliases.is_none_or(|a| a.has_writers(v));
    op.operand_values().into_iter().chain(op.result_values()).any(is_written)
}

/// A read of an object's attribute.
const ATTRIBUTE: &str = "torch.prim.GetAttr";

/// May it, or an operation in it, give an object's attribute another value? Operators of the table do not; who calls may.
fn may_set_attributes(op: OperationRef<'_, '_>) -> bool {
    any_within(op, |inner| {
        let is_harmless = inner.is(ATTRIBUTE)
            || inner.is_terminator()
            || !inner.region_refs().is_empty()
            || effect(inner) != Effect::Writes
            || sconce_torch::entry(inner)
                .is_some_and(|entry| entry.name.starts_with("aten::") && !entry.effect().other);
        !is_harmless
    })
}

/// What defines the operands of an operation and of those in it, in order.
fn needed_inside<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut needed = Vec::new();
    op.walk_pre(&mut |inner| {
        needed.extend(inner.operand_values().into_iter().filter_map(ValueExt::defining_op));
        Walk::Advance
    });
    needed
}

/// Moves an operation in front of another, behind what it needs itself.
fn place<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    before: OperationRef<'c, 'a>,
    movable: &FxHashSet<usize>,
    placed: &mut FxHashSet<usize>,
) {
    let mut stack = vec![(op, false)];
    while let Some((op, is_ready)) = stack.pop() {
        if !movable.contains(&id(op)) || placed.contains(&id(op)) {
            continue;
        }
        if is_ready {
            placed.insert(id(op));
            op.move_in_front_of(before);
        } else {
            stack.push((op, true));
            stack.extend(op.operand_values().into_iter().rev().filter_map(ValueExt::defining_op).map(|op| (op, false)));
        }
    }
}
