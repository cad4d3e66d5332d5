//! Losses of classes, and what the elements of a loss that its record folds must be.

use crate::pieces::Pieces;
use sconce_kernels::engine::arguments::{float_arg, int_arg, one, optional_tensor, result, result_dtype, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::folds::{itself, total};
use sconce_kernels::engine::lanes::Lanes;
use sconce_kernels::engine::rows::{self, Rows};
use sconce_kernels::engine::scratch::Scratch;
use sconce_kernels::nn::norm::{Float, softmax_lane};
use sconce_kernels::tensor::fold;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor};

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

pub fn binary_cross_entropy(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    if rows::read::<f64>(tensor_arg(args, 0)?)?.iter().any(|x| !(0.0..=1.0).contains(x)) {
        return Err(Error::runtime("all elements of input should be between 0 and 1"));
    }
    fold::evaluate(call, args)
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
        let to = Pieces::new(&mut values, 1);
        rows::each::<W>(&lanes, 1 << 14, |i, lane| {
            let class = self.classes[i];
            if class != self.ignored {
                to.take(i)[0] = -log(i, lane, class as usize) * self.weights[class as usize];
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
    match t.dtype() {
        DType::F64 => targets.likelihoods::<f64>(t, |_, lane, class| itself(lane[class])),
        _ => targets.likelihoods::<f32>(t, |_, lane, class| itself(lane[class])),
    }
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
    let (values, sum) = match t.dtype() {
        DType::F64 => cross_entropies::<f64>(t, &targets, &mut smooth)?,
        _ => cross_entropies::<f32>(t, &targets, &mut smooth)?,
    };
    if smoothing == 0.0 {
        return reduce_weighted(call, values, sum, reduction);
    }
    let mixed =
        values.iter().zip(&smooth).map(|(v, s)| (1.0 - smoothing) * v + smoothing / classes as f64 * s).collect();
    let count = if weight.is_some() { sum } else { targets.classes.iter().filter(|t| **t != ignored).count() as f64 };
    reduce_weighted(call, mixed, count, reduction)
}

/// What [`Targets::likelihoods`] gives of logarithms of softmax; where there is room, also the sum over all classes.
fn cross_entropies<W: Float>(t: &Tensor, targets: &Targets, smooth: &mut [f64]) -> Result<(Vec<f64>, f64), Error> {
    let smooths = !smooth.is_empty();
    let to_smooth = Pieces::new(smooth, 1);
    targets.likelihoods::<W>(t, |i, lane, class| {
        let shift = W::log_sum_exp(lane);
        if smooths {
            to_smooth.take(i)[0] =
                -lane.iter().zip(&targets.weights).map(|(x, w)| (itself(*x) - shift) * w).sum::<f64>();
        }
        itself(lane[class]) - shift
    })
}
