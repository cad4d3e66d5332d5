//! Which nodes are written inside the expression that uses them: those that are evaluated at the same place when the text is read again.

use crate::graph::{BlockId, Graph, NodeId, Use, ValueId};

/// For each node, by its number: is it part of its user's expression?
pub(super) fn inlined(graph: &Graph) -> Vec<bool> {
    let mut scan = Scan { graph, inline: vec![false; graph.node_count()], before: vec![None; graph.node_count()] };
    scan.order(graph.root());
    scan.block(graph.root());
    scan.inline
}

struct Scan<'g> {
    graph: &'g Graph,
    inline: Vec<bool>,
    /// The node before each in its block, constants left out.
    before: Vec<Option<NodeId>>,
}

impl Scan<'_> {
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
            self.node(*node);
        }
    }

    /// Scans a node's operands from the right; gives the node that precedes the whole expression.
    fn node(&mut self, node: NodeId) -> Option<NodeId> {
        // The chain of operands can be long: the stack holds what recursion would.
        if self.inline[node.index()] {
            return Some(node);
        }
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
        let Some(node) = self.graph.defining(value) else { return at };
        if Some(node) == at && self.fits_inside(value, node) {
            let at = self.node(node);
            self.inline[node.index()] = true;
            return at;
        }
        if self.graph.is(node, "prim::Constant") {
            self.inline[node.index()] = true;
        }
        at
    }

    fn fits_inside(&self, value: ValueId, node: NodeId) -> bool {
        let g = self.graph;
        let [usage] = g.uses(value) else { return false };
        // A name is kept, unless it would only be given to be returned.
        if g.name(value).is_some() && !matches!(usage, Use::Block(..)) {
            return false;
        }
        if g.outputs(node).len() != 1 || !g.blocks(node).is_empty() {
            return false;
        }
        if let Use::Node(user, index) = usage {
            // A loop's carried value needs a variable; a subgraph may use it more than once.
            if (g.is(*user, "prim::Loop") && *index >= 2) || is_closure(g, *user) {
                return false;
            }
        }
        // Inside the condition of an `if` it would refine again what is already cast.
        !g.is(node, "prim::isinstance")
    }
}

/// Nodes whose body is printed as a function of its own.
pub(super) fn is_closure(graph: &Graph, node: NodeId) -> bool {
    matches!(
        &**graph.kind(node),
        "prim::fork" | "prim::awaitable" | "prim::rpc_async" | "prim::rpc_sync" | "prim::rpc_remote"
    )
}
