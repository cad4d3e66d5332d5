//! Rules of pointwise operators whose dtype does not follow from their expression.

use super::args::*;

/// A square of truth values is an integer.
pub fn square(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    if t.dtype == Some(DType::C32) {
        return not_implemented_for("pow", DType::C32);
    }
    one(t.dtype.map(|d| if d == DType::Bool { DType::I64 } else { d }), t.sizes)
}

/// A power by a number. Integers have no negative powers among them.
pub fn pow_number(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let integral = t.dtype.is_some_and(|d| d.is_int() || d == DType::Bool);
    refuse!(if integral && matches!(a.get(1), Some(Meta::Int(Size::Known(n))) if *n < 0),
        "Integers to negative integer powers are not allowed.");
    match common_dtype(a[..2].iter())? {
        Some(DType::C32) => not_implemented_for("pow", DType::C32),
        common => one(common, t.sizes),
    }
}

/// (self, other, rounding_mode): a rounded quotient keeps the common dtype, and neither truth values nor complex numbers are rounded.
pub fn div_mode(a: &[Meta]) -> RuleResult {
    let tensors = (0..2).filter(|i| matches!(a.meta(*i), Meta::Tensor(_))).map(|i| a.tensor(i));
    let sizes = broadcast_all(tensors.collect::<Result<Vec<_>, _>>()?.iter())?;
    let common = common_dtype(a[..2].iter())?;
    let kernel = match a.meta(2) {
        Meta::None => return one(common.map(to_float), sizes),
        Meta::Str(mode) if &**mode == "trunc" => "div_trunc_cpu",
        Meta::Str(mode) if &**mode == "floor" => "div_floor_cpu",
        Meta::Str(mode) => {
            return error(format!(
                "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{mode}'"
            ));
        }
        _ => return one(None, sizes),
    };
    match common {
        Some(d) if d == DType::Bool || d.is_complex() => not_implemented_for(kernel, d),
        common => one(common, sizes),
    }
}

/// Powers in f64 or c128.
pub fn float_power(a: &[Meta]) -> RuleResult {
    let mut tensors = Vec::new();
    for i in 0..2 {
        if matches!(a.meta(i), Meta::Tensor(_)) {
            tensors.push(a.tensor(i)?);
        }
    }
    let common = common_dtype(a[..2].iter())?;
    let sizes = broadcast_all(tensors.iter())?;
    one(common.map(|d| if d.is_complex() { DType::C128 } else { DType::F64 }), sizes)
}

/// A power in f64 or c128 that is written to its base, which has that dtype.
pub fn float_power_inplace(a: &[Meta]) -> RuleResult {
    let result = float_power(a)?;
    let base = a.tensor(0)?;
    if let (Some(have), Some(want)) = (base.dtype, result.tensor(0)?.dtype)
        && have != want
    {
        let (have, want) = (have.scalar_type_name(), want.scalar_type_name());
        return error(format!(
            "the base given to float_power_ has dtype {have} but the operation's result requires dtype {want}"
        ));
    }
    one(base.dtype, base.sizes)
}

/// Operands broadcast to one tensor of their common dtype.
fn common(a: &[Meta], n: usize) -> RuleResult {
    let tensors = (0..n).filter(|i| matches!(a.meta(*i), Meta::Tensor(_))).map(|i| a.tensor(i));
    let sizes = broadcast_all(tensors.collect::<Result<Vec<_>, _>>()?.iter())?;
    one(common_dtype(a.iter().take(n))?, sizes)
}

pub fn heaviside(a: &[Meta]) -> RuleResult {
    let (t, values) = (a.tensor(0)?, a.tensor(1)?);
    for d in [t.dtype, values.dtype].into_iter().flatten() {
        refuse!(if d.is_complex(), "heaviside is not yet implemented for complex tensors.");
    }
    refuse!(if unlike(&t, &values).is_some(), "heaviside is not yet implemented for tensors with different dtypes.");
    common(a, 2)
}

