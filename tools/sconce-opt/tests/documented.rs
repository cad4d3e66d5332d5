//! `docs/passes.md` is what the registry says of passes and pipelines, each pass with an example that is run here. `UPDATE_EXPECT=1` refreshes it.

use expect_test::expect_file;
use sconce_compiler::passes::{pipelines, rows};
use sconce_ir::pass::{OptionKind, PassRow};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const HEAD: &str = "# Passes

Made from the registry of passes by `cargo test -p sconce-opt --test documented`; `UPDATE_EXPECT=1` refreshes it. Examples are the first functions of the tests that
are named, before and after `sconce-opt` with the options that stand above them. Any pass of MLIR's can stand beside these: `sconce-opt --list-passes`.

";

const RECORDED: &str = "
Graphs that PyTorch's passes were given and what became of them, by `cargo test -p sconce-passes --test recorded`: how many come out equal here, values renumbered.
Programs on which PyTorch's own pass fails are left out.

";

/// The test of a pass, which is called like it.
fn test_of(root: &Path, pass: &str) -> Option<PathBuf> {
    let areas = std::fs::read_dir(root.join("lit-tests")).expect("tests").map(|area| area.expect("an area").path());
    let mut found: Vec<PathBuf> = areas
        .flat_map(|area| ["mlir", "txt"].map(|ending| area.join(format!("{pass}.{ending}"))))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found.into_iter().next()
}

/// The first function or graph of a text, from the margin on.
fn first_function(text: &str) -> String {
    let is_start = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("func.func") || line.starts_with("llvm.func") || line.starts_with("graph(")
    };
    let lines: Vec<&str> = text.lines().skip_while(|line| !is_start(line)).collect();
    let Some(first) = lines.first() else { return String::new() };
    let margin = first.len() - first.trim_start().len();
    let is_end = |line: &str| line.get(margin..) == Some("}") || line.starts_with("  return (");
    let end = lines.iter().position(|line| is_end(line)).map_or(lines.len(), |at| at + 1);
    lines[..end].iter().map(|line| format!("{}\n", line.get(margin..).unwrap_or_default().trim_end())).collect()
}

/// The first lines of a long text.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut lines: Vec<&str> = text.lines().take(MOST).collect();
    if text.lines().nth(MOST).is_some() {
        lines.push("…");
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// What `sconce-opt` is told first in a test, and what it makes of it.
fn example(path: &Path) -> Option<(String, String, String)> {
    let text = std::fs::read_to_string(path).expect("a test");
    let run = text.lines().find_map(|line| line.split_once("RUN: sconce-opt %s ")).map(|(_, run)| run)?;
    let told = run.split(" | ").next()?.trim().to_owned();
    // What is said by remarks stands where errors do.
    let (told, remarks) = match told.strip_suffix("-o /dev/null 2>&1") {
        Some(told) => (told.trim().to_owned(), true),
        None => (told, false),
    };
    // What needs a shell to be said is no example.
    if told.contains(['"', '\'', '%', '>']) || run.contains("not sconce-opt") {
        return None;
    }
    let mut opt = Command::new(env!("CARGO_BIN_EXE_sconce-opt"));
    opt.arg(path).args(told.split_whitespace()).args(if remarks { &["-o", "/dev/null"][..] } else { &[] });
    let made = opt.output().expect("sconce-opt starts");
    let (out, said) = (String::from_utf8_lossy(&made.stdout), String::from_utf8_lossy(&made.stderr));
    assert!(made.status.success(), "{}: {said}", path.display());
    let place = format!("{}:", path.display());
    let after = if remarks { said.replace(&place, "") } else { first_function(&out) };
    Some((told, shortened(&first_function(&text)), shortened(&after)))
}

fn section(row: &PassRow, root: &Path, out: &mut String) {
    let _ = write!(out, "\n## {}\n\n{}.", row.name, row.description);
    if !row.pytorch.is_empty() {
        let _ = write!(out, " PyTorch's {}.", row.pytorch);
    }
    let on = row.anchor.map_or("any operation".to_owned(), |anchor| format!("`{anchor}`"));
    let _ = writeln!(out, " Runs on {on}.");
    if !row.options.is_empty() {
        out.push_str("\n| option | default | |\n|---|---|---|\n");
    }
    for option in row.options {
        let default = match option.kind {
            OptionKind::Bool(b) => b.to_string(),
            OptionKind::Int(n) => n.to_string(),
            OptionKind::Str(text) => text.to_owned(),
        };
        let _ = writeln!(out, "| `{}` | {default} | {} |", option.name, option.description);
    }
    let Some(path) = test_of(root, row.name) else { return };
    let shown = path.strip_prefix(root).unwrap_or(&path).display().to_string();
    if let Some((told, before, after)) = example(&path) {
        let _ = write!(out, "\n`sconce-opt {told}` ([{shown}](../{shown})):\n\n```\n{before}```\n```\n{after}```\n");
    }
}

#[test]
fn every_pass_is_in_its_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace");
    let mut page = String::from(HEAD);
    page.push_str("| pass | what it does | PyTorch |\n|---|---|---|\n");
    for row in rows() {
        let _ = writeln!(page, "| [{0}](#{0}) | {1} | {2} |", row.name, row.description, row.pytorch);
    }
    page.push_str("\n| pipeline | what it is for | passes |\n|---|---|---|\n");
    for (name, description, passes) in pipelines() {
        let _ = writeln!(page, "| {name} | {description} | `{}` |", passes.replace(',', "`, `"));
    }
    page.push_str(RECORDED);
    page.push_str(&std::fs::read_to_string(root.join("lowering/passes/tests/recorded.md")).expect("a table"));
    rows().for_each(|row| section(row, root, &mut page));
    expect_file!["../../../docs/passes.md"].assert_eq(&page);
}
