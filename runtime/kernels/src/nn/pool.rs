//! Pooling: a maximum or an average over windows of each channel. What [`crate::nn::sliding_pool`] does not do is done in f64 (integers in i64).

use crate::engine::arguments::one;
use crate::engine::arguments::{arg, bool_arg, ints_arg, result, tensor_arg};
use crate::engine::cast::{self, Value};
use crate::engine::elementwise;
use crate::nn::norm::channels_last_strides;
use crate::nn::sliding_pool::{Divisor, Windows, averages, even_averages, largest};
use crate::{Call, Error, Outputs};
use sconce_tensor::{DType, Element, IValue, Sizes, Tensor};
use smallvec::smallvec;

/// The range of input positions that one window takes in one dimension.
#[derive(Clone, Copy)]
struct Span {
    start: i64,
    /// Exclusive, inside the input.
    end: i64,
    step: i64,
    /// Elements with padding counted.
    full: i64,
}

/// For each spatial dimension the span of each window.
type Spans = Vec<Vec<Span>>;

/// Calls `f` for each window of a channel with the offsets of its elements in the channel, and the product of the full lengths.
fn for_each_window(spans: &Spans, image: &[i64], mut f: impl FnMut(&[usize], i64)) {
    let n = spans.len();
    if spans.iter().any(Vec::is_empty) {
        return;
    }
    let mut index = vec![0usize; n];
    let mut offsets: Vec<usize> = Vec::new();
    loop {
        offsets.clear();
        offsets.push(0);
        let mut full = 1;
        for d in 0..n {
            let s = spans[d][index[d]];
            full *= s.full;
            let mut next = Vec::with_capacity(offsets.len());
            for &o in &offsets {
                let mut at = s.start;
                while at < s.end {
                    next.push(o * image[d] as usize + at as usize);
                    at += s.step;
                }
            }
            offsets = next;
        }
        f(&offsets, full);
        let mut d = n;
        loop {
            if d == 0 {
                return;
            }
            d -= 1;
            index[d] += 1;
            if index[d] < spans[d].len() {
                break;
            }
            index[d] = 0;
        }
    }
}

fn spread(list: Sizes, n: usize, empty: &[i64]) -> Result<Sizes, Error> {
    match list.len() {
        0 if empty.len() == n => Ok(empty.into()),
        1 => Ok(smallvec![list[0]; n]),
        l if l == n => Ok(list),
        _ => Err(Error::runtime(match n {
            2 => "avg_pool2d: kernel_size must either be a single int, or a tuple of two ints",
            _ => "avg_pool3d: kernel_size must be a single int, or a tuple of three ints",
        })),
    }
}

/// A sliding window in each dimension.
struct Sliding {
    kernel: Sizes,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
}

impl Sliding {
    /// Kernel, stride and padding stand at `args[first..]`.
    fn new(args: &[IValue], first: usize, dilation: Option<usize>, n: usize) -> Result<Sliding, Error> {
        let kernel = spread(ints_arg(args, first)?, n, &[])?;
        let stride = spread(ints_arg(args, first + 1)?, n, &kernel)?;
        let padding = spread(ints_arg(args, first + 2)?, n, &[])?;
        let dilation = match dilation {
            Some(i) => spread(ints_arg(args, i)?, n, &[])?,
            None => smallvec![1; n],
        };
        if stride.iter().chain(&dilation).chain(&kernel).any(|v| *v <= 0) || padding.iter().any(|v| *v < 0) {
            return Err(Error::runtime("stride should not be zero"));
        }
        Ok(Sliding { kernel, stride, padding, dilation })
    }

    /// The windows over one channel, unless they are so large that their ends cannot be counted.
    fn windows(&self, image: &[i64], out: &[i64]) -> Option<Windows> {
        let n = image.len();
        let all = [image, &self.kernel, &self.stride, &self.padding, &self.dilation, out];
        if n > 3 || all.iter().any(|l| l.iter().any(|v| *v < 0 || *v > 1 << 20)) || image.contains(&0) {
            return None;
        }
        let three = |list: &[i64], missing: usize| -> [usize; 3] {
            std::array::from_fn(|d| (d + n).checked_sub(3).map_or(missing, |d| list[d] as usize))
        };
        Some(Windows {
            image: three(image, 1),
            kernel: three(&self.kernel, 1),
            stride: three(&self.stride, 1),
            padding: three(&self.padding, 0),
            dilation: three(&self.dilation, 1),
            windows: three(out, 1),
        })
    }

