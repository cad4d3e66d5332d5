//! Quantized tensors: integers with parameters become numbers and numbers integers in PyTorch's rounding; an operator that has no way of its own with them
//! computes with the numbers and rounds its result.
//!
//! Products are summed exactly and their bias is added before the one rounding, as PyTorch's engines `fbgemm` and `x86` do where they do not saturate (their
//! sums of 16 bits can, on processors without VNNI, with activations of all 8 bits). `qnnpack` rounds the bias first: its results may lie one quantum apart.

pub mod fused;
pub mod move_integers;
pub mod over_numbers;
pub mod packed;
pub mod qconv;
pub mod qembedding;
pub mod qlinear;

pub(crate) use crate::engine::arguments::one;
use crate::engine::arguments::{arg, tensor_arg, tensors_arg};
use crate::engine::calling::kernels;
use crate::engine::elementwise::uninit_strided;
pub use crate::engine::quantizer::numbers;
pub(crate) use crate::engine::quantizer::{channels, integers, laid, quantizer, strides_like};
use crate::engine::{cast, scratch};
use crate::{Call, Error, Outputs};
use sconce_schema::dtype::QScheme;
use sconce_tensor::{DType, IValue, Quantizer, Tensor};
use smallvec::smallvec;
use std::sync::Arc;

/// Scale and zero point of a tensor that has one pair.
pub fn pair(t: &Tensor) -> Result<(f64, i64), Error> {
    let pair = quantizer(t)?.of_tensor();
    pair.ok_or_else(|| Error::runtime("Expected quantizer->qscheme() == kPerTensorAffine to be true, but got false."))
}

/// The least and the greatest integer of a quantized dtype.
pub fn range(dtype: DType) -> (f64, f64) {
    let (low, high) = dtype.underlying().int_range();
    (low as f64, high as f64)
}

/// The operator of a call on plain tensors that stand for its quantized ones.
fn on_plain(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    // One that is left, in a list of something else, would lead here again.
    if args.iter().any(|a| crate::engine::grad::has(a, Tensor::is_quantized)) {
        return Err(Error::runtime(format!("{}: a quantized tensor where none is expected", call.entry.name)));
    }
    crate::engine::calling::call(call.entry, args)
}

/// Numbers as integers of a quantized dtype: the nearest, of two the even one, inside the dtype's range.
pub fn quantized(t: &Tensor, q: &Arc<Quantizer>, dtype: DType) -> Result<Tensor, Error> {
    let (count, inner) = channels(t.sizes(), q)?;
    let values = cast::to_vec::<f32>(t)?;
    // As floats of 32 bits, in which the scale's inverse is rounded too.
    let pairs: Vec<(f32, f64)> = q.scales().iter().zip(q.zero_points()).map(|(s, z)| (1.0 / *s as f32, *z)).collect();
    let (low, high) = range(dtype);
    let float_zero = q.scheme() == QScheme::PerChannelAffineFloatQParams;
    let integer = |(i, x): (usize, &f32)| {
        let (inverse, zero) = pairs[i / inner % count];
        let at = match float_zero {
            true => f64::from((x * inverse + zero as f32).round_ties_even()),
            false => f64::from((x * inverse).round_ties_even()) + zero,
        };
        // What is no number is the largest.
        if at.is_nan() { high as i32 } else { at.clamp(low, high) as i32 }
    };
    let data = values.iter().enumerate().map(integer).collect::<Vec<i32>>();
    Ok(laid(data, t.sizes(), &strides_like(t)?, dtype.underlying())?.reread(dtype, Some(q.clone())))
}

fn check_float(t: &Tensor) -> Result<(), Error> {
    match t.dtype() {
        DType::F32 => Ok(()),
        other => Err(Error::runtime(format!("Quantize only works on Float Tensor, got {}", other.scalar_type_name()))),
    }
}

/// A dtype that tensors can be quantized to.
pub fn check_dtype(dtype: DType) -> Result<(), Error> {
    match dtype {
        DType::QI8 | DType::QU8 | DType::QI32 => Ok(()),
        other => {
            Err(Error::runtime(format!("ScalarType {} is not supported in new_qtensor.", other.scalar_type_name())))
        }
    }
}

