//! What a turn of a loop needs for a few numbers lies on the stack, once for all turns: asking for memory would take longer than the turn.
//!
//! It is done for loops alone: elsewhere a call is made once, and code whose accesses are checked has its buffers looked at one by one.

use crate::internal;
use sconce_ir::builtin_type::Shaped;
use sconce_ir::{BlockExt, OpExt, OperationRef, ValueExt, ValueLike, attr};
use sconce_linalg::Error;
use sconce_linalg::emit::Emit;

/// Bytes of one buffer, and of all of a function: threads have stacks of some hundred KiB at least.
const MOST: i64 = 4 << 10;
const MOST_TOGETHER: i64 = 64 << 10;

/// Moves small buffers out of the loops of every function.
pub fn keep<'c>(root: OperationRef<'c, 'c>) -> Result<(), Error> {
    for function in root.find_all("func.func") {
        let Some(first) = function.body(0).and_then(|block| block.ops().into_iter().next()) else { continue };
        let mut left = MOST_TOGETHER;
        for alloc in function.find_all("memref.alloc") {
            let Some((bytes, dealloc)) = small(alloc).filter(|(bytes, _)| *bytes <= left) else { continue };
            left -= bytes;
            alloca(alloc, first)?;
            dealloc.erase().map_err(internal)?;
            alloc.erase().map_err(internal)?;
        }
    }
    Ok(())
}

/// The bytes of a small buffer that each turn of a loop takes and gives back, and where it gives it back.
fn small<'c>(alloc: OperationRef<'c, 'c>) -> Option<(i64, OperationRef<'c, 'c>)> {
    let around = std::iter::successors(alloc.parent(), |op| op.parent()).take_while(|op| !op.is("func.func"));
    let names: Vec<_> = around.map(|op| op.op_name()).collect();
    // Threads that share a loop have a buffer each.
    if !names.contains(&"scf.while") || names.contains(&"scf.parallel") {
        return None;
    }
    let value = alloc.result_value(0)?;
    let t = Shaped::buffer(value.r#type())?;
    let element = i64::try_from(attr::element_bytes(t.element)?).ok()?;
    let bytes = t.sizes.iter().try_fold(element, |n, size| n.checked_mul((*size)?))?;
    let dealloc = value.uses().into_iter().map(|u| u.owner).find(|op| op.is("memref.dealloc"))?;
    (bytes <= MOST && dealloc.block_ref() == alloc.block_ref()).then_some((bytes, dealloc))
}

/// The buffer on the stack, in front of `first`, in place of the other.
fn alloca<'c>(alloc: OperationRef<'c, 'c>, first: OperationRef<'c, 'c>) -> Result<(), Error> {
    let Some(old) = alloc.result_value(0) else { return Err(internal("a buffer without value")) };
    let e = Emit::in_front_of(first)?;
    let mut attributes = vec![("operandSegmentSizes", e.i32_array(&[0, 0]))];
    attributes.extend(alloc.attr("alignment").map(|alignment| ("alignment", alignment)));
    let new = e.one("memref.alloca", &[], old.r#type(), &attributes)?;
    old.replace_all_uses_with(new);
    Ok(())
}
