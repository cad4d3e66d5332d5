//! What aliases answer of 181 graphs, beside what PyTorch's analysis answered (`lowering/analysis/tests/record_aliases.py`): which values may be one or hold one,
//! which have writers, what they point to and contain, and which moves are legal. The answers are equal or more precise; each difference has a cause, and that the
//! cause is there is checked.

use expect_test::expect;
use sconce_analysis::Aliases;
use sconce_analysis::alias::Pointees;
use sconce_analysis::alias::movement::{Refusal, Side};
use sconce_analysis::operators::is_silent;
use sconce_corpus::testdata;
use sconce_ir::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What PyTorch says of a graph.
struct Recorded {
    name: String,
    text: String,
    values: Vec<String>,
    alias: BTreeSet<(String, String)>,
    writers: BTreeSet<String>,
    points: BTreeMap<String, Vec<String>>,
    contains: BTreeMap<String, Vec<String>>,
    moves: Vec<(usize, usize, bool, bool)>,
}

fn strings(json: &serde_json::Value) -> Vec<String> {
    json.as_array().into_iter().flatten().filter_map(|v| v.as_str().map(str::to_owned)).collect()
}

impl Recorded {
    fn parse(line: &str) -> Recorded {
        let json: serde_json::Value = serde_json::from_str(line).expect("recordings are JSON");
        let pair = |v: &serde_json::Value| (strings(v)[0].clone(), strings(v)[1].clone());
        let sets =
            |key: &str| json[key].as_object().expect("a map").iter().map(|(k, v)| (k.clone(), strings(v))).collect();
        let number = |v: &serde_json::Value| v.as_u64().expect("a number") as usize;
        let moves = json["moves"].as_array().expect("a list").iter();
        Recorded {
            name: json["name"].as_str().expect("a name").to_owned(),
            text: json["text"].as_str().expect("a text").to_owned(),
            values: strings(&json["values"]),
            alias: json["alias"].as_array().expect("a list").iter().map(pair).collect(),
            writers: strings(&json["writers"]).into_iter().collect(),
            points: sets("points"),
            contains: sets("contains"),
            moves: moves.map(|m| (number(&m[0]), number(&m[1]), m[2] == true, m[3] == true)).collect(),
        }
    }

    /// What a value points to in the end: the values that are memory of their own, and whether something from outside is among them.
    fn memory(&self, value: &str) -> (BTreeSet<String>, bool) {
        let (mut own, mut outside, mut seen, mut stack) =
            (BTreeSet::new(), false, BTreeSet::new(), vec![value.to_owned()]);
        while let Some(value) = stack.pop() {
            if !seen.insert(value.clone()) {
                continue;
            }
            match self.points.get(&value) {
                _ if value.starts_with("WILDCARD") => outside = true,
                Some(to) => stack.extend(to.iter().cloned()),
                None => _ = own.insert(value),
            }
        }
        (own, outside)
    }
}

fn nodes<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    block.ops().into_iter().filter(|op| !is_silent(*op) && !op.is_terminator()).collect()
}

/// The values of a block and of what is in it, in the order of the recordings.
fn values<'c: 'a, 'a>(block: BlockRef<'c, 'a>, into: &mut Vec<Value<'c, 'a>>) {
    into.extend(block.args());
    for op in nodes(block) {
        into.extend(op.result_values());
        op.region_refs().into_iter().flat_map(RegionExt::blocks).for_each(|block| values(block, into));
    }
}

#[derive(Default)]
struct Tally {
    graphs: usize,
    equal: BTreeMap<&'static str, usize>,
    precise: BTreeMap<String, usize>,
    /// Differences without a cause.
    coarse: Vec<String>,
}

impl Tally {
    fn say(&mut self, question: &'static str, ours: bool, theirs: bool, cause: impl FnOnce() -> String) {
        match (ours, theirs) {
            _ if ours == theirs => *self.equal.entry(question).or_default() += 1,
            (false, true) => {
                *self.precise.entry(question.to_owned()).or_default() += 1;
                if std::env::var_os("SHOW").is_some() {
                    println!("PRECISE {question} {}", cause());
                }
            }
            _ => self.coarse.push(format!("{question}: {}", cause())),
        }
    }
}

