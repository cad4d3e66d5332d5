//! Graph text: what PyTorch printed reads, prints back, and survives the way through the torch dialect's own text.

use super::{Tally, Verdict};
use crate::engine::Engine;
use crate::error::ErrorKind;
use sconce_request::{Answer, Question, Subject, Want};
use sconce_syntax::graph_text;

/// A file of one listing, of listings under `== name` lines, or of listings under `## name` lines. Files without a graph are no cases.
pub fn check(engine: &Engine, name: &str, text: &str, tally: &mut Tally) {
    for (title, listing) in listings(text) {
        // torch.export's FX graphs begin with the same word.
        if listing.lines().nth(1).is_some_and(|l| l.contains("placeholder[") || l.contains("users=")) {
            tally.add("graph texts", || name.to_string(), Verdict::Skipped("FX text".into()));
            continue;
        }
        let case = || if title.is_empty() { name.to_string() } else { format!("{name} {title}") };
        let verdict = round_trip(engine, &case(), &listing).map_or_else(Verdict::Failed, |()| Verdict::Passed);
        tally.add("graph texts", case, verdict);
    }
}

pub(super) fn listings(text: &str) -> Vec<(&str, String)> {
    let mut out: Vec<(&str, String)> = vec![("", String::new())];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("== ").or(line.strip_prefix("## ")) {
            Some(title) => out.push((title.trim_end(), String::new())),
            None => out.last_mut().map(|l| l.1.push_str(line)).unwrap_or(()),
        }
    }
    out.retain(|(_, t)| t.starts_with("graph("));
    out
}

/// Braces around blocks, `Dynamic` for `Tensor`, and a semicolon after the results are what PyTorch printed years ago.
fn is_old_notation(text: &str) -> bool {
    let brace = |l: &str| l.trim_end().ends_with('{') || l.trim() == "}";
    text.lines().any(|l| brace(l) || l.trim_end().ends_with(");") || l.contains(": Dynamic"))
}

/// Text that our own printer gives back byte for byte, before and after it was MLIR text.
fn round_trip(engine: &Engine, name: &str, text: &str) -> Result<(), String> {
    let listing = graph_text::read(name, text).map_err(|e| e.to_string())?;
    let printed = listing.to_string();
    if is_old_notation(text) {
        // Old notations are printed in today's: what was printed once must stay.
        let again = graph_text::read(name, &printed).map_err(|e| e.to_string())?;
        same("printed twice", &printed, &again.to_string())?;
    } else {
        same("printed back", text, &printed)?;
    }
    let subject = Subject::GraphText { name: name.to_owned(), text: text.to_owned() };
    let back = match engine.ask(&Question { subject, want: Want::RoundTrip }) {
        Ok(Answer::Text(back)) => back,
        // Then only its own reader and printer are judged.
        Err(e) if e.kind() == ErrorKind::NoCompiler => return Ok(()),
        Ok(_) => return Err("the compiler answered something else".into()),
        Err(why) => return Err(why.to_string()),
    };
    same("after the torch dialect", &printed, &back)
}

/// The text with every value name replaced by the number of its first appearance in its graph: the names of a graph that another holds are its own.
pub(super) fn renumbered(text: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with("graph(") || line.starts_with("with ") {
            names.clear();
        }
        let mut parts = line.split('%');
        out.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let end = part.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(part.len());
            let (name, rest) = part.split_at(end);
            let number = names.iter().position(|n| *n == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            out.push_str(&format!("%{number}{rest}"));
        }
    }
    out
}

fn same(what: &str, want: &str, got: &str) -> Result<(), String> {
    if want == got {
        return Ok(());
    }
    let line = want
        .lines()
        .zip(got.lines())
        .position(|(a, b)| a != b)
        .unwrap_or_else(|| want.lines().count().min(got.lines().count()));
    let at = |t: &str| t.lines().nth(line).unwrap_or("nothing").trim().to_string();
    Err(format!("line {}, {what}: {} instead of {}", line + 1, at(got), at(want)))
}

/// Questions put to PyTorch's reader: what it reads must be read, and printed as it prints, or as it was written.
pub fn check_forms(name: &str, text: &str, tally: &mut Tally) {
    let forms: serde_json::Value = match serde_json::from_str(text) {
        Ok(v) => v,
        Err(e) => return tally.add("forms", || name.to_string(), Verdict::Failed(e.to_string())),
    };
    for form in forms["forms"].as_array().into_iter().flatten() {
        let part = |i: usize| form[i].as_str().unwrap_or_default();
        let (text, reads) = (part(2), form[3].as_bool() == Some(true));
        let verdict = match graph_text::read(part(1), text) {
            Err(e) if reads => Verdict::Failed(format!("PyTorch reads it; here {e}")),
            Err(_) => Verdict::Passed,
            Ok(listing) => {
                let printed = listing.to_string();
                // A text read by us alone, or printed as it stands, is answered better; else PyTorch's print decides, but for the names of
                // values, which PyTorch's reader loses.
                let theirs = renumbered(part(4));
                let fine = !reads || printed == text || form[4].is_null() || renumbered(&printed) == theirs;
                if fine {
                    Verdict::Passed
                } else {
                    Verdict::Failed(format!("prints {printed:?}, PyTorch {:?}", part(4)))
                }
            }
        };
        tally.add("forms", || format!("{name} {}: {}", part(0), part(1)), verdict);
    }
}
