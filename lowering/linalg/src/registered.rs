//! Lowerings of operators that a program declares beside the table: one for each, kept as long as the process lives.

use crate::{Error, Lowering, find};
use sconce_schema::{OpEntry, OpId};
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

static LOWERINGS: RwLock<BTreeMap<OpId, Lowering>> = RwLock::new(BTreeMap::new());

/// Gives an operator its lowering: from then on regions take its calls, on processors and GPUs. An operator with a scalar expression needs none. The same may be
/// registered again.
///
/// ```
/// use sconce_linalg::{Call, Error, Item, Lower, register};
/// use sconce_schema::{OpRecord, declare};
///
/// /// |x|, by the absolute value of floats.
/// fn magnitude<'c>(l: &mut Lower<'c>, call: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
///     let x = call.tensor(0)?;
///     if !x.dtype.is_float() {
///         return Err(Error::Unsupported(format!("of {}", x.dtype)));
///     }
///     let made = l.elementwise(&[x], &x.sizes, x.dtype, &mut |e, a| e.same("math.absf", &[a[0]]))?;
///     Ok(vec![Item::Tensor(made)])
/// }
///
/// let entry = declare(OpRecord { schema_text: "doc::magnitude(Tensor x) -> Tensor", ..OpRecord::DEFAULT })?;
/// register(entry, magnitude)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// It has another lowering.
pub fn register(entry: &OpEntry, lowering: Lowering) -> Result<(), Error> {
    if find(entry.op()).is_some_and(|known| !std::ptr::fn_addr_eq(known, lowering)) {
        return Err(Error::Unsupported(format!("{} has a lowering already", entry.name)));
    }
    LOWERINGS.write().unwrap_or_else(PoisonError::into_inner).insert(entry.op(), lowering);
    Ok(())
}

pub(crate) fn find_registered(op: OpId) -> Option<Lowering> {
    LOWERINGS.read().unwrap_or_else(PoisonError::into_inner).get(&op).copied()
}
