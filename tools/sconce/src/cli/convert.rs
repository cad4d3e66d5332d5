//! `sconce convert`: a program in another of the forms that Sconce reads, or its state as a file of arrays.

use super::decompose::{self, OperatorSet};
use super::progress::{Progress, tell};
use super::run::load_file;
use super::{CommandResult, CompileArgs};
use crate::engine::Engine;
use crate::module::Module;
use crate::value_text::write_file;
use crate::written::Form;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sconce convert model.pt model.ptl
  sconce convert model.pt weights.safetensors
  sconce convert program.pt2 core.pt2 --decompose core-aten";

/// Write a program in another form, by the output's ending.
///
/// .pt and .ptl are archives for PyTorch and its mobile interpreter (archives of 2019 become today's), .sconce is a compiled Program, .mlir the torch dialect,
/// .txt graph text, .py the code of an archive; .safetensors and .npz hold the parameters and buffers alone. Of a text, tensors are in a file beside it
/// (net.txt.safetensors), and what each is stands at its head. What a form has no place for is refused. With --decompose
/// an exported program is written in an operator set: as .pt2, or as .fx the text of its graph.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ConvertArgs {
    /// Any file that `sconce run` takes.
    input: PathBuf,
    /// What to write; its ending says in which form.
    output: PathBuf,
    /// The operator set that an exported program is to be in, as PyTorch's `run_decompositions` has it.
    #[arg(long, value_name = "SET")]
    decompose: Option<OperatorSet>,
}

pub fn run(args: &ConvertArgs) -> CommandResult {
    if let Some(set) = args.decompose {
        let _progress = Progress::of(&format!("decomposing {}", args.input.display()));
        decompose::write(&args.input, &args.output, set)?;
        return Ok(ExitCode::SUCCESS);
    }
    let engine = Engine::new(CompileArgs::off().options()).map_err(|e| e.to_string())?;
    let module = load_file(&engine, &args.input).map_err(|e| e.to_string())?;
    write_module(&module, &args.output)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a module in the form that the file's ending names.
pub(super) fn write_module(module: &Module, path: &Path) -> Result<(), String> {
    let _progress = Progress::of(&format!("writing {}", path.display()));
    let text = |e: crate::error::Error| e.to_string();
    let ending = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
    let name = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    if let "safetensors" | "npz" = ending.as_str() {
        let tensors = module.state_dict().map_err(text)?;
        return write_file(path, &tensors).map_err(|e| e.to_string());
    }
    let form =
        Form::of_ending(&ending).ok_or_else(|| format!("{}: `.{ending}` is no form of a program", path.display()))?;
    module.written(form, &name).and_then(|written| written.write(path)).map_err(text)?;
    for (name, why) in module.unit().into_iter().flat_map(|u| &u.refused) {
        tell(&format!("warning: {name} does not compile and is left out: {}", why.short()));
    }
    Ok(())
}
