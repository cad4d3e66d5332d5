//! Normalisations and softmax: sums in f64, results rounded once.

mod softmax;

pub use softmax::*;

use crate::engine::arguments::one;
use crate::engine::arguments::{arg, bool_arg, float_arg, int_arg, ints_arg, optional_tensor, result, tensor_arg};
use crate::engine::cast;
use crate::engine::compose;
use crate::engine::folds::{Largest, Ordered, SquareFrom, itself, total, total_of, total_of_powers};
use crate::engine::lanes::wrap;
use crate::engine::layout::strides_like;
use crate::engine::rows::{self, ACROSS, Columns, Fold, Rows, Shared, Work, fold_slice};
use crate::engine::scratch::{self, Scratch};
use crate::engine::transcendental;
use crate::engine::vectorize::{vectorize, vectorize_widest};
use crate::tensor::fold::converted;
use crate::{Call, Error, Outputs};
use sconce_parallel::rows::{self as of_rows, in_two, largest, to_parts};
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::{SmallVec, smallvec};
/// Elements worth a thread where each costs a few instructions.
const FEW: usize = 1 << 15;

/// A floating type that lanes are normalised in.
pub trait Float: Work<Sum = f64> {
    /// The sum of a lane; with a mean, that of its squared distances from it.
    fn sum(lane: &[Self], mean: Option<f64>) -> f64 {
        mean.map_or_else(|| total(lane), |mean| total_of(lane, SquareFrom(mean)))
    }
    /// The logarithm of the sum of a lane's exponentials.
    fn log_sum_exp(lane: &[Self]) -> f64;
    /// Softmax of a lane, or its logarithm.
    fn softmax(from: &[Self], to: &mut [Self], log: bool);
    /// `(x - mean) * scale + bias`.
    fn shifted(from: &[Self], to: &mut [Self], mean: f64, scale: f64, bias: f64);
    /// `(x - mean) * scale * weight + bias`, weight and bias by element; the slices are as long as `from`.
    fn normalized(from: &[Self], to: &mut [Self], mean: f64, scale: f64, weight: &[Self], bias: &[Self]);
    /// The same with mean and scale by element.
    fn by_element(from: &[Self], to: &mut [Self], mean: &[f64], scale: &[f64], bias: &[f64]) {
        let n = from.len();
        let (to, mean, scale, bias) = (&mut to[..n], &mean[..n], &scale[..n], &bias[..n]);
        vectorize(
            #[inline(always)]
            move || {
                for k in 0..n {
                    to[k] = cast::Value::to((itself(from[k]) - mean[k]) * scale[k] + bias[k]);
                }
            },
        );
    }
}

impl Float for f64 {
    fn log_sum_exp(lane: &[f64]) -> f64 {
        let high = fold_slice(&Largest, lane);
        high + total_of(lane, |x: f64| (x - high).exp()).ln()
    }
    fn softmax(from: &[f64], to: &mut [f64], log: bool) {
        to.copy_from_slice(from);
        softmax_lane(to, log);
    }
    fn shifted(from: &[f64], to: &mut [f64], mean: f64, scale: f64, bias: f64) {
        from.iter().zip(to).for_each(|(x, y)| *y = (x - mean) * scale + bias);
    }
    fn normalized(from: &[f64], to: &mut [f64], mean: f64, scale: f64, weight: &[f64], bias: &[f64]) {
        for ((y, x), (w, b)) in to.iter_mut().zip(from).zip(weight.iter().zip(bias)) {
            *y = (x - mean) * scale * w + b;
        }
    }
}
impl Float for f32 {
    fn sum(lane: &[f32], mean: Option<f64>) -> f64 {
        of_rows::sum(lane, mean)
    }
    fn log_sum_exp(lane: &[f32]) -> f64 {
        let high = largest(lane);
        f64::from(high) + total_of_powers(lane, high).ln()
    }
    fn shifted(from: &[f32], to: &mut [f32], mean: f64, scale: f64, bias: f64) {
        let ((high, low), scale, bias) = (in_two(mean), scale as f32, bias as f32);
        vectorize_widest(
            #[inline(always)]
            move || from.iter().zip(to).for_each(|(x, y)| *y = ((*x - high) - low).mul_add(scale, bias)),
        );
    }
    fn normalized(from: &[f32], to: &mut [f32], mean: f64, scale: f64, weight: &[f32], bias: &[f32]) {
        let ((high, low), scale) = (in_two(mean), scale as f32);
        // By iterators: of indices the compiler keeps the checks, and after them a loop over single elements.
        vectorize_widest(
            #[inline(always)]
            move || {
                for ((y, x), (w, b)) in to.iter_mut().zip(from).zip(weight.iter().zip(bias)) {
                    *y = (((x - high) - low) * scale).mul_add(*w, *b);
                }
            },
        );
    }
    fn softmax(from: &[f32], to: &mut [f32], log: bool) {
        if log {
            let shift = f32::log_sum_exp(from);
            return vectorize_widest(
                #[inline(always)]
                move || from.iter().zip(to).for_each(|(x, y)| *y = (f64::from(*x) - shift) as f32),
            );
        }
        let high = largest(from);
        let powers = &mut *to;
        vectorize_widest(
            #[inline(always)]
            move || from.iter().zip(powers).for_each(|(x, y)| *y = transcendental::exp(*x - high)),
        );
        to_parts(to);
    }
}

