//! Results that have the dtype and sizes of arguments: what many backward operators give.

use super::args::{Args, broadcast_all, error, one, tensor};
use super::{Meta, RuleResult, Size};
use crate::DType;
use smallvec::smallvec;

fn of(a: &[Meta], i: usize) -> Result<Meta, super::ShapeError> {
    let t = Args(a).tensor(i)?;
    Ok(tensor(t.dtype, t.sizes))
}

/// Like the first argument; integers become floats.
pub fn first_as_float(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    one(t.dtype.map(crate::promotion::to_float), t.sizes)
}

/// No results: everything is written where the arguments say.
pub fn nothing(_: &[Meta]) -> RuleResult {
    Ok(smallvec::SmallVec::new())
}

/// Like the first argument of a call that scales by a fraction when argument `train` says so, which integers cannot hold.
fn dropped(a: &[Meta]) -> Result<(), super::ShapeError> {
    let (t, args) = (Args(a).tensor(0)?, Args(a));
    let trains = args.bool(2) == Some(true) && args.float(1).is_some_and(|p| p > 0.0 && p < 1.0);
    if let Some(d) = t.dtype
        && trains
        && !d.is_float()
        && !d.is_complex()
        && t.numel() != super::Size::Known(0)
    {
        return error(format!("result type Float can't be cast to the desired output type {}", d.scalar_type_name()));
    }
    Ok(())
}

/// (input, p, train).
pub fn dropout(a: &[Meta]) -> RuleResult {
    dropped(a)?;
    first(a)
}

/// (input, p, train): also what was kept.
pub fn native_dropout(a: &[Meta]) -> RuleResult {
    dropped(a)?;
    let t = Args(a).tensor(0)?;
    Ok(smallvec![of(a, 0)?, tensor(Some(DType::Bool), t.sizes)])
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

/// (grad, indices, offsets, offset2bag, bag_size, maximum_indices, num_weights, …): a gradient for each row.
pub fn bag_gradient(a: &[Meta]) -> RuleResult {
    let grad = Args(a).tensor(0)?;
    if let Some(d) = grad.dtype
        && !d.is_float()
    {
        return error(format!(
            "Expected tensor for argument #1 'grad' to have one of the following scalar types: Half, BFloat16, Float, Double; but got {} \
             instead (while checking arguments for embedding_bag)",
            d.scalar_type_name()
        ));
    }
    whole_numbers(a, 1..5)?;
    // Only the gradient of maxima reads where they were.
    if Args(a).int(8) == Some(2) {
        whole_numbers(a, 5..6)?;
    }
    if let (Some(d), Meta::Tensor(w)) = (grad.dtype, Args(a).get(10)) {
        of_dtype(d, w.dtype)?;
    }
    one(grad.dtype, Some(smallvec![Args(a).size(6), grad.size(1)]))
}

/// (grad, weight, indices, …): a gradient for each index.
pub fn bag_weights_gradient(a: &[Meta]) -> RuleResult {
    let (grad, weight) = (Args(a).tensor(0)?, Args(a).tensor(1)?);
    if grad.size(1).differs(weight.size(1)) {
        return error("the gradient's rows are not as long as the weight's");
    }
    whole_numbers(a, 2..5)?;
    if let Some(d) = grad.dtype {
        of_dtype(d, weight.dtype)?;
    }
    one(grad.dtype, Some(smallvec![Args(a).tensor(2)?.numel()]))
}

/// A dtype is the wanted one.
fn of_dtype(want: DType, have: Option<DType>) -> Result<(), super::ShapeError> {
    match have {
        Some(d) if d != want => {
            error(format!("expected scalar type {} but found {}", want.scalar_type_name(), d.scalar_type_name()))
        }
        _ => Ok(()),
    }
}

/// The arguments hold integers of 32 or 64 bits.
fn whole_numbers(a: &[Meta], range: std::ops::Range<usize>) -> Result<(), super::ShapeError> {
    range.into_iter().try_for_each(|i| match Args(a).tensor(i)?.dtype {
        Some(DType::I32 | DType::I64) => Ok(()),
        have => of_dtype(DType::I64, have),
    })
}

/// Three results, like the first three arguments.
pub fn first_three(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 0)?, of(a, 1)?, of(a, 2)?])
}

/// The first arguments, lists of tensors among them, each as a result like it.
fn kept(a: &[Meta], n: usize) -> RuleResult {
    a.get(..n).map(|a| a.iter().cloned().collect()).ok_or_else(|| super::ShapeError::runtime("an argument is missing"))
}

pub fn first_two_kept(a: &[Meta]) -> RuleResult {
    kept(a, 2)
}

pub fn first_three_kept(a: &[Meta]) -> RuleResult {
    kept(a, 3)
}

pub fn first_four_kept(a: &[Meta]) -> RuleResult {
    kept(a, 4)
}

