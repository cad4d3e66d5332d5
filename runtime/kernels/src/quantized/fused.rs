//! Operators whose arguments say what their result is rounded with: the operator of floats computes with the numbers, and its result is rounded once.

use super::{integers, laid, numbers, one, pair, parameters_between, quantized, quantizer, range, strides_like};
use crate::engine::arguments::{arg, bool_arg, float_arg, int_arg, tensor_arg, tensors_arg};
use crate::engine::calling::kernels;
use crate::engine::cast;
use crate::engine::compose::tensor as op;
use crate::engine::layout::{CHANNELS_LAST, CHANNELS_LAST_3D, suggested_format};
use crate::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Quantizer, Tensor};
use std::ops::Range;
use std::sync::Arc;

/// A tensor's numbers, as an argument.
fn floats(args: &[IValue], i: usize) -> Result<IValue, Error> {
    Ok(numbers(tensor_arg(args, i)?)?.into())
}

/// Rounded with the scale at a place and the zero point after it, in the dtype of the first tensor; with `relu`, nothing is below zero.
fn finish(args: &[IValue], y: Tensor, at: usize, relu: bool) -> Result<Outputs, Error> {
    let q = Quantizer::per_tensor(float_arg(args, at)?, int_arg(args, at + 1)?);
    let y = if relu { op("aten::relu", &[y.into()])? } else { y };
    one(quantized(&y, &q, tensor_arg(args, 0)?.dtype())?)
}

kernels! {
    hardswish = on_floats, "aten::hardswish", 1..1, 1;
    sigmoid = on_floats, "aten::sigmoid", 1..1, 1;
    leaky_relu = on_floats, "aten::leaky_relu", 1..2, 3;
    elu = on_floats, "aten::elu", 3..6, 1;
    celu = on_floats, "aten::celu", 3..4, 1;
    softmax = on_floats, "aten::softmax.int", 1..2, 2;
    layer_norm = on_floats, "aten::layer_norm", 1..5, 5;
    group_norm = on_floats, "aten::group_norm", 1..5, 5;
    /// (qa, qb, scale, zero_point).
    add = sum, false; add_relu = sum, true;
    mul = product, false; mul_relu = product, true;
    /// (qx, weight, bias, mean, var, eps, output_scale, output_zero_point).
    batch_norm = normalized, false; batch_norm_relu = normalized, true;
    /// (qx, dim, scale, zero_point).
    cat = joined, false; cat_relu = joined, true;
    relu6 = kept, "aten::relu6", 1..1;
    clamp = kept, "aten::clamp", 1..3;
    threshold = kept, "aten::threshold", 1..3;
    /// (qx, kernel_size, stride, padding, dilation, ceil_mode).
    max_pool1d = kept, "aten::max_pool1d", 1..6; max_pool2d = kept, "aten::max_pool2d", 1..6;
    max_pool3d = kept, "aten::max_pool3d", 1..6;
    /// (qa, b), in either order.
    add_scalar = sum_with_number, false; add_scalar_relu = sum_with_number, true;
    mul_scalar = product_with_number, false; mul_scalar_relu = product_with_number, true;
    /// (qa, qb, out).
    add_out = into, "aten::add.Tensor", false; add_relu_out = into, "aten::add.Tensor", true;
    mul_out = into, "aten::mul.Tensor", false; mul_relu_out = into, "aten::mul.Tensor", true;
}

/// An operator of the numbers of the first argument and of others as they are; the scale is at a place.
fn on_floats(_: &Call<'_>, args: &[IValue], name: &str, more: Range<usize>, at: usize) -> Result<Outputs, Error> {
    let inner: Vec<IValue> = std::iter::once(floats(args, 0)?).chain(args[more].iter().cloned()).collect();
    finish(args, op(name, &inner)?, at, false)
}

/// (qa, qb, scale, zero_point).
pub fn matmul(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    finish(args, op("aten::matmul", &[floats(args, 0)?, floats(args, 1)?])?, 2, false)
}

/// (input, weight, bias, eps, output_scale, output_zero_point): images whose channels lie innermost stay so.
pub fn instance_norm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let statistics = [IValue::None, IValue::None, IValue::Bool(true), IValue::Double(0.0)];
    let mut inner = vec![floats(args, 0)?, arg(args, 1)?.clone(), arg(args, 2)?.clone()];
    inner.extend(statistics);
    inner.extend([arg(args, 3)?.clone(), IValue::Bool(false)]);
    let y = op("aten::instance_norm", &inner)?;
    let format = suggested_format(tensor_arg(args, 0)?);
    let y = if format == 0 { y } else { op("aten::contiguous", &[y.into(), IValue::Int(format)])? };
    finish(args, y, 4, false)
}

