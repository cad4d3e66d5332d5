//! The walk over the elements of several broadcast tensors at once, and where its result lies: dimensions in the order of the operands' strides,
//! as PyTorch's TensorIterator orders them, merged where they can be.

use crate::Error;
use sconce_tensor::{DType, Sizes, Tensor, contiguous_strides};
use smallvec::SmallVec;
use std::ops::Range;

/// Strides of a result over broadcast operands: dense, in the order in which the operands lie.
pub fn result_strides(sizes: &[i64], operands: &[&Tensor]) -> Sizes {
    let rank = sizes.len();
    // A tensor without dimensions has no say.
    if rank <= 1 || operands.is_empty() {
        return contiguous_strides(sizes);
    }
    if operands.iter().all(|t| t.sizes() == sizes) {
        if operands.iter().all(|t| t.is_contiguous()) {
            return contiguous_strides(sizes);
        }
        if operands.iter().all(|t| is_channels_last(t)) {
            return channels_last_strides(sizes);
        }
        if operands.iter().all(|t| is_dense(t) && t.strides() == operands[0].strides()) {
            return operands[0].strides().into();
        }
    }
    dense_in_order(sizes, operands)
}

/// The same where a number is an operand as well: it has other sizes than the tensors, so that what lies dense is sorted all the same.
pub fn result_strides_with_number(sizes: &[i64], operands: &[&Tensor]) -> Sizes {
    // Only dimensions of size 1 are sorted otherwise.
    if sizes.len() > 1 && sizes.contains(&1) && !operands.is_empty() {
        return dense_in_order(sizes, operands);
    }
    result_strides(sizes, operands)
}

/// Strides of a copy that keeps the layout: the tensor's own where it is dense.
pub fn like_strides(t: &Tensor) -> Sizes {
    if is_dense(t) { t.strides().into() } else { dense_in_order(t.sizes(), &[t]) }
}

fn dense_in_order(sizes: &[i64], operands: &[&Tensor]) -> Sizes {
    ordered_strides(sizes, &operands.iter().map(|t| broadcast_strides(t, sizes)).collect::<SmallVec<[Sizes; 4]>>())
}

/// Dense strides in the order of the operands', each 0 where an operand repeats.
pub fn ordered_strides(sizes: &[i64], strides: &[Sizes]) -> Sizes {
    let order = order(sizes, strides);
    if order.iter().rev().copied().eq(0..sizes.len()) {
        return contiguous_strides(sizes);
    }
    let mut out: Sizes = SmallVec::from_elem(1, sizes.len());
    let mut step = 1i64;
    for d in order {
        out[d] = step;
        step = step.saturating_mul(sizes[d]);
    }
    out
}

/// Strides with the channels innermost.
pub fn channels_last_strides(sizes: &[i64]) -> Sizes {
    let mut strides: Sizes = SmallVec::from_elem(1, sizes.len());
    let mut step = sizes[1];
    for d in (2..sizes.len()).rev() {
        strides[d] = step;
        step = step.saturating_mul(sizes[d]);
    }
    strides[0] = step;
    strides
}

/// Four dimensions that lie with the second one innermost; where they have size 1 strides say nothing.
fn is_channels_last(t: &Tensor) -> bool {
    t.dim() == 4
        && !t.sizes().contains(&0)
        && channels_last_strides(t.sizes()).iter().zip(t.strides()).zip(t.sizes()).all(|((a, b), n)| *n == 1 || a == b)
}

/// Dimensions, fastest first. A pair stays in row-major order unless an operand's strides say otherwise.
fn order(sizes: &[i64], strides: &[Sizes]) -> SmallVec<[usize; 6]> {
    use std::cmp::Ordering::*;
    let mut perm: SmallVec<[usize; 6]> = (0..sizes.len()).rev().collect();
    let compare = |a: usize, b: usize| {
        for s in strides {
            if s[a] == 0 || s[b] == 0 {
                continue;
            }
            match s[a].cmp(&s[b]) {
                Equal if sizes[a] > sizes[b] => return Greater,
                Equal => {}
                other => return other,
            }
        }
        Equal
    };
    for i in 1..perm.len() {
        let mut at = i;
        for j in (0..i).rev() {
            match compare(perm[j], perm[at]) {
                Greater => {
                    perm.swap(j, at);
                    at = j;
                }
                Less => break,
                Equal => {}
            }
        }
    }
    perm
}

/// Every element of the storage range is one element of the tensor: no gaps, no repetitions.
pub fn is_dense(t: &Tensor) -> bool {
    if t.numel() == 0 { t.is_contiguous() } else { lies_dense(t.sizes(), t.strides()) }
}

