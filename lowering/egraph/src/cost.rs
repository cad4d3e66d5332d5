//! What a term costs on a target, by the bytes it moves, what it computes and what it takes to start: a model to choose by, in femtoseconds.

use crate::facts::Graph;
use crate::term::{Head, Term};
use sconce_schema::scalar::{ArgIndex, Binary, Choice, Node, ScalarExpr, Unary};
use sconce_schema::shape::{Meta, Size, TensorMeta, infer};
use sconce_schema::{OpEntry, Type};

/// What a target's work costs, in femtoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    /// A byte read or written.
    byte: u64,
    /// An addition or multiplication among many.
    flop: u64,
    /// To start an operator that computes by a kernel.
    launch: u64,
    /// To start one that becomes part of compiled code.
    step: u64,
    /// To make a view.
    view: u64,
    /// Does the operator become part of compiled code?
    compiles: fn(&OpEntry) -> bool,
}

/// Who compiles what is rewritten.
pub trait Compiles {
    /// Does the operator become part of compiled code, as far as its name tells?
    fn compiles(entry: &OpEntry) -> bool;
}

/// The target of a name, for whoever compiles: one core of a server's processor (`cpu`), a large GPU (`gpu`).
pub fn target<C: Compiles>(name: &str) -> Option<Target> {
    let compiles = C::compiles;
    let all = [
        Target {
            name: "cpu",
            byte: 100_000,
            flop: 20_000,
            launch: 300_000_000,
            step: 200_000_000,
            view: 50_000_000,
            compiles,
        },
        Target {
            name: "gpu",
            byte: 400,
            flop: 20,
            launch: 4_000_000_000,
            step: 3_000_000_000,
            view: 50_000_000,
            compiles,
        },
    ];
    all.into_iter().find(|target| target.name == name)
}

/// A size that nobody knows.
const TYPICAL_SIZE: u64 = 64;

/// What an application costs by itself, and what of that depends on its neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Price {
    pub cost: u64,
    /// It shares memory with what it is made of, or is a number.
    pub is_view: bool,
    /// What goes when it becomes part of the only operator that uses it, where both work element by element: to start it, to write its result and to read that
    /// again. Nothing where it does not fuse.
    pub fused: Option<u64>,
    /// May what it is made of become part of it? Where it works element by element itself; and a list that is joined takes the place of its parts, each of which
    /// is then computed where it goes.
    pub absorbs: bool,
}

impl Target {
    /// The price of one application, without that of its children.
    pub fn price(&self, graph: &Graph, term: &Term) -> Price {
        let view = Price { cost: self.view, is_view: true, ..Price::default() };
        let entry = match &term.head {
            Head::Operator(entry) => entry,
            // A list of constants is one.
            Head::List if term.children.iter().any(|c| !is_constant(&graph[*c].data)) => {
                let parts = term.children.iter().filter(|c| matches!(graph[**c].data, Meta::Tensor(_))).count();
                return Price { cost: self.view / 2, absorbs: parts > 1, ..view };
            }
            _ => return Price { cost: 0, ..view },
        };
        if (0..entry.schema().returns.len()).any(|r| entry.effect().may_share(r)) {
            return view;
        }
        if !entry.schema().returns.iter().any(|r| r.ty.is_tensor() || matches!(r.ty, Type::List(_))) {
            return view;
        }
        let arguments: Vec<&Meta> = term.children.iter().map(|id| &graph[*id].data).collect();
        let result = graph.lookup(term.clone()).map_or(Meta::Unknown, |id| graph[id].data.clone());
        let written = bytes(&result).saturating_mul(self.byte);
        let read = arguments.iter().map(|m| bytes(m)).fold(0, u64::saturating_add).saturating_mul(self.byte);
        let computed = flops(entry, &arguments, &result).saturating_mul(self.flop);
        let start = if (self.compiles)(entry) { self.step } else { self.launch };
        let cost = start.saturating_add(written).saturating_add(read).saturating_add(computed);
        let fused = entry.scalar.map(|_| start.saturating_add(written.saturating_mul(2)));
        Price { cost, is_view: false, fused, absorbs: fused.is_some() }
    }
}

fn is_constant(value: &Meta) -> bool {
    match value {
        Meta::Tensor(_) | Meta::Unknown => false,
        Meta::Int(size) => matches!(size, Size::Known(_)),
        Meta::List(items) => items.iter().all(is_constant),
        _ => true,
    }
}

fn elements(tensor: &TensorMeta) -> u64 {
    tensor.sizes.as_ref().map_or(TYPICAL_SIZE, |s| s.iter().map(length).fold(1, u64::saturating_mul))
}

fn length(size: &Size) -> u64 {
    match size {
        Size::Known(n) => u64::try_from(*n).unwrap_or(0),
        _ => TYPICAL_SIZE,
    }
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
    let out = numel(result);
    if let Some(expression) = entry.scalar {
        return out.saturating_mul(steps(expression, arguments));
    }
    match depth(entry, arguments) {
        Some(depth) => out.saturating_mul(2).saturating_mul(depth),
        None => arguments.iter().map(|m| numel(m)).fold(out, u64::saturating_add),
    }
}

