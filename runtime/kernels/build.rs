//! Packs the listings of composite operators, which `cargo xtask codegen` writes to `src/table/composites`.

use std::path::{Path, PathBuf};

const LISTINGS: &str = "src/table/composites";

fn main() -> Result<(), String> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").ok_or("Cargo sets CARGO_MANIFEST_DIR")?);
    println!("cargo::rerun-if-changed={LISTINGS}");
    let entries = std::fs::read_dir(root.join(LISTINGS)).map_err(|e| format!("{LISTINGS}: {e}"))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| Path::new(LISTINGS).join(e.file_name())).collect();
    files.sort();
    sconce_packed::pack("listings", &root, &files)
}
