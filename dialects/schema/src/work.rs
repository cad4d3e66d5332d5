//! How much an operator computes and moves, by what is known of its arguments and by its shape rule: cost models and profiles say the same of it.

use crate::OpEntry;
use crate::scalar::{ArgIndex, Binary, Choice, Node, ScalarExpr, Unary};
use crate::shape::{Meta, Size, TensorMeta, infer};

/// A size that nobody knows.
const TYPICAL_SIZE: u64 = 64;

fn elements(tensor: &TensorMeta) -> u64 {
    tensor.sizes.as_ref().map_or(TYPICAL_SIZE, |s| s.iter().map(length).fold(1, u64::saturating_mul))
}

fn length(size: &Size) -> u64 {
    match size {
        Size::Known(n) => u64::try_from(*n).unwrap_or(0),
        _ => TYPICAL_SIZE,
    }
}

/// Bytes that a value's tensors hold.
pub fn bytes(value: &Meta) -> u64 {
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

/// Additions and multiplications of an application, or what takes as long, by the direct method: of a product two for every element of the depth, of a pointwise
/// operator what its expression says, of all else one an element.
pub fn flops(entry: &OpEntry, arguments: &[&Meta], result: &Meta) -> u64 {
    let out = numel(result);
    if let Some(expression) = entry.scalar {
        return out.saturating_mul(steps(expression, arguments));
    }
    match depth(entry, arguments) {
        Some(depth) => {
            let products = out.saturating_mul(depth);
            products.min(spread(arguments).unwrap_or(products)).saturating_mul(2)
        }
        None => arguments.iter().map(|m| numel(m)).fold(out, u64::saturating_add),
    }
}

/// The products of a transposed convolution, whose results do not all meet the whole kernel: each element of the input is multiplied by what the weight has for its
/// channel. Of another convolution of as many channels there are at least as many.
fn spread(arguments: &[&Meta]) -> Option<u64> {
    let [Meta::Tensor(input), Meta::Tensor(weight), ..] = arguments else { return None };
    let (sizes, kernel) = (input.sizes.as_ref()?, weight.sizes.as_ref()?);
    let channels = kernel.first().filter(|n| kernel.len() > 2 && kernel.len() == sizes.len() && **n == sizes[1])?;
    elements(input).saturating_mul(elements(weight)).checked_div(length(channels))
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
        Meta::Tensor(TensorMeta { dtype: Some(crate::DType::F32), sizes, device: None, wrapped_number: false })
    }

    fn depth_of(name: &str, tensors: &[Meta]) -> Option<u64> {
        let entry = crate::lookup(name)?;
        let rest = entry.schema().arguments.iter().skip(tensors.len()).map(Meta::from_default);
        let arguments: Vec<Meta> = tensors.iter().cloned().chain(rest).collect();
        depth(entry, &arguments.iter().collect::<Vec<_>>())
    }

    #[test]
    fn strides_of_convolutions_and_of_transposed_ones_leave_products_out() {
        let products = |name: &str, input: &[i64], weight: &[i64], settings: [Meta; 2], result: &[i64]| {
            let entry = crate::lookup(name).expect(name);
            let [stride, padding] = settings;
            let mut arguments = vec![tensor(input), tensor(weight), Meta::None, stride, padding];
            let rest = entry.schema().arguments.iter().skip(arguments.len()).map(Meta::from_default);
            arguments.extend(rest);
            flops(entry, &arguments.iter().collect::<Vec<_>>(), &tensor(result)) / 2
        };
        let ints = |n: i64| Meta::List(vec![Meta::Int(Size::Known(n)); 2]);
        let conv = products("aten::conv2d", &[1, 8, 16, 16], &[8, 8, 2, 2], [ints(2), ints(0)], &[1, 8, 8, 8]);
        assert_eq!(conv, 8 * 8 * 8 * 8 * 4);
        let back =
            products("aten::conv_transpose2d.input", &[1, 8, 8, 8], &[8, 6, 2, 2], [ints(2), ints(0)], &[1, 6, 16, 16]);
        assert_eq!(back, 8 * 8 * 8 * 6 * 4);
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
