//! `fuse-graph`: pointwise operators that feed each other become one `prim::FusionGroup`, a node with a graph of its own.
//!
//! A group grows from its last operator upwards, the nearest producer first. What others need in between moves behind the group where nothing forbids it, and a chunk of
//! something pointwise is taken before it: of the operands, made equally large by `broadcast_tensors`. A group of one is none.

mod block;
mod chunks;
mod group;

use crate::dce::eliminate_dead_code;
use crate::graph::{Rewriter, blocks, constant, each_function, inputs, int};
use crate::torch_cse::eliminate_common_subexpressions;
use sconce_analysis::operators::kind;
use sconce_analysis::{Aliases, Tensor};
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassResult, PassRun};
use sconce_schema::Trait;

/// The pass `fuse-graph`.
pub struct FuseGraph;

impl Pass for FuseGraph {
    const NAME: &'static str = "fuse-graph";
    const DESCRIPTION: &'static str = "Put pointwise operators that feed each other into prim::FusionGroup";
    const PYTORCH: &'static str = "`FuseGraph`, of its first fuser; numbers that are drawn stay outside";
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        let mut rewriter = Rewriter::new(root.context_ref());
        each_function(root, |function| {
            // What a node holds is fused as far as it goes.
            if function.attr("torch.with").is_some() {
                return Ok(());
            }
            // Constants and computations that are the same come once into a group.
            eliminate_common_subexpressions(function)?;
            let aliases = Aliases::of(function);
            let mut groups = 0;
            // Inner blocks first: what a group gives in an outer one is no value that the aliases know.
            for block in blocks(function).into_iter().rev() {
                block::fuse(&mut rewriter, &aliases, function, block, &mut groups)?;
            }
            eliminate_dead_code(function)
        })
    }
}

/// Is the value a tensor that a group is given?
fn is_given(value: Value<'_, '_>) -> bool {
    Tensor::of(value.r#type()).is_some()
}

/// The tensors that an operator computes with; of `cat` the elements of its list.
fn tensors<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    match concatenated(op) {
        Some((parts, _)) => parts,
        None => inputs(op).into_iter().filter(|v| is_given(*v)).collect(),
    }
}

/// Does an operator compute each element of its one result from those of its tensors at the same place, and of constants?
fn is_pointwise(op: OperationRef<'_, '_>) -> bool {
    let may_fuse = sconce_torch::entry(op).is_some_and(|entry| entry.has(Trait::Groups));
    let is_known = |v: Value<'_, '_>| is_given(v) || constant(v).is_some();
    may_fuse && op.result_values().len() == 1 && inputs(op).into_iter().all(is_known)
}

/// The tensors that `cat` puts together, and along which dimension.
fn concatenated<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Vec<Value<'c, 'a>>, i64)> {
    Some((inputs(own_list(op)?), int(inputs(op).get(1).copied()?)?))
}

/// The operation that makes the list of a `cat`, and of nobody else.
fn own_list<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let list = op.operand_value(0).filter(|list| kind(op) == "aten.cat" && list.uses().len() == 1)?;
    list.defining_op().filter(|made| kind(*made) == "prim.ListConstruct" && made.block_ref() == op.block_ref())
}
