//! A failing program shows where: each frame has its place underlined among the lines of its function, where the program knows them.

use sconce_interpreter::TraceEntry;

/// The lines of a frame.
pub(crate) fn frame(entry: &TraceEntry) -> String {
    excerpt(entry).unwrap_or_else(|| entry.to_string())
}

fn excerpt(entry: &TraceEntry) -> Option<String> {
    let (place, source) = entry.place.as_ref().filter(|(_, source)| source.is_known())?;
    if place.line < source.first_line() {
        return None;
    }
    Some(place.loc(source).excerpt(&entry.function)).filter(|lines| !lines.is_empty())
}
