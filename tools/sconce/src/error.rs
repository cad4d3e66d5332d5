//! Why a program cannot be loaded, called or shown: of what kind the failure is, where it happened, and the text for people.

use sconce_exec::operator_library::LibraryError;
use sconce_interpreter::{Cause, LoadError, RunError, TraceEntry};
use std::fmt;

/// Every failure of the library. `Display` is the whole text, for people; a program asks [`Error::kind`], and where it happened [`Error::place`].
///
/// ```
/// use sconce::{ErrorKind, Engine, Options, SourceOptions};
///
/// let text = "def f(n: int):\n    if n > 2:\n        raise ValueError('too large')\n    return n\n";
/// let module = Engine::new(Options::default())?.compile_source("m.py", text, &SourceOptions::default())?;
/// let error = module.call("f", &[3.into()]).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Raised);
/// assert_eq!(error.place().unwrap().to_string(), "m.py:3:8");
/// assert_eq!(&*error.traceback()[0].function, "f");
/// assert!(error.to_string().ends_with("builtins.ValueError: too large\n"));
/// # Ok::<(), sconce::Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Failure>);

/// What a failure is about. There may be more kinds later.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file cannot be read or written. The source of the error is the system's ([`std::io::Error`]).
    Io,
    /// A file holds no program, is damaged, or holds what is not supported.
    Load,
    /// Source or graph text that is wrong or not supported.
    Source,
    /// Arguments that a function does not take, or values that an attribute does not.
    Argument,
    /// There is no function, attribute or module of this name.
    NotFound,
    /// The program raised an exception.
    Raised,
    /// An operator refused its arguments.
    Operator,
    /// The program calls an operator that has no kernel.
    MissingOperator,
    /// A call wanted more than its limits allow: instructions, nested calls.
    Limit,
    /// A call was stopped, by its caller or because its time was over.
    Cancelled,
    /// Every task of the program waits for another.
    Deadlock,
    /// What was asked for takes a compiler, and there is none.
    NoCompiler,
    /// The compiler refused, failed, or answered something else.
    Compile,
    /// This program, or the form that it is to be written in, has no such thing.
    Unsupported,
}

/// A place in a text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The file's name, as it was given.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// In bytes, from 0.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Location {
    /// Of a text as [`Location`] has it.
    fn read(text: &str) -> Option<Location> {
        let mut parts = text.trim_end_matches([':', ' ']).rsplitn(3, ':');
        let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(Location { file: parts.next()?.to_owned(), line, column })
    }

    fn of_entry(entry: &TraceEntry) -> Option<Location> {
        let (place, source) = entry.place.as_ref()?;
        Some(Location { file: source.name().to_owned(), line: place.line, column: place.column })
    }
}

impl Error {
    /// That a file cannot be read or written.
    pub fn io(path: impl fmt::Display, source: std::io::Error) -> Error {
        Failure::Io { path: path.to_string(), source }.into()
    }

    /// That what was asked for takes a compiler, and there is none.
    pub fn no_compiler() -> Error {
        Failure::NoCompiler.into()
    }

    /// What it is about.
    pub fn kind(&self) -> ErrorKind {
        match &*self.0 {
            Failure::Io { .. } | Failure::Library(LibraryError::Io { .. }) => ErrorKind::Io,
            Failure::UnknownFile { .. }
            | Failure::Foreign { .. }
            | Failure::Load(_)
            | Failure::Format(_)
            | Failure::Archive(_)
            | Failure::Exported(_)
            | Failure::Import(_)
            | Failure::Library(_) => ErrorKind::Load,
            Failure::Bytecode(sconce_bytecode::Error::Unsupported(_)) => ErrorKind::MissingOperator,
            Failure::Bytecode(_) => ErrorKind::Load,
            Failure::Text(_) | Failure::Source(_) | Failure::Refused { .. } => ErrorKind::Source,
            Failure::Violation(_) | Failure::AttributeType { .. } | Failure::StateDict(_) => ErrorKind::Argument,
            Failure::NoAttribute { .. } | Failure::NoFunction { .. } | Failure::NoModule { .. } => ErrorKind::NotFound,
            Failure::Run(error) => of_cause(error.cause),
            Failure::NoCompiler => ErrorKind::NoCompiler,
            Failure::Compile(_) | Failure::NotFrozen { .. } => ErrorKind::Compile,
            Failure::Save(_) | Failure::NoSource { .. } | Failure::Unwritable { .. } => ErrorKind::Unsupported,
        }
    }

    /// Where it happened: the innermost place of a run, else that of what is wrong in a text, if it is known.
    pub fn place(&self) -> Option<Location> {
        match &*self.0 {
            Failure::Run(error) => error.trace.iter().rev().find_map(Location::of_entry),
            Failure::Refused { why, .. } => Location::read(&why.place.to_string()),
            Failure::Import(sconce_script::importer::Error::Compile(why)) => Location::read(&why.place.to_string()),
            Failure::Source(sconce_python::Error::Compile(why)) => Location::read(&why.place.to_string()),
            Failure::Source(
                sconce_python::Error::Raised { place, .. }
                | sconce_python::Error::Unsupported { place, .. }
                | sconce_python::Error::Limit { place, .. },
            ) => Location::read(&place.to_string()),
            Failure::Source(sconce_python::Error::Syntax(error)) => {
                Some(Location { file: error.file.clone(), line: error.line, column: error.column })
            }
            Failure::Bytecode(sconce_bytecode::Error::Unsupported(list)) => {
                list.iter().find_map(|node| Location::read(node.place.as_deref()?))
            }
            Failure::Bytecode(sconce_bytecode::Error::Malformed { place, .. }) => Location::read(place),
            _ => None,
        }
    }

    /// The functions that were running, the outermost first; empty where nothing ran.
    pub fn traceback(&self) -> &[TraceEntry] {
        self.run().map_or(&[], |error| &error.trace)
    }

    /// The run that ended early, where one did: its class, message and traceback.
    pub fn run(&self) -> Option<&RunError> {
        match &*self.0 {
            Failure::Run(error) => Some(error),
            _ => None,
        }
    }

    /// The file that cannot be read or written, and what the system says.
    pub fn as_io(&self) -> Option<(&str, &std::io::Error)> {
        match &*self.0 {
            Failure::Io { path, source } | Failure::Library(LibraryError::Io { path, source }) => Some((path, source)),
            _ => None,
        }
    }

    /// Operators that are missing, when that is why.
    pub fn missing_operators(&self) -> Vec<String> {
        match &*self.0 {
            Failure::Bytecode(sconce_bytecode::Error::Unsupported(list)) => list.iter().map(|u| u.op.clone()).collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn failure(&self) -> &Failure {
        &self.0
    }

    pub(crate) fn into_failure(self) -> Failure {
        *self.0
    }
}

fn of_cause(cause: Cause) -> ErrorKind {
    match cause {
        Cause::Argument => ErrorKind::Argument,
        Cause::Operator => ErrorKind::Operator,
        Cause::Raised => ErrorKind::Raised,
        Cause::Missing => ErrorKind::MissingOperator,
        Cause::Fuel | Cause::Depth => ErrorKind::Limit,
        Cause::Cancelled => ErrorKind::Cancelled,
        Cause::Deadlock => ErrorKind::Deadlock,
    }
}

impl<T> From<T> for Error
where
    Failure: From<T>,
{
    fn from(cause: T) -> Error {
        Error(Box::new(cause.into()))
    }
}

/// What there is to say of each failure.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
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
    Library(#[from] LibraryError),
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
