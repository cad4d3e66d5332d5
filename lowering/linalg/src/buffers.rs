//! What bufferization leaves undone: every operation gets a destination of its own before it, and strided copies become loops after it.

use crate::Error;
use crate::emit::{Body, Emit, Iterator};
use sconce_ir::affine::identity;
use sconce_ir::builtin_type::{Layout, Shaped};
use sconce_ir::{OpExt, OperationRef, ValueExt, ValueLike};

/// Gives every user of an empty or filled tensor its own. Merged ones would become one buffer that several operations write, with copies
/// between them that eliminate-empty-tensors then puts in the wrong order.
pub(crate) fn separate_destinations<'c>(root: OperationRef<'c, 'c>) -> Result<(), Error> {
    for name in ["linalg.fill", "tensor.empty"] {
        for op in root.find_all(name) {
            let Some(value) = op.result_value(0) else { continue };
            for user in value.uses().into_iter().skip(1) {
                let at = sconce_ir::builder::Builder::before(user.owner);
                let copy = at.insert(op.clone_with(&[]));
                let own = copy.result_value(0).ok_or_else(|| Error::Internal("a copy without result".into()))?;
                user.owner.set_operand_value(user.operand, own);
            }
        }
    }
    Ok(())
}

/// Replaces strided copies (or `all`) in `root` by `linalg.generic`.
pub(crate) fn copies_to_loops<'c>(root: OperationRef<'c, 'c>, all: bool) -> Result<(), Error> {
    for copy in root.find_all("memref.copy") {
        let operands = copy.operand_values();
        let strided = |v: &sconce_ir::Value<'c, 'c>| Layout::of(v.r#type()).is_none_or(|layout| !layout.row_major);
        if !all && !operands.iter().any(strided) {
            continue;
        }
        let t = operands.first().and_then(|v| Shaped::buffer(v.r#type()));
        let t = t.ok_or_else(|| Error::Internal("a copy of what is no buffer".into()))?;
        let e = Emit::in_front_of(copy)?;
        let rank = t.sizes.len();
        let identity = e.map(rank, &identity(rank));
        let kinds = vec![e.iterator(Iterator::Parallel); rank];
        let mut body = |e: &Emit<'c>, a: &[crate::emit::V<'c>]| e.op("linalg.yield", &[a[0]], &[], &[]).map(|_| ());
        e.with_regions(
            "linalg.generic",
            &operands,
            &[],
            &[
                ("operandSegmentSizes", e.i32_array(&[1, 1])),
                ("indexing_maps", e.array(&[identity, identity])),
                ("iterator_types", e.array(&kinds)),
            ],
            &mut [Body { arguments: vec![t.element, t.element], build: &mut body }],
        )?;
        copy.erase().map_err(|e| Error::Internal(e.to_string()))?;
    }
    Ok(())
}
