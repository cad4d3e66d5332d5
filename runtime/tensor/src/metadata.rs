//! What a tensor is lies inside its storage, and what was seen of it by reference stays as it was seen while the tensor lives, whatever it becomes.

use crate::strided::numel;
use crate::{DType, Error, Memory, Quantizer, Storage};
use smallvec::SmallVec;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Sizes or strides, one a dimension; up to six take no memory of their own.
pub type Sizes = SmallVec<[i64; 6]>;

/// What a tensor is, apart from its identity. Sizes are not negative, and every element lies in the storage: [`Tensor::new`](crate::Tensor::new) and
/// [`Tensor::set_metadata`](crate::Tensor::set_metadata) check.
#[derive(Clone)]
pub struct TensorMetadata {
    /// Where the elements are.
    pub storage: Storage,
    /// What an element is.
    pub dtype: DType,
    /// In elements; never negative.
    pub sizes: Sizes,
    /// In elements; may be 0 (expanded), never negative.
    pub strides: Sizes,
    /// In elements.
    pub offset: i64,
    /// What the integers of a quantized dtype stand for. A tensor of one may be without, as PyTorch's `empty` gives; then nothing can be computed from it.
    pub quantizer: Option<Arc<Quantizer>>,
}

/// Where the elements of a view lie in a storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strided {
    /// In elements; never negative.
    pub sizes: Sizes,
    /// In elements; may be 0 (expanded), never negative.
    pub strides: Sizes,
    /// From the storage's start, in elements.
    pub offset: i64,
}

impl Strided {
    /// Whether there are elements and they are plainly inside the storage.
    #[inline]
    pub(crate) fn is_plainly_in(&self, storage: &Storage, dtype: DType) -> bool {
        are_plainly_in(storage, dtype, &self.sizes, &self.strides, self.offset)
    }
}

/// Whether there are elements and they are plainly inside the storage; [`View::check`] says what is wrong where they are not.
#[inline]
fn are_plainly_in(storage: &Storage, dtype: DType, sizes: &[i64], strides: &[i64], offset: i64) -> bool {
    if sizes.len() != strides.len() || offset < 0 {
        return false;
    }
    // The elements may be many where strides are 0, but no more than can be counted.
    let (mut last, mut count) = (offset, 1i64);
    for (&size, &stride) in sizes.iter().zip(strides) {
        if size < 1 || stride < 0 {
            return false;
        }
        let next = (size - 1).checked_mul(stride).and_then(|n| n.checked_add(last));
        let (Some(next), Some(counted)) = (next, count.checked_mul(size)) else { return false };
        (last, count) = (next, counted);
    }
    let bytes = (last as u64).checked_add(1).and_then(|n| n.checked_mul(dtype.size() as u64));
    bytes.is_some_and(|n| n <= storage.bytes() as u64) && is_aligned(storage, dtype)
}

/// Whether elements lie where their type may: each storage that is made here begins on a cache line, a part of one or memory of somebody else's need not.
#[inline]
pub(crate) fn is_aligned(storage: &Storage, dtype: DType) -> bool {
    let start = storage.data_ptr().addr();
    start.is_multiple_of(16) || start.is_multiple_of(dtype.alignment())
}

/// All of it but the storage: what references are given to.
#[derive(Clone, PartialEq)]
pub(crate) struct View {
    pub dtype: DType,
    pub sizes: Sizes,
    pub strides: Sizes,
    pub offset: i64,
    pub quantizer: Option<Arc<Quantizer>>,
}

impl TensorMetadata {
    pub(crate) fn split(self) -> (Storage, View) {
        let TensorMetadata { storage, dtype, sizes, strides, offset, quantizer } = self;
        (storage, View { dtype, sizes, strides, offset, quantizer })
    }
}

impl View {
    /// Whether every element lies in the storage, and where its type may.
    #[inline]
    pub fn check(&self, storage: &Storage) -> Result<(), Error> {
        let plain = are_plainly_in(storage, self.dtype, &self.sizes, &self.strides, self.offset);
        if plain { Ok(()) } else { self.check_closely(storage) }
    }

