//! A compiler that asks the disk first: what was compiled before, by any process of the user, is not compiled again.

use super::{Cache, Key};
use crate::compiler::{CompileRequest, Compiler};
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
    fn compile(&self, request: &CompileRequest) -> Result<Vec<u8>, String> {
        match (self.key)(request) {
            Some(key) => self.cache.get_or_make(&key, || self.compiler.compile(request)),
            None => self.compiler.compile(request),
        }
    }
}
