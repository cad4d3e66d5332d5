//! Which recordings of operators a tool looks at, and how such a tool ends: 0 when all is well, 1 when something is not, 2 when it could not be told.

use clap::{Args, Parser};
use std::path::PathBuf;
use std::process::ExitCode;

/// A folder of recordings, and the operators in it that are wanted.
#[derive(Args, Debug)]
pub struct Selection {
    /// Folder of recordings, with value/, error/ and meta/.
    pub folder: PathBuf,
    /// One operator; `aten::add` means all its overloads.
    #[arg(long)]
    pub op: Option<String>,
    /// The operators of one family of the table.
    #[arg(long)]
    pub family: Option<String>,
}

impl Selection {
    /// Whether an operator, named with its overload, is among them.
    pub fn wants(&self, op: &str) -> bool {
        let named = self.op.as_deref().is_none_or(|want| op == want || op.split('.').next() == Some(want));
        let family = |family: &str| sconce_schema::lookup(op).is_some_and(|entry| entry.family == family);
        named && self.family.as_deref().is_none_or(family)
    }

    /// The recordings of one kind, in order.
    pub fn files(&self, kind: &str) -> Result<Vec<PathBuf>, String> {
        let folder = self.folder.join(kind);
        let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        files.retain(|p| p.extension().is_some_and(|e| e == "jsonl"));
        files.sort();
        Ok(files)
    }
}

/// Runs a tool with what its command line says.
pub fn judge<Options: Parser>(run: impl FnOnce(&Options) -> Result<bool, String>) -> ExitCode {
    let options = Options::parse();
    // A kernel's mistake shall be counted, not end the run; what it says is in the failure.
    std::panic::set_hook(Box::new(|_| {}));
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}
