//! Gradients of distances between rows.

use crate::engine::cast;
use crate::engine::lanes::{count, float_arg, result, tensor_arg};
use crate::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

/// How a distance changes with one difference of coordinates.
fn slope(difference: f64, grad: f64, distance: f64, p: f64) -> f64 {
    if p == 0.0 {
        0.0
    } else if p == 1.0 {
        grad * if difference == 0.0 { 0.0 } else { difference.signum() }
    } else if p.is_infinite() {
        if difference.abs() == distance && difference != 0.0 { grad * difference.signum() } else { 0.0 }
    } else if distance == 0.0 {
        0.0
    } else if p == 2.0 {
        grad * difference / distance
    } else if p < 2.0 {
        if difference == 0.0 {
            0.0
        } else {
            difference.signum() * difference.abs().powf(p - 1.0) * grad / distance.powf(p - 1.0)
        }
    } else {
        difference * difference.abs().powf(p - 2.0) * grad / distance.powf(p - 1.0)
    }
}

fn matrix_sizes(t: &Tensor) -> Result<(usize, usize), Error> {
    match t.sizes() {
        [.., m, n] => Ok((*m as usize, *n as usize)),
        other => Err(Error::runtime(format!("a matrix is expected, not sizes {other:?}"))),
    }
}

/// (grad_output, x1, x2, p, cdist): the gradient of `x1`.
pub fn cdist_backward(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let p = float_arg(args, 3)?;
    let (rows, width) = matrix_sizes(tensor_arg(args, 1)?)?;
    let (others, _) = matrix_sizes(tensor_arg(args, 2)?)?;
    let batch = &sizes[..sizes.len() - 2];
    let all = |i: usize, last: [usize; 2]| -> Result<Vec<f64>, Error> {
        let mut s = batch.to_vec();
        s.extend(last.map(|n| n as i64));
        cast::to_vec::<f64>(&tensor_arg(args, i)?.expand(&s)?)
    };
    let (g, x, y, d) =
        (all(0, [rows, others])?, all(1, [rows, width])?, all(2, [others, width])?, all(4, [rows, others])?);
    let mut out = vec![0.0; count(&sizes)];
    for b in 0..count(batch) {
        for i in 0..rows {
            for j in 0..others {
                let pair = (b * rows + i) * others + j;
                for k in 0..width {
                    let at = (b * rows + i) * width + k;
                    out[at] += slope(x[at] - y[(b * others + j) * width + k], g[pair], d[pair], p);
                }
            }
        }
    }
    Ok(smallvec![cast::from_vec(out, &sizes, dtype)?.into()])
}

/// (grad, self, p, pdist): pairs of rows, the first with all after it, then the second.
pub fn pdist_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 1)?;
    let p = float_arg(args, 2)?;
    let (rows, width) = matrix_sizes(t)?;
    let (g, x, d) = (
        cast::to_vec::<f64>(tensor_arg(args, 0)?)?,
        cast::to_vec::<f64>(t)?,
        cast::to_vec::<f64>(tensor_arg(args, 3)?)?,
    );
    if x.is_empty() {
        return Ok(smallvec![Tensor::zeros(t.sizes(), t.dtype())?.into()]);
    }
    let pairs = rows * rows.saturating_sub(1) / 2;
    if g.len() != pairs || d.len() != pairs {
        return Err(Error::runtime(format!("_pdist_backward: {pairs} gradients and distances are expected")));
    }
    let mut out = vec![0.0; x.len()];
    let mut pair = 0;
    for i in 0..rows {
        for j in i + 1..rows {
            for k in 0..width {
                let s = slope(x[i * width + k] - x[j * width + k], g[pair], d[pair], p);
                out[i * width + k] += s;
                out[j * width + k] -= s;
            }
            pair += 1;
        }
    }
    Ok(smallvec![cast::from_vec(out, t.sizes(), t.dtype())?.into()])
}
