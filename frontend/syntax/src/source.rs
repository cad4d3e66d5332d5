//! Every error knows its place: a span of the text, its line and column, and the underlined source.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use sconce_source::Span;

/// One-based line and column of a byte offset; columns count characters, a byte inside one counts as its first.
pub fn line_column(text: &str, offset: u32) -> (u32, u32) {
    let mut offset = (offset as usize).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line = before.bytes().filter(|&b| b == b'\n').count();
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (clamp(line + 1), clamp(before[line_start..].chars().count() + 1))
}

/// What is wrong with a text, where, and what would have been right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct Error {
    /// The name the text was given: a path, `<stdin>`, …
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The range of the text that is wrong.
    pub span: Span,
    /// `expected a type, found `]``
    pub message: String,
    /// The source line, or the part of a long one around the place.
    excerpt: String,
    /// Where in `excerpt` the place is.
    underline: (usize, usize),
}

/// Bytes of a long line kept on each side of an error's place.
const EXCERPT: usize = 100;

impl Error {
    /// An error at `span` of `text`, which is called `file`.
    pub fn new(file: &str, text: &str, span: Span, message: impl Into<String>) -> Error {
        let (line, column) = line_column(text, span.start);
        let floor = |mut i: usize| {
            while !text.is_char_boundary(i) {
                i -= 1;
            }
            i
        };
        let start = floor((span.start as usize).min(text.len()));
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let from = floor(line_start.max(start.saturating_sub(EXCERPT)));
        let to = floor(line_end.min(start + EXCERPT));
        let end = floor((span.end as usize).clamp(start, to));
        let excerpt = text[from..to].replace(['\r', '\t'], " ");
        Error {
            file: file.to_owned(),
            line,
            column,
            span,
            message: message.into(),
            excerpt,
            underline: (start - from, (end - from).max(start - from)),
        }
    }

    /// The error with its source line underlined, over several lines; `colour` adds terminal colours.
    pub fn report(&self, colour: bool) -> String {
        let mut source = self.excerpt.clone();
        let (start, mut end) = self.underline;
        if end == start {
            // An empty span still gets one mark, past the end of the line if need be.
            source.push(' ');
            end = start + source[start..].chars().next().map_or(0, char::len_utf8);
        }
        let group = Level::ERROR.primary_title(self.message.as_str()).element(
            Snippet::source(source)
                .line_start(self.line as usize)
                .path(self.file.as_str())
                .annotation(AnnotationKind::Primary.span(start..end)),
        );
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }
}

/// What would have fitted, in words, each once: ``"`(`, `[` or a name"``.
pub fn one_of(fitting: impl Iterator<Item = &'static str>) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in fitting {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    match words.split_last() {
        None => "something else".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}
