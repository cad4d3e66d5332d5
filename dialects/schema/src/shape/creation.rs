//! Sizes and dtypes of tensors made from nothing, from numbers, or in the likeness of another.

use super::args::{Args, show};
use super::read::{one, sizes_at, tensor_at, with_sizes};
use super::{Meta, RuleResult, ShapeError, Size, Sizes};
use crate::DType;

/// The dtype at an optional argument, else `default`; unknown where neither is known.
fn dtype_or(args: &[Meta], i: usize, default: Option<DType>) -> Option<DType> {
    match Args(args).dtype(i) {
        Some(Some(d)) => Some(d),
        Some(None) => default,
        None => None,
    }
}

fn checked(sizes: Sizes) -> Result<Sizes, ShapeError> {
    match sizes.iter().find_map(|s| s.known().filter(|n| *n < 0)) {
        Some(n) => {
            Err(ShapeError::runtime(format!("Trying to create tensor with negative dimension {n}: {}", show(&sizes))))
        }
        None => Ok(sizes),
    }
}

fn made(sizes: Option<Sizes>, dtype: Option<DType>) -> RuleResult {
    one(super::args::tensor(dtype, sizes.map(checked).transpose()?))
}

/// The dtype a number gives a tensor.
fn dtype_of_number(m: &Meta) -> Option<DType> {
    match m {
        Meta::Bool(_) => Some(DType::Bool),
        Meta::Int(_) => Some(DType::I64),
        Meta::Float(_) => Some(DType::F32),
        Meta::Complex(..) => Some(DType::C64),
        // A tensor of rank 0 that stands for a number.
        Meta::Tensor(t) => t.dtype.map(|d| if d.is_float() { DType::F32 } else { d }),
        _ => None,
    }
}

/// (size, *, dtype, …).
pub fn sized(args: &[Meta]) -> RuleResult {
    made(Args(args).sizes(0), dtype_or(args, 1, Some(DType::F32)))
}

/// (size, generator, *, dtype, …), (size, stride, *, dtype, …).
pub fn sized_with(args: &[Meta]) -> RuleResult {
    made(Args(args).sizes(0), dtype_or(args, 2, Some(DType::F32)))
}

/// (size, stride, *, dtype, …).
pub fn strided(args: &[Meta]) -> RuleResult {
    strided_lengths(args, 0)?;
    sized_with(args)
}

fn strided_lengths(args: &[Meta], first: usize) -> Result<(), ShapeError> {
    if let (Some(sizes), Some(strides)) = (Args(args).sizes(first), Args(args).sizes(first + 1))
        && sizes.len() != strides.len()
    {
        return Err(ShapeError::runtime(format!(
            "dimensionality of sizes ({}) must match dimensionality of strides ({})",
            sizes.len(),
            strides.len()
        )));
    }
    Ok(())
}

/// (size, fill_value, *, dtype, …).
pub fn full(args: &[Meta]) -> RuleResult {
    made(Args(args).sizes(0), dtype_or(args, 2, dtype_of_number(Args(args).get(1))))
}

fn like_at(args: &[Meta], dtype: usize) -> RuleResult {
    let t = Args(args).tensor(0)?;
    made(t.sizes, dtype_or(args, dtype, t.dtype))
}

/// (self, *, dtype, …).
pub fn like(args: &[Meta]) -> RuleResult {
    like_at(args, 1)
}

/// (self, fill_value, *, dtype, …), (self, generator, *, dtype, …), (self, high, *, dtype, …).
pub fn like_with(args: &[Meta]) -> RuleResult {
    like_at(args, 2)
}

/// (self, low, high, *, dtype, …).
pub fn like_with_two(args: &[Meta]) -> RuleResult {
    like_at(args, 3)
}

/// (self, low, high, generator, *, dtype, …).
pub fn like_with_three(args: &[Meta]) -> RuleResult {
    like_at(args, 4)
}

/// (self, …): sizes and dtype of the first argument.
pub fn same(args: &[Meta]) -> RuleResult {
    match tensor_at(args, 0) {
        Some(t) => one(with_sizes(t, t.sizes.clone())),
        None => one(Meta::Unknown),
    }
}

