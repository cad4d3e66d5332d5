//! `demo` shows one program, the LSTM cell of the JIT overview, at every stage, and runs it interpreted and compiled; then it runs archives that PyTorch saved, of which one finds
//! the shapes in a picture.

use crate::{TaskResult, build, command};

/// The JIT overview's own listing.
const PROGRAM: &str = "examples/lstm_cell/lstm_cell.txt";
const INPUTS: &str = "examples/lstm_cell/inputs.safetensors";
/// What PyTorch gave for them.
const EXPECTED: &str = "examples/lstm_cell/expected.safetensors";

/// A transformer for images, as `torch.jit.save` wrote it.
const ARCHIVE: &str = "examples/vit_tiny/model.pt";
const ARCHIVE_INPUTS: &str = "examples/vit_tiny/inputs.safetensors";
const ARCHIVE_EXPECTED: &str = "examples/vit_tiny/expected.safetensors";

/// A detector of torchvision's, with a picture and what PyTorch found in it.
const DETECTOR: &str = "examples/detector/model.pt";
const PICTURE: &str = "examples/detector/picture.npy";
const FOUND: &str = "examples/detector/expected.npz";

pub fn run(_arguments: &[String]) -> TaskResult {
    let sconce = build::tools(&["sconce"])?.join("sconce");
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
    step(&["run", DETECTOR, "-i", PICTURE, "--expect", FOUND])?;
    step(&["run", DETECTOR, "-i", PICTURE, "--method", "describe"])?;
    step(&["run", "-e", "def f(x: int): return [i * i for i in range(x)]", "-i", "5"])
}
