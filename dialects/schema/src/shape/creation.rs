//! Sizes and dtypes of tensors made from nothing, from numbers, or in the likeness of another.

use super::args::*;

fn made(sizes: Option<Sizes>, dtype: Option<DType>) -> RuleResult {
    one(dtype, sizes.map(countable).transpose()?)
}

/// A vector of so many elements.
fn vector(count: Size, dtype: Option<DType>) -> RuleResult {
    made(Some(smallvec![count]), dtype)
}

/// Sizes in a list, a dtype at another place or else a usual one.
fn made_at(a: &[Meta], sizes: usize, dtype: usize, usual: DType) -> RuleResult {
    made(a.sizes(sizes), a.dtype_or(dtype, Some(usual)))
}

/// Sizes in the second argument, the first one's dtype unless another is asked for.
fn new_at(a: &[Meta], dtype: usize) -> RuleResult {
    made(a.sizes(1), a.dtype_or(dtype, a.tensor(0)?.dtype))
}

fn like_at(a: &[Meta], dtype: usize) -> RuleResult {
    let t = a.tensor(0)?;
    made(t.sizes, a.dtype_or(dtype, t.dtype))
}

rules! {
    /// (size, *, dtype, …).
    sized = made_at, 0, 1, DType::F32;
    /// (size, generator, *, dtype, …), (size, stride, *, dtype, …).
    sized_with = made_at, 0, 2, DType::F32;
    /// (shape, number, number, *, dtype, …).
    sized_with_numbers = made_at, 0, 3, DType::F32;
    /// (mean, std, size, *, generator, dtype, …).
    normal_sized = made_at, 2, 4, DType::F32;
    /// (high, size, *, dtype, …), with a low bound before it, with a generator before the dtype, with both.
    randint = made_at, 1, 2, DType::I64; randint_low = made_at, 2, 3, DType::I64;
    randint_generator = made_at, 1, 3, DType::I64; randint_low_generator = made_at, 2, 4, DType::I64;
    /// (self, size, *, dtype, …).
    new_sized = new_at, 2;
    /// (self, size, fill_value, *, dtype, …).
    new_full = new_at, 3;
    /// (self, *, dtype, …), and with one, two or three arguments between.
    like = like_at, 1; like_with = like_at, 2; like_with_two = like_at, 3; like_with_three = like_at, 4;
    /// (size, stride, *, dtype, …), (self, size, stride, *, dtype, …).
    strided_sized = strided, 0, sized_with as Rule; new_strided = strided, 1, new_full as Rule;
    full = |size: List, value: Meta, dtype: Asked| made(size, dtype.or(dtype_of_number(&value)));
    scalar_tensor = |_: Skip<1>, dtype: Asked| made(Some(Sizes::new()), dtype.or(Some(DType::F32)));
    iota = |length: Size, _: Skip<2>, dtype: Asked| vector(length, dtype.or(Some(DType::I64)));
    /// Sizes and dtype of the first argument.
    same = |t: TensorMeta| t.sized(t.sizes.clone());
    /// 32-bit integers, as many as the list has.
    integers_of_list = |list: Meta| {
        let count = if let Meta::List(items) = list { Size::Known(items.len() as i64) } else { Size::Unknown };
        vector(count, Some(DType::I32))
    };
}

/// The dtype a number gives a tensor; one of rank 0 may stand for a number.
fn dtype_of_number(m: &Meta) -> Option<DType> {
    match m {
        Meta::Tensor(t) => t.dtype.map(|d| if d.is_float() { DType::F32 } else { d }),
        number => super::like::dtype_of_number(number, DType::F32, DType::C64),
    }
}

/// As many strides as sizes, one argument after the other.
fn strided(a: &[Meta], sizes: usize, rule: Rule) -> RuleResult {
    refuse!(if let (Some(sizes), Some(strides)) = (a.sizes(sizes), a.sizes(sizes + 1)), sizes.len() != strides.len(),
        "dimensionality of sizes ({}) must match dimensionality of strides ({})", sizes.len(), strides.len());
    rule(a)
}