/// Runs a body with `$t` bound to the type that a floating dtype is normalised in.
macro_rules! with_float {
    ($dtype:expr, $t:ident => $body:expr) => {
        if $dtype == sconce_tensor::DType::F64 {
            type $t = f64;
            $body
        } else {
            type $t = f32;
            $body
        }
    };
}

pub(crate) use with_float;

/// Mean and biased variance, of lanes of any length.
fn moments<W: Float>(x: &[W]) -> (f64, f64) {
    let n = x.len() as f64;
    let mean = W::sum(x, None) / n;
    (mean, W::sum(x, Some(mean)) / n)
}

/// The same as PyTorch's running mean has it: an infinity that is followed by another element makes it NaN.
fn running_moments<W: Float>(x: &[W]) -> (f64, f64) {
    let (mean, variance) = moments(x);
    let is_last = || x.len().is_multiple_of(8) && x.iter().rev().skip(1).all(|v| itself(*v).is_finite());
    if !mean.is_infinite() || is_last() { (mean, variance) } else { (f64::NAN, f64::NAN) }
}

/// A parameter's elements, or as many of the value that stands for none.
fn parameter<W: Work>(t: Option<&Tensor>, n: usize, none: W) -> Result<Scratch<W>, Error> {
    match t {
        Some(t) => rows::read::<W>(t),
        None => {
            let mut all = scratch::buffer::<W>(n);
            all.fill(none);
            Ok(all)
        }
    }
}

/// Means and reciprocal deviations, one of each per group of elements.
struct Statistics {
    mean: Scratch<f64>,
    scale: Scratch<f64>,
}

impl Statistics {
    fn new(count: usize) -> Statistics {
        Statistics { mean: scratch::buffer(count), scale: scratch::buffer(count) }
    }

    /// As results `1` and `2` of a call.
    fn results(&self, call: &Call<'_>, sizes: &[i64], dtype: DType) -> Result<[IValue; 2], Error> {
        let (mean, scale) = (call.contiguous_output(1, sizes, dtype)?, call.contiguous_output(2, sizes, dtype)?);
        rows::write(&mean, &self.mean)?;
        rows::write(&scale, &self.scale)?;
        Ok([IValue::Tensor(mean), IValue::Tensor(scale)])
    }
}

/// The dtype in which statistics are handed out: the parameters', else the input's.
fn statistics_dtype(t: &Tensor, parameter: Option<&Tensor>) -> DType {
    parameter.map_or(t.dtype(), Tensor::dtype)
}

/// The result, and means and reciprocal deviations over the last dimensions, as many as the normalised shape has.
fn layer(call: &Call<'_>, args: &[IValue]) -> Result<(Tensor, Statistics), Error> {
    let t = tensor_arg(args, 0)?;
    let (weight, bias, eps) = (optional_tensor(args, 2)?, optional_tensor(args, 3)?, float_arg(args, 4)?);
    let kept = t.dim().saturating_sub(ints_arg(args, 1)?.len());
    let mask: SmallVec<[bool; 6]> = (0..t.dim()).map(|d| d >= kept).collect();
    let out = call.contiguous_output(0, t.sizes(), t.dtype())?;
    let from = Rows::new(t, &mask);
    let mut statistics = Statistics::new(from.count());
    let (means, scales) = (Shared::new(&mut statistics.mean), Shared::new(&mut statistics.scale));
    with_float!(t.dtype(), W => {
        let (w, b) = (parameter::<W>(weight, from.length(), 1.0)?, parameter::<W>(bias, from.length(), 0.0)?);
        if w.len() < from.length() || b.len() < from.length() {
            return Err(Error::runtime("layer_norm: weight and bias must have the normalised shape"));
        }
        rows::map::<W>(&from, &Rows::new(&out, &mask), FEW, |i, from, to| {
            let (mean, variance) = running_moments(from);
            let scale = 1.0 / (variance + eps).sqrt();
            W::normalized(from, to, mean, scale, &w, &b);
            means.set(i, mean);
            scales.set(i, scale);
        })?;
    });
    Ok((out, statistics))
}

