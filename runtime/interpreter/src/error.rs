//! Why a run ended early, in the words of PyTorch's interpreter: a traceback of places, the innermost last, then class and message.

use crate::program::{Place, Program};
use std::fmt;
use std::sync::Arc;

/// What ended a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The caller's arguments do not fit the function; nothing ran.
    Argument,
    /// An operator or instruction refused its inputs.
    Operator,
    /// The program raised (`raise`, `assert`).
    Raised,
    /// An operator without a kernel.
    Missing,
    /// Out of the fuel that the caller granted.
    Fuel,
    /// Too many nested calls.
    Depth,
    /// The caller asked to stop.
    Cancelled,
    /// Every task waits for another.
    Deadlock,
}

/// A run that ended early. `Display` is the whole text that PyTorch's exception has.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct RunError {
    pub cause: Cause,
    /// The class the last line names: `RuntimeError`, `builtins.ValueError`, `m.MyError`.
    pub class: Arc<str>,
    pub message: String,
    /// Outermost first.
    pub trace: Vec<TraceEntry>,
}

/// One function that was running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceEntry {
    /// Without its qualification: `forward`.
    pub function: Arc<str>,
    /// File, line from 1, column from 0, length in characters (0: not known).
    pub place: Option<(Arc<str>, u32, u32, u32)>,
    /// The file's text, where the program carries it.
    pub text: Option<Arc<str>>,
}

impl RunError {
    pub fn new(cause: Cause, class: &str, message: impl Into<String>) -> RunError {
        RunError { cause, class: class.into(), message: message.into(), trace: Vec::new() }
    }

    /// The class Python sees: `torch.jit.Error` for what the program raised, `RuntimeError` for the rest.
    pub fn python_class(&self) -> &'static str {
        match self.cause {
            Cause::Raised => "Error",
            Cause::Missing => "NotImplementedError",
            Cause::Depth => "RecursionError",
            _ => "RuntimeError",
        }
    }

    /// Class and message: the text's last lines.
    pub fn last_line(&self) -> String {
        format!("{}: {}", self.class, self.message)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.cause == Cause::Argument {
            return f.write_str(&self.message);
        }
        f.write_str("The following operation failed in the TorchScript interpreter.\n")?;
        f.write_str("Traceback of TorchScript (most recent call last):\n")?;
        for entry in &self.trace {
            write!(f, "{entry}")?;
        }
        writeln!(f, "{}: {}", self.class, self.message)
    }
}

/// Lines shown around the failing one, counted as PyTorch counts: this many line ends in each direction.
const CONTEXT: usize = 3;

impl fmt::Display for TraceEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((file, line, column, length)) = &self.place else {
            return writeln!(f, "  In {}", self.function);
        };
        writeln!(f, "  File \"{file}\", line {line}, in {}", self.function)?;
        let Some(text) = &self.text else { return Ok(()) };
        let lines: Vec<&str> = text.lines().collect();
        let Some(here) = (*line as usize).checked_sub(1).filter(|l| *l < lines.len()) else { return Ok(()) };
        for l in &lines[here.saturating_sub(CONTEXT - 1)..=here] {
            writeln!(f, "{l}")?;
        }
        let width = lines[here].chars().count().saturating_sub(*column as usize);
        // Where only the start is known, one mark shows it; a range over several lines is marked on its first.
        let marks = (*length as usize).max(1).min(width.max(1));
        writeln!(f, "{}{} <--- HERE", " ".repeat((*column as usize).min(4096)), "~".repeat(marks.min(4096)))?;
        for l in lines.iter().skip(here + 1).take(CONTEXT - 1) {
            writeln!(f, "{l}")?;
        }
        Ok(())
    }
}

/// The trace entry of a function at a place.
pub(crate) fn entry(program: &Program, function: u32, place: Option<Place>) -> TraceEntry {
    let qualified = program.functions.get(function as usize).map_or("?", |f| &f.name);
    let bare = qualified.rsplit('.').next().unwrap_or(qualified);
    let source = place.and_then(|p| program.sources.get(p.source as usize).map(|s| (p, s)));
    TraceEntry {
        function: bare.into(),
        place: source.map(|(p, s)| (s.file.clone(), p.line, p.column, p.length)),
        text: source.and_then(|(_, s)| s.text.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_pytorchs() {
        let text = "def f(a, b, mode: int):\n    if mode == 0:\n        return a + b\n    if mode == 1:\n        \
                    return torch.cat([a, b], 1)\n    if mode == 2:\n        return a.view(5, -1)\n    return a\n";
        let entry =
            TraceEntry { function: "f".into(), place: Some(("source.py".into(), 5, 15, 9)), text: Some(text.into()) };
        let error = RunError {
            cause: Cause::Operator,
            class: "RuntimeError".into(),
            message: "Sizes of tensors must match".into(),
            trace: vec![entry],
        };
        assert_eq!(
            error.to_string(),
            "The following operation failed in the TorchScript interpreter.\n\
             Traceback of TorchScript (most recent call last):\n  File \"source.py\", line 5, in f\n        \
             return a + b\n    if mode == 1:\n        return torch.cat([a, b], 1)\n               ~~~~~~~~~ <--- HERE\n    \
             if mode == 2:\n        return a.view(5, -1)\nRuntimeError: Sizes of tensors must match\n"
        );
    }
}
