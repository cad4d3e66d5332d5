//! `batch-mm`: products of matrices that wait for nothing between them become one: sums of products, and products that share a factor, as unrolled recurrent
//! networks have them.
//!
//! Nothing crosses an operation that writes or acts, so no factor is read later than something may have changed it. What is batched is rounded otherwise.

mod sides;
mod trees;

use crate::dce::eliminate_dead_code;
use crate::graph::{Rewriter, block_ops, blocks, each_function, inputs, is_steady, nodes};
use sconce_analysis::Aliases;
use sconce_analysis::operators::kind;
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassOption, PassResult, PassRun};

/// The pass `batch-mm`.
pub struct BatchMm;

impl Pass for BatchMm {
    const NAME: &'static str = "batch-mm";
    const DESCRIPTION: &'static str = "Make one product of sums of products, and of many products that share a factor";
    const PYTORCH: &'static str = "`BatchMM`, which takes the factor of a scaled sum (`alpha`) for one";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] = &[
        PassOption::int("least-sum", "products that a sum has at least", 4),
        PassOption::int("least-shared", "products that share a factor, at least", 8),
    ];
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let least = |option| usize::try_from(run.int(option)).unwrap_or(0).max(2);
        let (sum, shared) = (least("least-sum"), least("least-shared"));
        each_function(root, |function| {
            if !nodes(function).into_iter().any(|op| product(op).is_some()) {
                return Ok(());
            }
            let (aliases, mut rewriter) = (Aliases::of(function), Rewriter::new(function.context_ref()));
            for block in blocks(function) {
                for run in steady_runs(&aliases, block) {
                    trees::batch(&mut rewriter, &run, sum)?;
                }
            }
            // Products that went into sums are nobody's any more.
            eliminate_dead_code(function)?;
            let aliases = Aliases::of(function);
            for block in blocks(function) {
                for run in steady_runs(&aliases, block) {
                    sides::batch(&mut rewriter, block, &run, shared)?;
                }
            }
            Ok(())
        })
    }
}

/// The factors of a product of two matrices.
fn product<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<[Value<'c, 'a>; 2]> {
    match inputs(op)[..] {
        [a, b] if kind(op) == "aten.mm" => Some([a, b]),
        _ => None,
    }
}

/// The operations of a block, cut where one writes or acts, which is in no run.
fn steady_runs<'c: 'a, 'a>(aliases: &Aliases<'c>, block: BlockRef<'c, 'a>) -> Vec<Vec<OperationRef<'c, 'a>>> {
    let ops = block_ops(block);
    ops.split(|op| !is_steady(aliases, *op)).map(<[_]>::to_vec).collect()
}
