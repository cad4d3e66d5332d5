//! Engines whose every call is compiled.

use super::worker::worker;
use sconce::Options;
use sconce::executor::{CompileMode, FusionStrategy, Settings, Specialization};
use sconce::request::Compiler;
use std::sync::Arc;

/// Options with a compiler in a process of its own, for the sizes at hand or for any.
pub fn options(kind: Specialization) -> Options {
    by(Arc::new(worker()), kind)
}

/// Options with this compiler.
pub fn by(compiler: Arc<dyn Compiler>, kind: Specialization) -> Options {
    let fusion = FusionStrategy::new(vec![(kind, 8)]).expect("few enough");
    let executor = Settings { compile: CompileMode::Now, profiled_runs: 0, fusion, ..Settings::default() };
    Options { executor, compiler: Some(compiler), ..Options::default() }
}