/// (self, value): the value is a number or a tensor of rank 0.
pub fn fill(args: &[Meta]) -> RuleResult {
    if let Some(rank) = sizes_at(args, 1).map(|s| s.len())
        && rank != 0
    {
        return Err(ShapeError::runtime(format!(
            "fill_ only supports 0-dimension value tensor but got tensor with {rank} dimensions."
        )));
    }
    same(args)
}

/// (self, size, *, dtype, …).
pub fn new_sized(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    made(Args(args).sizes(1), dtype_or(args, 2, t.dtype))
}

/// (self, size, fill_value, *, dtype, …).
pub fn new_full(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    made(Args(args).sizes(1), dtype_or(args, 3, t.dtype))
}

/// (self, size, stride, *, dtype, …).
pub fn new_strided(args: &[Meta]) -> RuleResult {
    strided_lengths(args, 1)?;
    new_full(args)
}

/// A number as C++ prints it.
fn number_text(x: f64) -> String {
    if x.is_infinite() { if x < 0.0 { "-inf".into() } else { "inf".into() } } else { format!("{x}") }
}

fn range(start: &Meta, end: &Meta, step: &Meta, dtype: Option<DType>) -> RuleResult {
    let float = |m: &Meta| Args(std::slice::from_ref(m)).float(0);
    let (Some(first), Some(last), Some(by)) = (float(start), float(end), float(step)) else {
        return made(Some(smallvec::smallvec![Size::Unknown]), dtype);
    };
    if by == 0.0 {
        return Err(ShapeError::runtime("step must be nonzero"));
    }
    if !first.is_finite() || !last.is_finite() {
        return Err(ShapeError::runtime(format!("unsupported range: {} -> {}", number_text(first), number_text(last))));
    }
    if (by > 0.0 && last < first) || (by < 0.0 && last > first) {
        return Err(ShapeError::runtime("upper bound and lower bound inconsistent with step sign"));
    }
    let count = if dtype == Some(DType::I64) {
        // Whole numbers: the ends and the step are cut before the division.
        let (first, last, by) = (first as i64, last as i64, by as i64);
        if by == 0 {
            return Err(ShapeError::runtime("step must be nonzero"));
        }
        ((last.wrapping_sub(first)) as f64 / by as f64).ceil()
    } else {
        ((last - first) / by).ceil()
    };
    if !(0.0..=9e18).contains(&count) {
        return Err(ShapeError::runtime(format!("invalid size, possible overflow: {count}")));
    }
    made(Some(smallvec::smallvec![Size::Known(count as i64)]), dtype)
}

fn range_dtype(args: &[Meta], dtype: usize) -> Option<DType> {
    let default = args[..dtype.min(args.len())].iter().try_fold(DType::I64, |d, m| match dtype_of_number(m)? {
        DType::I64 | DType::Bool => Some(d),
        _ => Some(DType::F32),
    });
    dtype_or(args, dtype, default)
}

/// (end, *, dtype, …).
pub fn arange(args: &[Meta]) -> RuleResult {
    range(&Meta::Int(Size::Known(0)), Args(args).get(0), &Meta::Int(Size::Known(1)), range_dtype(args, 1))
}

/// (start, end, *, dtype, …).
pub fn arange_start(args: &[Meta]) -> RuleResult {
    range(Args(args).get(0), Args(args).get(1), &Meta::Int(Size::Known(1)), range_dtype(args, 2))
}

/// (start, end, step, *, dtype, …).
pub fn arange_step(args: &[Meta]) -> RuleResult {
    range(Args(args).get(0), Args(args).get(1), Args(args).get(2), range_dtype(args, 3))
}

fn inclusive(args: &[Meta], step: Option<f64>, dtype: usize) -> RuleResult {
    let chosen = dtype_or(args, dtype, Some(DType::F32));
    let (Some(start), Some(end), Some(step)) = (Args(args).float(0), Args(args).float(1), step) else {
        return made(Some(smallvec::smallvec![Size::Unknown]), chosen);
    };
    if step == 0.0 {
        return Err(ShapeError::runtime("step must be nonzero"));
    }
    if (step > 0.0 && end < start) || (step < 0.0 && end > start) {
        return Err(ShapeError::runtime("upper bound and lower bound inconsistent with step sign"));
    }
    let count = ((end - start) / step).floor() + 1.0;
    if !(0.0..=9e18).contains(&count) {
        return Err(ShapeError::runtime(format!("unsupported range: {} -> {}", number_text(start), number_text(end))));
    }
    made(Some(smallvec::smallvec![Size::Known(count as i64)]), chosen)
}

