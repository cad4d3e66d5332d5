//! Files are placed where they are installed, their folders made before.

use crate::TaskResult;
use std::path::Path;

fn folder_of(path: &Path) -> TaskResult {
    let folder = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

/// Copies a file, with its mode. What was there goes first: Cargo's programs have another name, of the same file, that keeps what it is.
pub fn copy(from: &Path, to: &Path) -> TaskResult {
    folder_of(to)?;
    if to.exists() {
        std::fs::remove_file(to).map_err(|e| format!("{}: {e}", to.display()))?;
    }
    std::fs::copy(from, to).map(|_| ()).map_err(|e| format!("{} to {}: {e}", from.display(), to.display()))
}

/// Writes a file.
pub fn write(path: &Path, bytes: &[u8]) -> TaskResult {
    folder_of(path)?;
    std::fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}
