//! Norms of lanes put to use: distances, cosines, and tensors scaled by the lengths of their slices.

use super::*;

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
        let inner: usize = crate::engine::lanes::count(&t.sizes()[dim + 1..]);
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
    let inner: usize = crate::engine::lanes::count(&v.sizes()[dim + 1..]);
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