    #[cold]
    fn check_closely(&self, storage: &Storage) -> Result<(), Error> {
        if let Some(&s) = self.sizes.iter().find(|&&s| s < 0) {
            return Err(Error::NegativeSize(s));
        }
        if !is_aligned(storage, self.dtype) {
            return Err(Error::Unaligned { dtype: self.dtype, alignment: self.dtype.alignment() });
        }
        let out_of_bounds = |needed: u128| Error::OutOfBounds {
            sizes: self.sizes.to_vec(),
            strides: self.strides.to_vec(),
            offset: self.offset,
            needed,
            have: storage.bytes(),
        };
        if self.sizes.len() != self.strides.len() || self.offset < 0 || self.strides.iter().any(|&s| s < 0) {
            return Err(out_of_bounds(0));
        }
        if numel(&self.sizes).is_none() {
            return Err(Error::TooLarge { sizes: self.sizes.to_vec(), bytes_per_element: self.dtype.size() });
        }
        if self.sizes.contains(&0) {
            return Ok(());
        }
        // u128 cannot overflow: at most 2^63 * 2^63 for a dimension, and a rank far below 2^2 of those is refused by the first that exceeds the storage.
        let mut last = self.offset as u128;
        for (&size, &stride) in self.sizes.iter().zip(&self.strides) {
            last = last.saturating_add((size as u128 - 1).saturating_mul(stride as u128));
        }
        let needed = last.saturating_add(1).saturating_mul(self.dtype.size() as u128);
        if needed > storage.bytes() as u128 { Err(out_of_bounds(needed)) } else { Ok(()) }
    }

    pub fn over(&self, storage: Storage) -> TensorMetadata {
        let View { dtype, sizes, strides, offset, quantizer } = self.clone();
        TensorMetadata { storage, dtype, sizes, strides, offset, quantizer }
    }
}

/// So many of the views that a tensor was are looked through before it is given another: who turns it back and forth does not fill memory.
const LOOKED_THROUGH: usize = 8;

/// What a tensor is, and what it was before somebody changed it in place. Nothing of it is freed or written before the tensor is given up, so that references
/// are good for as long as a handle on it. Changing is rare; a tensor that is never changed has one view, which takes no further memory.
pub(crate) struct Views {
    first: View,
    /// In `later`; null while it is the first.
    now: AtomicPtr<View>,
    later: AtomicPtr<Later>,
}

struct Later {
    view: View,
    before: *mut Later,
}

impl Views {
    pub const fn new(first: View) -> Views {
        Views { first, now: AtomicPtr::new(null_mut()), later: AtomicPtr::new(null_mut()) }
    }

    #[inline]
    pub fn now(&self) -> &View {
        let now = self.now.load(Ordering::Acquire);
        // SAFETY: it is in a `Later` that was published before it, which lives as long as `self`, and to which nobody writes.
        unsafe { now.as_ref() }.unwrap_or(&self.first)
    }

    /// Makes it another view; references to those before stay as they are. False, and nothing is changed, where the tensors' memory has no room for it.
    pub fn change(&self, view: View) -> bool {
        if self.first == view {
            self.now.store(null_mut(), Ordering::Release);
            return true;
        }
        let mut at = self.later.load(Ordering::Acquire);
        for _ in 0..LOOKED_THROUGH {
            // SAFETY: every one that was put there lives as long as `self`.
            let Some(known) = (unsafe { at.as_ref() }) else { break };
            if known.view == view {
                self.now.store((&raw const known.view).cast_mut(), Ordering::Release);
                return true;
            }
            at = known.before;
        }
        if !Memory::take(size_of::<Later>()) {
            return false;
        }
        let new = Box::into_raw(Box::new(Later { view, before: null_mut() }));
        let mut newest = self.later.load(Ordering::Acquire);
        loop {
            // SAFETY: nobody else knows it yet.
            unsafe { (*new).before = newest };
            match self.later.compare_exchange_weak(newest, new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break,
                Err(other) => newest = other,
            }
        }
        // SAFETY: it was made above.
        self.now.store(unsafe { &raw mut (*new).view }, Ordering::Release);
        true
    }

    /// The one view of a tensor that nobody else looks at; what it was before is forgotten.
    pub fn only(&mut self) -> &mut View {
        if !self.later.get_mut().is_null() {
            self.first = self.now().clone();
            self.forget();
        }
        &mut self.first
    }

