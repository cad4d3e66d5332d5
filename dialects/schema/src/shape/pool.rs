//! Rules of pooling: how many windows fit, rounded down or up.

use super::args::*;
use super::reduce::values_and_indices;
use crate::geometry::pool::{AVERAGES, MAXIMA, checked, named, unchecked_average, unchecked_max};
use crate::geometry::{Window, Windows};

/// The argument as it is pooled: in one dimension as an image of height 1.
fn image(op: &str, n: usize, t: &TensorMeta) -> Result<TensorMeta, ShapeError> {
    let mut t = t.clone();
    if let (1, Some(sizes)) = (n, &mut t.sizes) {
        let rank = sizes.len();
        refuse!(if rank != 2 && rank != 3,
            "Expected 2 to 3 dimensions, but got {rank}-dimensional tensor for argument #1 'self' (while checking arguments for {op})");
        sizes.insert(rank - 1, Size::Known(1));
    }
    Ok(t)
}

/// The sizes of what was pooled without that height.
fn without_height(n: usize, mut sizes: Option<Sizes>) -> Option<Sizes> {
    if let Some(s) = sizes.as_mut().filter(|s| n == 1 && s.len() > 1) {
        s.remove(s.len() - 2);
    }
    sizes
}

/// Only a batch may be empty.
fn check_content(op: &str, n: usize, sizes: &[Size]) -> Result<(), ShapeError> {
    let batches = usize::from(sizes.len() == n + 2);
    let empty = sizes.iter().skip(batches).position(|s| *s == Size::Known(0));
    if (batches == 1 || sizes.len() == n + 1) && empty.is_none() {
        return Ok(());
    }
    refuse!(if let (Some(at), true) = (empty, n == 3 && op.starts_with("max")),
        "max_pool3d_with_indices_out_cpu_template(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {} being empty",
        show(sizes), at + batches);
    refuse!(if n == 3, "{NO_VOLUME}");
    let what = "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input";
    error(format!("{what}, but got:{}", show(sizes)))
}

const NO_VOLUME: &str = "non-empty 4D or 5D (batch mode) tensor expected for input";
const NO_IMAGE: &str = "non-empty 3D or 4D (batch mode) tensor expected for input";

/// Sizes of an image of two or three dimensions, pooled; windows of one dimension lie in lines of it.
fn sizes_of(op: &str, t: &TensorMeta, w: Option<Windows>) -> Result<Option<Sizes>, ShapeError> {
    let Some(mut w) = w.map(checked).transpose()? else { return Ok(None) };
    if w.0.len() == 1 {
        w.0.insert(0, Window::plain(Size::Known(1)));
    }
    let n = w.0.len();
    let Some(sizes) = &t.sizes else { return Ok(None) };
    check_content(op, n, sizes)?;
    let lead = sizes.len() - n;
    let join = |s: &[Size]| s.iter().map(Size::to_string).collect::<Vec<_>>().join("x");
    let kernels = w.list(|w| w.kernel);
    let small = |(s, k): (&Size, &Size)| s.known().zip(k.known()).is_some_and(|(s, k)| s < k);
    refuse!(if op == "avg_pool3d" && sizes[lead..].iter().zip(&kernels).any(small),
        "input image ({}) smaller than kernel size ({})", named("", &sizes[lead..]), named("k", &kernels));
    let mut out: Sizes = sizes[..lead].into();
    out.extend(w.counts(sizes));
    refuse!(if out[lead..].iter().any(|o| o.known().is_some_and(|o| o < 1)),
        "Given input size: ({}). Calculated output size: ({}). Output size is too small", join(&sizes[lead - 1..]),
        join(&out[lead - 1..]));
    Ok(Some(out))
}

/// A dtype that can be averaged or compared in windows.
fn real(what: &str, d: Option<DType>) -> Result<(), ShapeError> {
    kernel(what, d, |d| !d.is_complex() && d != DType::Bool)
}

