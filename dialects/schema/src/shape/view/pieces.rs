//! Views that come in lists: splits, chunks, and the slices of one dimension.

use super::{View, axis, cut};
use crate::shape::args::*;

type Pieces = Result<Option<Vec<View>>, ShapeError>;

/// Pieces of the lengths given, one after the other.
fn pieces(sizes: &[Size], dim: usize, lengths: impl IntoIterator<Item = Size>) -> Vec<View> {
    let mut start = Size::Known(0);
    let piece = |length| {
        let view = cut(sizes, dim, start, length, 1);
        start = start.plus(length);
        view
    };
    lengths.into_iter().map(piece).collect()
}

/// No more pieces than this: `x.split(1)` of a vast expanded tensor is an error, not an allocation.
fn few(count: i64) -> Result<(), ShapeError> {
    refuse!(if count > 1 << 22, "{count} pieces are too many");
    Ok(())
}

fn equal_pieces(sizes: &[Size], dim: usize, total: i64, each: i64) -> Pieces {
    let count = if each == 0 { 1 } else { rounded_up(total, each).max(1) };
    few(count)?;
    Ok(Some(pieces(sizes, dim, (0..count).map(|i| Size::Known((total - i * each).min(each))))))
}

/// The quotient, rounded up, of counts that are not negative.
fn rounded_up(n: i64, by: i64) -> i64 {
    n / by + i64::from(n % by != 0)
}

/// What is split has a dimension.
fn splits(sizes: &[Size], what: &str) -> Result<(), ShapeError> {
    refuse!(if sizes.is_empty(), "{what} at least a 1-dimensional tensor");
    Ok(())
}

pub fn split_view(sizes: Sizes, by: Meta, dim: Int) -> Pieces {
    // `split.sizes` and `split(int[])` share the name.
    if let Meta::List(_) = by {
        return split_with_sizes_view(sizes, by.list(), dim);
    }
    splits(&sizes, "split expects")?;
    let Some(each) = by.int() else { return Ok(None) };
    refuse!(if each < 0, "split expects split_size be non-negative, but got split_size={each}");
    let Some(dim) = dim else { return Ok(None) };
    let dim = wrap_dim(dim, sizes.len())?;
    let Size::Known(total) = sizes[dim] else { return Ok(None) };
    refuse!(if each == 0 && total != 0,
        "split_size can only be 0 if dimension size is 0, but got dimension size of {total}");
    equal_pieces(&sizes, dim, total, each)
}

pub fn split_with_sizes_view(sizes: Sizes, lengths: List, dim: Int) -> Pieces {
    splits(&sizes, "split expects")?;
    let (Some(lengths), Some(dim)) = (lengths, dim) else { return Ok(None) };
    let dim = wrap_dim(dim, sizes.len())?;
    refuse!(if lengths.iter().any(|l| l.known().is_some_and(|l| l < 0)),
        "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={}", show(&lengths));
    let sum = lengths.iter().try_fold(0i64, |n, l| n.checked_add(l.known()?));
    refuse!(if let (Some(total), Some(sum)) = (sizes[dim].known(), sum), sum != total,
        "split_with_sizes expects split_sizes to sum exactly to {total} (input tensor's size at dimension {dim}), but got split_sizes={}",
        show(&lengths));
    Ok(Some(pieces(&sizes, dim, lengths)))
}

pub fn chunk_view(sizes: Sizes, chunks: Int, dim: Int) -> Pieces {
    splits(&sizes, "chunk expects")?;
    let Some(chunks) = chunks else { return Ok(None) };
    refuse!(if chunks <= 0, "chunk expects `chunks` to be greater than 0, got: {chunks}");
    let Some(dim) = dim else { return Ok(None) };
    let dim = wrap_dim(dim, sizes.len())?;
    let Size::Known(total) = sizes[dim] else { return Ok(None) };
    if total == 0 {
        // All chunks are empty, and there are as many as asked for.
        few(chunks)?;
        return Ok(Some(pieces(&sizes, dim, (0..chunks).map(|_| Size::Known(0)))));
    }
    equal_pieces(&sizes, dim, total, rounded_up(total, chunks))
}

/// By a number of sections, or by indices.
pub fn tensor_split_view(sizes: Sizes, by: Meta, dim: Int) -> Pieces {
    refuse!(if sizes.is_empty(), "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
    let Some(dim) = dim else { return Ok(None) };
    let dim = wrap_dim(dim, sizes.len())?;
    if let Meta::List(_) = by {
        let (Some(indices), Size::Known(total)) = (by.ints(), sizes[dim]) else { return Ok(None) };
        let bound = |v: i64| if v < 0 { v.saturating_add(total).max(0) } else { v.min(total) };
        let ends = indices.iter().copied().chain([i64::MAX]);
        let piece = |(start, end): (i64, i64)| {
            let from = bound(start);
            cut(&sizes, dim, Size::Known(from), Size::Known((bound(end) - from).max(0)), 1)
        };
        return Ok(Some([0].into_iter().chain(indices.iter().copied()).zip(ends).map(piece).collect()));
    }
    let Some(sections) = by.int() else { return Ok(None) };
    refuse!(if sections <= 0, "number of sections must be larger than 0, got {sections}");
    let Size::Known(total) = sizes[dim] else { return Ok(None) };
    few(sections)?;
    let (each, longer) = (total / sections, total % sections);
    Ok(Some(pieces(&sizes, dim, (0..sections).map(|i| Size::Known(each + i64::from(i < longer))))))
}

pub fn unbind_view(sizes: Sizes, dim: i64) -> Pieces {
    let dim = existing_dimension(dim, sizes.len())?;
    let Size::Known(total) = sizes[dim] else { return Ok(None) };
    few(total)?;
    let axes: Vec<_> = (0..sizes.len()).filter(|d| *d != dim).map(|d| axis(d, sizes[d])).collect();
    let view = |i| View::Axes { axes: axes.clone(), start: smallvec![(dim, Size::Known(i))] };
    Ok(Some((0..total).map(view).collect()))
}

fn split_along(sizes: Sizes, by: Meta, name: &str, least: usize, dim: usize) -> Pieces {
    refuse!(if sizes.len() < least,
        "torch.{name} requires a tensor with at least {least} dimension, but got a tensor with {} dimensions!",
        sizes.len());
    refuse!(if let (Meta::Int(Size::Known(sections)), Size::Known(n)) = (&by, sizes[dim]), *sections > 0 && n % sections != 0,
        "torch.{name} attempted to split along dimension {dim}, but the size of the dimension {n} is not divisible by the split_size {sections}!");
    tensor_split_view(sizes, by, Some(dim as i64))
}

/// Along the second dimension, of a vector along its only one.
pub fn hsplit_view(sizes: Sizes, by: Meta) -> Pieces {
    let second = usize::from(sizes.len() > 1);
    split_along(sizes, by, "hsplit", 1, second)
}
pub fn vsplit_view(sizes: Sizes, by: Meta) -> Pieces {
    split_along(sizes, by, "vsplit", 2, 0)
}
pub fn dsplit_view(sizes: Sizes, by: Meta) -> Pieces {
    split_along(sizes, by, "dsplit", 3, 2)
}
