//! What the frontend refuses becomes findings in the text: a place of a text that is not the editor's is told at the call that led there.

use crate::analysis::Finding;
use sconce_graph::error::Error;
use sconce_script::emit::ORIGINAL_CALL;
use sconce_source::{Loc, SourceText, Span};

/// What an error says of a text.
pub(super) fn of_python(source: &SourceText, error: &sconce_python::Error) -> Finding {
    use sconce_python::Error as E;
    match error {
        E::Syntax(error) => Finding::error(error.span, &error.message),
        E::Compile(error) => of_compiler(source, error),
        E::Raised { class, message, place } => at(source, place, format!("{class}: {message}")),
        E::Unsupported { what, place } => at(source, place, what.clone()),
        E::Limit { what, place } => at(source, place, format!("{what}: no more of the file is analysed")),
    }
}

fn at(source: &SourceText, place: &sconce_python::Place, message: String) -> Finding {
    match place.0.as_ref().and_then(|loc| local(source, loc)) {
        Some(span) => Finding::error(span, message),
        None => Finding::error(Span::default(), format!("{message} (at {place})")),
    }
}

/// Where a place is in the editor's text: the place's own may be the lines of one function of it.
pub(super) fn local(source: &SourceText, place: &Loc) -> Option<Span> {
    if place.source.name() != source.name() {
        return None;
    }
    let before = source.offset((place.source.first_line(), 0));
    let start = before.saturating_add(place.span.start);
    // Ranges may reach beyond the lines.
    let length = place.source.text().len().saturating_sub(place.span.start as usize);
    let length = length.min(place.span.end.saturating_sub(place.span.start) as usize);
    let here = source.text().as_bytes().get(start as usize..)?.get(..length);
    let there = place.source.text().as_bytes().get(place.span.start as usize..)?.get(..length);
    if here.is_none() || here != there {
        return None;
    }
    // What a frontend counts in letters ends within a name that has some of several bytes.
    let end = start as usize + length;
    let end = (end..).find(|at| source.text().is_char_boundary(*at)).unwrap_or(end);
    let (before, behind) = source.text().split_at_checked(end)?;
    let is_of_name = |c: &char| c.is_alphanumeric() || *c == '_';
    let rest = behind.chars().take_while(is_of_name).map(char::len_utf8).sum::<usize>();
    let cut = length > 0 && before.chars().next_back().is_some_and(|c| is_of_name(&c));
    Some(Span::new(start as usize, if cut { end + rest } else { end }))
}

/// What the compiler refuses, with the calls that led there.
fn of_compiler(source: &SourceText, error: &Error) -> Finding {
    let message = error.message.trim().trim_end_matches(ORIGINAL_CALL).trim_end();
    let own = local(source, &error.place);
    let caller = || error.calls.iter().find_map(|call| local(source, &call.place));
    let mut finding = match (own, &error.about) {
        (Some(span), Some(first)) => Finding::error(span, format!("{} {message}", first.message.trim())),
        (Some(span), None) => Finding::error(span, message),
        (None, _) => Finding::error(caller().unwrap_or_default(), format!("{message} (at {})", error.place)),
    };
    if let Some(first) = &error.about
        && let Some(span) = local(source, &first.place)
    {
        finding.related.push((span, first.message.trim().to_owned()));
    }
    for pair in error.calls.windows(2) {
        if let [callee, caller] = pair
            && let Some(span) = local(source, &caller.place)
            && (span.start, span.end) != (finding.span.start, finding.span.end)
        {
            let text = format!("'{}' is called here, in '{}'", callee.function, caller.function);
            finding.related.push((span, text));
        }
    }
    finding
}
