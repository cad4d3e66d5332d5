//! `sconce-compiler`: the compiler in a process of its own. `sconce` starts it when something is compiled; nobody else talks to it.
#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;

/// MLIR's operations are small and many: where the C library's allocator scatters them, a program of 100,000 takes half as long again to optimise.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // What tests of compiled code ask for.
    let checked = std::env::args().nth(1).is_some_and(|a| a == "--check-memory");
    let served = if checked {
        sconce_request::serve(&sconce_compiler::Checking)
    } else {
        sconce_request::serve(&sconce_compiler::InProcess)
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            // Whoever asked may be gone.
            let _ = writeln!(std::io::stderr(), "error: sconce-compiler: {e}");
            ExitCode::FAILURE
        }
    }
}
