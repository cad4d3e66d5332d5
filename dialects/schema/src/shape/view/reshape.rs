//! Views that read the same elements in the same order under other sizes, or any sizes and strides at all.

use super::View;
use crate::shape::args::*;

/// The sizes that a shape with at most one -1 stands for.
pub fn infer_sizes(sizes: &[Size], shape: &[Size]) -> Result<Sizes, ShapeError> {
    let mut inferred = None;
    for (i, n) in shape.iter().enumerate().filter_map(|(i, s)| Some((i, s.known()?))) {
        refuse!(if n == -1 && inferred.replace(i).is_some(), "only one dimension can be inferred");
        refuse!(if n < -1, "invalid shape dimension {n} at index {i} of shape {}", show(shape));
    }
    let mut out: Sizes = shape.into();
    let rest: Sizes = (0..shape.len()).filter(|i| Some(*i) != inferred).map(|i| shape[i]).collect();
    let (total, others) = (product(sizes).known(), product(&rest).known());
    if let (Some(total), Some(others)) = (total, others) {
        refuse!(if inferred.is_some() && others == 0 && total == 0,
            "cannot reshape tensor of 0 elements into shape {} because the unspecified dimension size -1 can be any value and is ambiguous",
            show(shape));
        let fits = if inferred.is_some() { others != 0 && total % others == 0 } else { total == others };
        refuse!(if !fits, "shape '{}' is invalid for input of size {total}", show(shape));
    }
    if let Some(i) = inferred {
        out[i] = match (total, others) {
            (Some(total), Some(others)) => Size::Known(total / others),
            _ => match cancelled(sizes, &rest) {
                // Where the view can be made at all, nothing is left of the division.
                Size::Unknown => product(sizes).over(product(&rest)),
                quotient => quotient,
            },
        };
    }
    Ok(out)
}

/// The quotient of two products, as far as common symbols cancel; else unknown.
fn cancelled(numerator: &[Size], denominator: &[Size]) -> Size {
    if numerator.contains(&Size::Unknown) || denominator.contains(&Size::Unknown) {
        return Size::Unknown;
    }
    let mut left: Vec<Size> = numerator.iter().copied().filter(|s| *s != Size::Known(1)).collect();
    let mut constant = 1i64;
    for s in denominator {
        match (s, left.iter().position(|n| n == s)) {
            (Size::Known(n), _) => match constant.checked_mul(*n) {
                Some(c) => constant = c,
                None => return Size::Unknown,
            },
            (_, Some(i)) => {
                left.remove(i);
            }
            _ => return Size::Unknown,
        }
    }
    let symbols: Vec<Size> = left.iter().copied().filter(|s| s.known().is_none()).collect();
    let Some(product) = left.iter().filter_map(|s| s.known()).try_fold(1i64, i64::checked_mul) else {
        return Size::Unknown;
    };
    if constant == 0 || product % constant != 0 {
        return Size::Unknown;
    }
    match (&*symbols, product / constant) {
        ([], n) => Size::Known(n),
        ([s], 1) => *s,
        _ => Size::Unknown,
    }
}

/// Also of `view`, `_unsafe_view`, `_reshape_copy`; the shape may be another tensor's.
pub fn reshape_view(t: TensorMeta, shape: Sizes) -> Result<View, ShapeError> {
    let unknown = |s: &Size| if s.known() == Some(-1) { Size::Unknown } else { *s };
    Ok(View::Reshape(match t.sizes {
        Some(sizes) => infer_sizes(&sizes, &shape)?,
        None => shape.iter().map(unknown).collect(),
    }))
}

/// Also `prims::collapse`: both ends are included.
pub fn flatten_view(sizes: Sizes, start: i64, end: i64) -> Result<View, ShapeError> {
    let (start, end) = (wrap_dim(start, sizes.len())?, wrap_dim(end, sizes.len())?);
    refuse!(if start > end, "flatten() has invalid args: start_dim cannot come after end_dim");
    Ok(if sizes.is_empty() {
        View::Reshape(smallvec![Size::Known(1)])
    } else if start == end {
        View::identity(&sizes)
    } else {
        View::Reshape(in_place_of(&sizes, start, end, [product(&sizes[start..=end])]))
    })
}

