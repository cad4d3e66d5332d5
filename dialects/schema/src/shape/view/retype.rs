//! Views that read the same bytes as another dtype.

use super::{Reading, View};
use crate::shape::args::*;

type Retyped = Result<Option<View>, ShapeError>;

/// A real tensor is its own real part.
pub fn real_view(t: Ranked) -> Retyped {
    part(t, 0, |_| Ok(()))
}

pub fn imag_view(t: Ranked) -> Retyped {
    part(t, 1, |dtype| {
        refuse!(Type if !dtype.is_complex(), "imag is not implemented for tensors with non-complex dtypes.");
        Ok(())
    })
}

fn part(t: Ranked, part: i64, check: impl Fn(DType) -> Result<(), ShapeError>) -> Retyped {
    let Some(dtype) = t.dtype else { return Ok(None) };
    check(dtype)?;
    let sizes = t.sizes.clone();
    Ok(Some(match dtype.is_complex() {
        true => View::Retyped { dtype: dtype.to_real(), sizes, reading: Reading::Part(part) },
        false => View::identity(&sizes),
    }))
}

pub fn view_as_real_view(t: Ranked) -> Retyped {
    let Some(dtype) = t.dtype else { return Ok(None) };
    refuse!(Type if !dtype.is_complex(), "view_as_real is only supported for complex tensors");
    let sizes = t.sizes.iter().copied().chain([Size::Known(2)]).collect();
    Ok(Some(View::Retyped { dtype: dtype.to_real(), sizes, reading: Reading::Pairs }))
}

/// The last dimension is 2.
pub fn view_as_complex_view(t: Ranked) -> Retyped {
    let Some(dtype) = t.dtype else { return Ok(None) };
    refuse!(NotImplemented if !matches!(dtype, DType::F16 | DType::F32 | DType::F64),
        "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: {}",
        dtype.graph_name());
    let Some((last, rest)) = t.sizes.split_last() else {
        return error("Input tensor must have one or more dimensions");
    };
    refuse!(if last.known().is_some_and(|n| n != 2), "Tensor must have a last dimension of size 2");
    Ok(Some(View::Retyped { dtype: dtype.to_complex(), sizes: rest.into(), reading: Reading::FromPairs }))
}

pub fn view_dtype_view(t: Ranked, to: Asked) -> Retyped {
    let (Some(from), Some(to)) = (t.dtype, to.given()) else { return Ok(None) };
    let mut sizes = t.sizes.clone();
    let (names, last) =
        (format!("view {} as {} (different element sizes)", from.graph_name(), to.graph_name()), sizes.last_mut());
    refuse!(if last.is_none() && from.size() != to.size(), "self.dim() cannot be 0 to {names}");
    let reading = match (from.size().cmp(&to.size()), last) {
        (std::cmp::Ordering::Greater, Some(last)) => {
            let n = (from.size() / to.size()) as i64;
            *last = last.times(Size::Known(n));
            Reading::Split(n)
        }
        (std::cmp::Ordering::Less, Some(last)) => {
            let n = (to.size() / from.size()) as i64;
            refuse!(if let Some(have) = last.known(), have % n != 0,
                "self.size(-1) must be divisible by {n} to {names}, but got {have}");
            *last = last.known().map_or(Size::Unknown, |have| Size::Known(have / n));
            Reading::Join(n)
        }
        _ => Reading::Same,
    };
    Ok(Some(View::Retyped { dtype: to, sizes, reading }))
}
