//! `lit` runs the FileCheck tests below `lit-tests/` against the tools of one target folder; those of the default one are built before.

use crate::{TaskResult, command, root, target};

/// LLVM's prefix, from `.cargo/config.toml` unless the shell says otherwise; lit and FileCheck lie in its `bin`.
pub fn llvm_bin() -> Result<std::path::PathBuf, String> {
    let prefix =
        std::env::var_os("MLIR_SYS_220_PREFIX").ok_or("MLIR_SYS_220_PREFIX is not set; start this by cargo xtask")?;
    Ok(std::path::PathBuf::from(prefix).join("bin"))
}

pub fn run(arguments: &[String]) -> TaskResult {
    match counted(arguments)? {
        (_, 0) => Ok(()),
        (_, failed) => Err(format!("{failed} failed")),
    }
}

/// How many passed and failed. Arguments: `--tools=FOLDER` (default: the target folder's `debug`), then files or folders.
pub fn counted(arguments: &[String]) -> Result<(usize, usize), String> {
    let (options, paths): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|a| a.starts_with("--"));
    let mut given = None;
    for option in options {
        match option.strip_prefix("--tools=") {
            Some(folder) => given = Some(root().join(folder)),
            None => return Err(format!("unknown option {option}")),
        }
    }
    let tools = match given {
        Some(tools) => tools,
        None => {
            command("cargo", &["build", "--quiet", "--workspace", "--bins"])?;
            target().join("debug")
        }
    };
    let bin = llvm_bin()?;
    let report = target().join("lit").join("report.json");
    std::fs::create_dir_all(target().join("lit")).map_err(|e| format!("{}: {e}", report.display()))?;
    let parameters = [
        format!("--param=tools={}", tools.display()),
        format!("--param=llvm={}", bin.display()),
        format!("--output={}", report.display()),
    ];
    let mut all: Vec<&str> = parameters.iter().map(String::as_str).collect();
    // Only failures are shown; the counts come below.
    all.extend(["--quiet", "--verbose"]);
    if paths.is_empty() {
        all.push("lit-tests");
    }
    all.extend(paths.iter().map(|p| p.as_str()));
    let result = command(bin.join("lit"), &all);
    let [passed, failed, skipped] = counts(&report)?;
    println!("lit: {passed} passed, {failed} failed, {skipped} skipped");
    // Lit's exit status must be explained by what it counted.
    if failed == 0 { result.map(|()| (passed, failed)) } else { Ok((passed, failed)) }
}

/// Passed, failed, and left out because a tool is missing.
fn counts(report: &std::path::Path) -> Result<[usize; 3], String> {
    let text = std::fs::read(report).map_err(|e| format!("{}: {e}", report.display()))?;
    let json: serde_json::Value = serde_json::from_slice(&text).map_err(|e| format!("{}: {e}", report.display()))?;
    let codes: Vec<&str> =
        json["tests"].as_array().into_iter().flatten().filter_map(|test| test["code"].as_str()).collect();
    let of = |wanted: &[&str]| codes.iter().filter(|code| wanted.contains(code)).count();
    let passed = of(&["PASS", "XFAIL", "FLAKYPASS"]);
    let skipped = of(&["UNSUPPORTED", "SKIPPED", "EXCLUDED"]);
    Ok([passed, codes.len() - passed - skipped, skipped])
}
