//! A function through all stages of the CPU, and what of each is kept.

use crate::machine_code;
use crate::stages::{ENTRY_NAME, FEATURES, PIPELINES, STAGES};
use sconce_ir::codegen::{Emit, Target};
use sconce_ir::prelude::*;
use std::sync::OnceLock;

/// How exact compiled code is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Numerics {
    /// What the interpreter computes exactly, bit for bit.
    Strict,
    #[default]
    Default,
    Fast,
}

#[derive(Clone, Debug, Default)]
pub struct CodeOptions {
    pub target: Target,
    pub numerics: Numerics,
    /// Keep the text of every stage, and where its lines come from.
    pub keep_text: bool,
    /// The code is called by this name, in place of [`crate::ENTRY`]; that of region i by it and i.
    pub symbol: Option<String>,
}

/// A stage of compilation, by the option of `sconce show` that prints it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// linalg on tensors, as lowered from torch.
    Linalg,
    /// After fusion of elementwise operations.
    Fused,
    /// Buffers and loops.
    Loops,
    /// LLVM IR after optimisation.
    Llvm,
    Assembly,
}

/// A compiled function.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// A relocatable object that exports [`crate::ENTRY`], or the function that [`CodeOptions::symbol`] names.
    pub object: Vec<u8>,
    /// The texts, if asked for.
    pub texts: Vec<(Stage, PlacedText)>,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Lowering(#[from] sconce_linalg::Error),
    #[error(transparent)]
    Mlir(#[from] sconce_ir::Error),
}

/// The stage whose text is kept after a pipeline.
fn stage_after(pipeline: &str) -> Option<Stage> {
    match pipeline {
        "sconce-fuse" => Some(Stage::Fused),
        "sconce-cpu-loops" => Some(Stage::Loops),
        _ => None,
    }
}

/// Makes the passes and pipelines of the CPU known to MLIR.
fn registered() -> Result<(), sconce_ir::Error> {
    static DONE: OnceLock<Result<(), sconce_ir::Error>> = OnceLock::new();
    DONE.get_or_init(|| {
        sconce_pass::register_with_pipelines(sconce_linalg::PASSES, sconce_linalg::PIPELINES)?;
        sconce_pass::register_with_pipelines(crate::PASSES, PIPELINES)
    })
    .clone()
}

/// Compiles the one function of `module`, which is from tensors to tensors. The module is consumed by its lowering.
pub fn compile<'c>(module: &Module<'c>, options: &CodeOptions) -> Result<Compiled, Error> {
    registered()?;
    let root: OperationRef<'c, 'c> = whole(module);
    let mut texts = Vec::new();
    let mut keep = |stage: Stage| {
        if options.keep_text {
            texts.push((stage, print_placed(module.as_operation(), &PrintOptions::default())));
        }
    };
    keep(Stage::Linalg);
    // Texts of code for this machine say nothing of it, so that they are the same on each.
    if !options.target.is_host() {
        root.set_attr(FEATURES, attr::string(root.context_ref(), &options.target.processor()?.1));
    }
    if let Some(symbol) = &options.symbol {
        root.set_attr(ENTRY_NAME, attr::string(root.context_ref(), symbol));
    }
    for pipeline in STAGES.split(',') {
        run_pipeline(root, pipeline)?;
        if let Some(stage) = stage_after(pipeline) {
            keep(stage);
        }
    }
    let object = sconce_ir::codegen::emit(module, &options.target, Emit::Object)?;
    if options.keep_text {
        texts.extend(machine_code::texts(module, root, &options.target)?);
    }
    Ok(Compiled { object, texts })
}

/// The module's operation, without the borrow of the module: the handles made from it are all dropped before the module is.
pub(crate) fn whole<'c>(module: &Module<'c>) -> OperationRef<'c, 'c> {
    let first: BlockRef<'c, '_> = module.body();
    BlockLike::parent_operation(&*first).unwrap_or_else(|| unreachable!("a module's body is in the module"))
}
