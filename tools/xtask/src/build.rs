//! `build` leaves the tools people hold, optimised, in `target/release`.

use crate::{TaskResult, command, target};
use std::path::PathBuf;

/// The crates whose binaries are the product, but for the runtime alone.
pub const PRODUCT: &[&str] = &["sconce", "sconce-opt", "sconce-translate"];

/// The crate of the runtime alone.
pub const RUNTIME: &str = "sconce-rt";

/// The programs of all of them.
pub const PROGRAMS: &[&str] = &["sconce", "sconce-compiler", "sconce-lsp", "sconce-opt", RUNTIME, "sconce-translate"];

pub fn run(_arguments: &[String]) -> TaskResult {
    let mut arguments = vec!["build", "--release"];
    for package in PRODUCT {
        arguments.extend(["-p", package]);
    }
    command("cargo", &arguments)?;
    let (from, to) = (runtime()?, target().join("release").join(RUNTIME));
    std::fs::copy(&from, &to).map_err(|e| format!("{} to {}: {e}", from.display(), to.display()))?;
    Ok(())
}

/// What a profile cannot say to the linker: functions of equal code are one, the addresses that the loader adjusts are a list of places, not of records (glibc
/// 2.36 and later read it), and tables for unwinding are left out. The linker is the one that rustc brings for this target.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const LINK: &[&str] = &[
    "-C",
    "link-arg=-Wl,-z,pack-relative-relocs",
    "-C",
    "link-arg=-Wl,--icf=all",
    "-C",
    "link-arg=-Wl,--no-eh-frame-hdr",
    "-C",
    concat!("link-arg=-Wl,-T,", env!("CARGO_MANIFEST_DIR"), "/../sconce-rt/no-unwind-tables.ld"),
];
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
const LINK: &[&str] = &[];

/// Builds the runtime alone with its own profile, which makes it small; gives where it lies.
pub fn runtime() -> Result<PathBuf, String> {
    command("cargo", &[&["rustc", "--profile", "runtime", "-p", RUNTIME, "--"], LINK].concat())?;
    Ok(target().join("runtime").join(RUNTIME))
}
