//! `sconce export`: a program as an archive of torch.export.

use super::arguments::{given_of, with_values};
use super::progress::{Progress, tell};
use super::run::load;
use super::{CallArgs, CommandResult, CompileArgs};
use crate::engine::Engine;
use clap::Args;
use sconce_archive::write_file;
use sconce_capture::DynamicSize;
use sconce_export_program::Error;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sconce export model.pt -i 4x3x32x32xf32 --dynamic 'x:0=batch(1..64)' -o model.pt2";

/// Run a program once with example inputs and write what it did as an exported program (.pt2), which PyTorch loads with torch.export.load.
///
/// Branches and loops are what the inputs decide, and sizes what they are, except those that --dynamic names. What was assumed of these is said, and other inputs
/// are refused when the program is called. Branches and loops by the elements of tensors become torch.cond and while_loop; what has to be known of elements is an
/// error that names its place. Classes that PyTorch must know to load the program are named.
#[derive(Args)]
#[command(after_long_help = with_values(EXAMPLES))]
pub struct ExportArgs {
    #[command(flatten)]
    call: CallArgs,
    /// A size of an argument that may vary: PARAMETER:DIMENSION=NAME, or …=NAME(LOW..HIGH), both included; sizes of one name are equal. May be repeated.
    #[arg(long, value_name = "SIZE", value_parser = dynamic_size)]
    dynamic: Vec<DynamicSize>,
    /// What to write.
    #[arg(long, short = 'o', value_name = "FILE")]
    output: PathBuf,
}

/// Reads `x:0=batch(1..64)`.
fn dynamic_size(text: &str) -> Result<DynamicSize, String> {
    let expected = || format!("`{text}` is no PARAMETER:DIMENSION=NAME(LOW..HIGH)");
    let (place, name) = text.split_once('=').ok_or_else(expected)?;
    let (parameter, dim) = place.rsplit_once(':').ok_or_else(expected)?;
    let dim = dim.parse().map_err(|_| expected())?;
    let (name, range) = match name.split_once('(') {
        Some((name, range)) => (name, Some(range.strip_suffix(')').ok_or_else(expected)?)),
        None => (name, None),
    };
    let (low, high) = match range {
        Some(range) => {
            let (low, high) = range.split_once("..").ok_or_else(expected)?;
            let number = |text: &str| text.parse::<i64>().map_err(|_| expected());
            let low = if low.is_empty() { 0 } else { number(low)? };
            (low, if high.is_empty() { None } else { Some(number(high)?) })
        }
        None => (0, None),
    };
    let is_name = |s: &str| !s.is_empty() && s.chars().all(|c| c == '_' || c.is_alphanumeric());
    if !is_name(parameter) || !is_name(name) || low < 0 || high.is_some_and(|high| high < low) {
        return Err(expected());
    }
    Ok(DynamicSize { parameter: parameter.to_owned(), dim, name: name.to_owned(), low, high })
}

pub fn run(args: &ExportArgs) -> CommandResult {
    let engine = Engine::new(CompileArgs::off().options()).map_err(|e| e.to_string())?;
    let module = load(&engine, &args.call)?;
    let (function, arguments) = given_of(&module, &args.call)?;
    let progress = Progress::of(&format!("running {function}"));
    let captured = module.captured(&function, &arguments, &args.dynamic).map_err(|e| e.to_string())?;
    drop(progress);
    captured.assumptions.iter().for_each(|a| tell(&format!("assumed: {a}")));
    captured.classes().iter().for_each(|class| tell(&format!("note: {class}")));
    let written: Result<(), Error> = write_file(&args.output, |writer| captured.program.write(writer));
    written.map_err(|e| e.to_string())?;
    Ok(ExitCode::SUCCESS)
}
