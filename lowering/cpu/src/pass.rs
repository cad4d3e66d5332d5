//! `print-region-code`, the pass: what the stages of compilation make of each region, as remarks.

use crate::{CodeOptions, Stage, compile_regions};
use sconce_ir::{OpExt, OperationRef};
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRow, PassRun, row};

/// Says by a remark what a stage makes of each `sconce.region`; the module stays as it is.
pub struct PrintRegionCode;

impl Pass for PrintRegionCode {
    const NAME: &'static str = "print-region-code";
    const DESCRIPTION: &'static str =
        "Print what a stage of compilation for this processor makes of each sconce.region";
    const OPTIONS: &'static [PassOption] =
        &[PassOption::str("stage", "linalg, fused, loops, llvm, asm, or spec (inputs, guards, results)", "loops")];
    const DIALECTS: &'static [&'static str] =
        &["func", "linalg", "arith", "math", "tensor", "bufferization", "memref", "scf", "vector", "llvm", "cf"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let stage = match run.str("stage") {
            "linalg" => Some(Stage::Linalg),
            "fused" => Some(Stage::Fused),
            "loops" => Some(Stage::Loops),
            "llvm" => Some(Stage::Llvm),
            "asm" => Some(Stage::Assembly),
            "spec" => None,
            other => return Err(Failure::new(format!("there is no stage `{other}`"))),
        };
        for region in compile_regions(root, &CodeOptions { keep_text: stage.is_some(), ..CodeOptions::default() }) {
            let object = region.outcome.map_err(|why| Failure::new(format!("region {}: {why}", region.name)))?;
            let mut said = format!("// region {}\n", region.name);
            for (_, text) in object.texts.iter().filter(|(s, _)| Some(*s) == stage) {
                said += &text.text;
            }
            if stage.is_none() {
                for (key, value) in object.spec.to_metadata() {
                    said += &format!("// {key}: {value}\n");
                }
            }
            root.emit_remark(&said);
        }
        Ok(())
    }
}

/// The passes of this crate.
pub static PASSES: &[PassRow] = &{
    let [outer, collapse, contraction, windows, sums, extremes, parallel, stack, rows, entry] = crate::stages::ROWS;
    [outer, collapse, contraction, windows, sums, extremes, parallel, stack, rows, entry, row::<PrintRegionCode>()]
};
