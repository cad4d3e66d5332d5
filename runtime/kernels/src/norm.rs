//! Normalisations and softmax, computed in f64 and rounded once.

use crate::cast;
use crate::elementwise;
use crate::lanes::{
    Lanes, arg, bool_arg, float_arg, from_lanes, int_arg, ints_arg, optional_tensor, result, tensor_arg,
    with_float_acc, wrap,
};
use crate::reduce::norm_of;
use crate::{Call, Error, Outputs};
use num_complex::Complex;
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::{SmallVec, smallvec};

fn one(t: Tensor) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(t)])
}

/// Softmax of one lane in place, or its logarithm.
pub fn softmax_lane(lane: &mut [f64], log: bool) {
    let high = lane.iter().copied().fold(f64::NEG_INFINITY, |a, b| if a.is_nan() || a > b { a } else { b });
    if log {
        let sum: f64 = lane.iter().map(|x| (x - high).exp()).sum();
        let shift = high + sum.ln();
        lane.iter_mut().for_each(|x| *x -= shift);
        return;
    }
    lane.iter_mut().for_each(|x| *x = (*x - high).exp());
    let sum: f64 = lane.iter().sum();
    lane.iter_mut().for_each(|x| *x /= sum);
}

fn along(call: &Call<'_>, args: &[IValue], f: impl Fn(&mut [f64])) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let dim = wrap(int_arg(args, 1)?, t.dim())?;
    let mut lanes = Lanes::<f64>::along(&cast::convert(t, dtype)?, dim)?;
    lanes.iter_mut().for_each(f);
    one(from_lanes(lanes.data, &sizes, dim, dtype)?)
}

pub fn softmax(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    along(call, args, |lane| softmax_lane(lane, false))
}

pub fn log_softmax(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    along(call, args, |lane| softmax_lane(lane, true))
}

/// A lane of nothing but minus infinity gives zeros.
pub fn safe_softmax(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    along(call, args, |lane| {
        if lane.iter().all(|x| *x == f64::NEG_INFINITY) { lane.fill(0.0) } else { softmax_lane(lane, false) }
    })
}

/// Gradient, output, dimension.
fn softmax_backward_over(call: &Call<'_>, args: &[IValue], f: impl Fn(&mut [f64], &[f64])) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (grad, output) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let dim = wrap(int_arg(args, 2)?, grad.dim())?;
    let mut g = Lanes::<f64>::along(grad, dim)?;
    let y = Lanes::<f64>::along(output, dim)?;
    for (g, y) in g.iter_mut().zip(y.iter()) {
        f(g, y);
    }
    one(from_lanes(g.data, &sizes, dim, dtype)?)
}

pub fn softmax_backward(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    softmax_backward_over(call, args, |g, y| {
        let sum: f64 = g.iter().zip(y).map(|(g, y)| g * y).sum();
        g.iter_mut().zip(y).for_each(|(g, y)| *g = y * (*g - sum));
    })
}

pub fn log_softmax_backward(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    softmax_backward_over(call, args, |g, y| {
        let sum: f64 = g.iter().sum();
        g.iter_mut().zip(y).for_each(|(g, y)| *g -= y.exp() * sum);
    })
}

fn numbers(t: Option<&Tensor>) -> Result<Option<Vec<f64>>, Error> {
    t.map(cast::to_vec::<f64>).transpose()
}

/// Mean and biased variance.
fn moments(x: &[f64]) -> (f64, f64) {
    let n = x.len() as f64;
    let mean = crate::reduce::total(x) / n;
    let squares: Vec<f64> = x.iter().map(|v| (v - mean) * (v - mean)).collect();
    (mean, crate::reduce::total(&squares) / n)
}

/// The same as PyTorch's running mean has it: an infinity that is followed by another element makes it NaN.
fn running_moments(x: &[f64]) -> (f64, f64) {
    let (mean, variance) = moments(x);
    let last = x.len().is_multiple_of(8) && x.iter().rev().skip(1).all(|v| v.is_finite());
    if mean.is_infinite() && !last { (f64::NAN, f64::NAN) } else { (mean, variance) }
}

