//! Which of some operations may have run before another one does, in a block with branches and loops.

use rustc_hash::FxHashMap;
use sconce_analysis::alias::id;
use sconce_ir::prelude::*;

/// Operations in a block, and in branches and loops there.
pub struct Order<'c, 'a> {
    home: BlockRef<'c, 'a>,
    /// By block, the first operation that is one of them or holds one, and that one.
    first: FxHashMap<usize, (OperationRef<'c, 'a>, OperationRef<'c, 'a>)>,
    /// By loop, one of those that it holds.
    in_loops: FxHashMap<usize, OperationRef<'c, 'a>>,
}

fn address(block: BlockRef<'_, '_>) -> usize {
    block.to_raw().ptr as usize
}

/// The operation, and what it stands in up to a block.
fn outwards<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    home: BlockRef<'c, 'a>,
) -> Vec<(BlockRef<'c, 'a>, OperationRef<'c, 'a>)> {
    let mut all = Vec::new();
    let mut op = op;
    while let Some(block) = op.block_ref() {
        all.push((block, op));
        match op.parent() {
            Some(outer) if block != home => op = outer,
            _ => break,
        }
    }
    all
}

impl<'c: 'a, 'a> Order<'c, 'a> {
    /// Of these operations.
    pub fn of(ops: &[OperationRef<'c, 'a>], home: BlockRef<'c, 'a>) -> Self {
        let mut order = Order { home, first: FxHashMap::default(), in_loops: FxHashMap::default() };
        for op in ops {
            for (block, outer) in outwards(*op, home) {
                let first = order.first.entry(address(block)).or_insert((outer, *op));
                if outer != first.0 && outer.is_before_in_block(first.0) {
                    *first = (outer, *op);
                }
                if outer != *op && outer.is("torch.prim.Loop") {
                    order.in_loops.entry(id(outer)).or_insert(*op);
                }
            }
        }
        order
    }

    /// One of them that may have run before this operation does, since the block was entered: in one block the order decides, of two branches only one runs, and a
    /// loop runs again.
    pub fn before(&self, op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
        for (block, outer) in outwards(op, self.home) {
            if let Some(inner) = self.in_loops.get(&id(outer)).filter(|_| outer != op) {
                return Some(*inner);
            }
            match self.first.get(&address(block)) {
                Some((first, one)) if *first != outer && first.is_before_in_block(outer) => return Some(*one),
                _ => {}
            }
        }
        None
    }
}
