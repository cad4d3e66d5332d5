//! Losses of classes: what the target of each lane of log-probabilities weighs, and how all are folded.

use crate::engine::arguments::result;
use crate::engine::cast;
use crate::engine::folds::{itself, total};
use crate::engine::lanes::Lanes;
use crate::engine::rows::{self, Rows, Shared};
use crate::engine::scratch::Scratch;
use crate::nn::norm::{Float, softmax_lane, with_float};
use crate::{Call, Error};
use sconce_tensor::Tensor;

/// Reduction 0 keeps the elements, 1 is their mean by weight, 2 their sum.
pub fn reduced(call: &Call<'_>, values: Vec<f64>, weight: f64, reduction: i64) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let values = match reduction {
        1 => vec![total(&values) / weight],
        2 => vec![total(&values)],
        _ => values,
    };
    cast::from_vec(values, &sizes, dtype)
}

/// Log-probabilities by class for each target: `[rows][classes]`, with the class dimension second (or only).
pub fn by_class(t: &Tensor) -> Rows {
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
pub struct Targets {
    classes: Scratch<i64>,
    weights: Vec<f64>,
    ignored: i64,
}

impl Targets {
    pub fn new(target: &Tensor, weight: Option<&Tensor>, classes: usize, ignored: i64) -> Result<Targets, Error> {
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
    pub fn likelihoods<W: Float>(
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

pub fn cross_entropy_loss(
    call: &Call<'_>,
    t: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: i64,
    ignored: i64,
    smoothing: f64,
) -> Result<Tensor, Error> {
    let classes = by_class(t).length();
    // Less than nothing smooths nothing.
    let smoothing = smoothing.max(0.0);
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
        return reduced(call, values, rows, reduction);
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
        return reduced(call, values, sum, reduction);
    }
    let mixed =
        values.iter().zip(&smooth).map(|(v, s)| (1.0 - smoothing) * v + smoothing / classes as f64 * s).collect();
    let count = if weight.is_some() { sum } else { targets.classes.iter().filter(|t| **t != ignored).count() as f64 };
    reduced(call, mixed, count, reduction)
}
