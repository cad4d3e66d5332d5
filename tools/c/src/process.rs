//! What holds for the whole process: the library's version, threads, random numbers.

use crate::error::{Failure, SconceError, SconceStatus, ask, call};
use crate::given;
use sconce::kernels::parallel;
use std::ffi::c_char;
use std::mem::MaybeUninit;

/// The library's version, such as `0.1.0`. The text lives as long as the process.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// How many threads one operator may use (`torch.get_num_threads`).
#[unsafe(no_mangle)]
pub extern "C" fn sconce_num_threads() -> usize {
    ask(0, || Some(parallel::threads()))
}

/// Bounds the threads that one operator may use, for the whole process (`torch.set_num_threads`). No result depends on it. With 1 a call stays on its caller's
/// thread, which is best where many threads call.
///
/// `threads` is from 1 to 1024.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_set_num_threads(
    threads: usize,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let most = parallel::MOST;
        if !(1..=most).contains(&threads) {
            return Err(Failure::Misuse(format!("{threads} threads: a number from 1 to {most} is expected")));
        }
        parallel::set_threads(threads);
        Ok(())
    })
}

/// Loads a shared library that has operators, and makes them known to the whole process: programs that are loaded from now on may call them. It stays loaded; the same
/// file again does nothing. How such a library is written SconceRegisterOperators says, and the structures of operators.
///
/// `path` is of any bytes that end with a 0. The library's code runs in this process. A library one of whose operators is refused has none (SCONCE_STATUS_LOAD).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_load_operators(
    path: *const c_char,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        // SAFETY: the caller's text ends with a 0.
        let path = unsafe { given::path(path) }?;
        Ok(sconce::load_operators(path).map(drop)?)
    })
}

/// Seeds the generator that programs draw from where they name none, for the whole process (`torch.manual_seed`).
#[unsafe(no_mangle)]
pub extern "C" fn sconce_manual_seed(seed: u64) {
    ask((), || {
        sconce::tensor::mersenne::manual_seed(seed);
        Some(())
    });
}
