//! Elements of a tensor are read and written where they lie; what is given out by safe functions is a copy, or nobody else's.

use crate::strided::Offsets;
use crate::{DType, Element, Tensor, dispatch};

impl Tensor {
    /// The elements of a contiguous tensor where they lie, or `None`. [`Tensor::to_vec`] copies them, and asks nothing of its caller.
    ///
    /// ```compile_fail,E0133
    /// let t = sconce_tensor::Tensor::scalar(1f32);
    /// let seen: Option<&[f32]> = t.as_slice();
    /// t.fill(2f32); // would change what `seen` shows
    /// assert_eq!(seen, Some(&[1.][..]));
    /// ```
    ///
    /// # Safety
    /// While the slice lives nobody writes to the storage, through whichever tensor, nobody makes it grow, and this tensor is given no other.
    pub unsafe fn as_slice<T: Element>(&self) -> Option<&[T]> {
        if T::DTYPE != self.dtype() || !self.is_contiguous() {
            return None;
        }
        if self.numel() == 0 {
            // Its offset may lead anywhere.
            return Some(&[]);
        }
        // SAFETY: checked contiguous, aligned and inside the storage when the tensor was made; that nothing changes is the caller's promise.
        Some(unsafe { std::slice::from_raw_parts(self.data_ptr::<T>(), self.numel()) })
    }

    /// The elements of a contiguous tensor for writing, or `None`.
    ///
    /// # Safety
    /// No other reference to the storage's elements is alive, and while this one is, nobody makes the storage grow or gives this tensor another.
    pub unsafe fn as_mut_slice<T: Element>(&mut self) -> Option<&mut [T]> {
        if T::DTYPE != self.dtype() || !self.is_contiguous() {
            return None;
        }
        if self.numel() == 0 {
            return Some(&mut []);
        }
        // SAFETY: contiguous, aligned and inside the storage; exclusivity is the caller's promise.
        Some(unsafe { std::slice::from_raw_parts_mut(self.data_ptr::<T>(), self.numel()) })
    }

    /// The elements of a contiguous tensor that nobody else holds, nor its storage; or `None`. For as long as the slice is there nobody comes to hold them.
    ///
    /// ```
    /// let mut t = sconce_tensor::Tensor::from_vec(vec![1f32, 2.], &[2]);
    /// t.get_mut::<f32>().unwrap()[0] = 5.;
    /// let view = t.alias();
    /// assert!(t.get_mut::<f32>().is_none());
    /// assert_eq!(view.to_vec::<f32>(), [5., 2.]);
    /// ```
    pub fn get_mut<T: Element>(&mut self) -> Option<&mut [T]> {
        if !self.is_held_once() || self.held_storage().use_count() > 1 || !self.held_storage().is_apart() {
            return None;
        }
        self.bump_version();
        // SAFETY: this is the only handle on the tensor and on its storage, whose memory is no other's, and it is borrowed for as long as the slice lives.
        unsafe { self.as_mut_slice() }
    }

    /// Element offsets (relative to the storage's start) in row-major order.
    pub fn offsets(&self) -> Offsets {
        let view = self.view();
        Offsets::new(&view.sizes, &view.strides, view.offset)
    }

    /// The elements in row-major order.
    ///
    /// # Panics
    /// When `T` is not the element type of the dtype.
    pub fn to_vec<T: Element>(&self) -> Vec<T> {
        // SAFETY: the slice ends with this statement, which writes to no tensor.
        if let Some(copied) = unsafe { self.as_slice::<T>() }.map(<[T]>::to_vec) {
            return copied;
        }
        assert_eq!(T::DTYPE, self.dtype(), "element type of another dtype");
        let base = self.storage_ptr().cast::<T>();
        // SAFETY: every offset of a tensor lies in its storage.
        self.offsets().map(|o| unsafe { *base.offset(o as isize) }).collect()
    }

    /// The value of a tensor with one element.
    pub fn item<T: Element>(&self) -> Option<T> {
        (self.numel() == 1 && self.dtype() == T::DTYPE).then(|| {
            // SAFETY: one element, inside the storage.
            unsafe { *self.data_ptr::<T>() }
        })
    }

    /// The elements' bytes of a contiguous tensor, in the machine's order.
    ///
    /// # Panics
    /// When the tensor is not contiguous.
    pub fn read_bytes(&self) -> Vec<u8> {
        assert!(self.is_contiguous(), "bytes of a tensor with gaps");
        if self.numel() == 0 {
            return Vec::new();
        }
        // SAFETY: contiguous and inside the storage.
        unsafe { std::slice::from_raw_parts(self.bytes_ptr(), self.numel() * self.dtype().size()) }.to_vec()
    }

    /// Overwrites the elements of a contiguous tensor.
    ///
    /// # Panics
    /// When the tensor is not contiguous, or the number of bytes is another.
    pub fn write_bytes(&self, bytes: &[u8]) {
        assert!(self.is_contiguous() && bytes.len() == self.numel() * self.dtype().size(), "bytes of another tensor");
        if bytes.is_empty() {
            return;
        }
        // SAFETY: contiguous, inside the storage, and of exactly this length.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.bytes_ptr(), bytes.len()) };
        self.bump_version();
    }

    /// Every element as `f64`, row-major: real numbers only (complex numbers lose their imaginary part, 64-bit integers beyond 2^53 round).
    pub fn to_f64(&self) -> Vec<f64> {
        dispatch!(self.dtype(), T => self.to_vec::<T>().into_iter().map(Element::to_f64).collect(), _other => Vec::new())
    }

    /// A contiguous tensor of numbers converted from `f64` as C converts them; `None` for dtypes without an element type.
    ///
    /// # Panics
    /// When the number of elements is not the product of the sizes.
    pub fn from_f64(values: &[f64], sizes: &[i64], dtype: DType) -> Option<Tensor> {
        dispatch!(dtype, T => Some(Tensor::from_vec(values.iter().map(|v| <T as Element>::from_f64(*v)).collect(), sizes)), _other => None)
    }

    /// Writes `value` to every element.
    pub fn fill<T: Element>(&self, value: T) {
        assert_eq!(T::DTYPE, self.dtype(), "element type of another dtype");
        let n = self.numel();
        if n > 0 && self.is_contiguous() {
            // SAFETY: so many elements lie there; exclusivity for the moment of the write is the program's affair, as for every write.
            unsafe { std::slice::from_raw_parts_mut(self.data_ptr::<T>(), n) }.fill(value);
            self.bump_version();
            return;
        }
        let base = self.storage_ptr().cast::<T>();
        for o in self.offsets() {
            // SAFETY: offsets of a tensor lie in its storage.
            unsafe { *base.offset(o as isize) = value };
        }
        self.bump_version();
    }
}
