//! Every command of `sconce` has examples in its long help, and each of them runs.

use std::path::Path;
use std::process::{Command, Output};

/// What is in the folder where the examples run.
const NET: &str = "import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.linear = nn.Linear(n, n)

    def forward(self, x):
        return torch.relu(self.linear(x))
";

const MODEL: &str = "import torch
from torch import Tensor, nn
from typing import Optional


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, stride=4)

    def forward(self, x):
        return torch.relu(self.conv(x)).mean([2, 3])

    @torch.jit.export
    def encode(self, x: Tensor, mask: Optional[Tensor] = None):
        y = self.conv(x)
        return y if mask is None else y * mask
";

/// The least that an editor says.
const SESSION: [&str; 3] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
    r#"{"jsonrpc":"2.0","method":"exit"}"#,
];

/// What makes the files that examples read.
const PREPARATIONS: &[&str] = &[
    "sconce save model.py --entry 'Model().eval()' -o model.pt",
    "sconce save net.py --entry 'Net(4)' -o net.pt",
    "sconce convert net.pt net.safetensors",
    "sconce export model.pt -i 1x3x32x32xf32 -o program.pt2",
    "sconce run -e 'def f(x): return x' -i 1x3x32x32xf32 -o x.npy",
    "sconce run model.pt --method encode -i x.npy -i mask=None -o y.safetensors",
];

fn shell(folder: &Path, line: &str) -> Output {
    let programs = Path::new(env!("CARGO_BIN_EXE_sconce")).parent().expect("a folder");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let mut bash = Command::new("bash");
    bash.args(["-c", line]).current_dir(folder).env("PATH", path).env("SCONCE_CACHE", "off");
    bash.output().expect("bash starts")
}

/// The lines below a heading.
fn below<'t>(text: &'t str, heading: &'t str) -> impl Iterator<Item = &'t str> {
    text.lines().skip_while(move |line| *line != heading).skip(1).take_while(|line| line.starts_with(' '))
}

/// Does a command do what is asked, or say that there is no compiler, where this is built without?
fn succeeds(folder: &Path, line: &str) -> Result<(), String> {
    let done = shell(folder, line);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    let is_excused = !cfg!(feature = "compiler") && said.contains("sconce-compiler");
    if done.status.success() || is_excused { Ok(()) } else { Err(format!("{line}: {}\n{said}", done.status)) }
}

#[test]
#[cfg(unix)]
fn each_command_has_examples_and_they_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let testdata = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");
    std::os::unix::fs::symlink(testdata, at.join("testdata")).expect("a link");
    let session: String = SESSION.iter().map(|m| format!("Content-Length: {}\r\n\r\n{m}", m.len())).collect();
    for (name, text) in [
        ("net.py", NET),
        ("model.py", MODEL),
        ("f.py", "def f(x: List[int]): return sum(x)\n"),
        ("what-an-editor-said", &session),
    ] {
        std::fs::write(at.join(name), text).expect("a file");
    }
    let mut failures: Vec<String> = PREPARATIONS.iter().filter_map(|line| succeeds(at, line).err()).collect();
    let whole = String::from_utf8(shell(at, "sconce --help").stdout).expect("UTF-8");
    let commands = below(&whole, "Commands:").filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"run") && commands.contains(&"completions"), "{commands:?}");
    for command in commands.into_iter().filter(|name| *name != "help").chain([""]) {
        let help = String::from_utf8(shell(at, &format!("sconce {command} --help")).stdout).expect("UTF-8");
        let examples: Vec<&str> = below(&help, "Examples:").map(str::trim).collect();
        if examples.is_empty() {
            failures.push(format!("sconce {command} --help has no example"));
        }
        failures.extend(examples.iter().filter_map(|line| succeeds(at, line).err()));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
