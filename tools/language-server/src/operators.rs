//! What the op table says of operators, for people: their schemas, and what is known of them besides.

use crate::analysis::{Candidate, Kind, code};
use sconce_schema::{OpEntry, overloads, table};

/// Overloads that are shown of one operator.
const MAX_SCHEMAS: usize = 12;

/// An operator's schemas, that of `chosen` first, and a line about it; nothing of a name that is none.
pub(crate) fn described(name: &str, chosen: Option<&str>) -> Option<String> {
    let known = overloads(name);
    let first = known.first()?;
    let all: Vec<String> = known.iter().map(|entry| entry.schema().to_string()).collect();
    let others: Vec<&String> = all.iter().filter(|s| chosen != Some(s.as_str())).collect();
    let fitting = chosen.map(|schema| code("text", schema));
    let listed: Vec<&str> = others.iter().take(MAX_SCHEMAS).map(|s| s.as_str()).collect();
    let list = (!listed.is_empty()).then(|| code("text", &listed.join("\n")));
    let heading = (fitting.is_some() && list.is_some()).then(|| "Other overloads:".to_owned());
    let more = others.len().saturating_sub(MAX_SCHEMAS);
    let more = (more > 0).then(|| format!("{more} overloads more"));
    let entry = known.iter().find(|entry| chosen == Some(entry.schema().to_string().as_str())).unwrap_or(first);
    let parts = [fitting, heading, list, more, Some(line(entry))];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
}

/// What the table says of an operator beside its schema.
fn line(entry: &OpEntry) -> String {
    let form = entry.functional_entry().map(|f| format!("; writes what `{}` gives", f.name));
    let needs = entry.limits.needs.map(|what| format!("; has no kernel here, it takes {what}"));
    format!("Operator of the family `{}`{}{}", entry.family, form.unwrap_or_default(), needs.unwrap_or_default())
}

/// Names of operators as graphs have them: `aten::relu`.
pub(crate) fn names() -> impl Iterator<Item = Candidate> {
    let mut before = "";
    // Overloads follow each other in the table; who sorts names drops what is left twice.
    let bases =
        table().iter().map(OpEntry::base_name).filter(move |name| std::mem::replace(&mut before, name) != *name);
    bases.map(|name| candidate(name, name))
}

/// An operator by the name that it has where it is written.
pub(crate) fn candidate(written: &str, name: &str) -> Candidate {
    Candidate { name: written.to_owned(), detail: None, operator: Some(name.to_owned()), kind: Kind::Operator }
}

/// The schema of an operator that is tried first.
pub(crate) fn schema(name: &str) -> Option<String> {
    overloads(name).first().map(|entry| entry.schema().to_string())
}

/// The name of an operator most like one that there is not.
pub(crate) fn similar(wanted: &str) -> Option<&'static str> {
    let namespace = &wanted[..wanted.find("::")? + 2];
    let near = |name: &&str| strsim::jaro_winkler(name, wanted);
    let bases = table().iter().map(OpEntry::base_name).filter(|name| name.starts_with(namespace));
    bases.max_by(|a, b| near(a).total_cmp(&near(b))).filter(|name| near(name) >= SIMILAR)
}

/// How similar a name must be so that it may have been meant: Jaro and Winkler's measure, 1 for the same name.
const SIMILAR: f64 = 0.9;
