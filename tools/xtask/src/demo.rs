//! `demo` shows one program, the LSTM cell of the JIT overview, at every stage, and runs it interpreted and compiled; then it runs an archive that PyTorch saved.

use crate::{TaskResult, command, target};

/// The JIT overview's own listing.
const PROGRAM: &str = "examples/lstm_cell/lstm_cell.txt";
const INPUTS: &str = "examples/lstm_cell/inputs.safetensors";
/// What PyTorch gave for them.
const EXPECTED: &str = "examples/lstm_cell/expected.safetensors";

/// A transformer for images, as `torch.jit.save` wrote it.
const ARCHIVE: &str = "examples/vit_tiny/model.pt";
const ARCHIVE_INPUTS: &str = "examples/vit_tiny/inputs.safetensors";
const ARCHIVE_EXPECTED: &str = "examples/vit_tiny/expected.safetensors";

pub fn run(_arguments: &[String]) -> TaskResult {
    command("cargo", &["build", "--release", "-p", "sconce"])?;
    let sconce = target().join("release/sconce");
    let step = |arguments: &[&str]| {
        println!("\n$ sconce {}", arguments.join(" "));
        command(&sconce, arguments)
    };
    for stage in ["--graph", "--mlir", "--bytecode"] {
        step(&["show", PROGRAM, stage])?;
    }
    for stage in ["--fused", "--linalg"] {
        step(&["show", PROGRAM, "--inputs", INPUTS, stage])?;
    }
    for mode in ["--no-compile", "--report"] {
        step(&["run", PROGRAM, "--inputs", INPUTS, "--expect", EXPECTED, mode])?;
    }
    for what in ["--files", "--modules", "--schemas", "--code"] {
        step(&["show", ARCHIVE, what])?;
    }
    step(&["run", ARCHIVE, "--inputs", ARCHIVE_INPUTS, "--expect", ARCHIVE_EXPECTED])?;
    step(&["run", "-e", "def f(x: int): return [i * i for i in range(x)]", "-i", "5"])
}
