//! Results that have the dtype and sizes of arguments: what many backward operators give.

use super::args::*;

/// Results like the arguments at these places.
fn like<const N: usize>(a: &[Meta], places: [usize; N]) -> RuleResult {
    places.into_iter().map(|i| a.tensor(i).map(|t| t.like())).collect()
}

/// The dtype of one argument in the sizes of another.
fn crossed(a: &[Meta], dtype: usize, sizes: usize) -> RuleResult {
    one(a.tensor(dtype)?.dtype, a.tensor(sizes)?.sizes)
}

/// The first argument's sizes in a dtype.
fn cast(a: &[Meta], dtype: DType) -> RuleResult {
    one(Some(dtype), a.tensor(0)?.sizes)
}

/// The first argument in the dtype that an argument names.
fn in_dtype(a: &[Meta], i: usize) -> RuleResult {
    let t = a.tensor(0)?;
    one(a.dtype_or(i, t.dtype), t.sizes)
}

/// The first argument's dtype and the sizes that a list names.
fn sized(a: &[Meta], list: usize) -> RuleResult {
    one(a.tensor(0)?.dtype, a.sizes(list))
}

/// The first arguments, lists of tensors among them, each as a result like it.
fn kept(a: &[Meta], n: usize) -> RuleResult {
    a.get(..n).map(|a| a.iter().cloned().collect()).ok_or_else(|| ShapeError::runtime("an argument is missing"))
}

rules! {
    first = like, [0]; second = like, [1]; third = like, [2]; first_twice = like, [0, 0]; second_twice = like, [1, 1];
    second_and_third = like, [1, 2]; first_three = like, [0, 1, 2];
    first_in_sizes_of_second = crossed, 0, 1; first_as_second = crossed, 1, 0;
    bytes = cast, DType::U8; chars = cast, DType::I8; shorts = cast, DType::I16; ints = cast, DType::I32;
    longs = cast, DType::I64; halves = cast, DType::F16; doubles = cast, DType::F64;
    /// A float of 32 bits, a bool, half a complex number for each element of the first argument.
    single_of_first = cast, DType::F32; truth_of_first = cast, DType::Bool; complex_half = cast, DType::C32;
    /// (self, dtype, …).
    in_second = in_dtype, 1;
    /// (self, device, dtype, …).
    in_third = in_dtype, 2;
    sized_by_second = sized, 1; sized_by_third = sized, 2;
    first_two_kept = kept, 2; first_three_kept = kept, 3; first_four_kept = kept, 4; first_five_kept = kept, 5;
    /// One number as a tensor without dimensions: (t, dtype, …).
    number = number_as, DType::F32, DType::C64;
    /// The same in the widest dtype of its kind.
    wide_number = number_as, DType::F64, DType::C128;
}

/// Like the first argument; integers become floats.
pub fn first_as_float(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    one(t.dtype.map(to_float), t.sizes)
}

/// No results: everything is written where the arguments say.
pub fn nothing(_: &[Meta]) -> RuleResult {
    Ok(SmallVec::new())
}

/// Like the first argument of a call (input, p, train) that scales by a fraction when it trains, which integers cannot hold.
pub fn dropout(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let trains = a.bool(2) == Some(true) && a.float(1).is_some_and(|p| p > 0.0 && p < 1.0);
    refuse!(if let Some(d) = t.dtype_not(DType::is_inexact), trains && !t.is_empty(),
        "result type Float can't be cast to the desired output type {d}");
    first(a)
}

/// (input, p, train): also what was kept.
pub fn native_dropout(a: &[Meta]) -> RuleResult {
    let mut results = dropout(a)?;
    results.extend(truth_of_first(a)?);
    Ok(results)
}

