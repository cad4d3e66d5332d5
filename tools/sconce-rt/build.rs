//! Packs the licences of the libraries in the program.

use std::path::PathBuf;

fn main() -> Result<(), String> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").ok_or("Cargo sets CARGO_MANIFEST_DIR")?);
    sconce_packed::pack("licenses", &root, &[PathBuf::from("licenses.txt")])
}
