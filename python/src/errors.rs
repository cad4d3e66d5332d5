//! Every failure is an exception of the package: of the class that says what kind it is, with the library's text.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use sconce::{Cause, Error, ErrorKind, RunError};

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

impl From<sconce::tensor::Error> for Refused {
    fn from(e: sconce::tensor::Error) -> Refused {
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
    if let Some(run) = error.run() {
        return of_run(py, run, &error.to_string());
    }
    match error.as_io().map(|(path, source)| (path, source, source.raw_os_error())) {
        // Python chooses the class by the number: FileNotFoundError, PermissionError, …
        Some((path, source, Some(number))) => PyOSError::new_err((number, source.to_string(), path.to_owned())),
        Some(_) => PyOSError::new_err(error.to_string()),
        None => new(py, class(error.kind()), &error.to_string()),
    }
}

/// The class of an error that is no run's.
fn class(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Load | ErrorKind::MissingOperator => "LoadError",
        ErrorKind::Source => "SourceError",
        ErrorKind::Argument => "ArgumentError",
        ErrorKind::NotFound => "NoAttributeError",
        ErrorKind::NoCompiler => "NoCompilerError",
        _ => "Error",
    }
}

/// The exception of a run that ended early, with its traceback; `text` is all that is to be said.
fn of_run(py: Python<'_>, error: &RunError, text: &str) -> PyErr {
    if error.cause == Cause::Argument {
        return new(py, "ArgumentError", text);
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
