//! Rules of quantized tensors. A dtype of integers with a scale takes no part in promotion: results have the first argument's, or the one that is asked for.

use super::args::*;

/// Sizes of the first argument, dtype by a number at a place.
fn to_dtype(a: &[Meta], i: usize) -> RuleResult {
    let dtype = a.int(i).and_then(DType::from_number);
    one(dtype, a.tensor(0)?.sizes)
}
rules! {
    /// (self, dtype, reduce_range).
    dynamic = to_dtype, 1;
    /// (self, scale, zero_point, dtype).
    per_tensor = to_dtype, 3;
    /// (self, scales, zero_points, axis, dtype).
    per_channel = to_dtype, 4;
}

/// The integers of the first argument.
pub fn integers(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    one(t.dtype.map(DType::underlying), t.sizes)
}

/// The first argument's integers with what they stand for.
pub fn of_integers(a: &[Meta]) -> RuleResult {
    one(None, a.tensor(0)?.sizes)
}

/// Two tensors that are broadcast, in the first one's dtype.
pub fn binary(a: &[Meta]) -> RuleResult {
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    let dtype = x.dtype;
    one(dtype, broadcast_all([x, y].iter())?)
}

/// Like the first argument, and a bool for each of its elements.
pub fn with_mask(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    Ok(smallvec![tensor(t.dtype, t.sizes.clone()), tensor(Some(DType::Bool), t.sizes)])
}

/// A weight and a bias that are packed, or the output and state of a layer that is: what they are like, only the object knows.
pub fn two_unknown(_: &[Meta]) -> RuleResult {
    Ok(smallvec![Meta::Unknown, Meta::Unknown])
}
pub fn three_unknown(_: &[Meta]) -> RuleResult {
    Ok(smallvec![Meta::Unknown, Meta::Unknown, Meta::Unknown])
}
