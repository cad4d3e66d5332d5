//! Views that read the same elements in the same order under other sizes, or any sizes and strides at all.

use super::{Meta, ShapeError, Size, Sizes, View, Views, known_or, sizes_or};
use crate::shape::args::*;

/// The sizes that a shape with at most one -1 stands for.
pub fn infer_sizes(sizes: &[Size], shape: &[Size]) -> Result<Sizes, ShapeError> {
    let mut inferred = None;
    for (i, s) in shape.iter().enumerate() {
        match s {
            Size::Known(-1) if inferred.replace(i).is_some() => {
                return Err(ShapeError::runtime("only one dimension can be inferred"));
            }
            Size::Known(-1) => {}
            Size::Known(n) if *n < 0 => {
                return Err(ShapeError::runtime(format!(
                    "invalid shape dimension {n} at index {i} of shape {}",
                    show(shape)
                )));
            }
            _ => {}
        }
    }
    let mut out: Sizes = shape.iter().copied().collect();
    let rest = || shape.iter().enumerate().filter(|(i, _)| Some(*i) != inferred).map(|(_, s)| *s);
    let others = product(&rest().collect::<Vec<_>>()).known();
    let invalid =
        |total: i64| ShapeError::runtime(format!("shape '{}' is invalid for input of size {total}", show(shape)));
    match (product(sizes).known(), others) {
        (Some(total), Some(product)) => match inferred {
            None if product == total => Ok(out),
            None => Err(invalid(total)),
            Some(i) => {
                refuse!(if product == 0 && total == 0,
                    "cannot reshape tensor of 0 elements into shape {} because the unspecified dimension size -1 can be any value and is ambiguous",
                    show(shape));
                if product == 0 || total % product != 0 {
                    return Err(invalid(total));
                }
                out[i] = Size::Known(total / product);
                Ok(out)
            }
        },
        _ => {
            if let Some(i) = inferred {
                out[i] = cancelled(sizes, &rest().collect::<Vec<_>>());
            }
            Ok(out)
        }
    }
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

/// (self, shape): also of `view`, `_unsafe_view`, `_reshape_copy`.
pub fn reshape_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let shape = known_or!(args.sizes(1), Views::Unknown);
    match tensor_at(args, 0).and_then(|t| t.sizes.as_ref()) {
        Some(sizes) => Ok(Views::One(View::Reshape(infer_sizes(sizes, &shape)?))),
        None => {
            let sizes = shape.iter().map(|s| if s.known() == Some(-1) { Size::Unknown } else { *s }).collect();
            Ok(Views::One(View::Reshape(sizes)))
        }
    }
}

/// (self, other).
pub fn reshape_as_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let target = known_or!(tensor_at(args, 1).and_then(|t| t.sizes.as_ref()), Views::Unknown);
    Ok(Views::One(View::Reshape(infer_sizes(sizes, target)?)))
}

/// (self, start_dim, end_dim).
pub fn flatten_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let (start, end) = (known_or!(args.int(1), Views::Unknown), known_or!(args.int(2), Views::Unknown));
    let (start, end) = (wrap_dim(start, sizes.len())?, wrap_dim(end, sizes.len())?);
    refuse!(if start > end, "flatten() has invalid args: start_dim cannot come after end_dim");
    Ok(Views::One(if sizes.is_empty() {
        View::Reshape(smallvec![Size::Known(1)])
    } else if start == end {
        View::identity(sizes)
    } else {
        View::Reshape(joined(sizes, start, end))
    }))
}

fn joined(sizes: &[Size], start: usize, end: usize) -> Sizes {
    let mut out: Sizes = sizes[..start].iter().copied().collect();
    out.push(product(&sizes[start..=end]));
    out.extend(sizes[end + 1..].iter().copied());
    out
}

/// (a, start, end), inclusive (`prims::collapse`).
pub fn collapse_view(args: &[Meta]) -> Result<Views, ShapeError> {
    flatten_view(args)
}

/// (self).
pub fn ravel_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    Ok(Views::One(View::Reshape(smallvec![product(sizes)])))
}

