//! What a call may use is the same whoever runs it: the interpreter, a static plan, or compiled regions.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Loops over numbers and tensors, a result that does not fit, and one that fits but whose way there does not.
const PROGRAM: &str = "
from torch import Tensor

def numbers(n: int) -> int:
    s = 0
    for i in range(n):
        s = s * 3 + i if i % 2 == 0 else s - 1
    return s

def tensors(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = (x * 2 - x).relu() + i
    return x

def large(x: Tensor) -> Tensor:
    return x.expand(16384, 16384) + 1

def between(x: Tensor) -> Tensor:
    return (x.expand(16384, 16384) + 1).t().matmul(x.expand(16384, 1) * 2).sum()

def few(x: Tensor) -> Tensor:
    return (x + 1).tanh() * x
";

/// Ways to run a program.
const WAYS: &[&[&str]] = &[&["--compile", "off"], &["--static"], &["--compile", "now", "--cache", "off"]];

fn run(function: &str, way: &[&str], more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sconce"));
    command.args(["run", "--eval", PROGRAM, "--entry", function]).args(way).args(more);
    command.output().expect("it runs")
}

fn refused(function: &str, more: &[&str], why: &str) {
    for way in WAYS {
        let began = Instant::now();
        let output = run(function, way, more);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{function} {way:?}: {said}");
        assert!(said.contains(why), "{function} {way:?}: {said}");
        assert!(began.elapsed() < Duration::from_secs(60), "{function} {way:?} took {:?}", began.elapsed());
    }
}

#[test]
fn fuel_ends_loops() {
    refused("numbers", &["-i", "100000000000", "--fuel", "100000"], "the run has used up its fuel");
    refused("tensors", &["-i", "4xf32", "-i", "100000000000", "--fuel", "100000"], "the run has used up its fuel");
    // A turn costs by what it reads: few turns over many elements are as much as many over few.
    refused("tensors", &["-i", "1000000xf32", "-i", "100", "--fuel", "100000"], "the run has used up its fuel");
}

#[test]
fn time_ends_loops() {
    let late = "the call took longer than 0.3 s";
    refused("numbers", &["-i", "100000000000", "--time", "0.3"], late);
    refused("tensors", &["-i", "4xf32", "-i", "100000000000", "--time", "0.3"], late);
    refused("tensors", &["-i", "300000xf32", "-i", "100000000000", "--time", "0.3"], late);
}

#[test]
fn memory_bounds_results_and_what_is_between() {
    refused("large", &["-i", "1xf32", "--memory", "64"], "does not fit into memory");
    refused("between", &["-i", "1xf32", "--memory", "64"], "does not fit into memory");
}

#[test]
fn what_stays_below_the_limits_runs() {
    for way in WAYS {
        let output = run("few", way, &["-i", "2x3xf32", "--fuel", "10000", "--memory", "64", "--time", "60"]);
        assert!(output.status.success(), "{way:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn checks_hold_calls_to_the_limits() {
    let folder = tempfile::tempdir().expect("a folder");
    let case = folder.path().join("loops");
    std::fs::create_dir(&case).expect("a folder");
    let ones = r#"{"T":"f32","s":[1],"d":[1.0]}"#;
    for (function, arguments, limit, why) in [
        ("numbers", "100000000000", ["--fuel", "100000"], "the run has used up its fuel"),
        ("numbers", "100000000000", ["--time", "0.3"], "the call took longer than 0.3 s"),
        ("large", ones, ["--memory", "64"], "does not fit into memory"),
    ] {
        std::fs::write(case.join("source.py"), format!("{PROGRAM}\n#@ entry {function}\n")).expect("a file");
        let calls = format!(r#"[{{"method":"{function}","args":[{arguments}],"out":0}}]"#);
        std::fs::write(case.join("calls.json"), calls).expect("a file");
        for way in WAYS {
            let mut command = Command::new(env!("CARGO_BIN_EXE_sconce"));
            let output = command.arg("check").arg(folder.path()).args(["--from", "source"]).args(*way).args(limit);
            let output = output.output().expect("it runs");
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(said.contains(why) && said.contains("0 passed, 1 failed"), "{function} {way:?}: {said}");
        }
    }
}
