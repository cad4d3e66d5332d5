//! `sconce-opt`: every MLIR dialect and pass, and Sconce's, on `.mlir`, bytecode, TorchScript archives, source and graph text. Exit status 0; 1 for bad input; 2 for bad usage.
#![forbid(unsafe_code)]

mod programs;
mod rules;

use std::process::ExitCode;

/// What `--list-pipelines` prints: each name, what it is for, and its passes.
fn pipelines() -> String {
    let line = |(name, description, passes): &(_, _, _)| format!("--{name}: {description}\n  {passes}\n");
    sconce_compiler::passes::pipelines().map(line).collect()
}

fn main() -> ExitCode {
    if let Err(error) = sconce_torch::register().and_then(|()| sconce_compiler::passes::register()) {
        eprintln!("sconce-opt: {error}");
        return ExitCode::FAILURE;
    }
    if std::env::args_os().any(|a| a == "--list-pipelines") {
        print!("{}", pipelines());
        return ExitCode::SUCCESS;
    }
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    match rules::asked(&arguments) {
        Some(Ok(status)) => return status,
        Some(Err(error)) => {
            eprintln!("sconce-opt: {error}");
            return ExitCode::from(2);
        }
        None => {}
    }
    let version = concat!("sconce-opt ", env!("CARGO_PKG_VERSION"));
    let status = sconce_ir::tools::opt_main(std::env::args_os(), version, programs::import, programs::export);
    u8::try_from(status).map_or(ExitCode::FAILURE, ExitCode::from)
}
