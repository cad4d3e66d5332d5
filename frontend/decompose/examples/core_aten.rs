//! Decomposes recorded programs and says which graphs are PyTorch's: `cargo run -p sconce-decompose --example core_aten -- FOLDER [NAME…]`.
//!
//! `FOLDER/NAME/program.pt2` is a program, `core.txt` beside it what PyTorch printed of its decomposition. With names, the graphs of these are printed.

use sconce_archive::{Container, Limits, Record};
use sconce_decompose::core_aten;
use sconce_export_program::{Archive, Error, ExportedProgram};
use sconce_tensor::Storage;
use std::path::Path;
use std::process::ExitCode;

fn open(path: &Path) -> Result<ExportedProgram, Error> {
    let limits = Limits::default();
    let shown = path.display().to_string();
    let mut storage =
        |record: &Record| Storage::zeroed(record.size()).ok_or_else(|| Error::Storage("no memory".to_owned()));
    ExportedProgram::read(&Archive::new(&shown, Container::open(&shown, &limits)?, &limits)?, &limits, &mut storage)
}

/// A graph without the numbers of its names, which count what was looked at and thrown away as well.
fn unnumbered(text: &str) -> String {
    let mut out = String::new();
    let mut names: Vec<&str> = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some(at) = rest.find('%') {
            let (before, name) = rest.split_at(at);
            let end = name
                .get(1..)
                .and_then(|n| n.find(|c: char| c != '_' && !c.is_alphanumeric()))
                .map_or(name.len(), |n| n + 1);
            let (name, after) = name.split_at(end);
            let number = names.iter().position(|n| *n == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            out.push_str(&format!("{before}%{number}"));
            rest = after;
        }
        out.push_str(rest);
        out.push('\n');
    }
    // The result and messages name nodes without the sign.
    let kept: Vec<&str> = out.lines().filter(|l| !l.trim_start().starts_with("return")).collect();
    let text = kept.join("\n");
    text.split("on node '").map(|part| part.split_once('\'').map_or(part, |(_, rest)| rest)).collect()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((folder, names)) = arguments.split_first() else {
        eprintln!("usage: core_aten FOLDER [NAME…]");
        return ExitCode::FAILURE;
    };
    let folder = Path::new(folder);
    let mut programs: Vec<String> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect(),
        Err(e) => {
            eprintln!("error: {}: {e}", folder.display());
            return ExitCode::FAILURE;
        }
    };
    programs.sort();
    let (mut asked, mut equal, mut but_for_numbers) = (0, 0, 0);
    for name in programs.iter().filter(|name| names.is_empty() || names.contains(name)) {
        let read = |file: &str| std::fs::read_to_string(folder.join(name).join(file)).unwrap_or_default();
        let mut expected = read("core.txt");
        if expected.is_empty() {
            continue;
        }
        if !expected.starts_with("graph") {
            expected = read("graph.txt");
        }
        asked += 1;
        let program = open(&folder.join(name).join("program.pt2")).map_err(|e| e.to_string());
        let said = match program.and_then(|program| core_aten(&program).map_err(|e| e.to_string())) {
            Ok(program) => program.graph_module.graph.to_string(),
            Err(e) => {
                println!("{name}\n    {e}");
                continue;
            }
        };
        if !names.is_empty() {
            println!("{said}\n");
        }
        if said.trim_end() == expected.trim_end() {
            equal += 1;
            continue;
        }
        let numbers = unnumbered(&said) == unnumbered(&expected);
        but_for_numbers += usize::from(numbers);
        let first = said.lines().zip(expected.lines()).find(|(a, b)| a != b).unwrap_or(("one is longer", ""));
        let how = if numbers { " (in the numbers of names)" } else { "" };
        println!("{name}{how}\n    PyTorch {}\n    here    {}", first.1.trim(), first.0.trim());
    }
    println!("{asked} programs: {equal} equal, {but_for_numbers} more but for the numbers of names");
    ExitCode::SUCCESS
}
