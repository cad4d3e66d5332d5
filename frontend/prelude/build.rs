//! Lists the Python texts of `files/` and `generated/`, and those of `core_aten/`, so that adding one is adding a file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("Cargo sets CARGO_MANIFEST_DIR"));
    list(&root, &["files", "generated"], "files.rs");
    list(&root, &["core_aten"], "core_aten.rs");
}

/// Writes the texts of some folders as a list of paths and texts.
fn list(root: &Path, folders: &[&str], name: &str) {
    let mut paths = Vec::new();
    for folder in folders {
        println!("cargo::rerun-if-changed={folder}");
        walk(&root.join(folder), &mut paths);
    }
    paths.sort();
    let mut out = String::from("&[\n");
    for path in &paths {
        let below = path.strip_prefix(root).expect("found below the root");
        let _ =
            writeln!(out, "    ({:?}, include_str!({:?})),", below.display().to_string(), path.display().to_string());
    }
    out.push_str("]\n");
    let target = PathBuf::from(std::env::var("OUT_DIR").expect("Cargo sets OUT_DIR")).join(name);
    std::fs::write(&target, out).unwrap_or_else(|e| panic!("{}: {e}", target.display()));
}

/// Every `.py` below a folder that may be absent.
fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            walk(&path, paths);
        } else if path.extension().is_some_and(|e| e == "py") {
            paths.push(path);
        }
    }
}
