//! Rules of operators between real and complex tensors.

use super::args::*;

/// `complex(real, imag)`.
pub fn complex(a: &[Meta]) -> RuleResult {
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    if let (Some(d), Some(e)) = (x.dtype, y.dtype) {
        let allowed = |d: DType| matches!(d, DType::F16 | DType::F32 | DType::F64);
        refuse!(NotImplemented if !allowed(d) || !allowed(e),
            "Expected both inputs to be Half, Float or Double tensors but got {} and {}", d.scalar_type_name(),
            e.scalar_type_name());
        refuse!(if d != e,
            "Expected object of scalar type {} but got scalar type {} for second argument", d.scalar_type_name(),
            e.scalar_type_name());
    }
    let sizes = broadcast_all([&x, &y])?;
    one(x.dtype.map(DType::to_complex), sizes)
}

/// The phase: pi for negative numbers, 0 for others.
pub fn angle(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    one(t.dtype.map(to_float).map(DType::to_real), t.sizes)
}
