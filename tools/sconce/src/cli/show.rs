//! `sconce show`: a program at any stage on its way to machine code.

use super::run::{call_of, options};
use super::{CallArgs, CommandResult, CompileArgs, print};
use crate::engine::{Engine, Stage};
use clap::{ArgGroup, Args};
use std::process::ExitCode;

/// Show a program at a stage.
///
/// Stages from --fused on depend on the types of the arguments: give them by --input or --inputs, or they are taken from the program where it is typed.
#[derive(Args)]
#[command(group = ArgGroup::new("stage").multiple(false))]
pub struct ShowArgs {
    #[command(flatten)]
    call: CallArgs,
    /// Compile for any sizes of this rank instead of the sizes at hand.
    #[arg(long)]
    dynamic: bool,
    /// Graph text, as PyTorch prints it [the default].
    #[arg(long, group = "stage")]
    graph: bool,
    /// The torch dialect.
    #[arg(long, group = "stage")]
    mlir: bool,
    /// Bytecode of the interpreter.
    #[arg(long, group = "stage")]
    bytecode: bool,
    /// The torch dialect with regions outlined for compilation.
    #[arg(long, group = "stage")]
    fused: bool,
    /// Regions in linalg on tensors.
    #[arg(long, group = "stage")]
    linalg: bool,
    /// Regions in LLVM IR.
    #[arg(long, group = "stage")]
    llvm: bool,
    /// Regions in this machine's assembly.
    #[arg(long, group = "stage")]
    asm: bool,
    /// Regions in PTX.
    #[arg(long, group = "stage")]
    ptx: bool,
    /// GPU architecture for --ptx.
    #[arg(long, default_value = "sm_80", value_name = "ARCH")]
    chip: String,
}

pub fn run(args: &ShowArgs) -> CommandResult {
    let stage = [
        (args.mlir, Stage::Mlir),
        (args.bytecode, Stage::Bytecode),
        (args.fused, Stage::Fused),
        (args.linalg, Stage::Linalg),
        (args.llvm, Stage::Llvm),
        (args.asm, Stage::Asm),
        (args.ptx, Stage::Ptx { chip: args.chip.clone() }),
    ]
    .into_iter()
    .find_map(|(wanted, stage)| wanted.then_some(stage))
    .unwrap_or(Stage::Graph);
    let compile = CompileArgs { no_compile: false, dynamic: args.dynamic, gpu: false };
    let engine = Engine::new(options(&compile, args.call.seed)).map_err(|e| e.to_string())?;
    let mut module = engine.load(&args.call.file).map_err(|e| e.to_string())?;
    let (name, arguments) = call_of(&module, &args.call)?;
    print(&module.show(&name, &arguments, &stage).map_err(|e| e.to_string())?);
    Ok(ExitCode::SUCCESS)
}