    fn spans(&self, image: &[i64], out: &[i64]) -> Spans {
        let Sliding { kernel, stride, padding, dilation } = self;
        (0..image.len())
            .map(|d| {
                (0..out[d])
                    .map(|o| {
                        let begin = o.saturating_mul(stride[d]).saturating_sub(padding[d]);
                        let end = begin.saturating_add((kernel[d] - 1).saturating_mul(dilation[d])).saturating_add(1);
                        let mut start = begin;
                        if start < 0 {
                            start += start.unsigned_abs().min(i64::MAX as u64) as i64 / dilation[d] * dilation[d];
                            start += if start < 0 { dilation[d] } else { 0 };
                        }
                        Span {
                            start,
                            end: end.min(image[d]),
                            step: dilation[d],
                            full: end.min(image[d].saturating_add(padding[d])) - begin,
                        }
                    })
                    .collect()
            })
            .collect()
    }
}

/// Spans of a sliding window: kernel, stride and padding stand at `args[first..]`.
fn sliding(args: &[IValue], first: usize, dilation: Option<usize>, image: &[i64], out: &[i64]) -> Result<Spans, Error> {
    Ok(Sliding::new(args, first, dilation, image.len())?.spans(image, out))
}

/// Spans that divide the input evenly.
fn adaptive(image: &[i64], out: &[i64]) -> Spans {
    image
        .iter()
        .zip(out)
        .map(|(&i, &o)| {
            (0..o)
                .map(|k| {
                    let (start, end) = (k * i / o, ((k + 1) * i + o - 1) / o);
                    Span { start, end, step: 1, full: end - start }
                })
                .collect()
        })
        .collect()
}

/// Whether results are to lie with their channels last.
fn channels_last(like: &Tensor) -> bool {
    (4..=5).contains(&like.dim())
        && !like.is_contiguous()
        && like.strides() == channels_last_strides(like.sizes()).as_slice()
}

/// Computes results row-major by `f` (where the caller wants them, when they lie so) and gives them the input's memory format.
fn in_lines<T: Element>(
    call: &Call<'_>,
    i: usize,
    like: &Tensor,
    sizes: &[i64],
    f: impl FnOnce(&mut [T]),
) -> Result<Tensor, Error> {
    let last = channels_last(like);
    // SAFETY: every element is written.
    let out =
        if last { unsafe { Tensor::uninit(sizes, T::DTYPE) }? } else { call.contiguous_output(i, sizes, T::DTYPE)? };
    // SAFETY: the result is fresh.
    f(unsafe { out.as_mut_slice::<T>() }.ok_or_else(|| Error::runtime("a pooled result is not contiguous"))?);
    if !last {
        return Ok(out);
    }
    let laid = call.output(i, sizes, &channels_last_strides(sizes), T::DTYPE)?;
    laid.copy_bytes_from(&out)?;
    Ok(laid)
}

/// A result in the memory format that the input suggests.
fn laid_out<T: Value>(like: &Tensor, data: Vec<T>, sizes: &[i64], dtype: DType) -> Result<Tensor, Error> {
    let out = cast::from_vec(data, sizes, dtype)?;
    if !channels_last(like) {
        return Ok(out);
    }
    let laid = elementwise::empty_strided(sizes, &channels_last_strides(sizes), dtype)?;
    laid.copy_bytes_from(&out)?;
    Ok(laid)
}

fn average(t: &Tensor, spans: &Spans, n: usize, sizes: &[i64], divisor: &Divisor) -> Result<Outputs, Error> {
    let image = &t.sizes()[t.dim() - n..];
    let pixels = crate::engine::lanes::count(&image);
    let data = cast::to_vec::<f64>(t)?;
    let mut out = Vec::new();
    for channel in data.chunks_exact(pixels.max(1)) {
        for_each_window(spans, image, |offsets, full| {
            let sum: f64 = offsets.iter().map(|o| channel[*o]).sum();
            let by = match divisor {
                Divisor::Given(d) => *d,
                Divisor::WithPadding => full,
                Divisor::Inside => offsets.len() as i64,
            };
            out.push(if offsets.is_empty() { 0.0 } else { sum / by as f64 });
        });
    }
    if pixels == 0 {
        out.resize(crate::engine::lanes::count(&sizes), f64::NAN);
    }
    one(laid_out(t, out, sizes, t.dtype())?)
}

