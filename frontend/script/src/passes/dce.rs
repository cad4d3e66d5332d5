//! `dce`: removes nodes whose outputs nobody uses and that do nothing else, outputs of control flow that nobody reads, and operands of forks likewise.
//!
//! A write stays, but for one to a list or dictionary that is made here and of which nobody sees more than its writes.

use super::effects;
use crate::graph::{Attr, BlockId, Graph, NodeId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// See the module's page.
pub fn eliminate_dead_code(graph: &mut Graph) {
    fork_inputs(graph);
    let marked = {
        let mut marking = Marking {
            graph,
            marked: FxHashSet::default(),
            blocks: FxHashSet::default(),
            live: FxHashSet::default(),
            effects: FxHashMap::default(),
        };
        for value in graph.block_outputs(graph.root()) {
            marking.use_value(*value);
        }
        marking.block(graph.root());
        marking.marked
    };
    sweep(graph, graph.root(), &marked);
}

/// Operands of a fork that its graph does not use.
fn fork_inputs(graph: &mut Graph) {
    for node in graph.walk(graph.root()) {
        if !graph.is(node, "prim::fork") {
            continue;
        }
        let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") else { continue };
        let inputs = inner.block_inputs(inner.root());
        let dead: Vec<usize> = (0..inputs.len()).filter(|i| inner.uses(inputs[*i]).is_empty()).collect();
        if inputs.len() != graph.inputs(node).len() {
            continue;
        }
        for index in dead.into_iter().rev() {
            graph.remove_operand(node, index);
            graph.with_subgraph(node, |inner| inner.remove_input(inner.root(), index));
        }
    }
}

struct Marking<'g> {
    graph: &'g Graph,
    marked: FxHashSet<NodeId>,
    /// Blocks whose outputs were looked at.
    blocks: FxHashSet<BlockId>,
    live: FxHashSet<ValueId>,
    effects: FxHashMap<NodeId, bool>,
}

impl Marking<'_> {
    fn use_value(&mut self, value: ValueId) {
        self.live.insert(value);
    }

    /// Marks what is needed in a block; was there anything new?
    fn block(&mut self, block: BlockId) -> bool {
        let graph = self.graph;
        let mut any = false;
        for node in graph.block_nodes(block) {
            if self.has_effects(*node) {
                any |= self.node(*node);
            }
        }
        any |= self.outputs(block);
        for node in graph.block_nodes(block).iter().rev() {
            if graph.is(*node, "prim::Loop") {
                // What one turn needs, the turn before must give.
                while self.block(graph.blocks(*node)[0]) {
                    any = true;
                }
            } else {
                for inner in graph.blocks(*node) {
                    any |= self.block(*inner);
                }
            }
            any |= self.if_live(*node);
        }
        any
    }

    /// What a block passes on is needed where its node's outputs are.
    fn outputs(&mut self, block: BlockId) -> bool {
        let graph = self.graph;
        let Some(owner) = graph.block_owner(block) else { return false };
        if !self.blocks.insert(block) {
            return false;
        }
        let passed = graph.block_outputs(block);
        if graph.is(owner, "prim::Loop") {
            let inputs = &graph.block_inputs(block)[1..];
            for ((output, input), value) in graph.outputs(owner).iter().zip(inputs).zip(&passed[1..]) {
                if self.live.contains(output) || !graph.uses(*input).is_empty() {
                    self.use_value(*value);
                }
            }
            self.use_value(passed[0]);
        } else {
            for (output, value) in graph.outputs(owner).iter().zip(passed) {
                if self.live.contains(output) || !graph.is(owner, "prim::If") {
                    self.use_value(*value);
                }
            }
        }
        true
    }

    fn if_live(&mut self, node: NodeId) -> bool {
        self.graph.outputs(node).iter().any(|v| self.live.contains(v)) && self.node(node)
    }

    fn node(&mut self, node: NodeId) -> bool {
        if !self.marked.insert(node) {
            return false;
        }
        let graph = self.graph;
        // What holds a live node is live.
        let mut owner = graph.owner(node).and_then(|b| graph.block_owner(b));
        while let Some(around) = owner {
            self.node(around);
            owner = graph.owner(around).and_then(|b| graph.block_owner(b));
        }
        for input in graph.inputs(node) {
            self.use_value(*input);
        }
        true
    }

    fn has_effects(&mut self, node: NodeId) -> bool {
        if let Some(known) = self.effects.get(&node) {
            return *known;
        }
        let graph = self.graph;
        let has = effects::acts(graph, node)
            || graph.blocks(node).iter().any(|b| graph.block_nodes(*b).iter().any(|n| self.has_effects(*n)));
        self.effects.insert(node, has);
        has
    }
}

fn sweep(graph: &mut Graph, block: BlockId, marked: &FxHashSet<NodeId>) {
    let mut kept = Vec::new();
    for node in graph.take_nodes(block).into_iter().rev() {
        if graph.is(node, "prim::If") {
            dead_if_outputs(graph, node);
        } else if graph.is(node, "prim::Loop") {
            dead_loop_outputs(graph, node);
        }
        for inner in graph.blocks(node).to_vec() {
            sweep(graph, inner, marked);
        }
        let used = graph.outputs(node).iter().any(|v| !graph.uses(*v).is_empty());
        if !marked.contains(&node) && !used {
            graph.erase(node);
        } else {
            kept.push(node);
        }
    }
    for node in kept.into_iter().rev() {
        graph.append(block, node);
    }
}

fn dead_if_outputs(graph: &mut Graph, node: NodeId) {
    for index in (0..graph.outputs(node).len()).rev() {
        if graph.uses(graph.outputs(node)[index]).is_empty() {
            graph.remove_output(node, index);
            for block in graph.blocks(node).to_vec() {
                graph.remove_block_output(block, index);
            }
        }
    }
}

fn dead_loop_outputs(graph: &mut Graph, node: NodeId) {
    let body = graph.blocks(node)[0];
    for index in (0..graph.outputs(node).len()).rev() {
        let carried = graph.block_inputs(body)[index + 1];
        if graph.uses(graph.outputs(node)[index]).is_empty() && graph.uses(carried).is_empty() {
            remove_carried(graph, node, index);
        }
    }
}

/// Takes a carried value of a loop away; nothing may use it.
pub(super) fn remove_carried(graph: &mut Graph, node: NodeId, index: usize) {
    let body = graph.blocks(node)[0];
    graph.remove_output(node, index);
    graph.remove_operand(node, index + 2);
    graph.remove_block_output(body, index + 1);
    graph.remove_input(body, index + 1);
}
