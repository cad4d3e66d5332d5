//! Rules of special functions: operands broadcast, integers become floats.

use super::args::*;

/// One operand.
pub fn unary(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    one(t.dtype.map(to_float), t.sizes)
}

/// The number comes first.
pub fn polygamma(a: &[Meta]) -> RuleResult {
    refuse!(if let Some(n) = a.int(0), n < 0, "polygamma(n, x) does not support negative n.");
    let t = a.tensor(1)?;
    one(t.dtype.map(to_float), t.sizes)
}

/// Two operands, of which one may be a number.
pub fn binary(a: &[Meta]) -> RuleResult {
    let mut tensors = Vec::new();
    for i in 0..2 {
        if matches!(a.meta(i), Meta::Tensor(_)) {
            tensors.push(a.tensor(i)?);
        }
    }
    let sizes = broadcast_all(tensors.iter())?;
    let unknown = a.is_unknown(0) || a.is_unknown(1);
    one(common_dtype(a[..2].iter())?.map(to_float), if unknown { None } else { sizes })
}

/// The next number towards another: floats only.
pub fn nextafter(a: &[Meta]) -> RuleResult {
    let common = common_dtype(a[..2].iter())?;
    let sizes = broadcast_all([&a.tensor(0)?, &a.tensor(1)?])?;
    kernel("nextafter_cpu", common, |d| matches!(d, DType::F32 | DType::F64 | DType::BF16 | DType::F16))?;
    one(common, sizes)
}

/// The multivariate gamma function's logarithm.
pub fn mvlgamma(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    match t.dtype {
        Some(DType::Bool) => return error("The input tensor may not be a boolean tensor."),
        Some(d) if d.is_complex() => return not_implemented_for("arange_cpu", d),
        _ => {}
    }
    refuse!(if let Some(p) = a.int(1), p < 1, "p has to be greater than or equal to 1");
    one(t.dtype.map(to_float), t.sizes)
}
