//! `test` runs everything a change must pass, says how long each part took, and ends with the sum of all counts.

use crate::{TaskResult, command, environment, independence, lit, python, root, size, target, tidy, viewer};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

pub fn run(_arguments: &[String]) -> TaskResult {
    let mut times = Vec::new();
    let mut failures = Vec::new();
    let (mut passed, mut failed) = (0, 0);
    // Every step runs, so that one failure does not hide another.
    let mut step = |name: &str, run: &mut dyn FnMut() -> Result<(usize, usize), String>| {
        let start = Instant::now();
        match run() {
            Ok((p, f)) => {
                passed += p;
                failed += f;
                if f > 0 {
                    failures.push(format!("{name}: {f} failed"));
                }
            }
            Err(e) => failures.push(format!("{name}: {e}")),
        }
        times.push(format!("{name} {:.0} s", start.elapsed().as_secs_f64()));
    };
    let plain = |result: TaskResult| result.map(|()| (0, 0));
    step("tidy", &mut || plain(tidy::run(&[])));
    step("independence of the prelude", &mut || plain(independence::run(&["--quiet".to_owned()])));
    // The Python package is built by its own step and the C library by its test, as they are given to people: without a compiler.
    let build = ["build", "--workspace", "--all-targets", "--exclude", "sconce-extension", "--exclude", "sconce-c"];
    step("build", &mut || plain(command("cargo", &build)));
    step("cargo test", &mut cargo_test);
    step("lit", &mut || lit::counted(&[]));
    step("Python package", &mut python::tested);
    step("pages in a browser", &mut viewer::tested);
    step("size of the runtime", &mut || plain(size::run(&[])));
    for f in &failures {
        println!("{f}");
    }
    println!("times: {}", times.join(", "));
    println!("{passed} passed, {failed} failed");
    if failures.is_empty() { Ok(()) } else { Err(failures.join("; ")) }
}

/// The number after which `word` stands: `12 passed`.
pub fn number_before(line: &str, word: &str) -> usize {
    let words: Vec<&str> = line.split([' ', ';', ',']).filter(|w| !w.is_empty()).collect();
    words.windows(2).find(|w| w[1] == word).and_then(|w| w[0].parse().ok()).unwrap_or(0)
}

/// `test result: ok. 12 passed; 0 failed; …`
fn cargo_counts(line: &str) -> (usize, usize) {
    let result = line.strip_prefix("test result: ").unwrap_or("");
    (number_before(result, "passed"), number_before(result, "failed"))
}

/// What serves S3 to the tests of `sconce-object-store`, which find it by the variable.
const SERVER: (&str, &[&str]) = ("SCONCE_MOTO_PYTHON", &["moto[server]>=5,<6"]);

/// Runs `cargo test`, its output passed through and its result lines added up. An exit status that the counts do not explain is an error.
fn cargo_test() -> Result<(usize, usize), String> {
    let server = environment::python(&target().join("moto"), SERVER.1)?;
    let mut child = Command::new("cargo")
        .args(["test", "--workspace", "--no-fail-fast"])
        .env(SERVER.0, server)
        .current_dir(root())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cannot start cargo: {e}"))?;
    let (mut passed, mut failed) = (0, 0);
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
        let line = line.map_err(|e| e.to_string())?;
        println!("{line}");
        let (p, f) = cargo_counts(&line);
        passed += p;
        failed += f;
    }
    let status = child.wait().map_err(|e| e.to_string())?;
    if !status.success() && failed == 0 {
        return Err(format!("cargo test ended with {status}"));
    }
    Ok((passed, failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_counted() {
        assert_eq!(cargo_counts("test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured"), (12, 3));
        assert_eq!(cargo_counts("running 7 tests"), (0, 0));
    }
}