pub fn layer_norm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(layer(call, args)?.0)
}

pub fn native_layer_norm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (out, statistics) = layer(call, args)?;
    let (sizes, _) = result(call.metas, 1)?;
    let t = tensor_arg(args, 0)?;
    let dtype = statistics_dtype(t, optional_tensor(args, 2)?.or(optional_tensor(args, 3)?));
    let [mean, scale] = statistics.results(call, &sizes, dtype)?;
    Ok(smallvec![IValue::Tensor(out), mean, scale])
}

pub fn rms_norm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let inner = crate::engine::lanes::count(&ints_arg(args, 1)?);
    let weight = optional_tensor(args, 2)?;
    let eps = match arg(args, 3)?.optional() {
        Some(_) => float_arg(args, 3)?,
        None if t.dtype().to_real() == DType::F64 => f64::EPSILON,
        None => f64::from(f32::EPSILON),
    };
    if !t.dtype().is_complex() {
        let kept = t.dim().saturating_sub(ints_arg(args, 1)?.len());
        let mask: SmallVec<[bool; 6]> = (0..t.dim()).map(|d| d >= kept).collect();
        let out = call.contiguous_output(0, t.sizes(), t.dtype())?;
        with_float!(t.dtype(), W => {
            let (w, zeros) = (parameter::<W>(weight, inner, 1.0)?, parameter::<W>(None, inner, 0.0)?);
            if w.len() < inner {
                return Err(Error::runtime("rms_norm: the weight must have the normalised shape"));
            }
            rows::map::<W>(&Rows::new(t, &mask), &Rows::new(&out, &mask), FEW, |_, from, to| {
                let squares = W::sum(from, Some(0.0));
                let scale = 1.0 / (squares / from.len() as f64 + eps).sqrt();
                W::normalized(from, to, 0.0, scale, &w, &zeros);
            })?;
        });
        return one(out);
    }
    // x / sqrt(mean(x²) + eps) of complex numbers.
    let v = |t: &Tensor| IValue::Tensor(t.clone());
    let dims: Vec<i64> = (t.dim() as i64 - ints_arg(args, 1)?.len() as i64..t.dim() as i64).collect();
    let wide = cast::convert(t, DType::C128)?;
    let squares = compose::tensor("aten::mul.Tensor", &[v(&wide), v(&wide)])?;
    let mean = compose::tensor("aten::mean.dim", &[v(&squares), IValue::int_list(&dims), true.into()])?;
    let root = compose::tensor("aten::sqrt", &[compose::one("aten::add.Scalar", &[v(&mean), IValue::Double(eps)])?])?;
    let scaled = compose::tensor("aten::div.Tensor", &[v(&wide), v(&root)])?;
    let scaled = weight.map_or(Ok(scaled.clone()), |w| compose::tensor("aten::mul.Tensor", &[v(&scaled), v(w)]))?;
    one(cast::convert(&scaled, t.dtype())?)
}

