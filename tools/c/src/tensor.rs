//! Tensors: their elements lie in memory of the library's, or in the caller's until the last tensor over it goes.

use crate::error::{Failure, SconceError, SconceStatus, ask, call, free};
use crate::given::{c_text, given, hand_out, items};
use sconce::schema::DType;
use sconce::tensor::dlpack;
use sconce::tensor::lent::{Borrowed, Lent, MAX_RANK};
use sconce::tensor::{Sizes, Tensor, contiguous_strides};
use std::ffi::{CString, c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::LazyLock;

/// A tensor. Its dtype, sizes and strides stay what they are; what a program writes to its elements is seen, since a program's tensor and this one share memory.
/// Any number of threads may read one handle at once. Who writes elements while a call in another thread reads them has a race of their own.
pub struct SconceTensor {
    /// No program has this one, only others over the same memory: what it is stays.
    tensor: Tensor,
}

impl SconceTensor {
    pub(crate) fn new(tensor: &Tensor) -> SconceTensor {
        SconceTensor { tensor: tensor.alias() }
    }

    /// Another over the same memory, for a program.
    pub(crate) fn shared(&self) -> Tensor {
        self.tensor.alias()
    }

    pub(crate) fn inner(&self) -> &Tensor {
        &self.tensor
    }
}

fn known(dtype: i32) -> Option<DType> {
    DType::from_number(dtype.into())
}

/// The name of a dtype, such as `float32`, which lives as long as the process; NULL of a number that is none.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_dtype_name(dtype: i32) -> *const c_char {
    static NAMES: LazyLock<Vec<CString>> = LazyLock::new(|| DType::all().map(|d| c_text(d.torch_name())).collect());
    ask(null(), || Some(NAMES.get(usize::try_from(dtype).ok()?)?.as_ptr()))
}

/// The bytes of one element of a dtype; 0 of a number that is none.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_dtype_size(dtype: i32) -> usize {
    ask(0, || Some(known(dtype)?.size()))
}

/// Elements in the caller's memory. No member is ever added.
#[repr(C)]
pub struct SconceElements {
    /// A SconceDtype.
    dtype: i32,
    /// How many dimensions there are, at most 64.
    rank: usize,
    /// One a dimension.
    sizes: *const i64,
    /// In elements, one a dimension and not negative; NULL where the elements lie row by row.
    strides: *const i64,
    /// The first element.
    data: *const c_void,
    /// How much memory there is from the first element on.
    bytes: usize,
}

impl SconceElements {
    /// The same, looked at: every element lies inside the bytes.
    ///
    /// # Safety
    /// Sizes and strides have an entry a dimension; strides may be NULL.
    unsafe fn lent(&self) -> Result<Lent, Failure> {
        let misuse = |what: String| Err(Failure::Misuse(what));
        let Some(dtype) = known(self.dtype) else { return misuse(format!("{} is no dtype", self.dtype)) };
        if dlpack::code(dtype).is_none() {
            return misuse(format!("a tensor of {} cannot be made of elements", dtype.torch_name()));
        }
        if self.rank > MAX_RANK {
            return misuse(format!("a tensor of {} dimensions: at most {MAX_RANK} are expected", self.rank));
        }
        // SAFETY: the caller's promise.
        let sizes: Sizes = unsafe { items(self.sizes, self.rank, "sizes") }?.into();
        if let Some(n) = sizes.iter().find(|n| **n < 0) {
            return misuse(format!("a size of {n}"));
        }
        let strides: Sizes = match self.strides.is_null() {
            true => contiguous_strides(&sizes),
            // SAFETY: the caller's promise.
            false => unsafe { items(self.strides, self.rank, "strides") }?.into(),
        };
        let in_bytes: Option<Sizes> = strides.iter().map(|s| s.checked_mul(dtype.size() as i64)).collect();
        let data = self.data.cast_mut().cast();
        let Some(strides) = in_bytes else { return misuse(format!("strides {strides:?} fit no memory")) };
        let lent = Lent { data, dtype, sizes, strides, is_writable: true, is_swapped: false };
        let Some(needed) = lent.extent() else {
            return misuse("strides that are negative, or fit no memory".to_owned());
        };
        if needed > self.bytes {
            return misuse(format!("the elements lie in {needed} bytes, and there are {}", self.bytes));
        }
        if needed > 0 && data.is_null() {
            return misuse("data is NULL".to_owned());
        }
        Ok(lent)
    }
}