/// (start, end, *, dtype, …), the end included.
pub fn range_inclusive(args: &[Meta]) -> RuleResult {
    inclusive(args, Some(1.0), 2)
}

/// (start, end, step, *, dtype, …), the end included.
pub fn range_inclusive_step(args: &[Meta]) -> RuleResult {
    inclusive(args, Args(args).float(2), 3)
}

/// (mean, std, size, *, generator, dtype, …).
pub fn normal_sized(args: &[Meta]) -> RuleResult {
    made(Args(args).sizes(2), dtype_or(args, 4, Some(DType::F32)))
}

/// (start, end, steps, *, dtype, …).
pub fn linspace(args: &[Meta]) -> RuleResult {
    spaced(args, 3, "linspace")
}

/// (start, end, steps, base, *, dtype, …).
pub fn logspace(args: &[Meta]) -> RuleResult {
    spaced(args, 4, "logspace")
}

fn spaced(args: &[Meta], dtype: usize, name: &str) -> RuleResult {
    let rank = |i| sizes_at(args, i).map(|s| s.len()).filter(|r| *r != 0);
    let but = match (rank(0), rank(1)) {
        (Some(s), Some(e)) => Some(format!("start with {s} dimension(s) and end with {e}")),
        (Some(s), None) => Some(format!("start with {s}")),
        (None, Some(e)) => Some(format!("end with {e}")),
        (None, None) => None,
    };
    if let Some(but) = but {
        return Err(ShapeError::runtime(format!(
            "{name} only supports 0-dimensional start and end tensors, but got {but} dimension(s)."
        )));
    }
    let steps = Args(args).size(2);
    if steps.known().is_some_and(|n| n < 0) {
        return Err(ShapeError::runtime("number of steps must be non-negative"));
    }
    let kinds = [dtype_of_number(Args(args).get(0)), dtype_of_number(Args(args).get(1))];
    let default = if kinds.iter().flatten().any(|d| d.is_complex()) { DType::C64 } else { DType::F32 };
    let chosen = dtype_or(args, dtype, Some(default));
    if let Some(d) = chosen
        && default.is_complex()
        && !d.is_complex()
    {
        return Err(ShapeError::runtime(format!(
            "torch.{name}(): inferred dtype c10::complex<float> can't be safely cast to passed dtype {}",
            d.graph_name()
        )));
    }
    made(Some(smallvec::smallvec![steps]), chosen)
}

/// (n, *, dtype, …).
pub fn eye(args: &[Meta]) -> RuleResult {
    square(args, Args(args).size(0), Args(args).size(0), 1)
}

/// (n, m, *, dtype, …).
pub fn eye_m(args: &[Meta]) -> RuleResult {
    square(args, Args(args).size(0), Args(args).size(1), 2)
}

fn square(args: &[Meta], n: Size, m: Size, dtype: usize) -> RuleResult {
    for (name, size) in [("n", n), ("m", m)] {
        if let Some(size) = size.known().filter(|s| *s < 0) {
            return Err(ShapeError::runtime(format!("{name} must be greater or equal to 0, got {size}")));
        }
    }
    made(Some(smallvec::smallvec![n, m]), dtype_or(args, dtype, Some(DType::F32)))
}

/// (s, *, dtype, …).
pub fn scalar_tensor(args: &[Meta]) -> RuleResult {
    made(Some(Sizes::new()), dtype_or(args, 1, Some(DType::F32)))
}