/// The result, means and reciprocal deviations of groups of channels.
fn groups(
    call: &Call<'_>,
    t: &Tensor,
    (n, c, groups): (usize, usize, usize),
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
) -> Result<(Tensor, Statistics), Error> {
    let (w, b) = (parameter(weight, c, 1.0)?, parameter(bias, c, 0.0)?);
    if w.len() != c || b.len() != c {
        return Err(Error::runtime("group norm: weight and bias must have one element per channel"));
    }
    let out = call.output(0, t.sizes(), &strides_like(t, t.sizes()), t.dtype())?;
    let mut statistics = Statistics::new(n.saturating_mul(groups));
    if t.numel() == 0 {
        statistics.mean.fill(0.0);
        statistics.scale.fill(f64::NAN);
        return Ok((out, statistics));
    }
    let inner = t.numel() / n.max(1) / c.max(1);
    if inner == 0 || n * c * inner != t.numel() {
        return Err(Error::runtime("group norm: batch and channels do not fit the input"));
    }
    // Who calls the native form may say that its sizes are others; then the elements count in order.
    let plain = t.dim() >= 2 && t.sizes()[0] == n as i64 && t.sizes()[1] == c as i64;
    let per_group = c / groups.max(1);
    let grouped = |t: &Tensor| -> Result<Tensor, Error> {
        let (mut sizes, mut strides): (Sizes, Sizes) = if plain {
            (t.sizes().into(), t.strides().into())
        } else {
            (smallvec![n as i64, c as i64, inner as i64], smallvec![(c * inner) as i64, inner as i64, 1])
        };
        sizes.splice_at(1, [groups as i64, per_group as i64]);
        let stride = strides[1];
        strides.splice_at(1, [stride * per_group as i64, stride]);
        Ok(t.as_strided(&sizes, &strides, t.storage_offset())?)
    };
    let source = grouped(&if plain { t.clone() } else { t.contiguous()? })?;
    let mask: SmallVec<[bool; 6]> = (0..source.dim()).map(|d| d >= 2).collect();
    let (means, scales) = (Shared::new(&mut statistics.mean), Shared::new(&mut statistics.scale));
    let target = grouped(&out)?;
    with_float!(t.dtype(), W => rows::map::<W>(&Rows::new(&source, &mask), &Rows::new(&target, &mask), FEW, |i, from, to| {
        let (mean, variance) = running_moments(from);
        let scale = 1.0 / (variance + eps).sqrt();
        let first = i % groups * per_group;
        for (k, (from, to)) in from.chunks_exact(inner).zip(to.chunks_exact_mut(inner)).enumerate() {
            W::shifted(from, to, mean, scale * w[first + k], b[first + k]);
        }
        means.set(i, mean);
        scales.set(i, scale);
    })?);
    Ok((out, statistics))
}

/// Replaces one entry by two.
trait SpliceAt {
    fn splice_at(&mut self, at: usize, by: [i64; 2]);
}
impl SpliceAt for Sizes {
    fn splice_at(&mut self, at: usize, by: [i64; 2]) {
        self[at] = by[0];
        self.insert(at + 1, by[1]);
    }
}

pub fn group_norm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let shape = (t.sizes()[0] as usize, t.sizes()[1] as usize, int_arg(args, 1)? as usize);
    one(groups(call, t, shape, optional_tensor(args, 2)?, optional_tensor(args, 3)?, float_arg(args, 4)?)?.0)
}

pub fn native_group_norm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let shape = (int_arg(args, 3)? as usize, int_arg(args, 4)? as usize, int_arg(args, 6)? as usize);
    let (w, b) = (optional_tensor(args, 1)?, optional_tensor(args, 2)?);
    let (out, statistics) = groups(call, t, shape, w, b, float_arg(args, 7)?)?;
    let (sizes, _) = result(call.metas, 1)?;
    let [mean, scale] = statistics.results(call, &sizes, statistics_dtype(t, w.or(b)))?;
    Ok(smallvec![IValue::Tensor(out), mean, scale])
}

/// Moves running statistics towards new ones.
fn move_towards(target: Option<&Tensor>, momentum: f64, new: impl Iterator<Item = f64>) -> Result<(), Error> {
    let Some(target) = target else { return Ok(()) };
    let mut values = rows::read::<f64>(target)?;
    values.iter_mut().zip(new).for_each(|(old, new)| *old = (1.0 - momentum) * *old + momentum * new);
    let all = Rows::new(target, &SmallVec::<[bool; 6]>::from_elem(true, target.dim()));
    rows::Output::<f64>::new(&all)?.write(0, &values);
    target.bump_version();
    Ok(())
}

/// Statistics of each channel over the batch; running statistics are moved towards them.
fn batch_statistics(t: &Tensor, running: [Option<&Tensor>; 2], momentum: f64, eps: f64) -> Result<Statistics, Error> {
    let mask: SmallVec<[bool; 6]> = (0..t.dim()).map(|d| d != 1).collect();
    let channels = Rows::new(t, &mask);
    let n = channels.length() as f64;
    let mut s = Statistics::new(channels.count());
    let (means, variances) = (Shared::new(&mut s.mean), Shared::new(&mut s.scale));
    with_float!(t.dtype(), W => rows::each::<W>(&channels, FEW, |c, lane| {
        let (mean, variance) = moments(lane);
        means.set(c, mean);
        variances.set(c, variance);
    })?);
    move_towards(running[0], momentum, s.mean.iter().copied())?;
    move_towards(running[1], momentum, s.scale.iter().map(|v| v * n / (n - 1.0)))?;
    s.scale.iter_mut().for_each(|v| *v = 1.0 / (*v + eps).sqrt());
    Ok(s)
}

