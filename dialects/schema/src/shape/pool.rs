//! Rules of pooling: how many windows fit, rounded down or up.

use super::args::*;
use super::conv::real;
use super::{Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
use smallvec::smallvec;

/// Settings of a window per spatial dimension.
struct Windows {
    kernel: Vec<i64>,
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    ceil: bool,
}

/// A list argument with one value per dimension; one value stands for all, no value for `empty`.
fn spread(
    op: &str,
    name: &str,
    n: usize,
    list: Option<Sizes>,
    empty: Option<&[i64]>,
) -> Result<Option<Vec<i64>>, ShapeError> {
    let Some(list) = list else { return Ok(None) };
    if list.is_empty()
        && let Some(e) = empty
    {
        return Ok(Some(e.to_vec()));
    }
    let Some(known) = all_known(&list) else { return Ok(None) };
    match known.len() {
        l if l == n => Ok(Some(known.to_vec())),
        1 => Ok(Some(vec![known[0]; n])),
        l if n == 1 => error(format!("{op}() argument '{name}' should contain one int (got {l})")),
        _ => {
            let many = if n == 2 { "two" } else { "three" };
            let either = match (n, name) {
                (2, "stride") => {
                    format!("{op}: stride must either be omitted, a single int, or a tuple of {many} ints")
                }
                (2, "dilation") => format!("{op}: dilation must be either a single int, or a tuple of {many} ints"),
                (2, _) => format!("{op}: {name} must either be a single int, or a tuple of {many} ints"),
                (_, "stride") => format!("{op}: stride must be omitted, a single int, or a tuple of {many} ints"),
                (_, "dilation") => format!("{op}: dilation must be either a single int, or a tuple of {many} ints"),
                _ => format!("{op}: {name} must be a single int, or a tuple of {many} ints"),
            };
            error(either)
        }
    }
}

/// Where a window argument stands among the operator's.
struct Positions {
    dilation: Option<usize>,
    ceil: usize,
}

fn read(op: &str, n: usize, a: Args<'_>, at: Positions) -> Result<Option<Windows>, ShapeError> {
    let Some(kernel) = spread(op, "kernel_size", n, a.sizes(1), None)? else { return Ok(None) };
    let Some(stride) = spread(op, "stride", n, a.sizes(2), Some(&kernel))? else { return Ok(None) };
    let Some(padding) = spread(op, "padding", n, a.sizes(3), None)? else { return Ok(None) };
    let dilation = match at.dilation {
        Some(i) => match spread(op, "dilation", n, a.sizes(i), None)? {
            Some(d) => d,
            None => return Ok(None),
        },
        None => vec![1; n],
    };
    Ok(a.bool(at.ceil).map(|ceil| Windows { kernel, stride, padding, dilation, ceil }))
}

/// How many windows fit.
pub fn pooled(input: i64, k: i64, s: i64, p: i64, d: i64, ceil: bool) -> i64 {
    let extra = if ceil { s - 1 } else { 0 };
    let span = i128::from(input) + 2 * i128::from(p) - i128::from(d) * (i128::from(k) - 1) - 1 + i128::from(extra);
    let mut out = span.div_euclid(i128::from(s)) + 1;
    // The last window starts inside the input or its left padding.
    if ceil && (out - 1) * i128::from(s) >= i128::from(input) + i128::from(p) {
        out -= 1;
    }
    out.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

fn named(prefixes: &str, n: usize, v: &[i64]) -> String {
    let letters = match n {
        1 => &["W"][..],
        2 => &["H", "W"],
        _ => &["T", "H", "W"],
    };
    // One-dimensional pools are two-dimensional ones of height 1.
    let items: Vec<String> = if n == 1 {
        vec![format!("{prefixes}H: 1"), format!("{prefixes}W: {}", v[0])]
    } else {
        letters.iter().zip(v).map(|(l, x)| format!("{prefixes}{l}: {x}")).collect()
    };
    items.join(" ")
}

fn sizes_of(t: &TensorMeta, n: usize, w: &Windows) -> Result<Option<Sizes>, ShapeError> {
    for d in 0..n {
        if w.kernel[d] <= 0 {
            return error(format!("kernel size should be greater than zero, but got {}", named("k", n, &w.kernel)));
        }
    }
    if w.stride.contains(&0) {
        return error("stride should not be zero");
    }
    if w.stride.iter().any(|s| *s <= 0) {
        return error(format!("stride should be greater than zero, but got {}", named("d", n, &w.stride)));
    }
    if w.dilation.iter().any(|s| *s <= 0) {
        return error(format!("dilation should be greater than zero, but got {}", named("dilation", n, &w.dilation)));
    }
    for d in 0..n {
        if w.padding[d] < 0 {
            return error(format!("pad must be non-negative, but got pad: {}", w.padding[d]));
        }
        if w.padding[d] > ((w.kernel[d] - 1).saturating_mul(w.dilation[d]).saturating_add(1)) / 2 {
            return error(format!(
                "pad should be at most half of effective kernel size, but got pad={}, kernel_size={} and dilation={}",
                w.padding[d], w.kernel[d], w.dilation[d]
            ));
        }
    }
    let Some(sizes) = &t.sizes else { return Ok(None) };
    let lead = sizes.len() - n;
    let mut out: Sizes = sizes[..lead].into();
    let mut small = false;
    for d in 0..n {
        out.push(match sizes[lead + d] {
            Size::Known(i) => {
                let o = pooled(i, w.kernel[d], w.stride[d], w.padding[d], w.dilation[d], w.ceil);
                small |= o < 1;
                Size::Known(o)
            }
            s if w.stride[d] == 1 && 2 * w.padding[d] == w.dilation[d] * (w.kernel[d] - 1) => s,
            _ => Size::Unknown,
        });
    }
    if small {
        let text = |s: &[Size]| {
            let one = if n == 1 { "1x" } else { "" };
            let (channel, rest) = s.split_at(1);
            let join =
                |s: &[Size]| s.iter().map(|s| s.known().unwrap_or_default().to_string()).collect::<Vec<_>>().join("x");
            format!("({}x{one}{})", join(channel), join(rest))
        };
        return error(format!(
            "Given input size: {}. Calculated output size: {}. Output size is too small",
            text(&sizes[lead - 1..]),
            text(&out[lead - 1..])
        ));
    }
    Ok(Some(out))
}

fn check_rank(t: &TensorMeta, n: usize, message: impl Fn(&str) -> String) -> Result<(), ShapeError> {
    let Some(sizes) = &t.sizes else { return Ok(()) };
    let r = sizes.len();
    let empty = |s: &[Size]| s.contains(&Size::Known(0));
    let fits = (r == n + 1 && !empty(sizes)) || (r == n + 2 && !empty(&sizes[1..]));
    if fits { Ok(()) } else { error(message(&show(sizes))) }
}

fn optional_batch(n: usize) -> impl Fn(&str) -> String {
    move |s| {
        format!(
            "Expected {}D or {}D (batch mode) tensor with optional 0 dim batch size for input, but got:{s}",
            n + 1,
            n + 2
        )
    }
}

fn avg(n: usize, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let op = ["avg_pool1d", "avg_pool2d", "avg_pool3d"][n - 1];
    let windows = read(op, n, a, Positions { dilation: None, ceil: 4 })?;
    if n > 1 && a.int(6) == Some(0) {
        return error("divisor must be not zero");
    }
    if n == 3 {
        check_rank(&t, n, |_| "non-empty 4D or 5D (batch mode) tensor expected for input".to_string())?;
    }
    let sizes = match &windows {
        Some(w) => {
            if n != 3 && t.sizes.as_ref().is_some_and(|s| s.len() != n + 1 && s.len() != n + 2) {
                check_rank(&t, n, optional_batch(n))?;
            }
            sizes_of(&t, n, w)?
        }
        None => None,
    };
    if n != 3 {
        check_rank(&t, n, optional_batch(n))?;
    }
    real(if n == 3 { "avg_pool3d_out_frame" } else { "avg_pool2d" }, t.dtype)?;
    one(t.dtype, sizes)
}

pub fn avg_pool1d(a: &[Meta]) -> RuleResult {
    avg(1, a)
}
pub fn avg_pool2d(a: &[Meta]) -> RuleResult {
    avg(2, a)
}
pub fn avg_pool3d(a: &[Meta]) -> RuleResult {
    avg(3, a)
}

fn max(n: usize, a: &[Meta]) -> Result<(TensorMeta, Option<Sizes>), ShapeError> {
    let a = Args(a);
    let t = a.tensor(0)?;
    let op = ["max_pool1d", "max_pool2d", "max_pool3d"][n - 1];
    let windows = read(op, n, a, Positions { dilation: Some(4), ceil: 5 })?;
    if n == 3 {
        check_rank(&t, n, |s| {
            format!(
                "max_pool3d_with_indices_out_cpu_template(): Expected input's dimensions to be 4D or 5D, but got {s}"
            )
        })?;
    } else {
        check_rank(&t, n, |s| format!("{}{}", if n == 1 { "max_pool1d: " } else { "" }, optional_batch(n)(s)))?;
    }
    let sizes = match &windows {
        Some(w) => sizes_of(&t, n, w)?,
        None => None,
    };
    real(if n == 3 { "max_pool3d" } else { "max_pool2d" }, t.dtype)?;
    Ok((t, sizes))
}

/// Only the values.
fn max_values(n: usize, a: &[Meta]) -> RuleResult {
    let (t, sizes) = max(n, a)?;
    one(t.dtype, sizes)
}

fn max_indices(n: usize, a: &[Meta]) -> RuleResult {
    let (t, sizes) = max(n, a)?;
    Ok(smallvec![tensor(t.dtype, sizes.clone()), tensor(Some(DType::I64), sizes)])
}

pub fn max_pool1d(a: &[Meta]) -> RuleResult {
    max_values(1, a)
}
pub fn max_pool2d(a: &[Meta]) -> RuleResult {
    max_values(2, a)
}
pub fn max_pool3d(a: &[Meta]) -> RuleResult {
    max_values(3, a)
}
pub fn max_pool1d_with_indices(a: &[Meta]) -> RuleResult {
    max_indices(1, a)
}
pub fn max_pool2d_with_indices(a: &[Meta]) -> RuleResult {
    max_indices(2, a)
}
pub fn max_pool3d_with_indices(a: &[Meta]) -> RuleResult {
    max_indices(3, a)
}

fn adaptive_sizes(op: &str, n: usize, a: Args<'_>, t: &TensorMeta) -> Result<Option<Sizes>, ShapeError> {
    let Some(out) = a.sizes(1) else { return Ok(None) };
    if out.len() != n {
        return error(match (n, op.starts_with("adaptive_max")) {
            (1, _) => format!("{op}() argument 'output_size' should contain one int (got {})", out.len()),
            (_, true) => format!("{op}(): internal error: output_size.size() must be {n}"),
            _ => format!("{op}: output_size must be {n}"),
        });
    }
    let Some(sizes) = &t.sizes else { return Ok(None) };
    if sizes.len() != n + 1 && sizes.len() != n + 2 {
        return error(if n == 1 {
            format!(
                "Expected 2 to 3 dimensions, but got {}-dimensional tensor for argument #1 'self' (while checking arguments for {op})",
                sizes.len()
            )
        } else if op.starts_with("adaptive_max") {
            format!("{op}(): Expected {}D or {}D tensor, but got: {}", n + 1, n + 2, show(sizes))
        } else {
            format!("{op}(): Expected {}D or {}D tensor, but got {}", n + 1, n + 2, show(sizes))
        });
    }
    if out.iter().any(|s| matches!(s, Size::Known(n) if *n < 0)) {
        let shown: Vec<String> = out.iter().map(|s| s.known().unwrap_or_default().to_string()).collect();
        let one = if n == 1 { "1, " } else { "" };
        return error(format!(
            "adaptive_avg_pool{}d: elements of output_size must be greater than or equal to 0 but received {{{one}{}}}",
            n.max(2),
            shown.join(", ")
        ));
    }
    let mut result: Sizes = sizes[..sizes.len() - n].into();
    result.extend(out);
    Ok(Some(result))
}

fn floats(what: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    match t.dtype {
        Some(d) if !d.is_float() => not_implemented_for(what, d),
        _ => Ok(()),
    }
}

fn adaptive_avg(n: usize, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let op = ["adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"][n - 1];
    let sizes = adaptive_sizes(op, n, a, &t)?;
    // One element each is a mean, which more dtypes have; of nothing nothing is computed.
    // The kernel for volumes is chosen by dtype before anything is looked at.
    let empty = n != 3 && t.numel() == Size::Known(0);
    let means = n == 1 && a.sizes(1).is_some_and(|out| out.iter().all(|s| *s == Size::Known(1)));
    if !(empty || means && t.dtype.is_some_and(DType::is_complex)) {
        floats(if n == 3 { "adaptive_avg_pool3d_cpu" } else { "adaptive_avg_pool2d" }, &t)?;
    }
    one(t.dtype, sizes)
}

pub fn adaptive_avg_pool1d(a: &[Meta]) -> RuleResult {
    adaptive_avg(1, a)
}
pub fn adaptive_avg_pool2d(a: &[Meta]) -> RuleResult {
    adaptive_avg(2, a)
}
pub fn adaptive_avg_pool3d(a: &[Meta]) -> RuleResult {
    adaptive_avg(3, a)
}

fn adaptive_max(n: usize, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let op = ["adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"][n - 1];
    let sizes = adaptive_sizes(op, n, a, &t)?;
    floats(if n == 3 { "adaptive_max_pool3d_cpu" } else { "adaptive_max_pool2d" }, &t)?;
    Ok(smallvec![tensor(t.dtype, sizes.clone()), tensor(Some(DType::I64), sizes)])
}

pub fn adaptive_max_pool1d(a: &[Meta]) -> RuleResult {
    adaptive_max(1, a)
}
pub fn adaptive_max_pool2d(a: &[Meta]) -> RuleResult {
    adaptive_max(2, a)
}
pub fn adaptive_max_pool3d(a: &[Meta]) -> RuleResult {
    adaptive_max(3, a)
}

/// Gradients have the input's sizes, which is the second argument.
/// (grad_output, self, …): the pooling itself must be legal, and give what the gradient is of.
fn backward_of(forward: fn(&[Meta]) -> RuleResult, a: &[Meta], given: usize) -> RuleResult {
    let mut inner: Vec<Meta> = a.get(1..given).unwrap_or_default().to_vec();
    if inner.len() < given - 1 {
        return backward(a);
    }
    inner.truncate(given - 1);
    let pooled = forward(&inner)?;
    let grad = Args(a).tensor(0)?;
    if let (Some(want), Some(got)) = (pooled.first().and_then(Meta::sizes), &grad.sizes)
        && (want.len() != got.len() || want.iter().zip(got).any(|(x, y)| x.differs(*y)))
    {
        return error(format!("Expected sizes {} for `grad_output` but got sizes {}", show(&want), show(got)));
    }
    backward(a)
}

pub fn avg_pool2d_backward(a: &[Meta]) -> RuleResult {
    backward_of(avg_pool2d, a, 8)
}

pub fn avg_pool3d_backward(a: &[Meta]) -> RuleResult {
    backward_of(avg_pool3d, a, 8)
}

pub fn max_pool2d_backward(a: &[Meta]) -> RuleResult {
    backward_of(max_pool2d_with_indices, a, 7)
}

pub fn max_pool3d_backward(a: &[Meta]) -> RuleResult {
    backward_of(max_pool3d_with_indices, a, 7)
}

pub fn backward(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (grad, t) = (a.tensor(0)?, a.tensor(1)?);
    if let (Some(d), Some(e)) = (grad.dtype, t.dtype)
        && d != e
    {
        return error(format!(
            "expected dtype {} for `gradOutput` but got dtype {}",
            super::matmul::cpp_name(e),
            super::matmul::cpp_name(d)
        ));
    }
    one(t.dtype, t.sizes)
}

fn unpool(n: usize, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (t, i) = (a.tensor(0)?, a.tensor(1)?);
    let Some(out) = a.sizes(2) else { return one(t.dtype, None) };
    let many = if n == 2 { "two elements (height, width)" } else { "three elements (depth, height, width)" };
    if let Some(d) = i.dtype
        && d != DType::I64
    {
        return error(format!("elements in indices should be type int64 but got: {}", d.scalar_type_name()));
    }
    if out.len() != n {
        return error(format!("There should be exactly {many} in output_size, but got {} elements.", out.len()));
    }
    let (Some(s), Some(q)) = (&t.sizes, &i.sizes) else { return one(t.dtype, None) };
    if s.len() != n + 1 && s.len() != n + 2 {
        return error(format!(
            "Input to max_unpooling{n}d should be a {}d or {}d Tensor, but got a tensor with {} dimensions.",
            n + 1,
            n + 2,
            s.len()
        ));
    }
    if s.len() != q.len() || s.iter().zip(q).any(|(a, b)| a.differs(*b)) {
        return error(format!(
            "Expected shape of indices to be same as that of the input tensor ({}) but got indices tensor with shape: {}",
            show(s),
            show(q)
        ));
    }
    let mut sizes: Sizes = s[..s.len() - n].into();
    sizes.extend(out);
    one(t.dtype, Some(sizes))
}

pub fn max_unpool2d(a: &[Meta]) -> RuleResult {
    unpool(2, a)
}
pub fn max_unpool3d(a: &[Meta]) -> RuleResult {
    unpool(3, a)
}

/// (self, kernel_size, output_size, random_samples): the maxima and where they stand.
fn fractional(a: &[Meta], n: usize) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    let (Some(sizes), Some(window), Some(output)) = (&t.sizes, args.ints(1), args.ints(2)) else {
        return Ok(smallvec![tensor(t.dtype, None), tensor(Some(DType::I64), None)]);
    };
    let what = format!("fractional_max_pool{n}d()");
    if window.len() != n {
        return error(format!("{what}: kernel_size must either be a single int or tuple of {n} ints"));
    }
    if output.len() != n {
        return error(format!("{what}: output_size must either be a single int or tuple of {n} ints"));
    }
    if sizes.len() != n + 1 && sizes.len() != n + 2 {
        return error(format!("{what}: Expected {}D or {}D tensor, but got: {}", n + 1, n + 2, show(sizes)));
    }
    if sizes[sizes.len() - n - 1..].contains(&Size::Known(0)) {
        return error(format!(
            "{what}: Expected input to have non-zero size for non-batch dimensions, but got {}",
            show(sizes)
        ));
    }
    for d in 0..n {
        if let Size::Known(size) = sizes[sizes.len() - n + d]
            && (output[d] < 0 || window[d] < 1 || output[d] + window[d] - 1 > size)
        {
            return error(format!(
                "{what}: pool of {} in a dimension of {size} is too large for an output of {}",
                window[d], output[d]
            ));
        }
    }
    if let Some(d) = t.dtype
        && !d.is_float()
    {
        return not_implemented_for(&format!("fractional_max_pool{n}d_out_frame"), d);
    }
    let samples = args.tensor(3)?;
    if let (Some(d), Some(e)) = (t.dtype, samples.dtype)
        && d != e
    {
        return error("Expect _random_samples to have the same dtype as input");
    }
    let mut out: Sizes = sizes[..sizes.len() - n].into();
    out.extend(output.iter().map(|o| Size::Known(*o)));
    Ok(smallvec![tensor(t.dtype, Some(out.clone())), tensor(Some(DType::I64), Some(out))])
}

pub fn fractional2d(a: &[Meta]) -> RuleResult {
    fractional(a, 2)
}

pub fn fractional3d(a: &[Meta]) -> RuleResult {
    fractional(a, 3)
}
