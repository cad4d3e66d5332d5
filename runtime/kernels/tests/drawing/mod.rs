//! One test at a time draws from the process's generator: tests are threads of one process, and whoever seeds and then
//! draws must not meet another's draws between.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The process's generator, this test's alone as long as the guard lives.
pub fn the_generator() -> MutexGuard<'static, ()> {
    static DRAWING: Mutex<()> = Mutex::new(());
    DRAWING.lock().unwrap_or_else(PoisonError::into_inner)
}
