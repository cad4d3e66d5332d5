//! DLPack's capsules: what is in them is taken once, and freed where Python's lock is held.

use crate::errors::{self, Refused};
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use sconce::tensor::Tensor;
use sconce::tensor::dlpack::{self, Managed, Structure, Taken, VERSION, Versioned};
use sconce::tensor::lent::{Borrowed, Owner};
use std::ffi::CStr;

/// What `__dlpack_device__` says.
pub use sconce::tensor::dlpack::DEVICE;

/// Either structure, by the names that its capsule has before and after somebody took it.
trait InCapsule: Structure {
    const NAME: &CStr;
    const TAKEN: &CStr;
}

impl InCapsule for Managed {
    const NAME: &CStr = c"dltensor";
    const TAKEN: &CStr = c"used_dltensor";
}

impl InCapsule for Versioned {
    const NAME: &CStr = c"dltensor_versioned";
    const TAKEN: &CStr = c"used_dltensor_versioned";
}

/// Called when a capsule goes: one that nobody took still has its tensor.
unsafe extern "C" fn forget<S: InCapsule>(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls it with the capsule, attached to the interpreter; its pointer is what `export` put there.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, S::NAME.as_ptr()) == 1 {
            dlpack::release::<S>(ffi::PyCapsule_GetPointer(capsule, S::NAME.as_ptr()).cast());
        }
    }
}

fn export_as<'py, S: InCapsule>(py: Python<'py>, tensor: &Tensor) -> PyResult<Bound<'py, PyCapsule>> {
    let pointer = dlpack::export::<S>(tensor).map_err(|e| PyBufferError::new_err(e.to_string()))?;
    // SAFETY: the structure lives until `release` is called, by whoever takes it or by `forget`.
    let capsule = unsafe { PyCapsule::new_with_pointer_and_destructor(py, pointer.cast(), S::NAME, Some(forget::<S>)) };
    if capsule.is_err() {
        // SAFETY: nobody has it.
        unsafe { dlpack::release::<S>(pointer.as_ptr()) };
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

fn take<S: InCapsule>(capsule: &Bound<'_, PyCapsule>, borrowed: &mut Borrowed) -> Result<Tensor, Refused> {
    let py = capsule.py();
    let pointer = capsule.pointer_checked(Some(S::NAME))?.cast::<S>();
    // SAFETY: a capsule of this name holds such a structure, and nobody took it. From here on it is this one's.
    let taken = unsafe {
        if ffi::PyCapsule_SetName(capsule.as_ptr(), S::TAKEN.as_ptr()) != 0 {
            return Err(PyErr::fetch(py).into());
        }
        Taken::new(pointer)
    };
    taken.tensor(borrowed, |taken| Ok(Box::new(Py::new(py, Kept { _taken: Box::new(taken) })?)))
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
