//! Losses over the classes of a sample that come too near to the right ones, and their gradients.

use crate::engine::cast;
use crate::engine::lanes::{Lanes, count, float_arg, int_arg, optional_tensor, result, tensor_arg};
use crate::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

fn one(t: Tensor) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(t)])
}

/// Reduction 0 keeps the samples, 1 is their mean, 2 their sum.
fn reduced(values: Vec<f64>, reduction: i64) -> Vec<f64> {
    let sum = values.iter().sum::<f64>();
    match reduction {
        1 => vec![sum / values.len() as f64],
        2 => vec![sum],
        _ => values,
    }
}

/// What a sample's loss is multiplied with on the way back.
fn weight_of(grad: &[f64], sample: usize, samples: usize, reduction: i64) -> f64 {
    let g = grad.get(if grad.len() == 1 { 0 } else { sample }).copied().unwrap_or(0.0);
    if reduction == 1 { g / samples as f64 } else { g }
}

/// Samples of a matrix, or of one vector.
fn samples(t: &Tensor) -> Result<Lanes<f64>, Error> {
    Lanes::along(t, t.dim().saturating_sub(1))
}

/// What `multi_margin_loss` is told besides its input.
struct MultiMargin {
    targets: Vec<usize>,
    power: f64,
    margin: f64,
    weights: Option<Vec<f64>>,
}

impl MultiMargin {
    fn new(args: &[IValue], first: usize, classes: usize) -> Result<MultiMargin, Error> {
        let targets = cast::to_vec::<i64>(tensor_arg(args, first)?)?;
        if targets.iter().any(|t| *t < 0 || *t as usize >= classes) {
            return Err(Error::runtime("target out of range"));
        }
        let power = float_arg(args, first + 1)?;
        if power != 1.0 && power != 2.0 {
            return Err(Error::runtime("only p == 1 and p == 2 supported"));
        }
        let weights = optional_tensor(args, first + 3)?;
        if let Some(w) = weights.filter(|w| w.numel() != classes) {
            let message = format!("inconsistent weight size, expected {classes} but got {:?}", w.sizes());
            return Err(Error::runtime(message));
        }
        let weights = weights.map(cast::to_vec::<f64>).transpose()?;
        Ok(MultiMargin {
            targets: targets.into_iter().map(|t| t as usize).collect(),
            power,
            margin: float_arg(args, first + 2)?,
            weights,
        })
    }

    /// Runs `f(class, how far it is too near, weight)` for each class that is.
    fn for_each(&self, sample: usize, x: &[f64], mut f: impl FnMut(usize, f64, f64)) -> Result<usize, Error> {
        let target = *self.targets.get(sample).ok_or_else(|| Error::runtime("inconsistent target size"))?;
        let weight = self.weights.as_ref().map_or(1.0, |w| w[target]);
        for (c, v) in x.iter().enumerate() {
            let z = self.margin - x[target] + v;
            if c != target && z > 0.0 {
                f(c, z, weight);
            }
        }
        Ok(target)
    }
}

/// (self, target, p, margin, weight, reduction).
pub fn multi_margin_loss(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let x = samples(tensor_arg(args, 0)?)?;
    let loss = MultiMargin::new(args, 1, x.length)?;
    let mut values = Vec::new();
    for (i, sample) in x.iter().enumerate() {
        let mut sum = 0.0;
        loss.for_each(i, sample, |_, z, w| sum += w * if loss.power == 1.0 { z } else { z * z })?;
        values.push(sum / x.length as f64);
    }
    one(cast::from_vec(reduced(values, int_arg(args, 5)?), &sizes, dtype)?)
}

/// (grad_output, self, target, p, margin, weight, reduction).
pub fn multi_margin_loss_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 1)?;
    let grad = cast::to_vec::<f64>(tensor_arg(args, 0)?)?;
    let x = samples(t)?;
    let loss = MultiMargin::new(args, 2, x.length)?;
    let reduction = int_arg(args, 6)?;
    let mut out = vec![0.0; x.data.len()];
    for (i, sample) in x.iter().enumerate() {
        let g = weight_of(&grad, i, x.count, reduction) / x.length as f64;
        let lane = &mut out[i * x.length..(i + 1) * x.length];
        let mut total = 0.0;
        let target = loss.for_each(i, sample, |c, z, w| {
            let step = w * if loss.power == 1.0 { 1.0 } else { 2.0 * z };
            lane[c] += step;
            total += step;
        })?;
        lane[target] -= total;
        lane.iter_mut().for_each(|v| *v *= g);
    }
    one(cast::from_vec(out, t.sizes(), t.dtype())?)
}

