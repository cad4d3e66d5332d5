//! `constant-pooling`: one node for each constant, at the start of the graph, the one found last first.

use super::effects::{is_mutable, is_only_read};
use crate::graph::{Attr, Graph, NodeId, ValueId};
use crate::listing::value_text;
use rustc_hash::FxHashMap;
use sconce_schema::Type;
use sconce_tensor::IValue;

/// See the module's page.
pub fn constant_pooling(graph: &mut Graph) {
    let constants: Vec<NodeId> =
        graph.walk(graph.root()).into_iter().filter(|n| graph.is(*n, "prim::Constant")).collect();
    let (kept, merged) = choose(graph, &constants);
    for (node, into) in &merged {
        for (old, new) in graph.outputs(*node).to_vec().into_iter().zip(graph.outputs(*into).to_vec()) {
            graph.replace_uses(old, new);
        }
    }
    graph.erase_all(&merged.into_iter().map(|(node, _)| node).collect::<Vec<_>>());
    graph.detach_all(&kept);
    let rest = graph.take_nodes(graph.root());
    for node in kept.into_iter().rev().chain(rest) {
        graph.append(graph.root(), node);
    }
}

/// Constants that stay, in the order they were found, and those that another stands for.
fn choose(graph: &Graph, constants: &[NodeId]) -> (Vec<NodeId>, Vec<(NodeId, NodeId)>) {
    let mut known: FxHashMap<(Type, String), Vec<NodeId>> = FxHashMap::default();
    let (mut kept, mut merged) = (Vec::new(), Vec::new());
    for node in constants {
        let Some(output) = graph.output(*node) else { continue };
        let Some(key) = key(graph, *node) else {
            kept.push(*node);
            continue;
        };
        let same = known.entry((graph.ty(output).clone(), key)).or_default();
        let found = same.iter().find(|other| is_equal(graph, *node, **other)).copied();
        match found {
            None => {
                same.push(*node);
                kept.push(*node);
            }
            Some(other) if may_share(graph, output, graph.outputs(other)[0]) => merged.push((*node, other)),
            // PyTorch leaves such a constant where it stands; in front it is as good.
            Some(_) => kept.push(*node),
        }
    }
    (kept, merged)
}

/// May two constants of values that can change become one?
fn may_share(graph: &Graph, a: ValueId, b: ValueId) -> bool {
    if !is_mutable(graph.ty(a)) {
        return true;
    }
    if let (Some(x), Some(y)) = (graph.constant(a), graph.constant(b))
        && x.is(y)
    {
        return true;
    }
    is_only_read(graph, a) && is_only_read(graph, b)
}

/// A text that equal constants share.
fn key(graph: &Graph, node: NodeId) -> Option<String> {
    match graph.attrs(node) {
        [] => Some(String::new()),
        [(_, Attr::Function(name))] => Some(format!("function {name}")),
        [(_, Attr::Value(IValue::Double(x)))] => Some(format!("{:x}", x.to_bits())),
        [(_, Attr::Value(IValue::Tensor(t)))] => Some(format!("{:?} {:?}", t.dtype(), t.sizes())),
        [(_, Attr::Value(IValue::Object(_)))] => Some("object".to_owned()),
        [(_, Attr::Value(value))] => Some(value_text(value).to_string()),
        _ => None,
    }
}

/// Are two constants of one key and type equal?
fn is_equal(graph: &Graph, a: NodeId, b: NodeId) -> bool {
    let value = |n: NodeId| graph.output(n).and_then(|v| graph.constant(v));
    match (value(a), value(b)) {
        (Some(a), Some(b)) => is_equal_value(a, b, 0),
        (None, None) => true,
        _ => false,
    }
}

/// Equal down to the bits; objects, and members of enumerations, which `is` tells apart, by identity.
pub(crate) fn is_equal_value(a: &IValue, b: &IValue, depth: usize) -> bool {
    let all = |a: &[IValue], b: &[IValue]| {
        a.len() == b.len() && depth < 64 && a.iter().zip(b).all(|(a, b)| is_equal_value(a, b, depth + 1))
    };
    match (a, b) {
        (IValue::Double(a), IValue::Double(b)) => a.to_bits() == b.to_bits() && !a.is_nan(),
        (IValue::Complex(a), IValue::Complex(b)) => a == b,
        (IValue::Str(a), IValue::Str(b)) => a == b,
        (IValue::Tensor(a), IValue::Tensor(b)) => {
            let bytes = |t: &sconce_tensor::Tensor| t.contiguous().ok().map(|t| t.read_bytes());
            a.is(b)
                || a.dtype() == b.dtype()
                    && a.sizes() == b.sizes()
                    && a.requires_grad() == b.requires_grad()
                    && bytes(a) == bytes(b)
        }
        (IValue::List(a), IValue::List(b)) => a.element == b.element && all(&a.to_vec(), &b.to_vec()),
        (IValue::Tuple(a), IValue::Tuple(b)) => all(&a.items, &b.items),
        (IValue::Dict(a), IValue::Dict(b)) => {
            let pairs = |d: &sconce_tensor::Dict| -> Vec<IValue> {
                d.read().iter().flat_map(|(k, v)| [k.to_value(), v.clone()]).collect()
            };
            all(&pairs(a), &pairs(b))
        }
        _ => a.is(b),
    }
}
