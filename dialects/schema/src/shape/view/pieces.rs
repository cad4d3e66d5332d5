//! Views that come in lists: splits, chunks, and the slices of one dimension.

use super::{Axis, DivCeil, Meta, ShapeError, Size, View, Views, axis, cut, known_or, sizes_or};
use crate::shape::args::*;

/// Pieces of the lengths given, one after the other.
fn pieces(sizes: &[Size], dim: usize, lengths: impl IntoIterator<Item = Size>) -> Views {
    let mut start = Size::Known(0);
    Views::List(
        lengths
            .into_iter()
            .map(|length| {
                let view = cut(sizes, dim, start, length, 1);
                start = start.plus(length);
                view
            })
            .collect(),
    )
}

/// No more pieces than this: `x.split(1)` of a vast expanded tensor is an error, not an allocation.
const MAX_PIECES: i64 = 1 << 22;

fn equal_pieces(sizes: &[Size], dim: usize, total: i64, each: i64) -> Result<Views, ShapeError> {
    let count = if each == 0 { 1 } else { total.div_ceil_by(each).max(1) };
    refuse!(if count > MAX_PIECES, "{count} pieces are too many");
    Ok(pieces(sizes, dim, (0..count).map(|i| Size::Known((total - i * each).min(each)))))
}

/// (self, split_size, dim).
pub fn split_view(args: &[Meta]) -> Result<Views, ShapeError> {
    // `split.sizes` and `split(int[])` share the name.
    if let Meta::List(_) = args.meta(1) {
        return split_with_sizes_view(args);
    }
    let sizes = sizes_or!(args, Views::UnknownList);
    refuse!(if sizes.is_empty(), "split expects at least a 1-dimensional tensor");
    let each = known_or!(args.int(1), Views::UnknownList);
    refuse!(if each < 0, "split expects split_size be non-negative, but got split_size={each}");
    let dim = wrap_dim(known_or!(args.int(2), Views::UnknownList), sizes.len())?;
    let total = known_or!(sizes[dim].known(), Views::UnknownList);
    refuse!(if each == 0 && total != 0,
        "split_size can only be 0 if dimension size is 0, but got dimension size of {total}");
    equal_pieces(sizes, dim, total, each)
}

/// (self, split_sizes, dim).
pub fn split_with_sizes_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::UnknownList);
    refuse!(if sizes.is_empty(), "split expects at least a 1-dimensional tensor");
    let lengths = known_or!(args.sizes(1), Views::UnknownList);
    let dim = wrap_dim(known_or!(args.int(2), Views::UnknownList), sizes.len())?;
    refuse!(if lengths.iter().any(|l| l.known().is_some_and(|l| l < 0)),
        "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={}", show(&lengths));
    let sum = lengths.iter().try_fold(0i64, |n, l| n.checked_add(l.known()?));
    refuse!(if let (Some(total), Some(sum)) = (sizes[dim].known(), sum), sum != total,
        "split_with_sizes expects split_sizes to sum exactly to {total} (input tensor's size at dimension {dim}), but got split_sizes={}",
        show(&lengths));
    Ok(pieces(sizes, dim, lengths))
}

/// (self, chunks, dim).
pub fn chunk_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::UnknownList);
    refuse!(if sizes.is_empty(), "chunk expects at least a 1-dimensional tensor");
    let chunks = known_or!(args.int(1), Views::UnknownList);
    refuse!(if chunks <= 0, "chunk expects `chunks` to be greater than 0, got: {chunks}");
    let dim = wrap_dim(known_or!(args.int(2), Views::UnknownList), sizes.len())?;
    let total = known_or!(sizes[dim].known(), Views::UnknownList);
    if total == 0 {
        // All chunks are empty, and there are as many as asked for.
        return if chunks > MAX_PIECES {
            Err(ShapeError::runtime(format!("{chunks} pieces are too many")))
        } else {
            Ok(pieces(sizes, dim, (0..chunks).map(|_| Size::Known(0))))
        };
    }
    equal_pieces(sizes, dim, total, total.div_ceil_by(chunks))
}

/// (self, sections or indices, dim).
pub fn tensor_split_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::UnknownList);
    refuse!(if sizes.is_empty(), "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
    let dim = wrap_dim(known_or!(args.int(2), Views::UnknownList), sizes.len())?;
    if let Meta::List(_) = args.meta(1) {
        let indices = known_or!(args.ints(1), Views::UnknownList);
        let total = known_or!(sizes[dim].known(), Views::UnknownList);
        let mut views = Vec::new();
        let mut start = 0;
        for end in indices.iter().copied().chain([i64::MAX]) {
            let bound = |v: i64| if v < 0 { v.saturating_add(total).max(0) } else { v.min(total) };
            let from = bound(start);
            views.push(cut(sizes, dim, Size::Known(from), Size::Known((bound(end) - from).max(0)), 1));
            start = end;
        }
        return Ok(Views::List(views));
    }
    let sections = known_or!(args.int(1), Views::UnknownList);
    refuse!(if sections <= 0, "number of sections must be larger than 0, got {sections}");
    let total = known_or!(sizes[dim].known(), Views::UnknownList);
    refuse!(if sections > MAX_PIECES, "{sections} pieces are too many");
    let (each, longer) = (total / sections, total % sections);
    Ok(pieces(sizes, dim, (0..sections).map(|i| Size::Known(each + i64::from(i < longer)))))
}

/// (self, dim).
pub fn unbind_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::UnknownList);
    let dim = existing_dimension(known_or!(args.int(1), Views::UnknownList), sizes.len())?;
    let total = known_or!(sizes[dim].known(), Views::UnknownList);
    refuse!(if total > MAX_PIECES, "{total} pieces are too many");
    let axes: Vec<Axis> = (0..sizes.len()).filter(|d| *d != dim).map(|d| axis(d, sizes[d])).collect();
    let views = (0..total).map(|i| View::Axes { axes: axes.clone(), start: smallvec![(dim, Size::Known(i))] });
    Ok(Views::List(views.collect()))
}

fn split_along(args: &[Meta], name: &str, least: usize, dim: impl Fn(usize) -> i64) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::UnknownList);
    refuse!(if sizes.len() < least,
        "torch.{name} requires a tensor with at least {least} dimension, but got a tensor with {} dimensions!",
        sizes.len());
    let dim = dim(sizes.len());
    if let (Some(sections), Size::Known(n), Meta::Int(_)) = (args.int(1), sizes[dim as usize], args.meta(1))
        && sections > 0
        && n % sections != 0
    {
        return Err(ShapeError::runtime(format!(
            "torch.{name} attempted to split along dimension {dim}, but the size of the dimension {n} is not divisible by the split_size {sections}!"
        )));
    }
    tensor_split_view(&[args[0].clone(), args.meta(1).clone(), Meta::Int(Size::Known(dim))])
}

/// (self, sections or indices): along the second dimension, of a vector along its only one.
pub fn hsplit_view(args: &[Meta]) -> Result<Views, ShapeError> {
    split_along(args, "hsplit", 1, |rank| i64::from(rank > 1))
}
/// (self, sections or indices): along the first dimension.
pub fn vsplit_view(args: &[Meta]) -> Result<Views, ShapeError> {
    split_along(args, "vsplit", 2, |_| 0)
}
/// (self, sections or indices): along the third dimension.
pub fn dsplit_view(args: &[Meta]) -> Result<Views, ShapeError> {
    split_along(args, "dsplit", 3, |_| 2)
}
