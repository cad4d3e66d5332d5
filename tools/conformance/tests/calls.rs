//! Recorded operator calls go on being reproduced: values, errors and shapes, no fewer of each than when the number beside it was written.

use sconce_conformance::vectors::{Case, Kind, Verdict};

/// Raise a number with the change that reproduces more; those that are left differ for a reason that the judge prints.
const REPRODUCED: [(Kind, &str, usize); 3] =
    [(Kind::Value, "value/", 21_133), (Kind::Error, "error/", 3_397), (Kind::Meta, "meta/", 2_699)];

#[test]
fn recorded_calls_are_reproduced() {
    let corpus = sconce_corpus::testdata("vectors").expect("testdata/vectors is packed");
    for (kind, folder, least) in REPRODUCED {
        let (mut passed, mut failed) = (0, Vec::new());
        for (path, text) in corpus.iter().filter(|(p, _)| p.starts_with(folder)) {
            for (i, line) in std::str::from_utf8(text).expect("recordings are UTF-8").lines().enumerate() {
                let case = Case::parse(line).expect("recordings parse");
                match case.judge(kind) {
                    Verdict::Passed | Verdict::Reworded(_) => passed += 1,
                    Verdict::Failed(why) => failed.push(format!("{path}:{}: {}: {why}", i + 1, case.op())),
                    Verdict::Skipped(_) => {}
                }
            }
        }
        println!("{folder} {passed} reproduced, {} not", failed.len());
        assert!(passed >= least, "{passed} of {folder} are reproduced, expected {least}\n{}", failed.join("\n"));
    }
}
