//! Products of quantized matrices: exact sums of integers, scaled once, then rounded once or left as floats.

use super::packed::{Packed, in_half};
use super::{integers, laid, one, pair, parameters_of, quantized, quantizer};
use crate::engine::arguments::{bool_arg, float_arg, int_arg, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::cast;
use crate::engine::compose::tensor as op;
use crate::{Call, Error, Kernel, Outputs};
use sconce_schema::packed::LINEAR;
use sconce_tensor::{DType, IValue, Quantizer, Tensor};
use std::ops::Range;

kernels! {
    /// (X, W_prepack, Y_scale, Y_zero_point, …).
    linear = rounded, false; linear_relu = rounded, true;
    linear_tanh = then, "aten::tanh", 4..4; linear_leaky_relu = then, "aten::leaky_relu", 4..5;
    dynamic_relu = rectified, dynamic; half_relu = rectified, half; between_floats_relu = rectified, between_floats;
}

/// What another kernel gives, nothing below zero.
fn rectified(call: &Call<'_>, args: &mut [IValue], kernel: Kernel) -> Result<Outputs, Error> {
    one(op("aten::relu", &kernel(call, args)?)?)
}

/// Integers less their zero points, row-major, and the largest of their magnitudes.
pub struct Centered {
    values: Vec<i32>,
    sizes: Vec<i64>,
    largest: i64,
}

impl Centered {
    pub fn of(t: &Tensor) -> Result<Centered, Error> {
        let q = quantizer(t)?;
        let (count, inner) = super::channels(t.sizes(), q)?;
        let zeros: Vec<i32> = q.zero_points().iter().map(|z| *z as i32).collect();
        let mut values = cast::to_vec::<i32>(&integers(t))?;
        let mut largest = 0;
        for (i, v) in values.iter_mut().enumerate() {
            *v = v.wrapping_sub(zeros[i / inner % count]);
            largest = largest.max(i64::from(v.unsigned_abs()));
        }
        Ok(Centered { values, sizes: t.sizes().to_vec(), largest })
    }
    fn floats(&self, dtype: DType) -> Tensor {
        match dtype {
            DType::F32 => Tensor::from_vec(self.values.iter().map(|v| *v as f32).collect(), &self.sizes),
            _ => Tensor::from_vec(self.values.iter().map(|v| f64::from(*v)).collect(), &self.sizes),
        }
    }
}

/// Both operands in floats whose sums of so many products are exact: of 32 bits where no sum is as large as 2^24, else of 64.
pub fn exact(a: &Centered, b: &Centered, terms: usize) -> (Tensor, Tensor) {
    let most = a.largest.saturating_mul(b.largest).saturating_mul(i64::try_from(terms).unwrap_or(i64::MAX));
    let dtype = if most < 1 << 24 { DType::F32 } else { DType::F64 };
    (a.floats(dtype), b.floats(dtype))
}

/// What a sum of products is multiplied with, for each channel of the result or for all: the scales of both operands.
pub fn scales(x: f64, weight: &Tensor) -> Result<Vec<f32>, Error> {
    Ok(quantizer(weight)?.scales().iter().map(|w| x as f32 * *w as f32).collect())
}

/// A result's parameters, as operators take them.
pub struct Target {
    pub scale: f64,
    pub zero: i64,
    /// No number below zero.
    pub relu: bool,
}

impl Target {
    /// Scale and zero point at a place and after it.
    pub fn at(args: &[IValue], i: usize, relu: bool) -> Result<Target, Error> {
        Ok(Target { scale: float_arg(args, i)?, zero: int_arg(args, i + 1)?, relu })
    }
}

/// Sums, scaled and with a bias: `inner` elements of one channel follow one another.
fn for_each_channel(
    sums: &Tensor,
    count: usize,
    inner: usize,
    f: impl Fn(f32, usize) -> f32,
) -> Result<Vec<f32>, Error> {
    let mut values = cast::to_vec::<f32>(sums)?;
    let (count, inner) = (count.max(1), inner.max(1));
    values.iter_mut().enumerate().for_each(|(i, v)| *v = f(*v, i / inner % count));
    Ok(values)
}

/// The channels of sums, and what belongs to them.
pub struct Sums<'a> {
    pub sums: &'a Tensor,
    pub count: usize,
    /// Elements of one channel that follow one another, row-major.
    pub inner: usize,
    /// One for all, or one for each channel.
    pub scales: &'a [f32],
    pub bias: Option<&'a [f32]>,
}