/// Makes a tensor of a copy of elements, which may be of any alignment. Nothing of them is needed afterwards. On success `*tensor` is the caller's, freed by
/// sconce_tensor_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_tensor_copy(
    elements: Option<&SconceElements>,
    tensor: Option<&mut MaybeUninit<*mut SconceTensor>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let elements = given(elements, "elements")?;
        hand_out(tensor, || {
            // What may only be read is copied.
            // SAFETY: the caller's arrays have as many entries as they say.
            let lent = Lent { is_writable: false, ..unsafe { elements.lent() }? };
            // SAFETY: every element lies inside what the caller says may be read, and nothing is kept of it.
            let made = unsafe { Borrowed::default().tensor(&lent, Box::new(())) }?;
            Ok(SconceTensor { tensor: made })
        })
    })
}

/// The caller's memory; whoever lent it is told when it goes.
struct Released {
    release: Option<unsafe extern "C" fn(context: *mut c_void)>,
    context: *mut c_void,
}

// SAFETY: the interface says that it is called from any thread, and nothing else is done with the context.
unsafe impl Send for Released {}
// SAFETY: as above.
unsafe impl Sync for Released {}

impl Drop for Released {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the caller gave both for one call.
            unsafe { release(self.context) };
        }
    }
}

/// Makes a tensor over the caller's memory, without a copy: what either writes the other sees. A program may write to its arguments, so the memory must be
/// writable, and aligned as elements of the dtype are; what may only be read is copied by sconce_tensor_copy.
///
/// Memory and `context` stay the caller's until `release(context)` is called: exactly once, also when this function fails, and from whichever thread lets the last
/// tensor over the memory go; a module may keep it. It must neither throw nor call longjmp. `release` may be NULL where the memory outlives all tensors.
/// On success `*tensor` is the caller's, freed by sconce_tensor_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_tensor_borrow(
    elements: Option<&SconceElements>,
    release: Option<unsafe extern "C" fn(context: *mut c_void)>,
    context: *mut c_void,
    tensor: Option<&mut MaybeUninit<*mut SconceTensor>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    let owner = Released { release, context };
    call(error, move || {
        // The whole of it, so that it goes when this ends early.
        let owner = owner;
        let elements = given(elements, "elements")?;
        hand_out(tensor, || {
            // SAFETY: the caller's arrays have as many entries as they say.
            let lent = unsafe { elements.lent() }?;
            if !lent.data.addr().is_multiple_of(lent.dtype.alignment()) {
                let (name, unit) = (lent.dtype.torch_name(), lent.dtype.alignment());
                return Err(Failure::Misuse(format!("data of {name} must be aligned to {unit} bytes")));
            }
            // SAFETY: the caller keeps the elements, readable and writable, until the owner goes.
            let made = unsafe { Borrowed::default().tensor(&lent, Box::new(owner)) }?;
            Ok(SconceTensor { tensor: made })
        })
    })
}

/// The SconceDtype of a tensor's elements; -1 of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_tensor_dtype(tensor: Option<&SconceTensor>) -> i32 {
    ask(-1, || Some(tensor?.tensor.dtype() as i32))
}

/// How many dimensions a tensor has; 0 of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_tensor_rank(tensor: Option<&SconceTensor>) -> usize {
    ask(0, || Some(tensor?.tensor.dim()))
}

/// The sizes of a tensor, one a dimension. They live as long as the handle; NULL of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_tensor_sizes(tensor: Option<&SconceTensor>) -> *const i64 {
    ask(null(), || Some(tensor?.tensor.sizes().as_ptr()))
}

/// How many elements lie between neighbours of each dimension. They live as long as the handle; NULL of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_tensor_strides(tensor: Option<&SconceTensor>) -> *const i64 {
    ask(null(), || Some(tensor?.tensor.strides().as_ptr()))
}

/// How many elements a tensor has; 0 of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_tensor_element_count(tensor: Option<&SconceTensor>) -> usize {
    ask(0, || Some(tensor?.tensor.numel()))
}

/// Whether the elements lie row by row without gaps; false of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_tensor_is_contiguous(tensor: Option<&SconceTensor>) -> bool {
    ask(false, || Some(tensor?.tensor.is_contiguous()))
}

/// The first element of a tensor; the others lie from there as the strides say. The memory lives, and stays where it is, as long as the handle; it may be written
/// while no call has the tensor. NULL of NULL; of a tensor without elements it points to nothing.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_tensor_data(tensor: Option<&SconceTensor>) -> *mut c_void {
    ask(null_mut(), || {
        let tensor = &tensor?.tensor;
        // Who holds the address would not notice that the memory moved.
        tensor.storage().fix_size();
        Some(tensor.bytes_ptr().cast())
    })
}

