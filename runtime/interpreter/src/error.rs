//! Why a run ended early, in the words of PyTorch's interpreter: a traceback of places, the innermost last, then class and message.

use crate::program::{Place, Program};
use sconce_source::SourceText;
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

/// A run that ended early. `Display` is the text that PyTorch's exception has, without the lines of the source.
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
    /// Where it was, and what that place is in.
    pub place: Option<(Place, Arc<SourceText>)>,
}

/// How the whole text of an error begins.
const FAILED: &str = "The following operation failed in the TorchScript interpreter.\n\
                      Traceback of TorchScript (most recent call last):\n";

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

    /// The whole text that PyTorch's exception has, with `frame` for the lines of each function.
    pub fn text(&self, frame: impl Fn(&TraceEntry) -> String) -> String {
        if self.cause == Cause::Argument {
            return self.message.clone();
        }
        let frames: String = self.trace.iter().map(frame).collect();
        format!("{FAILED}{frames}{}\n", self.last_line())
    }

    /// Class and message: the text's last lines.
    pub fn last_line(&self) -> String {
        format!("{}: {}", self.class, self.message)
    }

    /// The same without tracebacks: of a task that failed, what its own last lines are. Calls that are inlined stand in no traceback.
    pub fn without_traces(&self) -> String {
        let said = self.last_line();
        let Some((before, traced)) = said.split_once(FAILED) else { return said };
        // A task that waited for another has the other's lines in its own.
        let is_said = |line: &&str| !line.starts_with("  ") && !FAILED.contains(*line);
        let rest: Vec<&str> = traced.lines().filter(is_said).collect();
        format!("{before}{}", rest.join("\n"))
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(TraceEntry::to_string))
    }
}

/// The place alone: what stands there is not the runtime's to show.
impl fmt::Display for TraceEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some((p, s)) => writeln!(f, "  File \"{}\", line {}, in {}", s.name(), p.line, self.function),
            None => writeln!(f, "  In {}", self.function),
        }
    }
}

/// The trace entry of a function at a place.
pub(crate) fn entry(program: &Program, function: u32, place: Option<Place>) -> TraceEntry {
    let qualified = program.functions.get(function as usize).map_or("?", |f| &f.name);
    let bare = qualified.rsplit('.').next().unwrap_or(qualified);
    let source = place.and_then(|p| program.sources.get(p.source as usize).map(|s| (p, s.clone())));
    TraceEntry { function: bare.into(), place: source }
}