/// A tensor's numbers as PyTorch's loops compute them before a sum: in one multiplication and addition, which is rounded once.
fn summand(args: &[IValue], i: usize) -> Result<IValue, Error> {
    let t = tensor_arg(args, i)?;
    let (scale, zero) = pair(t)?;
    let (scale, shift) = (scale as f32, -(scale as f32 * zero as f32));
    let number = |q: i32| (f64::from(q) * f64::from(scale) + f64::from(shift)) as f32;
    let values = cast::to_vec::<i32>(&integers(t))?.into_iter().map(number).collect::<Vec<f32>>();
    Ok(laid(values, t.sizes(), &strides_like(t)?, DType::F32)?.into())
}

fn sum(_: &Call<'_>, args: &[IValue], relu: bool) -> Result<Outputs, Error> {
    finish(args, op("aten::add.Tensor", &[summand(args, 0)?, summand(args, 1)?])?, 2, relu)
}

/// A tensor's integers above its zero point, as numbers.
fn centered(t: &Tensor) -> Result<Tensor, Error> {
    numbers(&t.reread(t.dtype(), Some(Quantizer::per_tensor(1.0, pair(t)?.1))))
}

/// Products of integers of two tensors, scaled once: (qa, qb, scale, zero_point).
fn scaled(args: &[IValue], products: Tensor, relu: bool) -> Result<Outputs, Error> {
    let (scale, zero) = (float_arg(args, 2)?, int_arg(args, 3)?);
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let factor = pair(a)?.0 as f32 * pair(b)?.0 as f32 * (1.0 / scale as f32);
    let y = op("aten::mul.Scalar", &[products.into(), IValue::Double(f64::from(factor))])?;
    let y = if relu { op("aten::relu", &[y.into()])? } else { y };
    let rounded = quantized(&y, &Quantizer::per_tensor(1.0, zero), a.dtype())?;
    one(rounded.reread(a.dtype(), Some(Quantizer::per_tensor(scale, zero))))
}

/// (qa, weight, scale, zero_point): what is not negative is multiplied too, by the integer that stands for 1 among the weights.
pub fn prelu(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (x, weight) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    if weight.dtype() != x.dtype() {
        let (found, wanted) = (weight.dtype().scalar_type_name(), x.dtype().scalar_type_name());
        return Err(Error::runtime(format!("Found dtype {found} but expected {wanted}")));
    }
    let unit = centered(&quantized(&laid(vec![1.0f32], &[1], &[1], DType::F32)?, quantizer(weight)?, weight.dtype())?)?;
    let above = centered(x)?;
    let below = op("aten::prelu", &[above.clone().into(), centered(weight)?.into()])?;
    let positive = op("aten::gt.Scalar", &[above.clone().into(), IValue::Int(0)])?;
    let multiplied = op("aten::mul.Tensor", &[above.into(), unit.into()])?;
    let products = op("aten::where.self", &[positive.into(), multiplied.into(), below.into()])?;
    scaled(args, products, false)
}

fn product(_: &Call<'_>, args: &[IValue], relu: bool) -> Result<Outputs, Error> {
    let (a, b) = (centered(tensor_arg(args, 0)?)?, centered(tensor_arg(args, 1)?)?);
    scaled(args, op("aten::mul.Tensor", &[a.into(), b.into()])?, relu)
}

fn normalized(_: &Call<'_>, args: &[IValue], relu: bool) -> Result<Outputs, Error> {
    let mut inner = vec![floats(args, 0)?];
    inner.extend(args[1..5].iter().cloned());
    inner.extend([IValue::Bool(false), IValue::Double(0.0), args[5].clone(), IValue::Bool(false)]);
    let y = op("aten::batch_norm", &inner)?;
    // Images come out with their channels innermost.
    let format = match y.dim() {
        4 => CHANNELS_LAST,
        5 => CHANNELS_LAST_3D,
        _ => return finish(args, y, 6, relu),
    };
    finish(args, op("aten::contiguous", &[y.into(), IValue::Int(format)])?, 6, relu)
}

/// Without parameters, those of the first.
fn joined(_: &Call<'_>, args: &[IValue], relu: bool) -> Result<Outputs, Error> {
    let tensors = tensors_arg(args, 0)?;
    let Some(first) = tensors.first() else {
        return Err(Error::runtime("quantized::cat: expected a non-empty list of Tensors"));
    };
    let (mut scale, mut zero) = pair(first)?;
    if !arg(args, 2)?.is_none() {
        scale = float_arg(args, 2)?;
    }
    if !arg(args, 3)?.is_none() {
        zero = int_arg(args, 3)?;
    }
    let all = tensors.iter().map(numbers).collect::<Result<Vec<_>, _>>()?;
    let y = op("aten::cat", &[IValue::tensor_list(all), arg(args, 1)?.clone()])?;
    let y = if relu { op("aten::relu", &[y.into()])? } else { y };
    one(quantized(&y, &Quantizer::per_tensor(scale, zero), first.dtype())?)
}

