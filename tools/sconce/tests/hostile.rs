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
    refused(&on_file("many.py", source, &["run", "--entry", "g", "-i", "1xf32=1"]), "does not fit into memory");
    let outcome = on_file("many.py", source, &["run", "--entry", "f", "-i", "1xf32=1", "--json"]);
    let text = r#""data":null,"omitted":"1000000000000 elements are more than 16777216""#;
    assert!(outcome.code == Some(0) && outcome.out.contains(text), "{}\n{}", outcome.out, outcome.err);
    refused(
        &on_file("many.py", source, &["run", "--entry", "f", "-i", "1xf32=1", "-o", "x.npy"]),
        "does not fit into memory",
    );
}