/// (grad, indices, offsets, offset2bag, bag_size, maximum_indices, num_weights, …): a gradient for each row.
pub fn bag_gradient(a: &[Meta]) -> RuleResult {
    let grad = a.tensor(0)?;
    refuse!(if let Some(d) = grad.dtype_not(DType::is_float),
        "Expected tensor for argument #1 'grad' to have one of the following scalar types: Half, BFloat16, Float, Double; but got {d} \
         instead (while checking arguments for embedding_bag)");
    whole_numbers(a, 1..5)?;
    // Only the gradient of maxima reads where they were.
    if a.int(8) == Some(2) {
        whole_numbers(a, 5..6)?;
    }
    if let Meta::Tensor(w) = a.meta(10) {
        scalar_type(&grad, w)?;
    }
    one(grad.dtype, Some(smallvec![a.size(6), grad.size(1)]))
}

/// (grad, weight, indices, …): a gradient for each index.
pub fn bag_weights_gradient(a: &[Meta]) -> RuleResult {
    let (grad, weight) = (a.tensor(0)?, a.tensor(1)?);
    refuse!(if grad.size(1).unequal(weight.size(1)), "the gradient's rows are not as long as the weight's");
    whole_numbers(a, 2..5)?;
    scalar_type(&grad, &weight)?;
    one(grad.dtype, Some(smallvec![a.tensor(2)?.numel()]))
}

/// The arguments hold integers of 32 or 64 bits.
fn whole_numbers(a: &[Meta], mut range: std::ops::Range<usize>) -> Result<(), ShapeError> {
    range.try_for_each(|i| {
        let other = a.tensor(i)?.dtype_not(|d| matches!(d, DType::I32 | DType::I64));
        refuse!(if let Some(d) = other, "expected scalar type Long but found {d}");
        Ok(())
    })
}

/// One tensor of the first argument's dtype; its sizes depend on values.
pub fn dtype_of_first(a: &[Meta]) -> RuleResult {
    one(a.tensor(0)?.dtype, None)
}

/// The same for the elements of a list of tensors.
pub fn dtype_of_elements(a: &[Meta]) -> RuleResult {
    one(a.tensors(0)?.and_then(|list| list.first().and_then(|t| t.dtype)), None)
}

/// One tensor of the first argument's dtype, and one of 64-bit integers; their sizes depend on values.
pub fn data_and_lengths(a: &[Meta]) -> RuleResult {
    Ok(smallvec![tensor(a.tensor(0)?.dtype, None), tensor(Some(DType::I64), None)])
}

/// (self, padding, output_size): what sequences of different lengths fill; without a size the longest decides.
pub fn padded(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let mut sizes = t.sizes;
    if let (Some(s), true) = (&mut sizes, a.is_none(2)) {
        s.iter_mut().skip(1).take(1).for_each(|size| *size = Size::Unknown);
    } else {
        sizes = a.sizes(2);
    }
    one(t.dtype, sizes)
}

/// A float and a 32-bit integer for each element of the first argument.
pub fn mantissa_and_exponent(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if t.dtype_not(DType::is_float).is_some(), "torch.frexp() only supports floating-point dtypes");
    Ok(smallvec![t.like(), tensor(Some(DType::I32), t.sizes)])
}

/// The first two arguments broadcast, with the dtype of the first.
pub fn broadcast_of_two(a: &[Meta]) -> RuleResult {
    one(a.tensor(0)?.dtype, broadcast_all(&a.tensors_at([0, 1])?)?)
}

/// The first and the fourth argument broadcast, with the dtype of the fourth.
pub fn broadcast_onto_fourth(a: &[Meta]) -> RuleResult {
    one(a.tensor(3)?.dtype, broadcast_all(&a.tensors_at([0, 3])?)?)
}

/// (self, other, self_num_batch_dims): the first's batch dimensions, then all of the second.
pub fn batch_and_features(a: &[Meta]) -> RuleResult {
    let (t, other) = (a.tensor(0)?, a.tensor(1)?);
    let batch = t.sizes.zip(a.int(2)).and_then(|(s, n)| Some(Sizes::from(s.get(..usize::try_from(n).ok()?)?)));
    one(other.dtype, batch.zip(other.sizes).map(|(x, y)| x.into_iter().chain(y).collect()))
}

/// Views of the first argument in the sizes of a list's tensors.
pub fn each_of_second(a: &[Meta]) -> RuleResult {
    let dtype = a.tensor(0)?.dtype;
    let each = |list: Vec<TensorMeta>| Meta::List(list.into_iter().map(|x| tensor(dtype, x.sizes)).collect());
    Ok(smallvec![a.tensors(1)?.map_or(Meta::Unknown, each)])
}

