//! Engines whose every call is compiled, by the compiler in a process of its own.

use sconce::Options;
use sconce::executor::{CompileMode, FusionStrategy, Settings, Specialization};
use sconce::request::{Compiler, Limits, Worker};
use std::sync::Arc;

/// Options with such a compiler, for the sizes at hand or for any.
pub fn options(kind: Specialization) -> Options {
    by(Arc::new(worker()), kind)
}

/// The compiler in a process of its own.
pub fn worker() -> Worker {
    Worker::new(env!("CARGO_BIN_EXE_sconce-compiler").into(), Vec::new(), Limits::default())
}

/// Options with this compiler.
pub fn by(compiler: Arc<dyn Compiler>, kind: Specialization) -> Options {
    let fusion = FusionStrategy::new(vec![(kind, 8)]).expect("few enough");
    let executor = Settings { compile: CompileMode::Now, profiled_runs: 0, fusion, ..Settings::default() };
    Options { executor, compiler: Some(compiler), ..Options::default() }
}
