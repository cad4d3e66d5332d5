//! What PyTorch does to a graph after it is compiled, pass by pass; each keeps what the program computes, and its name is PyTorch's.
//!
//! [`cleanup`] is the list that every compiled function goes through, in this order; [`inline`] is for whoever asks. Whatever makes programs
//! better works on the torch dialect.

mod canonicalize_outputs;
mod constant_pooling;
mod constant_propagation;
mod dce;
mod effects;
mod inline;
mod lower_simple_tuples;
mod peephole;

pub use canonicalize_outputs::canonicalize_outputs;
pub use constant_pooling::constant_pooling;
pub use constant_propagation::constant_propagation;
pub use dce::eliminate_dead_code;
pub use effects::gives_constants;
pub use inline::{InlineError, callee, inline};
pub use lower_simple_tuples::lower_simple_tuples;
use peephole::peephole;

use crate::graph::{Attr, Graph, NodeId};

/// What a compiled function goes through, and before it the graphs that its nodes hold.
pub fn cleanup(graph: &mut Graph) {
    each_subgraph(graph, &mut cleanup);
    lower_simple_tuples(graph);
    constant_propagation(graph);
    constant_pooling(graph);
    canonicalize_outputs(graph);
    annotate_warns(graph);
}

/// The graphs that the nodes of a graph hold.
pub(crate) fn each_subgraph(graph: &mut Graph, change: &mut impl FnMut(&mut Graph)) {
    for node in graph.walk(graph.root()) {
        if let Some(Attr::Graph(_)) = graph.attr(node, "Subgraph") {
            graph.with_subgraph(node, &mut *change);
        }
    }
}

/// Numbers the warnings, so that each is given once.
fn annotate_warns(graph: &mut Graph) {
    let warns: Vec<NodeId> = graph.walk(graph.root()).into_iter().filter(|n| graph.is(*n, "aten::warn")).collect();
    for (number, node) in warns.into_iter().enumerate() {
        if graph.attr(node, "warn_id").is_none() {
            graph.set_attr(node, "warn_id", Attr::Int(number as i64));
        }
    }
}
