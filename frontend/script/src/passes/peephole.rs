//! `peephole`: what a look at one node tells. It is run on what is inlined, as PyTorch runs it.

use super::eliminate_dead_code;
use crate::graph::{BlockId, Graph, NodeId};
use sconce_schema::Type;
use sconce_tensor::IValue;

/// Branches that give their condition back give it at once, and attributes that can only be None are None.
pub fn peephole(graph: &mut Graph) {
    if in_block(graph, graph.root()) {
        eliminate_dead_code(graph);
    }
}

fn in_block(graph: &mut Graph, block: BlockId) -> bool {
    let mut changed = false;
    for node in graph.block_nodes(block).to_vec() {
        for inner in graph.blocks(node).to_vec() {
            changed |= in_block(graph, inner);
        }
        changed |= match &**graph.kind(node) {
            "prim::If" => redundant_condition(graph, node),
            "prim::GetAttr" => none_attribute(graph, node),
            _ => false,
        };
    }
    changed
}

/// `if c: x = True else: x = False`
fn redundant_condition(graph: &mut Graph, node: NodeId) -> bool {
    let (Some(condition), [then, otherwise]) = (graph.input(node, 0), graph.blocks(node)) else { return false };
    let mut changed = false;
    let (then, otherwise) = (*then, *otherwise);
    for (index, output) in graph.outputs(node).to_vec().into_iter().enumerate() {
        let says = |block: BlockId| match graph.block_outputs(block).get(index).and_then(|v| graph.constant(*v)) {
            Some(IValue::Bool(b)) => Some(*b),
            _ => None,
        };
        if *graph.ty(output) == Type::Bool && says(then) == Some(true) && says(otherwise) == Some(false) {
            graph.replace_uses(output, condition);
            changed = true;
        }
    }
    changed
}

fn none_attribute(graph: &mut Graph, node: NodeId) -> bool {
    let Some(output) = graph.output(node).filter(|v| *graph.ty(*v) == Type::None && !graph.uses(*v).is_empty()) else {
        return false;
    };
    let constant = graph.node("prim::Constant", &[]);
    let none = graph.add_output(constant, None, Type::None);
    graph.insert_before(node, constant);
    graph.replace_uses(output, none);
    true
}
