//! Products that share a factor: of `a b₁ … a bₙ` the `bᵢ` stand side by side in one product, of `b₁ a … bₙ a` on top of each other.
//!
//! A product waits for the last of its batch, and with it everything in between that needs it; products that need one of the batch are not in it.

use super::product;
use crate::graph::{Rewriter, block_ops, erase_all};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::alias::id;
use sconce_ir::op::Walk;
use sconce_ir::prelude::*;
use sconce_pass::PassResult;
use sconce_syntax::graph_text::AttributeValue;

/// A factor, by its value, and the side that it is on.
type Shared = (usize, usize);

/// Puts a `prim::MMBatchSide` in the place of at least so many products of one run of a block.
pub(super) fn batch<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    block: BlockRef<'c, 'a>,
    run: &[OperationRef<'c, 'a>],
    least: usize,
) -> PassResult {
    let mut order: Vec<Shared> = Vec::new();
    let mut groups: FxHashMap<Shared, Vec<OperationRef<'c, 'a>>> = FxHashMap::default();
    for op in run {
        let Some(factors) = product(*op).filter(|[a, b]| a.id() != b.id()) else { continue };
        for (side, factor) in factors.into_iter().enumerate() {
            // A factor from outside of a loop or branch is the matter of another run, as in PyTorch.
            if defined_in(factor, block) {
                let key = (factor.id(), side);
                let group = groups.entry(key).or_default();
                if group.is_empty() {
                    order.push(key);
                }
                group.push(*op);
            }
        }
    }
    order.retain(|key| groups.get(key).is_some_and(|group| group.len() >= least));
    let mut batched: FxHashSet<usize> = FxHashSet::default();
    for key in order {
        let group = groups.remove(&key).unwrap_or_default();
        let free: Vec<_> = group.into_iter().filter(|op| !batched.contains(&id(*op))).collect();
        let members = independent(block, &free);
        if members.len() >= least {
            batched.extend(members.iter().map(|op| id(*op)));
            put(rewriter, block, &members, key.1)?;
        }
    }
    Ok(())
}

fn defined_in<'c: 'a, 'a>(value: Value<'c, 'a>, block: BlockRef<'c, 'a>) -> bool {
    let own = value.defining_op().and_then(|op| op.block_ref()).or_else(|| value.block_argument().map(|(b, _)| b));
    own == Some(block)
}

/// The first of these operations, and those that need no other of them.
fn independent<'c: 'a, 'a>(block: BlockRef<'c, 'a>, ops: &[OperationRef<'c, 'a>]) -> Vec<OperationRef<'c, 'a>> {
    let wanted: FxHashSet<usize> = ops.iter().map(|op| id(*op)).collect();
    let (mut members, mut needing) = (Vec::new(), FxHashSet::default());
    for op in block_ops(block) {
        if needs(op, &needing) {
            needing.insert(id(op));
        } else if wanted.contains(&id(op)) {
            needing.insert(id(op));
            members.push(op);
        }
    }
    members
}

/// Does the operation, or one in it, use a result of one of these?
fn needs(op: OperationRef<'_, '_>, these: &FxHashSet<usize>) -> bool {
    let mut needs = false;
    op.walk_pre(&mut |inner| {
        let made = inner.operand_values().into_iter().filter_map(|v| v.defining_op());
        needs |= made.into_iter().any(|op| these.contains(&id(op)));
        Walk::Advance
    });
    needs
}

fn put<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    block: BlockRef<'c, 'a>,
    members: &[OperationRef<'c, 'a>],
    side: usize,
) -> PassResult {
    let (Some(first), Some(last)) = (members.first().copied(), members.last().copied()) else { return Ok(()) };
    let factors: Vec<[Value<'c, 'a>; 2]> = members.iter().filter_map(|op| product(*op)).collect();
    let operands: Vec<_> = [factors[0][side]].into_iter().chain(factors.iter().map(|f| f[1 - side])).collect();
    let Some(any) = rewriter.any_tensor(operands[0]) else { return Ok(()) };
    let results = vec![any; members.len()];
    let which = AttributeValue::Int(i64::from(side == 1));
    let attributes = [("side", &which)];
    let at = Builder::before(last);
    let made = rewriter.node_with(&at, "prim::MMBatchSide", first.location(), &attributes, &operands, &results)?;
    // What needs an early product comes behind the batch, in the order that it had.
    let are_members: FxHashSet<usize> = members.iter().map(|op| id(*op)).collect();
    let (mut needing, mut behind) = (are_members.clone(), made);
    let between = block_ops(block).into_iter().skip_while(|op| *op != first).take_while(|op| *op != made);
    for op in between.collect::<Vec<_>>() {
        if !are_members.contains(&id(op)) && needs(op, &needing) {
            needing.insert(id(op));
            op.move_behind(behind);
            behind = op;
        }
    }
    for (old, new) in members.iter().zip(made.result_values()) {
        if let Some(old) = old.result_value(0) {
            rewriter.replace_uses(old, new)?;
        }
    }
    erase_all(members)
}
