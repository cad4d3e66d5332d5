//! Rules of special functions: operands broadcast, integers become floats.

use super::args::*;
use super::{Meta, RuleResult};
use crate::DType;
use crate::promotion::to_float;

/// One operand.
pub fn unary(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    one(t.dtype.map(to_float), t.sizes)
}

/// The number comes first.
pub fn polygamma(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    if let Some(n) = args.int(0)
        && n < 0
    {
        return error("polygamma(n, x) does not support negative n.");
    }
    let t = args.tensor(1)?;
    one(t.dtype.map(to_float), t.sizes)
}

/// Two operands, of which one may be a number.
pub fn binary(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let mut tensors = Vec::new();
    for i in 0..2 {
        if matches!(args.get(i), Meta::Tensor(_)) {
            tensors.push(args.tensor(i)?);
        }
    }
    let sizes = broadcast_all(tensors.iter())?;
    let unknown = args.is_unknown(0) || args.is_unknown(1);
    one(common_dtype(a[..2].iter())?.map(to_float), if unknown { None } else { sizes })
}

/// The next number towards another: floats only.
pub fn nextafter(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let common = common_dtype(a[..2].iter())?;
    let sizes = broadcast_all([&args.tensor(0)?, &args.tensor(1)?].into_iter())?;
    if let Some(d) = common
        && !matches!(d, DType::F32 | DType::F64 | DType::BF16 | DType::F16)
    {
        return not_implemented_for("nextafter_cpu", d);
    }
    one(common, sizes)
}

/// The multivariate gamma function's logarithm.
pub fn mvlgamma(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    match t.dtype {
        Some(DType::Bool) => return error("The input tensor may not be a boolean tensor."),
        Some(d) if d.is_complex() => return not_implemented_for("arange_cpu", d),
        _ => {}
    }
    if let Some(p) = args.int(1)
        && p < 1
    {
        return error("p has to be greater than or equal to 1");
    }
    one(t.dtype.map(to_float), t.sizes)
}
