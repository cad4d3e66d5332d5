//! The compiler in a process of its own: the one that was built with the tests, or another that `SCONCE_COMPILER` names.

use sconce::request::{Limits, Worker};
use std::path::PathBuf;

/// Such a compiler.
pub fn worker() -> Worker {
    Worker::new(program(), Vec::new(), Limits::default())
}

/// Its program.
pub fn program() -> PathBuf {
    let named = std::env::var_os("SCONCE_COMPILER").map(PathBuf::from);
    named.or_else(|| option_env!("CARGO_BIN_EXE_sconce-compiler").map(PathBuf::from)).expect("SCONCE_COMPILER is set")
}
