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
}

/// The dtype a number gives a tensor; one of rank 0 may stand for a number.
fn dtype_of_number(m: &Meta) -> Option<DType> {
    match m {
        Meta::Tensor(t) => t.dtype.map(|d| if d.is_float() { DType::F32 } else { d }),
        number => super::like::dtype_of_number(number, DType::F32, DType::C64),
    }
}

/// As many strides as sizes, one argument after the other.
fn strided_lengths(a: &[Meta], first: usize) -> Result<(), ShapeError> {
    refuse!(if let (Some(sizes), Some(strides)) = (a.sizes(first), a.sizes(first + 1)), sizes.len() != strides.len(),
        "dimensionality of sizes ({}) must match dimensionality of strides ({})", sizes.len(), strides.len());
    Ok(())
}

/// (size, stride, *, dtype, …).
pub fn strided(a: &[Meta]) -> RuleResult {
    strided_lengths(a, 0)?;
    sized_with(a)
}

/// (self, size, stride, *, dtype, …).
pub fn new_strided(a: &[Meta]) -> RuleResult {
    strided_lengths(a, 1)?;
    new_full(a)
}

/// (size, fill_value, *, dtype, …).
pub fn full(a: &[Meta]) -> RuleResult {
    made(a.sizes(0), a.dtype_or(2, dtype_of_number(a.meta(1))))
}

/// (self, …): sizes and dtype of the first argument.
pub fn same(a: &[Meta]) -> RuleResult {
    Ok(smallvec![tensor_at(a, 0).map_or(Meta::Unknown, |t| t.with_sizes(t.sizes.clone()))])
}

/// (self, value): the value is a number or a tensor of rank 0.
pub fn fill(a: &[Meta]) -> RuleResult {
    refuse!(if let Some(rank) = sizes_at(a, 1).map(|s| s.len()), rank != 0,
        "fill_ only supports 0-dimension value tensor but got tensor with {rank} dimensions.");
    same(a)
}

/// A number as C++ prints it.
fn number_text(x: f64) -> String {
    if x.is_infinite() { if x < 0.0 { "-inf".into() } else { "inf".into() } } else { format!("{x}") }
}

/// Numbers from one towards another.
fn check_steps(first: f64, last: f64, by: f64) -> Result<(), ShapeError> {
    refuse!(if by == 0.0, "step must be nonzero");
    refuse!(if !first.is_finite() || !last.is_finite(),
        "unsupported range: {} -> {}", number_text(first), number_text(last));
    refuse!(if (by > 0.0 && last < first) || (by < 0.0 && last > first),
        "upper bound and lower bound inconsistent with step sign");
    Ok(())
}

/// As many as no tensor has.
const MOST: std::ops::RangeInclusive<f64> = 0.0..=9e18;

/// Start, end and step among the arguments, or what they are where nobody says.
fn range(a: &[Meta], [start, end, step]: [Option<usize>; 3], dtype: usize) -> RuleResult {
    let default = a[..dtype.min(a.len())].iter().try_fold(DType::I64, |d, m| match dtype_of_number(m)? {
        DType::I64 | DType::Bool => Some(d),
        _ => Some(DType::F32),
    });
    let dtype = a.dtype_or(dtype, default);
    let float = |at: Option<usize>, usual: f64| at.map_or(Some(usual), |i| a.float(i));
    let (Some(first), Some(last), Some(by)) = (float(start, 0.0), float(end, 0.0), float(step, 1.0)) else {
        return vector(Size::Unknown, dtype);
    };
    check_steps(first, last, by)?;
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
    refuse!(if step == 0.0, "step must be nonzero");
    refuse!(if (step > 0.0 && end < start) || (step < 0.0 && end > start),
        "upper bound and lower bound inconsistent with step sign");
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
    tril_indices = tri_indices, |row, columns, offset| row.saturating_add(offset).saturating_add(1).clamp(0, columns);
    triu_indices = tri_indices, |row, columns, offset| columns - row.saturating_add(offset).clamp(0, columns);
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

/// (s, *, dtype, …).
pub fn scalar_tensor(a: &[Meta]) -> RuleResult {
    made(Some(Sizes::new()), a.dtype_or(1, Some(DType::F32)))
}

/// (row, col, offset, *, dtype, …): a column for each entry that `in_row(row, columns, offset)` counts.
fn tri_indices(a: &[Meta], in_row: fn(i64, i64, i64) -> i64) -> RuleResult {
    for (i, name) in [(0, "row"), (1, "col")] {
        refuse!(if let Some(n) = a.int(i), n < 0, "{name} must be non-negative, got{n}");
    }
    let count = match (a.int(0), a.int(1), a.int(2)) {
        (Some(rows), Some(columns), Some(offset)) if rows <= 1 << 24 => {
            (0..rows).try_fold(0i64, |n, row| n.checked_add(in_row(row, columns, offset)))
        }
        _ => None,
    };
    made(Some(smallvec![Size::Known(2), count.into()]), a.dtype_or(3, Some(DType::I64)))
}

/// (length, *, start, step, dtype, …).
pub fn iota(a: &[Meta]) -> RuleResult {
    vector(a.size(0), a.dtype_or(3, Some(DType::I64)))
}

fn permutation(a: &[Meta], dtype: usize) -> RuleResult {
    refuse!(if let Some(n) = a.int(0), n < 0, "n must be non-negative, got{n}");
    let dtype = a.dtype_or(dtype, Some(DType::I64));
    kernel("randperm", dtype, |d| !d.is_complex() && d != DType::Bool)?;
    vector(a.size(0), dtype)
}

/// (self, num_samples, …).
pub fn multinomial(a: &[Meta]) -> RuleResult {
    let Some(sizes) = a.tensor(0)?.sizes else { return one(Some(DType::I64), None) };
    refuse!(if sizes.is_empty() || sizes.len() > 2, "prob_dist must be 1 or 2 dim");
    refuse!(if a.int(1).is_some_and(|n| n <= 0), "cannot sample n_sample <= 0 samples");
    let lead = sizes[..sizes.len() - 1].iter().copied();
    made(Some(lead.chain([a.size(1)]).collect()), Some(DType::I64))
}

/// 32-bit integers, as many as the list has.
pub fn integers_of_list(a: &[Meta]) -> RuleResult {
    let count = if let Meta::List(items) = a.meta(0) { Size::Known(items.len() as i64) } else { Size::Unknown };
    vector(count, Some(DType::I32))
}
