//! Reports look as PyTorch's do, byte for byte: the message, the place underlined among its function's lines, and how it came to be there.
//!
//! PyTorch shows a place within the text it compiled: the lines of one function for Python source, a whole file for an archive's code. A
//! [`SourceText`] is such a text, a [`SourceRange`] a place in it. What is compiled from an archive may also know the place it was
//! printed from ([`SourceText::with_origins`]); reports then show both.

use crate::Span;
use std::fmt::{self, Write};
use std::sync::Arc;

/// Lines that are shown: the one with the place and two on each side.
const CONTEXT: usize = 3;

/// A text that was compiled, and where it came from.
#[derive(Debug)]
pub struct SourceText {
    /// `None` for a text that is in no file: its places have no number.
    file: Option<String>,
    text: String,
    /// The number of the text's first line in the file.
    first_line: u32,
    /// The offset of the text in the text that was parsed.
    offset: u32,
    /// Which range of the original source each place was printed from: offsets ascend, each holds up to the next.
    origins: Vec<(u32, SourceRange)>,
}

/// A place in a text. It may be empty, and it may reach beyond the text's end.
#[derive(Clone)]
pub struct SourceRange {
    source: Arc<SourceText>,
    pub start: u32,
    pub end: u32,
}

impl SourceText {
    /// A whole file, as of an archive's `code/`.
    pub fn file(file: &str, text: &str) -> SourceText {
        SourceText { file: Some(file.to_owned()), text: text.to_owned(), first_line: 1, offset: 0, origins: Vec::new() }
    }

    /// Text that has no file.
    pub fn nameless(text: &str) -> SourceText {
        SourceText { file: None, text: text.to_owned(), first_line: 0, offset: 0, origins: Vec::new() }
    }

    /// The lines `lines` of a file: [`Def::source`](super::tree::Def::source).
    pub fn lines(file: &str, text: &str, lines: Span) -> SourceText {
        let (first_line, _) = crate::source::line_column(text, lines.start);
        SourceText::part(file, text, lines, first_line)
    }

    /// The same, for whom the number of the first of them is known.
    pub fn part(file: &str, text: &str, lines: Span, first_line: u32) -> SourceText {
        let end = (lines.end as usize).min(text.len());
        let start = (lines.start as usize).min(end);
        let mut part = text.get(start..end).unwrap_or_default().to_owned();
        if !part.is_empty() && !part.ends_with('\n') {
            // Python's `inspect` ends every line.
            part.push('\n');
        }
        SourceText { file: Some(file.to_owned()), text: part, first_line, offset: lines.start, origins: Vec::new() }
    }

    /// A text whose place in its file is known by the number of its first line.
    pub fn numbered(file: Option<&str>, text: &str, first_line: u32) -> SourceText {
        let file = file.map(str::to_owned);
        SourceText { file, text: text.to_owned(), first_line, offset: 0, origins: Vec::new() }
    }

    /// Where each place of a printed text was printed from, as `.debug_pkl` records it: in any order, each from its offset on.
    pub fn with_origins(mut self, mut origins: Vec<(u32, SourceRange)>) -> SourceText {
        origins.sort_by_key(|(offset, _)| *offset);
        self.origins = origins;
        self
    }

    /// The file's name.
    pub fn name(&self) -> Option<&str> {
        self.file.as_deref()
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of the text's first line in its file.
    pub fn first_line(&self) -> u32 {
        self.first_line
    }

    /// The place of a node that was parsed from the text this one is part of.
    pub fn range(self: &Arc<Self>, span: Span) -> SourceRange {
        let start = span.start.saturating_sub(self.offset);
        SourceRange { source: self.clone(), start, end: span.end.saturating_sub(self.offset).max(start) }
    }
}

impl SourceRange {
    pub fn source(&self) -> &Arc<SourceText> {
        &self.source
    }

    /// The text of the range.
    pub fn text(&self) -> &str {
        let text = &self.source.text;
        let end = (self.end as usize).min(text.len());
        text.get((self.start as usize).min(end)..end).unwrap_or_default()
    }

    /// The least range that holds both, where both are of one text.
    pub fn merge(&self, other: &SourceRange) -> SourceRange {
        let (start, end) = (self.start.min(other.start), self.end.max(other.end));
        SourceRange { source: self.source.clone(), start, end }
    }

    /// The range of the original source that this one was printed from.
    pub fn origin(&self) -> Option<&SourceRange> {
        let origins = &self.source.origins;
        let after = origins.partition_point(|(offset, _)| *offset <= self.start);
        after.checked_sub(1).and_then(|i| origins.get(i)).map(|(_, range)| range)
    }

    /// File, line from one, column from zero, in bytes: `source.py:3:8` of graph text. Of the original source, if known.
    pub fn file_line_column(&self) -> Option<(&str, u32, u32)> {
        self.origin().unwrap_or(self).own_place()
    }

    fn own_place(&self) -> Option<(&str, u32, u32)> {
        let file = self.source.file.as_deref()?;
        let bytes = self.source.text.as_bytes();
        let before = &bytes[..(self.start as usize).min(bytes.len())];
        let line = before.iter().filter(|b| **b == b'\n').count() as u32;
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        Some((file, self.source.first_line + line, self.start - line_start as u32))
    }

