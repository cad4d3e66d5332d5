//! What the rules of views and data movement ask of their arguments beyond [`super::args`].

use super::args::wrap_dim;
use super::{ErrorKind, Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};

impl ShapeError {
    pub fn runtime(message: impl Into<String>) -> ShapeError {
        ShapeError { kind: ErrorKind::Runtime, message: message.into() }
    }
    pub fn index(message: impl Into<String>) -> ShapeError {
        ShapeError { kind: ErrorKind::Index, message: message.into() }
    }
    pub fn type_error(message: impl Into<String>) -> ShapeError {
        ShapeError { kind: ErrorKind::Type, message: message.into() }
    }
    pub fn not_implemented(message: impl Into<String>) -> ShapeError {
        ShapeError { kind: ErrorKind::NotImplemented, message: message.into() }
    }
}

/// Argument `i`, if it is a tensor of which something is known.
pub fn tensor_at(args: &[Meta], i: usize) -> Option<&TensorMeta> {
    match args.get(i) {
        Some(Meta::Tensor(t)) => Some(t),
        _ => None,
    }
}

/// The sizes of tensor argument `i`, if its rank is known.
pub fn sizes_at(args: &[Meta], i: usize) -> Option<&Sizes> {
    tensor_at(args, i)?.sizes.as_ref()
}

/// The same tensor with other sizes.
pub fn with_sizes(t: &TensorMeta, sizes: Option<Sizes>) -> Meta {
    Meta::Tensor(TensorMeta { dtype: t.dtype, sizes, device: t.device.clone(), wrapped_number: false })
}

/// One result.
pub fn one(meta: Meta) -> RuleResult {
    Ok(smallvec::smallvec![meta])
}

/// A dimension that must exist: a tensor of rank 0 has none.
pub fn existing_dimension(dim: i64, rank: usize) -> Result<usize, ShapeError> {
    if rank == 0 {
        return Err(ShapeError::index(format!("Dimension specified as {dim} but tensor has no dimensions")));
    }
    wrap_dim(dim, rank)
}

/// Dimensions without repetition, as flags.
pub fn dimension_set(dims: &[i64], rank: usize) -> Result<Vec<bool>, ShapeError> {
    let mut set = vec![false; rank.max(1)];
    for dim in dims {
        let d = wrap_dim(*dim, rank)?;
        if std::mem::replace(&mut set[d], true) {
            return Err(ShapeError::runtime(format!("dim {d} appears multiple times in the list of dims")));
        }
    }
    set.truncate(rank);
    Ok(set)
}

/// `a - b` as far as it is known.
pub fn minus(a: Size, b: i64) -> Size {
    a.plus(Size::Known(b.saturating_neg()))
}
