//! `canonicalize-outputs`: outputs of control flow stand in the order of their first use.

use crate::graph::{BlockId, Graph, NodeId, Use};
use rustc_hash::FxHashMap;

/// See the module's page.
pub fn canonicalize_outputs(graph: &mut Graph) {
    let mut order = Order::default();
    order.block(graph, graph.root());
    block(graph, graph.root(), &order);
}

/// Places in the text: of nodes, and of the ends of blocks.
#[derive(Default)]
struct Order {
    next: usize,
    nodes: FxHashMap<NodeId, usize>,
    ends: FxHashMap<BlockId, usize>,
}

impl Order {
    fn take(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    fn block(&mut self, graph: &Graph, block: BlockId) {
        for node in graph.block_nodes(block) {
            let place = self.take();
            self.nodes.insert(*node, place);
            for inner in graph.blocks(*node) {
                self.block(graph, *inner);
            }
        }
        let place = self.take();
        self.ends.insert(block, place);
    }

    fn of(&self, u: Use) -> (usize, u32) {
        let (place, index) = match u {
            Use::Node(node, index) => (self.nodes.get(&node), index),
            Use::Block(block, index) => (self.ends.get(&block), index),
        };
        (place.copied().unwrap_or(usize::MAX), index)
    }
}

fn block(graph: &mut Graph, within: BlockId, order: &Order) {
    for node in graph.block_nodes(within).to_vec().into_iter().rev() {
        let (is_if, is_loop) = (graph.is(node, "prim::If"), graph.is(node, "prim::Loop"));
        if is_if || is_loop {
            let outputs = graph.outputs(node);
            let first = |i: &usize| {
                let uses = graph.uses(outputs[*i]).iter().map(|u| order.of(*u)).min();
                (uses.is_none(), uses)
            };
            let mut sorted: Vec<usize> = (0..outputs.len()).collect();
            sorted.sort_by_key(first);
            if !sorted.is_sorted() {
                permute(graph, node, &sorted, is_loop);
            }
        }
        for inner in graph.blocks(node).to_vec() {
            block(graph, inner, order);
        }
    }
}

fn permute(graph: &mut Graph, node: NodeId, order: &[usize], is_loop: bool) {
    // Behind the first `skip`, which stay.
    fn reordered<T: Copy>(values: &[T], skip: usize, order: &[usize]) -> Vec<T> {
        values[..skip].iter().copied().chain(order.iter().map(|i| values[skip + i])).collect()
    }
    let outputs = reordered(graph.outputs(node), 0, order);
    graph.permute_outputs(node, &outputs);
    let skip = usize::from(is_loop);
    for inner in graph.blocks(node).to_vec() {
        let outputs = reordered(graph.block_outputs(inner), skip, order);
        graph.set_block_outputs(inner, &outputs);
    }
    if is_loop {
        let operands = reordered(graph.inputs(node), 2, order);
        graph.set_operands(node, &operands);
        let body = graph.blocks(node)[0];
        let inputs = reordered(graph.block_inputs(body), 1, order);
        graph.permute_inputs(body, &inputs);
    }
}
