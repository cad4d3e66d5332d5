//! Losses: one value per element in f64, then nothing, the mean or the sum.

use crate::Call;
use crate::Error;
use crate::Outputs;
use crate::engine::arguments::bool_arg;
use crate::engine::arguments::float_arg;
use crate::engine::arguments::int_arg;
use crate::engine::arguments::one;
use crate::engine::arguments::optional_tensor;
use crate::engine::arguments::result;
use crate::engine::arguments::result_dtype;
use crate::engine::arguments::tensor_arg;
use crate::engine::cast;
use crate::engine::elementwise::empty_strided;
use crate::engine::elementwise::like_strides;
use crate::engine::folds::itself;
use crate::engine::lanes::Lanes;
use crate::engine::rows;
use crate::engine::rows::Rows;
use crate::engine::rows::Shared;
use crate::engine::rows::Work;
use crate::engine::scratch;
use crate::engine::scratch::Scratch;
use crate::engine::transcendental;
use crate::engine::vectorize::vectorize;
use crate::nn::norm::Float;
use crate::nn::norm::softmax_lane;
use crate::nn::norm::with_float;
use crate::tensor::reduce::total;
use num_complex::Complex;
use sconce_tensor::DType;
use sconce_tensor::IValue;
use sconce_tensor::Sizes;
use sconce_tensor::Tensor;
use sconce_tensor::broadcast_sizes;

/// Reduction 0 keeps the elements, 1 is their mean, 2 their sum.
fn reduce(call: &Call<'_>, values: Vec<f64>, reduction: i64) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let values = match reduction {
        1 => vec![total(&values) / values.len() as f64],
        2 => vec![total(&values)],
        _ => values,
    };
    one(cast::from_vec(values, &sizes, dtype)?)
}

/// Values kept one by one, in these strides.
fn laid(values: Vec<f64>, sizes: &[i64], strides: &[i64], dtype: DType) -> Result<Outputs, Error> {
    let out = empty_strided(sizes, strides, dtype)?;
    cast::convert_into(&out, &Tensor::from_vec(values, sizes))?;
    one(out)
}

/// The same in the strides of the tensor that they are of; their mean or sum where that is asked for.
fn reduce_like(call: &Call<'_>, values: Vec<f64>, reduction: i64, t: &Tensor) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let kept = !matches!(reduction, 1 | 2) && *t.sizes() == *sizes && !t.is_contiguous();
    if kept { laid(values, &sizes, &like_strides(t), dtype) } else { reduce(call, values, reduction) }
}

fn space(call: &Call<'_>) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    call.contiguous_output(0, &sizes, dtype)
}

/// Tensors broadcast to one shape, as numbers.
fn numbers<const N: usize>(tensors: [&Tensor; N]) -> Result<(Sizes, [Scratch<f64>; N]), Error> {
    let mut sizes = Sizes::new();
    for t in tensors {
        sizes = broadcast_sizes(&sizes, t.sizes())?;
    }
    let mut out: [Scratch<f64>; N] = std::array::from_fn(|_| scratch::buffer(0));
    for (o, t) in out.iter_mut().zip(tensors) {
        *o = rows::read::<f64>(&t.expand(&sizes)?)?;
    }
    Ok((sizes, out))
}

/// A loss that is a function of input and target, element by element. `f` is compiled for wide vectors and should be short.
fn elementwise(
    call: &Call<'_>,
    args: &[IValue],
    reduction: usize,
    f: impl Fn(f64, f64) -> f64 + Sync,
) -> Result<Outputs, Error> {
    let reduction = int_arg(args, reduction)?;
    if are_f32(args)? {
        elementwise_in_f32(call, args, reduction, f)
    } else {
        elementwise_in_f64(call, args, reduction, f)
    }
}

/// Whether input and target are read as f32 without loss.
fn are_f32(args: &[IValue]) -> Result<bool, Error> {
    let fits = |t: &Tensor| t.dtype().is_float() && t.dtype() != DType::F64;
    Ok(fits(tensor_arg(args, 0)?) && fits(tensor_arg(args, 1)?))
}