/// (self, dim, sizes).
pub fn unflatten_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dim = known_or!(args.int(1), Views::Unknown);
    let parts = known_or!(args.sizes(2), Views::Unknown);
    let dim = existing_dimension(dim, sizes.len()).map_err(|e| {
        if sizes.is_empty() { ShapeError::runtime(format!("unflatten got an unexpected error:\n{e}")) } else { e }
    })?;
    refuse!(if parts.is_empty(), "unflatten: sizes must be non-empty");
    let inner = infer_sizes(&sizes[dim..=dim], &parts).map_err(|e| {
        if e.message.contains("is invalid for input of size") {
            ShapeError::runtime(format!(
                "unflatten: Provided sizes {} don't multiply up to the size of dim {dim} ({}) in the input tensor",
                show(&parts),
                sizes[dim].known().map_or("?".to_owned(), |n| n.to_string())
            ))
        } else {
            ShapeError::runtime(format!("unflatten got an unexpected error:\n{e}"))
        }
    })?;
    let mut out: Sizes = sizes[..dim].iter().copied().collect();
    out.extend(inner);
    out.extend(sizes[dim + 1..].iter().copied());
    Ok(Views::One(View::Reshape(out)))
}

/// (a, dim, outer_length) (`prims::split_dim`).
pub fn split_dim_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dim = existing_dimension(known_or!(args.int(1), Views::Unknown), sizes.len())?;
    let outer = args.size(2);
    let inner = infer_sizes(&sizes[dim..=dim], &[outer, Size::Known(-1)])?;
    let mut out: Sizes = sizes[..dim].iter().copied().collect();
    out.extend(inner);
    out.extend(sizes[dim + 1..].iter().copied());
    Ok(Views::One(View::Reshape(out)))
}

/// (self, size, stride, storage_offset).
pub fn as_strided_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = known_or!(args.sizes(1), Views::Unknown);
    let strides = known_or!(args.sizes(2), Views::Unknown);
    refuse!(if sizes.len() != strides.len(), "mismatch in length of strides and shape");
    refuse!(if strides.iter().any(|s| s.known().is_some_and(|s| s < 0)),
        "as_strided: Negative strides are not supported at the moment, got strides: {}", show(&strides));
    refuse!(if sizes.iter().any(|s| s.known().is_some_and(|s| s < 0)),
        "Storage size calculation overflowed with sizes={} and strides={}", show(&sizes), show(&strides));
    refuse!(if let Some(o) = args.int(3), o < 0, "Tensor: invalid storage offset {o}");
    let offset = if args.is_none(3) { None } else { Some(args.size(3)) };
    Ok(Views::One(View::Strided { sizes, strides, offset }))
}

/// (self, size, stride).
pub fn reshape_alias_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = known_or!(args.sizes(1), Views::Unknown);
    let strides = known_or!(args.sizes(2), Views::Unknown);
    refuse!(if sizes.iter().any(|s| s.known().is_some_and(|s| s < 0)), "numel: integer multiplication overflow");
    refuse!(if sizes.len() != strides.len(),
        "dimensionality of sizes ({}) must match dimensionality of strides ({})", sizes.len(), strides.len());
    Ok(Views::One(View::Strided { sizes, strides, offset: None }))
}

fn atleast(sizes: &[Size], rank: usize) -> Views {
    let ones = |n: usize| std::iter::repeat_n(Size::Known(1), n);
    let shape: Sizes = match (sizes.len(), rank) {
        (have, want) if have >= want => return Views::One(View::identity(sizes)),
        (0, want) => ones(want).collect(),
        // A row for 2-d; for 3-d a row in the middle, and a matrix gets a last dimension.
        (1, 2) => ones(1).chain(sizes.iter().copied()).collect(),
        (1, _) => ones(1).chain(sizes.iter().copied()).chain(ones(1)).collect(),
        _ => sizes.iter().copied().chain(ones(1)).collect(),
    };
    Views::One(View::Reshape(shape))
}

/// (self).
pub fn atleast_1d_view(args: &[Meta]) -> Result<Views, ShapeError> {
    Ok(atleast(sizes_or!(args, Views::Unknown), 1))
}
/// (self).
pub fn atleast_2d_view(args: &[Meta]) -> Result<Views, ShapeError> {
    Ok(atleast(sizes_or!(args, Views::Unknown), 2))
}
/// (self).
pub fn atleast_3d_view(args: &[Meta]) -> Result<Views, ShapeError> {
    Ok(atleast(sizes_or!(args, Views::Unknown), 3))
}
