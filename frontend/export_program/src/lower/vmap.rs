//! What `vmap` computes for every element of a batch at once is computed in a loop, an element a turn: nodes between the marks that an export leaves.
//!
//! The marks are calls of `torch._functorch.predispatch`: nesting begins and ends, a dimension is added (in the loop one element is selected) and removed (the
//! elements of all turns are stacked).

use super::body::{Body, Lowering};
use crate::Error;
use sconce_fx::{Argument, Node, NodeId, Val};
use sconce_graph::graph::ValueId;
use sconce_graph::insert::Arg;
use sconce_schema::Type;
use sconce_tensor::IValue;

fn mark(node: &Node) -> Option<&str> {
    node.target.strip_prefix("torch._functorch.predispatch.")
}

/// Does a loop begin at this node?
pub(super) fn begins(node: &Node) -> bool {
    mark(node) == Some("_vmap_increment_nesting")
}

/// How many nodes are in the loop, the one that ends it included; none if nothing does.
pub(super) fn length(behind: &[(NodeId, &Node)]) -> Option<usize> {
    let mut depth = 1usize;
    for (i, (_, node)) in behind.iter().enumerate() {
        match mark(node) {
            Some("_vmap_increment_nesting") => depth += 1,
            Some("_vmap_decrement_nesting") => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i + 1);
        }
    }
    None
}

/// Puts the loop over a batch: `first` is the node that begins it, `inner` are those in it and the one that ends it.
pub(super) fn batched<'a>(body: &mut Body<'a>, first: &Node, inner: &[(NodeId, &'a Node)]) -> Result<(), Error> {
    let Some(size) = first.args.first() else {
        return Err(body.wrong(first, "it does not say how large the batch is"));
    };
    let turns = body.argument(size, Some(&Type::Int))?;
    let inner = inner.get(..inner.len().saturating_sub(1)).unwrap_or_default();
    // Those of loops inside are theirs.
    let mut depth = 0usize;
    let mut own = Vec::new();
    for (id, node) in inner {
        match mark(node) {
            Some("_vmap_increment_nesting") => depth += 1,
            Some("_vmap_decrement_nesting") => depth = depth.saturating_sub(1),
            Some("_remove_batch_dim") if depth == 0 => own.push((*id, *node)),
            _ => {}
        }
    }
    let lists: Vec<ValueId> = own.iter().map(|_| body.empty_list()).collect();
    let most = body.operand(turns);
    let start = body.graph.insert_constant(IValue::Bool(true));
    let made = body.graph.node("prim::Loop", &[most, start]);
    body.graph.insert_node(made);
    let block = body.graph.add_block(made);
    let turn = body.graph.add_input(block, None, Type::Int);
    let goes_on = body.within(block, |body| {
        turns_of(body, inner, turn, &mut own.iter().zip(&lists).map(|((_, node), list)| (*node, *list)))?;
        Ok(body.graph.insert_constant(IValue::Bool(true)))
    })?;
    body.graph.set_block_outputs(block, &[goes_on]);
    for ((id, node), list) in own.iter().zip(lists) {
        if body.module.graph.users(*id).next().is_none() {
            continue;
        }
        let value = match (node.args.get(3), empty(body, node)) {
            (_, Some(value)) => value,
            (Some(dim), None) => {
                let dim = body.argument(dim, Some(&Type::Int))?;
                body.scalar("aten::stack", &[list.into(), dim])?
            }
            (None, None) => return Err(body.wrong(node, "it does not say where the dimension goes")),
        };
        body.set(*id, Lowering::Value(value));
    }
    Ok(())
}

/// One element of the batch.
fn turns_of<'a>(
    body: &mut Body<'a>,
    inner: &[(NodeId, &'a Node)],
    turn: ValueId,
    lists: &mut dyn Iterator<Item = (&Node, ValueId)>,
) -> Result<(), Error> {
    let mut rest = inner;
    while let Some((&(id, node), behind)) = rest.split_first() {
        match mark(node) {
            Some("_vmap_increment_nesting") => {
                let length = length(behind).unwrap_or(behind.len());
                let (nested, after) = behind.split_at(length);
                batched(body, node, nested)?;
                rest = after;
                continue;
            }
            Some("_add_batch_dim") => {
                let [of, dim, ..] = &node.args[..] else { return Err(body.wrong(node, "it has too few arguments")) };
                let (of, dim) = (body.value(of)?, body.argument(dim, Some(&Type::Int))?);
                let element = body.scalar("aten::select", &[of.into(), dim, turn.into()])?;
                body.set(id, Lowering::Value(element));
            }
            Some("_remove_batch_dim") => {
                let Some(of) = node.args.first() else { return Err(body.wrong(node, "it has too few arguments")) };
                let of = body.value(of)?;
                if let Some((_, list)) = lists.next() {
                    body.effect(node, "aten::append", &[list.into(), of.into()])?;
                }
            }
            _ => body.row(&[(id, node)])?,
        }
        rest = behind;
    }
    Ok(())
}

/// What is stacked of no elements: there is none that says its sizes, but the metadata does.
fn empty(body: &mut Body<'_>, node: &Node) -> Option<ValueId> {
    let Some(Argument::Int(0)) = node.args.get(2) else { return None };
    let Some(Val::Tensor(meta)) = &node.meta.val else { return None };
    let sizes: Option<Vec<i64>> = meta.sizes.iter().map(sconce_fx::SymExpr::known).collect();
    let (sizes, dtype) = (Arg::Constant(IValue::int_list(&sizes?)), Arg::Constant(IValue::Int(meta.dtype.number())));
    body.graph.insert("aten::zeros", &[sizes], &[("dtype", dtype)]).ok()
}
