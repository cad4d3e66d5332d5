//! The crate's one error type: what was tried, and MLIR's diagnostics about it.

use crate::diagnostics::{Diagnostic, Severity};
use std::fmt::Write;

/// Why something could not be done with the IR.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// MLIR refused, and said why.
    #[error("{}", describe(what, diagnostics))]
    Failed {
        /// What was tried: "parse", "verify", "run passes" …
        what: &'static str,
        /// What MLIR said, in order.
        diagnostics: Vec<Diagnostic>,
    },
    /// No such operation is registered, so it cannot be built.
    #[error("unknown operation '{0}': its dialect is not registered, or has no such operation")]
    UnknownOperation(String),
    /// An operation that is still used cannot be erased.
    #[error("'{0}' cannot be erased: its results are still used")]
    StillUsed(String),
    /// An attribute or type that does not fit.
    #[error("{0}")]
    Invalid(String),
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: String,
        /// Why.
        source: std::sync::Arc<std::io::Error>,
    },
}

impl Error {
    /// The diagnostics, if it was MLIR that refused.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Error::Failed { diagnostics, .. } => diagnostics,
            _ => &[],
        }
    }
}

impl From<melior::Error> for Error {
    fn from(error: melior::Error) -> Self {
        Error::Invalid(error.to_string())
    }
}

fn describe(what: &str, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter().filter(|d| d.severity == Severity::Error) {
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = write!(text, "{diagnostic}");
    }
    if text.is_empty() { format!("cannot {what}: MLIR gave no reason") } else { text }
}
