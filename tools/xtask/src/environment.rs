//! Environments of Python's lie in the target folder, and are made from PyPI when they are not there.

use crate::command;
use std::path::{Path, PathBuf};

/// The interpreter of the environment in a folder, which has these packages.
pub fn python(folder: &Path, packages: &[&str]) -> Result<PathBuf, String> {
    python_by("python3", folder, packages)
}

/// The same, made by another interpreter than the system's.
pub fn python_by(interpreter: &str, folder: &Path, packages: &[&str]) -> Result<PathBuf, String> {
    let made = folder.join("done");
    let listed = packages.join(" ");
    if std::fs::read_to_string(&made).ok().as_deref() != Some(&*listed) {
        println!("making {}: {listed}", folder.display());
        command(interpreter, &["-m", "venv", "--clear", &folder.display().to_string()])?;
        if !packages.is_empty() {
            command(folder.join("bin/pip"), &[&["install", "--quiet"], packages].concat())?;
        }
        std::fs::write(&made, listed).map_err(|e| format!("{}: {e}", made.display()))?;
    }
    Ok(folder.join("bin/python"))
}