/// The dtype in which statistics are handed out: the parameters', else the input's.
fn statistics_dtype(t: &Tensor, parameter: Option<&Tensor>) -> DType {
    parameter.map_or(t.dtype(), Tensor::dtype)
}

/// Output, means and reciprocal deviations over the last dimensions, whose sizes' product is `inner`.
fn layer(
    t: &Tensor,
    inner: usize,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
) -> Result<(Vec<f64>, Vec<f64>, Vec<f64>), Error> {
    let mut x = cast::to_vec::<f64>(t)?;
    let (w, b) = (numbers(weight)?, numbers(bias)?);
    let (mut means, mut scales) = (Vec::new(), Vec::new());
    if inner > 0 {
        for row in x.chunks_exact_mut(inner) {
            let (mean, variance) = running_moments(row);
            let scale = 1.0 / (variance + eps).sqrt();
            for (i, v) in row.iter_mut().enumerate() {
                *v = (*v - mean) * scale * w.as_ref().map_or(1.0, |w| w[i]) + b.as_ref().map_or(0.0, |b| b[i]);
            }
            means.push(mean);
            scales.push(scale);
        }
    }
    Ok((x, means, scales))
}

fn inner_size(args: &[IValue], i: usize) -> Result<usize, Error> {
    Ok(crate::lanes::count(&ints_arg(args, i)?))
}

pub fn layer_norm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let (w, b) = (optional_tensor(args, 2)?, optional_tensor(args, 3)?);
    let (x, ..) = layer(t, inner_size(args, 1)?, w, b, float_arg(args, 4)?)?;
    one(cast::from_vec(x, t.sizes(), t.dtype())?)
}

pub fn native_layer_norm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let (w, b) = (optional_tensor(args, 2)?, optional_tensor(args, 3)?);
    let (x, mut means, mut scales) = layer(t, inner_size(args, 1)?, w, b, float_arg(args, 4)?)?;
    let (sizes, _) = result(call.metas, 1)?;
    let count = crate::lanes::count(&sizes);
    means.resize(count, f64::NAN);
    scales.resize(count, f64::NAN);
    let dtype = statistics_dtype(t, w.or(b));
    Ok(smallvec![
        IValue::Tensor(cast::from_vec(x, t.sizes(), t.dtype())?),
        IValue::Tensor(cast::from_vec(means, &sizes, dtype)?),
        IValue::Tensor(cast::from_vec(scales, &sizes, dtype)?)
    ])
}

fn masked(args: &[IValue], i: usize) -> Result<SmallVec<[bool; 3]>, Error> {
    let mask: SmallVec<[bool; 3]> =
        arg(args, i)?.as_list()?.read().iter().map(|v| Ok(v.as_int_or_bool()? != 0)).collect::<Result<_, Error>>()?;
    if mask.len() == 3 { Ok(mask) } else { Err(Error::runtime("output_mask must have three elements")) }
}

fn gradient(wanted: bool, data: Vec<f64>, sizes: &[i64], dtype: DType) -> Result<IValue, Error> {
    if wanted { Ok(IValue::Tensor(cast::from_vec(data, sizes, dtype)?)) } else { Ok(IValue::None) }
}

/// The input's gradient for one normalised group: `g` is the gradient times the weight.
fn normalized_backward(g: &[f64], normalized: &[f64], scale: f64) -> Vec<f64> {
    let n = g.len() as f64;
    let mean = g.iter().sum::<f64>() / n;
    let along = g.iter().zip(normalized).map(|(g, h)| g * h).sum::<f64>() / n;
    g.iter().zip(normalized).map(|(g, h)| (g - mean - h * along) * scale).collect()
}

