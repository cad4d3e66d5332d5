//! `build` leaves the tools people hold, optimised, in `target/release`.

use crate::{TaskResult, command};

/// The crates whose binaries are the product.
pub const PRODUCT: &[&str] = &["sconce", "sconce-opt", "sconce-translate", "sconce-rt"];

pub fn run(_arguments: &[String]) -> TaskResult {
    let mut arguments = vec!["build", "--release"];
    for package in PRODUCT {
        arguments.extend(["-p", package]);
    }
    command("cargo", &arguments)
}