fn avg(a: &[Meta], n: usize) -> RuleResult {
    let op = AVERAGES[n - 1];
    let t = image(op, n, &a.tensor(0)?)?;
    let windows = unchecked_average(a, n)?;
    refuse!(if n > 1 && a.int(6) == Some(0), "divisor must be not zero");
    refuse!(if t.rank().is_some_and(|r| n == 3 && r != 4 && r != 5), "{NO_VOLUME}");
    // The channels are asked for first.
    if let (2, Some(r)) = (n, t.rank()) {
        wrap_dim(-3, r)?;
    }
    let sizes = sizes_of(op, &t, windows)?;
    real(if n == 3 { "avg_pool3d_out_frame" } else { "avg_pool2d" }, t.dtype)?;
    one(t.dtype, without_height(n, sizes))
}

/// The maxima and where they stand.
fn max_indices(a: &[Meta], n: usize) -> RuleResult {
    let op = MAXIMA[n - 1];
    let t = image(op, n, &a.tensor(0)?)?;
    let windows = unchecked_max(a, n)?;
    let own = n.max(2);
    refuse!(if t.rank().is_some_and(|r| r != own + 1 && r != own + 2),
        "{}", if n == 3 { NO_VOLUME } else { NO_IMAGE });
    let sizes = sizes_of(op, &t, windows)?;
    real(if n == 3 { "max_pool3d" } else { "max_pool2d" }, t.dtype)?;
    values_and_indices(&t, without_height(n, sizes))
}

/// Only the values.
fn max_values(a: &[Meta], n: usize) -> RuleResult {
    Ok(max_indices(a, n)?.drain(..1).collect())
}

/// Without indices it is an operator of its own, which has its own words for what it refuses and no integers.
pub fn max_pool1d(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    if let Some(s) = &t.sizes {
        let batches = usize::from(s.len() == 3);
        refuse!(if s.len() != 2 + batches || s[batches..].contains(&Size::Known(0)),
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:{}",
            show(s));
    }
    let sizes = match (max_pool1d_window(a)?, t.sizes) {
        (Some(w), Some(mut s)) => {
            let last = s.len() - 1;
            s[last] = w.count(s[last]);
            refuse!(if let Size::Known(o) = s[last], o <= 0, "max_pool1d() Invalid computed output size: {o}");
            Some(s)
        }
        _ => None,
    };
    kernel("max_pool1d_impl", t.dtype, DType::is_float)?;
    one(t.dtype, sizes)
}

fn max_pool1d_window(a: &[Meta]) -> Result<Option<Window>, ShapeError> {
    let mut lists = [const { None }; 4];
    for (i, name) in ["kernel_size", "stride", "padding", "dilation"].into_iter().enumerate() {
        let list = a.sizes(i + 1);
        let length = list.as_ref().map_or(1, |l| l.len());
        let kinds = if name == "stride" { "None, an int, list of ints, or" } else { "an int, list of ints or" };
        refuse!(if length != 1 && (name != "stride" || length != 0),
            "max_pool1d() {name} must be {kinds} tuple of ints of size 1 but got size {length}");
        lists[i] = list.and_then(|l| all_known(&l)).map(|l| l.first().copied());
    }
    let [Some(Some(k)), Some(stride), Some(Some(p)), Some(Some(dilation))] = lists else { return Ok(None) };
    let stride = stride.unwrap_or(k);
    for (name, value) in [("kernel_size", k), ("stride", stride)] {
        refuse!(if value <= 0, "max_pool1d() {name} must be greater than zero, but got {value}");
    }
    refuse!(if p < 0, "max_pool1d() padding must be non-negative, but got {p}");
    refuse!(if p > k / 2,
        "max_pool1d() padding should be at most half of kernel size, but got padding={p} and kernel_size={k}");
    refuse!(if dilation <= 0, "max_pool1d() dilation must be greater than zero, but got {dilation}");
    Ok(a.bool(5).map(|ceil| Window { kernel: Size::Known(k), stride, padding: (p, p), dilation, ceil }))
}