fn avg_pool(call: &Call<'_>, args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let (image, windows) = (&t.sizes()[t.dim() - n..], &sizes[sizes.len() - n..]);
    let sliding = Sliding::new(args, 1, None, n)?;
    let divisor = match n {
        1 => None,
        _ => arg(args, 6)?.optional().map(IValue::as_int).transpose()?,
    };
    let divisor = match divisor {
        Some(d) => Divisor::Given(d),
        None if bool_arg(args, 5)? => Divisor::WithPadding,
        None => Divisor::Inside,
    };
    if let Some(w) = sliding.windows(image, windows) {
        macro_rules! lines {
            ($t:ty) => {{
                let x = t.contiguous()?;
                let x = x.as_slice::<$t>().unwrap_or_default();
                return one(in_lines::<$t>(call, 0, t, &sizes, |out| averages(x, &w, divisor, out))?);
            }};
        }
        match t.dtype() {
            DType::F32 => lines!(f32),
            DType::F64 => lines!(f64),
            _ => {}
        }
    }
    average(t, &sliding.spans(image, windows), n, &sizes, &divisor)
}

pub fn avg_pool1d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    avg_pool(call, args, 1)
}
pub fn avg_pool2d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    avg_pool(call, args, 2)
}
pub fn avg_pool3d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    avg_pool(call, args, 3)
}

fn adaptive_avg(call: &Call<'_>, args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    if sconce_tensor::numel(&sizes) == Some(0) {
        return one(Tensor::zeros(&sizes, t.dtype())?);
    }
    let (image, windows) = (&t.sizes()[t.dim() - n..], &sizes[sizes.len() - n..]);
    let three = |list: &[i64]| -> [usize; 3] {
        std::array::from_fn(|d| (d + n).checked_sub(3).map_or(1, |d| list[d] as usize))
    };
    macro_rules! lines {
        ($t:ty) => {{
            let x = t.contiguous()?;
            let x = x.as_slice::<$t>().unwrap_or_default();
            return one(in_lines::<$t>(call, 0, t, &sizes, |out| even_averages(x, three(image), three(windows), out))?);
        }};
    }
    match t.dtype() {
        DType::F32 if t.numel() > 0 => lines!(f32),
        DType::F64 if t.numel() > 0 => lines!(f64),
        _ => {}
    }
    Tensor::zeros(&sizes, t.dtype())?;
    average(t, &adaptive(image, windows), n, &sizes, &Divisor::Inside)
}

pub fn adaptive_avg_pool1d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    adaptive_avg(call, args, 1)
}
pub fn adaptive_avg_pool2d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    adaptive_avg(call, args, 2)
}
pub fn adaptive_avg_pool3d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    adaptive_avg(call, args, 3)
}

/// Maxima and where in the channel they stand; NaN wins.
fn maximum(t: &Tensor, spans: &Spans, n: usize, sizes: &[i64], indices: bool) -> Result<Outputs, Error> {
    let image = &t.sizes()[t.dim() - n..];
    let pixels = (crate::engine::lanes::count(&image)).max(1);
    let mut at: Vec<i64> = Vec::new();
    macro_rules! run {
        ($t:ty, $lowest:expr) => {{
            let data = cast::to_vec::<$t>(t)?;
            let mut out: Vec<$t> = Vec::new();
            for channel in data.chunks_exact(pixels) {
                for_each_window(spans, image, |offsets, _| {
                    let mut best: $t = $lowest;
                    let mut place = offsets.first().copied().unwrap_or(0);
                    for &o in offsets {
                        let v = channel[o];
                        #[allow(clippy::eq_op, reason = "NaN is what differs from itself")]
                        if v > best || v != v {
                            best = v;
                            place = o;
                        }
                    }
                    out.push(best);
                    at.push(place as i64);
                });
            }
            laid_out(t, out, sizes, t.dtype())?
        }};
    }
    let values = if t.dtype().is_float() { run!(f64, f64::NEG_INFINITY) } else { run!(i64, i64::MIN) };
    if !indices {
        return one(values);
    }
    Ok(smallvec![IValue::Tensor(values), IValue::Tensor(laid_out(t, at, sizes, DType::I64)?)])
}

