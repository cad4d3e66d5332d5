//! `outline-regions`, the pass.

use crate::outline::{NotTaken, Options, Taken, Target, no_lowering, outline};
use sconce_ir::{OpExt, OperationRef};
use sconce_pass::{Pass, PassOption, PassResult, PassRow, PassRun, row};

/// Makes a `sconce.region` of every run of operations that lower to linalg.
pub struct OutlineRegions;

impl Pass for OutlineRegions {
    const NAME: &'static str = "outline-regions";
    const DESCRIPTION: &'static str = "Put runs of operations that can be compiled into sconce.region";
    const OPTIONS: &'static [PassOption] = &[
        PassOption::int("min-ops", "fewer computing operations are not worth a region", 1),
        PassOption::int("max-ops", "a region of as many operators takes no more", 256),
        PassOption::bool("unseen-layouts", "regions may lay their results row by row where nobody sees that", false),
        PassOption::int("calls-from", "steps from which kernels are called in branches and loops; 0: never", 0),
        PassOption::bool("report", "say by remarks what was not taken and why", false),
    ];
    const DIALECTS: &'static [&'static str] =
        &["torch", "sconce", "func", "linalg", "arith", "math", "tensor", "scf", "bufferization", "memref"];

    fn run(op: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let [min_ops, max_ops] = ["min-ops", "max-ops"].map(|name| usize::try_from(run.int(name)).unwrap_or(1));
        let [remarks, unseen_layouts] = ["report", "unseen-layouts"].map(|name| run.bool(name));
        let target = Lowered { calls_from: Some(run.int("calls-from")).filter(|least| *least > 0) };
        outline(op, &target, &Options { min_ops, max_ops, remarks, unseen_layouts, ..Options::default() })?;
        Ok(())
    }
}

/// Whatever lowers to linalg.
struct Lowered {
    calls_from: Option<i64>,
}

impl Target for Lowered {
    fn takes(&self, op: OperationRef<'_, '_>) -> Result<Taken, NotTaken> {
        let work = sconce_linalg::supports(op.context_ref(), op, self.calls_from).map_err(no_lowering)?;
        Ok(if work.mostly_calls { Taken::Call } else { Taken::Code })
    }

    fn calls_from(&self) -> Option<i64> {
        self.calls_from
    }
}

/// The passes of this crate.
pub static PASSES: &[PassRow] = &[row::<OutlineRegions>()];
