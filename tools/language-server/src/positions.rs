//! Editors count lines from 0 and columns in units of UTF-16, texts here count bytes: this is where one becomes the other.

use lsp_types::{Position, Range};
use sconce_source::{SourceText, Span};

/// The position of a byte of a text.
pub(crate) fn position(source: &SourceText, offset: u32) -> Position {
    let text = source.text();
    let mut at = (offset as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let (line, column) = source.line_column(Span::new(at, at).start);
    let before = text.get(at.saturating_sub(column as usize)..at).unwrap_or_default();
    let units = before.chars().map(char::len_utf16).sum::<usize>();
    Position { line: line.saturating_sub(source.first_line()), character: u32::try_from(units).unwrap_or(u32::MAX) }
}

/// The byte of a text at a position; of one behind the end of its line the line's end.
pub(crate) fn offset(source: &SourceText, position: Position) -> u32 {
    let start = source.offset((position.line.saturating_add(source.first_line()), 0));
    let rest = source.text().get(start as usize..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    let mut units = position.character as usize;
    let mut at = start as usize;
    for c in line.strip_suffix('\r').unwrap_or(line).chars() {
        if units < c.len_utf16() {
            break;
        }
        units -= c.len_utf16();
        at += c.len_utf8();
    }
    Span::new(at, at).start
}

pub(crate) fn range(source: &SourceText, span: Span) -> Range {
    Range { start: position(source, span.start), end: position(source, span.end.max(span.start)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_units_of_utf16() {
        // `ü` has two bytes and one unit, the face four and two.
        let source = SourceText::file("m.py", "a = 'ü😀'\r\nx\n");
        let there = |line, character| offset(&source, Position { line, character });
        let back = |offset| {
            let Position { line, character } = position(&source, offset);
            (line, character)
        };
        assert_eq!((there(0, 5), there(0, 6), there(0, 8), there(0, 9)), (5, 7, 11, 12));
        assert_eq!((back(5), back(7), back(11), back(12)), ((0, 5), (0, 6), (0, 8), (0, 9)));
        // Half of the face is its beginning, as is a byte within it; behind the line's end is its end.
        assert_eq!((there(0, 7), back(9), there(0, 99)), (7, (0, 6), 12));
        assert_eq!((there(1, 0), there(1, 9), there(2, 0), there(99, 0)), (14, 15, 16, 16));
        assert_eq!((back(14), back(16), back(99)), ((1, 0), (2, 0), (2, 0)));
    }

    #[test]
    fn a_text_of_blanks_has_positions_too() {
        let source = SourceText::file("m.py", "   ");
        assert_eq!(offset(&source, Position { line: 0, character: 2 }), 2);
        assert_eq!(position(&source, 3), Position { line: 0, character: 3 });
        assert_eq!(offset(&SourceText::file("m.py", ""), Position { line: 3, character: 2 }), 0);
    }
}