fn check_zero_point(zero: f64, dtype: DType, what: &str) -> Result<(), Error> {
    let (low, high) = range(dtype);
    let side = if zero > high {
        "above upper"
    } else if zero < low {
        "below lower"
    } else {
        return Ok(());
    };
    Err(Error::runtime(format!("quantize_tensor_{what}_affine zero_point {zero} is {side} bound.")))
}

/// (self, scale, zero_point, dtype).
pub fn per_tensor(t: &Tensor, scale: f64, zero_point: i64, dtype: DType) -> Result<Tensor, Error> {
    check_float(t)?;
    check_dtype(dtype)?;
    check_zero_point(zero_point as f64, dtype, "per_tensor")?;
    quantized(t, &Quantizer::per_tensor(scale, zero_point), dtype)
}

/// The same with tensors of one element for scale and zero point.
pub fn per_tensor_by_tensors(t: &Tensor, scale: &Tensor, zero_point: &Tensor, dtype: DType) -> Result<Tensor, Error> {
    let number = |t: &Tensor| crate::engine::number::item_of(t)?.to_f64();
    per_tensor(t, number(scale)?, number(zero_point)? as i64, dtype)
}

/// (tensors, scales, zero_points, dtype).
pub fn each_per_tensor(
    tensors: scratch::List<Tensor>,
    scales: &Tensor,
    zero_points: &Tensor,
    dtype: DType,
) -> Result<IValue, Error> {
    let scales = cast::to_vec::<f64>(scales)?;
    let zeros = cast::to_vec::<i64>(zero_points)?;
    if scales.len() < tensors.len() || zeros.len() < tensors.len() {
        return Err(Error::runtime(format!(
            "quantize_per_tensor: {} tensors, {} scales and {} zero points",
            tensors.len(),
            scales.len(),
            zeros.len()
        )));
    }
    let each = tensors.iter().zip(scales.iter().zip(&zeros)).map(|(t, (s, z))| per_tensor(t, *s, *z, dtype));
    Ok(IValue::tensor_list(each.collect::<Result<Vec<_>, _>>()?))
}

/// Scales, zero points and axis as parameters for a tensor of these sizes.
pub fn channel_parameters(
    sizes: &[i64],
    scales: &Tensor,
    zeros: &Tensor,
    axis: i64,
    dtype: DType,
) -> Result<Arc<Quantizer>, Error> {
    let Some(at) = usize::try_from(axis).ok().filter(|a| *a < sizes.len()) else {
        return Err(Error::runtime(format!(
            "Channel axis out of range in per channel affine quantization. Got: {axis}Expected: [0, {})",
            sizes.len()
        )));
    };
    for (t, what) in [(scales, "scales"), (zeros, "zero_points")] {
        if t.dim() != 1 {
            return Err(Error::runtime(format!("{what} tensor must have dimension 1")));
        }
        if t.sizes()[0] != sizes[at] {
            return Err(Error::runtime(format!(
                "length of {what} must equal to channel, expected {} got, {}",
                sizes[at],
                t.sizes()[0]
            )));
        }
    }
    let (scale, zero) = (cast::to_vec::<f64>(scales)?, cast::to_vec::<f64>(zeros)?);
    let scheme = match zeros.dtype().is_float() {
        true => QScheme::PerChannelAffineFloatQParams,
        false => QScheme::PerChannelAffine,
    };
    if scheme == QScheme::PerChannelAffine {
        zero.iter().try_for_each(|z| check_zero_point(*z, dtype, "per_channel"))?;
    }
    Quantizer::per_channel(scheme, scale, zero, at).ok_or_else(|| Error::runtime("as many scales as zero points"))
}

/// (self, scales, zero_points, axis, dtype).
pub fn per_channel(
    t: &Tensor,
    scales: &Tensor,
    zero_points: &Tensor,
    axis: i64,
    dtype: DType,
) -> Result<Tensor, Error> {
    check_float(t)?;
    check_dtype(dtype)?;
    let q = channel_parameters(t.sizes(), scales, zero_points, axis, dtype)?;
    quantized(t, &q, dtype)
}