/// Sizes of which some from `start` to `end` are others.
fn in_place_of(sizes: &[Size], start: usize, end: usize, parts: impl IntoIterator<Item = Size>) -> Sizes {
    sizes[..start].iter().copied().chain(parts).chain(sizes[end + 1..].iter().copied()).collect()
}

pub fn ravel_view(sizes: Sizes) -> Result<View, ShapeError> {
    Ok(View::Reshape(smallvec![product(&sizes)]))
}

pub fn unflatten_view(sizes: Sizes, dim: i64, parts: Sizes) -> Result<View, ShapeError> {
    let unexpected = |e: ShapeError| ShapeError::runtime(format!("unflatten got an unexpected error:\n{e}"));
    let dim = existing_dimension(dim, sizes.len()).map_err(|e| if sizes.is_empty() { unexpected(e) } else { e })?;
    refuse!(if parts.is_empty(), "unflatten: sizes must be non-empty");
    let inner = infer_sizes(&sizes[dim..=dim], &parts).or_else(|e| {
        refuse!(if e.message.contains("is invalid for input of size"),
            "unflatten: Provided sizes {} don't multiply up to the size of dim {dim} ({}) in the input tensor",
            show(&parts), sizes[dim]);
        Err(unexpected(e))
    })?;
    Ok(View::Reshape(in_place_of(&sizes, dim, dim, inner)))
}

/// `prims::split_dim`.
pub fn split_dim_view(sizes: Sizes, dim: i64, outer: Size) -> Result<View, ShapeError> {
    let dim = existing_dimension(dim, sizes.len())?;
    let inner = infer_sizes(&sizes[dim..=dim], &[outer, Size::Known(-1)])?;
    Ok(View::Reshape(in_place_of(&sizes, dim, dim, inner)))
}

fn any_negative(sizes: &[Size]) -> bool {
    sizes.iter().any(|s| s.known().is_some_and(|s| s < 0))
}

pub fn as_strided_view(_: Skip<1>, sizes: Sizes, strides: Sizes, offset: Meta) -> Result<View, ShapeError> {
    refuse!(if sizes.len() != strides.len(), "mismatch in length of strides and shape");
    refuse!(if any_negative(&strides),
        "as_strided: Negative strides are not supported at the moment, got strides: {}", show(&strides));
    refuse!(if any_negative(&sizes),
        "Storage size calculation overflowed with sizes={} and strides={}", show(&sizes), show(&strides));
    refuse!(if let Some(o) = offset.int(), o < 0, "Tensor: invalid storage offset {o}");
    Ok(View::Strided { sizes, strides, offset: (!offset.is_none()).then(|| offset.size()) })
}

pub fn reshape_alias_view(_: Skip<1>, sizes: Sizes, strides: Sizes) -> Result<View, ShapeError> {
    refuse!(if any_negative(&sizes), "numel: integer multiplication overflow");
    refuse!(if sizes.len() != strides.len(),
        "dimensionality of sizes ({}) must match dimensionality of strides ({})", sizes.len(), strides.len());
    Ok(View::Strided { sizes, strides, offset: None })
}

fn at_least(sizes: &[Size], rank: usize) -> Result<View, ShapeError> {
    let one = Size::Known(1);
    Ok(View::Reshape(match (sizes, rank) {
        (have, want) if have.len() >= want => return Ok(View::identity(sizes)),
        ([], want) => smallvec![one; want],
        // A row for 2-d; for 3-d a row in the middle, and a matrix gets a last dimension.
        ([n], 2) => smallvec![one, *n],
        ([n], _) => smallvec![one, *n, one],
        (more, _) => more.iter().copied().chain([one]).collect(),
    }))
}

pub fn atleast_1d_view(sizes: Sizes) -> Result<View, ShapeError> {
    at_least(&sizes, 1)
}
pub fn atleast_2d_view(sizes: Sizes) -> Result<View, ShapeError> {
    at_least(&sizes, 2)
}
pub fn atleast_3d_view(sizes: Sizes) -> Result<View, ShapeError> {
    at_least(&sizes, 3)
}