pub fn native_layer_norm_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (grad, t) = (cast::to_vec::<f64>(tensor_arg(args, 0)?)?, tensor_arg(args, 1)?);
    let x = cast::to_vec::<f64>(t)?;
    let shape = ints_arg(args, 2)?;
    let inner = inner_size(args, 2)?;
    let (means, scales) = (cast::to_vec::<f64>(tensor_arg(args, 3)?)?, cast::to_vec::<f64>(tensor_arg(args, 4)?)?);
    let (weight, bias) = (optional_tensor(args, 5)?, optional_tensor(args, 6)?);
    let w = numbers(weight)?;
    let mask = masked(args, 7)?;
    let (mut dx, mut dw, mut db) = (Vec::new(), vec![0.0; inner], vec![0.0; inner]);
    let rows = x.len().checked_div(inner).unwrap_or(0);
    if grad.len() != x.len()
        || means.len() < rows
        || scales.len() < rows
        || w.as_ref().is_some_and(|w| w.len() != inner)
    {
        return Err(Error::runtime("native_layer_norm_backward: gradient and statistics do not fit the input"));
    }
    for row in 0..rows {
        let (mean, scale) = (means[row], scales[row]);
        let (xs, gs) = (&x[row * inner..][..inner], &grad[row * inner..][..inner]);
        let normalized: Vec<f64> = xs.iter().map(|v| (v - mean) * scale).collect();
        let weighted: Vec<f64> = gs.iter().enumerate().map(|(i, g)| g * w.as_ref().map_or(1.0, |w| w[i])).collect();
        dx.extend(normalized_backward(&weighted, &normalized, scale));
        for i in 0..inner {
            dw[i] += gs[i] * normalized[i];
            db[i] += gs[i];
        }
    }
    let dtype = |p: Option<&Tensor>| p.map_or(t.dtype(), Tensor::dtype);
    Ok(smallvec![
        gradient(mask[0], dx, t.sizes(), t.dtype())?,
        gradient(mask[1] && weight.is_some(), dw, &shape, dtype(weight))?,
        gradient(mask[2] && bias.is_some(), db, &shape, dtype(bias))?
    ])
}

pub fn rms_norm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let inner = inner_size(args, 1)?;
    let weight = optional_tensor(args, 2)?;
    let eps = if arg(args, 3)?.is_none() {
        match t.dtype().to_real() {
            DType::F64 => f64::EPSILON,
            _ => f64::from(f32::EPSILON),
        }
    } else {
        float_arg(args, 3)?
    };
    with_float_acc!(t.dtype(), T => {
        let mut x = cast::to_vec::<T>(t)?;
        let w = weight.map(cast::to_vec::<T>).transpose()?;
        if inner > 0 {
            for row in x.chunks_exact_mut(inner) {
                let square: T = row.iter().map(|v| *v * *v).sum::<T>() / inner as f64 + eps;
                let scale = square.sqrt();
                for (i, v) in row.iter_mut().enumerate() {
                    *v /= scale;
                    if let Some(w) = &w {
                        *v *= w[i];
                    }
                }
            }
        }
        one(cast::from_vec(x, t.sizes(), t.dtype())?)
    })
}

/// Output, means and reciprocal deviations of groups of channels.
fn groups(
    t: &Tensor,
    (n, c, groups): (usize, usize, usize),
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
) -> Result<(Vec<f64>, Vec<f64>, Vec<f64>), Error> {
    let mut x = cast::to_vec::<f64>(t)?;
    let (w, b) = (numbers(weight)?, numbers(bias)?);
    let (mut means, mut scales) = (Vec::new(), Vec::new());
    if w.as_ref().is_some_and(|w| w.len() != c) || b.as_ref().is_some_and(|b| b.len() != c) {
        return Err(Error::runtime("group norm: weight and bias must have one element per channel"));
    }
    if n == 0 || x.is_empty() {
        return Ok((x, vec![0.0; n * groups], vec![f64::NAN; n * groups]));
    }
    let inner = x.len() / n / c;
    if inner == 0 || n * c * inner != x.len() {
        return Err(Error::runtime("group norm: batch and channels do not fit the input"));
    }
    let per_group = c / groups;
    for (g, block) in x.chunks_exact_mut(inner * per_group).enumerate() {
        let (mean, variance) = running_moments(block);
        let scale = 1.0 / (variance + eps).sqrt();
        for (i, v) in block.iter_mut().enumerate() {
            let channel = (g % groups) * per_group + i / inner;
            *v = (*v - mean) * scale * w.as_ref().map_or(1.0, |w| w[channel]) + b.as_ref().map_or(0.0, |b| b[channel]);
        }
        means.push(mean);
        scales.push(scale);
    }
    Ok((x, means, scales))
}

