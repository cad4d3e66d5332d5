//! What compiling leaves over is taken away, as PyTorch does before it shows a graph: values that nothing uses, and constants that are said twice.

use crate::graph::{Attr, BlockId, Graph, NodeId, Use, ValueId};
use rustc_hash::FxHashMap;
use sconce_schema::op::Trait;
use sconce_schema::{Type, overload};
use sconce_tensor::IValue;

/// Removes nodes without effect whose values nothing uses, and merges equal constants.
pub fn remove(graph: &mut Graph) {
    for node in graph.walk(graph.root()) {
        if let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") {
            let mut inner = inner.clone();
            remove(&mut inner);
            graph.set_attr(node, "Subgraph", Attr::Graph(inner));
        }
    }
    unused_in(graph, graph.root());
    pool_constants(graph);
    order_results(graph);
}

/// Results of branches and loops stand in the order of their first uses, unused ones last.
fn order_results(graph: &mut Graph) {
    let root = graph.root();
    let places: FxHashMap<NodeId, usize> = graph.walk(root).into_iter().zip(0..).collect();
    order_results_in(graph, root, &places);
}

fn order_results_in(graph: &mut Graph, block: BlockId, places: &FxHashMap<NodeId, usize>) {
    // What a node gives depends on what follows it, so the last ones come first.
    for node in graph.block_nodes(block).to_vec().into_iter().rev() {
        let carried = match &**graph.kind(node) {
            "prim::If" => Some(0),
            "prim::Loop" => Some(1),
            _ => None,
        };
        if let Some(skipped) = carried {
            let mut order: Vec<usize> = (0..graph.outputs(node).len()).collect();
            order.sort_by_key(|i| first_use(graph, graph.outputs(node)[*i], places));
            if !order.is_sorted() {
                permute(graph, node, skipped, &order);
            }
        }
        for inner in graph.blocks(node).to_vec() {
            order_results_in(graph, inner, places);
        }
    }
}

/// Where a value is first used: in the order of the text, a block's end behind all that it holds.
fn first_use(graph: &Graph, value: ValueId, places: &FxHashMap<NodeId, usize>) -> (usize, usize, u32) {
    let place = |u: &Use| match u {
        Use::Node(node, index) => (places.get(node).copied().unwrap_or(usize::MAX), 0, *index),
        Use::Block(block, index) => (last_within(graph, *block, places), 1 + depth_from_root(graph, *block), *index),
    };
    graph.uses(value).iter().map(place).min().unwrap_or((usize::MAX, usize::MAX, u32::MAX))
}

/// The place of the last node inside a block, or of the node that the block belongs to if it is empty.
fn last_within(graph: &Graph, block: BlockId, places: &FxHashMap<NodeId, usize>) -> usize {
    let mut block = block;
    loop {
        let Some(last) = graph.block_nodes(block).last().copied() else {
            let owner = graph.block_owner(block);
            let earlier = owner.map(|n| {
                let index = graph.blocks(n).iter().position(|b| *b == block).unwrap_or(0);
                (n, index)
            });
            return match earlier {
                // An empty second branch ends behind the first.
                Some((node, index)) if index > 0 => last_within(graph, graph.blocks(node)[index - 1], places),
                Some((node, _)) => places.get(&node).copied().unwrap_or(usize::MAX),
                None => 0,
            };
        };
        match graph.blocks(last).last() {
            Some(inner) => block = *inner,
            None => return places.get(&last).copied().unwrap_or(usize::MAX),
        }
    }
}

/// Ends of inner blocks come before those of the blocks around them.
fn depth_from_root(graph: &Graph, block: BlockId) -> usize {
    let mut depth = 0;
    let mut at = block;
    while let Some(outer) = graph.block_owner(at).and_then(|n| graph.owner(n)) {
        depth += 1;
        at = outer;
    }
    usize::MAX / 2 - depth
}

/// Gives results a new order; a loop's blocks and operands have `skipped` values before those that are carried.
fn permute(graph: &mut Graph, node: NodeId, skipped: usize, order: &[usize]) {
    let by_order = |values: &[ValueId], kept: usize| -> Vec<ValueId> {
        let (head, tail) = values.split_at(kept.min(values.len()));
        head.iter().copied().chain(order.iter().filter_map(|i| tail.get(*i).copied())).collect()
    };
    if skipped > 0 {
        let operands = by_order(graph.inputs(node), skipped + 1);
        graph.set_operands(node, &operands);
    }
    for block in graph.blocks(node).to_vec() {
        let outputs = by_order(graph.block_outputs(block), skipped);
        graph.set_block_outputs(block, &outputs);
        if skipped > 0 {
            graph.permute_inputs(block, &by_order(graph.block_inputs(block), skipped));
        }
    }
    let outputs = by_order(graph.outputs(node), 0);
    graph.permute_outputs(node, &outputs);
}

fn unused_in(graph: &mut Graph, block: BlockId) {
    for node in graph.block_nodes(block).to_vec().into_iter().rev() {
        match &**graph.kind(node) {
            "prim::If" => unused_results(graph, node),
            "prim::Loop" => unused_carried(graph, node),
            _ => {}
        }
        for inner in graph.blocks(node).to_vec() {
            unused_in(graph, inner);
        }
        let is_used = graph.outputs(node).iter().any(|v| !graph.uses(*v).is_empty());
        if !is_used && is_removable(graph, node) {
            graph.erase(node);
        }
    }
}

