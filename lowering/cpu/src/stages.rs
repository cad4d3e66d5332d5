//! The stages from buffers to LLVM's dialect as passes, and their order as named pipelines.

use crate::family::{Registers, contraction, row as rows, window};
use crate::outline_parallel_loops::GRAIN;
use crate::{collapse_loops, entry, fuse_outer_loops, outline_parallel_loops, prefetch_rows, stack_buffers};
use sconce_exec::ENTRY;
use sconce_ir::{OpExt, OperationRef, ValueLike};
use sconce_pass::{Failure, Pass, PassResult, PassRow, PassRun, PipelineRow, row};

/// The attribute of a module that says for which processor it is compiled, as LLVM spells features; without it, for this one.
pub(crate) const FEATURES: &str = "sconce.features";

/// The attribute of a module that says by which name its code is called; without it, by [`ENTRY`].
pub(crate) const ENTRY_NAME: &str = "sconce.entry";

/// The whole way from linalg on tensors, one pipeline after the other. Formulas come first: folded, a function of a constant would be the C library's.
pub(crate) const STAGES: &str = "sconce-expand-math,sconce-fuse,sconce-bufferize,sconce-cpu-loops,sconce-cpu-llvm";

/// The pipelines of the CPU.
pub static PIPELINES: &[PipelineRow] = &[
    (
        "sconce-cpu-loops",
        "Structured operations on buffers become loops and products of register tiles",
        "sconce-copies-to-loops,sconce-contraction,sconce-fuse-outer-loops,sconce-collapse-loops,sconce-fold-windows,sconce-sum-rows,sconce-keep-extremes,convert-linalg-to-parallel-loops,\
         func.func(arith-expand{include-bf16=true}),sconce-outline-parallel-loops,sconce-stack-buffers,sconce-prefetch-rows",
    ),
    (
        "sconce-cpu-llvm",
        "Loops become LLVM's operations, entered by one function that takes all arguments in an array",
        "sconce-expand-math{calls=true},expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-vector-to-llvm,\
         finalize-memref-to-llvm{use-aligned-alloc=true},convert-math-to-llvm,convert-math-to-libm,convert-func-to-llvm,\
         convert-arith-to-llvm,convert-index-to-llvm,convert-cf-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts,sconce-entry",
    ),
    ("sconce-cpu", "Compile one function of tensors for this processor, up to LLVM's dialect", STAGES),
];

/// The passes of the stages.
pub(crate) const ROWS: [PassRow; 10] = [
    row::<FuseOuterLoops>(),
    row::<CollapseLoops>(),
    row::<Contraction>(),
    row::<FoldWindows>(),
    row::<SumRows>(),
    row::<KeepExtremes>(),
    row::<OutlineParallelLoops>(),
    row::<StackBuffers>(),
    row::<PrefetchRows>(),
    row::<Entry>(),
];

/// What follows each other row by row, or channel by channel, in one loop.
pub struct FuseOuterLoops;

impl Pass for FuseOuterLoops {
    const NAME: &'static str = "sconce-fuse-outer-loops";
    const DESCRIPTION: &'static str = "Run operations on buffers that share their outer loops one after the other for each part, which stays in the cache";
    const DIALECTS: &'static [&'static str] = &["arith", "memref", "scf"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        fuse_outer_loops::fuse(root).map_err(|e| Failure::new(e.to_string()))
    }
}

/// Loops that lead through memory one after the other as one.
pub struct CollapseLoops;

impl Pass for CollapseLoops {
    const NAME: &'static str = "sconce-collapse-loops";
    const DESCRIPTION: &'static str =
        "Make loops of operations on buffers one where they lead through memory one after the other";
    const DIALECTS: &'static [&'static str] = &["memref"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        collapse_loops::collapse(root).map_err(|e| Failure::new(e.to_string()))
    }
}

/// Products as register tiles.
pub struct Contraction;

impl Pass for Contraction {
    const NAME: &'static str = "sconce-contraction";
    const DESCRIPTION: &'static str = "Replace products of matrices by loops over register tiles";
    const DIALECTS: &'static [&'static str] = &["arith", "memref", "scf", "vector"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        contraction::expand(root, registers(root)).map_err(|e| Failure::new(e.to_string()))
    }
}

/// Those of the processor that the module is compiled for.
fn registers(root: OperationRef<'_, '_>) -> Registers {
    match root.str_attr(FEATURES) {
        Some(features) => Registers::of(features),
        None => Registers::of(&sconce_ir::codegen::host().features),
    }
}

/// Windows as register tiles.
pub struct FoldWindows;

