//! What the interpreter computes, and everything else is compared with: in doubles, rounded once.

use sconce_kernels::cast::convert;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor};

/// x / (1 + e^(-αx)). That `x` holds floats the shape rule has seen.
pub fn quick_gelu(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let [x, alpha] = args else { return Err(Error::runtime("quick_gelu: expected a tensor and a number")) };
    let (x, alpha) = (x.as_tensor()?, alpha.as_double()?);
    let of = |x: f64| x / (1.0 + (-alpha * x).exp());
    let values = convert(x, DType::F64)?.to_vec::<f64>().into_iter().map(of).collect();
    let result = convert(&Tensor::from_vec::<f64>(values, x.sizes()), x.dtype())?;
    Ok([IValue::Tensor(result)].into_iter().collect())
}