/// An empty tensor of floats.
pub fn token(_: &[Meta]) -> RuleResult {
    one(Some(DType::F32), Some(smallvec![Size::Known(0)]))
}

/// 64-bit integers, one for each of something.
pub fn indices(_: &[Meta]) -> RuleResult {
    one(Some(DType::I64), Some(smallvec![Size::Unknown]))
}

/// (weight, indices, offsets, …, include_last_offset): bags of rows of the first argument, and three tensors of integers about them: for each
/// index its bag, the bags' lengths, and for a maximum (mode 2) the rows that won. What only a gradient needs a computed result may leave out.
pub fn bag(a: &[Meta]) -> RuleResult {
    let (t, indices, offsets) = (a.tensor(0)?, a.tensor(1)?, a.tensor(2)?);
    let rows = match indices.rank() {
        Some(1) => offsets.numel(),
        Some(2) => indices.size(0),
        _ => Size::Unknown,
    };
    let bags = match a.bool(7) {
        Some(true) if indices.rank() == Some(1) => rows.minus(1),
        Some(_) => rows,
        None => Size::Unknown,
    };
    let integer = match (indices.dtype, offsets.dtype) {
        (Some(DType::I32), Some(DType::I32)) => Some(DType::I32),
        (Some(_), Some(_)) => Some(DType::I64),
        _ => None,
    };
    let all: Sizes = smallvec![bags, t.size(1)];
    let winners = a.int(4).map(|mode| if mode == 2 { all.clone() } else { smallvec![Size::Known(0)] });
    Ok(smallvec![
        tensor(t.dtype, Some(all)),
        tensor(integer, Some(smallvec![indices.numel()])),
        tensor(integer, Some(smallvec![rows])),
        tensor(integer, winners),
    ])
}

/// (grad_output, indices, num_weights, …): one row for each.
pub fn rows_of_gradient(a: &[Meta]) -> RuleResult {
    let grad = a.tensor(0)?;
    refuse!(Index if grad.rank() == Some(0), "Dimension specified as -1 but tensor has no dimensions");
    one(grad.dtype, grad.rank().map(|_| smallvec![a.size(2), grad.last()]))
}

/// The first argument's sizes in a dtype that depends on the mode.
pub fn sizes_of_first(a: &[Meta]) -> RuleResult {
    one(None, a.tensor(0)?.sizes)
}

/// Nothing is known of the result: what it is depends on values, or on nested lists.
pub fn unknown(_: &[Meta]) -> RuleResult {
    Ok(smallvec![Meta::Unknown])
}

/// A list like the first argument's.
pub fn list_of_first(a: &[Meta]) -> RuleResult {
    Ok(smallvec![if let list @ Meta::List(_) = a.meta(0) { list.clone() } else { Meta::Unknown }])
}

/// Every tensor of a list in the sizes they have together.
pub fn broadcast_list(a: &[Meta]) -> RuleResult {
    let Some(list) = a.tensors(0)? else { return unknown(a) };
    let sizes = broadcast_all(&list)?;
    Ok(smallvec![Meta::List(list.into_iter().map(|t| tensor(t.dtype, sizes.clone())).collect())])
}

/// The dtype of a tensor that is made of a number, where floats and complex numbers have these.
pub(super) fn dtype_of_number(m: &Meta, float: DType, complex: DType) -> Option<DType> {
    match m {
        Meta::Bool(_) => Some(DType::Bool),
        Meta::Int(_) => Some(DType::I64),
        Meta::Float(_) => Some(float),
        Meta::Complex(..) => Some(complex),
        _ => None,
    }
}

fn number_as(a: &[Meta], float: DType, complex: DType) -> RuleResult {
    let own = dtype_of_number(a.meta(0), float, complex);
    let asked = a.len() > 1 && float == DType::F32;
    one(if asked { a.dtype_or(1, own) } else { own }, Some(smallvec![]))
}
