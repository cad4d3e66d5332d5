//! Evaluates (and compiles, with `--compile`) every `source.py` below a folder, at the entry that a line `#@ entry …` in it names.
//!
//! `cargo run -p sconce-script --example sources -- FOLDER [--compile] [--only PART]`

use sconce_python::{Options, Program};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let compile = args.iter().any(|a| a == "--compile");
    let only = args.iter().position(|a| a == "--only").and_then(|i| args.get(i + 1)).cloned().unwrap_or_default();
    let mut files = Vec::new();
    if let Some(folder) = args.first() {
        find(Path::new(folder), &mut files);
    }
    files.sort();
    files.retain(|f| f.to_string_lossy().contains(&only));
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut fine = 0;
    for file in &files {
        match check(file, compile) {
            Ok(()) => fine += 1,
            Err(why) => {
                println!("{}: {}", file.display(), why.lines().next().unwrap_or_default());
                if !only.is_empty() {
                    println!("{why}");
                }
                reasons.entry(why).or_default().push(file.display().to_string());
            }
        }
    }
    println!("{fine} of {}", files.len());
}

fn find(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, out);
        } else if path.file_name().is_some_and(|n| n == "source.py") {
            out.push(path);
        }
    }
}

fn check(file: &Path, compile: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let entry = text.lines().find_map(|l| l.strip_prefix("#@ entry ")).ok_or("no entry")?;
    let module = file.parent().and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let transparent = ["fill", "frozen", "traced"].map(str::to_owned).to_vec();
    let options = Options { module, transparent, ..Options::default() };
    let mut program = Program::new("source.py", &text, options).map_err(|e| e.to_string())?;
    if compile {
        program.compile(entry).map(|_| ()).map_err(|e| e.to_string())
    } else {
        program.evaluate(entry).map(|_| ()).map_err(|e| e.to_string())
    }
}
