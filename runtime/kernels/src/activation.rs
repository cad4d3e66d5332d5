//! Activations that are not one expression per element.

use crate::cast;
use crate::lanes::{Lanes, from_lanes, int_arg, result, tensor_arg, with_float_acc, wrap};
use crate::special;
use crate::{Call, Error, Outputs};
use num_complex::Complex;
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

/// The logistic function of both accumulation types.
trait Sigmoid: Copy {
    fn sigmoid(self) -> Self;
}
impl Sigmoid for f64 {
    fn sigmoid(self) -> f64 {
        1.0 / (1.0 + (-self).exp())
    }
}
impl Sigmoid for Complex<f64> {
    fn sigmoid(self) -> Self {
        special::div(Complex::new(1.0, 0.0), Complex::new(1.0, 0.0) + special::exp(-self))
    }
}

/// The first half of a dimension times the logistic function of the second.
pub fn glu(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let dim = wrap(int_arg(args, 1)?, t.dim())?;
    with_float_acc!(dtype, T => {
        let lanes = Lanes::<T>::along(t, dim)?;
        let half = lanes.length / 2;
        let mut data: Vec<T> = Vec::with_capacity(lanes.data.len() / 2);
        for lane in lanes.iter() {
            data.extend((0..half).map(|i| lane[i] * lane[half + i].sigmoid()));
        }
        Ok(smallvec![IValue::Tensor(from_lanes(data, &sizes, dim, dtype)?)])
    })
}

pub fn glu_backward(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (grad, t) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let dim = wrap(int_arg(args, 2)?, t.dim())?;
    let (g, x) = (Lanes::<f64>::along(grad, dim)?, Lanes::<f64>::along(t, dim)?);
    let half = x.length / 2;
    if g.length != half || g.count != x.count {
        return Err(Error::runtime("glu_backward: the gradient does not have half the input's size"));
    }
    let mut data = Vec::with_capacity(x.data.len());
    for (g, x) in g.iter().zip(x.iter()) {
        data.extend((0..half).map(|i| g[i] * x[half + i].sigmoid()));
        data.extend((0..half).map(|i| {
            let s = x[half + i].sigmoid();
            g[i] * x[i] * s * (1.0 - s)
        }));
    }
    Ok(smallvec![IValue::Tensor(from_lanes(data, &sizes, dim, dtype)?)])
}

pub fn prelu(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (t, w) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let w = cast::to_vec::<f64>(w)?;
    if w.is_empty() && t.numel() > 0 {
        return Err(Error::runtime("prelu: there is no weight"));
    }
    let inner = if t.dim() > 1 { crate::lanes::count(&t.sizes()[2..]) } else { t.numel() };
    let mut x = cast::to_vec::<f64>(t)?;
    for (i, v) in x.iter_mut().enumerate() {
        if *v <= 0.0 {
            *v *= w[i / inner.max(1) % w.len().max(1)];
        }
    }
    lay_like(t, cast::from_vec(x, t.sizes(), t.dtype())?)
}

/// A result that lies as its argument does.
fn lay_like(t: &Tensor, out: Tensor) -> Result<Outputs, Error> {
    let laid = crate::elementwise::empty_like(t, t.dtype())?;
    laid.copy_bytes_from(&out)?;
    Ok(smallvec![IValue::Tensor(laid)])
}

pub fn log_sigmoid_forward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let x = cast::to_vec::<f64>(t)?;
    let exponentials: Vec<f64> = x.iter().map(|x| (-x.abs()).exp()).collect();
    let out: Vec<f64> = x.iter().zip(&exponentials).map(|(x, e)| x.min(0.0) - e.ln_1p()).collect();
    Ok(smallvec![
        IValue::Tensor(cast::from_vec(out, t.sizes(), t.dtype())?),
        IValue::Tensor(cast::from_vec(exponentials, t.sizes(), t.dtype())?)
    ])
}