/// Whether a tensor lies with its channels innermost (`channels_last`, also in 3-d).
fn is_channels_last(t: &Tensor) -> bool {
    crate::tensor_info::suggested_format(t) != 0
}

/// Strides with the channels innermost.
pub fn channels_last_strides(sizes: &[i64]) -> Sizes {
    let mut strides: Sizes = SmallVec::from_elem(1, sizes.len());
    let mut step = sizes[1];
    for d in (2..sizes.len()).rev() {
        strides[d] = step;
        step = step.saturating_mul(sizes[d]);
    }
    strides[0] = step;
    strides
}

/// A result of the input's sizes in the memory format that the input suggests.
pub fn in_format_of(t: &Tensor, data: Vec<f64>, dtype: DType) -> Result<Tensor, Error> {
    let out = cast::from_vec(data, t.sizes(), dtype)?;
    if !is_channels_last(t) {
        return Ok(out);
    }
    let laid = elementwise::empty_strided(t.sizes(), &channels_last_strides(t.sizes()), dtype)?;
    laid.copy_bytes_from(&out)?;
    Ok(laid)
}

pub fn group_norm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let shape = (t.sizes()[0] as usize, t.sizes()[1] as usize, int_arg(args, 1)? as usize);
    let (x, ..) = groups(t, shape, optional_tensor(args, 2)?, optional_tensor(args, 3)?, float_arg(args, 4)?)?;
    one(in_format_of(t, x, t.dtype())?)
}

pub fn native_group_norm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let shape = (int_arg(args, 3)? as usize, int_arg(args, 4)? as usize, int_arg(args, 6)? as usize);
    let (w, b) = (optional_tensor(args, 1)?, optional_tensor(args, 2)?);
    let (x, means, scales) = groups(t, shape, w, b, float_arg(args, 7)?)?;
    let (sizes, _) = result(call.metas, 1)?;
    let dtype = statistics_dtype(t, w.or(b));
    Ok(smallvec![
        IValue::Tensor(in_format_of(t, x, t.dtype())?),
        IValue::Tensor(cast::from_vec(means, &sizes, dtype)?),
        IValue::Tensor(cast::from_vec(scales, &sizes, dtype)?)
    ])
}

pub fn native_group_norm_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (grad, t) = (cast::to_vec::<f64>(tensor_arg(args, 0)?)?, tensor_arg(args, 1)?);
    let x = cast::to_vec::<f64>(t)?;
    let (means, scales) = (cast::to_vec::<f64>(tensor_arg(args, 2)?)?, cast::to_vec::<f64>(tensor_arg(args, 3)?)?);
    let w = numbers(optional_tensor(args, 4)?)?;
    let (c, inner, groups) = (int_arg(args, 6)? as usize, int_arg(args, 7)? as usize, int_arg(args, 8)? as usize);
    let mask = masked(args, 9)?;
    if grad.len() != x.len() || (!x.is_empty() && x.len() % c.max(1) != 0) || c > x.len().max(1) {
        return Err(Error::runtime("native_group_norm_backward: gradient and channels do not fit the input"));
    }
    let per_group = c / groups.max(1);
    let block = per_group.saturating_mul(inner);
    let count = x.len().checked_div(block).unwrap_or(0);
    if grad.len() != x.len() || means.len() < count || scales.len() < count {
        return Err(Error::runtime("native_group_norm_backward: gradient and statistics do not fit the input"));
    }
    let (mut dx, mut dw, mut db) = (Vec::new(), vec![0.0; c], vec![0.0; c]);
    if w.as_ref().is_some_and(|w| w.len() != c) {
        return Err(Error::runtime("native_group_norm_backward: the weight must have one element per channel"));
    }
    for g in 0..x.len().checked_div(block).unwrap_or(0) {
        let (xs, gs) = (&x[g * block..][..block], &grad[g * block..][..block]);
        let channel = |i: usize| (g % groups) * per_group + i / inner;
        let normalized: Vec<f64> = xs.iter().map(|v| (v - means[g]) * scales[g]).collect();
        let weighted: Vec<f64> =
            gs.iter().enumerate().map(|(i, v)| v * w.as_ref().map_or(1.0, |w| w[channel(i)])).collect();
        dx.extend(normalized_backward(&weighted, &normalized, scales[g]));
        // From sums of products, as PyTorch has it: what is infinite in one sum makes NaN in the difference.
        for (start, (xs, gs)) in xs.chunks_exact(inner).zip(gs.chunks_exact(inner)).enumerate() {
            let at = channel(start * inner);
            let sum: f64 = gs.iter().sum();
            let products: f64 = gs.iter().zip(xs).map(|(g, x)| g * x).sum();
            dw[at] += (products - sum * means[g]) * scales[g];
            db[at] += sum;
        }
    }
    Ok(smallvec![
        gradient(mask[0], dx, t.sizes(), t.dtype())?,
        gradient(mask[1], dw, &[c as i64], t.dtype())?,
        gradient(mask[2], db, &[c as i64], t.dtype())?
    ])
}