/// The same for tensors that are read as f32.
fn elementwise_in_f32(
    call: &Call<'_>,
    args: &[IValue],
    reduction: i64,
    f: impl Fn(f64, f64) -> f64 + Sync,
) -> Result<Outputs, Error> {
    let (x, y) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let each = |x: &[f32], y: &[f32], to: &mut [f32]| {
        vectorize(
            #[inline(always)]
            || to.iter_mut().zip(x.iter().zip(y)).for_each(|(v, (x, y))| *v = f(f64::from(*x), f64::from(*y)) as f32),
        );
    };
    over_pairs::<f32>(call, (x, y, reduction), each, |x, y| {
        vectorize(
            #[inline(always)]
            || {
                // So that additions do not wait for each other.
                let mut sums = [0f64; SIDE];
                let (xs, ys) = (x.chunks_exact(SIDE), y.chunks_exact(SIDE));
                let rest = xs.remainder().iter().zip(ys.remainder());
                for (x, y) in xs.zip(ys) {
                    for i in 0..SIDE {
                        sums[i] += f(f64::from(x[i]), f64::from(y[i]));
                    }
                }
                sums.iter_mut().zip(rest).for_each(|(s, (x, y))| *s += f(f64::from(*x), f64::from(*y)));
                total(&sums)
            },
        )
    })
}

/// Sums side by side.
const SIDE: usize = 32;

/// The same for functions that take longer than reading their operands does.
fn elementwise_in_f64(
    call: &Call<'_>,
    args: &[IValue],
    reduction: i64,
    f: impl Fn(f64, f64) -> f64 + Sync,
) -> Result<Outputs, Error> {
    let (x, y) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let each = |x: &[f64], y: &[f64], to: &mut [f64]| {
        to.iter_mut().zip(x.iter().zip(y)).for_each(|(v, (x, y))| *v = f(*x, *y));
    };
    over_pairs::<f64>(call, (x, y, reduction), each, |x, y| {
        let mut values = scratch::buffer::<f64>(x.len());
        each(x, y, &mut values);
        total(&values)
    })
}

/// Result 0: the values that `each` gives for elements of two broadcast tensors, or the sum or mean of what `sum` gives for parts of them.
fn over_pairs<W: Work>(
    call: &Call<'_>,
    (x, y, reduction): (&Tensor, &Tensor, i64),
    each: impl Fn(&[W], &[W], &mut [W]) + Sync,
    sum: impl Fn(&[W], &[W]) -> f64 + Sync,
) -> Result<Outputs, Error> {
    let sizes = broadcast_sizes(x.sizes(), y.sizes())?;
    let (x, y) = (x.expand(&sizes)?, y.expand(&sizes)?);
    let out = space(call)?;
    let n = x.numel();
    if matches!(reduction, 1 | 2) {
        let mut sums = scratch::buffer::<f64>(rows::pieces(n));
        let to_sums = Shared::new(&mut sums);
        rows::zip([&x, &y], |start, [x, y]: [&[W]; 2]| to_sums.set(start / rows::LEAF, sum(x, y)))?;
        rows::write(&out, &[total(&sums) / if reduction == 1 { n as f64 } else { 1.0 }])?;
    } else {
        let to = rows::Writer::<W>::new(&out)?;
        rows::zip([&x, &y], |start, [x, y]: [&[W]; 2]| {
            let mut values = scratch::buffer::<W>(x.len());
            each(x, y, &mut values);
            to.write(start, &values);
        })?;
    }
    one(out)
}

pub fn mse_loss(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    elementwise(call, args, 2, |x, y| (x - y) * (x - y))
}

pub fn l1_loss(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    if a.dtype().is_complex() || b.dtype().is_complex() {
        let sizes = broadcast_sizes(a.sizes(), b.sizes())?;
        let (x, y) =
            (cast::to_vec::<Complex<f64>>(&a.expand(&sizes)?)?, cast::to_vec::<Complex<f64>>(&b.expand(&sizes)?)?);
        return reduce(call, x.iter().zip(&y).map(|(x, y)| (x - y).norm()).collect(), int_arg(args, 2)?);
    }
    elementwise(call, args, 2, |x, y| (x - y).abs())
}

pub fn smooth_l1_loss(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let beta = float_arg(args, 3)?;
    elementwise(call, args, 2, |x, y| {
        let d = (x - y).abs();
        if d < beta { 0.5 * d * d / beta } else { d - 0.5 * beta }
    })
}

pub fn huber_loss(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let delta = float_arg(args, 3)?;
    elementwise(call, args, 2, |x, y| {
        let d = (x - y).abs();
        if d <= delta { 0.5 * d * d } else { delta * (d - 0.5 * delta) }
    })
}

