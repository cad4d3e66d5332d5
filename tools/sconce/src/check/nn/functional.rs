//! Calls of functions: each is the body of a function of its own.

use super::subject::{self, HEADER, definition};
use super::{Selection, case};
use crate::check::{Tally, Verdict};
use crate::engine::Engine;
use crate::load;
use crate::module::Module;
use sconce_conformance::nn::Row;
use sconce_python::{Options, Program};
use std::collections::BTreeMap;

/// Calls that are compiled together.
const BATCH: usize = 40;

/// Every call of a function among the rows.
pub fn check(engine: &Engine, rows: &[Row], selection: &Selection<'_>, tally: &mut Tally) {
    let calls = rows.iter().filter(|r| r.text("k") == "call" && r.has("fn") && r.has("sig") && selection.takes(r));
    let mut by_function: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    calls.for_each(|row| by_function.entry(row.text("fn")).or_default().push(row));
    for rows in by_function.values().flat_map(|rows| rows.chunks(BATCH)) {
        if tally.watch.is_over() {
            return;
        }
        judge(engine, rows, tally);
    }
}

fn add(tally: &mut Tally, row: &Row, verdict: Verdict) {
    let kind = if row.is_error() { "nn functional errors" } else { "nn functional" };
    tally.add(kind, || case(row, &[]), verdict);
}

/// Compiles the calls in one source; which of them are refused, and why.
fn compile(engine: &Engine, rows: &[&Row]) -> Result<Module, Vec<Option<String>>> {
    let all = |why: String| vec![Some(why); rows.len()];
    let functions = rows.iter().enumerate();
    let functions = functions.map(|(i, row)| definition(&format!("f{i}"), row, None, row.text("call")));
    let source: String = std::iter::once(HEADER.to_owned()).chain(functions).collect();
    let options = Options { module: "calls".to_owned(), ..Options::default() };
    let mut program = Program::new("calls.py", &source, options).map_err(|e| all(e.report()))?;
    let refused: Vec<Option<String>> =
        (0..rows.len()).map(|i| program.compile(&format!("f{i}")).err().map(|e| e.report())).collect();
    if refused.iter().any(Option::is_some) {
        return Err(refused);
    }
    let unit = std::mem::take(&mut program.compiler.unit);
    load::unit(engine, unit, None, Vec::new()).map_err(|e| all(e.to_string()))
}

fn judge(engine: &Engine, rows: &[&Row], tally: &mut Tally) {
    match (compile(engine, rows), rows) {
        (Ok(mut module), _) => {
            for (i, row) in rows.iter().enumerate() {
                add(tally, row, called(&mut module, &format!("f{i}"), row));
            }
        }
        (Err(_), []) => {}
        (Err(refused), [row]) => add(tally, row, super::refused(row, refused[0].as_deref().unwrap_or_default())),
        // What is refused is judged alone, and so is not in the way of the others.
        (Err(refused), _) => {
            let taken: Vec<&Row> =
                rows.iter().zip(&refused).filter(|(_, r)| r.is_none()).map(|(row, _)| *row).collect();
            judge(engine, &taken, tally);
            for (row, _) in rows.iter().zip(&refused).filter(|(_, r)| r.is_some()) {
                judge(engine, &[row], tally);
            }
        }
    }
}

fn called(module: &mut Module, function: &str, row: &Row) -> Verdict {
    if row.has("refused") {
        return super::accepted(row, "refused");
    }
    let ran = subject::run(module, function, row, &[], &Vec::new(), row.get("seed").as_u64());
    match ran.and_then(|ran| row.compare(&ran, &[])) {
        Ok(()) => Verdict::Passed,
        Err(why) => Verdict::Failed(why),
    }
}
