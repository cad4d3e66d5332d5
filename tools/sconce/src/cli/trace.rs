//! `sconce trace`: what a program does with example inputs, as a program without branches.

use super::arguments::{call_of, input_at, with_values};
use super::convert::write_module;
use super::progress::tell;
use super::run::{is_source, load, source_of};
use super::{CallArgs, CommandResult, CompileArgs, print};
use crate::engine::Engine;
use crate::module::Module;
use clap::Args;
use sconce_tensor::IValue;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sconce trace net.py --entry 'Net(4).eval()' -i 2x4xf32 -o traced.pt
  sconce trace model.pt -i 1x3x32x32xf32";

/// Run a program with example inputs and write what it did as a program without branches.
///
/// Of source, functions and modules are run as Python, as torch.jit.trace does, and sizes stay sizes of the inputs; without inputs the entry is one that traces
/// itself. Other programs are run as they are, and numbers become constants.
#[derive(Args)]
#[command(after_long_help = with_values(EXAMPLES))]
pub struct TraceArgs {
    #[command(flatten)]
    call: CallArgs,
    /// Where to write it, in the form that the ending names (.pt, .txt, .py, …); otherwise its graph is printed.
    #[arg(long, short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// Do not trace again to compare.
    #[arg(long)]
    no_check: bool,
}

pub fn run(args: &TraceArgs) -> CommandResult {
    let engine = Engine::new(CompileArgs::off().options()).map_err(|e| e.to_string())?;
    let module = if is_source(&args.call) { of_source(&engine, args)? } else { of_program(&engine, args)? };
    match &args.output {
        Some(path) => write_module(&module, path)?,
        None => {
            let name = module.function_or_default(None).map_err(|e| e.to_string())?;
            print(&module.graph(&name).map_err(|e| e.to_string())?);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn of_source(engine: &Engine, args: &TraceArgs) -> Result<Module, String> {
    let call = &args.call;
    let (file, text) = source_of(call)?;
    let mut inputs: Vec<IValue> = Vec::new();
    for (at, text) in call.input.iter().enumerate() {
        inputs.extend(input_at(call, at, text)?);
    }
    let traced = engine.trace_source(&file, &text, call.entry.as_deref(), &inputs, !args.no_check);
    let (module, warnings) = traced.map_err(|e| e.to_string())?;
    warnings.iter().for_each(|w| tell(&format!("warning: {w}")));
    Ok(module)
}

fn of_program(engine: &Engine, args: &TraceArgs) -> Result<Module, String> {
    let module = load(engine, &args.call)?;
    let (function, arguments) = call_of(&module, &args.call)?;
    module.traced(&function, &arguments).map_err(|e| e.to_string())
}
