//! `create-autodiff-subgraphs`: operators with a known gradient that feed each other become one `prim::DifferentiableGraph`, a node with a graph of its own.
//!
//! A group grows from its last operator upwards, the nearest producer first; what others need in between moves behind the group. What a group gives shares memory
//! neither with what it is given nor with what else it gives: views that are seen outside stay outside, with all that is computed of them.

mod group;
mod run;
mod unit;

use crate::graph::{Rewriter, block_ops, blocks, each_function, erase_unneeded_casts};
use crate::torch_cse::eliminate_common_subexpressions;
use group::Group;
use run::Run;
use sconce_analysis::Aliases;
use sconce_analysis::operators::is_silent;
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassOption, PassResult, PassRun};
use sconce_schema::Trait;

/// The pass `create-autodiff-subgraphs`.
pub struct CreateAutodiffSubgraphs;

impl Pass for CreateAutodiffSubgraphs {
    const NAME: &'static str = "create-autodiff-subgraphs";
    const DESCRIPTION: &'static str = "Put operators whose gradients are known into prim::DifferentiableGraph";
    const PYTORCH: &'static str = "`CreateAutodiffSubgraphs`";
    const OPTIONS: &'static [PassOption] =
        &[PassOption::int("threshold", "operators that a group must have; smaller ones stay as they are", 2)];
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let threshold = usize::try_from(run.int("threshold")).unwrap_or(0).max(1);
        let mut rewriter = Rewriter::new(root.context_ref());
        each_function(root, |function| {
            // What a node holds is not asked for its gradient apart from the rest.
            if function.attr("torch.with").is_some() {
                return Ok(());
            }
            erase_unneeded_casts(function)?;
            let aliases = Aliases::of(function);
            let mut groups = Vec::new();
            for block in blocks(function) {
                groups.extend(groups_of(&aliases, block, threshold));
            }
            // The graphs stand behind the function in the order of their numbers.
            for (number, group) in groups.into_iter().enumerate().rev() {
                group.put(&mut rewriter, function, number)?;
            }
            // Each constant was as often in the text as it was needed.
            eliminate_common_subexpressions(function)
        })
    }
}

/// The groups of a block, whose operations are then in the order that they need.
fn groups_of<'c: 'a, 'a>(aliases: &Aliases<'c>, block: BlockRef<'c, 'a>, threshold: usize) -> Vec<Group<'c, 'a>> {
    let ops: Vec<_> = block_ops(block).into_iter().filter(|op| !is_silent(*op)).collect();
    let (mut groups, mut order) = (Vec::new(), Vec::new());
    // Nothing moves past what prints or raises.
    for part in ops.chunk_by(|one, next| !aliases.acts(*one) && !aliases.acts(*next)) {
        let mut run = Run::new(aliases, part);
        run.group();
        for unit in run.units() {
            let (group, left) = Group::of(unit, part);
            order.extend(group.members.iter().chain(&left).copied());
            if group.members.len() >= threshold {
                groups.push(group);
            }
        }
    }
    run::put_in_order(block, &order);
    groups
}

/// Does PyTorch have its gradient as a graph?
fn is_differentiable(op: OperationRef<'_, '_>) -> bool {
    sconce_torch::entry(op).is_some_and(|entry| entry.has(Trait::Differentiable))
}
