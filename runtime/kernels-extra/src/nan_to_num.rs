//! What is no number, or not finite, replaced.

use num_complex::Complex;
use sconce_kernels::engine::arguments::{arg, one, tensor_arg};
use sconce_kernels::engine::{cast, elementwise};
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor, bf16};

/// NaN and infinities replaced; by default by 0 and the dtype's extreme values.
pub fn nan_to_num(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let (low, high) = match t.dtype().to_real() {
        DType::F16 => (-65504.0, 65504.0),
        DType::BF16 => (f64::from(bf16::MIN), f64::from(bf16::MAX)),
        DType::F32 => (f64::from(f32::MIN), f64::from(f32::MAX)),
        _ => (f64::MIN, f64::MAX),
    };
    let or = |i: usize, default: f64| -> Result<f64, Error> {
        Ok(arg(args, i)?.optional().map(IValue::as_double).transpose()?.unwrap_or(default))
    };
    let (nan, high, low) = (or(1, 0.0)?, or(2, high)?, or(3, low)?);
    let fix = |x: f64| match x {
        x if x.is_nan() => nan,
        f64::INFINITY => high,
        f64::NEG_INFINITY => low,
        x => x,
    };
    let out = elementwise::empty_like(t, t.dtype())?;
    if t.dtype().is_complex() {
        let data: Vec<_> =
            cast::to_vec::<Complex<f64>>(t)?.iter().map(|z| Complex::new(fix(z.re), fix(z.im))).collect();
        cast::convert_into(&out, &Tensor::from_vec(data, t.sizes()))?;
    } else if t.dtype().is_float() {
        let data: Vec<f64> = cast::to_vec::<f64>(t)?.into_iter().map(fix).collect();
        cast::convert_into(&out, &Tensor::from_vec(data, t.sizes()))?;
    } else {
        out.copy_bytes_from(t)?;
    }
    one(out)
}
