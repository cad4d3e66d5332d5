//! Packs the Python texts of `files/` and `generated/`, and those of `core_aten/`, so that adding one is adding a file.

use std::path::{Path, PathBuf};

fn main() -> Result<(), String> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").ok_or("Cargo sets CARGO_MANIFEST_DIR")?);
    pack(&root, &["files", "generated"], "files")?;
    pack(&root, &["core_aten"], "core_aten")
}

/// Packs the texts of some folders.
fn pack(root: &Path, folders: &[&str], name: &str) -> Result<(), String> {
    let mut paths = Vec::new();
    for folder in folders {
        println!("cargo::rerun-if-changed={folder}");
        walk(root, Path::new(folder), &mut paths);
    }
    paths.sort();
    sconce_packed::pack(name, root, &paths)
}

/// Every `.py` below a folder that may be absent.
fn walk(root: &Path, folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            walk(root, &path, paths);
        } else if path.extension().is_some_and(|e| e == "py") {
            paths.push(path);
        }
    }
}
