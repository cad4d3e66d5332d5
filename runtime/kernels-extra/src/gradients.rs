//! Gradients of normalisations, computed in f64.

use sconce_kernels::engine::arguments::{arg, bool_arg, float_arg, int_arg, ints_arg, optional_tensor, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::lanes::{Lanes, count, permute};
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::{SmallVec, smallvec};

fn numbers(t: Option<&Tensor>) -> Result<Option<Vec<f64>>, Error> {
    t.map(cast::to_vec::<f64>).transpose()
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
    let inner = count(&shape);
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
    let numbers_at = |i: usize| numbers(optional_tensor(args, i)?)?.ok_or_else(need);
    let (means, mut scales) =
        if training { (numbers_at(5)?, numbers_at(6)?) } else { (numbers_at(3)?, numbers_at(4)?) };
    if !training {
        scales.iter_mut().for_each(|v| *v = 1.0 / (*v + eps).sqrt());
    }
    let lanes_mask: SmallVec<[bool; 6]> = (0..t.dim()).map(|d| d != 1).collect();
    let (x, g) = (Lanes::<f64>::over(t, &lanes_mask)?, Lanes::<f64>::over(grad, &lanes_mask)?);
    if means.len() < x.count || scales.len() < x.count || w.as_ref().is_some_and(|w| w.len() < x.count) {
        return Err(need());
    }
    let (mut dx, mut dw, mut db) = (Vec::new(), Vec::new(), Vec::new());
    for (c, (xs, gs)) in x.iter().zip(g.iter()).enumerate() {
        let normalized: Vec<f64> = xs.iter().map(|v| (v - means[c]) * scales[c]).collect();
        let weight = w.as_ref().map_or(1.0, |w| w[c]);
        let weighted: Vec<f64> = gs.iter().map(|v| v * weight).collect();
        dx.extend(if training {
            normalized_backward(&weighted, &normalized, scales[c])
        } else {
            weighted.iter().map(|v| v * scales[c]).collect()
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
    let dx = permute(&moved, &order)?.contiguous()?;
    let dtype = weight.map_or(t.dtype(), Tensor::dtype);
    let c = t.sizes()[1];
    Ok(smallvec![
        if mask[0] { IValue::Tensor(dx) } else { IValue::None },
        gradient(mask[1], dw, &[c], dtype)?,
        gradient(mask[2], db, &[c], dtype)?
    ])
}
