//! Engines whose every call is compiled, by the compiler in a process of its own.
#![allow(dead_code, reason = "each test file takes what it needs")]

use sconce::Options;
use sconce::executor::{CompileMode, FusionStrategy, Settings, Specialization};
use sconce::request::{Compiler, Limits, Worker};
use std::path::PathBuf;
use std::sync::Arc;

/// Options with such a compiler, for the sizes at hand or for any.
pub fn options(kind: Specialization) -> Options {
    by(Arc::new(worker()), kind)
}

/// The compiler in a process of its own: the one that was built with the tests, or another that `SCONCE_COMPILER` names.
pub fn worker() -> Worker {
    Worker::new(program(), Vec::new(), Limits::default())
}

/// One whose code has every access to memory checked: a call that touches anything but its buffers panics.
pub fn checking() -> Worker {
    Worker::new(program(), vec!["--check-memory".into()], Limits::default())
}

fn program() -> PathBuf {
    let named = std::env::var_os("SCONCE_COMPILER").map(PathBuf::from);
    named.or_else(|| option_env!("CARGO_BIN_EXE_sconce-compiler").map(PathBuf::from)).expect("SCONCE_COMPILER is set")
}

/// Options with this compiler.
pub fn by(compiler: Arc<dyn Compiler>, kind: Specialization) -> Options {
    let fusion = FusionStrategy::new(vec![(kind, 8)]).expect("few enough");
    let executor = Settings { compile: CompileMode::Now, profiled_runs: 0, fusion, ..Settings::default() };
    Options { executor, compiler: Some(compiler), ..Options::default() }
}
