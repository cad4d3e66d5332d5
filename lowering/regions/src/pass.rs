//! `outline-regions`, the pass.

use crate::outline::{Options, Taken, outline};
use sconce_ir::{OpExt, OperationRef};
use sconce_pass::{Pass, PassOption, PassResult, PassRow, PassRun, row};

/// Makes a `sconce.region` of every run of operations that lower to linalg.
pub struct OutlineRegions;

impl Pass for OutlineRegions {
    const NAME: &'static str = "outline-regions";
    const DESCRIPTION: &'static str = "Put runs of operations that can be compiled into sconce.region";
    const OPTIONS: &'static [PassOption] = &[
        PassOption::int("min-ops", "fewer computing operations are not worth a region", 1),
        PassOption::bool("report", "say by remarks what was not taken and why", false),
    ];
    const DIALECTS: &'static [&'static str] =
        &["torch", "sconce", "func", "linalg", "arith", "math", "tensor", "scf", "bufferization", "memref"];

    fn run(op: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let min_ops = usize::try_from(run.int("min-ops")).unwrap_or(1);
        let supports = |op: OperationRef<'_, '_>| {
            let work = sconce_linalg::supports(op.context_ref(), op).map_err(|e| ("no-lowering", e.to_string()))?;
            Ok(if work.calls { Taken::Call } else { Taken::Code })
        };
        outline(op, &supports, &Options { min_ops, remarks: run.bool("report") })?;
        Ok(())
    }
}

/// The passes of this crate.
pub static PASSES: &[PassRow] = &[row::<OutlineRegions>()];
