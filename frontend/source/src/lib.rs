//! A place is a text and a range of its bytes, from the lexer to the traceback; its line and column are computed when somebody asks.
//!
//! A [`SourceText`] is shared and its address is its id: a place goes from graph to graph and from thread to thread without a table that must go with it.
//! Whoever writes places down, or reads them, numbers the texts with a [`SourceMap`].
//!
//! ```
//! use sconce_source::{Loc, SourceText, Span};
//! let text = SourceText::file("m.py", "import torch\ndef f(x):\n    return x + 1\n");
//! let place = Loc { source: text, span: Span::new(27, 39) };
//! assert_eq!(place.to_string(), "m.py:3:4");
//! assert_eq!(place.quoted(), "return x + 1");
//! ```
#![forbid(unsafe_code)]

mod excerpt;
mod map;

pub use map::SourceMap;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// A range of bytes of a text.
///
/// All spans are equal to each other: trees are compared by what they say, not by where it stood.
#[derive(Clone, Copy, Default, Eq)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// The span of `start..end`; what is read is shorter than 4 GiB, so offsets fit.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: clamp(start), end: clamp(end) }
    }
}

fn clamp(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A text that programs are read from: a file, or the part of it that is compiled at once.
///
/// Of some texts only name and a line are known, as where graph text says `# m.py:3:8`: they are empty, and an offset in them is a column of that line.
#[derive(Clone)]
pub struct SourceText {
    /// `source.py`, `code/__torch__/m.py`; empty for a text that is in no file.
    name: Arc<str>,
    text: String,
    /// The line of the file that the text begins with: PyTorch compiles one function's text at a time.
    first_line: u32,
    /// Where its lines begin, from when somebody asked.
    lines: OnceLock<Vec<u32>>,
    /// Which range of the original source each place was printed from: offsets ascend, each holds up to the next.
    origins: Vec<(u32, Loc)>,
}

impl SourceText {
    /// A text that begins with the line `first_line` of a file.
    pub fn numbered(name: impl Into<Arc<str>>, text: impl Into<String>, first_line: u32) -> SourceText {
        let (name, text) = (name.into(), text.into());
        SourceText { name, text, first_line, lines: OnceLock::new(), origins: Vec::new() }
    }

    /// A whole file.
    pub fn file(name: impl Into<Arc<str>>, text: impl Into<String>) -> Arc<SourceText> {
        Arc::new(SourceText::numbered(name, text, 1))
    }

    /// Text that is in no file: its places have no number.
    pub fn nameless(text: impl Into<String>) -> Arc<SourceText> {
        Arc::new(SourceText::numbered("", text, 0))
    }

    /// A line of a file of which no more is known.
    pub fn unknown(name: impl Into<Arc<str>>, line: u32) -> Arc<SourceText> {
        Arc::new(SourceText::numbered(name, "", line))
    }

    /// These lines of the text, as a text of its own.
    pub fn part(&self, lines: Span) -> SourceText {
        let end = (lines.end as usize).min(self.text.len());
        let start = (lines.start as usize).min(end);
        let mut part = self.text.get(start..end).unwrap_or_default().to_owned();
        if !part.is_empty() && !part.ends_with('\n') {
            // Python's `inspect` ends every line.
            part.push('\n');
        }
        SourceText::numbered(self.name.clone(), part, self.line_column(lines.start).0)
    }

    /// Where each place of a printed text was printed from, as `.debug_pkl` records it: in any order, each from its offset on.
    pub fn with_origins(mut self, mut origins: Vec<(u32, Loc)>) -> SourceText {
        origins.sort_by_key(|(offset, _)| *offset);
        self.origins = origins;
        self
    }

    /// The name of its file; empty where it is in none.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of its first line in the file.
    pub fn first_line(&self) -> u32 {
        self.first_line
    }

    /// Is more known of it than its name? Blanks may stand for what somebody removed.
    pub fn is_known(&self) -> bool {
        !self.text.bytes().all(|b| b == b' ')
    }

    fn size(&self) -> u32 {
        clamp(self.text.len())
    }

    /// Where its lines begin.
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let ends = self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
            std::iter::once(0).chain(ends.map(|(at, _)| clamp(at + 1))).collect()
        })
    }

    /// How many lines it has: none begins at its end.
    fn line_count(&self) -> u32 {
        clamp(self.lines().partition_point(|at| *at < self.size()))
    }

    /// Line of the file and column of an offset, in bytes from 0.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        if !self.is_known() {
            return (self.first_line, offset);
        }
        let at = offset.min(self.size());
        let line = self.lines().partition_point(|start| *start <= at).saturating_sub(1);
        (self.first_line.saturating_add(clamp(line)), at - self.lines()[line])
    }

    /// The offset of a line and column; the text's end where it does not reach so far.
    pub fn offset(&self, (line, column): (u32, u32)) -> u32 {
        if !self.is_known() {
            return column;
        }
        let line = line.saturating_sub(self.first_line) as usize;
        self.lines().get(line).map_or(self.size(), |at| at.saturating_add(column)).min(self.size())
    }
}

/// Texts are equal that say the same of the same lines of one file.
impl PartialEq for SourceText {
    fn eq(&self, other: &SourceText) -> bool {
        (&self.name, self.first_line, &self.text) == (&other.name, other.first_line, &other.text)
    }
}

impl Eq for SourceText {}

impl Hash for SourceText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.name, self.first_line, &self.text).hash(state);
    }
}

impl fmt::Debug for SourceText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from line {}, {} bytes", self.name, self.first_line, self.text.len())
    }
}

/// A place: a range of a text. It may be empty, and it may reach beyond the text's end.
#[derive(Clone)]
pub struct Loc {
    pub source: Arc<SourceText>,
    pub span: Span,
}

impl Loc {
    pub fn new(source: &Arc<SourceText>, span: Span) -> Loc {
        Loc { source: source.clone(), span }
    }

    /// The line from 1 and the column from 0, in bytes, of where it begins.
    pub fn line_column(&self) -> (u32, u32) {
        self.source.line_column(self.span.start)
    }

    /// The text of the range.
    pub fn quoted(&self) -> &str {
        let text = self.source.text();
        let end = (self.span.end as usize).min(text.len());
        text.get((self.span.start as usize).min(end)..end).unwrap_or_default()
    }

    /// The same place in a text that has these lines of this one alone.
    pub fn within(&self, lines: Span) -> Loc {
        let start = self.span.start.saturating_sub(lines.start);
        let end = self.span.end.saturating_sub(lines.start).max(start);
        Loc { source: Arc::new(self.source.part(lines)), span: Span { start, end } }
    }

    /// The place of the original source that this one was printed from.
    pub fn origin(&self) -> Option<&Loc> {
        let origins = &self.source.origins;
        let after = origins.partition_point(|(offset, _)| *offset <= self.span.start);
        after.checked_sub(1).and_then(|i| origins.get(i)).map(|(_, place)| place)
    }
}

/// `file:line:column`, the line from 1 and the column from 0.
impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.line_column();
        write!(f, "{}:{line}:{column}", self.source.name)
    }
}

impl fmt::Debug for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:?}", self.source.name, self.span)
    }
}

/// Places are equal that are the same range of equal texts.
impl PartialEq for Loc {
    fn eq(&self, other: &Loc) -> bool {
        let ends = |span: Span| (span.start, span.end);
        self.source == other.source && ends(self.span) == ends(other.span)
    }
}

impl Eq for Loc {}
