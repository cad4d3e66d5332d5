//! MLIR's diagnostics as values: what is emitted while a closure runs is collected, with places and notes, and nothing reaches the terminal.

use crate::location::Place;
use crate::{Error, ffi, raw};
use melior::Context;
use melior::diagnostic::{Diagnostic as RawDiagnostic, DiagnosticSeverity};
use melior::ir::Location;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The work failed.
    Error,
    /// The work went on.
    Warning,
    /// Attached to another diagnostic.
    Note,
    /// What an optimisation did or could not do.
    Remark,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
            Severity::Remark => "remark",
        })
    }
}

/// One message of MLIR, independent of the context it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// File, line and column, when the location holds any.
    pub place: Option<Place>,
    /// The whole location as MLIR prints it, such as `loc("x"("a.mlir":1:2))`.
    pub location: String,
    /// The text.
    pub message: String,
    /// What was attached.
    pub notes: Vec<Diagnostic>,
}

impl Diagnostic {
    /// An error without a place.
    pub fn error(message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            place: None,
            location: "loc(unknown)".into(),
            message: message.into(),
            notes: Vec::new(),
        }
    }

    fn from_raw(raw: &RawDiagnostic<'_>) -> Self {
        let location = raw.location();
        Diagnostic {
            severity: match raw.severity() {
                DiagnosticSeverity::Error => Severity::Error,
                DiagnosticSeverity::Warning => Severity::Warning,
                DiagnosticSeverity::Note => Severity::Note,
                DiagnosticSeverity::Remark => Severity::Remark,
            },
            place: Place::of(location),
            location: text_of(&location),
            message: text_of(raw),
            notes: (0..raw.note_count()).filter_map(|i| raw.note(i).ok()).map(|note| Self::from_raw(&note)).collect(),
        }
    }
}

impl fmt::Display for Diagnostic {
    /// `file:line:column: error: message`, notes on lines of their own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}: {}", self.severity, self.message)?;
        for note in &self.notes {
            write!(f, "\n{note}")?;
        }
        Ok(())
    }
}

/// What MLIR prints. A message quotes what was read, which may be any bytes: melior ends with an error at the first that are no UTF-8.
fn text_of(printed: &impl fmt::Display) -> String {
    let mut text = String::new();
    if fmt::Write::write_fmt(&mut text, format_args!("{printed}")).is_err() {
        text.push_str("… (what follows is not UTF-8)");
    }
    text
}

/// Runs `work`, returns what it returns and the diagnostics it gave on this thread, in order. What other threads say in the same context meanwhile goes to
/// those who listen there; the threads of MLIR's own passes hand theirs to the one that runs the passes.
pub fn collect<T>(context: &Context, work: impl FnOnce() -> T) -> (T, Vec<Diagnostic>) {
    struct Detach<'c>(&'c Context, Option<melior::diagnostic::DiagnosticHandlerId>);
    impl Drop for Detach<'_> {
        fn drop(&mut self) {
            if let Some(id) = self.1.take() {
                self.0.detach_diagnostic_handler(id);
            }
        }
    }

    let collected = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&collected);
    let here = std::thread::current().id();
    let id = context.attach_diagnostic_handler(move |raw| {
        if std::thread::current().id() != here {
            return false;
        }
        let diagnostic = Diagnostic::from_raw(&raw);
        sink.lock().unwrap_or_else(PoisonError::into_inner).push(diagnostic);
        true
    });
    let detach = Detach(context, Some(id));
    let value = work();
    drop(detach);
    let diagnostics = std::mem::take(&mut *collected.lock().unwrap_or_else(PoisonError::into_inner));
    (value, diagnostics)
}

/// Runs `work`; `None` becomes an error that says `what` was tried and holds the diagnostics.
///
/// # Errors
///
/// [`Error::Failed`] when `work` returns `None`. Warnings of work that succeeds are dropped: use [`collect`] to see them.
pub fn capture<T>(context: &Context, what: &'static str, work: impl FnOnce() -> Option<T>) -> Result<T, Error> {
    let (value, diagnostics) = collect(context, work);
    value.ok_or(Error::Failed { what, diagnostics })
}

/// Emits a message at `location`, to whoever listens. A note stands alone as a remark.
pub fn emit(location: Location<'_>, severity: Severity, message: &str) {
    let number = match severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Note | Severity::Remark => 3,
    };
    // SAFETY: the location is valid; MLIR copies the text.
    unsafe { ffi::sconceEmitDiagnostic(location.to_raw(), number, raw::str_ref(message)) }
}

/// Emits an error at `location`, to whoever listens.
pub fn emit_error(location: Location<'_>, message: &str) {
    emit(location, Severity::Error, message);
}