    fn forget(&mut self) {
        *self.now.get_mut() = null_mut();
        let mut at = std::mem::replace(self.later.get_mut(), null_mut());
        while !at.is_null() {
            // SAFETY: it came from a box, and nobody looks at it any more: references borrow `self`.
            at = unsafe { Box::from_raw(at) }.before;
            Memory::give_back(size_of::<Later>());
        }
    }
}

impl Drop for Views {
    #[inline]
    fn drop(&mut self) {
        if !self.later.get_mut().is_null() {
            self.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tensor;

    fn over(storage: &Storage, sizes: &[i64]) -> TensorMetadata {
        let strides = crate::contiguous_strides(sizes);
        TensorMetadata {
            storage: storage.clone(),
            dtype: DType::I32,
            sizes: sizes.into(),
            strides,
            offset: 0,
            quantizer: None,
        }
    }

    /// Changes a tensor by another handle.
    fn become_other(t: &Tensor, metadata: TensorMetadata) {
        // SAFETY: this thread alone has the tensor.
        unsafe { t.clone().set_metadata(metadata) }.unwrap();
    }

    #[test]
    fn sizes_that_are_looked_at_outlive_a_change_by_another_handle() {
        let t = Tensor::zeros(&[1, 1, 1, 1, 1, 1, 2, 3], DType::I32).unwrap();
        let (sizes, strides) = (t.sizes(), t.strides());
        become_other(&t, over(&t.storage(), &[6]));
        let (fewer, quantizer) = (t.sizes(), t.quantizer());
        become_other(&t, over(&t.storage(), &[3, 1, 1, 1, 1, 1, 1, 1, 2]));
        assert_eq!((sizes, strides), (&[1, 1, 1, 1, 1, 1, 2, 3][..], &[6, 6, 6, 6, 6, 6, 3, 1][..]));
        assert_eq!((fewer, quantizer.is_none()), (&[6][..], true));
        assert_eq!(t.sizes(), [3, 1, 1, 1, 1, 1, 1, 1, 2]);
    }

    #[test]
    fn a_storage_that_was_asked_for_outlives_the_tensor_that_gave_it_up() {
        let t = Tensor::from_vec(vec![1i32, 2, 3], &[3]);
        let before = t.storage();
        become_other(&t, over(&Storage::zeroed(12).unwrap(), &[3]));
        assert_eq!((before.use_count(), before.bytes(), t.to_vec::<i32>()), (1, 12, vec![0; 3]));
        let mut old = Tensor::new(over(&before, &[3])).unwrap();
        assert_eq!(old.to_vec::<i32>(), [1, 2, 3]);
        drop(before);
        // Nobody looks at it, so what it was is forgotten.
        become_other(&old, over(&old.storage(), &[1, 3]));
        let storage = Storage::zeroed(8).unwrap();
        assert!(old.renew(&storage, 8, &[2], &[1], DType::I32));
        assert_eq!(old.to_vec::<i32>(), [0, 0]);
    }

    #[test]
    fn turning_a_tensor_back_and_forth_takes_no_more_memory() {
        let t = Tensor::zeros(&[2, 3], DType::I32).unwrap();
        let views = Views::new(t.metadata().split().1);
        let sizes = [[2, 3], [3, 2], [1, 6], [6, 1]];
        let turn = || sizes.iter().for_each(|s| assert!(views.change(over(&t.storage(), s).split().1)));
        turn();
        let newest = views.later.load(Ordering::Relaxed);
        turn();
        assert_eq!((views.later.load(Ordering::Relaxed), &views.now().sizes[..]), (newest, &[6, 1][..]));
    }

    #[test]
    fn elements_lie_where_their_type_may() {
        let whole = Storage::zeroed(64).unwrap();
        let part = whole.part(2, 16, 16).unwrap();
        let of = |dtype, n: i64| TensorMetadata { dtype, ..over(&part, &[n]) };
        assert!(matches!(Tensor::new(of(DType::I32, 2)), Err(Error::Unaligned { dtype: DType::I32, alignment: 4 })));
        // Nothing, too: a slice of no elements begins where one may.
        assert!(Tensor::new(of(DType::F64, 0)).is_err());
        let t = Tensor::new(of(DType::I16, 2)).unwrap();
        t.fill(7i16);
        assert_eq!(t.to_vec::<i16>(), [7, 7]);
    }
}
