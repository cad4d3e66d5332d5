//! Rules of special functions: operands broadcast, integers become floats.

use super::args::*;

/// The number comes first.
pub fn polygamma(n: Int, t: TensorMeta) -> RuleResult {
    refuse!(if n.is_some_and(|n| n < 0), "polygamma(n, x) does not support negative n.");
    one(t.dtype.map(to_float), t.sizes)
}

rules! {
    /// Two operands, of which one may be a number.
    binary = |both: [Meta; 2]| operands(&both).and_then(|(dtype, sizes)| one(dtype.map(to_float), sizes));
}

/// The next number towards another: floats only.
pub fn nextafter(both: [TensorMeta; 2]) -> RuleResult {
    let (dtype, sizes) = joined(&both)?;
    kernel("nextafter_cpu", dtype, |d| matches!(d, DType::F32 | DType::F64 | DType::BF16 | DType::F16))?;
    one(dtype, sizes)
}

/// The multivariate gamma function's logarithm.
pub fn mvlgamma(t: TensorMeta, p: Int) -> RuleResult {
    refuse!(if t.dtype == Some(DType::Bool), "The input tensor may not be a boolean tensor.");
    kernel("arange_cpu", t.dtype, |d| !d.is_complex())?;
    refuse!(if p.is_some_and(|p| p < 1), "p has to be greater than or equal to 1");
    one(t.dtype.map(to_float), t.sizes)
}
