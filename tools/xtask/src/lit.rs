//! `lit` runs the FileCheck tests below `lit-tests/` against the tools of one target folder.

use crate::{TaskResult, command, root, target};

/// LLVM's prefix, from `.cargo/config.toml` unless the shell says otherwise; lit and FileCheck lie in its `bin`.
fn llvm_bin() -> Result<std::path::PathBuf, String> {
    let prefix =
        std::env::var_os("MLIR_SYS_220_PREFIX").ok_or("MLIR_SYS_220_PREFIX is not set; start this by cargo xtask")?;
    Ok(std::path::PathBuf::from(prefix).join("bin"))
}

/// Arguments: `--tools=FOLDER` (default: the target folder's `debug`), then files or folders.
pub fn run(arguments: &[String]) -> TaskResult {
    let (options, paths): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|a| a.starts_with("--"));
    let mut tools = target().join("debug");
    for option in options {
        match option.strip_prefix("--tools=") {
            Some(folder) => tools = root().join(folder),
            None => return Err(format!("unknown option {option}")),
        }
    }
    let bin = llvm_bin()?;
    let parameters = [format!("--param=tools={}", tools.display()), format!("--param=llvm={}", bin.display())];
    let mut all = vec![parameters[0].as_str(), parameters[1].as_str(), "-s", "-v"];
    if paths.is_empty() {
        all.push("lit-tests");
    }
    all.extend(paths.iter().map(|p| p.as_str()));
    command(bin.join("lit"), &all)
}