pub fn kl_div(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let log_target = bool_arg(args, 3)?;
    elementwise_in_f64(call, args, int_arg(args, 2)?, |x, y| {
        if log_target {
            y.exp() * (y - x)
        } else if y == 0.0 {
            // xlogy(0, 0) is 0, and so is the product unless the input is not finite.
            0.0 - y * x
        } else {
            y * y.ln() - y * x
        }
    })
}

pub fn binary_cross_entropy(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (x, y) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let weight = optional_tensor(args, 2)?;
    let (sizes, [xs, ys]) = numbers([x, y])?;
    let w = weight.map(|w| cast::to_vec::<f64>(&w.expand(&sizes)?)).transpose()?;
    if xs.iter().any(|x| !(0.0..=1.0).contains(x)) {
        return Err(Error::runtime("all elements of input should be between 0 and 1"));
    }
    let values = (0..xs.len())
        .map(|i| {
            let (x, y) = (xs[i], ys[i]);
            // Logarithms are cut at -100.
            let v = (y - 1.0) * (-x).ln_1p().max(-100.0) - y * x.ln().max(-100.0);
            v * w.as_ref().map_or(1.0, |w| w[i])
        })
        .collect();
    reduce_like(call, values, int_arg(args, 3)?, x)
}

pub fn binary_cross_entropy_with_logits(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (x, y) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    if are_f32(args)? && optional_tensor(args, 2)?.is_none() && optional_tensor(args, 3)?.is_none() {
        return elementwise_in_f32(
            call,
            args,
            int_arg(args, 4)?,
            #[inline(always)]
            |x, y| {
                let far = transcendental::log1p(transcendental::exp(-(x.abs() as f32)));
                (1.0 - y) * x - (x.min(0.0) - f64::from(far))
            },
        );
    }
    let ones = Tensor::scalar(1f64);
    let w = optional_tensor(args, 2)?.unwrap_or(&ones);
    let p = optional_tensor(args, 3)?.unwrap_or(&ones);
    let (_, [x, y, w, p]) = numbers([x, y, w, p])?;
    let values = (0..x.len())
        .map(|i| {
            let log_sigmoid = x[i].min(0.0) - (-x[i].abs()).exp().ln_1p();
            let log_weight = (p[i] - 1.0) * y[i] + 1.0;
            ((1.0 - y[i]) * x[i] - log_weight * log_sigmoid) * w[i]
        })
        .collect();
    reduce(call, values, int_arg(args, 4)?)
}

/// Log-probabilities by class for each target: `[rows][classes]`, with the class dimension second (or only).
fn by_class(t: &Tensor) -> Rows {
    Rows::along(t, usize::from(t.dim() > 1))
}

fn class_weights(weight: Option<&Tensor>, classes: usize) -> Result<Vec<f64>, Error> {
    Ok(match weight {
        Some(w) if w.numel() != classes => {
            return Err(Error::runtime(format!(
                "weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of shape: {:?}",
                w.sizes()
            )));
        }
        Some(w) => cast::to_vec(w)?,
        None => vec![1.0; classes],
    })
}

/// A call's targets, each a class or the ignored one.
struct Targets {
    classes: Scratch<i64>,
    weights: Vec<f64>,
    ignored: i64,
}

impl Targets {
    fn new(target: &Tensor, weight: Option<&Tensor>, classes: usize, ignored: i64) -> Result<Targets, Error> {
        let weights = class_weights(weight, classes)?;
        let targets = rows::read::<i64>(target)?;
        if let Some(t) = targets.iter().find(|t| **t != ignored && (**t < 0 || **t as usize >= classes)) {
            return Err(Error::index(format!("Target {t} is out of bounds.")));
        }
        Ok(Targets { classes: targets, weights, ignored })
    }

    /// For each lane of log-probabilities along the class dimension: those of its target, negated and weighted. Then the sum of the weights.
    ///
    /// `log(i, lane, class)` is a log-probability.
    fn likelihoods<W: Float>(
        &self,
        t: &Tensor,
        log: impl Fn(usize, &[W], usize) -> f64 + Sync,
    ) -> Result<(Vec<f64>, f64), Error> {
        let lanes = by_class(t);
        if lanes.count() != self.classes.len() {
            return Err(Error::runtime(format!("{} targets for {} rows", self.classes.len(), lanes.count())));
        }
        let mut values = vec![0.0; lanes.count()];
        let to = Shared::new(&mut values);
        rows::each::<W>(&lanes, 1 << 14, |i, lane| {
            let class = self.classes[i];
            if class != self.ignored {
                to.set(i, -log(i, lane, class as usize) * self.weights[class as usize]);
            }
        })?;
        let shown = self.classes.iter().filter(|c| **c != self.ignored);
        Ok((values, shown.map(|c| self.weights[*c as usize]).sum()))
    }
}

