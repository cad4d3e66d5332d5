//! `size` holds the runtime alone to what people are promised: it is small enough to go along with a product, and as fast as the command is.

use crate::{TaskResult, build, command, root, target};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Bytes that the stripped program stays below, so that it does not grow unseen: it reads archives, source and graph text, interprets them and loads compiled
/// regions.
const LIMIT: u64 = 10_000_000;

/// What both are timed on: a name, the program, what to run of it, its inputs, and calls of a round.
const SPEED: &[(&str, &str, &str, &[&str], u32)] = &[
    ("chain", CHAIN, "f", &["1000x1000xf32=normal"], 100),
    ("layer_norm", NORMS, "layer_norm", &["1024x768xf32=normal"], 200),
    ("group_norm", NORMS, "group_norm", &["8x32x32x32xf32=normal"], 200),
    ("batch_norm", NORMS, "batch_norm", &["8x32x32x32xf32=normal", "32xf32=ones"], 200),
    ("softmax", NORMS, "softmax", &["1024x1000xf32=normal"], 100),
    ("sum", NORMS, "total", &["1024x1000xf32=normal"], 500),
    ("matmul", PRODUCTS, "matmul", &["256x256xf32=normal"], 200),
    ("conv", PRODUCTS, "conv", &["1x32x56x56xf32=normal", "32x32x3x3xf32=normal"], 100),
    ("lstm cell", LOOPS, "cell", &["4x64xf32=normal", "256x64xf32=normal"], 500),
    ("integers", LOOPS, "integers", &["10000"], 200),
];

const CHAIN: &str = "def f(x):\n    return (x * 2.0 + 1.0).sigmoid() * x.tanh()\n";
const NORMS: &str = "import torch
import torch.nn.functional as F

def layer_norm(x):
    return F.layer_norm(x, [768])

def group_norm(x):
    return F.group_norm(x, 8)

def batch_norm(x, w):
    return F.batch_norm(x, w, w, w, w)

def softmax(x):
    return torch.softmax(x, 1)

def total(x):
    return x.sum(1)
";
const PRODUCTS: &str = "import torch
import torch.nn.functional as F

def matmul(x):
    return x @ x

def conv(x, w):
    return F.conv2d(x, w, padding=1)
";
const LOOPS: &str = "import torch

def cell(x, w):
    h = torch.zeros_like(x)
    c = torch.zeros_like(x)
    for t in range(20):
        i, f, g, o = ((x + h) @ w.t()).chunk(4, 1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
    return h

def integers(n: int) -> int:
    total = 0
    for i in range(n):
        if i % 3 == 0:
            total += i // 2
    return total
";

pub fn run(arguments: &[String]) -> TaskResult {
    let path = build::runtime()?;
    let bytes = std::fs::metadata(&path).map_err(|e| format!("{}: {e}", path.display()))?.len();
    println!("size: sconce-rt has {bytes} bytes; the bound is {LIMIT}");
    if arguments.iter().any(|a| a == "--speed") {
        speed(&path)?;
    }
    if bytes < LIMIT { Ok(()) } else { Err(format!("sconce-rt has {bytes} bytes; the bound is {LIMIT}")) }
}

/// Prints the time of a call by the runtime alone as a share of that by the command, both interpreted.
fn speed(runtime: &Path) -> TaskResult {
    const ROUNDS: usize = 7;
    command("cargo", &["build", "--profile", "perf", "-p", "sconce", "--bin", "sconce"])?;
    let whole = target().join("perf/sconce");
    let folder = target().join("speed");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut product = 1.0;
    for (name, source, function, inputs, calls) in SPEED {
        let file = folder.join("speed.py");
        std::fs::write(&file, source).map_err(|e| format!("{}: {e}", file.display()))?;
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let runs = [Run { program: runtime, alone: true }, Run { program: whole.as_path(), alone: false }];
            let [alone, command] = runs.map(|run| run.per_call(&file, function, inputs, *calls));
            ratios.push(alone?.as_secs_f64() / command?.as_secs_f64());
        }
        ratios.sort_by(f64::total_cmp);
        let median = ratios[ROUNDS / 2];
        product *= median;
        println!(
            "speed: {name:12} {median:.2} of the command's time (least {:.2}, most {:.2})",
            ratios[0],
            ratios[ROUNDS - 1]
        );
    }
    println!("speed: geometric mean {:.2}", f64::powf(product, 1.0 / SPEED.len() as f64));
    Ok(())
}

/// One of the two programs.
#[derive(Clone, Copy)]
struct Run<'a> {
    program: &'a Path,
    /// It is the runtime alone.
    alone: bool,
}

impl Run<'_> {
    /// Seconds of one call: what many calls take more than one, so that nothing of starting counts.
    fn per_call(self, file: &Path, function: &str, inputs: &[&str], calls: u32) -> Result<Duration, String> {
        let one = self.seconds(file, function, inputs, 1)?;
        let many = self.seconds(file, function, inputs, calls + 1)?;
        Ok(many.saturating_sub(one).max(Duration::from_nanos(1)) / calls)
    }

    fn seconds(self, file: &Path, function: &str, inputs: &[&str], calls: u32) -> Result<Duration, String> {
        let mut run = Command::new(self.program);
        if !self.alone {
            run.args(["run", "--no-compile"]);
        }
        run.arg(file).args(["--entry", function, "--repeat", &calls.to_string()]);
        inputs.iter().for_each(|input| _ = run.args(["--input", input]));
        let began = Instant::now();
        let status = run.current_dir(root()).stdout(Stdio::null()).status();
        let status = status.map_err(|e| format!("{}: {e}", self.program.display()))?;
        if status.success() {
            Ok(began.elapsed())
        } else {
            Err(format!("{function} by {}: {status}", self.program.display()))
        }
    }
}