/// Results of a branch that nothing uses.
fn unused_results(graph: &mut Graph, node: NodeId) {
    for index in (0..graph.outputs(node).len()).rev() {
        if !graph.uses(graph.outputs(node)[index]).is_empty() {
            continue;
        }
        for block in graph.blocks(node).to_vec() {
            graph.remove_block_output(block, index);
        }
        graph.remove_output(node, index);
    }
}

/// Values that a loop carries, and nobody uses, inside or behind it.
fn unused_carried(graph: &mut Graph, node: NodeId) {
    let [body] = graph.blocks(node) else { return };
    let body = *body;
    for index in (0..graph.outputs(node).len()).rev() {
        let input = graph.block_inputs(body).get(index + 1).copied();
        let is_used = |v: ValueId| !graph.uses(v).is_empty();
        if is_used(graph.outputs(node)[index]) || input.is_none_or(is_used) {
            continue;
        }
        graph.remove_operand(node, index + 2);
        graph.remove_block_output(body, index + 1);
        graph.remove_input(body, index + 1);
        graph.remove_output(node, index);
    }
}

/// Does the node compute and do nothing else?
fn is_removable(graph: &Graph, node: NodeId) -> bool {
    match &**graph.kind(node) {
        "prim::If" => graph.blocks(node).iter().all(|b| graph.block_nodes(*b).iter().all(|n| is_removable(graph, *n))),
        // A loop may go on for ever.
        "prim::Loop" => false,
        "prim::Constant"
        | "prim::Uninitialized"
        | "prim::TupleConstruct"
        | "prim::ListConstruct"
        | "prim::DictConstruct"
        | "prim::GetAttr"
        | "prim::TupleIndex"
        | "prim::TupleUnpack"
        | "prim::TupleSlice"
        | "prim::unchecked_cast"
        | "prim::isinstance"
        | "prim::EnumName"
        | "prim::EnumValue"
        | "prim::CreateObject" => true,
        kind => {
            let types: Vec<Type> = graph.inputs(node).iter().map(|v| graph.ty(*v).clone()).collect();
            overload::of_node(kind, &types).is_ok_and(|entry| {
                let traits = entry.schema().traits(entry.traits);
                traits.contains(&Trait::Pure) && !entry.has(Trait::Effect)
            })
        }
    }
}

/// One constant for each value and type, where the first one is.
fn pool_constants(graph: &mut Graph) {
    let mut kept: Vec<NodeId> = Vec::new();
    let root = graph.root();
    for node in graph.walk(root) {
        if !graph.is(node, "prim::Constant") {
            continue;
        }
        let Some(value) = graph.output(node) else { continue };
        let same = kept.iter().copied().find(|k| are_equal(graph, *k, node));
        match same.and_then(|k| graph.output(k)) {
            Some(first) => {
                graph.replace_uses(value, first);
                graph.erase(node);
            }
            None => {
                if graph.owner(node) != Some(root) {
                    graph.prepend(root, node);
                }
                kept.push(node);
            }
        }
    }
}

fn are_equal(graph: &Graph, a: NodeId, b: NodeId) -> bool {
    let ty = |n: NodeId| graph.output(n).map(|v: ValueId| graph.ty(v));
    let (left, right) = (graph.attrs(a), graph.attrs(b));
    ty(a) == ty(b)
        && left.len() == right.len()
        && left.iter().zip(right).all(|((n, x), (m, y))| n == m && equal_attrs(x, y))
}

fn equal_attrs(a: &Attr, b: &Attr) -> bool {
    match (a, b) {
        (Attr::Value(a), Attr::Value(b)) => equal_values(a, b),
        (Attr::Function(a), Attr::Function(b)) | (Attr::Str(a), Attr::Str(b)) => a == b,
        _ => false,
    }
}

/// Are two constants the same to every program? Containers are not: each may be changed.
fn equal_values(a: &IValue, b: &IValue) -> bool {
    match (a, b) {
        (IValue::None, IValue::None) => true,
        (IValue::Bool(a), IValue::Bool(b)) => a == b,
        (IValue::Int(a), IValue::Int(b)) => a == b,
        (IValue::Double(a), IValue::Double(b)) => a.to_bits() == b.to_bits(),
        (IValue::Complex(a), IValue::Complex(b)) => {
            a.re.to_bits() == b.re.to_bits() && a.im.to_bits() == b.im.to_bits()
        }
        (IValue::Str(a), IValue::Str(b)) => a == b,
        (IValue::Device(a), IValue::Device(b)) => a == b,
        (IValue::Tensor(a), IValue::Tensor(b)) => a.is(b),
        (IValue::Tuple(a), IValue::Tuple(b)) => {
            a.names == b.names
                && a.items.len() == b.items.len()
                && a.items.iter().zip(&b.items).all(|(a, b)| equal_values(a, b))
        }
        _ => false,
    }
}
