//! Rules of quantized tensors. A dtype of integers with a scale takes no part in promotion: results have the first argument's, or the one that is asked for.

use super::args::*;

rules! {
    /// The first argument in a dtype that is asked for: by itself, behind a scale and a zero point, behind those and an axis.
    dynamic = |t: TensorMeta, dtype: Asked| one(dtype.given(), t.sizes);
    per_tensor = |t: TensorMeta, _: Skip<2>, dtype: Asked| one(dtype.given(), t.sizes);
    per_channel = |t: TensorMeta, _: Skip<3>, dtype: Asked| one(dtype.given(), t.sizes);
    /// The integers of the first argument.
    integers = |t: TensorMeta| one(t.dtype.map(DType::underlying), t.sizes);
    /// Like the first argument, and a bool for each of its elements.
    with_mask = |t: TensorMeta| Ok(smallvec![t.like(), tensor(Some(DType::Bool), t.sizes)]);
    /// A weight and a bias that are packed, or the output and state of a layer that is: what they are like, only the object knows.
    two_unknown = |_: Skip<1>| Ok(smallvec![Meta::Unknown, Meta::Unknown]);
    three_unknown = |_: Skip<1>| Ok(smallvec![Meta::Unknown, Meta::Unknown, Meta::Unknown]);
}