/// (self, end, weight).
pub fn lerp(a: &[Meta]) -> RuleResult {
    refuse!(if let Some((d, e)) = unlike_cpp(&a.tensor(0)?, &a.tensor(1)?),
        "expected dtype {d} for `end` but got dtype {e}");
    if let (Meta::Tensor(weight), Some(want)) = (a.meta(2), a.tensor(0)?.dtype)
        && let Some(have) = weight.dtype.filter(|d| *d != want && weight.rank().is_some_and(|r| r > 0))
    {
        return error(format!("expected dtype {} for `weight` but got dtype {}", want.cpp_name(), have.cpp_name()));
    }
    let (result, kernel) = match a.meta(2) {
        Meta::Tensor(_) => (common(a, 3)?, "lerp_kernel_tensor"),
        _ => (common(a, 2)?, "lerp_kernel_scalar"),
    };
    match result.tensor(0)?.dtype {
        Some(d) if d == DType::C32 || !(d.is_float() || d.is_complex()) => not_implemented_for(kernel, d),
        Some(d) if !d.is_complex() && matches!(a.meta(2), Meta::Complex(_, im) if *im != 0.0) => {
            let name = if d == DType::F64 { "double" } else { "float" };
            error(format!("value cannot be converted to type {name} without overflow"))
        }
        _ => Ok(result),
    }
}

/// (self, other, rtol, atol, equal_nan).
pub fn isclose(a: &[Meta]) -> RuleResult {
    refuse!(if let Some((d, e)) = unlike(&a.tensor(0)?, &a.tensor(1)?), "{d} did not match {e}");
    for (i, name) in [(2, "rtol"), (3, "atol")] {
        refuse!(if let Some(v) = a.float(i), (v < 0.0 || v.is_nan()),
            "{name} must be greater than or equal to zero, but got {v}");
    }
    let sizes = broadcast_all([&a.tensor(0)?, &a.tensor(1)?])?;
    one(Some(DType::Bool), sizes)
}

/// (self, mask, value), the value a number or a tensor of rank 0. Whether the dtype can hold it is found when it is converted.
pub fn masked_fill(a: &[Meta]) -> RuleResult {
    let (t, mask) = (a.tensor(0)?, a.tensor(1)?);
    refuse!(if let Some(d) = mask.dtype, d != DType::Bool,
        "masked_fill_ only supports boolean masks, but got mask with dtype {}", d.cpp_name());
    refuse!(if let Meta::Tensor(value) = a.meta(2), let Some(r) = value.rank(), r > 0,
        "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {r} dimension(s).");
    one(t.dtype, broadcast_all([&t, &mask])?)
}

/// (grad_output, self, buffer), all of one dtype.
pub fn log_sigmoid_backward(a: &[Meta]) -> RuleResult {
    let want = a.tensor(1)?.dtype;
    for i in [0, 2] {
        refuse!(if let (Some(d), Some(want)) = (a.tensor(i)?.dtype, want), d != want,
            "Found dtype {} but expected {}", d.scalar_type_name(), want.scalar_type_name());
    }
    common(a, 3)
}

/// A tensor that is no truth value.
pub fn positive(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(NotImplemented if t.dtype == Some(DType::Bool), "The `+` operator, on a bool tensor is not supported.");
    one(t.dtype, t.sizes)
}

/// (self, lambd).
pub fn softshrink(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    kernel("softshrink_check", t.dtype, DType::is_float)?;
    if let Some(l) = a.float(1)
        && (l < 0.0 || l.is_nan())
    {
        let (most, name) = match t.dtype {
            Some(DType::F64) => ("1.79769e+308", "Double"),
            Some(DType::F16) => ("65504", "Half"),
            Some(DType::BF16) => ("3.38953e+38", "BFloat16"),
            _ => ("3.40282e+38", "Float"),
        };
        return error(format!("lambda must be in range [0, {most}] for input dtype {name}, but found {l}"));
    }
    one(t.dtype, t.sizes)
}
