//! Developer tasks; each subcommand is one job a person would otherwise do by hand and get wrong.

use std::process::ExitCode;

fn main() -> ExitCode {
    let task = std::env::args().nth(1);
    match task.as_deref() {
        Some(other) => eprintln!("xtask: there is no task '{other}'"),
        None => eprintln!("usage: cargo xtask TASK"),
    }
    ExitCode::from(2)
}
