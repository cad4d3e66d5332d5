//! Weights stay with whoever asks: a large constant goes to the compiler as its name, dtype and sizes, and its value is bound to the Program that comes back.

use sconce_bytecode::NAMED_CONSTANT;
use sconce_graph::graph::{Attr, Graph};
use sconce_graph::instances::{self, INLINE_BYTES};
use sconce_graph::unit::Unit;
use sconce_schema::Type;
use sconce_schema::types::TensorType;
use sconce_tensor::{IValue, Tensor};
use std::sync::Arc;

/// Replaces the large constants of a unit by their names; gives the values.
pub fn lift_weights(unit: &mut Unit) -> Vec<(Arc<str>, Tensor)> {
    lift_tensors(unit, |t| t.numel() * t.dtype().size() > INLINE_BYTES)
}

/// The same with those that somebody wants.
pub fn lift_tensors(unit: &mut Unit, wanted: impl Fn(&Tensor) -> bool) -> Vec<(Arc<str>, Tensor)> {
    let mut weights = Vec::new();
    for f in unit.functions.values_mut() {
        lift(&mut f.graph, &wanted, &mut weights);
    }
    weights
}

fn lift(graph: &mut Graph, wanted: &dyn Fn(&Tensor) -> bool, weights: &mut Vec<(Arc<str>, Tensor)>) {
    for node in graph.walk(graph.root()) {
        graph.with_subgraph(node, |inner| lift(inner, wanted, weights));
        let Some(Attr::Value(IValue::Tensor(t))) = graph.attr(node, "value") else { continue };
        if !wanted(t) {
            continue;
        }
        let t = t.clone();
        let known = weights.iter().find(|(_, known)| known.is(&t)).map(|(name, _)| name.clone());
        let name = known.unwrap_or_else(|| {
            let name: Arc<str> = format!("constant_{}", weights.len()).into();
            weights.push((name.clone(), t.clone()));
            name
        });
        graph.set_kind(node, NAMED_CONSTANT);
        graph.clear_attrs(node);
        graph.set_attr(node, "name", Attr::Str(name));
        if let Some(output) = graph.output(node) {
            graph.set_type(output, type_of(&t));
        }
    }
}

/// Puts values in the place of their names in a graph, as constants.
///
/// # Errors
/// The name of the first that `value` does not know.
pub fn bind_weights(graph: &mut Graph, value: &dyn Fn(&str) -> Option<IValue>) -> Result<(), Arc<str>> {
    for node in graph.walk(graph.root()) {
        let mut inner = Ok(());
        graph.with_subgraph(node, |graph| inner = bind_weights(graph, value));
        inner?;
        if !graph.is(node, NAMED_CONSTANT) {
            continue;
        }
        let name = graph.str_attr(node, "name").cloned().unwrap_or_default();
        let Some(value) = value(&name) else { return Err(name) };
        if let (IValue::Tensor(t), Some(output)) = (&value, graph.output(node)) {
            graph.set_type(output, instances::type_of(t));
        }
        graph.set_kind(node, "prim::Constant");
        graph.clear_attrs(node);
        graph.set_attr(node, "value", Attr::Value(value));
    }
    Ok(())
}

/// What the compiler is told of a tensor: dtype and sizes.
pub fn type_of(t: &Tensor) -> Type {
    let TensorType { dtype, sizes, .. } = t.observed_type();
    Type::Tensor(Arc::new(TensorType { dtype, sizes, ..TensorType::default() }))
}
