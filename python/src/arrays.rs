//! Arrays of NumPy, and of whoever speaks its array interface, become tensors: by the C side of the protocol, so that no NumPy need be there.

use crate::dtypes;
use crate::errors::Refused;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sconce::schema::DType;
use sconce::tensor::lent::{Borrowed, Lent, MAX_RANK};
use std::ffi::{c_char, c_int, c_void};

/// What the capsule of `__array_struct__` points to (`PyArrayInterface`).
#[repr(C)]
struct ArrayInterface {
    /// 2, to tell that this is it.
    two: c_int,
    rank: c_int,
    kind: c_char,
    item_size: c_int,
    flags: c_int,
    sizes: *const isize,
    strides: *const isize,
    data: *mut c_void,
    description: *mut c_void,
}

const NOT_SWAPPED: c_int = 0x200;
const WRITABLE: c_int = 0x400;

/// A tensor of an array; `None` of what is no array.
pub fn tensor(array: &Bound<'_, PyAny>, borrowed: &mut Borrowed) -> Result<Option<sconce::tensor::Tensor>, Refused> {
    let py = array.py();
    let Some(found) = array.getattr_opt(intern!(py, "__array_struct__"))? else { return Ok(None) };
    let Ok(capsule) = found.cast_into::<PyCapsule>() else { return Ok(None) };
    let pointer = capsule.pointer_checked(None)?.cast::<ArrayInterface>();
    // SAFETY: an unnamed capsule of this attribute points to such a structure, for as long as the capsule lives.
    let interface = unsafe { pointer.as_ref() };
    let rank = usize::try_from(interface.rank).ok().filter(|rank| *rank <= MAX_RANK && interface.two == 2);
    let rank = rank.ok_or_else(|| Refused::Because("an array interface of an unknown kind".into()))?;
    // SAFETY: both have an entry a dimension, for as long as the capsule lives; they may be nothing where there are none.
    let entries = |from: *const isize| match rank {
        0 => [].iter().copied().collect(),
        _ => unsafe { std::slice::from_raw_parts(from, rank) }.iter().map(|n| *n as i64).collect(),
    };
    let lent = Lent {
        data: interface.data.cast(),
        dtype: dtype(array, interface.kind as u8, usize::try_from(interface.item_size).unwrap_or(0))?,
        sizes: entries(interface.sizes),
        strides: entries(interface.strides),
        is_writable: interface.flags & WRITABLE != 0,
        is_swapped: interface.flags & NOT_SWAPPED == 0,
    };
    if lent.sizes.iter().any(|n| *n < 0) {
        return Err(Refused::Because("an array of a negative size".into()));
    }
    let owner = (array.clone().unbind(), capsule.unbind());
    // SAFETY: the array and its capsule keep the elements where they are, and the array says whether they may be written.
    Ok(Some(unsafe { borrowed.tensor(&lent, Box::new(owner)) }?))
}

/// The dtype of an array's elements.
fn dtype(array: &Bound<'_, PyAny>, kind: u8, bytes: usize) -> Result<DType, Refused> {
    if let Some(dtype) = dtypes::of_kind(kind, bytes) {
        return Ok(dtype);
    }
    // Types that NumPy lacks go by their names.
    let name: String = match array.getattr_opt("dtype")? {
        Some(dtype) => dtype.str()?.to_string(),
        None => char::from(kind).to_string(),
    };
    dtypes::of_name(&name).filter(|dtype| dtype.size() == bytes).ok_or_else(|| {
        Refused::Because(format!(
            "an array of dtype {name} is no tensor: numbers and bools of up to 64 bits (complex: 128) are expected"
        ))
    })
}
