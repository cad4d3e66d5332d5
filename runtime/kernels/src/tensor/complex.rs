//! Complex tensors from real ones, and their phase.

use crate::engine::arguments::{one, result, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::cast;
use crate::engine::layout::laid_out;
use crate::{Call, Error, Outputs};
use num_complex::Complex;
use sconce_tensor::{DType, IValue, Tensor};

kernels! {
    complex = pairs, Complex::new;
    /// From absolute value and angle.
    polar = pairs, |r, phi| Complex::new(r * phi.cos(), r * phi.sin());
}

fn pairs(call: &Call<'_>, args: &[IValue], f: fn(f64, f64) -> Complex<f64>) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (a, b) = (tensor_arg(args, 0)?.expand(&sizes)?, tensor_arg(args, 1)?.expand(&sizes)?);
    let (x, y) = (cast::to_vec::<f64>(&a)?, cast::to_vec::<f64>(&b)?);
    let data = x.iter().zip(&y).map(|(x, y)| f(*x, *y)).collect();
    let out = cast::from_vec(data, &sizes, dtype)?;
    let strides = crate::engine::elementwise::result_strides(&sizes, &[tensor_arg(args, 0)?, tensor_arg(args, 1)?]);
    one(laid_out(out, &strides)?)
}

pub fn angle(call: &Call<'_>, t: &Tensor) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let data: Vec<f64> = if t.dtype().is_complex() {
        cast::to_vec::<Complex<f64>>(t)?.iter().map(|z| z.im.atan2(z.re)).collect()
    } else {
        let phase = |x: &f64| match *x {
            x if x.is_nan() => x,
            x if x < 0.0 => std::f64::consts::PI,
            _ => 0.0,
        };
        cast::to_vec::<f64>(t)?.iter().map(phase).collect()
    };
    let out = cast::from_vec(data, &sizes, dtype)?;
    laid_out(out, &crate::engine::elementwise::result_strides(&sizes, &[t]))
}

/// Minus the argument. Of a complex zero PyTorch's vectors of 64 bytes give 0 - 0 and the rest of a line -0.
pub fn neg(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dense = tensor_arg(args, 0).map(crate::engine::layout::is_dense)?;
    let out = crate::pointwise::evaluate(call, args)?;
    if let Some(IValue::Tensor(t)) = out.first()
        && t.dtype().is_complex()
        && dense
    {
        fn clear<T: num_traits::Float>(parts: &mut [T]) {
            let whole = parts.len() - parts.len() % (64 / size_of::<T>());
            for v in parts[..whole].iter_mut().filter(|v| v.is_zero()) {
                *v = T::zero();
            }
        }
        let n = 2 * t.numel();
        // SAFETY: the result is fresh and dense, held by nobody else; a complex element is two numbers.
        match t.dtype() {
            DType::C64 => {
                clear(unsafe { std::slice::from_raw_parts_mut(t.data_ptr::<Complex<f32>>().cast::<f32>(), n) })
            }
            DType::C128 => {
                clear(unsafe { std::slice::from_raw_parts_mut(t.data_ptr::<Complex<f64>>().cast::<f64>(), n) })
            }
            _ => {}
        }
    }
    Ok(out)
}