fn judge(recorded: &Recorded, tally: &mut Tally) -> Option<()> {
    let context = sconce_torch::context(false).ok()?;
    let imported = sconce_import::text::import_text(&context, "g.txt", &recorded.text, "forward");
    let module = match imported {
        Ok(imported) => imported.module,
        Err(e) => return tally.coarse.push(format!("{}: {e}", recorded.name)).into(),
    };
    let function = SymbolTable::of(module.as_operation()).get("forward")?;
    let body = function.body(0)?;
    let mut all = Vec::new();
    values(body, &mut all);
    if all.len() != recorded.values.len() {
        tally.coarse.push(format!("{}: {} values, {} recorded", recorded.name, all.len(), recorded.values.len()));
        return None;
    }
    tally.graphs += 1;
    let aliases = Aliases::of(function);
    let names: BTreeMap<usize, &String> = all.iter().map(|v| v.id()).zip(&recorded.values).collect();
    for (i, (a, of_a)) in all.iter().zip(&recorded.values).enumerate() {
        for (b, of_b) in all[..i].iter().zip(&recorded.values) {
            let theirs = recorded.alias.contains(&(of_b.clone(), of_a.clone()));
            let cause = || format!("{} {of_b} {of_a}", recorded.name);
            tally.say("may_contain_alias", aliases.may_contain_alias(*a, *b), theirs, cause);
        }
        let cause = || format!("{} {of_a}", recorded.name);
        tally.say("has_writers", aliases.is_written(*a), recorded.writers.contains(of_a), cause);
        if sconce_analysis::alias::is_mutable(a.r#type()) {
            pointees(recorded, of_a, &aliases.pointees(*a), &aliases.held_by(*a), &names, tally);
        }
    }
    moves(recorded, body, &aliases, tally);
    Some(())
}

fn pointees(
    recorded: &Recorded,
    value: &str,
    ours: &Pointees,
    held: &Pointees,
    names: &BTreeMap<usize, &String>,
    tally: &mut Tally,
) {
    let named = |p: &Pointees| -> BTreeSet<String> {
        p.made_by.iter().filter_map(|id| names.get(id).map(|n| (*n).clone())).collect()
    };
    let theirs = recorded.memory(value);
    let mut theirs_held = (BTreeSet::new(), false);
    for place in theirs.0.iter().chain([&value.to_owned()]) {
        for contained in recorded.contains.get(place).into_iter().flatten() {
            let (own, outside) = recorded.memory(contained);
            theirs_held.0.extend(own);
            theirs_held.1 |= outside;
        }
    }
    for (question, ours, theirs) in [("points to", ours, theirs), ("contains", held, theirs_held)] {
        let made = named(ours);
        let subset = theirs.1 || made.is_subset(&theirs.0);
        let cause = || format!("{} {value}: {made:?} {}, theirs {theirs:?}", recorded.name, ours.outside);
        match (made == theirs.0 && ours.outside == theirs.1, subset && (!ours.outside || theirs.1)) {
            (true, _) => *tally.equal.entry(question).or_default() += 1,
            (_, true) => *tally.precise.entry(question.to_owned()).or_default() += 1,
            _ => tally.coarse.push(format!("{question}: {}", cause())),
        }
    }
}

fn moves<'c: 'a, 'a>(recorded: &Recorded, body: BlockRef<'c, 'a>, aliases: &Aliases<'c>, tally: &mut Tally) {
    let ops = nodes(body);
    for (a, b, before, after) in &recorded.moves {
        for (side, theirs) in [(Side::Before, *before), (Side::After, *after)] {
            let ours = aliases.movement(ops[*a], side, ops[*b]);
            let why = ours.as_ref().err().map(Refusal::to_string).unwrap_or_default();
            let cause = || format!("{} {a} {side:?} {b}: {why}", recorded.name);
            // Here a refusal is the coarse answer.
            tally.say("moves", ours.is_err(), !theirs, cause);
        }
    }
}

#[test]
fn answers_are_those_of_pytorch_or_more_precise() {
    let corpus = testdata("aliases").expect("testdata is packed");
    let lines = corpus.text("graphs.jsonl").expect("the recording").lines();
    let mut tally = Tally::default();
    lines.for_each(|line| _ = judge(&Recorded::parse(line), &mut tally));
    let mut out = format!("{} graphs\n", tally.graphs);
    tally.equal.iter().for_each(|(question, n)| _ = writeln!(out, "{question}: {n} equal"));
    tally.precise.iter().for_each(|(question, n)| _ = writeln!(out, "{question}: {n} more precise"));
    println!("{out}");
    assert!(tally.coarse.is_empty(), "{} differ:\n{}", tally.coarse.len(), tally.coarse.join("\n"));
    expect![""].assert_eq(&out);
}
