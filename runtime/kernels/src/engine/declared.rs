//! Kernels of operators that a program declares beside the table: one for each, kept as long as the process lives.

use crate::Kernel;
use sconce_schema::OpEntry;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

static KERNELS: RwLock<BTreeMap<u32, Kernel>> = RwLock::new(BTreeMap::new());

/// The operator has a kernel already.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} has a kernel already")]
pub struct HasKernel(pub &'static str);

/// Gives an operator that a program declared ([`sconce_schema::declare`]) its kernel: the interpreter, the constant folder and the judges of rewrite rules call
/// it from then on. The same kernel may be registered again.
///
/// ```
/// use sconce_kernels::{Call, Error, Outputs, call, register};
/// use sconce_schema::{OpRecord, declare};
/// use sconce_tensor::IValue;
///
/// fn twice(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
///     Ok([IValue::Int(args[0].as_int()?.wrapping_mul(2))].into_iter().collect())
/// }
///
/// let entry = declare(OpRecord { schema_text: "doc::twice(int n) -> int", ..OpRecord::DEFAULT })?;
/// register(entry, twice)?;
/// assert_eq!(call(entry, &mut [IValue::Int(21)])?[0].as_int()?, 42);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// It has another kernel, or is an operator of the table.
pub fn register(entry: &'static OpEntry, kernel: Kernel) -> Result<(), HasKernel> {
    let mut kernels = KERNELS.write().unwrap_or_else(PoisonError::into_inner);
    let is_of_table = (entry.id as usize) < sconce_schema::table().len();
    let is_other = |known: &Kernel| !std::ptr::fn_addr_eq(*known, kernel);
    if is_of_table || kernels.get(&entry.id).is_some_and(is_other) {
        return Err(HasKernel(entry.name));
    }
    kernels.insert(entry.id, kernel);
    Ok(())
}

/// The kernel of an operator that is not of the table.
pub(crate) fn kernel(id: u32) -> Option<Kernel> {
    KERNELS.read().unwrap_or_else(PoisonError::into_inner).get(&id).copied()
}