rules! {
    avg_pool1d = avg, 1; avg_pool2d = avg, 2; avg_pool3d = avg, 3;
    max_pool2d = max_values, 2; max_pool3d = max_values, 3;
    max_pool1d_with_indices = max_indices, 1; max_pool2d_with_indices = max_indices, 2;
    max_pool3d_with_indices = max_indices, 3;
    adaptive_avg_pool1d = adaptive_avg, 1; adaptive_avg_pool2d = adaptive_avg, 2; adaptive_avg_pool3d = adaptive_avg, 3;
    adaptive_max_pool1d = adaptive_max, 1; adaptive_max_pool2d = adaptive_max, 2; adaptive_max_pool3d = adaptive_max, 3;
    avg_pool2d_backward = backward_of, 2, avg_pool2d as Rule, 8; avg_pool3d_backward = backward_of, 3, avg_pool3d as Rule, 8;
    max_pool2d_backward = max_backward, 2, max_pool2d_with_indices as Rule;
    max_pool3d_backward = max_backward, 3, max_pool3d_with_indices as Rule;
    adaptive_avg_pool2d_backward = backward, 2; adaptive_avg_pool3d_backward = backward, 3;
    adaptive_max_pool2d_backward = adaptive_max_backward, 2; adaptive_max_pool3d_backward = adaptive_max_backward, 3;
    max_unpool2d = unpool, 2; max_unpool3d = unpool, 3;
    fractional2d = fractional, 2; fractional3d = fractional, 3;
    fractional2d_backward = fractional_backward, 2; fractional3d_backward = fractional_backward, 3;
}

fn adaptive_sizes(op: &str, n: usize, out: List, given: &TensorMeta) -> Result<Option<Sizes>, ShapeError> {
    let t = image(op, n, given)?;
    let Some(mut out) = out else { return Ok(None) };
    let is_max = op.starts_with("adaptive_max");
    refuse!(if out.len() != n && n == 1, "{op}() argument 'output_size' should contain one int (got {})", out.len());
    refuse!(if out.len() != n && is_max, "{op}(): internal error: output_size.size() must be {n}");
    refuse!(if out.len() != n, "{op}: output_size must be {n}");
    if n == 1 {
        out.insert(0, Size::Known(1));
    }
    let Some(sizes) = &t.sizes else { return Ok(None) };
    let dims = out.len();
    refuse!(if sizes.len() != dims + 1 && sizes.len() != dims + 2,
        "{op}(): Expected {}D or {}D tensor, but got{} {}", dims + 1, dims + 2, if is_max { ":" } else { "" }, show(sizes));
    let shown: Vec<String> = out.iter().map(Size::to_string).collect();
    refuse!(if !is_max && out.iter().any(|s| s.known().is_some_and(|s| s < 0)),
        "adaptive_avg_pool{dims}d: elements of output_size must be greater than or equal to 0 but received {{{}, {}}}",
        shown[0], shown[1..].join(","));
    let all = sizes[..sizes.len() - dims].iter().chain(&out).copied();
    Ok(without_height(n, Some(countable(all.collect())?)))
}

fn adaptive_avg(t: TensorMeta, out: List, n: usize) -> RuleResult {
    let op = ["adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"][n - 1];
    let ones = out.as_ref().is_some_and(|out| out.iter().all(|s| *s == Size::Known(1)));
    let sizes = adaptive_sizes(op, n, out, &t)?;
    // One element each is a mean, which more dtypes have; of nothing nothing is computed.
    // The kernel for volumes is chosen by dtype before anything is looked at.
    let empty = n != 3 && t.is_empty();
    if let (Some(s), Some(_), false) = (&t.sizes, &sizes, ones) {
        // One dimension is pooled as the second of two; the channels of volumes in a batch count too.
        let mut shown = s.clone();
        if n == 1 {
            shown.insert(s.len() - 1, Size::Known(1));
        }
        let first = if n == 3 { 1 } else { shown.len() - 2 };
        has_elements(&format!("adaptive_avg_pool{}d", n.max(2)), &shown, first)?;
    }
    let means = |d: DType| empty || n == 1 && ones && d.is_complex();
    let name = if n == 3 { "adaptive_avg_pool3d_cpu" } else { "adaptive_avg_pool2d" };
    kernel(name, t.dtype, |d| d.is_float() || means(d))?;
    one(t.dtype, sizes)
}

/// Dimensions from the first one on, in which adaptive windows lie, have elements.
fn has_elements(op: &str, sizes: &[Size], first: usize) -> Result<(), ShapeError> {
    refuse!(if let Some(d) = (first..sizes.len()).find(|d| sizes[*d] == Size::Known(0)),
        "{op}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {d} being empty",
        show(sizes));
    Ok(())
}

