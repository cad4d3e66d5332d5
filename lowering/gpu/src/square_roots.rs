//! `sconce-gpu-square-roots`: square roots are an instruction of PTX, where the conversion to NVVM would call CUDA's library for them.

use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun};

/// See the module's page.
pub struct GpuSquareRoots;

impl Pass for GpuSquareRoots {
    const NAME: &'static str = "sconce-gpu-square-roots";
    const DESCRIPTION: &'static str = "Make square roots of f32 and f64 the instruction that PTX has";
    const DIALECTS: &'static [&'static str] = &["llvm"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        replace(root).map_err(|e| Failure::new(e.to_string()))
    }
}

fn replace(root: OperationRef<'_, '_>) -> Result<(), sconce_ir::Error> {
    let context = root.context_ref();
    for op in root.find_all("math.sqrt") {
        let ty = op.result_types()[0];
        let intrinsic = match (ty.is_f32(), ty.is_f64()) {
            (true, _) => "llvm.nvvm.sqrt.rn.f",
            (_, true) => "llvm.nvvm.sqrt.rn.d",
            _ => continue,
        };
        let at = Builder::before(op);
        let call = at
            .op("llvm.call_intrinsic", op.location())
            .operands(&op.operand_values())
            .attr("intrin", attr::string(context, intrinsic))
            .attr("op_bundle_sizes", attr::i32_array(context, &[]))
            .attr("operandSegmentSizes", attr::i32_array(context, &[1, 0]))
            .results(&[ty]);
        op.replace_with(&[call.build_value()?])?;
    }
    Ok(())
}
