//! Views that read the same bytes as another dtype.

use super::{Meta, Reading, ShapeError, Size, View, Views, known_or, sizes_or};
use crate::shape::args::*;

fn dtype_of(args: &[Meta]) -> Option<DType> {
    tensor_at(args, 0).and_then(|t| t.dtype)
}

/// (self): a real tensor is its own real part.
pub fn real_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dtype = known_or!(dtype_of(args), Views::Unknown);
    Ok(Views::One(if dtype.is_complex() {
        View::Retyped { dtype: dtype.to_real(), sizes: sizes.clone(), reading: Reading::Part(0) }
    } else {
        View::identity(sizes)
    }))
}

/// (self), complex.
pub fn imag_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dtype = known_or!(dtype_of(args), Views::Unknown);
    refuse!(Type if !dtype.is_complex(), "imag is not implemented for tensors with non-complex dtypes.");
    Ok(Views::One(View::Retyped { dtype: dtype.to_real(), sizes: sizes.clone(), reading: Reading::Part(1) }))
}

/// (self), complex.
pub fn view_as_real_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dtype = known_or!(dtype_of(args), Views::Unknown);
    refuse!(Type if !dtype.is_complex(), "view_as_real is only supported for complex tensors");
    let sizes = sizes.iter().copied().chain([Size::Known(2)]).collect();
    Ok(Views::One(View::Retyped { dtype: dtype.to_real(), sizes, reading: Reading::Pairs }))
}

/// (self), with a last dimension of 2.
pub fn view_as_complex_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dtype = known_or!(dtype_of(args), Views::Unknown);
    refuse!(NotImplemented if !matches!(dtype, DType::F16 | DType::F32 | DType::F64),
        "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: {}",
        dtype.graph_name());
    let Some((last, rest)) = sizes.split_last() else {
        return Err(ShapeError::runtime("Input tensor must have one or more dimensions"));
    };
    refuse!(if last.known().is_some_and(|n| n != 2), "Tensor must have a last dimension of size 2");
    Ok(Views::One(View::Retyped {
        dtype: dtype.to_complex(),
        sizes: rest.iter().copied().collect(),
        reading: Reading::FromPairs,
    }))
}

/// (self, dtype).
pub fn view_dtype_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let from = known_or!(dtype_of(args), Views::Unknown);
    let to = known_or!(args.dtype(1).flatten(), Views::Unknown);
    let mut out = sizes.clone();
    let reading = if from.size() == to.size() {
        Reading::Same
    } else {
        let Some(last) = out.last_mut() else {
            return Err(ShapeError::runtime(format!(
                "self.dim() cannot be 0 to view {} as {} (different element sizes)",
                from.graph_name(),
                to.graph_name()
            )));
        };
        if from.size() > to.size() {
            let n = (from.size() / to.size()) as i64;
            *last = last.times(Size::Known(n));
            Reading::Split(n)
        } else {
            let n = (to.size() / from.size()) as i64;
            if let Some(have) = last.known() {
                refuse!(if have % n != 0,
                    "self.size(-1) must be divisible by {n} to view {} as {} (different element sizes), but got {have}",
                    from.graph_name(), to.graph_name());
                *last = Size::Known(have / n);
            } else {
                *last = Size::Unknown;
            }
            Reading::Join(n)
        }
    };
    Ok(Views::One(View::Retyped { dtype: to, sizes: out, reading }))
}
