//! `print-region-ptx`, the pass: PTX and launch plan of each region, on standard output.

use crate::{CHIPS, compile_regions};
use sconce_ir::OperationRef;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRow, PassRun, row};

/// Prints the PTX of each `sconce.region`; the module stays as it is.
pub struct PrintRegionPtx;

impl Pass for PrintRegionPtx {
    const NAME: &'static str = "print-region-ptx";
    const DESCRIPTION: &'static str = "Print PTX and launch plan of each sconce.region";
    const OPTIONS: &'static [PassOption] = &[PassOption::str("chip", "sm_80 or sm_90", "sm_80")];
    const DIALECTS: &'static [&'static str] =
        &["func", "linalg", "arith", "math", "tensor", "bufferization", "memref", "scf", "gpu", "nvvm", "llvm", "cf"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let chip = run.str("chip");
        if !CHIPS.contains(&chip) {
            return Err(Failure::new(format!("`{chip}` is not one of {}", CHIPS.join(", "))));
        }
        for (name, outcome) in compile_regions(root) {
            let (_, compiled) = outcome.map_err(|why| Failure::new(format!("region {name}: {why}")))?;
            println!("// region {name}");
            for (key, value) in compiled.plan.to_metadata() {
                println!("// {key}: {value}");
            }
            for (_, text) in compiled.ptx.iter().filter(|(c, _)| c == chip) {
                println!("{text}");
            }
        }
        Ok(())
    }
}

/// The passes of this crate.
pub static PASSES: &[PassRow] = &[row::<PrintRegionPtx>()];
