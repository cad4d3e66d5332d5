//! Recordings of `torch.nn`: every call is compiled, run and compared in what it gives, which operators it executes, and how it fails.
//!
//! Everything is interpreted as it is written: no static plans, nothing folded. Calls share what they are compiled in where that changes nothing; one that
//! is refused is compiled again alone.

mod calls;
mod class;
mod construction;
mod functional;
mod init;
mod subject;

use super::{Tally, Verdict};
use crate::engine::{Engine, Options};
use sconce_conformance::nn::{self, Row};
use serde_json::Value;

/// What of a recording is judged.
struct Selection<'a> {
    only: Option<&'a str>,
    /// Some row is of a function or class of exactly this name.
    exact: bool,
}

impl Selection<'_> {
    fn takes(&self, row: &Row) -> bool {
        match self.only {
            None => true,
            Some(only) if self.exact => owner(row) == only,
            Some(only) => case(row, &[]).contains(only),
        }
    }
}

/// The function or class that a row is about.
fn owner(row: &Row) -> &str {
    if row.has("fn") { row.text("fn") } else { row.text("cls") }
}

/// A row's name: its function or class, what is constructed, what is called with which arguments.
fn case(row: &Row, inputs: &[Value]) -> String {
    let mut name = owner(row).to_owned();
    if row.has("new") {
        name += &format!(" [{}]", row.text("new"));
    }
    if row.has("call") {
        name += &format!(" {}", row.text("call"));
    }
    let given: Vec<String> = row.arguments(inputs).into_iter().map(brief).collect();
    if !given.is_empty() {
        name += &format!(" of {}", given.join(", "));
    }
    for key in ["mode", "nograd"] {
        match row.text(key) {
            "" if row.has(key) => name += &format!(" {key}"),
            "" => {}
            text => name += &format!(" {text}"),
        }
    }
    name
}

/// A tensor's dtype and sizes; other values as they are written.
fn brief(value: &Value) -> String {
    match (value.get("T").and_then(Value::as_str), value.get("s")) {
        (Some(dtype), Some(sizes)) => format!("{dtype}{sizes}"),
        _ if value.get("ps").is_some() => "PackedSequence".to_owned(),
        _ => match value.get("t").or(Some(value)).and_then(Value::as_array) {
            Some(items) => format!("({})", items.iter().map(brief).collect::<Vec<_>>().join(", ")),
            None => value.to_string(),
        },
    }
}

/// All rows of a recording that `only` selects.
pub fn check(name: &str, text: &str, only: Option<&str>, tally: &mut Tally) {
    let rows = match nn::read(text) {
        Ok(rows) => rows,
        Err(e) => return tally.add("nn", || name.to_owned(), Verdict::Failed(e.to_string())),
    };
    let engine = match Engine::new(Options::default()) {
        Ok(engine) => engine,
        Err(e) => return tally.add("nn", || name.to_owned(), Verdict::Failed(e.to_string())),
    };
    let exact = only.is_some_and(|only| rows.iter().any(|r| owner(r) == only));
    let selection = Selection { only, exact };
    functional::check(&engine, &rows, &selection, tally);
    calls::check(&engine, &rows, &selection, tally);
    class::check(&rows, &selection, tally);
    construction::check(&rows, &selection, tally);
    init::check(&rows, &selection, tally);
}

/// The verdict on what PyTorch refuses and Sconce takes.
fn accepted(row: &Row, key: &str) -> Verdict {
    match row.accident(key) {
        Some(accident) => Verdict::Skipped(format!("accepted; PyTorch alone refuses it: {accident}")),
        None => Verdict::Failed(format!("accepted; PyTorch refuses it: {}", row.get(key)[1])),
    }
}

/// The verdict on what the compiler refuses.
fn refused(row: &Row, report: &str) -> Verdict {
    if !row.has("refused") {
        let lines: Vec<&str> = report.trim().lines().take(12).collect();
        return Verdict::Failed(format!("refused: {}", lines.join("\n    ")));
    }
    match row.compare_refusal("refused", report) {
        Ok(()) => Verdict::Passed,
        Err(why) => Verdict::Failed(why),
    }
}
