//! Where the elements of views lie: of legal arguments what PyTorch's views give, and nothing of others, whose errors are for others to tell.

use crate::metadata::{Sizes, Strided};
use crate::{Tensor, view_strides};
use smallvec::smallvec;

/// Tensors that [`Strided::pieces`] and [`Strided::unbound`] give at most.
const MAX_PIECES: i64 = 1024;

/// The dimension that is meant, if it exists; negative ones count from the end.
fn dimension(rank: usize, dim: i64) -> Option<usize> {
    let rank = rank as i64;
    let dim = if dim < 0 { dim.checked_add(rank)? } else { dim };
    (0..rank).contains(&dim).then_some(dim as usize)
}

impl Strided {
    /// As a tensor lies now.
    fn of(t: &Tensor) -> Strided {
        Strided { sizes: t.sizes().into(), strides: t.strides().into(), offset: t.storage_offset() }
    }

    /// Other sizes for the same elements in the same order (`view`, `reshape`); one of them may be -1. Where they cannot be had without a copy, and of a tensor
    /// without elements: none.
    pub fn reshaped(t: &Tensor, mut sizes: Sizes) -> Option<Strided> {
        let total = i64::try_from(t.numel()).ok().filter(|n| *n > 0)?;
        let known = sizes.iter().filter(|s| **s != -1).try_fold(1i64, |n, s| (*s > 0).then(|| n.checked_mul(*s))?)?;
        // One size may be asked for.
        match sizes.iter().position(|s| *s == -1) {
            Some(at) if total % known == 0 => sizes[at] = total / known,
            None if total == known => {}
            _ => return None,
        }
        if sizes.contains(&-1) {
            return None;
        }
        let strides = view_strides(t.sizes(), t.strides(), &sizes)?;
        Some(Strided { sizes, strides, offset: t.storage_offset() })
    }

    /// Dimensions from `start` to `end` as one (`flatten`); of a single one none.
    pub fn flattened(t: &Tensor, start: i64, end: i64) -> Option<Strided> {
        let (start, end) = (dimension(t.dim(), start)?, dimension(t.dim(), end)?);
        if start >= end {
            return None;
        }
        let mut sizes: Sizes = t.sizes()[..start].into();
        sizes.push(t.sizes()[start..=end].iter().try_fold(1i64, |n, s| n.checked_mul(*s))?);
        sizes.extend_from_slice(&t.sizes()[end + 1..]);
        let strides = view_strides(t.sizes(), t.strides(), &sizes)?;
        Some(Strided { sizes, strides, offset: t.storage_offset() })
    }

    /// `length` elements of a dimension from `start`, every `step`-th.
    fn cut(t: &Tensor, dim: usize, start: i64, length: i64, step: i64) -> Option<Strided> {
        let mut cut = Strided::of(t);
        cut.offset = start.checked_mul(cut.strides[dim])?.checked_add(cut.offset)?;
        cut.sizes[dim] = length;
        cut.strides[dim] = cut.strides[dim].checked_mul(step)?;
        Some(cut)
    }

    /// `length` elements of a dimension from `start` (`narrow`), which is not negative.
    pub fn narrowed(t: &Tensor, dim: i64, start: i64, length: i64) -> Option<Strided> {
        let dim = dimension(t.dim(), dim)?;
        let size = t.sizes()[dim];
        let fits = start >= 0 && length >= 0 && length <= size && start <= size - length;
        fits.then(|| Strided::cut(t, dim, start, length, 1))?
    }

    /// `[start:end:step]` of a dimension.
    pub fn sliced(t: &Tensor, dim: i64, start: Option<i64>, end: Option<i64>, step: i64) -> Option<Strided> {
        let dim = dimension(t.dim(), dim)?;
        let size = t.sizes()[dim];
        let bound = |n: i64| if n < 0 { n.saturating_add(size).max(0) } else { n.min(size) };
        let start = start.map_or(0, bound);
        let length = end.map_or(size, bound).max(start) - start;
        let rounded_up = length.checked_add(step)? - 1;
        (step > 0).then(|| Strided::cut(t, dim, start, rounded_up / step, step))?
    }

    fn one_of(t: &Tensor, dim: usize, index: i64) -> Option<Strided> {
        let mut one = Strided::of(t);
        one.offset = index.checked_mul(one.strides[dim])?.checked_add(one.offset)?;
        one.sizes.remove(dim);
        one.strides.remove(dim);
        Some(one)
    }

    /// The elements at an index of a dimension, which is left out (`select`).
    pub fn selected(t: &Tensor, dim: i64, index: i64) -> Option<Strided> {
        let dim = dimension(t.dim(), dim)?;
        let size = t.sizes()[dim];
        let index = if index < 0 { index.checked_add(size)? } else { index };
        (0..size).contains(&index).then(|| Strided::one_of(t, dim, index))?
    }

