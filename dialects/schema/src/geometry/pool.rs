//! The windows of a pooling call, and by what its sums are divided.

use super::{Axis, Window, Windows};
use crate::dim::Dim;
use crate::shape::Sizes;
use crate::shape::args::*;

/// Divisors of averages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Divisor {
    Given(i64),
    /// As many elements as a window has, also of the padding.
    WithPadding,
    /// As many as it has of the image.
    Inside,
}

impl Divisor {
    /// Of (self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), of which one dimension has not the last.
    pub fn of(a: &[Meta]) -> Option<Divisor> {
        match a.int(6) {
            Some(n) => Some(Divisor::Given(n)),
            None if a.is_none(6) || a.len() <= 6 => {
                Some(if a.bool(5)? { Divisor::WithPadding } else { Divisor::Inside })
            }
            None => None,
        }
    }

    /// The factor of window `w` of one dimension; a number that is given is none of them.
    #[inline(always)]
    pub fn factor(self, axis: &Axis, w: usize) -> usize {
        match self {
            Divisor::Given(_) => 1,
            Divisor::WithPadding => axis.with_padding(w),
            Divisor::Inside => axis.elements(w).len(),
        }
    }

    /// What a sum is divided by, of the product of its window's factors. A window that meets nothing has the sum 0.
    #[inline(always)]
    pub fn whole(self, factors: usize) -> f64 {
        match self {
            Divisor::Given(n) => n as f64,
            _ => factors.max(1) as f64,
        }
    }
}

/// A list argument with one value per dimension; one value stands for all, no value for `empty`.
fn spread(
    op: &str,
    name: &str,
    n: usize,
    list: Option<Sizes>,
    empty: Option<&[i64]>,
) -> Result<Option<SmallVec<[i64; 6]>>, ShapeError> {
    let Some(known) = list.as_deref().and_then(all_known) else { return Ok(None) };
    if let (true, Some(e)) = (known.is_empty(), empty) {
        return Ok(Some(e.into()));
    }
    match known.len() {
        l if l == n => return Ok(Some(known)),
        1 => return Ok(Some(smallvec![known[0]; n])),
        _ => {}
    }
    refuse!(if n == 1, "{op}() argument '{name}' should contain one int (got {})", known.len());
    let either = match (n, name) {
        (2, "stride") => "must either be omitted,",
        (_, "stride") => "must be omitted,",
        (_, "dilation") => "must be either",
        (2, _) => "must either be",
        _ if op.starts_with("max") => "must either be",
        _ => "must be",
    };
    let many = if n == 2 { "two" } else { "three" };
    error(format!("{op}: {name} {either} a single int, or a tuple of {many} ints"))
}

/// Of (self, kernel_size, stride, padding, …), the rest at these places. What they must be is looked at by [`checked`].
fn read(op: &str, n: usize, a: &[Meta], dilation: Option<usize>, ceil: usize) -> Result<Option<Windows>, ShapeError> {
    let Some(kernel) = spread(op, "kernel_size", n, a.sizes(1), None)? else { return Ok(None) };
    let Some(stride) = spread(op, "stride", n, a.sizes(2), Some(&kernel))? else { return Ok(None) };
    let Some(padding) = spread(op, "padding", n, a.sizes(3), None)? else { return Ok(None) };
    let dilation = dilation.map_or(Ok(Some(smallvec![1; n])), |i| spread(op, "dilation", n, a.sizes(i), None))?;
    let (Some(dilation), Some(ceil)) = (dilation, a.bool(ceil)) else { return Ok(None) };
    let window = |d: usize| Window {
        kernel: Dim::Known(kernel[d]),
        stride: stride[d],
        padding: (padding[d], padding[d]),
        dilation: dilation[d],
        ceil,
    };
    Ok(Some(Windows((0..n).map(window).collect())))
}

pub(crate) const AVERAGES: [&str; 3] = ["avg_pool1d", "avg_pool2d", "avg_pool3d"];
pub(crate) const MAXIMA: [&str; 3] = ["max_pool1d", "max_pool2d", "max_pool3d"];

/// As they are written, of averages.
pub(crate) fn unchecked_average(a: &[Meta], n: usize) -> Result<Option<Windows>, ShapeError> {
    read(AVERAGES[n - 1], n, a, None, 4)
}

/// As they are written, of maxima.
pub(crate) fn unchecked_max(a: &[Meta], n: usize) -> Result<Option<Windows>, ShapeError> {
    read(MAXIMA[n - 1], n, a, Some(4), 5)
}

/// The windows of an average over the last `n` dimensions: one to three.
pub fn average(a: &[Meta], n: usize) -> Result<Option<Windows>, ShapeError> {
    unchecked_average(a, n)?.map(checked).transpose()
}

/// Of a maximum.
pub fn max(a: &[Meta], n: usize) -> Result<Option<Windows>, ShapeError> {
    unchecked_max(a, n)?.map(checked).transpose()
}

/// Sizes of two or three dimensions by the letters of their names.
pub(crate) fn named(prefixes: &str, sizes: &[Dim]) -> String {
    let letters = if sizes.len() == 3 { &["T", "H", "W"][..] } else { &["H", "W"] };
    letters.iter().zip(sizes).map(|(l, x)| format!("{prefixes}{l}: {x}")).collect::<Vec<_>>().join(" ")
}

/// What kernel, stride and padding must be whatever the image. One dimension stands for the second of two, of height 1.
pub(crate) fn checked(all: Windows) -> Result<Windows, ShapeError> {
    for w in &all.0 {
        let (k, (p, _), d) = (w.kernel.known().unwrap_or(1), w.padding, w.dilation);
        refuse!(if w.stride == 0, "stride should not be zero");
        refuse!(if p < 0, "pad must be non-negative, but got pad: {p}");
        refuse!(if p > ((k - 1).saturating_mul(d).saturating_add(1)) / 2,
            "pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and dilation={d}");
    }
    let [kernels, strides, dilations] =
        [all.list(|w| w.kernel), all.list(|w| Dim::Known(w.stride)), all.list(|w| Dim::Known(w.dilation))];
    for (what, prefix, mut list) in
        [("kernel size", "k", kernels), ("stride", "d", strides), ("dilation", "dilation", dilations)]
    {
        if list.len() == 1 {
            list.insert(0, Dim::Known(1));
        }
        refuse!(if list.iter().any(|x| x.known().is_some_and(|x| x <= 0)),
            "{what} should be greater than zero, but got {}", named(prefix, &list));
    }
    Ok(all)
}