/// The value is a number or a tensor of rank 0.
pub fn fill(a: &[Meta]) -> RuleResult {
    refuse!(if let Some(rank) = sizes_at(a, 1).map(|s| s.len()), rank != 0,
        "fill_ only supports 0-dimension value tensor but got tensor with {rank} dimensions.");
    same(a)
}

/// A number as C++ prints it.
fn number_text(x: f64) -> String {
    if x.is_infinite() { if x < 0.0 { "-inf".into() } else { "inf".into() } } else { format!("{x}") }
}

/// Numbers from one towards another, which are finite unless their number says more.
fn check_steps(first: f64, last: f64, by: f64, finite: bool) -> Result<(), ShapeError> {
    refuse!(if by == 0.0, "step must be nonzero");
    refuse!(if finite && (!first.is_finite() || !last.is_finite()),
        "unsupported range: {} -> {}", number_text(first), number_text(last));
    refuse!(if (by > 0.0 && last < first) || (by < 0.0 && last > first),
        "upper bound and lower bound inconsistent with step sign");
    Ok(())
}

/// As many as no tensor has.
const MOST: std::ops::RangeInclusive<f64> = 0.0..=9e18;

/// How many steps lead from one whole number towards another; where the step leads away from it nothing is made.
fn whole_steps(first: Size, last: Size, by: Size) -> Size {
    let Some(by) = by.known().filter(|by| *by != 0 && *by != i64::MIN) else { return Size::Unknown };
    let way = if by > 0 { last.minus(first) } else { first.minus(last) };
    way.plus(by.abs() - 1).over(by.abs())
}

/// Start, end and step among the arguments, or what they are where nobody says.
fn range(a: &[Meta], [start, end, step]: [Option<usize>; 3], dtype: usize) -> RuleResult {
    let default = a[..dtype.min(a.len())].iter().try_fold(DType::I64, |d, m| match dtype_of_number(m)? {
        DType::I64 | DType::Bool => Some(d),
        _ => Some(DType::F32),
    });
    let dtype = a.dtype_or(dtype, default);
    let float = |at: Option<usize>, usual: f64| at.map_or(Some(usual), |i| a.float(i));
    let (Some(first), Some(last), Some(by)) = (float(start, 0.0), float(end, 0.0), float(step, 1.0)) else {
        let whole = |at: Option<usize>, usual: i64| at.map_or(Size::Known(usual), |i| a.size(i));
        return vector(whole_steps(whole(start, 0), whole(end, 0), whole(step, 1)), dtype);
    };
    check_steps(first, last, by, true)?;
    let count = if dtype == Some(DType::I64) {
        // Whole numbers: the ends and the step are cut before the division.
        let (first, last, by) = (first as i64, last as i64, by as i64);
        refuse!(if by == 0, "step must be nonzero");
        ((last.wrapping_sub(first)) as f64 / by as f64).ceil()
    } else {
        ((last - first) / by).ceil()
    };
    refuse!(if !MOST.contains(&count), "invalid size, possible overflow: {count}");
    vector(Size::Known(count as i64), dtype)
}

/// (start, end), the end included.
fn inclusive(a: &[Meta], step: Option<usize>, dtype: usize) -> RuleResult {
    let chosen = a.dtype_or(dtype, Some(DType::F32));
    let step = step.map_or(Some(1.0), |i| a.float(i));
    let (Some(start), Some(end), Some(step)) = (a.float(0), a.float(1), step) else {
        return vector(Size::Unknown, chosen);
    };
    check_steps(start, end, step, false)?;
    let count = ((end - start) / step).floor() + 1.0;
    refuse!(if !MOST.contains(&count), "unsupported range: {} -> {}", number_text(start), number_text(end));
    vector(Size::Known(count as i64), chosen)
}

