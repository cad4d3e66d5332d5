//! `sconce-translate`: TorchScript graph text to MLIR and back, and MLIR's own translations. Exit status 0; 1 for bad input or usage.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Err(error) = sconce_torch::register() {
        eprintln!("sconce-translate: {error}");
        return ExitCode::FAILURE;
    }
    let version = concat!("sconce-translate ", env!("CARGO_PKG_VERSION"));
    let status = sconce_ir::tools::translate_main(std::env::args_os(), version);
    u8::try_from(status).map_or(ExitCode::FAILURE, ExitCode::from)
}
