//! Value names, scopes and comments as locations: `loc("x.1"("scope: m.f"("f.py":3:4)))`.

use sconce_ir::location::{call_site, file_line_column, fused, name};
use sconce_ir::{Context, Location};
use sconce_syntax::graph_text::source_location;

const SCOPE: &str = "scope: ";
const COMMENT: &str = "# ";

/// What graph text says beside a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Names of the results; empty when there are none.
    pub names: Vec<String>,
    pub scope: Option<String>,
    pub comment: Option<String>,
}

/// The location that a comment says.
pub fn place<'c>(context: &'c Context, comment: &str) -> Location<'c> {
    match source_location(comment) {
        Some((file, line, column)) if !file.is_empty() => Location::new(context, file, line as usize, column as usize),
        _ => Location::name(context, &format!("{COMMENT}{comment}"), Location::unknown(context)),
    }
}

/// A place inside of a scope.
pub fn scoped<'c>(context: &'c Context, scope: Option<&str>, place: Location<'c>) -> Location<'c> {
    scope.map_or(place, |scope| Location::name(context, &format!("{SCOPE}{scope}"), place))
}

/// The location of results called so, at `place`.
pub fn named<'c>(context: &'c Context, names: &[&str], place: Location<'c>) -> Location<'c> {
    if names.is_empty() { place } else { Location::name(context, &names.join(","), place) }
}

/// Reads a location apart; `results` is the number of values it names.
pub fn read(location: Location<'_>, results: usize) -> Said {
    let mut said = Said::default();
    let mut location = location;
    let mut outermost = true;
    loop {
        if let Some((text, child)) = name(location) {
            if let Some(scope) = text.strip_prefix(SCOPE) {
                said.scope = Some(scope.to_owned());
            } else if let Some(comment) = text.strip_prefix(COMMENT) {
                said.comment = Some(comment.to_owned());
            } else if outermost && results > 0 {
                let names: Vec<String> = text.split(',').map(str::to_owned).collect();
                if names.len() == results && names.iter().all(|n| is_name(n)) {
                    said.names = names;
                }
            }
            outermost = false;
            location = child;
        } else if let Some((file, line, column)) = file_line_column(location) {
            said.comment = Some(format!("{file}:{line}:{column}"));
            return said;
        } else if let Some((callee, _)) = call_site(location) {
            location = callee;
        } else if let Some(first) = fused(location).into_iter().next() {
            location = first;
        } else {
            return said;
        }
    }
}

/// Can it stand after `%`?
pub fn is_name(text: &str) -> bool {
    let part = |part: &str| part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '/'));
    let mut parts = text.split("::");
    parts.all(part)
        && !text.is_empty()
        && !text.ends_with(['-', ':'])
        && text.split("::").skip(1).all(|p| p.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}