fn running_statistics(mean: &Tensor, variance: &Tensor, eps: f64) -> Result<Statistics, Error> {
    let mut s = Statistics { mean: rows::read(mean)?, scale: rows::read(variance)? };
    s.scale.iter_mut().for_each(|v| *v = 1.0 / (*v + eps).sqrt());
    Ok(s)
}

/// `(x - mean) * scale * weight + bias` by channel.
fn normalize(
    call: &Call<'_>,
    t: &Tensor,
    s: &Statistics,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
) -> Result<Tensor, Error> {
    let c = t.sizes()[1] as usize;
    let out = call.output(0, t.sizes(), &strides_like(t, t.sizes()), t.dtype())?;
    if t.numel() == 0 {
        return Ok(out);
    }
    let (mut w, b) = (parameter(weight, c, 1.0)?, parameter(bias, c, 0.0)?);
    if [w.len(), b.len(), s.mean.len(), s.scale.len()].iter().any(|n| *n < c) {
        return Err(Error::runtime("batch norm: statistics and parameters must have one element per channel"));
    }
    w.iter_mut().zip(s.scale.iter()).for_each(|(w, s)| *w *= s);
    let (mean, scale) = (&s.mean[..c], &w[..c]);
    // Channels side by side are a lane each time; else each plane of a channel is.
    let across = t.dim() == 2 || (t.strides()[1] == 1 && c > 1);
    let mask: SmallVec<[bool; 6]> = (0..t.dim()).map(|d| if across { d == 1 } else { d >= 2 }).collect();
    with_float!(t.dtype(), W => rows::map::<W>(&Rows::new(t, &mask), &Rows::new(&out, &mask), FEW, |i, from, to| {
        if !across {
            return W::shifted(from, to, mean[i % c], scale[i % c], b[i % c]);
        }
        W::by_element(from, to, mean, scale, &b);
    })?);
    Ok(out)
}

/// What a batch is normalised with where it was looked at for it.
type Normalized = (Tensor, Option<Statistics>);

/// Input, weight, bias, running mean, running variance; the momentum is at a place, the least variance after it.
fn batch_norm_of(call: &Call<'_>, args: &[IValue], training: bool, at: usize) -> Result<Normalized, Error> {
    let (t, momentum, eps) = (tensor_arg(args, 0)?, float_arg(args, at)?, float_arg(args, at + 1)?);
    let (w, b) = (optional_tensor(args, 1)?, optional_tensor(args, 2)?);
    let (mean, variance) = (optional_tensor(args, 3)?, optional_tensor(args, 4)?);
    if training {
        let s = batch_statistics(t, [mean, variance], momentum, eps)?;
        return Ok((normalize(call, t, &s, w, b)?, Some(s)));
    }
    let (Some(mean), Some(variance)) = (mean, variance) else {
        return Err(Error::runtime("Expected running_mean and running_var to be defined when training=False"));
    };
    Ok((normalize(call, t, &running_statistics(mean, variance, eps)?, w, b)?, None))
}

pub fn batch_norm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(batch_norm_of(call, args, bool_arg(args, 5)?, 6)?.0)
}

/// The same with the statistics.
fn with_statistics(call: &Call<'_>, args: &[IValue], training: bool, at: usize) -> Result<Outputs, Error> {
    let (out, s) = batch_norm_of(call, args, training, at)?;
    let t = tensor_arg(args, 0)?;
    let dtype = statistics_dtype(t, optional_tensor(args, 1)?);
    let [mean, scale] = match s {
        Some(s) => s.results(call, &[t.sizes()[1]], dtype)?,
        None => Statistics::new(0).results(call, &[0], dtype)?,
    };
    Ok(smallvec![IValue::Tensor(out), mean, scale])
}

/// `native_batch_norm` and `_native_batch_norm_legit`.
pub fn native_batch_norm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    with_statistics(call, args, bool_arg(args, 5)?, 6)
}

pub fn native_batch_norm_no_training(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    with_statistics(call, args, false, 5)
}

/// Layer norm over the last dimension of an f64 tensor.
pub fn layer_normalized(t: &Tensor, weight: &Tensor, bias: &Tensor, eps: f64) -> Result<Tensor, Error> {
    let mut x = cast::to_vec::<f64>(t)?;
    let (w, b) = (rows::read::<f64>(weight)?, rows::read::<f64>(bias)?);
    for row in x.chunks_exact_mut(w.len().max(1)) {
        let (mean, variance) = moments(row);
        let from = row.to_vec();
        f64::normalized(&from, row, mean, 1.0 / (variance + eps).sqrt(), &w, &b);
    }
    Ok(Tensor::from_vec(x, t.sizes()))
}
