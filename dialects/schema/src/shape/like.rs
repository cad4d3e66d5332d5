//! Results that have the dtype and sizes of arguments: what many backward operators give.

use super::args::{Args, broadcast_all, error, one, tensor};
use super::{Meta, RuleResult};
use crate::DType;
use smallvec::smallvec;

fn of(a: &[Meta], i: usize) -> Result<Meta, super::ShapeError> {
    let t = Args(a).tensor(i)?;
    Ok(tensor(t.dtype, t.sizes))
}

pub fn first(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 0)?])
}

pub fn second(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 1)?])
}

pub fn third(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 2)?])
}

/// Two results, like the second and the third argument.
pub fn second_and_third(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 1)?, of(a, 2)?])
}

/// Three results, like the first three arguments.
pub fn first_three(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 0)?, of(a, 1)?, of(a, 2)?])
}

/// One tensor of the first argument's dtype; its sizes depend on values.
pub fn dtype_of_first(a: &[Meta]) -> RuleResult {
    Ok(smallvec![tensor(Args(a).tensor(0)?.dtype, None)])
}

/// The same for the elements of a list of tensors.
pub fn dtype_of_elements(a: &[Meta]) -> RuleResult {
    let dtype = Args(a).tensors(0)?.and_then(|list| list.first().and_then(|t| t.dtype));
    Ok(smallvec![tensor(dtype, None)])
}

/// One tensor of the first argument's dtype, and one of 64-bit integers; their sizes depend on values.
pub fn data_and_lengths(a: &[Meta]) -> RuleResult {
    Ok(smallvec![tensor(Args(a).tensor(0)?.dtype, None), tensor(Some(DType::I64), None)])
}

/// A float of 32 bits for each element of the first argument.
pub fn single_of_first(a: &[Meta]) -> RuleResult {
    Ok(smallvec![tensor(Some(DType::F32), Args(a).tensor(0)?.sizes)])
}

/// A bool for each element of the first argument.
pub fn truth_of_first(a: &[Meta]) -> RuleResult {
    Ok(smallvec![tensor(Some(DType::Bool), Args(a).tensor(0)?.sizes)])
}

/// The first argument as complex numbers of halves.
pub fn complex_half(a: &[Meta]) -> RuleResult {
    Ok(smallvec![tensor(Some(DType::C32), Args(a).tensor(0)?.sizes)])
}

/// A float and a 32-bit integer for each element of the first argument.
pub fn mantissa_and_exponent(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    if let Some(d) = t.dtype
        && !d.is_float()
    {
        return error("torch.frexp() only supports floating-point dtypes");
    }
    Ok(smallvec![tensor(t.dtype, t.sizes.clone()), tensor(Some(DType::I32), t.sizes)])
}

/// The first two arguments broadcast, with the dtype of the first.
pub fn broadcast_of_two(a: &[Meta]) -> RuleResult {
    let (x, y) = (Args(a).tensor(0)?, Args(a).tensor(1)?);
    one(x.dtype, broadcast_all([&x, &y].into_iter())?)
}

/// Two results like the second argument.
pub fn second_twice(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 1)?, of(a, 1)?])
}

/// The first argument's dtype and the sizes that the second, a list, names.
pub fn sized_by_second(a: &[Meta]) -> RuleResult {
    one(Args(a).tensor(0)?.dtype, Args(a).sizes(1))
}

/// The first argument's dtype and the sizes that the third, a list, names.
pub fn sized_by_third(a: &[Meta]) -> RuleResult {
    one(Args(a).tensor(0)?.dtype, Args(a).sizes(2))
}

/// The first argument's dtype and the second's sizes.
pub fn first_in_sizes_of_second(a: &[Meta]) -> RuleResult {
    one(Args(a).tensor(0)?.dtype, Args(a).tensor(1)?.sizes)
}

/// (self, other, self_num_batch_dims): the first's batch dimensions, then all of the second.
pub fn batch_and_features(a: &[Meta]) -> RuleResult {
    let (t, other) = (Args(a).tensor(0)?, Args(a).tensor(1)?);
    let sizes = match (t.sizes, other.sizes, Args(a).int(2)) {
        (Some(x), Some(y), Some(n)) if n >= 0 && n as usize <= x.len() => {
            Some(x[..n as usize].iter().chain(&y).copied().collect())
        }
        _ => None,
    };
    one(other.dtype, sizes)
}

/// Views of the first argument in the sizes of a list's tensors.
pub fn each_of_second(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    let Some(list) = Args(a).tensors(1)? else { return Ok(smallvec![Meta::Unknown]) };
    Ok(smallvec![Meta::List(list.into_iter().map(|x| tensor(t.dtype, x.sizes)).collect())])
}

/// An empty tensor of floats.
pub fn token(_: &[Meta]) -> RuleResult {
    one(Some(DType::F32), Some(smallvec![super::Size::Known(0)]))
}