rules! {
    /// (end, *, dtype, …).
    arange = range, [None, Some(0), None], 1;
    /// (start, end, *, dtype, …).
    arange_start = range, [Some(0), Some(1), None], 2;
    /// (start, end, step, *, dtype, …).
    arange_step = range, [Some(0), Some(1), Some(2)], 3;
    /// (start, end, *, dtype, …), the end included.
    range_inclusive = inclusive, None, 2;
    /// (start, end, step, *, dtype, …), the end included.
    range_inclusive_step = inclusive, Some(2), 3;
    /// (start, end, steps, *, dtype, …).
    linspace = spaced, 3, "linspace";
    /// (start, end, steps, base, *, dtype, …).
    logspace = spaced, 4, "logspace";
    /// (n, *, dtype, …).
    eye = square, 0, 1;
    /// (n, m, *, dtype, …).
    eye_m = square, 1, 2;
    /// (n, *, dtype, …).
    randperm = permutation, 1;
    /// (n, *, generator, dtype, …).
    randperm_generator = permutation, 2;
    /// (row, col, offset, *, dtype, …).
    tril_indices = triangle, false; triu_indices = triangle, true;
}

fn spaced(a: &[Meta], dtype: usize, name: &str) -> RuleResult {
    let rank = |i| sizes_at(a, i).map(|s| s.len()).filter(|r| *r != 0);
    let but = match (rank(0), rank(1)) {
        (Some(s), Some(e)) => Some(format!("start with {s} dimension(s) and end with {e}")),
        (Some(s), None) => Some(format!("start with {s}")),
        (None, Some(e)) => Some(format!("end with {e}")),
        (None, None) => None,
    };
    refuse!(if let Some(but) = but,
        "{name} only supports 0-dimensional start and end tensors, but got {but} dimension(s).");
    refuse!(if a.int(2).is_some_and(|n| n < 0), "number of steps must be non-negative");
    let complex = a.iter().take(2).filter_map(dtype_of_number).any(DType::is_complex);
    let chosen = a.dtype_or(dtype, Some(if complex { DType::C64 } else { DType::F32 }));
    refuse!(if let Some(d) = chosen, complex && !d.is_complex(),
        "torch.{name}(): inferred dtype c10::complex<float> can't be safely cast to passed dtype {}", d.graph_name());
    vector(a.size(2), chosen)
}

fn square(a: &[Meta], columns: usize, dtype: usize) -> RuleResult {
    for (name, i) in [("n", 0), ("m", columns)] {
        refuse!(if let Some(size) = a.int(i), size < 0, "{name} must be greater or equal to 0, got {size}");
    }
    made(Some(smallvec![a.size(0), a.size(columns)]), a.dtype_or(dtype, Some(DType::F32)))
}

/// A column for each entry of a matrix below a diagonal, that included, or above it.
fn triangle(rows: Int, columns: Int, offset: Int, dtype: Asked, upper: bool) -> RuleResult {
    for (n, name) in [(rows, "row"), (columns, "col")] {
        refuse!(if let Some(n) = n, n < 0, "{name} must be non-negative, got{n}");
    }
    let count = match (rows, columns, offset) {
        (Some(rows), Some(columns), Some(offset)) if rows <= 1 << 24 => (0..rows).try_fold(0i64, |n, row| {
            let first = row.saturating_add(offset);
            let below = first.saturating_add(1).clamp(0, columns);
            n.checked_add(if upper { columns - first.clamp(0, columns) } else { below })
        }),
        _ => None,
    };
    made(Some(smallvec![Size::Known(2), count.into()]), dtype.or(Some(DType::I64)))
}

fn permutation(a: &[Meta], dtype: usize) -> RuleResult {
    refuse!(if let Some(n) = a.int(0), n < 0, "n must be non-negative, got{n}");
    let dtype = a.dtype_or(dtype, Some(DType::I64));
    kernel("randperm", dtype, |d| !d.is_complex() && d != DType::Bool)?;
    vector(a.size(0), dtype)
}

pub fn multinomial(t: TensorMeta, samples: Size) -> RuleResult {
    let Some(sizes) = t.sizes else { return one(Some(DType::I64), None) };
    refuse!(if sizes.is_empty() || sizes.len() > 2, "prob_dist must be 1 or 2 dim");
    refuse!(if samples.known().is_some_and(|n| n <= 0), "cannot sample n_sample <= 0 samples");
    made(Some(sizes[..sizes.len() - 1].iter().copied().chain([samples]).collect()), Some(DType::I64))
}