/// (row, col, offset, *, dtype, …): a column for each entry that `in_row(row, columns, offset)` counts.
fn tri_indices(args: &[Meta], in_row: fn(i64, i64, i64) -> i64) -> RuleResult {
    for (i, name) in [(0, "row"), (1, "col")] {
        if let Some(n) = Args(args).int(i).filter(|n| *n < 0) {
            return Err(ShapeError::runtime(format!("{name} must be non-negative, got{n}")));
        }
    }
    let args = Args(args);
    let count = match (args.int(0), args.int(1), args.int(2)) {
        (Some(rows), Some(columns), Some(offset)) if rows <= 1 << 24 => {
            let total = (0..rows).try_fold(0i64, |n, row| n.checked_add(in_row(row, columns, offset)));
            total.map_or(Size::Unknown, Size::Known)
        }
        _ => Size::Unknown,
    };
    made(Some(smallvec::smallvec![Size::Known(2), count]), dtype_or(args.0, 3, Some(DType::I64)))
}

/// (row, col, offset, *, dtype, …).
pub fn tril_indices(args: &[Meta]) -> RuleResult {
    tri_indices(args, |row, columns, offset| row.saturating_add(offset).saturating_add(1).clamp(0, columns))
}

/// (row, col, offset, *, dtype, …).
pub fn triu_indices(args: &[Meta]) -> RuleResult {
    tri_indices(args, |row, columns, offset| columns - row.saturating_add(offset).clamp(0, columns))
}

/// (length, *, start, step, dtype, …).
pub fn iota(args: &[Meta]) -> RuleResult {
    made(Some(smallvec::smallvec![Args(args).size(0)]), dtype_or(args, 3, Some(DType::I64)))
}

/// (high, size, *, dtype, …).
pub fn randint(args: &[Meta]) -> RuleResult {
    made(Args(args).sizes(1), dtype_or(args, 2, Some(DType::I64)))
}

/// (low, high, size, *, dtype, …).
pub fn randint_low(args: &[Meta]) -> RuleResult {
    made(Args(args).sizes(2), dtype_or(args, 3, Some(DType::I64)))
}

/// (high, size, *, generator, dtype, …).
pub fn randint_generator(args: &[Meta]) -> RuleResult {
    made(Args(args).sizes(1), dtype_or(args, 3, Some(DType::I64)))
}

/// (low, high, size, *, generator, dtype, …).
pub fn randint_low_generator(args: &[Meta]) -> RuleResult {
    made(Args(args).sizes(2), dtype_or(args, 4, Some(DType::I64)))
}

fn permutation(args: &[Meta], dtype: usize) -> RuleResult {
    let n = Args(args).size(0);
    if let Some(n) = n.known().filter(|n| *n < 0) {
        return Err(ShapeError::runtime(format!("n must be non-negative, got{n}")));
    }
    match dtype_or(args, dtype, Some(DType::I64)) {
        Some(d) if d.is_complex() || d == DType::Bool => super::args::not_implemented_for("randperm", d),
        dtype => made(Some(smallvec::smallvec![n]), dtype),
    }
}

/// (n, *, dtype, …).
pub fn randperm(args: &[Meta]) -> RuleResult {
    permutation(args, 1)
}

/// (n, *, generator, dtype, …).
pub fn randperm_generator(args: &[Meta]) -> RuleResult {
    permutation(args, 2)
}

/// (self, num_samples, …).
pub fn multinomial(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    let Some(sizes) = t.sizes else { return one(super::args::tensor(Some(DType::I64), None)) };
    if sizes.is_empty() || sizes.len() > 2 {
        return Err(ShapeError::runtime("prob_dist must be 1 or 2 dim"));
    }
    let samples = Args(args).size(1);
    if samples.known().is_some_and(|n| n <= 0) {
        return Err(ShapeError::runtime("cannot sample n_sample <= 0 samples"));
    }
    let mut out: Sizes = sizes[..sizes.len() - 1].iter().copied().collect();
    out.push(samples);
    made(Some(out), Some(DType::I64))
}

/// (shape, number, number, *, dtype, …).
pub fn sized_with_numbers(args: &[Meta]) -> RuleResult {
    made(Args(args).sizes(0), dtype_or(args, 3, Some(DType::F32)))
}

/// 32-bit integers, as many as the list has.
pub fn integers_of_list(args: &[Meta]) -> RuleResult {
    let count = match args.first() {
        Some(Meta::List(items)) => Size::Known(items.len() as i64),
        _ => Size::Unknown,
    };
    made(Some([count].into_iter().collect()), Some(DType::I32))
}
