//! `sconce-translate`: TorchScript graph text and FX text to MLIR and back, and MLIR's own translations. Exit status 0; 1 for bad input or usage.
#![forbid(unsafe_code)]

mod fx;

use fx::FxText;
use sconce_import::text::Error;
use sconce_ir::diagnostics::emit_error;
use sconce_ir::tools::{self, Reader, Writer, WriterOption};
use sconce_ir::{Context, Location, Module, OpExt};
use sconce_syntax::graph_text::Spelling;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Err(error) = sconce_torch::register() {
        eprintln!("sconce-translate: {error}");
        return ExitCode::FAILURE;
    }
    tools::register_reader::<GraphText>("torchscript-to-mlir", "TorchScript graph text to the torch dialect");
    let option = WriterOption {
        name: "spelling",
        help: "How --mlir-to-torchscript writes: colons (as PyTorch prints) or braces (as older documents do)",
        default: "colons",
    };
    tools::register_writer::<GraphText>("mlir-to-torchscript", "The torch dialect to TorchScript graph text", option);
    tools::register_reader::<FxText>("fx-to-mlir", "FX text, as torch.export prints graphs, to the torch dialect");
    let option = WriterOption {
        name: "function",
        help: "Which function --mlir-to-fx writes, where the module has several",
        default: "",
    };
    let about = "A function of the torch dialect without control flow to FX text";
    tools::register_writer::<FxText>("mlir-to-fx", about, option);
    let version = concat!("sconce-translate ", env!("CARGO_PKG_VERSION"));
    let status = tools::translate_main(std::env::args_os(), version);
    u8::try_from(status).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// TorchScript's graph text.
struct GraphText;

impl Reader for GraphText {
    /// Mistakes become MLIR's diagnostics at their places, so that they look like all others; the message is empty then.
    fn read<'c>(context: &'c Context, contents: &[u8], name: &str) -> Result<Module<'c>, String> {
        let text = std::str::from_utf8(contents).map_err(|e| format!("graph text is UTF-8: {e}"))?;
        match sconce_import::text::import_text(context, name, text, "forward") {
            Ok(imported) => {
                for warning in imported.warnings {
                    eprintln!("{}:{}:{}: warning: {}", warning.file, warning.line, warning.column, warning.message);
                }
                Ok(imported.module)
            }
            Err(Error::Text(error)) => {
                let place = Location::new(context, &error.file, error.line as usize, error.column as usize);
                emit_error(place, &error.message);
                Err(String::new())
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Writer for GraphText {
    fn write(module: &Module<'_>, spelling: &str) -> Result<String, String> {
        let module = module.as_operation();
        let spelling = match spelling {
            "colons" => Spelling::Colons,
            "braces" => Spelling::Braces,
            other => return Err(format!("--spelling is colons or braces, not {other}")),
        };
        sconce_import::text::export_operation(module, spelling).map_err(|error| match error {
            Error::Inexpressible { place: Some(place), message } => {
                emit_error(Location::new(module.context_ref(), &place.file, place.line, place.column), &message);
                String::new()
            }
            other => other.to_string(),
        })
    }
}
