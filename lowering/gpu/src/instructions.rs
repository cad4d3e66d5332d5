//! `sconce-gpu-instructions`: square roots and multiply-adds are instructions of PTX, where the conversion to NVVM would call CUDA's library for them.

use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun};

/// See the module's page.
pub struct GpuInstructions;

impl Pass for GpuInstructions {
    const NAME: &'static str = "sconce-gpu-instructions";
    const DESCRIPTION: &'static str =
        "Make square roots and multiply-adds of f32 and f64 the instructions that PTX has";
    const DIALECTS: &'static [&'static str] = &["llvm"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        for (name, single, double) in INSTRUCTIONS {
            replace(root, name, single, double).map_err(|e| Failure::new(e.to_string()))?;
        }
        Ok(())
    }
}

/// Operations, each with its instruction for f32 and for f64.
const INSTRUCTIONS: &[(&str, &str, &str)] = &[
    ("math.sqrt", "llvm.nvvm.sqrt.rn.f", "llvm.nvvm.sqrt.rn.d"),
    ("math.fma", "llvm.nvvm.fma.rn.f", "llvm.nvvm.fma.rn.d"),
];

fn replace(root: OperationRef<'_, '_>, name: &str, single: &str, double: &str) -> Result<(), sconce_ir::Error> {
    let context = root.context_ref();
    for op in root.find_all(name) {
        let ty = op.result_types()[0];
        let intrinsic = match (ty.is_f32(), ty.is_f64()) {
            (true, _) => single,
            (_, true) => double,
            _ => continue,
        };
        let operands = op.operand_values();
        let at = Builder::before(op);
        let call = at
            .op("llvm.call_intrinsic", op.location())
            .operands(&operands)
            .attr("intrin", attr::string(context, intrinsic))
            .attr("op_bundle_sizes", attr::i32_array(context, &[]))
            .attr("operandSegmentSizes", attr::i32_array(context, &[operands.len() as i32, 0]))
            .results(&[ty]);
        op.replace_with(&[call.build_value()?])?;
    }
    Ok(())
}
