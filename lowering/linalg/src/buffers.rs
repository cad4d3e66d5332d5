//! Copies between buffers as loops where one of them has gaps: a plain `memref.copy` of those would call a library.

use crate::Error;
use crate::emit::{Body, Emit, Iterator};
use sconce_ir::melior::ir::ValueLike;
use sconce_ir::melior::ir::r#type::{MemRefType, ShapedTypeLike};
use sconce_ir::{OpExt, OperationRef};

/// Replaces strided copies (or `all`) in `root` by `linalg.generic`.
pub fn copies_to_loops<'c>(root: OperationRef<'c, 'c>, all: bool) -> Result<(), Error> {
    for copy in root.find_all("memref.copy") {
        let operands = copy.operand_values();
        let strided = |v: &sconce_ir::Value<'c, 'c>| v.r#type().to_string().contains("strided<");
        if !all && !operands.iter().any(strided) {
            continue;
        }
        let t = MemRefType::try_from(operands[0].r#type()).map_err(|e| Error::Internal(e.to_string()))?;
        let e = Emit::in_front_of(copy)?;
        let rank = t.rank();
        let identity = e.map(rank, &(0..rank).map(|d| format!("d{d}")).collect::<Vec<_>>().join(", "))?;
        let kinds = vec![e.iterator(Iterator::Parallel)?; rank];
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
            &mut [Body { arguments: vec![t.element(), t.element()], build: &mut body }],
        )?;
        copy.erase().map_err(|e| Error::Internal(e.to_string()))?;
    }
    Ok(())
}
