//! `sconce-lsp`: MLIR's language server on standard input and output, knowing Sconce's dialects.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Err(error) = sconce_torch::register() {
        eprintln!("sconce-lsp: {error}");
        return ExitCode::FAILURE;
    }
    let status = sconce_ir::tools::lsp_main(std::env::args_os());
    u8::try_from(status).map_or(ExitCode::FAILURE, ExitCode::from)
}
