//! A node can stand where its one use is exactly if everything is still evaluated in the same order there.

use sconce_graph::graph::{BlockId, Graph, NodeId, ValueId};

/// For each node, by its number: does it stand where its value is used? `fits` says which may, order left aside; constants do not take part.
pub(crate) fn inlined(graph: &Graph, fits: impl Fn(ValueId, NodeId) -> bool) -> Vec<bool> {
    let none = vec![false; graph.node_count()];
    let mut scan = Scan { graph, fits, inline: none, before: vec![None; graph.node_count()] };
    scan.order(graph.root());
    scan.block(graph.root());
    scan.inline
}

struct Scan<'g, F> {
    graph: &'g Graph,
    fits: F,
    inline: Vec<bool>,
    /// The node before each in its block, constants left out.
    before: Vec<Option<NodeId>>,
}

impl<F: Fn(ValueId, NodeId) -> bool> Scan<'_, F> {
    fn order(&mut self, block: BlockId) {
        let mut last = None;
        for node in self.graph.block_nodes(block) {
            self.before[node.index()] = last;
            if !self.graph.is(*node, "prim::Constant") {
                last = Some(*node);
            }
            for inner in self.graph.blocks(*node) {
                self.order(*inner);
            }
        }
    }

    fn block(&mut self, block: BlockId) {
        let nodes = self.graph.block_nodes(block);
        let mut at = nodes.iter().rev().find(|n| !self.graph.is(**n, "prim::Constant")).copied();
        for value in self.graph.block_outputs(block).iter().rev() {
            at = self.value(at, *value);
        }
        for node in nodes.iter().rev() {
            // What stands in an expression was looked at with it.
            if !self.inline[node.index()] {
                self.node(*node);
            }
        }
    }

    /// Scans a node's operands from the right; gives the node that precedes the whole expression.
    fn node(&mut self, node: NodeId) -> Option<NodeId> {
        for block in self.graph.blocks(node) {
            self.block(*block);
        }
        let mut at = self.before[node.index()];
        for value in self.graph.inputs(node).iter().rev() {
            at = self.value(at, *value);
        }
        at
    }

    fn value(&mut self, at: Option<NodeId>, value: ValueId) -> Option<NodeId> {
        match self.graph.defining(value) {
            Some(node) if Some(node) == at && (self.fits)(value, node) => {
                let at = self.node(node);
                self.inline[node.index()] = true;
                at
            }
            _ => at,
        }
    }
}
