//! Tensors of other libraries and for them, by DLPack's structures of version 1 and of before.

use crate::error::{Failure, SconceError, SconceStatus, call};
use crate::given::{given, hand_out};
use crate::tensor::SconceTensor;
use sconce::tensor::dlpack::{
    self, Managed as DLManagedTensor, Structure, Taken, Versioned as DLManagedTensorVersioned,
};
use sconce::tensor::lent::Borrowed;
use std::mem::MaybeUninit;
use std::ptr::{NonNull, null_mut};

fn export<S: Structure>(
    tensor: Option<&SconceTensor>,
    managed: Option<&mut MaybeUninit<*mut S>>,
) -> Result<(), Failure> {
    let place = given(managed, "the place of the result")?;
    place.write(null_mut());
    let made = dlpack::export::<S>(given(tensor, "tensor")?.inner())?;
    place.write(made.as_ptr());
    Ok(())
}

/// # Safety
/// It is NULL, or a structure as DLPack describes it, of which the caller lets go.
unsafe fn import<S: Structure>(
    managed: *mut S,
    tensor: Option<&mut MaybeUninit<*mut SconceTensor>>,
) -> Result<(), Failure> {
    let managed = given(NonNull::new(managed), "managed")?;
    // SAFETY: the caller's promise.
    let taken = unsafe { Taken::new(managed) };
    hand_out(tensor, || {
        let made = taken.tensor(&mut Borrowed::default(), |taken| Ok::<_, Failure>(Box::new(taken)))?;
        Ok(SconceTensor::new(&made))
    })
}

/// Gives a tensor to another library as a structure of DLPack 1 (dlpack.h), over the same memory. On success `*managed` is the caller's or whoever takes it over,
/// who calls its deleter once, from any thread; the memory lives at least until then. Fails for dtypes that DLPack does not have.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_tensor_to_dlpack(
    tensor: Option<&SconceTensor>,
    managed: Option<&mut MaybeUninit<*mut DLManagedTensorVersioned>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || export(tensor, managed))
}

/// The same as a structure of DLPack before version 1.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_tensor_to_dlpack_unversioned(
    tensor: Option<&SconceTensor>,
    managed: Option<&mut MaybeUninit<*mut DLManagedTensor>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || export(tensor, managed))
}

/// Makes a tensor of another library's, over the same memory; of a copy where that may only be read, is not aligned or has negative strides.
///
/// The structure is taken over, also when this function fails: its deleter is called exactly once, when the last tensor over the memory goes, from whichever
/// thread lets it go. On success `*tensor` is the caller's, freed by sconce_tensor_free. Fails for memory that the processor does not read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_tensor_from_dlpack(
    managed: *mut DLManagedTensorVersioned,
    tensor: Option<&mut MaybeUninit<*mut SconceTensor>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    // SAFETY: the caller gives a structure of DLPack's over.
    call(error, || unsafe { import(managed, tensor) })
}

/// The same of a structure of DLPack before version 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_tensor_from_dlpack_unversioned(
    managed: *mut DLManagedTensor,
    tensor: Option<&mut MaybeUninit<*mut SconceTensor>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    // SAFETY: the caller gives a structure of DLPack's over.
    call(error, || unsafe { import(managed, tensor) })
}