/// What batch norm computes with per channel.
struct Channels {
    mean: Vec<f64>,
    /// Reciprocal deviation.
    scale: Vec<f64>,
}

/// Statistics of each channel over the batch; running statistics are moved towards them.
fn batch_statistics(t: &Tensor, running: [Option<&Tensor>; 2], momentum: f64, eps: f64) -> Result<Channels, Error> {
    let mask: SmallVec<[bool; 6]> = (0..t.dim()).map(|d| d != 1).collect();
    let lanes = Lanes::<f64>::over(t, &mask)?;
    let stats: Vec<(f64, f64)> = lanes.iter().map(moments).collect();
    let n = lanes.length as f64;
    let updates = [
        stats.iter().map(|s| s.0).collect::<Vec<f64>>(),
        stats.iter().map(|s| s.1 * n / (n - 1.0)).collect::<Vec<f64>>(),
    ];
    for (target, new) in running.into_iter().zip(updates) {
        let Some(target) = target else { continue };
        let old = cast::to_vec::<f64>(target)?;
        let moved: Vec<f64> = old.iter().zip(&new).map(|(o, v)| (1.0 - momentum) * o + momentum * v).collect();
        cast::convert_into(target, &Tensor::from_vec(moved, target.sizes()))?;
        target.bump_version();
    }
    Ok(Channels {
        mean: stats.iter().map(|s| s.0).collect(),
        scale: stats.iter().map(|s| 1.0 / (s.1 + eps).sqrt()).collect(),
    })
}

fn running_statistics(mean: &Tensor, variance: &Tensor, eps: f64) -> Result<Channels, Error> {
    Ok(Channels {
        mean: cast::to_vec(mean)?,
        scale: cast::to_vec::<f64>(variance)?.iter().map(|v| 1.0 / (v + eps).sqrt()).collect(),
    })
}

fn normalize(t: &Tensor, s: &Channels, weight: Option<&Tensor>, bias: Option<&Tensor>) -> Result<Tensor, Error> {
    let mut x = cast::to_vec::<f64>(t)?;
    let (w, b) = (numbers(weight)?, numbers(bias)?);
    let c = t.sizes()[1] as usize;
    let inner = crate::lanes::count(&t.sizes()[2..]);
    for (i, v) in x.iter_mut().enumerate() {
        let at = i / inner % c;
        *v = (*v - s.mean[at]) * s.scale[at] * w.as_ref().map_or(1.0, |w| w[at]) + b.as_ref().map_or(0.0, |b| b[at]);
    }
    in_format_of(t, x, t.dtype())
}

