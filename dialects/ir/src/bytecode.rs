//! Modules as MLIR bytecode, which leaves nothing out: how a module gets from one context to another, for instance to another thread's.
//!
//! ```
//! use sconce_ir::{bytecode, prelude::*};
//! let (here, there) = (context::new(false), context::new(false));
//! let module = parse_module(&here, b"func.func private @f()", "f.mlir")?;
//! let copy = bytecode::read(&there, &bytecode::write(&module), "f")?;
//! assert_eq!(bytecode::write(&copy), bytecode::write(&module));
//! # Ok::<(), sconce_ir::Error>(())
//! ```

use crate::text::parse_module;
use crate::{Error, raw};
use melior::Context;
use melior::ir::Module;

/// The module's bytes, the same for the same module in any context. Locations are part of them.
pub fn write(module: &Module<'_>) -> Vec<u8> {
    raw::collect(|user| {
        // SAFETY: the operation is valid, and `user` is the sink's.
        unsafe { mlir_sys::mlirOperationWriteBytecode(module.as_operation().to_raw(), Some(raw::push_bytes), user) }
    })
}

/// The module that [`write`] made bytes of, in this context. `name` is what errors call it.
///
/// # Errors
///
/// [`Error::Failed`] when they are no module's, or of one that does not verify.
pub fn read<'c>(context: &'c Context, bytes: &[u8], name: &str) -> Result<Module<'c>, Error> {
    parse_module(context, bytes, name)
}