impl Sums<'_> {
    fn scale(&self, channel: usize) -> f32 {
        if self.scales.len() == 1 { self.scales[0] } else { self.scales.get(channel).copied().unwrap_or(0.0) }
    }
    fn bias(&self, channel: usize) -> Option<f32> {
        self.bias.and_then(|b| b.get(channel)).copied()
    }
    /// As integers of a dtype. The bias joins the sum before both are scaled, in floats.
    pub fn rounded(&self, target: &Target, dtype: DType, strides: &[i64]) -> Result<Tensor, Error> {
        let (low, high) = super::range(dtype);
        let zero = target.zero as f32;
        let low = if target.relu { zero.max(low as f32) } else { low as f32 };
        let values = for_each_channel(self.sums, self.count, self.inner, |sum, channel| {
            let scale = self.scale(channel);
            let sum = self.bias(channel).map_or(sum, |b| sum + b / scale);
            ((sum * (scale / target.scale as f32)).round_ties_even() + zero).clamp(low, high as f32)
        })?;
        let out = laid(values, self.sums.sizes(), strides, dtype.underlying())?;
        Ok(out.reread(dtype, Some(Quantizer::per_tensor(target.scale, target.zero))))
    }
    /// As floats.
    pub fn scaled(&self) -> Result<Tensor, Error> {
        let values = for_each_channel(self.sums, self.count, self.inner, |sum, channel| {
            sum * self.scale(channel) + self.bias(channel).unwrap_or(0.0)
        })?;
        Ok(Tensor::from_vec(values, self.sums.sizes()))
    }
}

/// A product with a packed weight, and what finishes it.
fn product<R>(x: &Tensor, packed: &Packed, finish: impl FnOnce(&Sums<'_>) -> Result<R, Error>) -> Result<R, Error> {
    let weight = packed.tensor("_weight")?;
    let (Some(&k), &[n, wanted]) = (x.sizes().last(), weight.sizes()) else {
        return Err(Error::runtime("The dimension of the input tensor to quantized::qlinear should be larger than 0"));
    };
    if k != wanted {
        return Err(Error::runtime(format!(
            "The number of rows in the packB should be equal to K: {k}, the weight has {wanted} columns"
        )));
    }
    let scales = scales(pair(x)?.0, &weight)?;
    let (a, b) = exact(&Centered::of(x)?, &Centered::of(&weight)?, usize::try_from(k).unwrap_or(0));
    let sums = op("aten::linear", &[a.into(), b.into()])?;
    let bias = packed.bias()?;
    let count = usize::try_from(n).unwrap_or(0);
    finish(&Sums { sums: &sums, count, inner: 1, scales: &scales, bias: bias.as_deref() })
}

fn rounded(_: &Call<'_>, args: &[IValue], relu: bool) -> Result<Outputs, Error> {
    let x = tensor_arg(args, 0)?;
    let target = Target::at(args, 2, relu)?;
    let rows = |s: &Sums<'_>| s.rounded(&target, x.dtype(), &sconce_tensor::contiguous_strides(s.sums.sizes()));
    one(product(x, &Packed::at(args, 1, &LINEAR)?, rows)?)
}

/// A linear layer with what follows it on floats: (X, W_prepack, Y_scale, Y_zero_point, …).
fn then(_: &Call<'_>, args: &[IValue], name: &str, more: Range<usize>) -> Result<Outputs, Error> {
    let x = tensor_arg(args, 0)?;
    let y = product(x, &Packed::at(args, 1, &LINEAR)?, |s| s.scaled())?;
    let all: Vec<IValue> = std::iter::once(y.into()).chain(args[more].iter().cloned()).collect();
    one(quantized(&op(name, &all)?, &Quantizer::per_tensor(float_arg(args, 2)?, int_arg(args, 3)?), x.dtype())?)
}

/// Floats times a packed weight, quantized with the parameters that their own range asks for.
pub fn dynamic_product(x: &Tensor, packed: &Packed, reduced: bool) -> Result<Tensor, Error> {
    if x.dtype() != DType::F32 {
        return Err(Error::runtime(format!(
            "quantized::linear_dynamic (fbgemm): expected scalar type Float but found {}",
            x.dtype().scalar_type_name()
        )));
    }
    if x.numel() == 0 {
        let weight = packed.tensor("_weight")?;
        return op("aten::linear", &[x.clone().into(), super::numbers(&weight)?.into(), packed.bias_argument()?]);
    }
    let (scale, zero) = parameters_of(x, DType::QU8, reduced)?;
    let x = quantized(x, &Quantizer::per_tensor(scale, zero), DType::QU8)?;
    product(&x, packed, |s| s.scaled())
}

/// The same with a weight in half precision.
pub fn half_product(x: &Tensor, packed: &Packed) -> Result<Tensor, Error> {
    op(
        "aten::linear",
        &[x.clone().into(), in_half(&packed.tensor("_weight")?.alias())?.into(), packed.bias_argument()?],
    )
}

/// (X, W_prepack, reduce_range).
pub fn dynamic(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(dynamic_product(tensor_arg(args, 0)?, &Packed::at(args, 1, &LINEAR)?, bool_arg(args, 2)?)?)
}

/// (X, W_prepack).
pub fn half(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(half_product(tensor_arg(args, 0)?, &Packed::at(args, 1, &LINEAR)?)?)
}

/// (X, X_scale, X_zero_point, W_prepack): floats, rounded with given parameters and back.
pub fn between_floats(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let q = Quantizer::per_tensor(float_arg(args, 1)?, int_arg(args, 2)?);
    let x = quantized(tensor_arg(args, 0)?, &q, DType::QU8)?;
    one(product(&x, &Packed::at(args, 3, &LINEAR)?, |s| s.scaled())?)
}