/// How many products an element of the result sums, by the operator's shape rule: two operands of a product leave the result some of their sizes, and the others are
/// summed over. Of a product of matrices that is the inner one, of a convolution the weight's all but the first. `None` for what is no product of two operands.
fn depth(entry: &OpEntry, arguments: &[&Meta]) -> Option<u64> {
    // Every size becomes a symbol, by which it is found again in the result.
    let mut sizes: Vec<Size> = Vec::new();
    let mut owners: Vec<(usize, usize, usize)> = Vec::new();
    let symbolic = |(at, value): (usize, &&Meta)| match value {
        Meta::Tensor(t) => {
            let rank = t.sizes.as_ref()?.len();
            let mut named = |(i, size): (usize, &Size)| {
                // Batches of operands are the same: all dimensions but the last two, counted from the end, that have one size.
                let from_end = rank - i;
                let shared = owners.iter().position(|(_, end, number)| {
                    from_end > 2 && *end == from_end && *size == sizes[*number] && *size != Size::Unknown
                });
                let number = shared.map_or(sizes.len(), |found| owners[found].2);
                if number == sizes.len() {
                    sizes.push(*size);
                }
                owners.push((at, from_end, number));
                Size::Symbol(number as u32)
            };
            let named = t.sizes.as_ref()?.iter().enumerate().map(&mut named).collect();
            Some(Meta::Tensor(TensorMeta { sizes: Some(named), ..t.clone() }))
        }
        other => Some((*other).clone()),
    };
    let arguments: Vec<Meta> = arguments.iter().enumerate().map(symbolic).collect::<Option<_>>()?;
    let results = infer(entry, &arguments)?.ok()?;
    let kept = results.first()?.sizes()?;
    let is_kept = |number: usize| kept.contains(&Size::Symbol(number as u32));
    let mut depths = (0..arguments.len()).filter_map(|at| {
        let (kept, summed): (Vec<usize>, Vec<usize>) =
            owners.iter().filter(|(of, ..)| *of == at).map(|(.., number)| *number).partition(|number| is_kept(*number));
        // What leaves the result no size is added to it, or only looked up.
        let is_factor = !kept.is_empty() && !summed.is_empty();
        is_factor.then(|| summed.iter().map(|number| length(&sizes[*number])).fold(1, u64::saturating_mul))
    });
    let (first, second) = (depths.next()?, depths.next()?);
    Some(depths.fold(first.min(second), u64::min))
}

/// How long an element of a pointwise operator takes, by the part of its expression that these arguments choose.
fn steps(expression: &ScalarExpr, arguments: &[&Meta]) -> u64 {
    let choice = |at: ArgIndex| match arguments.get(usize::from(at)) {
        Some(Meta::None) => Choice::None,
        Some(Meta::Str(text)) => Choice::Text(text),
        _ => Choice::Value,
    };
    let chooses = |node: &Node| matches!(node, Node::IfNone(..) | Node::Match(..));
    let chosen = expression.nodes.iter().any(chooses).then(|| expression.specialize(choice).ok()).flatten();
    let expression = chosen.as_ref().unwrap_or(expression);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(sizes: &[i64]) -> Meta {
        let sizes = Some(sizes.iter().map(|n| Size::Known(*n)).collect());
        Meta::Tensor(TensorMeta { dtype: Some(sconce_schema::DType::F32), sizes, device: None, wrapped_number: false })
    }

    fn depth_of(name: &str, tensors: &[Meta]) -> Option<u64> {
        let entry = sconce_schema::lookup(name)?;
        let rest = entry.schema().arguments.iter().skip(tensors.len()).map(Meta::from_default);
        let arguments: Vec<Meta> = tensors.iter().cloned().chain(rest).collect();
        depth(entry, &arguments.iter().collect::<Vec<_>>())
    }

    #[test]
    fn products_are_as_deep_as_what_their_result_has_not() {
        // Squares: that two sizes happen to be equal says nothing.
        assert_eq!(depth_of("aten::mm", &[tensor(&[8, 8]), tensor(&[8, 8])]), Some(8));
        assert_eq!(depth_of("aten::mm", &[tensor(&[3, 5]), tensor(&[5, 7])]), Some(5));
        assert_eq!(depth_of("aten::bmm", &[tensor(&[4, 3, 5]), tensor(&[4, 5, 7])]), Some(5));
        assert_eq!(depth_of("aten::matmul", &[tensor(&[2, 4, 3, 5]), tensor(&[2, 4, 5, 7])]), Some(5));
        assert_eq!(depth_of("aten::linear", &[tensor(&[2, 9, 50]), tensor(&[7, 50]), tensor(&[7])]), Some(50));
        assert_eq!(depth_of("aten::addmm", &[tensor(&[7]), tensor(&[3, 50]), tensor(&[50, 7])]), Some(50));
        assert_eq!(depth_of("aten::conv2d", &[tensor(&[1, 6, 32, 32]), tensor(&[8, 6, 3, 3]), tensor(&[8])]), Some(54));
        // These sum nothing, or over one operand.
        assert_eq!(depth_of("aten::embedding", &[tensor(&[100, 8]), tensor(&[5])]), None);
        assert_eq!(depth_of("aten::softmax.int", &[tensor(&[5, 8]), Meta::Int(Size::Known(1))]), None);
        assert_eq!(depth_of("aten::sum", &[tensor(&[5, 8])]), None);
    }
}
