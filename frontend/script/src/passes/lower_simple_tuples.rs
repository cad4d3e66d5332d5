//! `lower-simple-tuples`: what is taken out of a tuple that was made here is what was put in.

use super::eliminate_dead_code;
use crate::graph::{Attr, Graph, NodeId, ValueId};
use sconce_schema::Type;
use sconce_tensor::IValue;

/// See the module's page; dead code goes with the tuples.
pub fn lower_simple_tuples(graph: &mut Graph) {
    for node in graph.walk(graph.root()) {
        match &**graph.kind(node) {
            "prim::TupleUnpack" => unpack(graph, node),
            "prim::TupleIndex" => index(graph, node),
            "prim::TupleSlice" => slice(graph, node),
            _ => {}
        }
    }
    eliminate_dead_code(graph);
}

/// What the tuple that a node takes apart was made of.
fn elements(graph: &Graph, node: NodeId) -> Option<Vec<ValueId>> {
    let made = graph.defining(graph.input(node, 0)?)?;
    graph.is(made, "prim::TupleConstruct").then(|| graph.inputs(made).to_vec())
}

fn unpack(graph: &mut Graph, node: NodeId) {
    let Some(elements) = elements(graph, node) else { return };
    for (output, element) in graph.outputs(node).to_vec().into_iter().zip(elements) {
        graph.replace_uses(output, element);
    }
}

fn index(graph: &mut Graph, node: NodeId) {
    let Some(elements) = elements(graph, node) else { return };
    let index = graph.input(node, 1).and_then(|v| graph.constant(v));
    let (Some(IValue::Int(index)), Some(output)) = (index, graph.output(node)) else { return };
    let index = if *index < 0 { index.checked_add(elements.len() as i64) } else { Some(*index) };
    if let Some(element) = index.and_then(|i| usize::try_from(i).ok()).and_then(|i| elements.get(i)) {
        graph.replace_uses(output, *element);
    }
}

fn slice(graph: &mut Graph, node: NodeId) {
    let Some(elements) = elements(graph, node) else { return };
    let bound = |name: &str| match graph.attr(node, name) {
        Some(Attr::Int(n)) => usize::try_from(*n).ok(),
        _ => None,
    };
    let (Some(begin), Some(end), Some(output)) = (bound("beg"), bound("end"), graph.output(node)) else { return };
    let Some(part) = elements.get(begin..end).map(<[_]>::to_vec) else { return };
    let types: Vec<Type> = part.iter().map(|v| graph.ty(*v).clone()).collect();
    let tuple = graph.node("prim::TupleConstruct", &part);
    let value = graph.add_output(tuple, None, Type::Tuple(types.into()));
    graph.set_loc(tuple, graph.loc(node).cloned());
    graph.insert_before(node, tuple);
    graph.replace_uses(output, value);
}
