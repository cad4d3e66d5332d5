//! Memory of somebody else's becomes a tensor: over that memory where a program may read and write it as it lies, else over a copy.

use crate::{DType, Error, Sizes, Storage, Tensor, TensorMetadata};
use std::any::Any;
use std::ptr::NonNull;

/// More dimensions than any library's arrays have.
pub const MAX_RANK: usize = 64;

/// Elements that another library has in memory.
pub struct Lent {
    /// The element whose indices are all 0.
    pub data: *mut u8,
    /// Of the elements.
    pub dtype: DType,
    /// Of each dimension, in elements; none is negative.
    pub sizes: Sizes,
    /// In bytes; may be negative.
    pub strides: Sizes,
    /// A program may write to them.
    pub is_writable: bool,
    /// The bytes of each number stand in the other order than this machine's.
    pub is_swapped: bool,
}

/// What keeps the elements where they are.
pub type Owner = Box<dyn Any + Send + Sync>;

/// The tensors of one call: of arrays that overlap, one storage.
#[derive(Default)]
pub struct Borrowed {
    storages: Vec<Storage>,
}

impl Lent {
    fn is_empty(&self) -> bool {
        self.sizes.contains(&0)
    }

    /// Strides in elements, where a tensor can have such.
    fn element_strides(&self) -> Option<Sizes> {
        let size = self.dtype.size() as i64;
        let dimensions = self.sizes.iter().zip(&self.strides);
        // A dimension of one element is never walked along, so any stride says the same.
        let strides = dimensions.map(|(n, s)| match (*n, *s) {
            (1, _) => Some(1),
            (_, s) if s >= 0 && s % size == 0 => Some(s / size),
            _ => None,
        });
        strides.collect()
    }

    /// Bytes from the first element to the end of the last, where a tensor can have such strides.
    pub fn extent(&self) -> Option<usize> {
        if self.is_empty() {
            return Some(0);
        }
        let strides = self.element_strides()?;
        let mut last = 0i64;
        for (n, stride) in self.sizes.iter().zip(&strides) {
            last = last.checked_add((n - 1).checked_mul(*stride)?)?;
        }
        let bytes = last.checked_add(1)?.checked_mul(self.dtype.size() as i64)?;
        usize::try_from(bytes).ok().filter(|n| *n <= isize::MAX as usize)
    }

    /// Strides in elements and the extent, if a tensor can lie there.
    fn layout(&self) -> Option<(Sizes, usize)> {
        let is_aligned = self.data.addr().is_multiple_of(self.dtype.alignment());
        if self.is_swapped || !is_aligned || self.data.is_null() {
            return None;
        }
        Some((self.element_strides()?, self.extent()?))
    }

    fn over(&self, storage: Storage, strides: Sizes, offset: i64) -> Result<Tensor, Error> {
        let (dtype, sizes) = (self.dtype, self.sizes.clone());
        Tensor::new(TensorMetadata { storage, dtype, sizes, strides, offset, quantizer: None })
    }

    /// The elements in memory of their own.
    ///
    /// # Safety
    /// Every element may be read.
    unsafe fn copied(&self) -> Result<Tensor, Error> {
        let out = Tensor::zeros(&self.sizes, self.dtype)?;
        if self.is_empty() {
            return Ok(out);
        }
        let (size, unit) = (self.dtype.size(), self.dtype.alignment());
        let mut to = out.bytes_ptr();
        let mut index: Sizes = Sizes::from_elem(0, self.sizes.len());
        let mut from = self.data.cast_const();
        for _ in 0..out.numel() {
            // SAFETY: each element of the view may be read, by the caller's promise; the copy has as many, written one after the other.
            unsafe {
                std::ptr::copy_nonoverlapping(from, to, size);
                if self.is_swapped {
                    std::slice::from_raw_parts_mut(to, size).chunks_exact_mut(unit).for_each(<[u8]>::reverse);
                }
                to = to.add(size);
            }
            for d in (0..index.len()).rev() {
                index[d] += 1;
                from = from.wrapping_offset(self.strides[d] as isize);
                if index[d] < self.sizes[d] {
                    break;
                }
                from = from.wrapping_offset((self.strides[d] as isize).wrapping_mul(-(self.sizes[d] as isize)));
                index[d] = 0;
            }
        }
        Ok(out)
    }
}

impl Borrowed {
    /// A tensor of the elements. What a program writes to it is written to them, unless they may not be written, are not aligned, stand in another byte order, or
    /// lie in steps that a tensor cannot have (backwards, or between elements): then it is of a copy.
    ///
    /// # Safety
    /// While the owner lives every element may be read and, where they say so, written. Others write to them only while no program runs that has the tensor, as
    /// with tensors of PyTorch's.
    pub unsafe fn tensor(&mut self, lent: &Lent, owner: Owner) -> Result<Tensor, Error> {
        if lent.sizes.len() > MAX_RANK || lent.sizes.len() != lent.strides.len() {
            return Err(Error::Lent(format!("an array of {} dimensions", lent.sizes.len())));
        }
        if lent.is_empty() {
            return Tensor::zeros(&lent.sizes, lent.dtype);
        }
        let Some((strides, extent)) = lent.layout() else {
            // SAFETY: the caller's promise.
            return unsafe { lent.copied() };
        };
        let Some(data) = NonNull::new(lent.data) else {
            return Err(Error::Lent("an array without memory".into()));
        };
        if !lent.is_writable {
            // SAFETY: the caller's promise, until the copy is made; nobody writes to it.
            let there = unsafe { Storage::borrowed(data, extent, Box::new(())) };
            return lent.over(there, strides, 0)?.copy();
        }
        let (start, end) = (data.addr().get(), data.addr().get() + extent);
        for storage in &self.storages {
            let (from, to) = (storage.data_ptr().addr(), storage.data_ptr().addr() + storage.bytes());
            let steps = start.checked_sub(from).filter(|n| n.is_multiple_of(lent.dtype.size()));
            match steps {
                Some(bytes) if end <= to => {
                    return lent.over(storage.clone(), strides, (bytes / lent.dtype.size()) as i64);
                }
                // Kernels take two storages for two places in memory.
                _ if start < to && from < end => {
                    // SAFETY: the caller's promise.
                    return unsafe { lent.copied() };
                }
                _ => {}
            }
        }
        // SAFETY: the caller's promise.
        let storage = unsafe { Storage::borrowed(data, extent, owner) };
        self.storages.push(storage.clone());
        lent.over(storage, strides, 0)
    }
}