/// (self, output_scale, output_zero_point, p, training): what drops nothing changes nothing.
pub fn dropout(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    if !bool_arg(args, 4)? {
        return one(tensor_arg(args, 0)?.copy()?);
    }
    let y = op("aten::dropout", &[floats(args, 0)?, args[3].clone(), IValue::Bool(true)])?;
    finish(args, y, 1, false)
}

/// An operator of floats that keeps the parameters of its one quantized tensor.
fn kept(_: &Call<'_>, args: &[IValue], name: &str, more: Range<usize>) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    pair(t)?;
    let inner: Vec<IValue> = std::iter::once(floats(args, 0)?).chain(args[more].iter().cloned()).collect();
    one(quantized(&op(name, &inner)?, quantizer(t)?, t.dtype())?)
}

/// The quantized tensor and the number of a call, in either order.
fn with_number(args: &[IValue]) -> Result<(Tensor, f64), Error> {
    let quantized_first = matches!(arg(args, 0)?, IValue::Tensor(t) if t.is_quantized());
    let (at, number) = if quantized_first { (0, 1) } else { (1, 0) };
    let number = match arg(args, number)? {
        IValue::Tensor(t) => crate::engine::number::item_of(t)?.to_f64()?,
        other => other.as_double()?,
    };
    Ok((tensor_arg(args, at)?.clone(), number))
}

/// No integer below the zero point.
fn rectified(t: Tensor, relu: bool) -> Result<Outputs, Error> {
    if !relu {
        return one(t);
    }
    let zero = pair(&t)?.1;
    let at_least = op("aten::clamp_min", &[integers(&t).into(), IValue::Int(zero)])?;
    one(at_least.reread(t.dtype(), t.quantizer().cloned()))
}

/// The same integers in memory of their own, laid out as they were, that mean other numbers.
fn copied(t: &Tensor, quantizer: Arc<Quantizer>) -> Result<Tensor, Error> {
    Ok(op("aten::clone", &[t.clone().into(), IValue::None])?.reread(t.dtype(), Some(quantizer)))
}

/// The zero point moves, and where it cannot, the sum is rounded with the parameters that its range asks for.
fn sum_with_number(_: &Call<'_>, args: &[IValue], relu: bool) -> Result<Outputs, Error> {
    let (t, number) = with_number(args)?;
    let ((scale, zero), (low, high)) = (pair(&t)?, range(t.dtype()));
    // In whole steps.
    let steps = (number / scale).round_ties_even();
    let (moved, number) = (zero as f64 - steps, steps * scale);
    if (low..=high).contains(&moved) {
        return rectified(copied(&t, Quantizer::per_tensor(scale, moved as i64))?, relu);
    }
    let end = |q: f64| (q - zero as f64) * scale + number;
    let (scale, zero) = parameters_between(end(low), end(high), t.dtype(), false);
    let sum = op("aten::add.Scalar", &[numbers(&t)?.into(), IValue::Double(number)])?;
    rectified(quantized(&sum, &Quantizer::per_tensor(scale, zero), t.dtype())?, relu)
}

/// The scale is multiplied; a negative number turns the integers around in their range.
fn product_with_number(_: &Call<'_>, args: &[IValue], relu: bool) -> Result<Outputs, Error> {
    let (t, number) = with_number(args)?;
    let ((scale, zero), (low, high)) = (pair(&t)?, range(t.dtype()));
    if number == 0.0 {
        let zeros = op("aten::mul.Scalar", &[integers(&t).into(), IValue::Int(0)])?;
        return one(zeros.reread(t.dtype(), Some(Quantizer::per_tensor(1.0, 0))));
    }
    let scaled = scale * number.abs();
    if number > 0.0 {
        return rectified(copied(&t, Quantizer::per_tensor(scaled, zero))?, relu);
    }
    let ends = (low + high) as i64;
    let turned = cast::to_vec::<i64>(&integers(&t))?.into_iter().map(|q| ends - q).collect::<Vec<i64>>();
    let turned = laid(turned, t.sizes(), &strides_like(&t)?, t.dtype().underlying())?;
    rectified(turned.reread(t.dtype(), Some(Quantizer::per_tensor(scaled, ends - zero))), relu)
}

/// Rounded with the parameters of `out`, which is written.
fn into(_: &Call<'_>, args: &[IValue], name: &str, relu: bool) -> Result<Outputs, Error> {
    let out = tensor_arg(args, 2)?;
    let y = op(name, &[floats(args, 0)?, floats(args, 1)?])?;
    let y = if relu { op("aten::relu", &[y.into()])? } else { y };
    let y = quantized(&y, quantizer(out)?, out.dtype())?;
    cast::convert_into(&integers(out), &integers(&y))?;
    out.bump_version();
    one(out.clone())
}
