//! The command as people use it on source and archives: run, show, compile, convert, and what it says when it cannot.

use std::path::Path;
use std::process::Command;

fn sconce(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let out =
        Command::new(env!("CARGO_BIN_EXE_sconce")).current_dir(folder).args(arguments).output().expect("it starts");
    let text = if out.status.success() { out.stdout } else { out.stderr };
    (out.status.success(), String::from_utf8_lossy(&text).into_owned())
}

const COUNTER: &str = "import torch
from torch import nn


class Counter(nn.Module):
    def __init__(self, step: int):
        super().__init__()
        self.step = step
        self.n = 0
        self.weight = nn.Parameter(torch.ones(2))

    def forward(self, x):
        self.n += self.step
        return x * self.weight, self.n
";

#[test]
fn source_on_the_command_line_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (ok, text) =
        sconce(folder.path(), &["run", "-e", "def f(n: int):\n    return [i * i for i in range(n)]\n", "-i", "4"]);
    assert!(ok && text == "[0, 1, 4, 9]\n", "{text}");
    let (ok, text) = sconce(folder.path(), &["run", "-e", "def f(n: int):\n    return n + missing\n", "-i", "4"]);
    assert!(!ok && text.contains("missing") && text.contains("<--- HERE"), "{text}");
}

#[test]
fn without_optimisation_nothing_is_compiled() {
    let folder = tempfile::tempdir().unwrap();
    let source = "def f(x, n: int):\n    for i in range(n):\n        x = x * 2 + i\n    return x\n";
    let run = |more: &[&str]| {
        let common = ["run", "-e", source, "-i", "3xf32", "-i", "2", "--report"];
        sconce(folder.path(), &[&common[..], more].concat())
    };
    let (ok, text) = run(&["--no-opt"]);
    assert!(ok && text.contains("compiling is off"), "{text}");
    let (_, interpreted) = run(&["--executor", "off", "--compile", "off"]);
    assert_eq!(text, interpreted);
    for more in
        [["--no-opt", "--static"].as_slice(), &["--no-opt", "--compile", "now"], &["--no-opt", "--executor", "off"]]
    {
        let (ok, text) = run(more);
        assert!(!ok && text.contains("cannot be used with"), "{text}");
    }
}

#[test]
fn a_module_is_compiled_saved_shown_and_keeps_its_state() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("counter.py"), COUNTER).unwrap();
    let (ok, text) = sconce(folder.path(), &["save", "counter.py", "--entry", "Counter(3)", "-o", "counter.pt"]);
    assert!(ok, "{text}");
    let (ok, text) = sconce(folder.path(), &["run", "counter.pt", "-i", "f32=2", "--repeat", "4"]);
    assert!(ok && text.contains("12"), "{text}");
    let (ok, text) = sconce(folder.path(), &["show", "counter.pt", "--modules"]);
    assert!(
        ok && text.contains("weight") && text.contains("parameter") && text.contains("Tensor torch.float32 [2]"),
        "{text}"
    );
    let (ok, text) = sconce(folder.path(), &["show", "counter.pt", "--schemas"]);
    assert!(ok && text == "forward(__torch__.counter.Counter self, Tensor x) -> ((Tensor, int))\n", "{text}");
    let (ok, text) = sconce(folder.path(), &["show", "counter.pt", "--code"]);
    assert!(ok && text.contains("def forward(self: __torch__.counter.Counter,"), "{text}");
    let (ok, text) = sconce(folder.path(), &["show", "counter.pt", "--files"]);
    assert!(ok && text.contains("data.pkl"), "{text}");
    let (ok, text) = sconce(folder.path(), &["show", "counter.pt", "--pickle"]);
    assert!(ok && text.contains("__torch__.counter Counter"), "{text}");
    for output in ["counter.safetensors", "counter.ptl", "counter.mlir", "counter.txt"] {
        let (ok, text) = sconce(folder.path(), &["convert", "counter.pt", output]);
        assert!(ok, "{output}: {text}");
    }
    let (ok, text) = sconce(folder.path(), &["run", "counter.ptl", "-i", "f32=2"]);
    assert!(ok && text.contains("3"), "{text}");
}

#[test]
fn what_is_wrong_with_arguments_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let (ok, text) = sconce(folder.path(), &["run", "-e", "def f(x, n: int):\n    return x\n", "-i", "f32=1"]);
    assert!(
        !ok && text.contains("f() is missing value for argument 'n'. Declaration: f(Tensor x, int n) -> Tensor"),
        "{text}"
    );
}

#[test]
fn recorded_cases_are_checked_and_measured() {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/models.tar.zst");
    let bench = |more: &[&str]| {
        let mut arguments = vec!["bench", models, "--no-compile", "--case", "loop_data/n64"];
        arguments.extend(more);
        sconce(Path::new("."), &arguments)
    };
    let (ok, text) = bench(&["--seconds", "0", "--threads", "2"]);
    assert!(ok && text.starts_with("loop_data/n64\ninterpreted") && text.contains("min"), "{text}");
    let (ok, text) = bench(&["--allocations"]);
    assert!(ok && text.contains("allocations a call"), "{text}");
    let (ok, text) = bench(&["--soak", "100"]);
    assert!(ok && text.contains("100 calls of 1 programs: resident first"), "{text}");
    let (ok, text) = bench(&["--case", "loop_data/none"]);
    assert!(!ok && text.contains("no case `loop_data/none`; did you mean `loop_data/n64`?"), "{text}");
}
