//! What a term costs on a target, by the bytes it moves, what it computes and what it takes to start: a model to choose by, in femtoseconds.

use crate::facts::Graph;
use crate::term::{Head, Term};
use sconce_schema::scalar::{Binary, Node, ScalarExpr, Unary};
use sconce_schema::shape::{Meta, Size, TensorMeta};
use sconce_schema::{OpEntry, Type};

/// What a target's work costs, in femtoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub name: &'static str,
    /// A byte read or written.
    byte: u64,
    /// An addition or multiplication among many.
    flop: u64,
    /// To start an operator that computes.
    launch: u64,
    /// To make a view.
    view: u64,
}

/// The targets, by name. One core of a server's processor, and a large GPU.
pub const TARGETS: &[Target] = &[
    Target { name: "cpu", byte: 100_000, flop: 20_000, launch: 300_000_000, view: 50_000_000 },
    Target { name: "gpu", byte: 400, flop: 20, launch: 4_000_000_000, view: 50_000_000 },
];

/// A size that nobody knows.
const TYPICAL_SIZE: u64 = 64;

impl Target {
    /// The cost of one application, without that of its children.
    pub fn cost(&self, graph: &Graph, term: &Term) -> u64 {
        let Head::Operator(entry) = &term.head else { return 0 };
        let arguments: Vec<&Meta> = term.children.iter().map(|id| &graph[*id].data).collect();
        let result = graph.lookup(term.clone()).map_or(Meta::Unknown, |id| graph[id].data.clone());
        if (0..entry.schema().returns.len()).any(|r| entry.effect().may_share(r)) {
            return self.view;
        }
        if !entry.schema().returns.iter().any(|r| r.ty.is_tensor() || matches!(r.ty, Type::List(_))) {
            return self.view;
        }
        let moved = arguments.iter().map(|m| bytes(m)).fold(bytes(&result), u64::saturating_add);
        let computed = flops(entry, &arguments, &result);
        self.launch.saturating_add(moved.saturating_mul(self.byte)).saturating_add(computed.saturating_mul(self.flop))
    }
}

fn elements(tensor: &TensorMeta) -> u64 {
    let size = |s: &Size| match s {
        Size::Known(n) => u64::try_from(*n).unwrap_or(0),
        _ => TYPICAL_SIZE,
    };
    tensor.sizes.as_ref().map_or(TYPICAL_SIZE, |s| s.iter().map(size).fold(1, u64::saturating_mul))
}

fn bytes(value: &Meta) -> u64 {
    match value {
        Meta::Tensor(t) => elements(t).saturating_mul(t.dtype.map_or(4, |d| d.size() as u64)),
        Meta::List(items) => items.iter().map(bytes).fold(0, u64::saturating_add),
        _ => 0,
    }
}

fn numel(value: &Meta) -> u64 {
    match value {
        Meta::Tensor(t) => elements(t),
        Meta::List(items) => items.iter().map(numel).fold(0, u64::saturating_add),
        _ => 1,
    }
}

/// Additions and multiplications, or what takes as long.
fn flops(entry: &OpEntry, arguments: &[&Meta], result: &Meta) -> u64 {
    let named = |name: &str| {
        let at = entry.schema().arguments.iter().position(|a| &*a.name == name)?;
        if let Meta::Tensor(t) = arguments.get(at)? { Some(t) } else { None }
    };
    let out = numel(result);
    if let Some(expression) = entry.scalar {
        return out.saturating_mul(steps(expression));
    }
    match entry.family {
        "matmul" => {
            let left = ["mat1", "batch1", "input", "self"].into_iter().find_map(named);
            let depth = left.and_then(|t| {
                Some(elements(&TensorMeta {
                    sizes: Some([*t.sizes.as_ref()?.last()?].into_iter().collect()),
                    ..t.clone()
                }))
            });
            out.saturating_mul(2).saturating_mul(depth.unwrap_or(TYPICAL_SIZE))
        }
        "conv" => {
            let weight = named("weight").map_or(TYPICAL_SIZE, elements);
            let filters = named("weight").and_then(|t| t.sizes.as_ref()?.first().copied());
            let filters =
                if let Some(Size::Known(n)) = filters { u64::try_from(n).unwrap_or(1).max(1) } else { TYPICAL_SIZE };
            out.saturating_mul(2).saturating_mul(weight / filters)
        }
        _ => arguments.iter().map(|m| numel(m)).fold(out, u64::saturating_add),
    }
}

/// How long an element of a pointwise operator takes.
fn steps(expression: &ScalarExpr) -> u64 {
    let step = |node: &Node| match node {
        Node::Unary(Unary::Sqrt | Unary::Reciprocal, _) => 8,
        Node::Unary(f, _) if f.makes_float() => 16,
        Node::Binary(Binary::Div | Binary::FloorDiv | Binary::Fmod | Binary::Remainder, ..) => 8,
        Node::Binary(Binary::Pow | Binary::Atan2 | Binary::Hypot, ..) => 40,
        Node::Unary(..) | Node::Binary(..) | Node::Select(..) => 1,
        _ => 0,
    };
    expression.nodes.iter().map(step).sum()
}
