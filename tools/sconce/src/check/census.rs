//! Which operators recorded programs, models and listings call: an archive or a listing passes when the op table holds them all.

use super::{Tally, Verdict};
use crate::engine::{Engine, Options};
use sconce_syntax::graph_text::{self, Block, Node};
use std::collections::BTreeSet;

/// The overloads that the program of an archive calls.
pub fn archive(name: &str, file: &str, bytes: &[u8], options: &Options, tally: &mut Tally) {
    let called = || -> Result<BTreeSet<String>, String> {
        let engine = Engine::new(options.clone()).map_err(|e| e.to_string())?;
        let module = engine.load_bytes(file, "forward", bytes).map_err(|e| e.to_string())?;
        Ok(module.program().operators.iter().map(|n| n.to_string()).collect())
    };
    let verdict = match called() {
        Ok(names) => judge(names, |n| sconce_schema::lookup(n).is_some(), tally),
        Err(e) => Verdict::Failed(e),
    };
    tally.add("operators of archives", || format!("{name}/{file}"), verdict);
}

/// The operators that a listing names; it does not say which overloads.
pub fn listing(name: &str, text: &str, tally: &mut Tally) {
    // What cannot be read is another question's case.
    let Ok(listing) = graph_text::read(name, text) else { return };
    let mut names = BTreeSet::new();
    collect(&listing.graph.nodes, &mut names);
    listing.subgraphs.iter().for_each(|s| collect(&s.graph.nodes, &mut names));
    let verdict = judge(names, |n| !sconce_schema::overloads(n).is_empty(), tally);
    tally.add("operators of listings", || name.to_owned(), verdict);
}

fn collect(nodes: &[Node], into: &mut BTreeSet<String>) {
    for node in nodes {
        // Nodes of the language itself (`prim::If`) are no operators, functions of Python's (`^Square`) are nobody's.
        if !node.kind.starts_with("prim::") && !node.kind.starts_with('^') {
            into.insert(node.kind.clone());
        }
        node.blocks.iter().for_each(|b: &Block| collect(&b.nodes, into));
    }
}

fn judge(names: BTreeSet<String>, known: impl Fn(&str) -> bool, tally: &mut Tally) -> Verdict {
    let missing: Vec<&str> = names.iter().map(String::as_str).filter(|n| !known(n)).collect();
    let verdict = if missing.is_empty() {
        Verdict::Passed
    } else {
        Verdict::Failed(format!("not in the table: {}", missing.join(", ")))
    };
    tally.called.extend(names);
    verdict
}