/// The same elements row by row: over the same memory where they lie so, else a copy. On success `*contiguous` is the caller's, freed by sconce_tensor_free.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_tensor_contiguous(
    tensor: Option<&SconceTensor>,
    contiguous: Option<&mut MaybeUninit<*mut SconceTensor>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let tensor = given(tensor, "tensor")?;
        hand_out(contiguous, || Ok(SconceTensor::new(&tensor.tensor.contiguous()?)))
    })
}

/// Frees a handle. The memory goes with the last tensor over it. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_tensor_free(tensor: Option<Box<SconceTensor>>) {
    free(tensor);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const F32: i32 = DType::F32 as i32;

    /// What is said of elements that lie in a few floats.
    fn refused(dtype: i32, sizes: &[i64], strides: Option<&[i64]>) -> String {
        let data = [1f32, 2., 3., 4.];
        let elements = SconceElements {
            dtype,
            rank: sizes.len(),
            sizes: sizes.as_ptr(),
            strides: strides.map_or(null(), <[i64]>::as_ptr),
            data: data.as_ptr().cast(),
            bytes: size_of_val(&data),
        };
        // SAFETY: there is an entry a dimension, and as much memory as is said.
        let lent = unsafe { elements.lent() };
        match lent {
            Ok(lent) => format!("{} bytes", lent.extent().unwrap_or_default()),
            Err(Failure::Misuse(what)) => what,
            Err(other) => format!("{other:?}"),
        }
    }

    #[test]
    fn elements_are_looked_at_before_they_are_read() {
        assert_eq!(refused(F32, &[2, 2], None), "16 bytes");
        assert_eq!(refused(F32, &[2, 2], Some(&[1, 2])), "16 bytes");
        assert_eq!(refused(F32, &[1 << 40], Some(&[0])), "4 bytes");
        assert_eq!(refused(F32, &[0, 1 << 40], None), "0 bytes");
        assert_eq!(refused(F32, &[5], None), "the elements lie in 20 bytes, and there are 16");
        assert_eq!(refused(F32, &[2, 2], Some(&[3, 1])), "the elements lie in 20 bytes, and there are 16");
        assert_eq!(refused(F32, &[-1], None), "a size of -1");
        assert_eq!(refused(F32, &[2], Some(&[-1])), "strides that are negative, or fit no memory");
        assert_eq!(refused(F32, &[i64::MAX, 2], Some(&[2, 1])), "strides that are negative, or fit no memory");
        assert_eq!(refused(F32, &[2], Some(&[i64::MAX])), format!("strides [{}] fit no memory", i64::MAX));
        assert_eq!(refused(F32, &[1; 65], None), "a tensor of 65 dimensions: at most 64 are expected");
        assert_eq!(refused(30, &[2], None), "30 is no dtype");
        assert_eq!(refused(DType::QI8 as i32, &[2], None), "a tensor of qint8 cannot be made of elements");
    }

    #[test]
    fn who_lent_memory_is_told_once_whatever_comes() {
        unsafe extern "C" fn count(context: *mut c_void) {
            // SAFETY: the counter below outlives every tensor of this test.
            unsafe { &*context.cast::<AtomicUsize>() }.fetch_add(1, Ordering::Relaxed);
        }
        let counter = AtomicUsize::new(0);
        let told = || counter.load(Ordering::Relaxed);
        let context = std::ptr::from_ref(&counter).cast_mut().cast();
        let (data, sizes) = ([1f32, 2.], [2i64]);
        let elements =
            |bytes, data| SconceElements { dtype: F32, rank: 1, sizes: sizes.as_ptr(), strides: null(), data, bytes };
        let whole = elements(8, data.as_ptr().cast());
        let mut made = MaybeUninit::uninit();
        // SAFETY: the elements outlive the tensor, and nothing writes to it.
        let status = unsafe { sconce_tensor_borrow(Some(&whole), Some(count), context, Some(&mut made), None) };
        assert_eq!((status, told()), (SconceStatus::Ok, 0));
        // SAFETY: it was made just now, and is freed once.
        sconce_tensor_free(Some(unsafe { Box::from_raw(made.assume_init()) }));
        assert_eq!(told(), 1);
        let short = elements(4, data.as_ptr().cast());
        let beside = elements(8, null());
        let failures = [(Some(&short), true), (Some(&beside), true), (None, true), (Some(&whole), false)];
        for (i, (elements, has_place)) in failures.into_iter().enumerate() {
            let place = has_place.then_some(&mut made);
            // SAFETY: as above.
            let status = unsafe { sconce_tensor_borrow(elements, Some(count), context, place, None) };
            assert_eq!((status, told()), (SconceStatus::Misuse, i + 2));
        }
    }
}