/// Input, weight, bias, running mean, running variance.
fn batch_norm_of(
    args: &[IValue],
    training: bool,
    momentum: f64,
    eps: f64,
) -> Result<(Tensor, Option<Channels>), Error> {
    let t = tensor_arg(args, 0)?;
    let (w, b) = (optional_tensor(args, 1)?, optional_tensor(args, 2)?);
    let (mean, variance) = (optional_tensor(args, 3)?, optional_tensor(args, 4)?);
    if training {
        let s = batch_statistics(t, [mean, variance], momentum, eps)?;
        return Ok((normalize(t, &s, w, b)?, Some(s)));
    }
    let (Some(mean), Some(variance)) = (mean, variance) else {
        return Err(Error::runtime("Expected running_mean and running_var to be defined when training=False"));
    };
    Ok((normalize(t, &running_statistics(mean, variance, eps)?, w, b)?, None))
}

pub fn batch_norm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(batch_norm_of(args, bool_arg(args, 5)?, float_arg(args, 6)?, float_arg(args, 7)?)?.0)
}

fn with_statistics(t: &Tensor, dtype: DType, out: Tensor, s: Option<Channels>) -> Result<Outputs, Error> {
    let c = t.sizes()[1];
    let (mean, scale) = match s {
        Some(s) => (cast::from_vec(s.mean, &[c], dtype)?, cast::from_vec(s.scale, &[c], dtype)?),
        None => (Tensor::zeros(&[0], dtype)?, Tensor::zeros(&[0], dtype)?),
    };
    Ok(smallvec![IValue::Tensor(out), IValue::Tensor(mean), IValue::Tensor(scale)])
}

/// `native_batch_norm` and `_native_batch_norm_legit`.
pub fn native_batch_norm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (out, s) = batch_norm_of(args, bool_arg(args, 5)?, float_arg(args, 6)?, float_arg(args, 7)?)?;
    let t = tensor_arg(args, 0)?;
    with_statistics(t, statistics_dtype(t, optional_tensor(args, 1)?), out, s)
}

pub fn native_batch_norm_no_stats(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let (w, b) = (optional_tensor(args, 1)?, optional_tensor(args, 2)?);
    let s = batch_statistics(t, [None, None], float_arg(args, 4)?, float_arg(args, 5)?)?;
    let out = normalize(t, &s, w, b)?;
    with_statistics(t, statistics_dtype(t, w), out, Some(s))
}

pub fn native_batch_norm_no_training(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (out, s) = batch_norm_of(args, false, float_arg(args, 5)?, float_arg(args, 6)?)?;
    let t = tensor_arg(args, 0)?;
    with_statistics(t, statistics_dtype(t, optional_tensor(args, 1)?), out, s)
}

pub fn native_batch_norm_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (grad, t) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let weight = optional_tensor(args, 2)?;
    let w = numbers(weight)?;
    let training = bool_arg(args, 7)?;
    let eps = float_arg(args, 8)?;
    let mask = masked(args, 9)?;
    if t.dim() < 2 || grad.sizes() != t.sizes() {
        return Err(Error::runtime("native_batch_norm_backward: the gradient must have the input's sizes"));
    }
    let need = || Error::runtime("native_batch_norm_backward: the statistics are missing");
    let s = if training {
        Channels {
            mean: numbers(optional_tensor(args, 5)?)?.ok_or_else(need)?,
            scale: numbers(optional_tensor(args, 6)?)?.ok_or_else(need)?,
        }
    } else {
        running_statistics(
            optional_tensor(args, 3)?.ok_or_else(need)?,
            optional_tensor(args, 4)?.ok_or_else(need)?,
            eps,
        )?
    };
    let lanes_mask: SmallVec<[bool; 6]> = (0..t.dim()).map(|d| d != 1).collect();
    let (x, g) = (Lanes::<f64>::over(t, &lanes_mask)?, Lanes::<f64>::over(grad, &lanes_mask)?);
    if s.mean.len() < x.count || s.scale.len() < x.count || w.as_ref().is_some_and(|w| w.len() < x.count) {
        return Err(need());
    }
    let (mut dx, mut dw, mut db) = (Vec::new(), Vec::new(), Vec::new());
    for (c, (xs, gs)) in x.iter().zip(g.iter()).enumerate() {
        let normalized: Vec<f64> = xs.iter().map(|v| (v - s.mean[c]) * s.scale[c]).collect();
        let weight = w.as_ref().map_or(1.0, |w| w[c]);
        let weighted: Vec<f64> = gs.iter().map(|v| v * weight).collect();
        dx.extend(if training {
            normalized_backward(&weighted, &normalized, s.scale[c])
        } else {
            weighted.iter().map(|v| v * s.scale[c]).collect()
        });
        dw.push(gs.iter().zip(&normalized).map(|(a, b)| a * b).sum());
        db.push(gs.iter().sum());
    }
    // The lanes have the channel first; it goes back to its place.
    let mut sizes: Sizes = smallvec![t.sizes()[1], t.sizes()[0]];
    sizes.extend_from_slice(&t.sizes()[2..]);
    let moved = cast::from_vec(dx, &sizes, t.dtype())?;
    let mut order: Vec<usize> = (0..t.dim()).collect();
    order.swap(0, 1);
    let dx = crate::lanes::permute(&moved, &order)?.contiguous()?;
    let dtype = weight.map_or(t.dtype(), Tensor::dtype);
    let c = t.sizes()[1];
    Ok(smallvec![
        if mask[0] { IValue::Tensor(dx) } else { IValue::None },
        gradient(mask[1], dw, &[c], dtype)?,
        gradient(mask[2], db, &[c], dtype)?
    ])
}

