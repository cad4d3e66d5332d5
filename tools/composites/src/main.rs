//! The second half of `cargo xtask codegen`: definitions of composite operators become listings, by this project's own compiler; `--check` fails if they are stale.
//!
//! It stands alone because it needs the op table, which the first half makes.
#![forbid(unsafe_code)]

mod compile;
mod listing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where definitions stand, and where their listings go: a file a family in both.
const DEFINITIONS: &str = "frontend/prelude/composites";
const LISTINGS: &str = "runtime/kernels/src/table/composites";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match &arguments[..] {
        [] => run(false),
        [flag] if flag == "--check" => run(true),
        _ => Err("usage: sconce-composites [--check]".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run(check: bool) -> Result<(), String> {
    let mut stale = Vec::new();
    for (path, text) in generate(&root())? {
        let full = root().join(&path);
        if std::fs::read_to_string(&full).is_ok_and(|old| old == text) {
            continue;
        }
        if !check {
            std::fs::write(&full, text).map_err(|e| format!("{path}: {e}"))?;
        }
        stale.push(path);
    }
    match (check, stale.is_empty()) {
        (true, false) => Err(format!("stale, run `cargo xtask codegen`: {}", stale.join(", "))),
        (false, false) => {
            println!("wrote {}", stale.join(", "));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The listings by path, all definitions compiled.
fn generate(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let folder = root.join(DEFINITIONS);
    let mut files = BTreeMap::new();
    let mut calls = BTreeMap::new();
    let mut errors = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(|e| format!("{DEFINITIONS}: {e}"))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(family) = name.strip_suffix(".py") else { continue };
        let path = format!("{DEFINITIONS}/{name}");
        let text = std::fs::read_to_string(entry.path()).map_err(|e| format!("{path}: {e}"))?;
        let mut listings = format!("# Made by `cargo xtask codegen` from {path}; do not edit.\n");
        match compile::file(&path, &text) {
            Ok(compiled) => {
                for one in compiled {
                    listings.push_str(&format!("\n== {}\n{}", one.operator, one.listing));
                    if calls.insert(one.operator.clone(), one.calls).is_some() {
                        errors.push(format!("{path}: {} has two definitions", one.operator));
                    }
                }
            }
            Err(found) => errors.extend(found),
        }
        files.insert(format!("{LISTINGS}/{family}.txt"), listings);
    }
    errors.extend(calls.keys().filter(|name| reaches(&calls, name)).map(|name| format!("{name} is defined by itself")));
    if errors.is_empty() { Ok(files) } else { Err(errors.join("\n")) }
}

/// Whether an operator's definition calls the operator, through other definitions too.
fn reaches(calls: &BTreeMap<String, Vec<String>>, from: &str) -> bool {
    let mut open: Vec<&String> = calls.get(from).into_iter().flatten().collect();
    let mut seen = std::collections::BTreeSet::new();
    while let Some(next) = open.pop() {
        if next == from {
            return true;
        }
        if seen.insert(next) {
            open.extend(calls.get(next).into_iter().flatten());
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_are_fresh() {
        if let Err(message) = run(true) {
            panic!("{message}");
        }
    }

    #[test]
    fn a_definition_that_cannot_be_is_named() {
        let errors = |text: &str| compile::file("probe.py", text).err().unwrap_or_default().join("\n");
        let good = "# aten::glu_jvp\ndef glu_jvp(glu, x, dx, dim):\n    return glu + dx\n";
        assert_eq!(errors(good), "");
        for (from, to, why) in [
            ("aten::glu_jvp", "aten::no_such_operator", "probe.py:1: aten::no_such_operator has no record"),
            ("(glu, x,", "(glu, y,", "probe.py:2: parameter `y` is `x` in aten::glu_jvp"),
            (", dim)", ")", "probe.py:2: 3 parameters, aten::glu_jvp has 4"),
            ("glu + dx", "glu + dy", "undefined value dy"),
            ("glu + dx", "3", "probe.py"),
        ] {
            let found = errors(&good.replace(from, to));
            assert!(found.contains(why), "{from} as {to}: {found}");
        }
    }

    #[test]
    fn circles_are_found() {
        let calls = |list: &[(&str, &[&str])]| {
            list.iter().map(|(n, c)| (n.to_string(), c.iter().map(|s| s.to_string()).collect())).collect()
        };
        let table: BTreeMap<String, Vec<String>> = calls(&[("a", &["b"]), ("b", &["c", "a"]), ("d", &["b"])]);
        assert!(reaches(&table, "a") && reaches(&table, "b") && !reaches(&table, "d"));
    }
}