/// The classes a sample names: those before the first that is negative.
fn named(targets: &[i64], classes: usize) -> Result<Vec<usize>, Error> {
    if targets.iter().any(|t| *t < -1 || *t >= classes as i64) {
        return Err(Error::runtime("argument #2 'target' is out of range"));
    }
    Ok(targets.iter().map_while(|t| usize::try_from(*t).ok()).collect())
}

/// Runs `f(target, other class, how far it is too near)` for every pair.
fn pairs(x: &[f64], targets: &[usize], is_target: &[f64], mut f: impl FnMut(usize, usize, f64)) {
    for &t in targets {
        for (c, v) in x.iter().enumerate() {
            let z = 1.0 - x[t] + v;
            if is_target[c] == 0.0 && z > 0.0 {
                f(t, c, z);
            }
        }
    }
}

/// (self, target, reduction): the loss, and which classes are targets.
pub fn multilabel_margin_loss_forward(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (t, targets) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let x = samples(t)?;
    let labels = cast::to_vec::<i64>(targets)?;
    let (mut values, mut is_target) = (Vec::new(), vec![0.0; labels.len()]);
    for (i, sample) in x.iter().enumerate() {
        let list = named(&labels[i * x.length..(i + 1) * x.length], x.length)?;
        let marks = &mut is_target[i * x.length..(i + 1) * x.length];
        list.iter().for_each(|c| marks[*c] = 1.0);
        let mut sum = 0.0;
        pairs(sample, &list, marks, |_, _, z| sum += z);
        values.push(sum / x.length as f64);
    }
    let loss = cast::from_vec(reduced(values, int_arg(args, 2)?), &sizes, dtype)?;
    Ok(smallvec![loss.into(), cast::from_vec(is_target, targets.sizes(), dtype)?.into()])
}

/// (self, target, reduction).
pub fn multilabel_margin_loss(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let mut both = multilabel_margin_loss_forward(call, args)?;
    both.truncate(1);
    Ok(both)
}

/// (grad_output, self, target, reduction, is_target).
pub fn multilabel_margin_loss_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 1)?;
    let grad = cast::to_vec::<f64>(tensor_arg(args, 0)?)?;
    let x = samples(t)?;
    let labels = cast::to_vec::<i64>(tensor_arg(args, 2)?)?;
    let reduction = int_arg(args, 3)?;
    let is_target = cast::to_vec::<f64>(tensor_arg(args, 4)?)?;
    if labels.len() != x.data.len() || is_target.len() != x.data.len() {
        return Err(Error::runtime("inconsistent target size"));
    }
    let mut out = vec![0.0; count(t.sizes())];
    for (i, sample) in x.iter().enumerate() {
        let lane = i * x.length..(i + 1) * x.length;
        let g = weight_of(&grad, i, x.count, reduction) / x.length as f64;
        let targets = named(&labels[lane.clone()], x.length)?;
        let out = &mut out[lane.clone()];
        pairs(sample, &targets, &is_target[lane], |target, class, _| {
            out[target] -= 1.0;
            out[class] += 1.0;
        });
        out.iter_mut().for_each(|v| *v *= g);
    }
    one(cast::from_vec(out, t.sizes(), t.dtype())?)
}

/// (grad_output, self, target, reduction).
pub fn soft_margin_loss_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 1)?;
    let sizes = sconce_tensor::broadcast_sizes(t.sizes(), tensor_arg(args, 2)?.sizes())?;
    let all = |i: usize| -> Result<Vec<f64>, Error> { cast::to_vec::<f64>(&tensor_arg(args, i)?.expand(&sizes)?) };
    let (g, x, y) = (all(0)?, all(1)?, all(2)?);
    let n = if int_arg(args, 3)? == 1 { x.len() as f64 } else { 1.0 };
    let slope = |i: usize| {
        let z = (-y[i] * x[i]).exp();
        -y[i] * z / (z + 1.0) * g[i] / n
    };
    one(cast::from_vec((0..x.len()).map(slope).collect(), &sizes, t.dtype())?)
}
