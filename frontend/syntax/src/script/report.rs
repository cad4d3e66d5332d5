//! Reports look as PyTorch's do, byte for byte: the message, the place underlined among its function's lines, and how it came to be there.
//!
//! PyTorch shows a place within the text it compiled: the lines of one function for Python source ([`Loc::within`]), a whole file for an archive's code.

use sconce_source::Loc;
use std::fmt::Write;

/// What is being compiled, and where each thing was called from.
#[derive(Clone, Debug, Default)]
pub struct CallStack {
    calls: Vec<Call>,
}

#[derive(Clone, Debug)]
struct Call {
    function: String,
    /// Where the function is just now: its last call.
    place: Option<Loc>,
}

impl CallStack {
    /// Begins to compile a function, `place` being where it is until [`CallStack::at`] says more.
    pub fn push(&mut self, function: &str, place: Option<Loc>) {
        self.calls.push(Call { function: function.to_owned(), place });
    }

    pub fn pop(&mut self) {
        self.calls.pop();
    }

    pub fn depth(&self) -> usize {
        self.calls.len()
    }

    /// The function that is being compiled calls something at `place`.
    pub fn at(&mut self, place: Loc) {
        if let Some(call) = self.calls.last_mut() {
            call.place = Some(place);
        }
    }

    /// `'g' is being compiled since it was called from 'f'`, from the innermost on.
    fn notes(&self) -> String {
        let mut out = String::new();
        for pair in self.calls.windows(2).rev() {
            let [caller, callee] = pair else { continue };
            let _ =
                writeln!(out, "'{}' is being compiled since it was called from '{}'", callee.function, caller.function);
            out += &caller.place.as_ref().map(Loc::highlight).unwrap_or_default();
        }
        out
    }

    /// A report of the compiler's: it begins with an empty line.
    pub fn report(&self, place: Option<Loc>, message: impl Into<String>) -> Report {
        Report { message: message.into(), place, notes: self.notes(), by_frontend: false }
    }

    /// A report of PyTorch's Python frontend, which refuses a function's syntax before it is compiled.
    pub fn frontend_report(&self, place: Option<Loc>, message: impl Into<String>) -> Report {
        Report { message: message.into(), place, notes: self.notes(), by_frontend: true }
    }
}

/// Why something does not compile; it prints as PyTorch prints it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", self.text())]
pub struct Report {
    /// Without its colon.
    pub message: String,
    pub place: Option<Loc>,
    notes: String,
    by_frontend: bool,
}

impl Report {
    fn text(&self) -> String {
        let Report { message, place, notes, by_frontend } = self;
        match (place, by_frontend) {
            // It says what it is about.
            (None, true) => message.clone(),
            (place, _) => {
                let lead = if *by_frontend { "" } else { "\n" };
                let highlight = place.as_ref().map(Loc::highlight).unwrap_or_default();
                format!("{lead}{message}:\n{highlight}{notes}")
            }
        }
    }
}

/// A function that was running, and where.
#[derive(Clone, Debug)]
pub struct Frame {
    pub function: String,
    pub place: Option<Loc>,
}

/// What a failing program prints: its frames, outermost first, and `error`, the line that says what happened.
pub fn traceback(frames: &[Frame], error: &str) -> String {
    let mut out = "The following operation failed in the TorchScript interpreter.\nTraceback of TorchScript".to_owned();
    let serialized = frames.iter().any(|frame| frame.place.as_ref().is_some_and(|place| place.origin().is_some()));
    if serialized {
        out += ", serialized code";
    }
    out += " (most recent call last):\n";
    for frame in frames {
        out += &frame.place.as_ref().map(|place| place.excerpt(&frame.function)).unwrap_or_default();
    }
    if serialized {
        out += "\nTraceback of TorchScript, original code (most recent call last):\n";
        for frame in frames {
            let origin = frame.place.as_ref().map(|place| place.origin().unwrap_or(place));
            out += &origin.map(|place| place.excerpt(&frame.function)).unwrap_or_default();
        }
    }
    out + error + "\n"
}