impl Pass for FoldWindows {
    const NAME: &'static str = "sconce-fold-windows";
    const DESCRIPTION: &'static str = "Replace convolutions of few channels and pools by loops over register tiles";
    const DIALECTS: &'static [&'static str] = &["arith", "memref", "scf", "vector"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        window::expand(root, registers(root)).map_err(|e| Failure::new(e.to_string()))
    }
}

/// Sums of short rows as register tiles.
pub struct SumRows;

impl Pass for SumRows {
    const NAME: &'static str = "sconce-sum-rows";
    const DESCRIPTION: &'static str =
        "Replace sums along short rows by loops over tiles of rows that are summed at once";
    const DIALECTS: &'static [&'static str] = &["arith", "memref", "scf", "vector"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        rows::expand(root, registers(root)).map_err(|e| Failure::new(e.to_string()))
    }
}

/// Extremes as LLVM's own operations: expanded to comparisons, a row's maximum would not become vectors.
pub struct KeepExtremes;

impl Pass for KeepExtremes {
    const NAME: &'static str = "sconce-keep-extremes";
    const DESCRIPTION: &'static str = "Replace floating-point extremes by LLVM's intrinsics";
    const DIALECTS: &'static [&'static str] = &["llvm"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        for (name, intrinsic) in [("arith.maximumf", "llvm.intr.maximum"), ("arith.minimumf", "llvm.intr.minimum")] {
            for op in root.find_all(name) {
                let operands = op.operand_values();
                let at = sconce_ir::builder::Builder::before(op);
                let types: Vec<_> = operands.iter().take(1).map(|v| v.r#type()).collect();
                let location = sconce_ir::OperationLike::location(&op);
                let made = at.op(intrinsic, location).operands(&operands).results(&types);
                let flags = op.attr("fastmath").and_then(sconce_ir::attr::llvm_fast_math);
                let made = if let Some(flags) = flags { made.attr("fastmathFlags", flags) } else { made };
                let value = made.build_value()?;
                op.replace_with(&[value])?;
            }
        }
        Ok(())
    }
}

/// Loops for several threads as functions.
pub struct OutlineParallelLoops;

impl Pass for OutlineParallelLoops {
    const NAME: &'static str = "sconce-outline-parallel-loops";
    const DESCRIPTION: &'static str =
        "Move parallel loops with much work into functions of a range of iterations, which threads share";
    const DIALECTS: &'static [&'static str] = &["arith", "func", "memref", "scf"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        outline_parallel_loops::outline(root).map_err(|e| Failure::new(e.to_string()))
    }
}

/// Small buffers of loops on the stack.
pub struct StackBuffers;

impl Pass for StackBuffers {
    const NAME: &'static str = "sconce-stack-buffers";
    const DESCRIPTION: &'static str = "Keep small buffers that each turn of a loop takes and gives back on the stack";
    const DIALECTS: &'static [&'static str] = &["memref"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        stack_buffers::keep(root).map_err(|e| Failure::new(e.to_string()))
    }
}

/// Rows that are read more than once.
pub struct PrefetchRows;

impl Pass for PrefetchRows {
    const NAME: &'static str = "sconce-prefetch-rows";
    const DESCRIPTION: &'static str =
        "Fetch the next row of an argument while a row is computed with, where it is read more than once";
    const DIALECTS: &'static [&'static str] = &["arith", "memref", "scf"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        prefetch_rows::prefetch(root).map_err(|e| Failure::new(e.to_string()))
    }
}

/// The function that everybody calls.
pub struct Entry;

impl Pass for Entry {
    const NAME: &'static str = "sconce-entry";
    const DESCRIPTION: &'static str = "Add the function that takes all arguments of the module's one in an array of words, and have threads call the parts of loops so";
    const DIALECTS: &'static [&'static str] = &["llvm"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        root.remove_attr(FEATURES);
        let defined = root.find_all("llvm.func").into_iter().filter(|f| f.body(0).is_some());
        let (parts, whole): (Vec<_>, Vec<_>) = defined.partition(|f| f.int_attr(GRAIN).is_some());
        let ([function], Some(module)) = (&whole[..], root.body(0)) else {
            return Err(Failure::new(format!("{} functions to compile at once", whole.len())));
        };
        let name = root.str_attr(ENTRY_NAME).unwrap_or(ENTRY);
        root.remove_attr(ENTRY_NAME);
        entry::add_entry(module, *function, name)
            .and_then(|()| entry::share_parts(root, module, &parts))
            .map_err(|e| Failure::new(e.to_string()))
    }
}
