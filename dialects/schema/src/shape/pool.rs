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
                _ if op.starts_with("max") => {
                    format!("{op}: {name} must either be a single int, or a tuple of {many} ints")
                }
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

/// The windows of a pooling over `n` dimensions; those of one dimension stand in two, of height 1.
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
    let high = |height: i64, list: Vec<i64>| if n == 1 { [vec![height], list].concat() } else { list };
    Ok(a.bool(at.ceil).map(|ceil| Windows {
        kernel: high(1, kernel),
        stride: high(1, stride),
        padding: high(0, padding),
        dilation: high(1, dilation),
        ceil,
    }))
}

/// The argument as it is pooled: in one dimension as an image of height 1.
fn image(op: &str, n: usize, t: &TensorMeta) -> Result<TensorMeta, ShapeError> {
    let mut t = t.clone();
    if n == 1
        && let Some(sizes) = &mut t.sizes
    {
        let rank = sizes.len();
        if rank != 2 && rank != 3 {
            return error(format!(
                "Expected 2 to 3 dimensions, but got {rank}-dimensional tensor for argument #1 'self' (while checking arguments for {op})"
            ));
        }
        sizes.insert(rank - 1, Size::Known(1));
    }
    Ok(t)
}

/// The sizes of what was pooled without that height.
fn without_height(n: usize, sizes: Option<Sizes>) -> Option<Sizes> {
    sizes.map(|mut s| {
        if n == 1 && s.len() > 1 {
            s.remove(s.len() - 2);
        }
        s
    })
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

fn named(prefixes: &str, v: &[i64]) -> String {
    let letters = if v.len() == 2 { &["H", "W"][..] } else { &["T", "H", "W"] };
    let items: Vec<String> = letters.iter().zip(v).map(|(l, x)| format!("{prefixes}{l}: {x}")).collect();
    items.join(" ")
}

/// What stride and padding must be whatever the image.
fn check_steps(w: &Windows) -> Result<(), ShapeError> {
    for ((&k, &s), (&p, &d)) in w.kernel.iter().zip(&w.stride).zip(w.padding.iter().zip(&w.dilation)) {
        if s == 0 {
            return error("stride should not be zero");
        }
        if p < 0 {
            return error(format!("pad must be non-negative, but got pad: {p}"));
        }
        if p > ((k - 1).saturating_mul(d).saturating_add(1)) / 2 {
            return error(format!(
                "pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and dilation={d}"
            ));
        }
    }
    for (what, prefix, list) in
        [("kernel size", "k", &w.kernel), ("stride", "d", &w.stride), ("dilation", "dilation", &w.dilation)]
    {
        if list.iter().any(|x| *x <= 0) {
            return error(format!("{what} should be greater than zero, but got {}", named(prefix, list)));
        }
    }
    Ok(())
}

/// Only a batch may be empty.
fn check_content(op: &str, n: usize, sizes: &[Size]) -> Result<(), ShapeError> {
    let rank = sizes.len();
    let has_rank = rank == n + 1 || rank == n + 2;
    let first = usize::from(rank == n + 2);
    let empty = sizes.iter().skip(first).position(|s| *s == Size::Known(0));
    if has_rank && empty.is_none() {
        return Ok(());
    }
    match empty {
        Some(at) if n == 3 && op.starts_with("max") => error(format!(
            "max_pool3d_with_indices_out_cpu_template(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {} being empty",
            show(sizes),
            at + first
        )),
        _ if n == 3 => error(NO_VOLUME),
        _ => error(format!(
            "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:{}",
            show(sizes)
        )),
    }
}

const NO_VOLUME: &str = "non-empty 4D or 5D (batch mode) tensor expected for input";
const NO_IMAGE: &str = "non-empty 3D or 4D (batch mode) tensor expected for input";

/// The number of windows in a dimension.
fn windows_in(size: Size, w: &Windows, d: usize) -> Size {
    match size {
        Size::Known(i) => Size::Known(pooled(i, w.kernel[d], w.stride[d], w.padding[d], w.dilation[d], w.ceil)),
        s if w.stride[d] == 1 && 2 * w.padding[d] == w.dilation[d] * (w.kernel[d] - 1) => s,
        _ => Size::Unknown,
    }
}

/// Sizes of an image of `n` dimensions (two or three), pooled.
fn sizes_of(op: &str, t: &TensorMeta, w: &Windows) -> Result<Option<Sizes>, ShapeError> {
    let n = w.kernel.len();
    check_steps(w)?;
    let Some(sizes) = &t.sizes else { return Ok(None) };
    check_content(op, n, sizes)?;
    let lead = sizes.len() - n;
    let join = |s: &[Size]| s.iter().map(|s| s.known().unwrap_or_default().to_string()).collect::<Vec<_>>().join("x");
    if op == "avg_pool3d" && sizes[lead..].iter().zip(&w.kernel).any(|(s, k)| s.known().is_some_and(|s| s < *k)) {
        let known: Vec<i64> = sizes[lead..].iter().map(|s| s.known().unwrap_or_default()).collect();
        return error(format!(
            "input image ({}) smaller than kernel size ({})",
            named("", &known),
            named("k", &w.kernel)
        ));
    }
    let mut out: Sizes = sizes[..lead].into();
    out.extend((0..n).map(|d| windows_in(sizes[lead + d], w, d)));
    if out[lead..].iter().any(|o| o.known().is_some_and(|o| o < 1)) {
        return error(format!(
            "Given input size: ({}). Calculated output size: ({}). Output size is too small",
            join(&sizes[lead - 1..]),
            join(&out[lead - 1..])
        ));
    }
    Ok(Some(out))
}

fn avg(n: usize, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let op = ["avg_pool1d", "avg_pool2d", "avg_pool3d"][n - 1];
    let t = image(op, n, &a.tensor(0)?)?;
    let windows = read(op, n, a, Positions { dilation: None, ceil: 4 })?;
    if n > 1 && a.int(6) == Some(0) {
        return error("divisor must be not zero");
    }
    match t.rank() {
        Some(r) if n == 3 && r != 4 && r != 5 => return error(NO_VOLUME),
        // The channels are asked for first.
        Some(r) if n == 2 => drop(wrap_dim(-3, r)?),
        _ => {}
    }
    let sizes = match &windows {
        Some(w) => sizes_of(op, &t, w)?,
        None => None,
    };
    real(if n == 3 { "avg_pool3d_out_frame" } else { "avg_pool2d" }, t.dtype)?;
    one(t.dtype, without_height(n, sizes))
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
    let op = ["max_pool1d", "max_pool2d", "max_pool3d"][n - 1];
    let t = image(op, n, &a.tensor(0)?)?;
    let windows = read(op, n, a, Positions { dilation: Some(4), ceil: 5 })?;
    let own = n.max(2);
    if t.rank().is_some_and(|r| r != own + 1 && r != own + 2) {
        return error(if n == 3 { NO_VOLUME } else { NO_IMAGE });
    }
    let sizes = match &windows {
        Some(w) => sizes_of(op, &t, w)?,
        None => None,
    };
    real(if n == 3 { "max_pool3d" } else { "max_pool2d" }, t.dtype)?;
    Ok((t, without_height(n, sizes)))
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

/// Without indices it is an operator of its own, which has its own words for what it refuses and no integers.
pub fn max_pool1d(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if let Some(s) = &t.sizes {
        let batches = usize::from(s.len() == 3);
        if s.len() != 2 + batches || s[batches..].contains(&Size::Known(0)) {
            return error(format!(
                "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:{}",
                show(s)
            ));
        }
    }
    let w = max_pool1d_windows(a)?;
    let sizes = match (w, t.sizes) {
        (Some(w), Some(mut s)) => {
            let last = s.len() - 1;
            s[last] = windows_in(s[last], &w, 0);
            if let Size::Known(o) = s[last]
                && o <= 0
            {
                return error(format!("max_pool1d() Invalid computed output size: {o}"));
            }
            Some(s)
        }
        _ => None,
    };
    floats("max_pool1d_impl", &TensorMeta::new(t.dtype, None))?;
    one(t.dtype, sizes)
}

fn max_pool1d_windows(a: Args<'_>) -> Result<Option<Windows>, ShapeError> {
    let mut lists: Vec<Option<Vec<i64>>> = Vec::new();
    for (i, name) in ["kernel_size", "stride", "padding", "dilation"].into_iter().enumerate() {
        let list = a.sizes(i + 1);
        let length = list.as_ref().map_or(1, |l| l.len());
        if length != 1 && (name != "stride" || length != 0) {
            let kinds = if name == "stride" { "None, an int, list of ints, or" } else { "an int, list of ints or" };
            return error(format!("max_pool1d() {name} must be {kinds} tuple of ints of size 1 but got size {length}"));
        }
        lists.push(list.and_then(|l| all_known(&l)).map(|l| l.to_vec()));
    }
    let [Some(kernel), Some(stride), Some(padding), Some(dilation)] = &lists[..] else { return Ok(None) };
    let stride = if stride.is_empty() { kernel } else { stride };
    let (k, p) = (kernel[0], padding[0]);
    for (name, value) in [("kernel_size", k), ("stride", stride[0])] {
        if value <= 0 {
            return error(format!("max_pool1d() {name} must be greater than zero, but got {value}"));
        }
    }
    if p < 0 {
        return error(format!("max_pool1d() padding must be non-negative, but got {p}"));
    }
    if p > k / 2 {
        return error(format!(
            "max_pool1d() padding should be at most half of kernel size, but got padding={p} and kernel_size={k}"
        ));
    }
    if dilation[0] <= 0 {
        return error(format!("max_pool1d() dilation must be greater than zero, but got {}", dilation[0]));
    }
    Ok(a.bool(5).map(|ceil| Windows {
        kernel: kernel.clone(),
        stride: stride.clone(),
        padding: padding.clone(),
        dilation: dilation.clone(),
        ceil,
    }))
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

fn adaptive_sizes(op: &str, n: usize, a: Args<'_>, given: &TensorMeta) -> Result<Option<Sizes>, ShapeError> {
    let t = image(op, n, given)?;
    let Some(mut out) = a.sizes(1) else { return Ok(None) };
    let is_max = op.starts_with("adaptive_max");
    if out.len() != n {
        return error(match (n, is_max) {
            (1, _) => format!("{op}() argument 'output_size' should contain one int (got {})", out.len()),
            (_, true) => format!("{op}(): internal error: output_size.size() must be {n}"),
            _ => format!("{op}: output_size must be {n}"),
        });
    }
    if n == 1 {
        out.insert(0, Size::Known(1));
    }
    let Some(sizes) = &t.sizes else { return Ok(None) };
    let dims = out.len();
    if sizes.len() != dims + 1 && sizes.len() != dims + 2 {
        let colon = if is_max { ":" } else { "" };
        return error(format!(
            "{op}(): Expected {}D or {}D tensor, but got{colon} {}",
            dims + 1,
            dims + 2,
            show(sizes)
        ));
    }
    let mut result: Sizes = sizes[..sizes.len() - dims].into();
    result.extend(out.iter().copied());
    if let Some(negative) = out.iter().filter_map(|s| s.known()).find(|s| *s < 0) {
        if is_max {
            return error(format!("Trying to create tensor with negative dimension {negative}: {}", show(&result)));
        }
        let shown: Vec<String> = out.iter().map(|s| s.known().unwrap_or_default().to_string()).collect();
        let (first, rest) = shown.split_at(1);
        return error(format!(
            "adaptive_avg_pool{dims}d: elements of output_size must be greater than or equal to 0 but received {{{}, {}}}",
            first.concat(),
            rest.join(",")
        ));
    }
    Ok(without_height(n, Some(result)))
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
    let ones = a.sizes(1).is_some_and(|out| out.iter().all(|s| *s == Size::Known(1)));
    let means = n == 1 && ones;
    if let (Some(s), Some(_), false) = (&t.sizes, &sizes, ones) {
        // One dimension is pooled as the second of two; the channels of volumes in a batch count too.
        let mut shown = s.clone();
        if n == 1 {
            shown.insert(s.len() - 1, Size::Known(1));
        }
        let first = if n == 3 { 1 } else { shown.len() - 2 };
        if let Some(d) = (first..shown.len()).find(|d| shown[*d] == Size::Known(0)) {
            return error(format!(
                "adaptive_avg_pool{}d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {d} being empty",
                n.max(2),
                show(&shown)
            ));
        }
    }
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
    for (at, name) in [(3, "stride"), (4, "padding")] {
        if let Some(list) = a.sizes(at).filter(|list| n == 3 && list.len() != n) {
            return error(format!("There should be exactly {many} in {name}, but got: {} elements.", list.len()));
        }
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
    if let Some(strides) = a.ints(3)
        && n == 3
        && strides.iter().any(|s| *s <= 0)
    {
        let shown = strides.iter().map(|s| Size::Known(*s)).collect::<Sizes>();
        return error(format!("strides should be greater than zero, but got stride: {}", show(&shown)));
    }
    if out.iter().any(|s| s.known().is_some_and(|s| s < 0)) {
        return error(format!(
            "max_unpooling{n}d(): output_size must contain non-negative spatial dimensions, but got output_size={}",
            show(&out)
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
    for (name, list) in [("kernel_size", &window), ("output_size", &output)] {
        if list.len() != n {
            let many = if n == 2 { "" } else { "three " };
            return error(format!(
                "fractional_max_pool{n}d: {name} must either be a single Int or tuple of {many}Ints"
            ));
        }
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
    let (function, names) = if n == 2 {
        ("fractional_max_pool2d()", &["height", "width"][..])
    } else {
        ("fractional_max_pool3d_out()", &["time", "height", "width"][..])
    };
    for (d, name) in names.iter().enumerate() {
        // A volume must be larger than its windows' least extent, an image may be as large.
        let spare = if n == 3 { 0 } else { 1 };
        if let Size::Known(size) = sizes[sizes.len() - n + d]
            && (output[d] < 0 || window[d] < 1 || output[d].saturating_add(window[d]) > size.saturating_add(spare))
        {
            return error(format!("{function}: pool {name} {} too large relative to input {name} {size}", window[d]));
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
    if let Some(given) = &samples.sizes {
        if given.len() != 3 {
            return error(format!("Expect _random_samples to have 3 dimensions, got {}", given.len()));
        }
        if given[1].differs(sizes[sizes.len() - n - 1]) {
            return error("Expect _random_samples.size(1) equals to input channel size.");
        }
        if given[2].differs(Size::Known(n as i64)) {
            return error(format!(
                "Expect _random_samples.size(2) equals to {n}; got {}.",
                given[2].known().unwrap_or_default()
            ));
        }
    }
    let mut out: Sizes = sizes[..sizes.len() - n].into();
    out.extend(output.iter().map(|o| Size::Known(*o)));
    Ok(smallvec![tensor(t.dtype, Some(out.clone())), tensor(Some(DType::I64), Some(out))])
}

/// (grad_output, self, kernel_size, output_size, indices): the gradient has the sizes of what was pooled.
fn fractional_backward(a: &[Meta], n: usize) -> RuleResult {
    let args = Args(a);
    let (grad, t) = (args.tensor(0)?, args.tensor(1)?);
    let (Some(have), Some(sizes), Some(output)) = (&grad.sizes, &t.sizes, args.sizes(3)) else {
        return super::like::second(a);
    };
    let names: &[&str] = if n == 2 { &["sizes", "sizes"] } else { &["time", "height", "width"] };
    let function = if n == 2 { "fractional_max_pool2d_backward()" } else { "fractional_max_pool3d_backward_out()" };
    if sizes.len() < n || have.len() != sizes.len() || output.len() != n {
        return error(format!("{function}: gradOutput {} unexpected", names[0]));
    }
    let at = sizes.len() - n;
    if let Some(d) = (0..n).find(|d| have[at + d].differs(output[*d])) {
        return error(format!("{function}: gradOutput {} unexpected", names[d]));
    }
    super::like::second(a)
}

pub fn fractional2d_backward(a: &[Meta]) -> RuleResult {
    fractional_backward(a, 2)
}

pub fn fractional3d_backward(a: &[Meta]) -> RuleResult {
    fractional_backward(a, 3)
}

pub fn fractional2d(a: &[Meta]) -> RuleResult {
    fractional(a, 2)
}

pub fn fractional3d(a: &[Meta]) -> RuleResult {
    fractional(a, 3)
}
