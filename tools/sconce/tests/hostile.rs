//! Programs and files that mean harm end with an error that names what is wrong: the process neither dies nor hangs, and takes no more memory than it should.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

struct Outcome {
    /// `None`: it died of a signal, or was stopped because it went on.
    code: Option<i32>,
    out: String,
    err: String,
}

/// Runs the command for a minute at most.
fn sconce(folder: &Path, arguments: &[&str]) -> Outcome {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sconce"))
        .current_dir(folder)
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let read = |mut stream: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            stream.read_to_end(&mut text).expect("a stream of a process is readable");
            String::from_utf8_lossy(&text).into_owned()
        })
    };
    let out = read(Box::new(child.stdout.take().expect("piped")));
    let err = read(Box::new(child.stderr.take().expect("piped")));
    let until = Instant::now() + Duration::from_secs(60);
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if Instant::now() > until {
            child.kill().expect("our child");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    Outcome { code: status.code(), out: out.join().expect("read"), err: err.join().expect("read") }
}

/// Runs the command on a file of this content.
fn on_file(name: &str, content: &str, arguments: &[&str]) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), content).expect("a file");
    let (command, rest) = arguments.split_first().expect("a command");
    sconce(folder.path(), &[&[*command, name], rest].concat())
}

fn refused(outcome: &Outcome, because: &str) {
    let Outcome { code, out, err } = outcome;
    assert!(*code == Some(1) && err.contains(because), "{code:?}, expected `{because}`\n{out}\n{err}");
}

/// Sizes whose product wraps to 16 elements.
const WRAPPED: &str = "import torch
def f(x):
    a = x.expand([8589410320, 1])
    b = x.expand([1, 536903681])
    return torch.sum(a + b)
def g(x, n: int, m: int):
    return torch.sum(x.expand([n, 1]) + x.expand([1, m]))
";

#[test]
fn temporaries_of_compiled_code_are_counted_before_they_are_made() {
    let too_large = "[8589410320, 536903681] and 4 bytes an element does not fit into memory";
    for flags in [&[][..], &["--dynamic"], &["--no-compile"], &["--static"]] {
        let arguments = [&["run", "--entry", "f", "-i", "1xf32"], flags].concat();
        refused(&on_file("wrapped.py", WRAPPED, &arguments), too_large);
        let arguments =
            [&["run", "--entry", "g", "-i", "1xf32", "-i", "8589410320", "-i", "536903681"], flags].concat();
        refused(&on_file("wrapped.py", WRAPPED, &arguments), too_large);
    }
    // No product wraps, but there is no such memory.
    let arguments = ["run", "--entry", "g", "-i", "1xf32", "-i", "1000000", "-i", "100000000", "--dynamic"];
    refused(&on_file("large.py", WRAPPED, &arguments), "does not fit into memory");
}

#[test]
fn results_of_many_elements_are_summarised() {
    let source = "def f(x):\n    return x.expand([1000000000000])\ndef g(x):\n    print(x.expand([1000000000000]))\n";
    let outcome = on_file("many.py", source, &["run", "--entry", "f", "-i", "1xf32=1"]);
    assert_eq!(outcome.out, "tensor([1., 1., 1.,  ..., 1., 1., 1.])\n", "{}", outcome.err);
    refused(&on_file("many.py", source, &["run", "--entry", "g", "-i", "1xf32=1"]), "elements does not fit into");
    let outcome = on_file("many.py", source, &["run", "--entry", "f", "-i", "1xf32=1", "--json"]);
    let text = r#""data":null,"omitted":"1000000000000 elements are more than 16777216""#;
    assert!(outcome.code == Some(0) && outcome.out.contains(text), "{}\n{}", outcome.out, outcome.err);
    refused(
        &on_file("many.py", source, &["run", "--entry", "f", "-i", "1xf32=1", "-o", "x.npy"]),
        "does not fit into memory",
    );
}

#[test]
fn a_declared_dtype_is_a_hint() {
    let listing = "graph(%x : Float(2, strides=[1], requires_grad=0, device=cpu)):
  %a : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::neg(%x)
  %b : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::exp(%a)
  return (%b)
";
    for flags in [&[][..], &["--dynamic"], &["--no-compile"], &["--static"]] {
        for (input, output) in [
            ("2xf64=0", "tensor([1., 1.], dtype=torch.float64)\n"),
            ("2xf32=0", "tensor([1., 1.])\n"),
            ("3xf16=0", "tensor([1., 1., 1.], dtype=torch.float16)\n"),
        ] {
            let outcome = on_file("lie.txt", listing, &[&["run", "-i", input], flags].concat());
            assert_eq!(outcome.out, output, "{flags:?} {}", outcome.err);
        }
    }
}