fn adaptive_max(t: TensorMeta, out: List, n: usize) -> RuleResult {
    let op = ["adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"][n - 1];
    if let Some(sizes) = t.sizes.as_ref().filter(|s| s.len() == n + 1 || s.len() == n + 2) {
        has_elements(op, sizes, 1)?;
    }
    let sizes = adaptive_sizes(op, n, out, &t)?;
    kernel(if n == 3 { "adaptive_max_pool3d_cpu" } else { "adaptive_max_pool2d" }, t.dtype, DType::is_float)?;
    values_and_indices(&t, sizes)
}

/// (grad_output, self, …): the pooling itself must be legal, and give what the gradient is of.
fn backward_of(a: &[Meta], n: usize, forward: Rule, given: usize) -> RuleResult {
    if let Some(inner) = a.get(1..given) {
        let pooled = forward(inner)?;
        refuse!(if let Some((want, got)) = mismatch(&pooled.tensor(0)?.sizes, &a.tensor(0)?.sizes),
            "Expected sizes {want} for `grad_output` but got sizes {got}");
    }
    backward(a.tensor(0)?, a.tensor(1)?, n)
}

/// The same where the last argument, behind those of the pooling, is the place of each element.
fn max_backward(a: &[Meta], n: usize, forward: Rule) -> RuleResult {
    let result = backward_of(a, n, forward, 7)?;
    placed(&a.tensor(0)?, &a.tensor(7)?)?;
    Ok(result)
}

fn adaptive_max_backward([grad, t, indices]: [TensorMeta; 3], n: usize) -> RuleResult {
    let result = backward(grad.clone(), t, n)?;
    placed(&grad, &indices)?;
    Ok(result)
}

/// Each element of the gradient has a place.
fn placed(grad: &TensorMeta, indices: &TensorMeta) -> Result<(), ShapeError> {
    refuse!(if let Some((want, got)) = mismatch(&indices.sizes, &grad.sizes),
        "expected sizes {want} for `grad_output` but got sizes {got}");
    Ok(())
}

/// Gradients have the input's sizes, and the given one its batch and channels.
fn backward(grad: TensorMeta, t: TensorMeta, n: usize) -> RuleResult {
    refuse!(if let Some((d, e)) = unlike_cpp(&grad, &t), "expected dtype {e} for `gradOutput` but got dtype {d}");
    if let (Some(have), Some(want)) = (&grad.sizes, &t.sizes) {
        refuse!(if have.len() != want.len() || want.len() <= n,
            "Expected dimensions {} for `grad_output` but got dimensions {}", want.len(), have.len());
        alike_in(want, have, 0..want.len() - n)?;
    }
    one(t.dtype, t.sizes)
}

fn unpool([t, places]: [TensorMeta; 2], out: Sizes, strides: List, padding: List, n: usize) -> RuleResult {
    let many = if n == 2 { "two elements (height, width)" } else { "three elements (depth, height, width)" };
    refuse!(if let Some(d) = places.dtype_not(|d| d == DType::I64),
        "elements in indices should be type int64 but got: {d}");
    refuse!(if out.len() != n,
        "There should be exactly {many} in output_size, but got {} elements.", out.len());
    for (list, name) in [(&strides, "stride"), (&padding, "padding")] {
        refuse!(if let Some(list) = list, n == 3 && list.len() != n,
            "There should be exactly {many} in {name}, but got: {} elements.", list.len());
    }
    let (Some(s), Some(_)) = (&t.sizes, &places.sizes) else { return one(t.dtype, None) };
    refuse!(if s.len() != n + 1 && s.len() != n + 2,
        "Input to max_unpooling{n}d should be a {}d or {}d Tensor, but got a tensor with {} dimensions.", n + 1, n + 2,
        s.len());
    refuse!(if let Some((s, q)) = mismatch(&t.sizes, &places.sizes),
        "Expected shape of indices to be same as that of the input tensor ({s}) but got indices tensor with shape: {q}");
    refuse!(if let Some(strides) = strides, n == 3 && strides.iter().any(|s| s.known().is_some_and(|s| s <= 0)),
        "strides should be greater than zero, but got stride: {}", show(&strides));
    refuse!(if out.iter().any(|s| s.known().is_some_and(|s| s < 0)),
        "max_unpooling{n}d(): output_size must contain non-negative spatial dimensions, but got output_size={}", show(&out));
    one(t.dtype, Some(s[..s.len() - n].iter().copied().chain(out).collect()))
}

