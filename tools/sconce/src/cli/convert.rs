//! `sconce convert`: a program in another of the forms that Sconce reads, or its state as a file of arrays.

use super::run::options;
use super::{CommandResult, CompileArgs};
use crate::engine::{Engine, Stage};
use crate::files::write_atomically;
use crate::module::Module;
use crate::value_text::write_file;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write a program in another form, by the output's ending.
///
/// .pt and .ptl are archives for PyTorch and its mobile interpreter (archives of 2019 become today's), .sconce is a compiled Program, .mlir the torch dialect,
/// .txt graph text, .py code; .safetensors and .npz hold the parameters and buffers.
#[derive(Args)]
pub struct ConvertArgs {
    /// Any file that `sconce run` takes.
    input: PathBuf,
    output: PathBuf,
}

pub fn run(args: &ConvertArgs) -> CommandResult {
    let compile = CompileArgs { no_compile: true, dynamic: false, gpu: false };
    let engine = Engine::new(options(&compile, 0)).map_err(|e| e.to_string())?;
    let module = engine.load(&args.input).map_err(|e| e.to_string())?;
    write_module(module, &args.output)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a module in the form that the file's ending names.
pub(super) fn write_module(mut module: Module, path: &Path) -> Result<(), String> {
    let text = |e: crate::error::Error| e.to_string();
    let ending = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
    let name = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let bytes = match ending.as_str() {
        "pt" | "ptl" | "pth" => {
            module = module.as_module().map_err(text)?;
            let saved = if ending == "ptl" { module.saved_mobile() } else { module.saved() };
            saved.map_err(text)?.write(&name, Vec::new()).map_err(|e| e.to_string())?
        }
        "safetensors" | "npz" => {
            let tensors = module.state_dict().map_err(text)?;
            return write_file(path, &tensors).map_err(|e| e.to_string());
        }
        "sconce" => module.program().to_bytes().map_err(|e| e.to_string())?,
        "mlir" => {
            let first = module.function_or_default(None).map_err(text)?;
            module.show(&first, &[], &Stage::Mlir).map_err(text)?.into_bytes()
        }
        "txt" => {
            let first = module.function_or_default(None).map_err(text)?;
            match module.unit() {
                Some(_) => module.graph(&first),
                None => module.show(&first, &[], &Stage::Graph),
            }
            .map_err(text)?
            .into_bytes()
        }
        "py" => module.code().map_err(text)?.into_bytes(),
        other => return Err(format!("{}: `.{other}` is no form of a program", path.display())),
    };
    write_atomically(path, &bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    for (name, why) in module.unit().into_iter().flat_map(|u| &u.refused) {
        eprintln!("warning: {name} does not compile and is left out: {}", why.short());
    }
    Ok(())
}
