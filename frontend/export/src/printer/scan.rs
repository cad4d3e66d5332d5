//! Which nodes are written inside the expression that uses them: those that are evaluated at the same place when the text is read again.

use crate::inline_order;
use sconce_graph::graph::{Graph, NodeId, Use, ValueId};

/// For each node, by its number: is it part of its user's expression?
pub(super) fn inlined(graph: &Graph) -> Vec<bool> {
    let mut inline = inline_order::inlined(graph, |value, node| fits_inside(graph, value, node));
    // Constants are written wherever they are used.
    for node in graph.walk(graph.root()) {
        if graph.is(node, "prim::Constant") && graph.outputs(node).iter().any(|v| !graph.uses(*v).is_empty()) {
            inline[node.index()] = true;
        }
    }
    inline
}

fn fits_inside(g: &Graph, value: ValueId, node: NodeId) -> bool {
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

/// Nodes whose body is printed as a function of its own.
pub(super) fn is_closure(graph: &Graph, node: NodeId) -> bool {
    matches!(
        &**graph.kind(node),
        "prim::fork" | "prim::awaitable" | "prim::rpc_async" | "prim::rpc_sync" | "prim::rpc_remote"
    )
}
