//! Norms of lanes put to use: distances, cosines, and tensors scaled by the lengths of their slices.

use super::*;

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
