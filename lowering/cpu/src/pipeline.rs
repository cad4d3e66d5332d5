//! The order of the steps, and what each leaves for the next.

use crate::{contraction, entry};
use sconce_exec::ENTRY;
use sconce_ir::jit::{Emit, Target};
use sconce_ir::prelude::*;
use sconce_linalg::{buffers, destination, math};

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
    /// Keep the text of every stage.
    pub keep_text: bool,
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
    /// A relocatable object that exports [`ENTRY`].
    pub object: Vec<u8>,
    /// The texts, if asked for.
    pub texts: Vec<(Stage, String)>,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Lowering(#[from] sconce_linalg::Error),
    #[error(transparent)]
    Mlir(#[from] sconce_ir::Error),
}

const LOOPS: &str = "builtin.module(convert-linalg-to-loops,func.func(arith-expand{include-bf16=true}))";
const LLVM: &str = "builtin.module(expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-vector-to-llvm,\
     finalize-memref-to-llvm{use-aligned-alloc=true},convert-math-to-llvm,convert-math-to-libm,convert-func-to-llvm,convert-arith-to-llvm,\
     convert-index-to-llvm,convert-cf-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts)";

/// The dialects the steps build operations of.
const DIALECTS: &[&str] =
    &["linalg", "arith", "math", "tensor", "bufferization", "memref", "scf", "vector", "llvm", "cf"];

/// Compiles the one function of `module`, which is from tensors to tensors. The module is consumed by its lowering.
pub fn compile<'c>(module: &Module<'c>, options: &CodeOptions) -> Result<Compiled, Error> {
    let root: OperationRef<'c, 'c> = whole(module);
    let context = root.context_ref();
    context::load(context, DIALECTS);
    let mut texts = Vec::new();
    let mut keep = |stage: Stage, module: &Module<'_>| {
        if options.keep_text {
            texts.push((stage, module.as_operation().to_string()));
        }
    };
    let functions = root.find_all("func.func");
    let [function] = functions[..] else {
        return Err(sconce_linalg::Error::Internal(format!("{} functions to compile at once", functions.len())).into());
    };
    let name = function.symbol_name().unwrap_or_default().to_string();
    keep(Stage::Linalg, module);
    run_pipeline(root, buffers::FUSE)?;
    keep(Stage::Fused, module);
    let function = root.find_all("func.func")[0];
    destination::into_destinations(context, function)?;
    buffers::bufferize(root)?;
    buffers::copies_to_loops(root, false)?;
    contraction::expand(root, contraction::Registers::of(&features(&options.target)))?;
    keep_extremes(root)?;
    run_pipeline(root, LOOPS)?;
    keep(Stage::Loops, module);
    math::expand(root)?;
    run_pipeline(root, LLVM)?;
    let lowered = root
        .find_all("llvm.func")
        .into_iter()
        .find(|f| f.symbol_name() == Some(name.as_str()))
        .ok_or_else(|| sconce_linalg::Error::Internal("the function is gone".into()))?;
    let body = root.body(0).ok_or_else(|| sconce_linalg::Error::Internal("a module without body".into()))?;
    entry::add_entry(context, body, lowered, ENTRY)?;
    verify(root)?;
    if options.keep_text {
        texts.push((Stage::Llvm, sconce_ir::jit::emit_text(module, &options.target, Emit::LlvmIr)?));
        texts.push((Stage::Assembly, sconce_ir::jit::emit_text(module, &options.target, Emit::Assembly)?));
    }
    let object = sconce_ir::jit::emit(module, &options.target, Emit::Object)?;
    Ok(Compiled { object, texts })
}

/// Extremes as LLVM's own operations: expanded to comparisons, a row's maximum would not become vectors.
fn keep_extremes<'c>(root: OperationRef<'c, 'c>) -> Result<(), Error> {
    for (name, intrinsic) in [("arith.maximumf", "llvm.intr.maximum"), ("arith.minimumf", "llvm.intr.minimum")] {
        for op in root.find_all(name) {
            let e = sconce_linalg::emit::Emit::in_front_of(op)?;
            let value = e.same(intrinsic, &op.operand_values())?;
            op.replace_with(&[value])?;
        }
    }
    Ok(())
}

/// The features code is made for.
fn features(target: &Target) -> String {
    if target.cpu.is_empty() && target.features.is_empty() {
        sconce_ir::jit::host().features
    } else {
        target.features.clone()
    }
}

/// The module's operation, without the borrow of the module: the handles made from it are all dropped before the module is.
fn whole<'c>(module: &Module<'c>) -> OperationRef<'c, 'c> {
    let first: BlockRef<'c, '_> = module.body();
    BlockLike::parent_operation(&*first).unwrap_or_else(|| unreachable!("a module's body is in the module"))
}
