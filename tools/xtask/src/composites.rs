//! Which operators are composites: those that a comment before a definition in `frontend/prelude/composites` names.
//!
//! What the definitions say is compiled by `tools/composites`, which needs the tables that are made here first.

use crate::codegen::Op;
use crate::{TaskResult, root};
use std::path::Path;
use std::process::Command;

const FOLDER: &str = "frontend/prelude/composites";
/// The kernel of them all.
pub const KERNEL: &str = "calling::defined";

/// `(file, line, operator)` of every definition, files in alphabetical order.
fn definitions(root: &Path) -> Result<Vec<(String, usize, String)>, String> {
    let mut found = Vec::new();
    for family in families(root) {
        let path = format!("{FOLDER}/{family}.py");
        let text = std::fs::read_to_string(root.join(&path)).map_err(|e| format!("{path}: {e}"))?;
        for (i, line) in text.lines().enumerate() {
            let named = line.strip_prefix("# ").filter(|rest| rest.split_whitespace().all(|word| word.contains("::")));
            found.extend(
                named.into_iter().flat_map(|names| names.split(", ")).map(|n| (path.clone(), i + 1, n.to_owned())),
            );
        }
    }
    Ok(found)
}

/// The files of definitions, by family.
fn families(root: &Path) -> Vec<String> {
    let files = std::fs::read_dir(root.join(FOLDER)).into_iter().flatten().flatten();
    let mut families: Vec<String> =
        files.filter_map(|f| Some(f.file_name().to_str()?.strip_suffix(".py")?.to_owned())).collect();
    families.sort();
    families
}

/// Gives operators that have a definition their kernel, which nothing else may say.
pub fn link(root: &Path, ops: &mut [Op], errors: &mut Vec<String>) -> Result<(), String> {
    for (path, line, name) in definitions(root)? {
        match ops.iter_mut().find(|op| op.name == name) {
            None => errors.push(format!("{path}:{line}: {name} has no record")),
            Some(op) if !op.kernel.is_empty() => {
                errors.push(format!("{path}:{line}: {name} has a kernel, {}", op.kernel));
            }
            Some(op) if !path.ends_with(&format!("/{}.py", op.family)) => {
                errors.push(format!("{path}:{line}: {name} is of family {}", op.family));
            }
            Some(op) if op.means() => errors.push(format!("{path}:{line}: {name} has a meaning in its record")),
            Some(op) => op.kernel = KERNEL.to_owned(),
        }
    }
    Ok(())
}

/// Compiles the definitions, or checks that this was done.
pub fn compile(check: bool) -> TaskResult {
    let mut command = Command::new("cargo");
    command.args(["run", "-q", "-p", "sconce-composites"]).current_dir(root());
    if check {
        command.args(["--", "--check"]);
    }
    let status = command.status().map_err(|e| format!("cargo: {e}"))?;
    if status.success() { Ok(()) } else { Err("the definitions of composite operators do not compile".to_owned()) }
}
