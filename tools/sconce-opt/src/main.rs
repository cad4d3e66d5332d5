//! `sconce-opt`: every MLIR dialect and pass, and Sconce's, on `.mlir`, bytecode and TorchScript graph text. Exit status 0; 1 for bad input; 2 for bad usage.
#![forbid(unsafe_code)]

use sconce_pass::PassRow;
use std::process::ExitCode;

/// The passes of every crate that has some.
static PASSES: &[&[PassRow]] =
    &[sconce_pass::PASSES, sconce_passes::PASSES, sconce_regions::PASSES, sconce_linalg::PASSES];

fn main() -> ExitCode {
    if let Err(error) = sconce_torch::register() {
        eprintln!("sconce-opt: {error}");
        return ExitCode::FAILURE;
    }
    for rows in PASSES {
        if let Err(error) = sconce_pass::register(rows) {
            eprintln!("sconce-opt: {error}");
            return ExitCode::FAILURE;
        }
    }
    let version = concat!("sconce-opt ", env!("CARGO_PKG_VERSION"));
    let status = sconce_ir::tools::opt_main(std::env::args_os(), version, |_, _| Ok(None));
    u8::try_from(status).map_or(ExitCode::FAILURE, ExitCode::from)
}
