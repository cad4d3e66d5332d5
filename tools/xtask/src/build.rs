//! `build` leaves the tools people hold, optimised, in `target/release`.

use crate::{TaskResult, command, target};
use std::path::PathBuf;

/// The crates whose binaries are the product, but for the runtime alone.
pub const PRODUCT: &[&str] = &["sconce", "sconce-opt", "sconce-translate"];

pub fn run(_arguments: &[String]) -> TaskResult {
    let mut arguments = vec!["build", "--release"];
    for package in PRODUCT {
        arguments.extend(["-p", package]);
    }
    command("cargo", &arguments)?;
    let (from, to) = (runtime()?, target().join("release").join("sconce-rt"));
    std::fs::copy(&from, &to).map_err(|e| format!("{} to {}: {e}", from.display(), to.display()))?;
    Ok(())
}

/// What a profile cannot say: a program that never unwinds carries no tables for it, and the addresses that the loader adjusts are a
/// list of places and not of records (glibc 2.36 and later read it). Together they are a twelfth of the file.
#[cfg(target_os = "linux")]
const SMALL: &[&str] = &["-C", "force-unwind-tables=no", "-C", "link-arg=-Wl,-z,pack-relative-relocs"];
#[cfg(not(target_os = "linux"))]
const SMALL: &[&str] = &["-C", "force-unwind-tables=no"];

/// Builds the runtime alone with its own profile, which makes it small; gives where it lies.
pub fn runtime() -> Result<PathBuf, String> {
    let flags = format!("build.rustflags={SMALL:?}");
    command("cargo", &["build", "--config", &flags, "--profile", "runtime", "-p", "sconce-rt"])?;
    Ok(target().join("runtime").join("sconce-rt"))
}
