//! A place is shown as PyTorch shows it, byte for byte: underlined among the lines around it.

use crate::Loc;

/// Lines that are shown: the one with the place and two on each side.
const CONTEXT: usize = 3;

impl Loc {
    /// The place among its lines, the original source first if there is one.
    pub fn highlight(&self) -> String {
        match self.origin() {
            Some(origin) => format!("{}Serialized {}", origin.highlight(), self.excerpt("")),
            None => self.excerpt(""),
        }
    }

    /// The place among its lines; `function` is the name of a frame.
    pub fn excerpt(&self, function: &str) -> String {
        let text = self.source.text().as_bytes();
        let start = self.span.start as usize;
        if self.span.end.saturating_sub(self.span.start) as usize == text.len() {
            return self.source.text().to_owned();
        }
        if start > text.len() {
            return String::new();
        }
        let end = (self.span.end as usize).clamp(start, text.len());
        let mut out = Vec::new();
        if !self.source.name().is_empty() {
            let (name, (line, _)) = (self.source.name(), self.line_column());
            let separator = if function.is_empty() { "" } else { ", in " };
            out.extend(format!("  File \"{name}\", line {line}{separator}{function}\n").bytes());
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
