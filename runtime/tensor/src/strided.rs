//! Arithmetic of sizes and strides: element counts that cannot overflow unnoticed, broadcasting, and the walk over a strided view.

use crate::Error;
use crate::metadata::Sizes;
use sconce_schema::geometry;
use smallvec::smallvec;

/// Number of elements; `None` on overflow or a negative size.
#[inline]
pub fn numel(sizes: &[i64]) -> Option<usize> {
    let mut n = 1i64;
    for &s in sizes {
        if s < 1 {
            return numel_of_none(sizes);
        }
        match n.checked_mul(s) {
            Some(product) => n = product,
            None => return numel_of_none(sizes),
        }
    }
    Some(n as usize)
}

/// The number of elements where it is 0 or none: a size of 0 makes any product 0.
#[cold]
fn numel_of_none(sizes: &[i64]) -> Option<usize> {
    if sizes.iter().any(|&s| s < 0) || !sizes.contains(&0) {
        return None;
    }
    Some(0)
}

/// Row-major strides, as PyTorch computes them: a size of 0 counts as 1.
pub fn contiguous_strides(sizes: &[i64]) -> Sizes {
    let mut strides: Sizes = smallvec![1; sizes.len()];
    let mut step = 1i64;
    for d in (0..sizes.len()).rev() {
        strides[d] = step;
        step = step.saturating_mul(sizes[d].max(1));
    }
    strides
}

/// Strides under which the same elements have other sizes, if there are any. Where there are no elements, any sizes will do.
pub fn view_strides(old: &[i64], old_strides: &[i64], new: &[i64]) -> Option<Sizes> {
    if numel(old) == Some(0) {
        return Some(if old == new { old_strides.into() } else { contiguous_strides(new) });
    }
    geometry::view_strides(old, old_strides, new)
}

/// The common size of two shapes, as `at::infer_size`.
pub fn broadcast_sizes(a: &[i64], b: &[i64]) -> Result<Sizes, Error> {
    let rank = a.len().max(b.len());
    let mut out: Sizes = smallvec![1; rank];
    for d in 0..rank {
        let size = |s: &[i64]| (d + s.len()).checked_sub(rank).map_or(1, |i| s[i]);
        let (x, y) = (size(a), size(b));
        out[d] = match (x, y) {
            _ if x == y => x,
            (1, _) => y,
            (_, 1) => x,
            _ => return Err(Error::Broadcast { a: x, b: y, dim: d }),
        };
    }
    Ok(out)
}

/// Element offsets of a strided view in row-major order.
pub struct Offsets {
    sizes: Sizes,
    strides: Sizes,
    index: Sizes,
    offset: i64,
    left: usize,
}

impl Offsets {
    /// `offset`, `strides` in elements. The element count must not overflow (it never does for a tensor that exists).
    pub fn new(sizes: &[i64], strides: &[i64], offset: i64) -> Offsets {
        Offsets {
            left: numel(sizes).unwrap_or(0),
            index: smallvec![0; sizes.len()],
            sizes: sizes.into(),
            strides: strides.into(),
            offset,
        }
    }
}

impl Iterator for Offsets {
    type Item = i64;

    #[inline]
    fn next(&mut self) -> Option<i64> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let here = self.offset;
        for d in (0..self.sizes.len()).rev() {
            self.index[d] += 1;
            self.offset += self.strides[d];
            if self.index[d] < self.sizes[d] {
                break;
            }
            self.offset -= self.strides[d] * self.sizes[d];
            self.index[d] = 0;
        }
        Some(here)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Offsets {}
