//! Why a program is refused: PyTorch's words, the place, and the calls that led there, which a report prints as PyTorch does.

use crate::graph::Loc;
use sconce_syntax::Span;
use sconce_syntax::script::report::CallStack;
use std::sync::Arc;

/// What is wrong with a program, where, and the calls that led there.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// PyTorch's words.
    pub message: String,
    pub place: Loc,
    /// A place that is reported first: `v is not defined in the false branch`, `and was used here`.
    pub about: Option<Box<Error>>,
    /// Functions that were being compiled, innermost first.
    pub calls: Vec<Call>,
    pub manner: Manner,
}

/// Who refuses, which decides how a report begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Manner {
    #[default]
    Compiler,
    /// PyTorch's Python frontend, before its compiler sees the program.
    Frontend,
    /// Python code around both, whose reports show no place.
    Placeless,
}

/// A function that was being compiled.
#[derive(Debug, Clone)]
pub struct Call {
    /// `f`, `M.forward`
    pub function: String,
    /// What of it was being compiled.
    pub place: Loc,
    /// Its lines, which reports show; `None` for the whole file.
    pub lines: Option<Span>,
}

impl Error {
    /// What PyTorch prints: the message, the place underlined among its function's lines, and the calls that led there.
    pub fn report(&self) -> String {
        let mut stack = CallStack::default();
        for call in self.calls.iter().rev() {
            stack.push(&call.function, Some(shown(&call.place, call.lines)));
        }
        let holds = |c: &&Call| {
            Arc::ptr_eq(&c.place.source, &self.place.source)
                && c.lines.is_none_or(|l| l.start <= self.place.span.start && self.place.span.end <= l.end)
        };
        let lines = self.calls.iter().find(holds).and_then(|c| c.lines);
        let place = Some(shown(&self.place, lines));
        let message = match &self.about {
            Some(first) => format!("{}{}", first.report(), self.message),
            None => self.message.clone(),
        };
        match self.manner {
            Manner::Compiler => stack.report(place, message),
            Manner::Frontend => stack.frontend_report(place, message),
            Manner::Placeless => return message,
        }
        .to_string()
    }

    /// Place and message on one line: `code/__torch__/m.py:3:8: …`
    pub fn short(&self) -> String {
        format!("{}: {}", self.place, self.message)
    }

    pub fn new(place: &Loc, message: impl Into<String>) -> Error {
        Error {
            message: message.into(),
            place: place.clone(),
            about: None,
            calls: Vec::new(),
            manner: Manner::Compiler,
        }
    }
}

pub type Result<T> = std::result::Result<T, Error>;

/// The place in the text that reports show of it.
fn shown(place: &Loc, lines: Option<Span>) -> Loc {
    lines.map_or_else(|| place.clone(), |lines| place.within(lines))
}
