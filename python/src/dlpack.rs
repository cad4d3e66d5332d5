//! DLPack, both ways without a copy: whoever takes a tensor keeps its storage, and whoever gives one keeps its memory until the last tensor over it goes.

use crate::dtypes;
use crate::errors::{self, Refused};
use crate::memory::{Borrowed, Lent, MAX_RANK, Owner};
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use sconce::tensor::{Sizes, Tensor};
use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

/// `kDLCPU` and `kDLCUDAHost`: memory that the processor reads.
const CPU: i32 = 1;
const PINNED: i32 = 3;
/// What `__dlpack_device__` says.
pub const DEVICE: (i32, i32) = (CPU, 0);
/// `DLPACK_FLAG_BITMASK_READ_ONLY`.
const READ_ONLY: u64 = 1;
/// The version whose structure is written and read.
const VERSION: (u32, u32) = (1, 0);

#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device: [i32; 2],
    rank: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    sizes: *mut i64,
    /// In elements; null where the elements lie row by row.
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor`.
#[repr(C)]
struct Managed {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// `DLManagedTensorVersioned`.
#[repr(C)]
struct Versioned {
    version: [u32; 2],
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: DlTensor,
}

/// Either structure, by the names that its capsule has before and after somebody took it.
trait Structure: Sized + 'static {
    const NAME: &CStr;
    const TAKEN: &CStr;
    fn new(tensor: DlTensor, context: *mut c_void, deleter: unsafe extern "C" fn(*mut Self)) -> Self;
    fn tensor(&self) -> &DlTensor;
    fn context(&self) -> *mut c_void;
    fn deleter(&self) -> Option<unsafe extern "C" fn(*mut Self)>;
    /// Why it cannot be read.
    fn refused(&self) -> Option<String>;
    fn is_read_only(&self) -> bool;
}

impl Structure for Managed {
    const NAME: &CStr = c"dltensor";
    const TAKEN: &CStr = c"used_dltensor";
    fn new(tensor: DlTensor, context: *mut c_void, deleter: unsafe extern "C" fn(*mut Self)) -> Self {
        Managed { tensor, context, deleter: Some(deleter) }
    }
    fn tensor(&self) -> &DlTensor {
        &self.tensor
    }
    fn context(&self) -> *mut c_void {
        self.context
    }
    fn deleter(&self) -> Option<unsafe extern "C" fn(*mut Self)> {
        self.deleter
    }
    fn refused(&self) -> Option<String> {
        None
    }
    fn is_read_only(&self) -> bool {
        false
    }
}

impl Structure for Versioned {
    const NAME: &CStr = c"dltensor_versioned";
    const TAKEN: &CStr = c"used_dltensor_versioned";
    fn new(tensor: DlTensor, context: *mut c_void, deleter: unsafe extern "C" fn(*mut Self)) -> Self {
        Versioned { version: VERSION.into(), context, deleter: Some(deleter), flags: 0, tensor }
    }
    fn tensor(&self) -> &DlTensor {
        &self.tensor
    }
    fn context(&self) -> *mut c_void {
        self.context
    }
    fn deleter(&self) -> Option<unsafe extern "C" fn(*mut Self)> {
        self.deleter
    }
    fn refused(&self) -> Option<String> {
        let [major, minor] = self.version;
        (major != VERSION.0).then(|| format!("a tensor of DLPack {major}.{minor}; {}.x is expected", VERSION.0))
    }
    fn is_read_only(&self) -> bool {
        self.flags & READ_ONLY != 0
    }
}

/// What keeps an exported tensor's memory.
struct Exported {
    _tensor: Tensor,
    sizes: Sizes,
    strides: Sizes,
}

/// Called by whoever took the tensor, when it is done with it.
unsafe extern "C" fn release<S: Structure>(managed: *mut S) {
    // SAFETY: made by `export` from two boxes, and called once, as DLPack has it.
    unsafe {
        drop(Box::from_raw((*managed).context().cast::<Exported>()));
        drop(Box::from_raw(managed));
    }
}

/// Called when a capsule goes: one that nobody took still has its tensor.
unsafe extern "C" fn forget<S: Structure>(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls it with the capsule, attached to the interpreter; its pointer is what `export` put there.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, S::NAME.as_ptr()) == 1 {
            release::<S>(ffi::PyCapsule_GetPointer(capsule, S::NAME.as_ptr()).cast());
        }
    }
}

fn export_as<'py, S: Structure>(py: Python<'py>, tensor: &Tensor) -> PyResult<Bound<'py, PyCapsule>> {
    let dtype = tensor.dtype();
    let code = dtypes::dlpack_code(dtype)
        .ok_or_else(|| PyBufferError::new_err(format!("DLPack has no {}", dtype.torch_name())))?;
    // Who holds the memory elsewhere would not notice that it moved.
    tensor.storage().fix_size();
    let (sizes, strides) = (tensor.sizes().into(), tensor.strides().into());
    let mut exported = Box::new(Exported { _tensor: tensor.alias(), sizes, strides });
    let described = DlTensor {
        data: tensor.bytes_ptr().cast(),
        device: DEVICE.into(),
        rank: exported.sizes.len() as i32,
        code,
        bits: (dtype.size() * 8) as u8,
        lanes: 1,
        sizes: exported.sizes.as_mut_ptr(),
        strides: exported.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let context = Box::into_raw(exported).cast();
    let managed = Box::leak(Box::new(S::new(described, context, release::<S>)));
    let pointer = NonNull::from(managed);
    // SAFETY: the structure lives until `release` is called, by whoever takes it or by `forget`.
    let capsule = unsafe { PyCapsule::new_with_pointer_and_destructor(py, pointer.cast(), S::NAME, Some(forget::<S>)) };
    if capsule.is_err() {
        // SAFETY: nobody has it.
        unsafe { release::<S>(pointer.as_ptr()) };
    }
    capsule
}

/// A capsule with the tensor (`torch.Tensor.__dlpack__`), of the version that the taker knows.
///
/// # Errors
/// DLPack has no such dtype.
pub fn export<'py>(py: Python<'py>, tensor: &Tensor, newest: Option<(u32, u32)>) -> PyResult<Bound<'py, PyCapsule>> {
    match newest {
        Some(version) if version >= VERSION => export_as::<Versioned>(py, tensor),
        _ => export_as::<Managed>(py, tensor),
    }
}

/// What Python lets go of: makers may want its lock to be told, and whoever drops the last tensor may hold locks of the program's, for which a thread of Python's
/// waits.
#[pyclass(frozen, module = "sconce._sconce")]
struct Kept {
    _taken: Owner,
}

/// A structure that was taken; its maker is told when it goes.
struct Taken<S: Structure>(NonNull<S>);

// SAFETY: DLPack's deleters are called from any thread, and nothing else is done with it.
unsafe impl<S: Structure> Send for Taken<S> {}
// SAFETY: as above.
unsafe impl<S: Structure> Sync for Taken<S> {}

impl<S: Structure> Drop for Taken<S> {
    fn drop(&mut self) {
        // SAFETY: taken from its capsule, so that nobody else calls it.
        unsafe {
            if let Some(deleter) = self.0.as_ref().deleter() {
                deleter(self.0.as_ptr());
            }
        }
    }
}

fn take<S: Structure>(capsule: &Bound<'_, PyCapsule>, borrowed: &mut Borrowed) -> Result<Tensor, Refused> {
    let pointer = capsule.pointer_checked(Some(S::NAME))?.cast::<S>();
    // SAFETY: a capsule of this name holds such a structure, and nobody took it. From here on it is this one's.
    let taken = unsafe {
        if ffi::PyCapsule_SetName(capsule.as_ptr(), S::TAKEN.as_ptr()) != 0 {
            return Err(PyErr::fetch(capsule.py()).into());
        }
        Taken(pointer)
    };
    // SAFETY: it lives as long as `taken`.
    let managed: &S = unsafe { taken.0.as_ref() };
    if let Some(why) = managed.refused() {
        return Err(Refused::Because(why));
    }
    let t = managed.tensor();
    if ![CPU, PINNED].contains(&t.device[0]) {
        return Err(Refused::Because(format!(
            "a tensor on DLPack's device {}: one on the CPU is expected",
            t.device[0]
        )));
    }
    let dtype = dtypes::of_dlpack(t.code, t.bits).filter(|_| t.lanes == 1).ok_or_else(|| {
        Refused::Because(format!("a tensor of DLPack's type {} with {} bits and {} lanes", t.code, t.bits, t.lanes))
    })?;
    let rank = usize::try_from(t.rank).ok().filter(|rank| *rank <= MAX_RANK);
    let rank = rank.ok_or_else(|| Refused::Because(format!("a tensor of {} dimensions", t.rank)))?;
    // SAFETY: each has an entry a dimension, while `taken` lives.
    let entries = |from: *mut i64| -> Sizes {
        if rank == 0 { Sizes::new() } else { unsafe { std::slice::from_raw_parts(from, rank) }.into() }
    };
    let sizes = entries(t.sizes);
    if sizes.iter().any(|n| *n < 0) {
        return Err(Refused::Because("a tensor of a negative size".into()));
    }
    let strides = if t.strides.is_null() { sconce::tensor::contiguous_strides(&sizes) } else { entries(t.strides) };
    let bytes: Option<Sizes> = strides.iter().map(|s| s.checked_mul(dtype.size() as i64)).collect();
    let lent = Lent {
        data: t.data.cast::<u8>().wrapping_add(t.byte_offset as usize),
        dtype,
        sizes,
        strides: bytes.ok_or_else(|| Refused::Because("a tensor whose strides fit no memory".into()))?,
        is_writable: !managed.is_read_only(),
        is_swapped: false,
    };
    // SAFETY: its maker keeps the elements until `taken` goes, and says whether they may be written.
    unsafe { borrowed.tensor(&lent, Box::new(Py::new(capsule.py(), Kept { _taken: Box::new(taken) })?)) }
}

/// A tensor of whatever has `__dlpack__`; `None` of what has not.
pub fn import(object: &Bound<'_, PyAny>, borrowed: &mut Borrowed) -> Result<Option<Tensor>, Refused> {
    let py = object.py();
    let Some(method) = object.getattr_opt(pyo3::intern!(py, "__dlpack__"))? else { return Ok(None) };
    let keywords = PyDict::new(py);
    keywords.set_item("max_version", VERSION)?;
    let made = match method.call((), Some(&keywords)) {
        // Makers that know no versions know no such argument.
        Err(e) if e.is_instance_of::<PyTypeError>(py) => method.call0()?,
        made => made?,
    };
    let capsule = made
        .cast_into::<PyCapsule>()
        .map_err(|_| Refused::Raised(errors::new(py, "ArgumentError", "__dlpack__ gave no capsule")))?;
    match capsule.is_valid_checked(Some(Versioned::NAME)) {
        true => take::<Versioned>(&capsule, borrowed),
        false => take::<Managed>(&capsule, borrowed),
    }
    .map(Some)
}
