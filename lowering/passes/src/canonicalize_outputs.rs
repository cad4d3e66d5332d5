//! `canonicalize-outputs`: results of control flow stand in the order of their first use.

use crate::graph::{block_ops, each_function, inner_blocks, keep_results, root_block};
use rustc_hash::FxHashMap;
use sconce_analysis::alias::id;
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassResult, PassRun};

/// The pass `canonicalize-outputs`.
pub struct CanonicalizeOutputs;

impl Pass for CanonicalizeOutputs {
    const NAME: &'static str = "canonicalize-outputs";
    const DESCRIPTION: &'static str = "Order results of branches and loops by their first use";
    const PYTORCH: &'static str = "`CanonicalizeOutputs`";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let Some(root) = root_block(function) else { return Ok(()) };
            let mut order = Order::default();
            order.block(root);
            block(root, &mut order)
        })
    }
}

/// Places in the text, of operations and of the ends of blocks, by [`id`].
#[derive(Default)]
struct Order {
    places: FxHashMap<usize, usize>,
}

impl Order {
    fn block<'c: 'a, 'a>(&mut self, block: BlockRef<'c, 'a>) {
        for op in block.ops() {
            self.places.insert(id(op), self.places.len());
            inner_blocks(op).into_iter().for_each(|inner| self.block(inner));
        }
    }

    /// The first use of a value, through casts as well; unused values stand last.
    fn first_use<'c: 'a, 'a>(&self, value: Value<'c, 'a>) -> (bool, usize, usize) {
        let uses = value.uses().into_iter().map(|u| {
            if sconce_analysis::operators::is_silent(u.owner) {
                u.owner.result_value(0).map_or((true, usize::MAX, 0), |cast| self.first_use(cast))
            } else {
                (false, self.places.get(&id(u.owner)).copied().unwrap_or(usize::MAX), u.operand)
            }
        });
        uses.min().unwrap_or((true, usize::MAX, 0))
    }
}

fn block<'c: 'a, 'a>(within: BlockRef<'c, 'a>, order: &mut Order) -> PassResult {
    for op in block_ops(within).into_iter().rev() {
        let mut op = op;
        if matches!(op.op_name(), "torch.prim.If" | "torch.prim.Loop") {
            let results = op.result_values();
            let mut sorted: Vec<usize> = (0..results.len()).collect();
            sorted.sort_by_key(|i| order.first_use(results[*i]));
            if !sorted.is_sorted() {
                let place = order.places.get(&id(op)).copied().unwrap_or(usize::MAX);
                op = keep_results(op, &sorted)?;
                order.places.insert(id(op), place);
            }
        }
        inner_blocks(op).into_iter().try_for_each(|inner| block(inner, order))?;
    }
    Ok(())
}
