//! `constant-loop-unrolling`: a short body that runs a known, small number of times is written out; and lists that are only made longer are made at once.

use super::alias::AliasDb;
use super::eliminate_dead_code;
use crate::graph::{BlockId, Graph, NodeId, Use, ValueId};
use crate::ssa::constant;
use rustc_hash::FxHashMap;
use sconce_schema::Type;
use sconce_tensor::IValue;

/// Nodes in a body that is written out.
const MAX_BODY: usize = 32;
/// How often a body is written out.
const MAX_TRIPS: i64 = 64;

/// Writes loops out. Did anything change?
pub fn unroll_constant_loops(graph: &mut Graph) -> bool {
    let mut loops: Vec<NodeId> = graph.walk(graph.root()).into_iter().filter(|n| graph.is(*n, "prim::Loop")).collect();
    // Inner ones first: what holds them may be small then.
    loops.reverse();
    let changed = loops.into_iter().fold(false, |changed, node| unroll(graph, node) || changed);
    if changed {
        eliminate_dead_code(graph);
    }
    changed
}

fn unroll(graph: &mut Graph, node: NodeId) -> bool {
    let [body] = graph.blocks(node)[..] else { return false };
    let value = |v: Option<ValueId>| v.and_then(|v| graph.constant(v)).cloned();
    let always = |v: Option<ValueId>| matches!(value(v), Some(IValue::Bool(true)));
    let Some(IValue::Int(trips)) = value(graph.input(node, 0)) else { return false };
    let counted = always(graph.input(node, 1)) && always(graph.block_outputs(body).first().copied());
    let nodes = graph.walk(body);
    if !counted || !(0..MAX_TRIPS).contains(&trips) || nodes.len() > MAX_BODY {
        return false;
    }
    let mut carried = graph.inputs(node)[2..].to_vec();
    for trip in 0..trips {
        let (made, counter) = constant(graph, IValue::Int(trip), Type::Int);
        graph.insert_before(node, made);
        let inputs = graph.block_inputs(body).to_vec();
        let mut values: FxHashMap<ValueId, ValueId> =
            inputs.into_iter().zip(std::iter::once(counter).chain(carried)).collect();
        for inner in graph.block_nodes(body).to_vec() {
            let copy = graph.clone_node(inner, &mut |v| values.get(&v).copied().unwrap_or(v));
            graph.insert_before(node, copy);
            let outputs = graph.outputs(copy).to_vec();
            values.extend(graph.outputs(inner).to_vec().into_iter().zip(outputs));
        }
        let passed = graph.block_outputs(body)[1..].to_vec();
        carried = passed.into_iter().map(|v| values.get(&v).copied().unwrap_or(v)).collect();
    }
    for (output, value) in graph.outputs(node).to_vec().into_iter().zip(carried) {
        graph.replace_uses(output, value);
    }
    graph.erase(node);
    true
}

/// `x = []; x.append(a); x.append(b)` becomes `x = [a, b]`, where nobody reads the list in between. Did anything change?
pub fn remove_list_mutation(graph: &mut Graph) -> bool {
    let mut changed = false;
    let appends: Vec<NodeId> = graph.walk(graph.root()).into_iter().filter(|n| graph.is(*n, "aten::append")).collect();
    for node in appends {
        changed |= merge(graph, node);
    }
    changed
}

fn merge(graph: &mut Graph, append: NodeId) -> bool {
    let [list, item] = graph.inputs(append)[..] else { return false };
    let Some(made) = graph.defining(list).filter(|n| graph.is(*n, "prim::ListConstruct")) else { return false };
    let Some((block, at)) = graph.position(append).filter(|(b, _)| graph.owner(made) == Some(*b)) else { return false };
    // Nobody may see the list before it is longer.
    let later = |u: &Use| match *u {
        Use::Node(n, _) => n == append || place_in(graph, block, n).is_some_and(|p| p > at),
        Use::Block(b, _) => b == block,
    };
    if !graph.uses(list).iter().all(later) || !AliasDb::new(graph).is_fresh(list) {
        return false;
    }
    let items: Vec<ValueId> = graph.inputs(made).iter().copied().chain([item]).collect();
    let longer = graph.node("prim::ListConstruct", &items);
    let (ty, name) = (graph.ty(list).clone(), graph.name(list).cloned());
    graph.set_loc(longer, graph.loc(made).cloned());
    let value = graph.add_output(longer, name.as_deref(), ty);
    graph.insert_before(append, longer);
    for output in graph.outputs(append).to_vec() {
        graph.replace_uses(output, value);
    }
    graph.erase(append);
    graph.replace_uses(list, value);
    graph.erase(made);
    true
}

/// Where a node, or what it is in, stands in a block.
fn place_in(graph: &Graph, block: BlockId, node: NodeId) -> Option<usize> {
    let mut node = node;
    loop {
        let (owner, at) = graph.position(node)?;
        if owner == block {
            return Some(at);
        }
        node = graph.block_owner(owner)?;
    }
}
