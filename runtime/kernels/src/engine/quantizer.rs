//! Quantized tensors read: their integers, which pair of scale and zero point belongs to which, and the numbers that they stand for.

use crate::Error;
use crate::engine::cast;
use crate::engine::elementwise::uninit_strided;
use crate::engine::layout::{format_strides, suggested_format};
use sconce_schema::dtype::QScheme;
use sconce_tensor::{DType, Quantizer, Sizes, Tensor};
use std::sync::Arc;

/// What a tensor's integers stand for.
pub fn quantizer(t: &Tensor) -> Result<&Arc<Quantizer>, Error> {
    t.quantizer().ok_or_else(|| Error::runtime("cannot call qscheme on UnknownQuantizer"))
}

/// The same elements as integers.
pub fn integers(t: &Tensor) -> Tensor {
    t.reread(t.dtype().underlying(), None)
}

/// The strides of what is computed from `t` element by element.
pub fn strides_like(t: &Tensor) -> Result<Sizes, Error> {
    format_strides(t.sizes(), suggested_format(t))
}

/// Row-major elements with other strides and another dtype.
pub fn laid<T: cast::Value>(data: Vec<T>, sizes: &[i64], strides: &[i64], dtype: DType) -> Result<Tensor, Error> {
    let rows = Tensor::from_vec(data, sizes);
    if rows.dtype() == dtype && rows.strides() == strides {
        return Ok(rows);
    }
    let out = uninit_strided(sizes, strides, dtype)?;
    cast::convert_into(&out, &rows)?;
    Ok(out)
}

/// Which pair belongs to which element, in row-major order: the number of pairs, and how many elements with one pair follow one another.
pub fn channels(sizes: &[i64], quantizer: &Quantizer) -> Result<(usize, usize), Error> {
    let Some(axis) = quantizer.axis() else { return Ok((1, 1)) };
    let count = quantizer.scales().len();
    let size = *sizes.get(axis).ok_or_else(|| {
        Error::runtime(format!(
            "Channel axis out of range in per channel affine quantization. Got: {axis}Expected: [0, {})",
            sizes.len()
        ))
    })?;
    // A slice of a tensor keeps the pairs of the whole.
    if count < usize::try_from(size).unwrap_or(0) {
        return Err(Error::runtime(format!("length of scales must equal to channel, expected {size} got, {count}")));
    }
    Ok((usize::try_from(size).unwrap_or(0).max(1), sizes[axis + 1..].iter().product::<i64>().max(1) as usize))
}

/// The numbers that a quantized tensor stands for; another tensor as it is.
pub fn numbers(t: &Tensor) -> Result<Tensor, Error> {
    if !t.is_quantized() {
        return Ok(t.clone());
    }
    let q = quantizer(t)?;
    let (count, inner) = channels(t.sizes(), q)?;
    let integers = cast::to_vec::<i32>(&integers(t))?;
    let pairs: Vec<(f32, f32)> = q.scales().iter().zip(q.zero_points()).map(|(s, z)| (*s as f32, *z as f32)).collect();
    let float_zero = q.scheme() == QScheme::PerChannelAffineFloatQParams;
    let number = |(i, n): (usize, &i32)| {
        let (scale, zero) = pairs[i / inner % count];
        match float_zero {
            true => (*n as f32 - zero) * scale,
            false => n.wrapping_sub(zero as i32) as f32 * scale,
        }
    };
    let data = integers.iter().enumerate().map(number).collect::<Vec<f32>>();
    laid(data, t.sizes(), &strides_like(t)?, DType::F32)
}
