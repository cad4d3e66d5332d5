//! Results that have the dtype and sizes of arguments: what many backward operators give.

use super::args::*;
use super::view::replaced;

/// The first arguments, lists of tensors among them, each as a result like it.
fn kept(a: &[Meta], n: usize) -> RuleResult {
    a.get(..n).map(|a| a.iter().cloned().collect()).ok_or_else(|| ShapeError::runtime("an argument is missing"))
}

/// The first argument's sizes in a dtype.
fn cast(t: TensorMeta, dtype: DType) -> RuleResult {
    one(Some(dtype), t.sizes)
}

rules! {
    first = like; second = |_: Skip<1>, t: TensorMeta| like(t); third = |_: Skip<2>, t: TensorMeta| like(t);
    first_twice = |t: TensorMeta| Ok(smallvec![t.like(), t.like()]);
    second_twice = |_: Skip<1>, t: TensorMeta| Ok(smallvec![t.like(), t.like()]);
    second_and_third = |_: Skip<1>, [x, y]: [TensorMeta; 2]| Ok(smallvec![x.like(), y.like()]);
    first_two_kept = kept, 2; first_three_kept = kept, 3; first_four_kept = kept, 4; first_five_kept = kept, 5;
    bytes = cast, DType::U8; chars = cast, DType::I8; shorts = cast, DType::I16; ints = cast, DType::I32;
    longs = cast, DType::I64; halves = cast, DType::F16; doubles = cast, DType::F64;
    /// A float of 32 bits, a bool, half a complex number for each element of the first argument.
    single_of_first = cast, DType::F32; truth_of_first = cast, DType::Bool; complex_half = cast, DType::C32;
    first_as_float = |t: TensorMeta| one(t.dtype.map(to_float), t.sizes);
    first_as_second = |[t, as_this]: [TensorMeta; 2]| one(as_this.dtype, t.sizes);
    first_in_sizes_of_second = |[t, sized]: [TensorMeta; 2]| one(t.dtype, sized.sizes);
    /// The first argument in the dtype that an argument asks for.
    in_second = |t: TensorMeta, dtype: Asked| one(dtype.or(t.dtype), t.sizes);
    in_third = |t: TensorMeta, _: Skip<1>, dtype: Asked| one(dtype.or(t.dtype), t.sizes);
    /// The first argument's dtype and sizes that a list names.
    sized_by_second = |t: TensorMeta, sizes: List| one(t.dtype, sizes);
    sized_by_third = |t: TensorMeta, _: Skip<1>, sizes: List| one(t.dtype, sizes);
    /// Sizes depend on values, or the dtype on a mode.
    dtype_of_first = |t: TensorMeta| one(t.dtype, None);
    dtype_of_elements = |list: Tensors| one(list.and_then(|list| list.first()?.dtype), None);
    sizes_of_first = |t: TensorMeta| one(None, t.sizes);
    /// The same and 64-bit integers, one for each of something.
    data_and_lengths = |t: TensorMeta| Ok(smallvec![tensor(t.dtype, None), tensor(Some(DType::I64), None)]);
    indices = |_: Skip<1>| one(Some(DType::I64), Some(smallvec![Size::Unknown]));
    mantissa_and_exponent = |t: TensorMeta| Ok(smallvec![t.like(), tensor(Some(DType::I32), t.sizes)]);
    /// An empty tensor of floats.
    token = |_: Skip<1>| one(Some(DType::F32), Some(smallvec![Size::Known(0)]));
    /// No results: everything is written where the arguments say.
    nothing = |_: Skip<1>| Ok(SmallVec::new());
    /// Nothing is known of the result: what it is depends on values, or on nested lists.
    unknown = |_: Skip<1>| Ok(smallvec![Meta::Unknown]);
    list_of_first = |list: Meta| Ok(smallvec![if let Meta::List(_) = list { list } else { Meta::Unknown }]);
    /// The first two arguments broadcast, with the dtype of the first; the first and the fourth with that of the fourth.
    broadcast_of_two = |[x, y]: [TensorMeta; 2]| one(x.dtype, broadcast_all([&x, &y])?);
    broadcast_onto_fourth = |x: TensorMeta, _: Skip<2>, y: TensorMeta| one(y.dtype, broadcast_all([&x, &y])?);
    /// What sequences of different lengths fill; without a size the longest decides.
    padded = |t: TensorMeta, _: Skip<1>, size: Meta| {
        one(t.dtype, if size.is_none() { t.sizes.map(|s| replaced(&s, 1, Size::Unknown)) } else { size.list() })
    };
}

/// A tensor like another.
pub fn like(t: TensorMeta) -> RuleResult {
    Ok(smallvec![t.like()])
}

