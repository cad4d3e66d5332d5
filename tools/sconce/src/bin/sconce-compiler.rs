//! `sconce-compiler`: the compiler in a process of its own. `sconce` starts it when something is compiled; nobody else talks to it.
//! With a file that a crash left (`sconce-crash-….question`) it asks that question once more.
#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;

/// MLIR's operations are small and many: where the C library's allocator scatters them, a program of 100,000 takes half as long again to optimise.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    sconce_compiler::prepare();
    sconce::install_kernels();
    // What tests of compiled code ask for.
    let argument = std::env::args_os().nth(1);
    let checked = argument.as_ref().is_some_and(|a| a == "--check-memory");
    if let Some(file) = argument.filter(|_| !checked) {
        return match sconce_request::ask_again(&sconce_compiler::InProcess, file.as_ref()) {
            Ok(answer) => {
                let _ = write!(std::io::stdout(), "{answer}");
                ExitCode::SUCCESS
            }
            Err(e) => {
                let _ = writeln!(std::io::stderr(), "error: sconce-compiler: {e}");
                ExitCode::FAILURE
            }
        };
    }
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
