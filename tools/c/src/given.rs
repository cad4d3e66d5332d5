//! What C hands over is looked at before it is used: NULL, counts and text; what the library hands out is a box, or NULL.

use crate::error::Failure;
use std::ffi::{CStr, CString, OsStr, c_char};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null_mut;

/// Something of a handle that must be there.
pub(crate) fn given<T>(handle: Option<T>, name: &str) -> Result<T, Failure> {
    handle.ok_or_else(|| Failure::Misuse(format!("{name} is NULL")))
}

/// The text of a C string that must be there.
///
/// # Safety
/// It is NULL, or ends with a 0 and stays what it is as long as the text is used.
pub(crate) unsafe fn text<'a>(given: *const c_char, name: &str) -> Result<&'a str, Failure> {
    if given.is_null() {
        return Err(Failure::Misuse(format!("{name} is NULL")));
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(given) };
    text.to_str().map_err(|e| Failure::Misuse(format!("{name} is not UTF-8 from byte {} on", e.valid_up_to())))
}

/// The path that a C string says, of any bytes.
///
/// # Safety
/// It is NULL, or ends with a 0 and stays what it is as long as the path is used.
pub(crate) unsafe fn path<'a>(given: *const c_char) -> Result<&'a Path, Failure> {
    if given.is_null() {
        return Err(Failure::Misuse("path is NULL".to_owned()));
    }
    // SAFETY: the caller's promise.
    let path = unsafe { CStr::from_ptr(given) };
    Ok(Path::new(OsStr::from_bytes(path.to_bytes())))
}

/// The items of an array; of none it may be NULL.
///
/// # Safety
/// There are as many, and they stay what they are as long as they are used.
pub(crate) unsafe fn items<'a, T>(given: *const T, count: usize, name: &str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if given.is_null() || !given.is_aligned() {
        return Err(Failure::Misuse(format!("{name} is NULL or not aligned, and {count} items are expected there")));
    }
    if count.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(Failure::Misuse(format!("{name}: {count} items fit no memory")));
    }
    // SAFETY: the caller's promise, and the length was checked.
    Ok(unsafe { std::slice::from_raw_parts(given, count) })
}

/// Puts a handle of what is made where the caller wants it; NULL if nothing is made.
pub(crate) fn hand_out<T>(
    place: Option<&mut MaybeUninit<*mut T>>,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<(), Failure> {
    let place = given(place, "the place of the result")?;
    place.write(null_mut());
    place.write(Box::into_raw(Box::new(make()?)));
    Ok(())
}

/// Puts a plain answer where the caller wants it.
pub(crate) fn answer<T>(place: Option<&mut MaybeUninit<T>>, value: T) -> Result<(), Failure> {
    given(place, "the place of the result")?.write(value);
    Ok(())
}

/// A text for C. One that has a 0 inside is shown with the sign for what cannot be shown.
pub(crate) fn c_text(text: &str) -> CString {
    CString::new(text).or_else(|_| CString::new(text.replace('\0', "\u{fffd}"))).unwrap_or_default()
}
