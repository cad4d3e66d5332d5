//! Operators that give the sizes of tensors, and integer arithmetic, in the algebra of sizes: what is known of a size is known of what is computed of it.

use sconce_schema::dim::{Dim, DimOp};
use sconce_schema::shape::{Meta, TensorMeta};
use sconce_schema::{OpId, ops};

/// Operators that ask a tensor for sizes, and for nothing else.
const OF_TENSORS: &[OpId] = &[
    ops::aten::size,
    ops::aten::size_int,
    ops::aten::sym_size_int,
    ops::aten::numel,
    ops::aten::sym_numel,
    ops::aten::dim,
    ops::aten::len_Tensor,
];

/// Operators on two integers, and what they are on sizes. A division is one where the divisor is known to be positive.
const OF_INTS: &[(OpId, DimOp)] = &[
    (ops::aten::add_int, DimOp::Add),
    (ops::aten::sub_int, DimOp::Sub),
    (ops::aten::mul_int, DimOp::Mul),
    (ops::aten::floordiv_int, DimOp::FloorDiv),
    (ops::prim::max, DimOp::Max),
    (ops::prim::max_int, DimOp::Max),
    (ops::prim::min, DimOp::Min),
    (ops::prim::min_int, DimOp::Min),
];

/// `start + index * step`, as TorchScript writes the number of a turn of `range(start, …, step)`.
const OF_A_RANGE: OpId = ops::aten::__derive_index;

/// Does the operator ask a tensor for sizes alone?
pub fn asks_for_sizes(op: OpId) -> bool {
    OF_TENSORS.contains(&op)
}

/// Is it one of them all?
pub fn is_of_sizes(op: OpId) -> bool {
    asks_for_sizes(op) || op == OF_A_RANGE || OF_INTS.iter().any(|(of_ints, _)| *of_ints == op)
}

/// What the operator gives, an integer or a list of them; nothing if it is none of these, or what it is given is not known.
pub fn result(op: OpId, arguments: &[Meta]) -> Option<Meta> {
    if let Some((_, how)) = OF_INTS.iter().find(|(of_ints, _)| *of_ints == op) {
        let [Meta::Int(a), Meta::Int(b)] = arguments else { return None };
        let divides = *how != DimOp::FloorDiv || b.known().is_some_and(|n| n > 0);
        return divides.then(|| Meta::Int(Dim::op(*how, *a, *b)));
    }
    if op == OF_A_RANGE {
        let [Meta::Int(index), Meta::Int(start), Meta::Int(step)] = arguments else { return None };
        return Some(Meta::Int(start.plus(index.times(*step))));
    }
    let (Meta::Tensor(TensorMeta { sizes: Some(sizes), .. }), rest) = arguments.split_first()? else { return None };
    Some(match op {
        ops::aten::size => Meta::List(sizes.iter().copied().map(Meta::Int).collect()),
        ops::aten::size_int | ops::aten::sym_size_int => {
            let [Meta::Int(Dim::Known(at))] = rest else { return None };
            let at = if *at < 0 { at.checked_add(sizes.len() as i64)? } else { *at };
            Meta::Int(*sizes.get(usize::try_from(at).ok()?)?)
        }
        ops::aten::numel | ops::aten::sym_numel => Meta::Int(sizes.iter().fold(Dim::Known(1), |n, d| n.times(*d))),
        ops::aten::dim => Meta::Int(Dim::Known(sizes.len() as i64)),
        ops::aten::len_Tensor => Meta::Int(*sizes.first()?),
        _ => return None,
    })
}
