//! `sconce-opt`: every MLIR dialect and pass, and Sconce's, on `.mlir`, bytecode, TorchScript archives, source and graph text. Exit status 0; 1 for bad input; 2 for bad usage.
#![forbid(unsafe_code)]

mod programs;
mod rules;
mod validated;

use sconce_pass::fuel::Allowance;
use std::ffi::OsString;
use std::process::ExitCode;

/// MLIR's operations are small and many: where the C library's allocator scatters them, a program of 100,000 takes half as long again to optimise.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What `--list-pipelines` prints: each name, what it is for, and its passes.
fn pipelines() -> String {
    let line = |(name, description, passes): &(_, _, _)| format!("--{name}: {description}\n  {passes}\n");
    sconce_compiler::passes::pipelines().map(line).collect()
}

/// Takes `--opt-fuel=N` and `--why` for this program's passes, which then run on one thread.
fn watched(arguments: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let mut kept = Vec::new();
    for argument in arguments {
        match argument.to_string_lossy().strip_prefix("--opt-fuel=") {
            Some(units) => {
                let units = units.parse().map_err(|_| format!("--opt-fuel={units}: a number is expected"))?;
                sconce_pass::fuel::fill(Allowance::units(units));
                kept.push("--mlir-disable-threading".into());
            }
            None if argument == "--why" => {
                sconce_pass::refusals::start();
                kept.push("--mlir-disable-threading".into());
            }
            None => kept.push(argument),
        }
    }
    Ok(kept)
}

fn main() -> ExitCode {
    sconce::install_kernels();
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
    match validated::asked(&arguments) {
        Some(Ok(status)) => return status,
        Some(Err(error)) => {
            eprintln!("sconce-opt: {error}");
            return ExitCode::from(2);
        }
        None => {}
    }
    let arguments = match watched(std::env::args_os().collect()) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("sconce-opt: {error}");
            return ExitCode::from(2);
        }
    };
    let version = concat!("sconce-opt ", env!("CARGO_PKG_VERSION"));
    let status = sconce_ir::tools::opt_main(arguments, version, programs::import, programs::export);
    if let Some(spent) = sconce_pass::fuel::spent() {
        eprintln!("opt-fuel: {spent}");
    }
    sconce_pass::refusals::so_far().iter().for_each(|refusal| eprintln!("{refusal}"));
    u8::try_from(status).map_or(ExitCode::FAILURE, ExitCode::from)
}