pub fn first_five_kept(a: &[Meta]) -> RuleResult {
    kept(a, 5)
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

/// (self, padding, output_size): what sequences of different lengths fill; without a size the longest decides.
pub fn padded(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    let mut sizes = t.sizes;
    if let (Some(s), true) = (&mut sizes, args.is_none(2)) {
        s.iter_mut().skip(1).take(1).for_each(|size| *size = Size::Unknown);
    } else {
        sizes = args.sizes(2);
    }
    one(t.dtype, sizes)
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

/// The first and the fourth argument broadcast, with the dtype of the fourth.
pub fn broadcast_onto_fourth(a: &[Meta]) -> RuleResult {
    let (x, out) = (Args(a).tensor(0)?, Args(a).tensor(3)?);
    one(out.dtype, broadcast_all([&x, &out].into_iter())?)
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

/// 64-bit integers, one for each of something.
pub fn indices(_: &[Meta]) -> RuleResult {
    one(Some(DType::I64), Some(smallvec![super::Size::Unknown]))
}

/// (weight, indices, offsets, …, include_last_offset): bags of rows of the first argument, and three tensors of integers about them: for each
/// index its bag, the bags' lengths, and for a maximum (mode 2) the rows that won. What only a gradient needs a computed result may leave out.
pub fn bag(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (t, indices, offsets) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let rows = match indices.rank() {
        Some(1) => offsets.numel(),
        Some(2) => indices.size(0),
        _ => super::Size::Unknown,
    };
    let bags = match args.bool(7) {
        Some(true) if indices.rank() == Some(1) => rows.plus(super::Size::Known(-1)),
        Some(_) => rows,
        None => super::Size::Unknown,
    };
    let integer = match (indices.dtype, offsets.dtype) {
        (Some(DType::I32), Some(DType::I32)) => Some(DType::I32),
        (Some(_), Some(_)) => Some(DType::I64),
        _ => None,
    };
    let winners = match args.int(4) {
        Some(2) => Some(smallvec![bags, t.size(1)]),
        Some(_) => Some(smallvec![super::Size::Known(0)]),
        None => None,
    };
    Ok(smallvec![
        tensor(t.dtype, Some(smallvec![bags, t.size(1)])),
        tensor(integer, Some(smallvec![indices.numel()])),
        tensor(integer, Some(smallvec![rows])),
        tensor(integer, winners),
    ])
}

/// (grad_output, indices, num_weights, …): one row for each.
pub fn rows_of_gradient(a: &[Meta]) -> RuleResult {
    let grad = Args(a).tensor(0)?;
    if grad.rank() == Some(0) {
        return super::args::index_error("Dimension specified as -1 but tensor has no dimensions");
    }
    let width = grad.sizes.as_ref().map(|s| s.last().copied().unwrap_or(super::Size::Known(1)));
    one(grad.dtype, width.map(|w| smallvec![Args(a).size(2), w]))
}

/// The first argument in the dtype of the second.
pub fn first_as_second(a: &[Meta]) -> RuleResult {
    one(Args(a).tensor(1)?.dtype, Args(a).tensor(0)?.sizes)
}

/// Two results like the first argument.
pub fn first_twice(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 0)?, of(a, 0)?])
}

/// The first argument in the dtype that an argument names.
fn in_dtype(a: &[Meta], i: usize) -> RuleResult {
    let t = Args(a).tensor(0)?;
    one(Args(a).dtype(i).and_then(|d| d.or(t.dtype)), t.sizes)
}

/// (self, dtype, …).
pub fn in_second(a: &[Meta]) -> RuleResult {
    in_dtype(a, 1)
}

/// (self, device, dtype, …).
pub fn in_third(a: &[Meta]) -> RuleResult {
    in_dtype(a, 2)
}

/// The first argument's sizes in a dtype that depends on the mode.
pub fn sizes_of_first(a: &[Meta]) -> RuleResult {
    one(None, Args(a).tensor(0)?.sizes)
}

/// Nothing is known of the result: what it is depends on values, or on nested lists.
pub fn unknown(_: &[Meta]) -> RuleResult {
    Ok(smallvec![Meta::Unknown])
}

/// A list like the first argument's.
pub fn list_of_first(a: &[Meta]) -> RuleResult {
    Ok(smallvec![match Args(a).get(0) {
        list @ Meta::List(_) => list.clone(),
        _ => Meta::Unknown,
    }])
}

/// Every tensor of a list in the sizes they have together.
pub fn broadcast_list(a: &[Meta]) -> RuleResult {
    let Some(list) = Args(a).tensors(0)? else { return unknown(a) };
    let sizes = broadcast_all(list.iter())?;
    Ok(smallvec![Meta::List(list.into_iter().map(|t| tensor(t.dtype, sizes.clone())).collect())])
}

/// One number as a tensor without dimensions: (t, dtype, …).
pub fn number(a: &[Meta]) -> RuleResult {
    let own = match Args(a).get(0) {
        Meta::Bool(_) => Some(DType::Bool),
        Meta::Int(_) => Some(DType::I64),
        Meta::Float(_) => Some(DType::F32),
        Meta::Complex(..) => Some(DType::C64),
        _ => None,
    };
    let dtype = if a.len() > 1 { Args(a).dtype(1).and_then(|d| d.or(own)) } else { own };
    one(dtype, Some(smallvec![]))
}

/// One number as a tensor of the widest dtype of its kind.
pub fn wide_number(a: &[Meta]) -> RuleResult {
    let dtype = match Args(a).get(0) {
        Meta::Bool(_) => Some(DType::Bool),
        Meta::Int(_) => Some(DType::I64),
        Meta::Float(_) => Some(DType::F64),
        Meta::Complex(..) => Some(DType::C128),
        _ => None,
    };
    one(dtype, Some(smallvec![]))
}

macro_rules! casts {
    ($($name:ident: $dtype:ident;)*) => { $(
        /// The first argument in a fixed dtype.
        pub fn $name(a: &[Meta]) -> RuleResult {
            one(Some(DType::$dtype), Args(a).tensor(0)?.sizes)
        }
    )* };
}
casts! {
    bytes: U8;
    chars: I8;
    shorts: I16;
    ints: I32;
    longs: I64;
    halves: F16;
    doubles: F64;
}