/// In training the input is scaled by a fraction, which integers cannot hold.
pub fn dropout(t: TensorMeta, p: Float, train: Flag) -> RuleResult {
    let scales = train == Some(true) && p.is_some_and(|p| p > 0.0 && p < 1.0);
    refuse!(if let Some(d) = t.dtype_not(DType::is_inexact), scales && !t.is_empty(),
        "result type Float can't be cast to the desired output type {d}");
    like(t)
}

/// The same, and what was kept.
pub fn native_dropout(t: TensorMeta, p: Float, train: Flag) -> RuleResult {
    let kept = tensor(Some(DType::Bool), t.sizes.clone());
    let mut results = dropout(t, p, train)?;
    results.push(kept);
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

/// The first's batch dimensions, then all of the second.
pub fn batch_and_features([t, other]: [TensorMeta; 2], batches: Int) -> RuleResult {
    let batch = t.sizes.zip(batches).and_then(|(s, n)| Some(Sizes::from(s.get(..usize::try_from(n).ok()?)?)));
    one(other.dtype, batch.zip(other.sizes).map(|(x, y)| x.into_iter().chain(y).collect()))
}

/// Views of the first argument in the sizes of a list's tensors.
pub fn each_of_second(t: TensorMeta, list: Tensors) -> RuleResult {
    let each = |list: Vec<TensorMeta>| Meta::List(list.into_iter().map(|x| tensor(t.dtype, x.sizes)).collect());
    Ok(smallvec![list.map_or(Meta::Unknown, each)])
}

/// Bags of rows of the first argument, and three tensors of integers about them: for each index its bag, the bags' lengths, and for a maximum
/// (mode 2) the rows that won. What only a gradient needs a computed result may leave out.
pub fn bag(all: [TensorMeta; 3], _: Skip<1>, mode: Int, _: Skip<2>, include_last_offset: Flag) -> RuleResult {
    let [t, indices, offsets] = all;
    let rows = match indices.rank() {
        Some(1) => offsets.numel(),
        Some(2) => indices.size(0),
        _ => Size::Unknown,
    };
    let bags = match include_last_offset {
        Some(true) if indices.rank() == Some(1) => rows.minus(1),
        Some(_) => rows,
        None => Size::Unknown,
    };
    let narrow = |(d, e)| if d == DType::I32 && e == DType::I32 { DType::I32 } else { DType::I64 };
    let integers = |sizes| tensor(indices.dtype.zip(offsets.dtype).map(narrow), sizes);
    let all: Sizes = smallvec![bags, t.size(1)];
    let winners = integers(mode.map(|mode| if mode == 2 { all.clone() } else { smallvec![Size::Known(0)] }));
    let (places, lengths) = (smallvec![indices.numel()], smallvec![rows]);
    Ok(smallvec![tensor(t.dtype, Some(all)), integers(Some(places)), integers(Some(lengths)), winners])
}

/// One row for each.
pub fn rows_of_gradient(grad: TensorMeta, _: Skip<1>, rows: Size) -> RuleResult {
    refuse!(Index if grad.rank() == Some(0), "Dimension specified as -1 but tensor has no dimensions");
    one(grad.dtype, grad.rank().map(|_| smallvec![rows, grad.last()]))
}

/// Every tensor of a list in the sizes they have together.
pub fn broadcast_list(list: Tensors) -> RuleResult {
    let Some(list) = list else { return Ok(smallvec![Meta::Unknown]) };
    let sizes = broadcast_all(&list)?;
    Ok(smallvec![Meta::List(list.into_iter().map(|t| tensor(t.dtype, sizes.clone())).collect())])
}

/// The dtype of a tensor that is made of a number, where floats and complex numbers have these.
pub(super) fn dtype_of_number(m: &Meta, float: DType, complex: DType) -> Option<DType> {
    match m {
        Meta::Bool(_) => Some(DType::Bool),
        Meta::Int(_) => Some(DType::I64),
        Meta::Float(_) | Meta::AnyFloat => Some(float),
        Meta::Complex(..) => Some(complex),
        _ => None,
    }
}

/// One number as a tensor without dimensions; a dtype that no argument asks for is its own.
pub fn number(a: &[Meta]) -> RuleResult {
    let own = dtype_of_number(a.meta(0), DType::F32, DType::C64);
    one(if a.len() > 1 { a.dtype_or(1, own) } else { own }, Some(smallvec![]))
}

/// The same in the widest dtype of its kind.
pub fn wide_number(number: Meta) -> RuleResult {
    one(dtype_of_number(&number, DType::F64, DType::C128), Some(smallvec![]))
}
