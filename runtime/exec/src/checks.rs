//! Compiled code whose every access to memory is looked at: made so for tests, it calls a function before each, and that finds the buffer it lies in or keeps what
//! is wrong until the call is over.
//!
//! The calls are those of LLVM's AddressSanitizer (`__asan_load4_noabort` …); what they compare with is exact, down to the byte: the inputs and results of
//! the call, the temporaries that the code holds at that moment, its constants, and its stack. What may be touched is touched here too: a sanitizer that this
//! is built with, ThreadSanitizer above all, sees what compiled code reads and writes.

use crate::temporaries;
use std::cell::RefCell;
use std::mem::MaybeUninit;
use std::ops::Range;

/// What one call of checked code may touch, and what it did wrong.
struct Watch {
    allowed: Vec<Range<usize>>,
    faults: Vec<String>,
}

thread_local! {
    static WATCHES: RefCell<Vec<Watch>> = const { RefCell::new(Vec::new()) };
}

/// Faults that are kept of one call.
const KEPT: usize = 4;

/// Runs code that may touch these addresses and its own stack.
///
/// # Panics
/// The code touched something else: it was compiled wrongly.
pub(crate) fn watched(name: &str, mut allowed: Vec<Range<usize>>, run: impl FnOnce()) {
    let top = std::hint::black_box(&allowed) as *const _ as usize;
    // The stack grows downwards; how far down it is now, each check sees for itself.
    allowed.push(0..top);
    WATCHES.with_borrow_mut(|watches| watches.push(Watch { allowed, faults: Vec::new() }));
    run();
    let watch = WATCHES.with_borrow_mut(Vec::pop);
    let faults = watch.map(|w| w.faults).unwrap_or_default();
    assert!(faults.is_empty(), "compiled code of {name}: {}", faults.join("; "));
}

/// Whether code that runs on this thread is looked at.
pub(crate) fn is_watching() -> bool {
    WATCHES.with_borrow(|watches| !watches.is_empty())
}

/// Looks at one access: whether it may be made.
fn check(how: &str, at: usize, bytes: usize) -> bool {
    let here = std::hint::black_box(&bytes) as *const _ as usize;
    let touched = at..at.saturating_add(bytes);
    let within = |range: &Range<usize>| range.start <= touched.start && touched.end <= range.end;
    WATCHES.with_borrow_mut(|watches| {
        let Some(watch) = watches.last_mut() else { return false };
        let Some((stack, buffers)) = watch.allowed.split_last() else { return false };
        if bytes == 0 || buffers.iter().any(within) || within(&(here..stack.end)) || temporaries::hold(&touched) {
            return true;
        }
        if watch.faults.len() < KEPT {
            let distance = |r: &Range<usize>| (r.start.saturating_sub(at)).max(touched.end.saturating_sub(r.end));
            let nearest = buffers.iter().min_by_key(|r| distance(r));
            let nearest = nearest.map_or_else(String::new, |r| {
                format!(", {} bytes from the start of one of {}", at.wrapping_sub(r.start) as isize, r.len())
            });
            watch.faults.push(format!("{how} {bytes} bytes outside of its buffers{nearest}"));
        }
        false
    })
}

/// A load of so many bytes.
fn load(at: usize, bytes: usize) {
    if check("reads", at, bytes) {
        for byte in at..at + bytes {
            // SAFETY: the code may read there, and does so next; what lies there need not have a value.
            let _ = unsafe { (byte as *const MaybeUninit<u8>).read_volatile() };
        }
    }
}

/// A store of so many bytes.
fn store(at: usize, bytes: usize) {
    if check("writes", at, bytes) {
        for byte in (at..at + bytes).map(|byte| byte as *mut MaybeUninit<u8>) {
            // SAFETY: the code may write there, and does so next; until then all stays as it is.
            unsafe { byte.write_volatile(byte.read_volatile()) };
        }
    }
}

/// The functions that look at accesses of so many bytes.
macro_rules! accesses {
    ($($name:literal $function:ident $access:ident $bytes:literal)*) => {
        $(extern "C" fn $function(at: usize) {
            $access(at, $bytes);
        })*

        fn sized(name: &str) -> Option<u64> {
            match name {
                $($name => Some($function as *const () as u64),)*
                _ => None,
            }
        }
    };
}

accesses! {
    "__asan_load1_noabort" load1 load 1
    "__asan_load2_noabort" load2 load 2
    "__asan_load4_noabort" load4 load 4
    "__asan_load8_noabort" load8 load 8
    "__asan_load16_noabort" load16 load 16
    "__asan_store1_noabort" store1 store 1
    "__asan_store2_noabort" store2 store 2
    "__asan_store4_noabort" store4 store 4
    "__asan_store8_noabort" store8 store 8
    "__asan_store16_noabort" store16 store 16
}

extern "C" fn load_n(at: usize, bytes: usize) {
    load(at, bytes);
}

extern "C" fn store_n(at: usize, bytes: usize) {
    store(at, bytes);
}

/// `memmove`, and `memcpy` too: what copies nothing onto itself copies the same. A sanitizer sees these for itself.
unsafe extern "C" fn copy(to: *mut u8, from: *const u8, bytes: usize) -> *mut u8 {
    check("reads", from as usize, bytes);
    check("writes", to as usize, bytes);
    // SAFETY: as C's `memmove`, which the caller asked for.
    unsafe { std::ptr::copy(from, to, bytes) };
    to
}

unsafe extern "C" fn set(to: *mut u8, byte: i32, bytes: usize) -> *mut u8 {
    check("writes", to as usize, bytes);
    // SAFETY: as C's `memset`, which the caller asked for.
    unsafe { std::ptr::write_bytes(to, byte as u8, bytes) };
    to
}

extern "C" fn no_return() {}

/// Where a function that looks at accesses is.
pub(crate) fn address(name: &str) -> Option<u64> {
    let function = match name {
        "__asan_loadN_noabort" => load_n as *const (),
        "__asan_storeN_noabort" => store_n as *const (),
        "__asan_memcpy" | "__asan_memmove" => copy as *const (),
        "__asan_memset" => set as *const (),
        "__asan_handle_no_return" => no_return as *const (),
        _ => return sized(name),
    };
    Some(function as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    fn said(run: impl FnOnce(usize) + std::panic::UnwindSafe) -> String {
        let buffer = vec![0u8; 32];
        let start = buffer.as_ptr() as usize;
        let caught = catch_unwind(move || watched("r", vec![start..start + 32], || run(start)));
        caught.err().and_then(|e| e.downcast_ref::<String>().cloned()).unwrap_or_default()
    }

    #[test]
    fn what_is_outside_by_one_element_is_seen() {
        assert_eq!(said(|at| load4(at + 28)), "");
        assert_eq!(said(|at| store16(at + 16)), "");
        let last = "compiled code of r: reads 4 bytes outside of its buffers, 32 bytes from the start of one of 32";
        assert_eq!(said(|at| load4(at + 32)), last);
        assert!(said(|at| store4(at - 4)).contains("writes 4 bytes outside of its buffers, -4 bytes from the start"));
        assert!(said(|at| load16(at + 24)).contains("24 bytes from the start"));
        assert!(said(|at| store_n(at, 33)).contains("writes 33 bytes"));
        assert_eq!(said(|at| load_n(at + 32, 0)), "");
    }

    #[test]
    fn the_stack_of_the_code_is_its_own() {
        let mut local = 0u64;
        let said = said(move |_| {
            local += 1;
            load8(std::hint::black_box(&local) as *const u64 as usize);
        });
        assert_eq!(said, "");
    }
}
