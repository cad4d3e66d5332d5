//! Fake quantization: numbers become what they would be after rounding to integers and back, and stay floats.

use sconce_kernels::engine::arguments::{arg, float_arg, int_arg, one, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::quantizer::{laid, strides_like};
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{Bool, DType, IValue, Tensor};
use smallvec::smallvec;

/// A pair for each index of a dimension, or one for all.
struct Steps {
    scales: Vec<f32>,
    zeros: Vec<f32>,
    /// Elements with one pair that follow one another.
    inner: usize,
}

/// The rounded numbers, and which were inside the range.
fn faked(t: &Tensor, steps: &Steps, low: i64, high: i64) -> Result<(Tensor, Tensor), Error> {
    if low > high {
        return Err(Error::runtime("`quant_min` should be less than or equal to `quant_max`."));
    }
    if steps.zeros.iter().any(|z| !(low as f32..=high as f32).contains(z)) {
        return Err(Error::runtime("`zero_point` must be between `quant_min` and `quant_max`."));
    }
    let values = cast::to_vec::<f32>(t)?;
    let count = steps.scales.len().max(1);
    let mut inside = Vec::with_capacity(values.len());
    let rounded = values.iter().enumerate().map(|(i, x)| {
        let c = i / steps.inner.max(1) % count;
        let (scale, zero) = (steps.scales.get(c).copied().unwrap_or(1.0), steps.zeros.get(c).copied().unwrap_or(0.0));
        let q = (x * (1.0 / scale) + zero).round_ties_even();
        inside.push(Bool::new(q >= low as f32 && q <= high as f32));
        (q.clamp(low as f32, high as f32) - zero) * scale
    });
    let rounded: Vec<f32> = rounded.collect();
    let strides = strides_like(t)?;
    let out = cast::convert(&laid(rounded, t.sizes(), &strides, DType::F32)?, t.dtype())?;
    Ok((out, laid(inside, t.sizes(), &strides, DType::Bool)?))
}

fn both((out, mask): (Tensor, Tensor)) -> Outputs {
    smallvec![out.into(), mask.into()]
}

fn per_tensor(args: &[IValue]) -> Result<(Tensor, Tensor), Error> {
    let steps = Steps { scales: vec![float_arg(args, 1)? as f32], zeros: vec![int_arg(args, 2)? as f32], inner: 1 };
    faked(tensor_arg(args, 0)?, &steps, int_arg(args, 3)?, int_arg(args, 4)?)
}

/// (self, scale, zero_point, quant_min, quant_max).
pub fn tensor(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(per_tensor(args)?.0)
}
pub fn tensor_with_mask(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    Ok(both(per_tensor(args)?))
}

fn by_tensors(args: &[IValue], range: usize) -> Result<(Tensor, Tensor), Error> {
    let (scales, zeros) = (cast::to_vec::<f32>(tensor_arg(args, 1)?)?, cast::to_vec::<f32>(tensor_arg(args, 2)?)?);
    if scales.len() != 1 || zeros.len() != 1 {
        return Err(Error::runtime("scale and zero_point should have one element"));
    }
    faked(tensor_arg(args, 0)?, &Steps { scales, zeros, inner: 1 }, int_arg(args, range)?, int_arg(args, range + 1)?)
}

/// The same with tensors for scale and zero point.
pub fn tensor_by_tensors(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(by_tensors(args, 3)?.0)
}

/// (self, scale, zero_point, fake_quant_enabled, quant_min, quant_max).
pub fn tensor_switched(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    if sconce_kernels::engine::number::item_of(tensor_arg(args, 3)?)?.to_f64()? == 0.0 {
        let all = sconce_kernels::engine::compose::tensor("aten::ones_like", &[t.clone().into(), DType::Bool.into()])?;
        return Ok(both((t.copy()?, all)));
    }
    Ok(both(by_tensors(args, 4)?))
}

/// (self, scale, zero_point, axis, quant_min, quant_max).
fn per_channel(args: &[IValue]) -> Result<(Tensor, Tensor), Error> {
    let t = tensor_arg(args, 0)?;
    let (scales, zeros) = (cast::to_vec::<f32>(tensor_arg(args, 1)?)?, cast::to_vec::<f32>(tensor_arg(args, 2)?)?);
    let axis = arg(args, 3)?.as_int()?;
    let Some(at) = usize::try_from(axis).ok().filter(|a| *a < t.dim()) else {
        return Err(Error::runtime("`axis` must be between 0 and number of dimensions of input"));
    };
    if scales.len() as i64 != t.sizes()[at] || zeros.len() != scales.len() {
        return Err(Error::runtime("dimensions of scale and zero-point are not consistent with input tensor"));
    }
    let inner = sconce_kernels::engine::lanes::count(&t.sizes()[at + 1..]);
    faked(t, &Steps { scales, zeros, inner }, int_arg(args, 4)?, int_arg(args, 5)?)
}
pub fn channel(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(per_channel(args)?.0)
}
pub fn channel_with_mask(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    Ok(both(per_channel(args)?))
}