/// Batch norm of every sample by itself; running statistics are moved towards the mean over the samples.
pub fn instance_norm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let (w, b) = (optional_tensor(args, 1)?, optional_tensor(args, 2)?);
    let (running_mean, running_variance) = (optional_tensor(args, 3)?, optional_tensor(args, 4)?);
    let (momentum, eps) = (float_arg(args, 6)?, float_arg(args, 7)?);
    if !bool_arg(args, 5)? {
        let (Some(m), Some(v)) = (running_mean, running_variance) else {
            return Err(Error::runtime(
                "Expected running_mean and running_var to be defined when use_input_stats is false",
            ));
        };
        return one(normalize(t, &running_statistics(m, v, eps)?, w, b)?);
    }
    let mut x = cast::to_vec::<f64>(t)?;
    let (wv, bv) = (numbers(w)?, numbers(b)?);
    let (n, c) = (t.sizes()[0] as usize, t.sizes()[1] as usize);
    let inner = crate::lanes::count(&t.sizes()[2..]);
    let (mut means, mut variances) = (vec![0.0; c], vec![0.0; c]);
    if inner > 0 {
        for (i, block) in x.chunks_exact_mut(inner).enumerate() {
            let (mean, variance) = moments(block);
            let at = i % c;
            means[at] += mean / n as f64;
            variances[at] += variance * inner as f64 / (inner as f64 - 1.0) / n as f64;
            let scale = 1.0 / (variance + eps).sqrt();
            for v in block {
                *v = (*v - mean) * scale * wv.as_ref().map_or(1.0, |w| w[at]) + bv.as_ref().map_or(0.0, |b| b[at]);
            }
        }
    }
    for (target, new) in [(running_mean, means), (running_variance, variances)] {
        let Some(target) = target else { continue };
        let old = cast::to_vec::<f64>(target)?;
        let moved: Vec<f64> = old.iter().zip(&new).map(|(o, v)| (1.0 - momentum) * o + momentum * v).collect();
        cast::convert_into(target, &Tensor::from_vec(moved, target.sizes()))?;
        target.bump_version();
    }
    one(cast::from_vec(x, t.sizes(), t.dtype())?)
}

/// Two tensors broadcast to one shape and cut along a dimension.
fn pair(a: &Tensor, b: &Tensor, dim: i64) -> Result<(Lanes<f64>, Lanes<f64>), Error> {
    let sizes = sconce_tensor::broadcast_sizes(a.sizes(), b.sizes())?;
    let dim = wrap(dim, sizes.len())?;
    Ok((Lanes::along(&a.expand(&sizes)?, dim)?, Lanes::along(&b.expand(&sizes)?, dim)?))
}

