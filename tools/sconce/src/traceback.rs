//! A failing program shows where: each frame has its place underlined among the lines of its function, where the program knows them.

use sconce_interpreter::TraceEntry;
use sconce_syntax::Span;
use sconce_syntax::script::report::SourceText;
use std::sync::Arc;

/// The lines of a frame.
pub(crate) fn frame(entry: &TraceEntry) -> String {
    excerpt(entry).unwrap_or_else(|| entry.to_string())
}

fn excerpt(entry: &TraceEntry) -> Option<String> {
    let (place, source) = entry.place.as_ref()?;
    let text = source.text.as_deref()?;
    let line = place.line.checked_sub(source.first_line)? as usize;
    let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let start = before.checked_add(place.column as usize)?;
    let span = Span::new(start, start.checked_add(place.length as usize)?);
    let source = Arc::new(SourceText::numbered(Some(&source.file), text, source.first_line));
    Some(source.range(span).excerpt(&entry.function)).filter(|lines| !lines.is_empty())
}
