//! Kernels that are in a crate of their own, which a program may be built without: an operator that is not there is refused by name.

use crate::{Call, Error, Kernel, Outputs};
use sconce_tensor::IValue;
use std::sync::OnceLock;

/// Finds a kernel by its operator's full name.
pub type Find = fn(&str) -> Option<Kernel>;

static EXTRA: OnceLock<Find> = OnceLock::new();

/// Makes the kernels of `sconce-kernels-extra` known.
pub fn extend(find: Find) {
    // There is one such crate, so whoever was first said the same.
    let _ = EXTRA.set(find);
}

/// The kernel of every operator whose own is in that crate.
pub fn elsewhere(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    match EXTRA.get().and_then(|find| find(call.entry.name)) {
        Some(kernel) => kernel(call, args),
        None => Err(Error::Missing {
            op: call.entry.name.to_string(),
            needs: Some("a build with the feature `extra-kernels` (`sconce` has it, the smallest runtime has not)"),
        }),
    }
}
