//! Sources with one mistake each, below `refusals/`: what is printed about them is what stands there. `UPDATE_EXPECT=1` rewrites the files.

use sconce_python::{Options, Program};
use std::path::Path;

/// Compiles what an entry names; the report of the refusal.
fn refusal(name: &str, entry: &str, source: &str) -> String {
    let options = Options { module: name.to_owned(), ..Options::default() };
    let compiled = Program::new("source.py", source, options).and_then(|mut program| program.compile(entry).map(drop));
    compiled.err().map_or_else(|| "accepted".to_owned(), |e| e.report())
}

/// The report without the list of overloads that did not match: it grows with the operators that are known.
fn without_overloads(report: &str) -> String {
    let (first, last) = ("The following variants are available:\n", "The original call is:\n");
    match (report.find(first), report.find(last)) {
        (Some(from), Some(to)) if from < to => format!("{}…\n{}", &report[..from + first.len()], &report[to..]),
        _ => report.to_owned(),
    }
}

#[test]
fn one_mistake_one_report() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refusals");
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut files: Vec<_> = std::fs::read_dir(&folder).expect("the cases").map(|f| f.expect("a file").path()).collect();
    files.sort();
    let (mut cases, mut different) = (0, Vec::new());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("UTF-8");
        let mut printed = String::new();
        for case in ["\n", &text].concat().split("\n=== ").skip(1) {
            let (head, rest) = case.split_once('\n').expect("a head");
            let (name, entry) = head.split_once(": ").expect("`name: entry`");
            let (source, expected) = rest.split_once("\n---").expect("source and report");
            let report = refusal(name, entry, &format!("{source}\n"));
            let report = without_overloads(report.trim_matches('\n'));
            if report == "accepted" || report != expected.trim_matches('\n') {
                different.push(format!("=== {head}\nexpected:{expected}\nfound:\n{report}\n"));
            }
            printed += &format!("=== {head}\n{source}\n---\n{report}\n");
            cases += 1;
        }
        if update {
            std::fs::write(&file, printed).expect("written");
        }
    }
    assert!(cases >= 60, "{cases}");
    assert!(update || different.is_empty(), "{} of {cases} differ\n{}", different.len(), different.join("\n"));
}
