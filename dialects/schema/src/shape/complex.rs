//! Rules of operators between real and complex tensors.

use super::args::*;

/// Real and imaginary parts.
pub fn complex([x, y]: [TensorMeta; 2]) -> RuleResult {
    let halves = |d: DType| matches!(d, DType::F16 | DType::F32 | DType::F64);
    refuse!(NotImplemented if let (Some(d), Some(e)) = (x.dtype, y.dtype), !halves(d) || !halves(e),
        "Expected both inputs to be Half, Float or Double tensors but got {} and {}", d.scalar_type_name(),
        e.scalar_type_name());
    refuse!(if let Some((d, e)) = unlike(&x, &y),
        "Expected object of scalar type {d} but got scalar type {e} for second argument");
    one(x.dtype.map(DType::to_complex), broadcast_all([&x, &y])?)
}

rules! {
    /// The phase: pi for negative numbers, 0 for others.
    angle = |t: TensorMeta| one(t.dtype.map(to_float).map(DType::to_real), t.sizes);
}
