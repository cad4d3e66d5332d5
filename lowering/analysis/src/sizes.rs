//! Operators that give the sizes of tensors, and integer arithmetic, in the algebra of sizes: what is known of a size is known of what is computed of it.

use sconce_schema::dim::{Dim, DimOp};
use sconce_schema::shape::{Meta, TensorMeta};
use sconce_schema::{OpId, ops};

/// What such an operator gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    /// All sizes of a tensor.
    Sizes,
    /// That of one dimension, counted from behind if negative.
    Size,
    /// That of the first dimension.
    First,
    /// Their product.
    Elements,
    /// How many there are.
    Rank,
    /// What an operation on sizes gives for two integers. A division is one where the divisor is known to be positive.
    Of(DimOp),
    /// `start + index * step`, as TorchScript writes the number of a turn of `range(start, …, step)`.
    OfARange,
}

const OPERATORS: &[(OpId, Gives)] = &[
    (ops::aten::size, Gives::Sizes),
    (ops::aten::size_int, Gives::Size),
    (ops::aten::sym_size_int, Gives::Size),
    (ops::aten::len_Tensor, Gives::First),
    (ops::aten::numel, Gives::Elements),
    (ops::aten::sym_numel, Gives::Elements),
    (ops::aten::dim, Gives::Rank),
    (ops::aten::add_int, Gives::Of(DimOp::Add)),
    (ops::aten::sub_int, Gives::Of(DimOp::Sub)),
    (ops::aten::mul_int, Gives::Of(DimOp::Mul)),
    (ops::aten::floordiv_int, Gives::Of(DimOp::FloorDiv)),
    (ops::prim::max, Gives::Of(DimOp::Max)),
    (ops::prim::max_int, Gives::Of(DimOp::Max)),
    (ops::prim::min, Gives::Of(DimOp::Min)),
    (ops::prim::min_int, Gives::Of(DimOp::Min)),
    (ops::aten::__derive_index, Gives::OfARange),
];

fn gives(op: OpId) -> Option<Gives> {
    OPERATORS.iter().find(|(of_sizes, _)| *of_sizes == op).map(|(_, gives)| *gives)
}

/// Does the operator ask a tensor for sizes, and for nothing else?
pub fn asks_for_sizes(op: OpId) -> bool {
    gives(op).is_some_and(|gives| !matches!(gives, Gives::Of(_) | Gives::OfARange))
}

/// Does it give sizes, or what integers are together?
pub fn is_of_sizes(op: OpId) -> bool {
    gives(op).is_some()
}

/// What the operator gives, an integer or a list of them; nothing if it is none of these, or what it is given is not known.
pub fn result(op: OpId, arguments: &[Meta]) -> Option<Meta> {
    let one = match (gives(op)?, arguments) {
        (Gives::Of(how), [Meta::Int(a), Meta::Int(b)]) => {
            let divides = how != DimOp::FloorDiv || b.known().is_some_and(|n| n > 0);
            divides.then(|| Dim::op(how, *a, *b))?
        }
        (Gives::OfARange, [Meta::Int(index), Meta::Int(start), Meta::Int(step)]) => start.plus(index.times(*step)),
        (of_tensor, [Meta::Tensor(TensorMeta { sizes: Some(sizes), .. }), rest @ ..]) => match (of_tensor, rest) {
            (Gives::Sizes, []) => return Some(Meta::List(sizes.iter().copied().map(Meta::Int).collect())),
            (Gives::Size, [Meta::Int(Dim::Known(at))]) => {
                let at = if *at < 0 { at.checked_add(sizes.len() as i64)? } else { *at };
                *sizes.get(usize::try_from(at).ok()?)?
            }
            (Gives::First, []) => *sizes.first()?,
            (Gives::Elements, []) => sizes.iter().fold(Dim::Known(1), |n, size| n.times(*size)),
            (Gives::Rank, []) => Dim::Known(sizes.len() as i64),
            _ => return None,
        },
        _ => return None,
    };
    Some(Meta::Int(one))
}