fn reduce_weighted(call: &Call<'_>, values: Vec<f64>, weight: f64, reduction: i64) -> Result<Outputs, Error> {
    if reduction == 1 {
        let (sizes, dtype) = result(call.metas, 0)?;
        return one(cast::from_vec(vec![total(&values) / weight], &sizes, dtype)?);
    }
    reduce(call, values, reduction)
}

/// Arguments: input, target, weight, reduction, ignored class.
fn nll(args: &[IValue]) -> Result<(Vec<f64>, f64), Error> {
    let t = tensor_arg(args, 0)?;
    let targets =
        Targets::new(tensor_arg(args, 1)?, optional_tensor(args, 2)?, by_class(t).length(), int_arg(args, 4)?)?;
    with_float!(t.dtype(), W => targets.likelihoods::<W>(t, |_, lane, class| itself(lane[class])))
}

pub fn nll_loss(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (values, weight) = nll(args)?;
    reduce_weighted(call, values, weight, int_arg(args, 3)?)
}

/// The loss, and the sum of the weights (0 when nothing is reduced).
pub fn nll_loss_forward(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (values, weight) = nll(args)?;
    let reduction = int_arg(args, 3)?;
    let mut out = reduce_weighted(call, values, weight, reduction)?;
    let dtype = result_dtype(call.metas, 0)?;
    let lone = tensor_arg(args, 0)?.dim() < 2;
    let weight = if reduction == 0 && !lone { 0.0 } else { weight };
    out.push(IValue::Tensor(cast::from_vec(vec![weight], &[], dtype)?));
    Ok(out)
}

pub fn cross_entropy_loss(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (t, target) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let classes = by_class(t).length();
    let weight = optional_tensor(args, 2)?;
    let (reduction, ignored) = (int_arg(args, 3)?, int_arg(args, 4)?);
    // Less than nothing smooths nothing.
    let smoothing = float_arg(args, 5)?.max(0.0);
    if target.sizes() == t.sizes() && target.dtype().is_float() {
        // Class probabilities.
        let weights = class_weights(weight, classes)?;
        let dim = usize::from(t.dim() > 1);
        let (mut lanes, probabilities) = (Lanes::<f64>::along(t, dim)?, Lanes::<f64>::along(target, dim)?);
        lanes.iter_mut().for_each(|lane| softmax_lane(lane, true));
        let values: Vec<f64> = lanes
            .iter()
            .zip(probabilities.iter())
            .map(|(lane, p)| {
                (0..classes)
                    .map(|c| -lane[c] * (p[c] * (1.0 - smoothing) + smoothing / classes as f64) * weights[c])
                    .sum()
            })
            .collect();
        let rows = values.len() as f64;
        return reduce_weighted(call, values, rows, reduction);
    }
    let targets = Targets::new(target, weight, classes, ignored)?;
    let mut smooth = vec![0.0; if smoothing == 0.0 { 0 } else { targets.classes.len() }];
    let to_smooth = Shared::new(&mut smooth);
    let (values, sum) = with_float!(t.dtype(), W => targets.likelihoods::<W>(t, |i, lane, class| {
        let shift = W::log_sum_exp(lane);
        if smoothing != 0.0 {
            to_smooth.set(i, -lane.iter().zip(&targets.weights).map(|(x, w)| (itself(*x) - shift) * w).sum::<f64>());
        }
        itself(lane[class]) - shift
    }))?;
    if smoothing == 0.0 {
        return reduce_weighted(call, values, sum, reduction);
    }
    let mixed =
        values.iter().zip(&smooth).map(|(v, s)| (1.0 - smoothing) * v + smoothing / classes as f64 * s).collect();
    let count = if weight.is_some() { sum } else { targets.classes.iter().filter(|t| **t != ignored).count() as f64 };
    reduce_weighted(call, mixed, count, reduction)
}
