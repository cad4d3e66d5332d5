//! `build` leaves the tools people hold, optimised, in `target/release`.

use crate::placing::copy;
use crate::{TaskResult, command, run_command, target};
use std::path::PathBuf;
use std::process::Command;

/// The crates whose binaries are the product, but for the runtime alone.
pub const PRODUCT: &[&str] = &["sconce", "sconce-opt", "sconce-translate"];

/// The crate of the runtime alone.
pub const RUNTIME: &str = "sconce-rt";

/// The programs of all of them.
pub const PROGRAMS: &[&str] = &["sconce", "sconce-compiler", "sconce-lsp", "sconce-opt", RUNTIME, "sconce-translate"];

pub fn run(_arguments: &[String]) -> TaskResult {
    let (made, to) = (tools(PRODUCT)?, target().join("release"));
    for program in PROGRAMS.iter().filter(|program| **program != RUNTIME) {
        copy(&made.join(program), &to.join(program))?;
    }
    copy(&runtime()?, &to.join(RUNTIME))
}

/// Builds programs as they are given to people; gives the folder where they lie. Where Debian's packages hold archives of MLIR and LLVM, these are in the programs, which
/// then start sooner (no symbols are looked up; `benches/first_results.py` times a first result) and run where LLVM is not installed. Cargo builds them in a folder
/// of their own: how MLIR is linked is something that it does not see change.
pub fn tools(packages: &[&str]) -> Result<PathBuf, String> {
    let folder = target().join("static");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--bins"]);
    for package in packages {
        cargo.args(["-p", package]);
    }
    if cfg!(target_os = "linux") {
        cargo.env("CARGO_TARGET_DIR", &folder).env("MLIR_SYS_LINK_SHARED", "0");
    }
    run_command(&mut cargo)?;
    Ok(if cfg!(target_os = "linux") { folder } else { target() }.join("release"))
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
