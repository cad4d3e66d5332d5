//! Kernels by family: what a structured operation becomes in place of the scalar loops that it would be.

pub mod contraction;
pub mod row;
mod sums;
pub mod window;

use crate::internal;
use crate::structured::{root_of, static_sizes};
use sconce_ir::{BlockExt, OpExt, OperationRef};
use sconce_linalg::Error;
use sconce_linalg::emit::{Emit, V};

/// The vector registers of a processor.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    /// Bytes of a vector register.
    pub bytes: usize,
    /// Sums that a tile keeps in registers, while some are left for what is multiplied.
    pub sums: i64,
}

impl Registers {
    /// Of a processor with these features, as LLVM spells them.
    pub fn of(features: &str) -> Registers {
        let has = |f: &str| features.split(',').any(|x| x == f);
        let bytes = if has("+avx512f") {
            64
        } else if has("+avx2") {
            32
        } else {
            16
        };
        // There are 32 of them, or 16.
        Registers { bytes, sums: if has("+avx512f") || has("+neon") { 24 } else { 12 } }
    }
}

/// Replaces the operations below `root` for which something is found by what that emits, given what their result was filled with just before: the fill goes too.
fn replace<'c, T>(
    root: OperationRef<'c, 'c>,
    find: impl Fn(OperationRef<'c, 'c>) -> Option<T>,
    emit: impl Fn(T, Option<V<'c>>, &Emit<'c>) -> Result<(), Error>,
) -> Result<(), Error> {
    for op in root.find_all("linalg.generic") {
        let Some(found) = find(op) else { continue };
        let fill = fill_before(op);
        let filled = fill.and_then(|fill| fill.operand_value(0));
        fill.map_or(Ok(()), |fill| fill.erase()).map_err(internal)?;
        emit(found, filled, &Emit::in_front_of(op)?)?;
        op.erase().map_err(internal)?;
    }
    Ok(())
}

/// The operation that fills the result of a fold, where that is all that happens to it before.
fn fill_before<'c>(op: OperationRef<'c, 'c>) -> Option<OperationRef<'c, 'c>> {
    let result = op.operand_values().pop()?;
    let buffer = root_of(result).0;
    let uses = |other: &OperationRef<'c, 'c>| other.operand_values().into_iter().any(|v| root_of(v).0 == buffer);
    let before = op.block_ref()?.ops().into_iter().take_while(|other| *other != op);
    // Views compute nothing.
    let last = before.filter(|other| uses(other) && other.result_values().is_empty()).last()?;
    // Another view of it may have been filled, or a part.
    let elements = |value: V<'c>| static_sizes(value).map(|sizes| sizes.into_iter().product::<i64>());
    (last.is("linalg.fill") && elements(last.operand_value(1)?) == elements(result)).then_some(last)
}