#[test]
fn calls_that_double_are_not_inlined_without_end() {
    let mut source = String::from("def f0(x: int):\n    return x * x + 1\n");
    for i in 1..40 {
        source += &format!("def f{i}(x: int):\n    return f{}(f{}(x))\n", i - 1, i - 1);
    }
    for flag in ["--inlined-graph", "--instructions"] {
        let arguments = ["show", "--entry", "f39", "-i", "1", flag];
        refused(&on_file("double.py", &source, &arguments), "more than 250000 operations once its calls are inlined");
    }
}

#[test]
fn damaged_mlir_bytecode_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = zstd::decode_all(&include_bytes!("hostile/bytecode.bin.zst")[..]).expect("it unpacks");
    let mut rest = &files[..];
    let mut number = 0;
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (bytes, after) = after.split_at(u32::from_le_bytes(*length) as usize);
        rest = after;
        std::fs::write(folder.path().join("x.mlirbc"), bytes).expect("a file");
        refused(&sconce(folder.path(), &["show", "--mlir", "x.mlirbc"]), "x.mlirbc:");
        number += 1;
    }
    assert_eq!(number, 11);
}

#[test]
fn what_controls_a_terminal_is_shown() {
    let source = "def f():\n    raise ValueError(\"a\\x1b[2J\\u202eb\")\n";
    refused(&on_file("x.py", source, &["run"]), "a\\x1b[2J\\u202eb");
    let listing = "graph(%x : Tensor):\n  %a : Tensor = evil::\x1b]0;own\x07(%x)\n  return (%a)\n";
    let outcome = on_file("x.txt", listing, &["run", "-i", "f32"]);
    assert!(outcome.code == Some(1) && !outcome.err.contains(['\x1b', '\x07']), "{}", outcome.err);
}

const GREEDY: &str = "import torch
def spin(n: int) -> int:
    i = 0
    while i < n:
        i += 1
    return i
def large(x):
    return torch.zeros([1024, 1024, 64]) + x
def forked(x):
    tasks = [torch.jit.fork(large, x)]
    for i in range(1000000):
        tasks.append(torch.jit.fork(large, x))
    return torch.jit.wait(tasks[0])
def wide(x):
    return torch.sum(x.expand([1000000000000]))
";

#[test]
fn calls_end_at_their_limits() {
    for flags in [&[][..], &["--static"], &["--no-compile"]] {
        let greedy =
            |arguments: &[&str]| on_file("greedy.py", GREEDY, &[&["run", "--entry"], arguments, flags].concat());
        refused(&greedy(&["spin", "-i", "100000000000", "--fuel", "100000"]), "the run has used up its fuel");
        refused(&greedy(&["spin", "-i", "100000000000", "--time", "0.2"]), "the call took longer than 0.2 s");
        refused(&greedy(&["large", "-i", "f32", "--memory", "64"]), "does not fit into memory");
        refused(&greedy(&["forked", "-i", "f32", "--fuel", "100000"]), "the run has used up its fuel");
        // A view of 10^12 elements costs what reading them does, before anything is read.
        refused(&greedy(&["wide", "-i", "f32"]), "the run has used up its fuel");
    }
}

#[test]
fn attributes_are_of_their_declared_types() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("x.pt"), include_bytes!("hostile/swapped.pt")).expect("a file");
    let why = "data.pkl: `t` of class __torch__.M is declared Tensor, and the value is int";
    refused(&sconce(folder.path(), &["run", "x.pt"]), why);
}

#[test]
fn a_compiled_program_that_changed_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("x.py"), "def f(x: int):\n    return x * 3 + 4\n").expect("a file");
    let compiled = sconce(folder.path(), &["convert", "x.py", "x.sconce"]);
    assert_eq!(compiled.code, Some(0), "{}", compiled.err);
    let whole = std::fs::read(folder.path().join("x.sconce")).expect("it was written");
    assert_eq!(sconce(folder.path(), &["run", "x.sconce", "-i", "5"]).out, "19\n");
    // One command for many: the library refuses each by the same sum.
    let mut changed = whole.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    std::fs::write(folder.path().join("x.sconce"), changed).expect("a file");
    refused(&sconce(folder.path(), &["run", "x.sconce", "-i", "5"]), "the checksum is ");
}