fn max_pool(call: &Call<'_>, args: &[IValue], n: usize, indices: bool) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let (image, windows) = (&t.sizes()[t.dim() - n..], &sizes[sizes.len() - n..]);
    let sliding = Sliding::new(args, 1, Some(4), n)?;
    if let Some(w) = sliding.windows(image, windows) {
        macro_rules! lines {
            ($t:ty, $lowest:expr) => {{
                let x = t.contiguous()?;
                let x = x.as_slice::<$t>().unwrap_or_default();
                if !indices {
                    return one(in_lines::<$t>(call, 0, t, &sizes, |out| largest(x, &w, $lowest, out, None))?);
                }
                let mut values = Ok(None);
                let at = in_lines::<i64>(call, 1, t, &sizes, |at| {
                    values = in_lines::<$t>(call, 0, t, &sizes, |out| largest(x, &w, $lowest, out, Some(at))).map(Some);
                })?;
                return Ok(values?.into_iter().chain([at]).map(IValue::Tensor).collect());
            }};
        }
        match t.dtype() {
            DType::F32 => lines!(f32, f32::NEG_INFINITY),
            DType::F64 => lines!(f64, f64::NEG_INFINITY),
            DType::F16 => lines!(half::f16, half::f16::NEG_INFINITY),
            DType::BF16 => lines!(half::bf16, half::bf16::NEG_INFINITY),
            DType::I64 => lines!(i64, i64::MIN),
            DType::I32 => lines!(i32, i32::MIN),
            DType::I8 => lines!(i8, i8::MIN),
            DType::U8 => lines!(u8, u8::MIN),
            _ => {}
        }
    }
    maximum(t, &sliding.spans(image, windows), n, &sizes, indices)
}

pub fn max_pool1d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    max_pool(call, args, 1, false)
}
pub fn max_pool2d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    max_pool(call, args, 2, false)
}
pub fn max_pool3d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    max_pool(call, args, 3, false)
}
pub fn max_pool1d_with_indices(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    max_pool(call, args, 1, true)
}
pub fn max_pool2d_with_indices(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    max_pool(call, args, 2, true)
}
pub fn max_pool3d_with_indices(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    max_pool(call, args, 3, true)
}

fn adaptive_max(call: &Call<'_>, args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let empty = Tensor::zeros(&sizes, t.dtype())?;
    if empty.numel() == 0 {
        return Ok(smallvec![IValue::Tensor(empty), IValue::Tensor(Tensor::zeros(&sizes, DType::I64)?)]);
    }
    let spans = adaptive(&t.sizes()[t.dim() - n..], &sizes[sizes.len() - n..]);
    maximum(t, &spans, n, &sizes, true)
}

pub fn adaptive_max_pool1d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    adaptive_max(call, args, 1)
}
pub fn adaptive_max_pool2d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    adaptive_max(call, args, 2)
}
pub fn adaptive_max_pool3d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    adaptive_max(call, args, 3)
}

/// A gradient has the input's rank, batch and channels.
fn check_gradient(grad: &Tensor, t: &Tensor, n: usize) -> Result<(), Error> {
    if grad.dim() != t.dim() || t.dim() <= n {
        return Err(Error::runtime(format!(
            "Expected dimensions {} for `grad_output` but got dimensions {}",
            t.dim(),
            grad.dim()
        )));
    }
    let lead = t.dim() - n;
    if let Some(d) = (0..lead).find(|&d| grad.sizes()[d] != t.sizes()[d]) {
        return Err(Error::runtime(format!(
            "Expected a tensor of dimension {} and tensor.size[{d}] == {} but got: dimension {} and tensor.size[{d}] = {}",
            t.dim(),
            t.sizes()[d],
            grad.dim(),
            grad.sizes()[d]
        )));
    }
    Ok(())
}

