//! Floats as mantissas and powers of two.

use sconce_kernels::engine::arguments::{one, result, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::compose::tensor as op;
use sconce_kernels::engine::elementwise::{empty_like, result_strides};
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::smallvec;

/// Mantissas in [0.5, 1), and exponents of two.
pub fn frexp(t: &Tensor) -> Result<Outputs, Error> {
    let parts: Vec<(f64, i32)> = cast::to_vec::<f64>(t)?.into_iter().map(libm::frexp).collect();
    // Of what is not finite the exponent is zero.
    let exponents = parts.iter().map(|(m, e)| if m.is_finite() { *e } else { 0 }).collect::<Vec<i32>>();
    let laid = |x: Tensor| -> Result<Tensor, Error> {
        let out = empty_like(t, x.dtype())?;
        cast::convert_into(&out, &x)?;
        Ok(out)
    };
    let mantissas = cast::from_vec(parts.iter().map(|p| p.0).collect::<Vec<f64>>(), t.sizes(), t.dtype())?;
    Ok(smallvec![laid(mantissas)?.into(), laid(cast::from_vec(exponents, t.sizes(), DType::I32)?)?.into()])
}

/// (self, other): a float's exponent moved by a whole number; anything else times a power of two, which is rounded first.
pub fn ldexp(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (x, n) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    if !x.dtype().is_float() || n.dtype().is_float() || n.dtype().is_complex() {
        let power = op("aten::pow.Scalar", &[IValue::Double(2.0), n.clone().into()])?;
        return one(op("aten::mul.Tensor", &[x.clone().into(), power.into()])?);
    }
    if n.dtype() == DType::Bool {
        let message = "\"ldexp_cpu_exp\" not implemented for 'Bool'".to_owned();
        return Err(Error::Raised { class: "NotImplementedError", message });
    }
    let (sizes, dtype) = result(call.metas, 0)?;
    let numbers = cast::to_vec::<f64>(&x.expand(&sizes)?)?;
    let exponents = cast::to_vec::<i64>(&n.expand(&sizes)?)?;
    let moved = |(x, n): (f64, i64)| libm::scalbn(x, n.clamp(-5000, 5000) as i32);
    let values: Vec<f64> = numbers.into_iter().zip(exponents).map(moved).collect();
    let out = call.output(0, &sizes, &result_strides(&sizes, &[x, n]), dtype)?;
    cast::convert_into(&out, &Tensor::from_vec(values, &sizes))?;
    one(out)
}
