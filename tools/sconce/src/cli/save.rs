//! `sconce save`: source becomes an archive that PyTorch loads.

use super::convert::write_module;
use super::{CommandResult, CompileArgs, WarningArgs};
use crate::engine::Engine;
use crate::source::SourceOptions;
use crate::value_text::read_file;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sconce save net.py --entry 'Net(4).eval()' -o net.pt
  sconce save net.py --entry 'Net(4)' --weights net.safetensors -o net.ptl";

/// Compile TorchScript source and save it as an archive.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct SaveArgs {
    /// The source.
    file: PathBuf,
    /// What to write, by its ending: .pt, .ptl (with mobile bytecode), .sconce, or as text, with its tensors in a file beside it, .mlir, .txt or .py.
    #[arg(long, short = 'o', value_name = "FILE")]
    output: PathBuf,
    /// What to compile: a function's name, or an expression that makes a module, such as 'M(3)' [the file's only function].
    #[arg(long, value_name = "EXPRESSION")]
    entry: Option<String>,
    #[command(flatten)]
    warnings: WarningArgs,
    /// Parameters and buffers (.safetensors, .npz) in place of PyTorch's initial ones.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Seed of the initial weights.
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
}

pub fn run(args: &SaveArgs) -> CommandResult {
    let engine = Engine::new(CompileArgs::off().options()).map_err(|e| e.to_string())?;
    let file = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file).map_err(|e| match e.kind() {
        // Archives and Programs are no text.
        std::io::ErrorKind::InvalidData => {
            format!(
                "{file}: this is no source; `sconce convert {file} {}` writes a program in another form",
                args.output.display()
            )
        }
        _ => format!("{file}: {e}"),
    })?;
    sconce_tensor::mersenne::manual_seed(args.seed);
    let source = SourceOptions { entry: args.entry.clone(), ..SourceOptions::default() };
    let module = engine.compile_source(&file, &text, &source).map_err(|e| e.to_string())?;
    args.warnings.give(&module);
    if let Some(path) = &args.weights {
        let tensors = read_file(path).map_err(|e| format!("--weights {e}"))?;
        module.load_state_dict(&tensors).map_err(|e| format!("--weights {e}"))?;
    }
    write_module(&module, &args.output)?;
    Ok(ExitCode::SUCCESS)
}
