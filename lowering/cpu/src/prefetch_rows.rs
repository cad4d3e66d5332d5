//! Of rows that are read more than once the next one is fetched while this one is computed with: what reads a row first would wait for each of its lines, since
//! a row that fits into registers is read in no order that the processor recognises.

use crate::internal;
use crate::loops::each;
use crate::view::is_view;
use sconce_ir::builtin_type::{Layout, Shaped};
use sconce_ir::{BlockExt, BlockRef, OpExt, OperationRef, ValueExt, ValueLike, attr};
use sconce_linalg::Error;
use sconce_linalg::emit::{Emit, V};

/// Bytes of a line of memory.
const LINE: i64 = 64;

/// Bytes of a row that is worth it, and of one that does not drive out what is computed with.
const BYTES: std::ops::RangeInclusive<i64> = 8 * LINE..=16 << 10;

/// A row of an argument, as a view that is one place of a loop.
struct Row<'c> {
    view: V<'c>,
    elements: i64,
    bytes: i64,
    rank: usize,
}

impl<'c> Row<'c> {
    /// `None` where the next row does not follow in memory.
    fn of(view: OperationRef<'c, 'c>) -> Option<Row<'c>> {
        let (source, value) = (view.operand_value(0)?, view.result_value(0)?);
        let (block, _) = source.block_argument()?;
        let in_loop =
            view.block_ref()?.parent_op().is_some_and(|op| matches!(op.op_name(), "scf.for" | "scf.parallel"));
        if !in_loop || !block.parent_op()?.is("func.func") || view.operand_values().len() < 2 {
            return None;
        }
        let (whole, t) = (Shaped::buffer(source.r#type())?, Shaped::buffer(value.r#type())?);
        let elements = (*t.sizes.last()?)?;
        let outer = t.sizes.iter().rev().skip(1).all(|size| *size == Some(1));
        let follows = Layout::of(source.r#type())?.row_major && whole.sizes.last() == t.sizes.last();
        let bytes = elements.checked_mul(i64::try_from(attr::element_bytes(t.element)?).ok()?)?;
        (outer && follows && BYTES.contains(&bytes)).then_some(Row {
            view: value,
            elements,
            bytes,
            rank: t.sizes.len(),
        })
    }

    /// Fetches the one behind it, in front of an operation.
    fn fetch_next(&self, reader: OperationRef<'c, 'c>) -> Result<(), Error> {
        let e = Emit::in_front_of(reader)?;
        let context = reader.context_ref();
        let (behind, first) = (e.index(self.elements)?, e.index(0)?);
        let step = LINE * self.elements / self.bytes;
        each(&e, behind, e.index(2 * self.elements)?, step, &mut |e, at| {
            let mut operands = vec![self.view];
            operands.extend(vec![first; self.rank - 1]);
            operands.push(at);
            let how = [
                ("isWrite", attr::bool(context, false)),
                ("localityHint", attr::int(context, 32, 3)),
                ("isDataCache", attr::bool(context, true)),
            ];
            e.op("memref.prefetch", &operands, &[], &how).map(|_| ())
        })
    }
}

/// The operations of a block in which a view, or one of it, is read.
fn readers<'c>(value: V<'c>, block: BlockRef<'c, 'c>, found: &mut Vec<OperationRef<'c, 'c>>) {
    for user in value.uses() {
        let op = user.owner;
        if is_view(op) {
            op.result_value(0).into_iter().for_each(|view| readers(view, block, found));
        } else if op.is("memref.load") {
            let outer = std::iter::successors(Some(op), |op| op.parent()).find(|op| op.block_ref() == Some(block));
            found.extend(outer);
        }
    }
}

/// Fetches rows in every loop below `root`.
pub(crate) fn prefetch<'c>(root: OperationRef<'c, 'c>) -> Result<(), Error> {
    let mut done: Vec<(BlockRef<'c, 'c>, Vec<V<'c>>)> = Vec::new();
    for op in root.find_all("memref.subview") {
        let (Some(row), Some(block)) = (Row::of(op), op.block_ref()) else { continue };
        let place = (block, op.operand_values());
        if done.contains(&place) {
            continue;
        }
        // Views of the same row are made by each that reads it.
        let mut found = Vec::new();
        for other in block.ops().into_iter().filter(|o| o.is("memref.subview") && o.operand_values() == place.1) {
            readers(other.result_value(0).ok_or_else(|| internal("a view of nothing"))?, block, &mut found);
        }
        let mut in_order = block.ops().into_iter().filter(|op| found.contains(op));
        if let (Some(_), Some(second)) = (in_order.next(), in_order.next()) {
            row.fetch_next(second)?;
        }
        done.push(place);
    }
    Ok(())
}
