//! Rules of pointwise operators whose dtype does not follow from their expression.

use super::args::*;
use super::like::like;
use super::reduce::check_close;

rules! {
    /// A square of truth values is an integer.
    square = |t: TensorMeta| one(t.dtype.map(|d| if d == DType::Bool { DType::I64 } else { d }), t.sizes);
    isclose = |both: [TensorMeta; 2], tolerances: [Float; 2]| one(Some(DType::Bool), check_close(both, tolerances, true)?);
    /// Powers in f64 or c128.
    float_power = |both: [Meta; 2]| like(to_widest(&both)?);
}

/// A power by a number. Integers have no negative powers among them.
pub fn pow_number(t: TensorMeta, power: Meta) -> RuleResult {
    let integral = t.dtype.is_some_and(|d| d.is_int() || d == DType::Bool);
    refuse!(if integral && matches!(power, Meta::Int(Size::Known(..0))),
        "Integers to negative integer powers are not allowed.");
    let sizes = t.sizes.clone();
    let (dtype, _) = operands(&[Meta::Tensor(t), power])?;
    kernel("pow", dtype, |d| d != DType::C32)?;
    one(dtype, sizes)
}

/// A rounded quotient keeps the common dtype, and neither truth values nor complex numbers are rounded.
pub fn div_mode(both: [Meta; 2], mode: Meta) -> RuleResult {
    let (common, sizes) = operands(&both)?;
    let name = match mode.str() {
        None if mode.is_none() => return one(common.map(to_float), sizes),
        None => return one(None, sizes),
        Some("trunc") => "div_trunc_cpu",
        Some("floor") => "div_floor_cpu",
        Some(mode) => {
            let expected = "div expected rounding_mode to be one of None, 'trunc', or 'floor'";
            return error(format!("{expected} but found '{mode}'"));
        }
    };
    kernel(name, common, |d| d != DType::Bool && !d.is_complex())?;
    one(common, sizes)
}

fn to_widest(both: &[Meta]) -> Result<TensorMeta, ShapeError> {
    let (common, sizes) = operands(both)?;
    Ok(TensorMeta::new(common.map(|d| if d.is_complex() { DType::C128 } else { DType::F64 }), sizes))
}

/// A power in f64 or c128 that is written to its base, which has that dtype.
pub fn float_power_inplace(base: TensorMeta, power: Meta) -> RuleResult {
    let result = to_widest(&[Meta::Tensor(base.clone()), power])?;
    refuse!(if let Some((have, want)) = unlike(&base, &result),
        "the base given to float_power_ has dtype {have} but the operation's result requires dtype {want}");
    like(base)
}

pub fn heaviside(both: [TensorMeta; 2]) -> RuleResult {
    refuse!(if both.iter().any(|t| t.dtype.is_some_and(DType::is_complex)),
        "heaviside is not yet implemented for complex tensors.");
    refuse!(if unlike(&both[0], &both[1]).is_some(),
        "heaviside is not yet implemented for tensors with different dtypes.");
    let (dtype, sizes) = joined(&both)?;
    one(dtype, sizes)
}

pub fn lerp(both: [TensorMeta; 2], weight: Meta) -> RuleResult {
    refuse!(if let Some((d, e)) = unlike_cpp(&both[0], &both[1]), "expected dtype {d} for `end` but got dtype {e}");
    let mut all = both.to_vec();
    let name = if let Meta::Tensor(weight) = &weight {
        refuse!(if let Some((want, have)) = unlike_cpp(&both[0], weight), weight.rank().is_some_and(|r| r > 0),
            "expected dtype {want} for `weight` but got dtype {have}");
        all.push(weight.clone());
        "lerp_kernel_tensor"
    } else {
        "lerp_kernel_scalar"
    };
    let (dtype, sizes) = joined(&all)?;
    kernel(name, dtype, |d| d != DType::C32 && d.is_inexact())?;
    refuse!(if let (Some(d), Meta::Complex(_, im)) = (dtype, weight), !d.is_complex() && im != 0.0,
        "value cannot be converted to type {} without overflow", if d == DType::F64 { "double" } else { "float" });
    one(dtype, sizes)
}

/// The value is a number or a tensor of rank 0. Whether the dtype can hold it is found when it is converted.
pub fn masked_fill([t, mask]: [TensorMeta; 2], value: Meta) -> RuleResult {
    refuse!(if let Some(d) = mask.dtype, d != DType::Bool,
        "masked_fill_ only supports boolean masks, but got mask with dtype {}", d.cpp_name());
    refuse!(if let Meta::Tensor(value) = value, let Some(r) = value.rank(), r > 0,
        "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {r} dimension(s).");
    one(t.dtype, broadcast_all([&t, &mask])?)
}

/// Gradient, input and buffer have one dtype.
pub fn log_sigmoid_backward(all: [TensorMeta; 3]) -> RuleResult {
    for t in [&all[0], &all[2]] {
        refuse!(if let Some((d, want)) = unlike(t, &all[1]), "Found dtype {d} but expected {want}");
    }
    let (dtype, sizes) = joined(&all)?;
    one(dtype, sizes)
}

pub fn softshrink(t: TensorMeta, lambda: Float) -> RuleResult {
    kernel("softshrink_check", t.dtype, DType::is_float)?;
    let (most, name) = match t.dtype {
        Some(DType::F64) => ("1.79769e+308", "Double"),
        Some(DType::F16) => ("65504", "Half"),
        Some(DType::BF16) => ("3.38953e+38", "BFloat16"),
        _ => ("3.40282e+38", "Float"),
    };
    refuse!(if let Some(l) = lambda, l < 0.0 || l.is_nan(),
        "lambda must be in range [0, {most}] for input dtype {name}, but found {l}");
    like(t)
}
