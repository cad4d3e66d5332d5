//! `sconce trace`: what a program does with example inputs, as a program without branches.

use super::convert::write_module;
use super::run::{call_of, load, options};
use super::{CallArgs, CommandResult, CompileArgs, print};
use crate::engine::Engine;
use crate::module::Module;
use crate::value_text::parse_input;
use clap::Args;
use sconce_tensor::IValue;
use std::path::PathBuf;
use std::process::ExitCode;

/// Run a program with example inputs and write what it did as a program without branches.
///
/// Of source, functions and modules are run as Python, as torch.jit.trace does, and sizes stay sizes of the inputs; without inputs the entry is one that traces
/// itself. Other programs are run as they are, and numbers become constants.
#[derive(Args)]
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
    let compile = CompileArgs { no_compile: true, dynamic: false, gpu: false };
    let engine = Engine::new(options(&compile, args.call.seed)).map_err(|e| e.to_string())?;
    let is_source = args.call.eval.is_some() || args.call.path().extension().is_some_and(|e| e == "py");
    let module = if is_source { of_source(&engine, args)? } else { of_program(&engine, args)? };
    match &args.output {
        Some(path) => write_module(module, path)?,
        None => {
            let name = module.function_or_default(None).map_err(|e| e.to_string())?;
            print(&module.graph(&name).map_err(|e| e.to_string())?);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn of_source<'e>(engine: &'e Engine, args: &TraceArgs) -> Result<Module<'e>, String> {
    let call = &args.call;
    let file = call.path().display().to_string();
    let text = match &call.eval {
        Some(text) => text.clone(),
        None => std::fs::read_to_string(call.path()).map_err(|e| format!("{file}: {e}"))?,
    };
    let mut inputs: Vec<IValue> = Vec::new();
    for (i, text) in call.input.iter().enumerate() {
        let seed = call.seed.wrapping_mul(1_000_003).wrapping_add(i as u64);
        inputs.extend(parse_input(text, seed).map_err(|e| format!("--input {e}"))?);
    }
    let traced = engine.trace_source(&file, &text, call.entry.as_deref(), &inputs, !args.no_check);
    let (module, warnings) = traced.map_err(|e| e.to_string())?;
    warnings.iter().for_each(|w| eprintln!("warning: {w}"));
    Ok(module)
}

fn of_program<'e>(engine: &'e Engine, args: &TraceArgs) -> Result<Module<'e>, String> {
    let module = load(engine, &args.call)?;
    let (function, arguments) = call_of(&module, &args.call)?;
    module.traced(&function, &arguments).map_err(|e| e.to_string())
}