/// Spreads each gradient over its window.
fn average_backward(args: &[IValue], spans: &Spans, n: usize, divisor: &Divisor) -> Result<Outputs, Error> {
    let (grad, t) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let image = &t.sizes()[t.dim() - n..];
    let pixels = crate::engine::lanes::count(&image);
    let g = cast::to_vec::<f64>(grad)?;
    let mut out = vec![0.0; t.numel()];
    let mut next = g.iter();
    for channel in out.chunks_exact_mut(pixels.max(1)) {
        for_each_window(spans, image, |offsets, full| {
            let by = match divisor {
                Divisor::Given(d) => *d,
                Divisor::WithPadding => full,
                Divisor::Inside => offsets.len() as i64,
            };
            let share = next.next().copied().unwrap_or(0.0) / by as f64;
            offsets.iter().for_each(|o| channel[*o] += share);
        });
    }
    one(laid_out(t, out, t.sizes(), t.dtype())?)
}

fn avg_backward(args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let (grad, t) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    check_gradient(grad, t, n)?;
    let spans = sliding(args, 2, None, &t.sizes()[t.dim() - n..], &grad.sizes()[grad.dim() - n..])?;
    let divisor = match arg(args, 7)?.optional().map(IValue::as_int).transpose()? {
        Some(d) => Divisor::Given(d),
        None if bool_arg(args, 6)? => Divisor::WithPadding,
        None => Divisor::Inside,
    };
    average_backward(args, &spans, n, &divisor)
}

pub fn avg_pool2d_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    avg_backward(args, 2)
}
pub fn avg_pool3d_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    avg_backward(args, 3)
}

fn adaptive_backward(args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let (grad, t) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    check_gradient(grad, t, n)?;
    let spans = adaptive(&t.sizes()[t.dim() - n..], &grad.sizes()[grad.dim() - n..]);
    average_backward(args, &spans, n, &Divisor::Inside)
}

pub fn adaptive_avg_pool2d_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    adaptive_backward(args, 2)
}
pub fn adaptive_avg_pool3d_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    adaptive_backward(args, 3)
}

/// Each value goes to the place its index names: gradients of maxima, and unpooling.
fn scatter(
    values: &Tensor,
    indices: &Tensor,
    like: &Tensor,
    sizes: &[i64],
    n: usize,
    add: bool,
) -> Result<Outputs, Error> {
    let image = &sizes[sizes.len() - n..];
    let pixels = crate::engine::lanes::count(image);
    let (v, at) = (cast::to_vec::<f64>(values)?, cast::to_vec::<i64>(indices)?);
    let windows = crate::engine::lanes::count(&values.sizes()[values.dim() - n..]);
    let mut out = cast::to_vec::<f64>(&Tensor::zeros(sizes, DType::F64)?)?;
    // Of several the last is named.
    if let Some(at) = at.iter().rev().find(|at| **at < 0 || **at as usize >= pixels) {
        let volume: Vec<String> = image.iter().map(i64::to_string).collect();
        return Err(Error::runtime(format!(
            "Found an invalid max index: {at} (output volumes are of size {})",
            volume.join("x")
        )));
    }
    for (i, (v, &at)) in v.iter().zip(&at).enumerate() {
        let target = &mut out[i / windows.max(1) * pixels + at as usize];
        if add {
            *target += v;
        } else {
            *target = *v;
        }
    }
    one(laid_out(like, out, sizes, values.dtype())?)
}

/// The indices are the last argument.
fn max_backward(args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let (grad, t) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let indices = tensor_arg(args, args.len() - 1)?;
    check_gradient(grad, t, n)?;
    if indices.sizes() != grad.sizes() {
        return Err(Error::runtime(format!(
            "expected sizes {:?} for `grad_output` but got sizes {:?}",
            indices.sizes(),
            grad.sizes()
        )));
    }
    scatter(grad, indices, t, t.sizes(), n, true)
}

pub fn max_pool2d_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    max_backward(args, 2)
}
pub fn max_pool3d_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    max_backward(args, 3)
}

fn unpool(call: &Call<'_>, args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    scatter(t, tensor_arg(args, 1)?, t, &sizes, n, false)
}

pub fn max_unpool2d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    unpool(call, args, 2)
}
pub fn max_unpool3d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    unpool(call, args, 3)
}
