//! `sconce bisect`: finds out who makes a program compute something else, and writes a small program that shows it.

use super::arguments::{call_of, with_values};
use super::progress::Progress;
use super::run::load;
use super::{CallArgs, CommandResult, CompileArgs, ExpectArgs, FormatArgs, document, print};
use crate::engine::Engine;
use crate::files::write_atomically;
use crate::module::Module;
use crate::value_text::visible;
use clap::Args;
use sconce_request::Blamed;
use sconce_tensor::IValue;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sconce bisect model.pt -i 1x3x32x32xf32
  sconce bisect model.pt --method encode -i x.npy --expect y.safetensors -o wrong.mlir";

/// Find the pass, the rule and the change that make a program compute something else.
///
/// The program is interpreted as it is and as each pass leaves it, then with the code of each region. The first difference is narrowed down to a rule and a change, and to a
/// program of few operations, which is written to a file. Exit status 0 when nothing is wrong, 1 when something is.
#[derive(Args)]
#[command(after_long_help = with_values(EXAMPLES))]
pub struct BisectArgs {
    #[command(flatten)]
    call: CallArgs,
    #[command(flatten)]
    expected: ExpectArgs,
    /// Passes to look at, as `sconce-opt --pass-pipeline` takes them; else those that compile the program, and its compiled regions.
    #[arg(long, value_name = "TEXT")]
    pipeline: Option<String>,
    /// Passes that run behind those that compile, as of `sconce run --passes`.
    #[arg(long, value_name = "TEXT")]
    passes: Option<String>,
    /// Where the small program goes.
    #[arg(long, short = 'o', value_name = "FILE", default_value = "reduced.mlir")]
    output: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
}

pub fn run(args: &BisectArgs) -> CommandResult {
    let compile = CompileArgs { passes: args.passes.clone(), ..CompileArgs::off() };
    let options = compile.options();
    let engine = Engine::new(options).map_err(|e| e.to_string())?;
    let module = load(&engine, &args.call)?;
    let (name, arguments) = call_of(&module, &args.call)?;
    interpreted(args, &module, &name, &arguments)?;
    let progress = Progress::of("comparing what passes leave");
    let blamed = module.blame(&name, &arguments, args.pipeline.as_deref()).map_err(|e| e.to_string())?;
    drop(progress);
    let Some(blamed) = blamed else {
        print(&match args.format.json {
            true => document(serde_json::json!({ "step": null })),
            false => "nothing is wrong: every pass and every region keeps what this call gives".to_owned(),
        });
        return Ok(ExitCode::SUCCESS);
    };
    told(&blamed, &args.output, args.format.json)?;
    Ok(ExitCode::FAILURE)
}

/// Does the interpreter give what is expected, where that is said? Else no pass is to blame.
fn interpreted(args: &BisectArgs, module: &Module, name: &str, arguments: &[IValue]) -> Result<(), String> {
    if args.expected.expect.is_none() {
        return Ok(());
    }
    let copies = sconce_tensor::deep_copies(arguments).map_err(|e| e.to_string())?;
    sconce_tensor::mersenne::manual_seed(args.call.seed);
    let result = module.call(name, &copies).map_err(|e| e.to_string())?;
    match args.expected.compare(&result)?.filter(|comparison| !comparison.passed()) {
        Some(comparison) => {
            Err(format!("the interpreter gives something else without any pass, so none is to blame:\n{comparison}"))
        }
        None => Ok(()),
    }
}

/// Says who is to blame, and writes the small program.
pub(super) fn told(blamed: &Blamed, output: &std::path::Path, json: bool) -> Result<(), String> {
    let is_pass = !blamed.step.starts_with("code of region") && !blamed.step.contains("{}");
    let again = format!("sconce-opt --validate --pass-pipeline='builtin.module({})' {}", blamed.step, output.display());
    let again = if is_pass && blamed.is_reproducible { again } else { String::new() };
    write_atomically(output, blamed.reduced.as_bytes()).map_err(|e| format!("{}: {e}", output.display()))?;
    if json {
        let out = serde_json::json!({
            "step": blamed.step, "description": blamed.description, "operations": blamed.operations,
            "reduced": output.display().to_string(), "reproduce": again,
        });
        print(&document(out));
        return Ok(());
    }
    print(&visible(&blamed.description));
    print(&format!("written to {}", output.display()));
    if !again.is_empty() {
        print(&format!("shows it again: {again}"));
    }
    Ok(())
}
