//! What the solver said, as a file of the repository: a line a rule, with a mark of everything that it was asked about. Where the mark is another, it is asked again.

use crate::solver::Answer;
use sconce_egraph::rules::{Rule, Side};
use sconce_schema::DType;
use std::collections::BTreeMap;

/// Raised when questions are put in another way.
const VERSION: u32 = 2;

/// Answers by rule.
#[derive(Clone, Debug, Default)]
pub struct Recorded(BTreeMap<String, (String, Answer)>);

/// The answers about rules that are compiled in.
pub fn builtin() -> Recorded {
    Recorded::read(include_str!("../proofs.txt"))
}

impl Recorded {
    /// Lines that say nothing are left out: what they were about is asked again.
    pub fn read(text: &str) -> Recorded {
        let line = |line: &str| {
            let (name, rest) = line.split_once(' ')?;
            let (mark, answer) = rest.split_once(": ")?;
            Some((name.to_owned(), (mark.to_owned(), read_answer(answer)?)))
        };
        Recorded(text.lines().filter(|l| !l.starts_with('#')).filter_map(line).collect())
    }

    /// The answer about a rule, if it was asked about this very rule.
    pub fn answer(&self, rule: &Rule) -> Option<&Answer> {
        self.0.get(&*rule.name).filter(|(mark, _)| *mark == mark_of(rule)).map(|(_, answer)| answer)
    }

    pub fn add(&mut self, rule: &Rule, answer: Answer) {
        self.0.insert(rule.name.to_string(), (mark_of(rule), answer));
    }

    /// As a file, by name.
    pub fn text(&self) -> String {
        let head = "# What the solver proved of each rule that is not settled otherwise. Made by `sconce-opt --verify-rules --record FILE`.\n";
        let lines = self.0.iter().map(|(name, (mark, answer))| format!("{name} {mark}: {answer}\n"));
        std::iter::once(head.to_owned()).chain(lines).collect()
    }
}

fn read_answer(text: &str) -> Option<Answer> {
    let dtypes = |text: &str| text.split_whitespace().map(DType::from_short_name).collect::<Option<Vec<_>>>();
    let (proved, open) = match (text, text.split_once(", open ")) {
        ("no dtype", _) => ("", ""),
        (_, Some(both)) => both,
        (text, None) => text.strip_prefix("open ").map_or((text, ""), |open| ("", open)),
    };
    Some(Answer { proved: dtypes(proved)?, open: dtypes(open)? })
}

/// A mark of the rule and of the records of its operators.
fn mark_of(rule: &Rule) -> String {
    fn operators(side: &Side, into: &mut String) {
        match side {
            Side::Apply(entry, arguments) => {
                into.push_str(&format!("{} {:?}\n", entry.schema_text, entry.scalar));
                arguments.iter().for_each(|a| operators(a, into));
            }
            Side::List(items) => items.iter().for_each(|i| operators(i, into)),
            Side::Part(whole, _) => operators(whole, into),
            _ => {}
        }
    }
    let mut text = format!("{VERSION} {rule}\n");
    operators(&rule.left, &mut text);
    operators(&rule.right, &mut text);
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_holds_for_the_same_rule_only() {
        let rule = |body: &str| {
            sconce_egraph::rules::read("x.rules", &format!("# x\nrule r exact: {body};")).expect(body).remove(0)
        };
        let (one, other) = (rule("aten.relu(?x) => aten.relu(?x)"), rule("aten.relu(?x) => aten.abs(?x)"));
        for answer in [
            Answer::default(),
            Answer { proved: vec![DType::I16, DType::F32], open: vec![] },
            Answer { proved: vec![DType::I16], open: vec![DType::F64] },
            Answer { proved: vec![], open: vec![DType::F64, DType::F16] },
        ] {
            let mut recorded = Recorded::default();
            recorded.add(&one, answer.clone());
            let read = Recorded::read(&recorded.text());
            assert_eq!(read.answer(&one), Some(&answer));
            assert_eq!(read.answer(&other), None);
        }
    }
}
