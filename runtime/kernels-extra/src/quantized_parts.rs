//! Quantized tensors made of integers and what they stand for, and of nothing yet.

use sconce_kernels::engine::arguments::one;
use sconce_kernels::engine::layout::format_strides;
use sconce_kernels::quantized::{channel_parameters, check_dtype};
use sconce_kernels::{Error, Outputs, not_implemented};
use sconce_tensor::{DType, IValue, Quantizer, Sizes, Tensor};
use std::sync::Arc;

/// The quantized dtype that is stored as these integers.
fn dtype_of_integers(t: &Tensor) -> Result<DType, Error> {
    match t.dtype() {
        DType::U8 => Ok(DType::QU8),
        DType::I8 => Ok(DType::QI8),
        DType::I32 => Ok(DType::QI32),
        other => Err(not_implemented("make_per_tensor_quantized_tensor_cpu", other)),
    }
}

/// (self, scale, zero_point): integers with what they stand for.
pub fn from_integers(t: &Tensor, scale: f64, zero_point: i64) -> Result<Tensor, Error> {
    let q = Quantizer::per_tensor(scale, zero_point);
    Ok(t.copy()?.reread(dtype_of_integers(t)?, Some(q)))
}

/// (self, scale, zero_point, axis).
pub fn from_integers_by_channel(t: &Tensor, scale: &Tensor, zero_point: &Tensor, axis: i64) -> Result<Tensor, Error> {
    let dtype = dtype_of_integers(t)?;
    let q = channel_parameters(t.sizes(), scale, zero_point, axis, dtype)?;
    Ok(t.copy()?.reread(dtype, Some(q)))
}

/// Zeros of a quantized dtype, in a memory format.
fn empty(sizes: &[i64], dtype: DType, format: &IValue, q: Arc<Quantizer>) -> Result<Outputs, Error> {
    check_dtype(dtype)?;
    let format = format.optional().map_or(Ok(0), IValue::as_int)?;
    let strides = format_strides(sizes, format)?;
    one(Tensor::zeros(sizes, dtype)?.as_strided(sizes, &strides, 0)?.reread(dtype, Some(q)))
}

fn dtype_or_float(v: &IValue) -> Result<DType, Error> {
    Ok(v.optional().map_or(Ok(DType::F32), IValue::as_dtype)?)
}

/// (size, dtype, layout, device, pin_memory, scale, zero_point, memory_format).
pub fn empty_affine(
    size: Sizes,
    dtype: &IValue,
    _: &IValue,
    _: &IValue,
    _: &IValue,
    scale: f64,
    zero_point: i64,
    memory_format: &IValue,
) -> Result<Outputs, Error> {
    let q = Quantizer::per_tensor(scale, zero_point);
    empty(&size, dtype_or_float(dtype)?, memory_format, q)
}

/// (size, scales, zero_points, axis, dtype, layout, device, pin_memory, memory_format).
pub fn empty_per_channel(
    size: Sizes,
    scales: &Tensor,
    zero_points: &Tensor,
    axis: i64,
    given: &IValue,
    _: &IValue,
    _: &IValue,
    _: &IValue,
    memory_format: &IValue,
) -> Result<Outputs, Error> {
    let (sizes, dtype) = (size, dtype_or_float(given)?);
    let q = channel_parameters(&sizes, scales, zero_points, axis, dtype)?;
    empty(&sizes, dtype, memory_format, q)
}

/// (size, qtensor, dtype, layout, device, pin_memory, memory_format): with a tensor's parameters.
pub fn empty_like_parameters(
    size: Sizes,
    t: &Tensor,
    dtype: Option<&IValue>,
    _: &IValue,
    _: &IValue,
    _: &IValue,
    memory_format: &IValue,
) -> Result<Outputs, Error> {
    let dtype = dtype.map_or(Ok(t.dtype()), IValue::as_dtype)?;
    empty(
        &size,
        dtype,
        memory_format,
        t.quantizer().cloned().ok_or_else(|| Error::runtime("a quantized tensor was expected"))?,
    )
}
