//! Recorded refusals: sources that PyTorch does not compile are refused here, in its words and at its place.

use super::{Tally, Verdict};
use sconce_conformance::rejects;
use sconce_conformance::vectors::Verdict as Judged;
use sconce_python::{Options, Program};

/// Every line of a `rejects.jsonl`.
pub fn check(name: &str, text: &str, tally: &mut Tally) {
    let cases = match rejects::read(text) {
        Ok(cases) => cases,
        Err(e) => return tally.add("refused sources", || name.to_owned(), Verdict::Failed(e.to_string())),
    };
    for case in cases {
        if tally.watch.is_over() {
            return;
        }
        let judged = case.judge(|source, entry| {
            let options = Options { module: case.name.clone(), ..Options::default() };
            let compiled = Program::new("source.py", source, options).and_then(|mut p| p.compile(entry).map(drop));
            compiled.map_err(|e| e.exception_text())
        });
        let verdict = match judged {
            Judged::Passed => Verdict::Passed,
            Judged::Reworded(why) => Verdict::Reworded(why),
            Judged::Failed(why) => Verdict::Failed(why),
            Judged::Skipped(what) => Verdict::Skipped(what),
        };
        tally.add("refused sources", || format!("{name}:{}", case.name), verdict);
    }
}
