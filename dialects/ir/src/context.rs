//! Contexts in which every upstream dialect and Sconce's are registered.

use crate::{ffi, raw};
use melior::Context;
use melior::dialect::DialectRegistry;

/// The dialects that Sconce builds operations of; loaded in every context of [`new`].
const LOADED: &[&str] = &["torch", "torch_c", "sconce", "func"];

/// A registry of all upstream dialects and extensions, the LLVM translations, and Sconce's dialects.
pub fn registry() -> DialectRegistry {
    let registry = DialectRegistry::new();
    // SAFETY: the registry is valid for the call.
    unsafe { ffi::sconceRegisterEverything(registry.to_raw()) };
    registry
}

/// A context with everything registered and the torch dialects loaded. `threads`: whether MLIR's passes may use several threads; a
/// compile job that is one of many running at once should say no. Costs a millisecond or two.
pub fn new(threads: bool) -> Context {
    let context = Context::new_with_registry(&registry(), threads);
    load(&context, LOADED);
    context
}

/// Loads dialects, so that their operations and types can be built. (Parsing loads by itself.) Unknown names are ignored.
pub fn load(context: &Context, dialects: &[&str]) {
    for dialect in dialects {
        // SAFETY: the context is valid, and the name is borrowed for the call.
        unsafe { mlir_sys::mlirContextGetOrLoadDialect(context.to_raw(), raw::str_ref(dialect)) };
    }
}
