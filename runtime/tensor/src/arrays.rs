//! Tensors and arrays of `ndarray`: an array becomes a tensor without a copy wherever it lies, and a tensor is seen as an array where nobody else can write to it.
//!
//! | from | to | |
//! |---|---|---|
//! | `Array<T, D>` | [`Tensor`] | `Tensor::from`: moved; copied only where a stride is negative |
//! | [`Tensor`] | `ArrayD<T>` | [`Tensor::to_array`]: a copy |
//! | [`Tensor`] | `ArrayViewMutD<T>` | [`Tensor::array_mut`]: no copy, of a tensor that nobody else holds |
//! | [`Tensor`] | `ArrayViewD<T>` | [`Tensor::array_view`]: no copy; that nobody writes meanwhile is the caller's promise |
//!
//! The element `T` is any [`Element`]: integers, floats, [`f16`](crate::f16), [`bf16`](crate::bf16), [`Complex`](crate::Complex) of these, and
//! [`Bool`](crate::Bool).

use crate::{Element, Error, Sizes, Storage, Tensor, TensorMetadata};
use ndarray::{Array, ArrayD, ArrayViewD, ArrayViewMutD, Dimension, IxDyn, ShapeBuilder};

impl<T: Element, D: Dimension> From<Array<T, D>> for Tensor {
    /// The array's elements where they lie, with its sizes and strides. An array that runs backwards along a dimension is copied, row-major.
    ///
    /// ```
    /// use ndarray::array;
    /// use sconce_tensor::{Complex, DType, Tensor, bf16, f16};
    ///
    /// let t = Tensor::from(array![[1f32, 2., 3.], [4., 5., 6.]].reversed_axes());
    /// assert_eq!((t.sizes(), t.strides()), (&[3i64, 2][..], &[1i64, 3][..]));
    /// assert_eq!(t.to_vec::<f32>(), [1., 4., 2., 5., 3., 6.]);
    /// assert_eq!(Tensor::from(array![f16::ONE]).dtype(), DType::F16);
    /// assert_eq!(Tensor::from(array![bf16::ONE]).dtype(), DType::BF16);
    /// assert_eq!(Tensor::from(array![Complex::new(1f64, 2.)]).dtype(), DType::C128);
    /// ```
    fn from(array: Array<T, D>) -> Tensor {
        let array = match array.strides().iter().any(|s| *s < 0) {
            true => array.as_standard_layout().into_owned(),
            false => array,
        };
        let sizes: Sizes = array.shape().iter().map(|n| *n as i64).collect();
        let strides: Sizes = array.strides().iter().map(|n| *n as i64).collect();
        let (elements, offset) = array.into_raw_vec_and_offset();
        let metadata = TensorMetadata {
            storage: Storage::from_vec(elements),
            dtype: T::DTYPE,
            sizes,
            strides,
            offset: offset.unwrap_or(0) as i64,
            quantizer: None,
        };
        Tensor::new(metadata).expect("an array's elements lie in its vector")
    }
}

impl Tensor {
    /// A copy of the elements as an array, row-major.
    ///
    /// ```
    /// use sconce_tensor::Tensor;
    ///
    /// let t = Tensor::from_vec(vec![1i64, 2, 3, 4], &[2, 2]);
    /// assert_eq!(t.to_array::<i64>()?[[1, 0]], 3);
    /// assert!(t.to_array::<f32>().is_err());
    /// # Ok::<(), sconce_tensor::Error>(())
    /// ```
    ///
    /// # Errors
    /// Elements of another type.
    pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>, Error> {
        self.is_of::<T>()?;
        let array = ArrayD::from_shape_vec(self.shape(), self.to_vec::<T>());
        Ok(array.expect("as many elements as the sizes say"))
    }