/// Some permutation of the dimensions, none of which has size 0, is row-major without gaps.
pub fn lies_dense(sizes: &[i64], strides: &[i64]) -> bool {
    let mut dims: SmallVec<[(i64, i64); 6]> =
        strides.iter().copied().zip(sizes.iter().copied()).filter(|&(_, n)| n != 1).collect();
    dims.sort_unstable();
    let mut step = 1i64;
    dims.into_iter().all(|(stride, n)| {
        let fits = stride == step;
        step = step.saturating_mul(n);
        fits
    })
}

/// An index and another mean the same element.
pub fn repeats(t: &Tensor) -> bool {
    t.sizes().iter().zip(t.strides()).any(|(&n, &s)| n > 1 && s == 0)
}

/// Whether a tensor's elements plainly lie apart from each other, so that they can be written one after the other.
pub fn is_apart(t: &Tensor) -> bool {
    t.is_contiguous() || is_dense(t)
}

/// How the elements of a tensor that is written lie to those of one that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlap {
    None,
    /// Element by element the same.
    Same,
    Some,
}

/// See [`Overlap`]. Where it is hard to tell, they overlap.
pub fn overlap(written: &Tensor, read: &Tensor) -> Overlap {
    if !written.shares_storage(read) {
        return Overlap::None;
    }
    let alike = written.is(read)
        || (written.dtype() == read.dtype()
            && written.storage_offset() == read.storage_offset()
            && written.has_sizes(read.sizes())
            && written.strides() == read.strides());
    if alike {
        return Overlap::Same;
    }
    let range = |t: &Tensor| {
        let last: i64 = t.sizes().iter().zip(t.strides()).map(|(n, s)| (n - 1) * s).sum();
        let first = t.bytes_ptr() as usize;
        (first, first + (last as usize + 1) * t.dtype().size())
    };
    if written.numel() == 0 || read.numel() == 0 {
        return Overlap::None;
    }
    let (a, b) = (range(written), range(read));
    if a.1 <= b.0 || b.1 <= a.0 { Overlap::None } else { Overlap::Some }
}

/// A tensor's strides over broadcast sizes: 0 where it repeats.
pub fn broadcast_strides(t: &Tensor, sizes: &[i64]) -> Sizes {
    let skip = sizes.len() - t.dim();
    (0..sizes.len())
        .map(|d| match d.checked_sub(skip) {
            Some(i) if t.sizes()[i] != 1 || sizes[d] == 1 => t.strides()[i],
            _ => 0,
        })
        .collect()
}

/// A fresh tensor with these strides, which are a permutation of contiguous ones. Its elements are zero.
pub fn empty_strided(sizes: &[i64], strides: &[i64], dtype: DType) -> Result<Tensor, Error> {
    let t = Tensor::zeros(sizes, dtype)?;
    if t.strides() == strides { Ok(t) } else { Ok(t.as_strided(sizes, strides, 0)?) }
}

/// The same with any content, for who writes every element.
pub fn uninit_strided(sizes: &[i64], strides: &[i64], dtype: DType) -> Result<Tensor, Error> {
    // SAFETY: the caller writes every element.
    let t = unsafe { Tensor::uninit(sizes, dtype) }?;
    if t.strides() == strides { Ok(t) } else { Ok(t.as_strided(sizes, strides, 0)?) }
}

/// A fresh tensor that lies as `t` does where `t` is dense, else in the order of its strides.
pub fn empty_like(t: &Tensor, dtype: DType) -> Result<Tensor, Error> {
    empty_strided(t.sizes(), &like_strides(t), dtype)
}

/// A nest of loops over several operands. Operand 0 decides the order of the walk.
pub struct Walk {
    /// Outermost first; empty when a size is 0.
    sizes: Sizes,
    /// Per operand, in elements.
    strides: SmallVec<[Sizes; 4]>,
    empty: bool,
}

impl Walk {
    /// Operands must be broadcastable to `sizes`.
    pub fn new(sizes: &[i64], operands: &[&Tensor]) -> Walk {
        Walk::over(sizes, &operands.iter().map(|t| broadcast_strides(t, sizes)).collect::<SmallVec<[Sizes; 4]>>())
    }