pub fn cosine_similarity(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (x, y) = pair(tensor_arg(args, 0)?, tensor_arg(args, 1)?, int_arg(args, 2)?)?;
    let eps = float_arg(args, 3)?;
    let data: Vec<f64> = x
        .iter()
        .zip(y.iter())
        .map(|(x, y)| {
            let dot: f64 = x.iter().zip(y).map(|(a, b)| a * b).sum();
            dot / (norm_of(x, 2.0).max(eps) * norm_of(y, 2.0).max(eps))
        })
        .collect();
    one(cast::from_vec(data, &sizes, dtype)?)
}

pub fn pairwise_distance(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (p, eps) = (float_arg(args, 2)?, float_arg(args, 3)?);
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let complex = a.dtype().is_complex() || b.dtype().is_complex();
    let data: Vec<f64> = if complex {
        let all = sconce_tensor::broadcast_sizes(a.sizes(), b.sizes())?;
        let last = wrap(-1, all.len())?;
        let (x, y) = (
            Lanes::<Complex<f64>>::along(&a.expand(&all)?, last)?,
            Lanes::<Complex<f64>>::along(&b.expand(&all)?, last)?,
        );
        let difference = |x: &[Complex<f64>], y: &[Complex<f64>]| {
            norm_of(&x.iter().zip(y).map(|(a, b)| a - b + eps).collect::<Vec<_>>(), p)
        };
        x.iter().zip(y.iter()).map(|(x, y)| difference(x, y)).collect()
    } else {
        let (x, y) = pair(a, b, -1)?;
        x.iter()
            .zip(y.iter())
            .map(|(x, y)| norm_of(&x.iter().zip(y).map(|(a, b)| a - b + eps).collect::<Vec<_>>(), p))
            .collect()
    };
    one(cast::from_vec(data, &sizes, dtype)?)
}

/// Slices along a dimension whose norm is too large are scaled down to it.
pub fn renorm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let (p, most) = (float_arg(args, 1)?, float_arg(args, 3)?);
    let dim = wrap(int_arg(args, 2)?, t.dim())?;
    let mask: SmallVec<[bool; 6]> = (0..t.dim()).map(|d| d != dim).collect();
    with_float_acc!(t.dtype(), T => {
        let lanes = Lanes::<T>::over(t, &mask)?;
        let factors: Vec<f64> = lanes
            .iter()
            .map(|lane| {
                let norm = norm_of(lane, p);
                if norm > most { most / (norm + 1e-7) } else { 1.0 }
            })
            .collect();
        let inner: usize = crate::lanes::count(&t.sizes()[dim + 1..]);
        let mut data = cast::to_vec::<T>(t)?;
        for (i, v) in data.iter_mut().enumerate() {
            *v *= factors[i / inner % factors.len()];
        }
        one(cast::from_vec(data, t.sizes(), t.dtype())?)
    })
}

/// `v * g / |v|` with the norm taken over all dimensions but one, and those norms.
pub fn weight_norm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (v, g) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let dim = wrap(int_arg(args, 2)?, v.dim())?;
    let mask: SmallVec<[bool; 6]> = (0..v.dim()).map(|d| d != dim).collect();
    let norms: Vec<f64> = Lanes::<f64>::over(v, &mask)?.iter().map(|lane| norm_of(lane, 2.0)).collect();
    let gains = cast::to_vec::<f64>(g)?;
    if gains.len() != norms.len() {
        return Err(Error::runtime("_weight_norm_interface: g must have one element per slice of v"));
    }
    let inner: usize = crate::lanes::count(&v.sizes()[dim + 1..]);
    let mut data = cast::to_vec::<f64>(v)?;
    for (i, x) in data.iter_mut().enumerate() {
        let at = i / inner % norms.len();
        *x *= gains[at] / norms[at];
    }
    Ok(smallvec![
        IValue::Tensor(cast::from_vec(data, v.sizes(), v.dtype())?),
        IValue::Tensor(cast::from_vec(norms, g.sizes(), g.dtype())?)
    ])
}

/// Layer norm over the last dimension of an f64 tensor.
pub fn layer_normalized(t: &Tensor, weight: &Tensor, bias: &Tensor, eps: f64) -> Result<Tensor, Error> {
    let (x, ..) = layer(t, weight.numel(), Some(weight), Some(bias), eps)?;
    Ok(Tensor::from_vec(x, t.sizes()))
}
