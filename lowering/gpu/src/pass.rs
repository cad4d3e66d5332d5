//! The stages of the GPU as passes and named pipelines; `print-region-ptx`: PTX and launch plan of each region, as remarks.

use crate::compile_regions;
use crate::instructions::GpuInstructions;
use crate::launch::into_launches;
use crate::plan::GpuPlan;
use sconce_ir::{OpExt, OperationRef};
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRow, PassRun, PipelineRow, row};

/// Says by a remark the PTX of each `sconce.region`; the module stays as it is.
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
            let mut said = format!("// region {name}\n");
            for (key, value) in compiled.plan.to_metadata() {
                said += &format!("// {key}: {value}\n");
            }
            for (_, text) in compiled.ptx.iter().filter(|(c, _)| c == chip) {
                said += text;
            }
            root.emit_remark(&said);
        }
        Ok(())
    }
}

/// Loop nests as launches.
pub struct GpuLaunches;

impl Pass for GpuLaunches {
    const NAME: &'static str = "sconce-gpu-launches";
    const DESCRIPTION: &'static str = "Put every loop nest on buffers, and what stands between them, into a gpu.launch";
    const DIALECTS: &'static [&'static str] = &["arith", "scf", "gpu"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        for function in root.find_all("func.func").into_iter().filter(|f| f.body(0).is_some()) {
            into_launches(function).map_err(|e| Failure::new(e.to_string()))?;
        }
        Ok(())
    }
}

/// The architectures PTX is made for, in order, and the passes that say so.
macro_rules! chips {
    ($($chip:literal)*) => {
        /// The architectures PTX is made for, in order.
        pub const CHIPS: &[&str] = &[$($chip),*];

        /// The pipelines of the GPU.
        pub static PIPELINES: &[PipelineRow] = &[
            (
                "sconce-gpu-loops",
                "Structured operations on buffers become parallel loops",
                "sconce-copies-to-loops{all=true},convert-linalg-to-parallel-loops,func.func(arith-expand{include-bf16=true}),\
                 sconce-gpu-instructions",
            ),
            (
                "sconce-gpu-outline",
                "Parallel loops become kernels, and the function their launches",
                "sconce-gpu-launches,func.func(sconce-math-polynomial-approximation),canonicalize,cse,\
                 func.func(gpu-launch-sink-index-computations),gpu-kernel-outlining",
            ),
            (
                "sconce-gpu-code",
                "Kernels become PTX",
                concat!(
                    $("nvvm-attach-target{chip=", $chip, " O=3},",)*
                    "gpu.module(expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-gpu-to-nvvm,",
                    "reconcile-unrealized-casts),gpu-module-to-binary{format=isa}"
                ),
            ),
            ("sconce-gpu", "Make kernels and launches of one function of tensors", STAGES),
        ];
    };
}

chips!("sm_80" "sm_90");

/// The way from linalg on tensors to kernels and their launches, one pipeline after the other.
pub(crate) const STAGES: &str = "sconce-expand-math,sconce-fuse,sconce-bufferize,sconce-gpu-loops,sconce-gpu-outline";

/// The passes of this crate.
pub static PASSES: &[PassRow] =
    &[row::<GpuLaunches>(), row::<GpuPlan>(), row::<GpuInstructions>(), row::<PrintRegionPtx>()];