    /// The same over operands that are known by their strides. Every loop counts upwards, whatever the order.
    pub fn over(sizes: &[i64], strides: &[Sizes]) -> Walk {
        let mut perm = order(sizes, strides);
        perm.retain(|&mut d| sizes[d] != 1);
        let mut walk = Walk {
            sizes: SmallVec::new(),
            strides: strides.iter().map(|_| SmallVec::new()).collect(),
            empty: sizes.contains(&0),
        };
        // Fastest first while merging, then reversed.
        for d in perm {
            let merges = walk.sizes.last().is_some_and(|&n| {
                walk.strides.iter().zip(strides).all(|(have, s)| have.last().is_some_and(|&h| h * n == s[d]))
            });
            match walk.sizes.last_mut() {
                Some(n) if merges => *n *= sizes[d],
                _ => {
                    walk.sizes.push(sizes[d]);
                    for (have, s) in walk.strides.iter_mut().zip(strides) {
                        have.push(s[d]);
                    }
                }
            }
        }
        walk.sizes.reverse();
        walk.strides.iter_mut().for_each(|s| s.reverse());
        walk
    }

    /// Loops that are left after merging; none at all when there is one element. Not to be asked of an empty walk.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// How often loop `d` runs, the outermost first.
    pub fn size(&self, d: usize) -> usize {
        self.sizes[d] as usize
    }

    /// An operand's stride along loop `d`, in elements.
    pub fn stride(&self, operand: usize, d: usize) -> isize {
        self.strides[operand][d] as isize
    }

    /// A part of loop `d`, and how far each operand's first element of it lies from the walk's.
    pub fn part(&self, d: usize, range: Range<usize>) -> (Walk, SmallVec<[isize; 4]>) {
        let first = (0..self.strides.len()).map(|k| range.start as isize * self.stride(k, d)).collect();
        let mut sizes = self.sizes.clone();
        sizes[d] = range.len() as i64;
        (Walk { sizes, strides: self.strides.clone(), empty: self.empty }, first)
    }

    /// The innermost stride of an operand.
    pub fn inner_stride(&self, operand: usize) -> isize {
        self.strides[operand].last().copied().unwrap_or(1) as isize
    }

    /// Calls `f(offsets, n)` for every innermost run: the offset of each operand from its own first element, and the run's length.
    pub fn for_each_run<E>(&self, mut f: impl FnMut(&[isize], usize) -> Result<(), E>) -> Result<(), E> {
        if self.empty {
            return Ok(());
        }
        let mut offsets: SmallVec<[isize; 4]> = SmallVec::from_elem(0, self.strides.len());
        let Some((&inner, outer)) = self.sizes.split_last() else {
            return f(&offsets, 1);
        };
        let mut index: Sizes = SmallVec::from_elem(0, outer.len());
        loop {
            f(&offsets, inner as usize)?;
            let mut d = outer.len();
            loop {
                if d == 0 {
                    return Ok(());
                }
                d -= 1;
                index[d] += 1;
                for (o, s) in offsets.iter_mut().zip(&self.strides) {
                    *o += s[d] as isize;
                }
                if index[d] < outer[d] {
                    break;
                }
                for (o, s) in offsets.iter_mut().zip(&self.strides) {
                    *o -= (s[d] * outer[d]) as isize;
                }
                index[d] = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(sizes: &[i64], operands: &[&Tensor]) -> (usize, usize) {
        let (mut count, mut elements) = (0, 0);
        Walk::new(sizes, operands)
            .for_each_run(|_, n| {
                count += 1;
                elements += n;
                Ok::<(), ()>(())
            })
            .unwrap();
        (count, elements)
    }

    #[test]
    fn contiguous_operands_are_one_run() {
        let t = Tensor::zeros(&[2, 3, 4], DType::F32).unwrap();
        assert_eq!(runs(&[2, 3, 4], &[&t, &t]), (1, 24));
        let row = Tensor::zeros(&[4], DType::F32).unwrap();
        assert_eq!(runs(&[2, 3, 4], &[&t, &row]), (6, 24));
        let transposed = t.as_strided(&[4, 3, 2], &[1, 4, 12], 0).unwrap();
        assert_eq!(runs(&[4, 3, 2], &[&transposed, &transposed]), (1, 24));
        assert_eq!(runs(&[], &[&Tensor::scalar(1f32)]), (1, 1));
        assert_eq!(runs(&[0, 3], &[&Tensor::zeros(&[0, 3], DType::F32).unwrap()]), (0, 0));
    }

    #[test]
    fn results_lie_as_their_operands_do() {
        let t = Tensor::zeros(&[2, 3, 4], DType::F32).unwrap();
        let transposed = t.as_strided(&[4, 3, 2], &[1, 4, 12], 0).unwrap();
        assert_eq!(result_strides(&[4, 3, 2], &[&transposed]).as_slice(), [1, 4, 12]);
        let row = Tensor::zeros(&[2], DType::F32).unwrap();
        assert_eq!(result_strides(&[4, 3, 2], &[&transposed, &row]).as_slice(), [1, 4, 12]);
        assert_eq!(result_strides(&[4, 3, 2], &[&row]).as_slice(), [6, 2, 1]);
    }
}
