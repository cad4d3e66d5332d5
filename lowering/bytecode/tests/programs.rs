//! Recorded programs, from their inlined listings: what they gave in PyTorch they give here.

use sconce_bytecode::lower;
use sconce_conformance::calls::{self, PlainFunction};
use sconce_conformance::vectors::Verdict;
use sconce_corpus::testdata;
use sconce_graph::listing::read_program;
use sconce_interpreter::{Executable, Options, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many passed when this was last looked at. More kernels make more of them; fewer is a mistake.
const PASSED: usize = 370;

fn judge(listing: &str, recorded: &str, options: &Options) -> Verdict {
    let unit = match read_program("inlined_graph.txt", listing, "forward") {
        Ok(unit) => unit,
        Err(e) => return Verdict::Failed(format!("import: {e}")),
    };
    let program = match lower(&unit, &BTreeMap::new()) {
        Ok(p) => p,
        Err(sconce_bytecode::Error::Unsupported(ops)) => return Verdict::Skipped(format!("{ops:?}")),
        Err(e) => return Verdict::Failed(format!("lowering: {e}")),
    };
    // Through the file format, so that it is tested by every program.
    let bytes = program.to_bytes().expect("constants of listings can be written");
    let program = Program::from_bytes(&bytes).expect("what is written is read");
    assert_eq!(program.to_bytes().ok(), Some(bytes));
    let executable = match Executable::new(Arc::new(program)) {
        Ok(e) => e,
        Err(e) => return Verdict::Skipped(e.to_string()),
    };
    for (i, call) in calls::read(recorded).expect("recorded calls").iter().enumerate() {
        let functions = &executable.program().functions;
        let method = format!(".{}", call.method());
        let f = functions.iter().position(|f| f.name.ends_with(&method)).unwrap_or(0);
        if matches!(functions[f].parameters.first().map(|p| &p.ty), Some(sconce_schema::Type::Class(_))) {
            return Verdict::Skipped("needs a module's state".into());
        }
        let mut subject = PlainFunction { executable: &executable, function: f as u32 };
        match call.judge(&mut subject, options) {
            Verdict::Passed => {}
            Verdict::Failed(why) => return Verdict::Failed(format!("call {i}: {why}")),
            skipped => return skipped,
        }
    }
    Verdict::Passed
}

#[test]
fn recorded_programs_run() {
    let corpus = testdata("programs").expect("testdata/programs.tar.zst");
    let names: Vec<String> =
        corpus.below("").filter_map(|(path, _)| path.strip_suffix("/inlined_graph.txt").map(str::to_owned)).collect();
    assert!(names.len() > 500, "{} programs", names.len());
    let (mut passed, mut failed) = (0, Vec::new());
    for name in &names {
        let (Some(listing), Some(recorded)) =
            (corpus.text(&format!("{name}/inlined_graph.txt")), corpus.text(&format!("{name}/calls.json")))
        else {
            continue;
        };
        match judge(listing, recorded, &Options::default()) {
            Verdict::Passed => passed += 1,
            Verdict::Failed(why) | Verdict::Reworded(why) => failed.push(format!("{name}: {why}")),
            Verdict::Skipped(_) => {}
        }
    }
    println!("{passed} passed, {} failed, {} skipped", failed.len(), names.len() - passed - failed.len());
    assert!(passed >= PASSED, "{passed} passed, {PASSED} did before; failing:\n{}", failed.join("\n"));
}

#[test]
fn forked_programs_give_the_same_with_workers() {
    let corpus = testdata("programs").expect("testdata/programs.tar.zst");
    let mut ran = 0;
    // The listing that is not inlined has the functions that are forked.
    for (path, listing) in corpus.below("fork_wait/").filter(|(p, _)| p.ends_with("/graph.txt")) {
        let listing = std::str::from_utf8(listing).expect("a listing");
        let Some(recorded) = corpus.text(&path.replace("graph.txt", "calls.json")) else { continue };
        for workers in [0, 1, 2, 8] {
            let verdict = judge(listing, recorded, &Options { workers, ..Options::default() });
            assert!(
                !matches!(verdict, Verdict::Failed(_) | Verdict::Reworded(_)),
                "{path}, {workers} workers: {verdict:?}"
            );
            ran += usize::from(verdict == Verdict::Passed);
        }
    }
    assert!(ran >= 4, "{ran} runs");
}
