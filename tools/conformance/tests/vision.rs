//! Every recorded call of torchvision's operators: what it returns, and what it refuses in which words.

use sconce_conformance::vectors::{Case, Kind, Verdict};

/// Refusals that torchvision gives no words for, or words that speak of its own calls only.
const WORDLESS: usize = 14;

#[test]
fn every_call_of_torchvisions_operators() {
    let corpus = sconce_corpus::testdata("vision").expect("testdata/vision is packed");
    let (mut passed, mut other_words, mut wrong) = (0, Vec::new(), Vec::new());
    for (folder, kind) in [("value", Kind::Value), ("error", Kind::Error)] {
        let lines = corpus.text(&format!("{folder}/torchvision.jsonl")).expect("recordings");
        for (i, line) in lines.lines().enumerate() {
            let case = Case::parse(line).expect("a case");
            let place = format!("{folder}:{}: {}", i + 1, case.op());
            match case.judge(kind) {
                Verdict::Passed => passed += 1,
                Verdict::Reworded(why) => other_words.push(format!("{place}: {why}")),
                Verdict::Failed(why) | Verdict::Skipped(why) => wrong.push(format!("{place}: {why}")),
            }
        }
    }
    println!("{passed} passed, {} refused in other words", other_words.len());
    assert!(wrong.is_empty(), "{} are wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(other_words.len() <= WORDLESS, "{}", other_words.join("\n"));
    assert!(passed >= 440, "only {passed} calls");
}
