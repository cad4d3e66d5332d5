//! Rules of pointwise operators whose dtype does not follow from their expression.

use super::args::*;
use super::{Meta, RuleResult, ShapeError, Size};
use crate::DType;

/// Same sizes and dtype.
pub fn same(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    one(t.dtype, t.sizes)
}

/// A square of truth values is an integer.
pub fn square(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    one(t.dtype.map(|d| if d == DType::Bool { DType::I64 } else { d }), t.sizes)
}

/// A power by a number. Integers have no negative powers among them.
pub fn pow_number(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    let integral = t.dtype.is_some_and(|d| d.is_int() || d == DType::Bool);
    if integral && matches!(a.get(1), Some(Meta::Int(Size::Known(n))) if *n < 0) {
        return Err(ShapeError::runtime("Integers to negative integer powers are not allowed."));
    }
    one(common_dtype(a[..2].iter())?, t.sizes)
}

/// Powers in f64 or c128.
pub fn float_power(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let mut tensors = Vec::new();
    for i in 0..2 {
        if matches!(args.get(i), Meta::Tensor(_)) {
            tensors.push(args.tensor(i)?);
        }
    }
    let common = common_dtype(a[..2].iter())?;
    let sizes = broadcast_all(tensors.iter())?;
    one(common.map(|d| if d.is_complex() { DType::C128 } else { DType::F64 }), sizes)
}
