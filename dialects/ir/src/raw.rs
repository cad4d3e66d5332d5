//! The small conversions every call across the C ABI needs: strings both ways, sinks, and a context behind a raw handle.

use melior::Context;
use mlir_sys::{MlirContext, MlirStringRef};
use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::mem::{align_of, size_of};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Borrows `text` for a call.
pub(crate) fn str_ref(text: &str) -> MlirStringRef {
    bytes_ref(text.as_bytes())
}

/// Borrows `bytes` for a call.
pub(crate) fn bytes_ref(bytes: &[u8]) -> MlirStringRef {
    MlirStringRef { data: bytes.as_ptr().cast(), length: bytes.len() }
}

/// The bytes behind a string that MLIR owns.
///
/// # Safety
///
/// The bytes must live for `'a`.
pub(crate) unsafe fn as_bytes<'a>(text: MlirStringRef) -> &'a [u8] {
    if text.length == 0 {
        return &[];
    }
    // SAFETY: MLIR's string references are a valid pointer and length, and the caller vouches for the lifetime.
    unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) }
}

/// The same as text; the empty string when it is not UTF-8 (attributes may hold any bytes: see `attr::bytes_value`).
///
/// # Safety
///
/// As for [`as_bytes`].
pub(crate) unsafe fn as_str<'a>(text: MlirStringRef) -> &'a str {
    // SAFETY: passed on to the caller.
    std::str::from_utf8(unsafe { as_bytes(text) }).unwrap_or_default()
}

/// A sink for C functions that hand text or bytes over: appends to the `Vec<u8>` behind `user`.
pub(crate) unsafe extern "C" fn push_bytes(text: MlirStringRef, user: *mut c_void) {
    // SAFETY: every caller in this crate passes a `&mut Vec<u8>` that nothing else uses during the call.
    unsafe { (*user.cast::<Vec<u8>>()).extend_from_slice(as_bytes(text)) }
}

/// What `print` writes through [`push_bytes`].
pub(crate) fn collect(print: impl FnOnce(*mut c_void)) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new();
    print((&raw mut bytes).cast());
    bytes
}

/// What `print` writes through [`push_bytes`], as text.
pub(crate) fn collect_text(print: impl FnOnce(*mut c_void)) -> String {
    match String::from_utf8(collect(print)) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}

const _: () = assert!(size_of::<Context>() == size_of::<MlirContext>());
const _: () = assert!(align_of::<Context>() == align_of::<MlirContext>());

/// A reference to the context behind `raw` for as long as the context lives.
///
/// melior's builders want `&Context`, but from an operation it gives only a `ContextRef`, whose `to_ref` points at the `ContextRef` itself. Here each
/// context's handle is kept once at a fixed address (8 bytes, never freed), and references point there.
///
/// # Safety
///
/// `raw` must be a context that lives for `'c`.
pub(crate) unsafe fn context<'c>(raw: MlirContext) -> &'c Context {
    static HANDLES: LazyLock<Mutex<HashMap<usize, usize>>> = LazyLock::new(Default::default);
    thread_local! {
        static LAST: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    }
    let key = raw.ptr as usize;
    let (last_key, last_place) = LAST.get();
    let place = if last_key == key {
        last_place
    } else {
        let mut handles = HANDLES.lock().unwrap_or_else(PoisonError::into_inner);
        let place = *handles.entry(key).or_insert_with(|| Box::into_raw(Box::new(raw)) as usize);
        LAST.set((key, place));
        place
    };
    // SAFETY: `place` holds this handle for ever, and `Context` is nothing but the handle (its size and alignment are asserted above). It is only
    // borrowed, so its `Drop`, which would destroy the context, never runs.
    unsafe { &*(place as *const Context) }
}
