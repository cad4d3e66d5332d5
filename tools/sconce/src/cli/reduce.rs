//! `sconce reduce`: makes a program that goes wrong small, while it still goes wrong alike.

use super::bisect::told;
use super::progress::Progress;
use super::{CommandResult, CompileArgs, FormatArgs};
use crate::engine::Engine;
use clap::{ArgGroup, Args};
use sconce_request::{Answer, Question, Reduction, Subject, Want};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sconce reduce net.pt --test 'grep -q aten.linear {}' -o small.mlir";

/// Make a program smaller that passes break, or that breaks a command.
///
/// A function returns less, its operations become arguments, branches and loops give way to what is in them, while passes still change what it computes or fail with the same
/// message, or a command still ends as it did.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
#[command(group(ArgGroup::new("wrong").required(true)))]
pub struct ReduceArgs {
    /// Torch dialect (.mlir), or any file that `sconce run` takes.
    file: PathBuf,
    /// Passes that change what the program computes, or that fail on it.
    #[arg(long, value_name = "TEXT", group = "wrong")]
    pipeline: Option<String>,
    /// A command of the shell, with {} for the program's file: wrong is what ends as the whole program does.
    #[arg(long, value_name = "COMMAND", group = "wrong")]
    test: Option<String>,
    /// The function that stays [default: the first].
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Where the small program goes.
    #[arg(long, short = 'o', value_name = "FILE", default_value = "reduced.mlir")]
    output: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
}

pub fn run(args: &ReduceArgs) -> CommandResult {
    let engine = Engine::new(CompileArgs::off().options()).map_err(|e| e.to_string())?;
    let subject = subject(&engine, args)?;
    let (function, pipeline, command) = (args.function.clone(), args.pipeline.clone(), args.test.clone());
    let want = Want::Reduced(Reduction { function, pipeline, command });
    let _progress = Progress::of(&format!("making {} smaller", args.file.display()));
    match engine.ask(&Question { subject, want }).map_err(|e| e.to_string())? {
        Answer::Blamed(Some(blamed)) => told(&blamed, &args.output, args.format.json)?,
        _ => return Err("the compiler answered something else".into()),
    }
    Ok(ExitCode::SUCCESS)
}

/// MLIR as it stands, so that what a pass chokes on is kept; programs of other forms by their frontends.
fn subject(engine: &Engine, args: &ReduceArgs) -> Result<Subject, String> {
    let name = args.file.display().to_string();
    if args.file.extension().is_some_and(|e| e == "mlir") {
        let bytes = std::fs::read(&args.file).map_err(|e| format!("{name}: {e}"))?;
        return Ok(Subject::Mlir { name, bytes });
    }
    engine.load(&args.file).and_then(|module| module.subject("MLIR")).map_err(|e| e.to_string())
}
