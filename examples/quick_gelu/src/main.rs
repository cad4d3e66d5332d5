//! `quick-gelu FILE.mlir --clip-approximate-gelu …`: `sconce-opt` with the operator and the pass of this crate.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Err(error) = quick_gelu::register() {
        eprintln!("quick-gelu: {error}");
        return ExitCode::FAILURE;
    }
    let mlir_only = |_: &str, _: &[u8]| Ok(None);
    let status = sconce_ir::tools::opt_main(std::env::args_os(), "quick-gelu 0.1.0", mlir_only, mlir_only);
    u8::try_from(status).map_or(ExitCode::FAILURE, ExitCode::from)
}
