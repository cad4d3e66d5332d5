//! The stages from linalg on tensors to buffers as passes, and their order as named pipelines, for every target.

use crate::{Error, buffers, destination, math, separate_factors, split_concats};
use sconce_ir::builtin_type::Shaped;
use sconce_ir::{OpExt, OperationRef};
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun, PipelineRow};

/// What the stages make operations of.
const DIALECTS: &[&str] = &["func", "linalg", "arith", "math", "tensor", "bufferization", "memref", "scf"];

/// The pipelines that every target begins with.
pub static PIPELINES: &[PipelineRow] = &[
    (
        "sconce-fuse",
        "Fuse chains of elementwise operations",
        "canonicalize,cse,sconce-split-concats,linalg-fuse-elementwise-ops,sconce-separate-factors,canonicalize,cse",
    ),
    (
        "sconce-bufferize",
        "Functions of tensors become functions of buffers, which write their results into the caller's",
        "sconce-destinations,sconce-separate-destinations,eliminate-empty-tensors,empty-tensor-to-alloc-tensor,\
         one-shot-bufferize,buffer-deallocation-pipeline,canonicalize,cse",
    ),
];

fn failed(error: Error) -> Failure {
    Failure::new(error.to_string())
}

/// Functions that give tensors write them into buffers of their caller.
pub struct Destinations;

impl Pass for Destinations {
    const NAME: &'static str = "sconce-destinations";
    const DESCRIPTION: &'static str = "Make functions take buffers for the tensors they give";
    const DIALECTS: &'static [&'static str] = DIALECTS;

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        for function in root.find_all("func.func") {
            let tensors = |(_, results): (_, Vec<_>)| {
                !results.is_empty() && results.into_iter().all(|t| Shaped::tensor(t).is_some())
            };
            if function.signature().is_some_and(tensors) && function.body(0).is_some() {
                destination::into_destinations(root.context_ref(), function).map_err(failed)?;
            }
        }
        Ok(())
    }
}

/// What is computed of joined tensors is computed of each of them.
pub struct SplitConcats;

impl Pass for SplitConcats {
    const NAME: &'static str = "sconce-split-concats";
    const DESCRIPTION: &'static str =
        "Compute elementwise operations on joined tensors part by part, so that nothing is joined first";
    const DIALECTS: &'static [&'static str] = DIALECTS;

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        split_concats::split(root).map_err(failed)
    }
}

/// What is computed of one side of a product is not computed for each element of the other.
pub struct SeparateFactors;

impl Pass for SeparateFactors {
    const NAME: &'static str = "sconce-separate-factors";
    const DESCRIPTION: &'static str =
        "Compute factors of products once, in front of the product that they were fused into";
    const DIALECTS: &'static [&'static str] = DIALECTS;

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        separate_factors::separate(root).map_err(failed)
    }
}

/// No two operations write to what was one tensor.
pub struct SeparateDestinations;

impl Pass for SeparateDestinations {
    const NAME: &'static str = "sconce-separate-destinations";
    const DESCRIPTION: &'static str = "Give every user of an empty or filled tensor its own";
    const DIALECTS: &'static [&'static str] = DIALECTS;

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        buffers::separate_destinations(root).map_err(failed)
    }
}

/// Copies as structured operations, so that they become loops.
pub struct CopiesToLoops;

impl Pass for CopiesToLoops {
    const NAME: &'static str = "sconce-copies-to-loops";
    const DESCRIPTION: &'static str = "Replace copies between strided buffers by linalg.generic";
    const OPTIONS: &'static [PassOption] = &[PassOption::bool("all", "also those of whole buffers", false)];
    const DIALECTS: &'static [&'static str] = DIALECTS;

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        buffers::copies_to_loops(root, run.bool("all")).map_err(failed)
    }
}

/// exp and its kin as the kernels compute them.
pub struct ExpandMath;

impl Pass for ExpandMath {
    const NAME: &'static str = "sconce-expand-math";
    const DESCRIPTION: &'static str =
        "Replace exp, log, sin and their kin by what the kernels compute: of f32 arithmetic without branches";
    const OPTIONS: &'static [PassOption] = &[PassOption::bool("calls", "those of f64 by calls of the runtime", false)];
    const DIALECTS: &'static [&'static str] = DIALECTS;

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        math::expand(root, run.bool("calls")).map_err(failed)
    }
}
