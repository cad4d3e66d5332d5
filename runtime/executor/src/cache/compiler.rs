//! A compiler that asks the disk first: what was compiled before, by any process of the user, is not compiled again.

use super::{Cache, Key};
use crate::compiler::{CompileRequest, Compiler};
use sconce_interpreter::Program;
use std::sync::Arc;

/// What an entry is kept under; none for requests that are not to be kept.
pub type KeyOf = Box<dyn Fn(&CompileRequest) -> Option<Key> + Send + Sync>;

/// A compiler behind a cache.
pub struct CachedCompiler {
    pub compiler: Arc<dyn Compiler>,
    pub cache: Arc<Cache>,
    pub key: KeyOf,
}

impl Compiler for CachedCompiler {
    fn compile(&self, request: &CompileRequest) -> Result<Program, String> {
        let Some(key) = (self.key)(request) else { return self.compiler.compile(request) };
        let bytes = |program: Program| program.to_bytes().map_err(|e| e.to_string());
        let kept = self.cache.get_or_make(&key, || self.compiler.compile(request).and_then(bytes))?;
        // What cannot be read after all, though it is as it was written, is compiled again.
        Program::from_bytes(&kept).or_else(|_| self.compiler.compile(request))
    }
}
