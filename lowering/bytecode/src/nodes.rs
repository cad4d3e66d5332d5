//! What a node says of itself: its overload, its attributes, the numbers it is given, and whether anybody needs it.

use sconce_graph::graph::{Attr, Graph, NodeId, Use, ValueId};
use sconce_schema::{OpEntry, Trait, Type, overload};
use std::sync::Arc;

/// Nodes whose result is their operand, of a type that says more or less.
pub(crate) const CASTS: &[&str] = &["prim::unchecked_cast", "prim::annotate", "prim::profile"];

/// What structure does, which is no operator of the table and so has no effect there.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Structure {
    /// Only its results tell whether it ran.
    Pure,
    /// It makes a container, or reads one, and writes to nothing.
    NoWrite,
}

const STRUCTURE: &[(&str, Structure)] = &[
    ("prim::Constant", Structure::Pure),
    ("prim::TupleConstruct", Structure::Pure),
    ("prim::TupleUnpack", Structure::Pure),
    ("prim::Uninitialized", Structure::Pure),
    ("prim::unchecked_cast", Structure::Pure),
    ("prim::ListConstruct", Structure::NoWrite),
    ("prim::DictConstruct", Structure::NoWrite),
    ("prim::ListUnpack", Structure::NoWrite),
    ("prim::GetAttr", Structure::NoWrite),
];

pub(crate) fn structure(kind: &str) -> Option<Structure> {
    STRUCTURE.iter().find(|(k, _)| *k == kind).map(|(_, does)| *does)
}

/// The operator that a node is: the overload that its operands' types mean.
pub(crate) fn entry(graph: &Graph, node: NodeId) -> Option<&'static OpEntry> {
    let kind = graph.kind(node);
    let types: Vec<Type> = graph.inputs(node).iter().map(|v| operand_type(graph.ty(*v))).collect();
    overload::of_node(kind, &types).ok().or_else(|| sconce_schema::lookup(kind))
}

/// Older graphs call `Scalar` so.
fn operand_type(ty: &Type) -> Type {
    match ty {
        Type::Var(name) if &**name == "number" => Type::Number,
        other => other.clone(),
    }
}

pub(crate) fn int_attr<T: TryFrom<i64>>(graph: &Graph, node: NodeId, name: &str) -> Option<T> {
    match graph.attr(node, name)? {
        Attr::Int(n) => T::try_from(*n).ok(),
        _ => None,
    }
}

/// The types that `types=[…]` lists.
pub(crate) fn types_attr(graph: &Graph, node: NodeId) -> Option<Vec<Type>> {
    match graph.attr(node, "types")? {
        Attr::Types(types) => Some(types.clone()),
        Attr::Type(ty) => Some(vec![ty.clone()]),
        _ => None,
    }
}

/// The qualified name of the function that a constant is.
pub(crate) fn function_constant(graph: &Graph, value: ValueId) -> Option<&Arc<str>> {
    let node = graph.defining(value)?;
    match graph.attr(node, "value").or_else(|| graph.attr(node, "name"))? {
        Attr::Function(name) | Attr::Str(name) if graph.is(node, "prim::Constant") => Some(name),
        _ => None,
    }
}

fn constant_int(graph: &Graph, value: ValueId) -> Option<i64> {
    graph.constant(value)?.as_int().ok()
}

/// A value that is `True` whenever it is read.
pub(crate) fn is_true(graph: &Graph, value: ValueId) -> bool {
    matches!(graph.constant(value), Some(sconce_tensor::IValue::Bool(true)))
}

/// `aten::chunk` by constant numbers whose only use is a `prim::ListUnpack`: the unpacking node, chunks and dimension.
pub(crate) fn constant_chunk(graph: &Graph, node: NodeId) -> Option<(NodeId, u32, i32)> {
    if !graph.is(node, "aten::chunk") {
        return None;
    }
    let [_, chunks, dim] = graph.inputs(node) else { return None };
    let [Use::Node(user, _)] = graph.uses(graph.output(node)?) else { return None };
    if !graph.is(*user, "prim::ListUnpack") || graph.owner(*user) != graph.owner(node) {
        return None;
    }
    let chunks = u32::try_from(constant_int(graph, *chunks)?).ok()?;
    Some((*user, chunks, i32::try_from(constant_int(graph, *dim)?).ok()?))
}

/// A loop that runs while its condition holds: as many trips as there are, uncounted.
pub(crate) fn is_while(graph: &Graph, node: NodeId) -> bool {
    let endless = graph.input(node, 0).and_then(|v| constant_int(graph, v)) == Some(i64::MAX);
    let counter = graph.blocks(node).first().and_then(|b| graph.block_inputs(*b).first());
    endless && counter.is_some_and(|v| graph.uses(*v).is_empty())
}

/// `v == v` and `v != v` of one number: what PyTorch's executor takes them for, of a NaN as well.
pub(crate) fn same_operands(graph: &Graph, node: NodeId) -> Option<bool> {
    let equal = match &**graph.kind(node) {
        "aten::eq" => true,
        "aten::ne" => false,
        _ => return None,
    };
    let [a, b] = graph.inputs(node) else { return None };
    let number = matches!(graph.ty(*a), Type::Bool | Type::Int | Type::Float | Type::None);
    (number && a == b).then_some(equal)
}

/// Whether a use of a constant disappears: the instruction carries the number, or has no need of it.
fn is_absorbed(graph: &Graph, u: Use) -> bool {
    let Use::Node(user, operand) = u else { return false };
    match &**graph.kind(user) {
        "aten::chunk" => operand > 0 && constant_chunk(graph, user).is_some(),
        "prim::Loop" => operand == 0 && is_while(graph, user),
        "prim::tolist" => operand > 0,
        // It is called by name.
        "prim::CallFunction" => operand == 0,
        _ => false,
    }
}

/// Nothing reads the results, and nothing else comes of it.
pub(crate) fn is_dead(graph: &Graph, node: NodeId) -> bool {
    let outputs = graph.outputs(node);
    if outputs.is_empty() || !graph.blocks(node).is_empty() {
        return false;
    }
    if graph.is(node, "prim::Constant") {
        return outputs.iter().all(|v| graph.uses(*v).iter().all(|u| is_absorbed(graph, *u)));
    }
    outputs.iter().all(|v| graph.uses(*v).is_empty()) && is_effect_free(graph, node)
}

/// Only its results tell whether it ran. What reads tensors or containers is not among them: it may fail by what they hold.
fn is_effect_free(graph: &Graph, node: NodeId) -> bool {
    if structure(graph.kind(node)) == Some(Structure::Pure) {
        return true;
    }
    let mut values = graph.inputs(node).iter().chain(graph.outputs(node));
    values.all(|v| is_plain(graph.ty(*v))) && entry(graph, node).is_some_and(|e| e.has(Trait::Pure))
}

/// A type whose values nothing can change.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Int | Type::Float | Type::Complex | Type::Bool | Type::Str | Type::None | Type::Number | Type::Device => {
            true
        }
        Type::Optional(inner) => is_plain(inner),
        Type::Tuple(items) => items.iter().all(is_plain),
        _ => false,
    }
}
