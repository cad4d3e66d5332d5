//! Every failure is an exception of the package: of the class that says what kind it is, with the library's text.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use sconce::Error;
use sconce_interpreter::{Cause, RunError};

/// The module of the package that has the classes.
const CLASSES: &str = "sconce.errors";

/// Why a value of Python's is none that a program can take.
pub enum Refused {
    /// In words.
    Because(String),
    /// Python itself raised something.
    Raised(PyErr),
}

impl From<PyErr> for Refused {
    fn from(e: PyErr) -> Refused {
        Refused::Raised(e)
    }
}

impl From<sconce_tensor::Error> for Refused {
    fn from(e: sconce_tensor::Error) -> Refused {
        Refused::Because(e.to_string())
    }
}

impl Refused {
    /// The exception; `place` is which argument of what it is.
    pub fn exception(self, py: Python<'_>, place: &str) -> PyErr {
        match self {
            Refused::Because(why) if place.is_empty() => new(py, "ArgumentError", &why),
            Refused::Because(why) => new(py, "ArgumentError", &format!("{place}: {why}")),
            Refused::Raised(e) => e,
        }
    }
}

/// An exception of a class of the package.
pub fn new(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = || PyResult::Ok(PyErr::from_value(py.import(CLASSES)?.getattr(class)?.call1((message,))?));
    made().unwrap_or_else(|e| e)
}

/// The exception of what the library says.
pub fn exception(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Run(e) => of_run(py, &e),
        Error::Io { path, source } => match source.raw_os_error() {
            // Python chooses the class by the number: FileNotFoundError, PermissionError, …
            Some(number) => PyOSError::new_err((number, source.to_string(), path)),
            None => PyOSError::new_err(format!("{path}: {source}")),
        },
        other => new(py, class(&other), &other.to_string()),
    }
}

/// The class of an error that is no run's.
fn class(error: &Error) -> &'static str {
    match error {
        Error::UnknownFile { .. }
        | Error::Foreign { .. }
        | Error::Bytecode(_)
        | Error::Load(_)
        | Error::Format(_)
        | Error::Archive(_)
        | Error::Exported(_)
        | Error::Import(_) => "LoadError",
        Error::Text(_) | Error::Source(_) | Error::Refused { .. } => "SourceError",
        Error::Violation(_) | Error::AttributeType { .. } | Error::StateDict(_) => "ArgumentError",
        Error::NoAttribute { .. } | Error::NoFunction { .. } | Error::NoModule { .. } => "NoAttributeError",
        Error::NoCompiler => "NoCompilerError",
        _ => "Error",
    }
}

/// The exception of a run that ended early, with its traceback.
fn of_run(py: Python<'_>, error: &RunError) -> PyErr {
    let text = Error::Run(Box::new(error.clone())).to_string();
    if error.cause == Cause::Argument {
        return new(py, "ArgumentError", &text);
    }
    // What the program raised has the class that it named; the rest that which Python sees in PyTorch.
    let class = if error.cause == Cause::Raised { &*error.class } else { error.python_class() };
    let frames: Vec<(String, Option<String>, Option<u32>)> = (error.trace.iter())
        .map(|entry| {
            let place = entry.place.as_ref();
            let file = place.map(|(_, source)| source.name().to_string());
            (entry.function.to_string(), file, place.map(|(place, _)| place.line))
        })
        .collect();
    let made = || {
        let arguments = (text.trim_end(), class, &*error.message, frames);
        PyResult::Ok(PyErr::from_value(py.import(CLASSES)?.getattr("of_run")?.call1(arguments)?))
    };
    made().unwrap_or_else(|e| e)
}
