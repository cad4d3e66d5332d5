//! `independence` measures that the prelude's texts are our own: their masked token sequences against fingerprints of PyTorch's.

use crate::{TaskResult, command};

/// Where the measure and its fingerprints (hashes, no text) lie.
pub const FOLDER: &str = "testdata/independence";

/// Written and generated texts alike.
const TEXTS: &str = "frontend/prelude";

/// Prints the figures by file and function; `--quiet` only totals and broken limits, which are an error.
pub fn run(arguments: &[String]) -> TaskResult {
    let script = format!("{FOLDER}/independence.py");
    let mut words = vec![script.as_str()];
    match arguments {
        [] => {}
        [flag] if flag == "--quiet" => words.push("--quiet"),
        _ => return Err("usage: cargo xtask independence [--quiet]".to_owned()),
    }
    words.push(TEXTS);
    command("python3", &words)
}