    /// The elements of a tensor that nobody else holds, as an array to read and write. For as long as the array is there nobody comes to hold it.
    ///
    /// ```
    /// use sconce_tensor::Tensor;
    ///
    /// let mut t = Tensor::from_vec(vec![1f32, 2., 3., 4.], &[2, 2]);
    /// t.array_mut::<f32>()?.index_axis_mut(ndarray::Axis(0), 0).fill(9.);
    /// assert_eq!(t.to_vec::<f32>(), [9., 9., 3., 4.]);
    /// let other = t.clone();
    /// assert!(t.array_mut::<f32>().is_err());
    /// # drop(other);
    /// # Ok::<(), sconce_tensor::Error>(())
    /// ```
    ///
    /// # Errors
    /// Elements of another type; a tensor or a storage that is held by others too; one that is not contiguous.
    pub fn array_mut<T: Element>(&mut self) -> Result<ArrayViewMutD<'_, T>, Error> {
        self.is_of::<T>()?;
        let shape = self.shape();
        let elements = self.get_mut::<T>().ok_or(Error::Kind {
            expected: "a contiguous tensor that nobody else holds",
            got: "one with gaps, or a handle of several",
        })?;
        Ok(ArrayViewMutD::from_shape(shape, elements).expect("as many elements as the sizes say"))
    }

    /// The elements where they lie, as an array to read.
    ///
    /// ```
    /// use sconce_tensor::Tensor;
    ///
    /// let t = Tensor::from_vec((0..6i32).collect(), &[2, 3]);
    /// let turned = t.as_strided(&[3, 2], &[1, 3], 0)?;
    /// // SAFETY: nobody writes to the tensor while the array is there.
    /// let array = unsafe { turned.array_view::<i32>() }?;
    /// assert_eq!((array.shape(), array[[2, 1]]), (&[3, 2][..], 5));
    /// assert_eq!(array.as_ptr(), t.data_ptr::<i32>());
    /// # Ok::<(), sconce_tensor::Error>(())
    /// ```
    ///
    /// # Errors
    /// Elements of another type.
    ///
    /// # Safety
    /// As for [`Tensor::as_slice`]: while the array lives nobody writes to the storage, through whichever tensor, nobody makes it grow, and this tensor is given no
    /// other.
    pub unsafe fn array_view<T: Element>(&self) -> Result<ArrayViewD<'_, T>, Error> {
        self.is_of::<T>()?;
        if self.numel() == 0 {
            return Ok(ArrayViewD::from_shape(self.shape(), &[]).expect("no elements"));
        }
        let strides: Vec<usize> = self.strides().iter().map(|n| *n as usize).collect();
        let shape = self.shape().strides(IxDyn(&strides));
        // SAFETY: aligned, every element inside the storage, strides not negative, and so many elements that they can be counted: checked when the tensor was
        // made. That nobody writes is the caller's promise.
        Ok(unsafe { ArrayViewD::from_shape_ptr(shape, self.data_ptr::<T>()) })
    }

    fn shape(&self) -> IxDyn {
        IxDyn(&self.sizes().iter().map(|n| *n as usize).collect::<Vec<_>>())
    }

    fn is_of<T: Element>(&self) -> Result<(), Error> {
        let same = T::DTYPE == self.dtype();
        same.then_some(()).ok_or(Error::Elements { expected: T::DTYPE, got: self.dtype() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bool, Complex, DType, bf16, dispatch, f16};
    use ndarray::{arr0, array, s};

    #[test]
    fn an_array_is_moved_and_seen_where_it_lies() {
        let array = array![[1i16, 2, 3], [4, 5, 6]];
        let at = array.as_ptr();
        let mut t = Tensor::from(array);
        assert_eq!((t.data_ptr::<i16>().cast_const(), t.sizes(), t.dtype()), (at, &[2i64, 3][..], DType::I16));
        t.array_mut::<i16>().unwrap()[[1, 2]] = 7;
        // SAFETY: nobody writes meanwhile.
        assert_eq!(unsafe { t.array_view::<i16>() }.unwrap(), array![[1i16, 2, 3], [4, 5, 7]].into_dyn());
        assert_eq!(t.to_array::<i16>().unwrap().into_raw_vec_and_offset().0, [1, 2, 3, 4, 5, 7]);
        let error = t.to_array::<u8>().unwrap_err().to_string();
        assert_eq!(error, "elements of type u8 are asked for, and the tensor's are of type i16");
    }

    #[test]
    fn arrays_of_every_layout_become_tensors() {
        let cube = Array::from_shape_vec((2, 3, 4).f(), (0..24u8).collect()).unwrap();
        let expected: Vec<u8> = cube.iter().copied().collect();
        let mut parts = cube.clone();
        parts.slice_collapse(s![.., 1.., ..;2]);
        let part: Vec<u8> = parts.iter().copied().collect();
        let mut backwards = cube.clone();
        backwards.invert_axis(ndarray::Axis(1));
        let back: Vec<u8> = backwards.iter().copied().collect();
        for (array, elements) in [(cube, expected), (parts, part), (backwards, back)] {
            let sizes: Vec<i64> = array.shape().iter().map(|n| *n as i64).collect();
            let t = Tensor::from(array);
            assert_eq!((t.to_vec::<u8>(), t.sizes()), (elements, &sizes[..]));
        }
        assert_eq!(Tensor::from(arr0(5f64)).item::<f64>(), Some(5.));
        let none = Tensor::from(Array::<f32, _>::zeros((3, 0, 2)));
        assert_eq!((none.sizes(), none.to_array::<f32>().unwrap().len()), (&[3i64, 0, 2][..], 0));
        // SAFETY: there is nothing to write to.
        assert_eq!(unsafe { none.array_view::<f32>() }.unwrap().shape(), [3, 0, 2]);
    }

    #[test]
    fn elements_of_every_dtype_come_back() {
        fn there_and_back<T: Element>(values: [f64; 2]) {
            let array = ndarray::Array1::from_vec(values.map(T::from_f64).to_vec());
            assert_eq!(Tensor::from(array.clone()).to_array::<T>().unwrap(), array.into_dyn());
        }
        for dtype in DType::all() {
            dispatch!(dtype, T => there_and_back::<T>([0., 1.]), _none => ());
        }
        there_and_back::<f16>([-0.5, 65504.]);
        there_and_back::<bf16>([-0.5, 1e38]);
        there_and_back::<Complex<f32>>([-0.5, 3.]);
        assert_eq!(Tensor::from(array![Bool::new(true)]).dtype(), DType::Bool);
    }

    #[test]
    fn what_others_hold_is_not_written_through_an_array() {
        let mut t = Tensor::from(array![1f32, 2.]);
        let view = t.as_strided(&[1], &[1], 1).unwrap();
        assert!(t.array_mut::<f32>().is_err());
        drop(view);
        let storage = t.storage();
        assert!(t.array_mut::<f32>().is_err());
        drop(storage);
        assert!(t.array_mut::<f32>().is_ok());
        // Pieces of one memory may overlap.
        let part = t.storage().part(0, 8, 8).unwrap();
        let mut piece = Tensor::new(TensorMetadata { storage: part, ..t.metadata() }).unwrap();
        drop(t);
        assert!(piece.array_mut::<f32>().is_err());
    }

    #[test]
    fn a_tensor_of_an_array_grows_and_gives_its_vector_up() {
        let t = Tensor::from(array![1u8, 2, 3]);
        assert!(t.storage().is_resizable());
        // SAFETY: nobody else uses it.
        assert!(unsafe { t.storage().grow(1000) });
        assert_eq!(t.to_vec::<u8>(), [1, 2, 3]);
    }
}
