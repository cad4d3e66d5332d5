//! What PyTorch refuses is refused, with its message at its place.

use sconce_conformance::rejects::{self, Agreement, Reject};
use sconce_python::{Options, Program};

fn compile(case: &Reject) -> (Agreement, Option<String>) {
    case.compare(|source, entry| {
        let options = Options { module: case.name.clone(), ..Options::default() };
        let mut program = Program::new("source.py", source, options).map_err(|e| e.report())?;
        program.compile(entry).map(drop).map_err(|e| e.report())
    })
}

#[test]
fn refusals_are_pytorchs() {
    let corpus = sconce_corpus::testdata("rejects").expect("packed");
    let cases = rejects::read(corpus.text("rejects.jsonl").expect("the set's file")).expect("recordings");
    let only = std::env::var("ONLY").unwrap_or_default();
    let (mut refused, mut message, mut place, mut exact) = (0, 0, 0, 0);
    for case in cases.iter().filter(|case| case.name.contains(&only)) {
        let (agreement, report) = compile(case);
        refused += usize::from(agreement.refused);
        assert!(agreement.refused || case.accepted_on_purpose().is_some(), "{} is accepted", case.name);
        message += usize::from(agreement.message);
        place += usize::from(agreement.place);
        exact += usize::from(agreement.exact);
        if !agreement.exact {
            println!(
                "==== {} {agreement:?}\n---- expected{}\n---- found{}",
                case.name,
                case.expected,
                report.unwrap_or_default()
            );
        }
    }
    let all = cases.len();
    println!("{all} cases: {refused} refused, {message} in the same words, {place} at the same place, {exact} exactly");
    if only.is_empty() {
        assert!(message * 100 >= all * 90 && place * 100 >= all * 92 && exact * 100 >= all * 74);
    }
}