    /// The place among its lines, the original source first if there is one.
    pub fn highlight(&self) -> String {
        match self.origin() {
            Some(origin) => format!("{}Serialized {}", origin.highlight(), self.excerpt("")),
            None => self.excerpt(""),
        }
    }

    /// The place among its lines; `function` is the name of a frame.
    pub fn excerpt(&self, function: &str) -> String {
        let text = self.source.text.as_bytes();
        let start = self.start as usize;
        if (self.end - self.start) as usize == text.len() {
            return self.source.text.clone();
        }
        if start > text.len() {
            return String::new();
        }
        let end = (self.end as usize).clamp(start, text.len());
        let mut out = Vec::new();
        if let Some((file, line, _)) = self.own_place() {
            let separator = if function.is_empty() { "" } else { ", in " };
            out.extend(format!("  File \"{file}\", line {line}{separator}{function}\n").bytes());
        }
        let line_start = start_of_line(text, start);
        out.extend(&text[lines_before(text, line_start)..start]);
        let shown = underlined_lines(text, start, end, &mut out);
        if let Some(rest) = text.get(shown..lines_after(text, end_of_line(text, end)).max(shown)) {
            out.extend(rest);
            if rest.last().is_some_and(|b| *b != b'\n') {
                out.push(b'\n');
            }
        }
        String::from_utf8_lossy(&out).into_owned()
    }
}

fn start_of_line(text: &[u8], at: usize) -> usize {
    text[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1)
}

fn end_of_line(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|b| *b == b'\n').map_or(text.len(), |i| at + i)
}

/// The start of the context before the line that begins at `line`.
fn lines_before(text: &[u8], line: usize) -> usize {
    (1..CONTEXT).fold(line, |line, _| if line == 0 { 0 } else { start_of_line(text, line - 1) })
}

/// The end of the context after the line that ends at `line`.
fn lines_after(text: &[u8], line: usize) -> usize {
    (1..CONTEXT).fold(line, |line, _| if line >= text.len() { text.len() } else { end_of_line(text, line + 1) })
}

/// Writes the lines of `start..end`, each with its underline; how far the text has been written.
fn underlined_lines(text: &[u8], start: usize, end: usize, out: &mut Vec<u8>) -> usize {
    let mut at = start;
    while at < end {
        let line_end = end_of_line(text, at);
        out.extend(&text[at..line_end]);
        out.push(b'\n');
        let first = start_of_line(text, at);
        let last = line_end.min(end);
        let blanks = (first..last).take_while(|i| text[*i] == b' ' || *i < start).count();
        let marks = last - first - blanks;
        if marks > 0 {
            // What follows within the range may be blank; then this line is its last.
            let more = (line_end..=end).any(|i| !matches!(text.get(i), Some(b'\n' | b' ')));
            out.extend(std::iter::repeat_n(b' ', blanks));
            out.extend(std::iter::repeat_n(b'~', marks));
            out.extend(if more && line_end != end { "\n" } else { " <--- HERE\n" }.bytes());
        }
        at = line_end + 1;
    }
    at
}

impl fmt::Debug for SourceRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.source.file.as_deref().unwrap_or("?"), self.start, self.end)
    }
}

impl PartialEq for SourceRange {
    fn eq(&self, other: &SourceRange) -> bool {
        Arc::ptr_eq(&self.source, &other.source) && self.start == other.start && self.end == other.end
    }
}

impl Eq for SourceRange {}

/// What is being compiled, and where each thing was called from.
#[derive(Clone, Debug, Default)]
pub struct CallStack {
    calls: Vec<Call>,
}

#[derive(Clone, Debug)]
struct Call {
    function: String,
    /// Where the function is just now: its last call.
    place: Option<SourceRange>,
}

impl CallStack {
    /// Begins to compile a function, `place` being where it is until [`CallStack::at`] says more.
    pub fn push(&mut self, function: &str, place: Option<SourceRange>) {
        self.calls.push(Call { function: function.to_owned(), place });
    }

    pub fn pop(&mut self) {
        self.calls.pop();
    }

    pub fn depth(&self) -> usize {
        self.calls.len()
    }

    /// The function that is being compiled calls something at `place`.
    pub fn at(&mut self, place: SourceRange) {
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
            out += &caller.place.as_ref().map(SourceRange::highlight).unwrap_or_default();
        }
        out
    }

    /// A report of the compiler's: it begins with an empty line.
    pub fn report(&self, place: Option<SourceRange>, message: impl Into<String>) -> Report {
        Report { message: message.into(), place, notes: self.notes(), by_frontend: false }
    }

    /// A report of PyTorch's Python frontend, which refuses a function's syntax before it is compiled.
    pub fn frontend_report(&self, place: Option<SourceRange>, message: impl Into<String>) -> Report {
        Report { message: message.into(), place, notes: self.notes(), by_frontend: true }
    }
}

/// Why something does not compile; it prints as PyTorch prints it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", self.text())]
pub struct Report {
    /// Without its colon.
    pub message: String,
    pub place: Option<SourceRange>,
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
                let highlight = place.as_ref().map(SourceRange::highlight).unwrap_or_default();
                format!("{lead}{message}:\n{highlight}{notes}")
            }
        }
    }
}

/// A function that was running, and where.
#[derive(Clone, Debug)]
pub struct Frame {
    pub function: String,
    pub place: Option<SourceRange>,
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