/// The maxima and where they stand.
fn fractional(t: TensorMeta, window: Dims, output: Dims, samples: TensorMeta, n: usize) -> RuleResult {
    let (Some(sizes), Some(window), Some(output)) = (&t.sizes, window, output) else {
        return values_and_indices(&t, None);
    };
    let what = format!("fractional_max_pool{n}d()");
    let many = if n == 2 { "" } else { "three " };
    for (name, list) in [("kernel_size", &window), ("output_size", &output)] {
        refuse!(if list.len() != n,
            "fractional_max_pool{n}d: {name} must either be a single Int or tuple of {many}Ints");
    }
    refuse!(if sizes.len() != n + 1 && sizes.len() != n + 2,
        "{what}: Expected {}D or {}D tensor, but got: {}", n + 1, n + 2, show(sizes));
    let lead = sizes.len() - n;
    refuse!(if sizes[lead - 1..].contains(&Size::Known(0)),
        "{what}: Expected input to have non-zero size for non-batch dimensions, but got {}", show(sizes));
    // A volume must be larger than its windows' least extent, an image may be as large.
    let (function, spare) = if n == 2 { (what, 1) } else { ("fractional_max_pool3d_out()".into(), 0) };
    for (d, name) in ["time", "height", "width"][3 - n..].iter().enumerate() {
        refuse!(if let Size::Known(size) = sizes[lead + d],
            output[d] < 0 || window[d] < 1 || output[d].saturating_add(window[d]) > size.saturating_add(spare),
            "{function}: pool {name} {} too large relative to input {name} {size}", window[d]);
    }
    kernel(&format!("fractional_max_pool{n}d_out_frame"), t.dtype, DType::is_float)?;
    refuse!(if unlike(&t, &samples).is_some(), "Expect _random_samples to have the same dtype as input");
    refuse!(if let Some(r) = samples.rank_not(3), "Expect _random_samples to have 3 dimensions, got {r}");
    let batch = if lead == 2 { sizes[0] } else { Size::Known(1) };
    refuse!(if let (Size::Known(have), Size::Known(want)) = (samples.size(0), batch), have < want,
        "Expect _random_samples.size(0) no less then input batch size.");
    refuse!(if samples.size(1).unequal(sizes[lead - 1]),
        "Expect _random_samples.size(1) equals to input channel size.");
    refuse!(if samples.size(2).unequal(Size::Known(n as i64)),
        "Expect _random_samples.size(2) equals to {n}; got {}.", samples.size(2));
    let out = sizes[..lead].iter().copied().chain(output.iter().map(|o| Size::Known(*o)));
    values_and_indices(&t, Some(out.collect()))
}

/// The gradient has the sizes of what was pooled.
fn fractional_backward(
    [grad, t]: [TensorMeta; 2],
    _: Skip<1>,
    output: List,
    indices: TensorMeta,
    n: usize,
) -> RuleResult {
    if let (Some(have), Some(sizes), Some(output)) = (&grad.sizes, &t.sizes, output) {
        let names: &[&str] = if n == 2 { &["sizes", "sizes"] } else { &["time", "height", "width"] };
        let function = if n == 2 { "fractional_max_pool2d_backward()" } else { "fractional_max_pool3d_backward_out()" };
        let fits = sizes.len() >= n && have.len() == sizes.len() && output.len() == n;
        let wrong = if fits { (0..n).find(|d| have[sizes.len() - n + d].differs(output[*d])) } else { Some(0) };
        refuse!(if let Some(d) = wrong, "{function}: gradOutput {} unexpected", names[d]);
        refuse!(if let Some((want, got)) = mismatch(&indices.sizes, &grad.sizes),
            "fractional_max_pool{n}d_backward(): gradient and indices have sizes {got} and {want}");
    }
    Ok(smallvec![t.like()])
}
