//! `demo` shows one program, the LSTM cell of the JIT overview, at every stage, and runs it interpreted and compiled.

use crate::{TaskResult, command, target};

/// The demonstration is a subcommand of its own example folder, so that a user can repeat each line by hand.
const PROGRAM: &str = "examples/lstm_cell/lstm_cell.txt";

pub fn run(_arguments: &[String]) -> TaskResult {
    command("cargo", &["build", "--release", "-p", "sconce"])?;
    let sconce = target().join("release/sconce");
    let show = |stage: &str| {
        println!("\n$ sconce show {PROGRAM} {stage}");
        command(&sconce, &["show", PROGRAM, stage])
    };
    for stage in ["--graph", "--mlir", "--fused", "--linalg", "--bytecode"] {
        show(stage)?;
    }
    for mode in ["--no-compile", "--report"] {
        println!(
            "\n$ sconce run {PROGRAM} --inputs examples/lstm_cell/inputs.safetensors --expect examples/lstm_cell/expected.safetensors {mode}"
        );
        command(
            &sconce,
            &[
                "run",
                PROGRAM,
                "--inputs",
                "examples/lstm_cell/inputs.safetensors",
                "--expect",
                "examples/lstm_cell/expected.safetensors",
                mode,
            ],
        )?;
    }
    Ok(())
}
