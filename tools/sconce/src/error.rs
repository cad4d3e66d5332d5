//! Why a program cannot be loaded, called or shown.

use sconce_interpreter::{LoadError, RunError};

/// Every failure of the library; the text is for people.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{path}: {source}")]
    Io { path: String, source: std::io::Error },
    #[error(
        "{path}: neither an archive of TorchScript or torch.export, nor source, graph text, .mlir or a compiled .sconce program (its first line is {first:?})"
    )]
    UnknownFile { path: String, first: String },
    /// A file of a known kind that holds no program.
    #[error("{path}: {what}")]
    Foreign { path: String, what: String },
    /// Text that is wrong, shown with its place.
    #[error("{0}")]
    Text(String),
    #[error(transparent)]
    Bytecode(#[from] sconce_bytecode::Error),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Format(#[from] sconce_interpreter::FormatError),
    #[error(transparent)]
    Archive(#[from] sconce_archive::Error),
    #[error(transparent)]
    Exported(#[from] sconce_export_program::Error),
    /// Arguments that an exported program was not exported for.
    #[error(transparent)]
    Violation(#[from] sconce_export_program::Violation),
    #[error(transparent)]
    Import(#[from] sconce_script::importer::Error),
    #[error(transparent)]
    Save(#[from] sconce_export::save::Error),
    #[error("{}", .0.report())]
    Source(#[from] sconce_python::Error),
    #[error("{}", .0.text(crate::traceback::frame))]
    Run(#[from] Box<RunError>),
    #[error("there is no function '{name}'; {instead}")]
    NoFunction { name: String, instead: String },
    /// Code of an archive that nothing needed so far.
    #[error("'{name}' does not compile: {}", .why.short())]
    Refused { name: String, why: Box<sconce_script::emit::Error> },
    #[error("'{path}': {class} has no attribute '{name}'; it has {have}")]
    NoAttribute { path: String, class: String, name: String, have: String },
    #[error("the program has no module, so no attribute '{name}'")]
    NoModule { name: String },
    #[error("{name} expects a value of type {expected}, got {got}")]
    AttributeType { name: String, expected: String, got: String },
    #[error("the tensors do not fit the module: {0}")]
    StateDict(String),
    #[error("a compiled program has bytecode only: nothing to show as {stage}")]
    NoSource { stage: &'static str },
    /// What a form of a program has no place for.
    #[error(".{form} cannot hold {what}; .pt and .sconce hold every program")]
    Unwritable { form: &'static str, what: String },
    #[error("MLIR is read and written by a compiler, and this program has none")]
    NoCompiler,
    #[error("a module is frozen by the compiler, {why}")]
    NotFrozen { why: String },
    #[error("{0}")]
    Compile(String),
}

impl Error {
    /// Operators that are missing, when that is why.
    pub fn missing_operators(&self) -> Vec<String> {
        match self {
            Error::Bytecode(sconce_bytecode::Error::Unsupported(list)) => list.iter().map(|u| u.op.clone()).collect(),
            _ => Vec::new(),
        }
    }
}
