//! Every value has a last use in the block that makes it, so that its register can be emptied there; and nodes that are used once, where a stack wants them, need no register.

use crate::inline_order;
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_graph::graph::{BlockId, Def, Graph, NodeId, Use, ValueId};

const DROP: &str = "prim::Drop";

fn is_constant(graph: &Graph, value: ValueId) -> bool {
    graph.defining(value).is_some_and(|n| graph.is(n, "prim::Constant"))
}

/// What nothing uses is dropped where it is made.
pub(super) fn drop_unused(graph: &mut Graph) {
    drop_unused_in(graph, graph.root());
}

fn drop_unused_in(graph: &mut Graph, block: BlockId) {
    let unused = |graph: &Graph, values: &[ValueId]| -> Vec<ValueId> {
        values.iter().copied().filter(|v| graph.uses(*v).is_empty() && !is_constant(graph, *v)).collect()
    };
    let nodes = graph.block_nodes(block).to_vec();
    let inputs = unused(graph, graph.block_inputs(block));
    if !inputs.is_empty() {
        let drop = graph.node(DROP, &inputs);
        graph.prepend(block, drop);
    }
    for node in nodes {
        let outputs = unused(graph, graph.outputs(node));
        if !outputs.is_empty() {
            let drop = graph.node(DROP, &outputs);
            graph.insert_after(node, drop);
        }
        for inner in graph.blocks(node).to_vec() {
            drop_unused_in(graph, inner);
        }
    }
}

/// A value whose last use is inside a branch or loop is dropped behind it.
pub(super) fn end_lives(graph: &mut Graph) {
    let mut scan = Lives { seen: FxHashSet::default(), drops: FxHashMap::default() };
    scan.block(graph, graph.root());
}

struct Lives {
    seen: FxHashSet<ValueId>,
    /// By node: the drop that stands behind it.
    drops: FxHashMap<NodeId, NodeId>,
}

impl Lives {
    fn block(&mut self, graph: &mut Graph, block: BlockId) {
        for value in graph.block_outputs(block).to_vec().into_iter().rev() {
            self.usage(graph, value, block, None);
        }
        for node in graph.block_nodes(block).to_vec().into_iter().rev() {
            for inner in graph.blocks(node).to_vec() {
                self.block(graph, inner);
            }
            for value in graph.inputs(node).to_vec().into_iter().rev() {
                self.usage(graph, value, block, Some(node));
            }
        }
    }

    /// The use of a value by a node of `block`, or by its end.
    fn usage(&mut self, graph: &mut Graph, value: ValueId, block: BlockId, node: Option<NodeId>) {
        if !self.seen.insert(value) {
            return;
        }
        let home = match graph.def(value) {
            Def::Output(node, _) => graph.owner(node),
            Def::Input(block, _) => Some(block),
            Def::Gone => None,
        };
        let (mut block, mut node) = (block, node);
        let mut nested = false;
        while Some(block) != home {
            let Some(outer) = graph.block_owner(block) else { return };
            let Some(next) = graph.owner(outer) else { return };
            (block, node, nested) = (next, Some(outer), true);
        }
        let (true, Some(node)) = (nested, node) else { return };
        let drop = *self.drops.entry(node).or_insert_with(|| {
            let drop = graph.node(DROP, &[]);
            graph.insert_after(node, drop);
            drop
        });
        if !is_constant(graph, value) && !graph.inputs(drop).contains(&value) {
            graph.add_operand(drop, value);
        }
    }
}

/// For each node, by its number: is it emitted where its one use is?
pub(super) fn inlined(graph: &Graph) -> Vec<bool> {
    inline_order::inlined(graph, |value, node| {
        matches!(graph.uses(value), [Use::Node(..) | Use::Block(..)]) && graph.outputs(node).len() == 1
    })
}