/// Scale and zero point that map numbers between two, and zero, to the integers of a dtype, or to half as many.
pub fn parameters_of(t: &Tensor, dtype: DType, reduced: bool) -> Result<(f64, i64), Error> {
    let (low, high) = crate::tensor::tensor_info::extent(t)?;
    Ok(parameters_between(low, high, dtype, reduced))
}

fn parameters_between(low: f64, high: f64, dtype: DType, reduced: bool) -> (f64, i64) {
    let (least, most) = range(dtype);
    let (least, most) = if reduced { ((least / 2.0).trunc(), (most / 2.0).floor()) } else { (least, most) };
    crate::tensor::tensor_info::affine_parameters(low, high, least, most)
}

/// (self, dtype, reduce_range).
pub fn per_tensor_dynamic(t: &Tensor, dtype: DType, reduce_range: bool) -> Result<Tensor, Error> {
    if !matches!(dtype, DType::QI8 | DType::QU8 | DType::F16) {
        return Err(Error::runtime(format!(
            "dtype {} not supported for quantize_per_tensor_dynamic",
            dtype.scalar_type_name()
        )));
    }
    if dtype == DType::F16 {
        return cast::convert(t, dtype);
    }
    check_float(t)?;
    let (scale, zero) = parameters_of(t, dtype, reduce_range)?;
    per_tensor(t, scale, zero, dtype)
}

/// (self): numbers, of whatever.
pub fn dequantize(t: &Tensor) -> Result<Tensor, Error> {
    cast::convert(&numbers(t)?, DType::F32)
}

/// (tensors).
pub fn dequantize_each(tensors: scratch::List<Tensor>) -> Result<Vec<Tensor>, Error> {
    tensors.iter().map(dequantize).collect()
}

/// A tensor or a list of them.
pub fn dequantize_any(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    Ok(smallvec![match arg(args, 0)? {
        IValue::Tensor(t) => dequantize(t)?.into(),
        _ => IValue::tensor_list(dequantize_each(tensors_arg(args, 0)?)?),
    }])
}

/// What is asked of a quantized tensor; another has no answer.
fn asked<'a>(call: &Call<'_>, args: &'a [IValue]) -> Result<(&'a Tensor, &'a Arc<Quantizer>), Error> {
    let t = tensor_arg(args, 0)?;
    if !t.is_quantized() {
        let message = format!("Could not run '{}' with arguments from the 'CPU' backend.", call.entry.name);
        return Err(Error::Raised { class: "NotImplementedError", message });
    }
    Ok((t, quantizer(t)?))
}

fn told(
    call: &Call<'_>,
    args: &[IValue],
    tell: fn(&Tensor, &Quantizer) -> Result<IValue, Error>,
) -> Result<Outputs, Error> {
    let (t, q) = asked(call, args)?;
    Ok(smallvec![tell(t, q)?])
}

fn told_by_channel(call: &Call<'_>, args: &[IValue], tell: fn(&Quantizer) -> IValue) -> Result<Outputs, Error> {
    let q = asked(call, args)?.1;
    match q.axis() {
        Some(_) => Ok(smallvec![tell(q)]),
        None => Err(Error::runtime(
            "Expected quantizer->qscheme() == kPerChannelAffine || quantizer->qscheme() == kPerChannelAffineFloatQParams to be true, but got false.",
        )),
    }
}

pub fn int_repr(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = asked(call, args)?.0;
    let out = uninit_strided(t.sizes(), &strides_like(t)?, t.dtype().underlying())?;
    out.copy_bytes_from(&integers(t))?;
    one(out)
}

kernels! {
    scale = told, |t, _| Ok(IValue::Double(pair(t)?.0));
    zero_point = told, |t, _| Ok(IValue::Int(pair(t)?.1));
    qscheme = told, |_, q| Ok(IValue::Int(q.scheme() as i64));
    channel_axis = told_by_channel, |q| IValue::Int(q.axis().unwrap_or(0) as i64);
    channel_scales = told_by_channel, |q| q.tensors().0.into();
    channel_zero_points = told_by_channel, |q| q.tensors().1.into();
}

/// (a): whether the dtype is a quantized one.
pub fn is_quantized(a: &Tensor) -> bool {
    a.is_quantized()
}