    /// Two dimensions in each other's place (`transpose`).
    pub fn transposed(t: &Tensor, a: i64, b: i64) -> Option<Strided> {
        let (a, b) = (dimension(t.dim(), a)?, dimension(t.dim(), b)?);
        let mut turned = Strided::of(t);
        turned.sizes.swap(a, b);
        turned.strides.swap(a, b);
        Some(turned)
    }

    /// The dimensions in another order (`permute`).
    pub fn permuted(t: &Tensor, dims: &[i64]) -> Option<Strided> {
        if dims.len() != t.dim() || t.dim() > 64 {
            return None;
        }
        let (mut sizes, mut strides, mut seen) = (Sizes::new(), Sizes::new(), 0u64);
        for d in dims {
            let d = dimension(t.dim(), *d)?;
            if seen >> d & 1 == 1 {
                return None;
            }
            seen |= 1 << d;
            sizes.push(t.sizes()[d]);
            strides.push(t.strides()[d]);
        }
        Some(Strided { sizes, strides, offset: t.storage_offset() })
    }

    /// A new dimension of size 1 (`unsqueeze`).
    pub fn unsqueezed(t: &Tensor, dim: i64) -> Option<Strided> {
        let dim = dimension(t.dim() + 1, dim)?;
        let mut more = Strided::of(t);
        let stride = if dim < t.dim() { more.strides[dim].saturating_mul(more.sizes[dim]) } else { 1 };
        more.sizes.insert(dim, 1);
        more.strides.insert(dim, stride);
        Some(more)
    }

    /// Without dimensions of size 1 (`squeeze`), or without one dimension if it has that size.
    pub fn squeezed(t: &Tensor, dim: Option<i64>) -> Option<Strided> {
        let only = match dim {
            Some(dim) => Some(dimension(t.dim(), dim)?),
            None => None,
        };
        let goes = |d: usize| t.sizes()[d] == 1 && only.is_none_or(|only| only == d);
        let (mut sizes, mut strides) = (Sizes::new(), Sizes::new());
        for d in (0..t.dim()).filter(|d| !goes(*d)) {
            sizes.push(t.sizes()[d]);
            strides.push(t.strides()[d]);
        }
        Some(Strided { sizes, strides, offset: t.storage_offset() })
    }

    /// Dimensions of size 1, and new ones in front, repeated (`expand`); -1 leaves a size as it is.
    pub fn expanded(t: &Tensor, mut sizes: Sizes) -> Option<Strided> {
        let skip = sizes.len().checked_sub(t.dim())?;
        let mut strides: Sizes = smallvec![0; sizes.len()];
        for d in (0..sizes.len()).rev() {
            match d.checked_sub(skip).map(|i| (t.sizes()[i], t.strides()[i])) {
                Some((have, stride)) if sizes[d] == -1 || sizes[d] == have => (sizes[d], strides[d]) = (have, stride),
                // A new dimension of size 1 lies as a row-major tensor's would.
                None if sizes[d] == 1 && d + 1 < sizes.len() => {
                    strides[d] = strides[d + 1].saturating_mul(sizes[d + 1]);
                }
                Some((1, _)) | None if sizes[d] >= 0 => {}
                _ => return None,
            }
        }
        Some(Strided { sizes, strides, offset: t.storage_offset() })
    }

    /// Pieces of one length of a dimension, the last perhaps shorter (`split`). None where they are many.
    pub fn pieces(t: &Tensor, dim: i64, each: i64) -> Option<impl Iterator<Item = Option<Strided>>> {
        let dim = dimension(t.dim(), dim)?;
        let size = t.sizes()[dim];
        if each < 1 || size < 1 || size / each > MAX_PIECES {
            return None;
        }
        let starts = (0..size).step_by(usize::try_from(each).ok()?);
        Some(starts.map(move |start| Strided::cut(t, dim, start, each.min(size - start), 1)))
    }

    /// So many pieces of a dimension, perhaps fewer (`chunk`).
    pub fn chunks(t: &Tensor, dim: i64, count: i64) -> Option<impl Iterator<Item = Option<Strided>>> {
        let size = t.sizes()[dimension(t.dim(), dim)?];
        (count > 0).then(|| Strided::pieces(t, dim, size / count + i64::from(size % count != 0)))?
    }

    /// The elements at each index of a dimension (`unbind`). None where they are many.
    pub fn unbound(t: &Tensor, dim: i64) -> Option<impl Iterator<Item = Option<Strided>>> {
        let dim = dimension(t.dim(), dim)?;
        let size = t.sizes()[dim];
        (size <= MAX_PIECES).then(|| (0..size).map(move |i| Strided::one_of(t, dim, i)))
    }
}
