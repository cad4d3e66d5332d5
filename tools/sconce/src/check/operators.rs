//! Operators: recorded calls, tables and schemas.

use super::{Tally, Verdict};
use sconce_conformance::tables::TABLES;
use sconce_conformance::vectors::{Case, Kind, Verdict as Judged};
use sconce_schema::FunctionSchema;

/// One operator call a line; the folder says of which kind.
pub fn check_vectors(name: &str, text: &str, tally: &mut Tally) {
    let kind = match name.rsplit('/').nth(1) {
        Some("value") => Some(Kind::Value),
        Some("error") => Some(Kind::Error),
        Some("meta") => Some(Kind::Meta),
        _ => None,
    };
    for (i, line) in text.lines().enumerate() {
        if tally.watch.is_over() {
            return;
        }
        let place = || format!("{name}:{}", i + 1);
        let verdict = match (kind, Case::parse(line)) {
            (None, Ok(_)) => Verdict::Skipped("gradients".into()),
            (None, Err(_)) => Verdict::Skipped("the TorchScript source frontend".into()),
            (_, Err(e)) => Verdict::Failed(e.to_string()),
            (Some(kind), Ok(case)) => {
                let judged = case.judge(kind);
                tally.operators.add(case.op(), kind, &judged);
                match judged {
                    // That a call raises is what counts; the words are PyTorch's wherever they are known.
                    Judged::Passed => Verdict::Passed,
                    Judged::Reworded(why) => Verdict::Reworded(why),
                    Judged::Failed(why) => Verdict::Failed(format!("{}: {why}", case.op())),
                    Judged::Skipped(_) => Verdict::Skipped(case.op().to_string()),
                }
            }
        };
        tally.add("operator calls", place, verdict);
    }
}

/// A table beside the calls, every cell of which is a case.
pub fn check_table(name: &str, file: &str, text: &str, tally: &mut Tally) {
    let Some((_, kind, judge)) = TABLES.iter().find(|(f, ..)| *f == file) else { return };
    match judge(text) {
        Ok(cells) => {
            (cells.wrong.len()..cells.count).for_each(|_| tally.add(kind, String::new, Verdict::Passed));
            cells.wrong.into_iter().for_each(|why| tally.add(kind, || name.to_owned(), Verdict::Failed(why)));
        }
        Err(e) => tally.add(kind, || name.to_owned(), Verdict::Failed(e.to_string())),
    }
}

/// One schema a line, as PyTorch prints it.
pub fn check_schemas(name: &str, text: &str, tally: &mut Tally) {
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.is_empty()) {
        let verdict = match line.parse::<FunctionSchema>() {
            Ok(s) if s.to_string() == line => Verdict::Passed,
            Ok(s) => Verdict::Failed(format!("prints as {s}")),
            Err(e) => Verdict::Failed(e.to_string()),
        };
        tally.add("schemas", || format!("{name}:{}", i + 1), verdict);
    }
}
