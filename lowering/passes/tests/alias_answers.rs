//! What aliases answer of 181 graphs, beside what PyTorch's analysis answered (`lowering/analysis/tests/record_aliases.py`): which values may be one or hold one,
//! which have writers, what they point to and contain, and which moves are legal. The answers are equal or more precise; each difference has a cause, and that the
//! cause is there is checked.

use expect_test::expect;
use sconce_analysis::Aliases;
use sconce_analysis::alias::Pointees;
use sconce_analysis::alias::movement::{Hazard, Refusal, Side, Witness};
use sconce_analysis::operators::is_silent;
use sconce_corpus::testdata;
use sconce_ir::prelude::*;
use sconce_ir::torch_type::Parts;
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
    /// By question and cause.
    different: BTreeMap<(&'static str, Cause), usize>,
    /// Differences without a cause.
    unexplained: Vec<String>,
}

/// Why an answer is another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Cause {
    /// What a turn of a loop passes on is what the next begins with; PyTorch lets a turn begin with what goes into the loop alone.
    LoopCarries,
    /// An operator gives back its argument, and PyTorch's schema does not say so.
    GivesBack,
    /// Numbers are drawn in an order.
    Draws,
    /// What is of unknown type may hold anything; PyTorch does not ask.
    HoldsAnything,
    /// A list that an operator makes of views, or of what a container holds: PyTorch takes it for any of its type.
    NewContainer,
    /// Something went into a container: PyTorch takes it for anything of its type from then on.
    InContainer,
    /// Slices of one tensor without a common element.
    Apart,
    /// PyTorch moves nothing that has side effects, and nothing past it.
    SideEffects,
    /// A move that follows from an answer about values that is more precise.
    FollowsFromValues,
}

/// A graph, ours and theirs.
struct Case<'c, 'a, 'r> {
    recorded: &'r Recorded,
    aliases: Aliases<'c>,
    all: Vec<Value<'c, 'a>>,
    ops: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Case<'c, 'a, '_> {
    fn theirs(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> bool {
        let name = |v: Value<'c, 'a>| self.all.iter().position(|o| *o == v).map(|at| &self.recorded.values[at]);
        let Some((a, b)) = name(a).zip(name(b)) else { return false };
        self.recorded.alias.contains(&(a.clone(), b.clone())) || self.recorded.alias.contains(&(b.clone(), a.clone()))
    }

    fn their_memory(&self, value: Value<'c, 'a>) -> (BTreeSet<String>, bool) {
        let at = self.all.iter().position(|v| *v == value);
        at.map(|at| self.recorded.memory(&self.recorded.values[at])).unwrap_or_default()
    }

    fn inside(&self) -> Vec<OperationRef<'c, 'a>> {
        let mut all = Vec::new();
        self.ops.iter().for_each(|op| {
            op.walk_pre(&mut |inner| {
                all.push(inner);
                Walk::Advance
            });
        });
        all
    }

    /// Values that PyTorch says less of than is so, with the reason: what a loop carries, what an operator gives back.
    fn unsound(&self) -> Vec<(Value<'c, 'a>, Cause)> {
        let mut all = Vec::new();
        for op in self.inside() {
            if let Some(body) = op.body(0).filter(|_| op.is("torch.prim.Loop")) {
                let passed = body.terminator_op().map(OpExt::operand_values).unwrap_or_default().into_iter().skip(1);
                for (carried, next) in body.args().into_iter().skip(1).zip(passed) {
                    let (begins, goes_on) = (self.their_memory(carried), self.their_memory(next));
                    if !goes_on.0.is_subset(&begins.0) || goes_on.1 && !begins.1 {
                        all.extend([(carried, Cause::LoopCarries), (next, Cause::LoopCarries)]);
                    }
                }
            }
            let Some(entry) = sconce_torch::entry(op) else { continue };
            for given in &entry.effect().may_return {
                let said = entry.schema().returns.get(given.result).is_some_and(|r| r.alias.is_some());
                let pair = op.operand_value(given.argument).zip(op.result_value(given.result));
                let unknown = |argument, result| {
                    let (argument, result) = (self.their_memory(argument), self.their_memory(result));
                    !argument.0.is_subset(&result.0) || argument.1 && !result.1
                };
                if let Some((argument, result)) = pair.filter(|(a, r)| !said && unknown(*a, *r)) {
                    all.extend([(argument, Cause::GivesBack), (result, Cause::GivesBack)]);
                }
            }
        }
        all
    }

    /// Why values may be more here than there: one of them may be what PyTorch is wrong about.
    fn less_precise(&self, values: &[Value<'c, 'a>]) -> Option<Cause> {
        let touches = |wrong: Value<'c, 'a>| values.iter().any(|v| self.aliases.may_contain_alias(*v, wrong));
        let wrong = self.unsound().into_iter().find(|(wrong, _)| touches(*wrong)).map(|(_, cause)| cause);
        let is_any = |v: &Value<'c, 'a>| is_one_of(*v, &["any"]);
        wrong.or_else(|| values.iter().any(is_any).then_some(Cause::HoldsAnything))
    }

    /// Why values may be less here than there.
    fn more_precise(&self, values: &[Value<'c, 'a>]) -> Option<Cause> {
        if let [a, b] = values[..]
            && self.aliases.are_apart(a, b)
        {
            return Some(Cause::Apart);
        }
        let made: BTreeSet<usize> = values.iter().flat_map(|v| self.aliases.pointees(*v).made_by).collect();
        let holds =
            |container: &Value<'c, 'a>| self.aliases.held_by(*container).made_by.iter().any(|held| made.contains(held));
        let is_container = |v: &Value<'c, 'a>| !self.aliases.held_by(*v).made_by.is_empty();
        if values.iter().any(|v| self.is_new_container(*v)) {
            return Some(Cause::NewContainer);
        }
        // What is written here is, there, whatever comes from outside.
        let taken_for_outside = |v: &Value<'c, 'a>| {
            self.aliases.is_written(*v) && self.their_memory(*v).1 && !self.aliases.pointees(*v).outside
        };
        let in_container = self.all.iter().any(holds)
            || values.iter().any(is_container)
            || values.iter().any(|v| self.their_memory(*v).1) && self.all.iter().any(taken_for_outside);
        in_container.then_some(Cause::InContainer)
    }

    /// A list or dictionary that an operator makes.
    fn is_new_container(&self, value: Value<'c, 'a>) -> bool {
        let is_container = is_one_of(value, &["list", "dict"]);
        let made = value.defining_op().and_then(sconce_torch::entry).is_some();
        is_container && made && self.aliases.is_fresh(value)
    }

    fn side_effects(&self, op: OperationRef<'c, 'a>) -> bool {
        let mut acts = false;
        op.walk_pre(&mut |inner| {
            acts |= self.aliases.acts(inner);
            Walk::Advance
        });
        acts
    }
}

impl Tally {
    /// `ours` and `theirs` say that two things may be in each other's way.
    fn say(&mut self, question: &'static str, ours: bool, theirs: bool, cause: Option<Cause>, place: &str) {
        if ours == theirs {
            *self.equal.entry(question).or_default() += 1;
        } else if let Some(cause) = cause {
            *self.different.entry((question, cause)).or_default() += 1;
        } else {
            let how = if ours { "less precise" } else { "more precise" };
            self.unexplained.push(format!("{question}: {place} is {how}"));
        }
    }
}

fn judge(recorded: &Recorded, tally: &mut Tally) -> Option<()> {
    let context = sconce_torch::context(false).ok()?;
    let module = sconce_import::text::import_text(&context, "g.txt", &recorded.text, "forward");
    let module = module.unwrap_or_else(|e| panic!("{}: {e}", recorded.name)).module;
    let function = SymbolTable::of(module.as_operation()).get("forward")?;
    let body = function.body(0)?;
    let mut all = Vec::new();
    values(body, &mut all);
    assert_eq!(all.len(), recorded.values.len(), "{}: values", recorded.name);
    tally.graphs += 1;
    let case = Case { recorded, aliases: Aliases::of(function), all, ops: nodes(body) };
    case.values(tally);
    case.moves(tally);
    Some(())
}

impl<'c: 'a, 'a> Case<'c, 'a, '_> {
    fn cause(&self, ours: bool, values: &[Value<'c, 'a>]) -> Option<Cause> {
        if ours { self.less_precise(values) } else { self.more_precise(values) }
    }

    fn values(&self, tally: &mut Tally) {
        for (i, (a, of_a)) in self.all.iter().zip(&self.recorded.values).enumerate() {
            for (b, of_b) in self.all[..i].iter().zip(&self.recorded.values) {
                let (ours, theirs) = (self.aliases.may_contain_alias(*a, *b), self.theirs(*a, *b));
                let cause = if ours == theirs { None } else { self.cause(ours, &[*a, *b]) };
                tally.say("may_contain_alias", ours, theirs, cause, &format!("{} {of_b} {of_a}", self.recorded.name));
            }
            let (ours, theirs) = (self.aliases.is_written(*a), self.recorded.writers.contains(of_a));
            let cause = if ours == theirs { None } else { self.cause(ours, &[*a]) };
            tally.say("has_writers", ours, theirs, cause, &format!("{} {of_a}", self.recorded.name));
            if sconce_analysis::alias::is_mutable(a.r#type()) {
                self.sets(*a, of_a, tally);
            }
        }
    }

    /// What a value points to and contains.
    fn sets(&self, value: Value<'c, 'a>, name: &str, tally: &mut Tally) {
        let theirs = self.recorded.memory(name);
        let mut held = (BTreeSet::new(), false);
        for place in theirs.0.iter().chain([&name.to_owned()]) {
            for contained in self.recorded.contains.get(place).into_iter().flatten() {
                let (own, outside) = self.recorded.memory(contained);
                held.0.extend(own);
                held.1 |= outside;
            }
        }
        let pairs =
            [("points to", self.aliases.pointees(value), theirs), ("contains", self.aliases.held_by(value), held)];
        for (question, ours, theirs) in pairs {
            let made: BTreeSet<String> = self.named(&ours);
            // From outside may come anything.
            let known = |name: &String| theirs.0.contains(name) || theirs.1 && self.recorded.memory(name).1;
            let less = ours.outside && !theirs.1 || !made.iter().all(known);
            let more = !less && (made != theirs.0 || ours.outside != theirs.1);
            let cause = if less || more { self.cause(less, &[value]) } else { None };
            let place = format!("{} {name}: {made:?} {}, theirs {theirs:?}", self.recorded.name, ours.outside);
            tally.say(question, less, more, cause, &place);
        }
    }

    fn named(&self, pointees: &Pointees) -> BTreeSet<String> {
        let place = |id: &usize| self.all.iter().position(|v| v.id() == *id);
        pointees.made_by.iter().filter_map(place).map(|at| self.recorded.values[at].clone()).collect()
    }

    fn moves(&self, tally: &mut Tally) {
        for (a, b, before, after) in &self.recorded.moves {
            let (op, target) = (self.ops[*a], self.ops[*b]);
            let between = &self.ops[*a.min(b)..=*a.max(b)];
            for (side, theirs) in [(Side::Before, !before), (Side::After, !after)] {
                let ours = self.aliases.movement(op, side, target).err();
                let cause = match &ours {
                    _ if ours.is_some() == theirs => None,
                    Some(Refusal::Order(witness)) => self.refusal(witness, between),
                    _ if between.iter().any(|op| self.side_effects(*op)) => Some(Cause::SideEffects),
                    _ => self.precise_values().then_some(Cause::FollowsFromValues),
                };
                let place = format!("{} {a} {} {side:?} {b} {}", self.recorded.name, op.op_name(), target.op_name());
                tally.say("moves", ours.is_some(), theirs, cause, &place);
            }
        }
    }

    fn refusal(&self, witness: &Witness<'c, 'a>, between: &[OperationRef<'c, 'a>]) -> Option<Cause> {
        let draws = |op: &&OperationRef<'c, 'a>| sconce_torch::entry(**op).is_some_and(|entry| entry.effect().draws);
        // What draws takes others that draw along.
        if matches!(witness.hazard, Hazard::Effects | Hazard::Use) && between.iter().filter(draws).count() > 1 {
            return Some(Cause::Draws);
        }
        let touched = [witness.earlier, witness.later].map(OpExt::operand_values).concat();
        self.less_precise(&touched)
    }

    /// Is there a pair of values that is told apart here and not there?
    fn precise_values(&self) -> bool {
        let pairs = self.all.iter().flat_map(|a| self.all.iter().map(move |b| (*a, *b)));
        pairs.into_iter().any(|(a, b)| a != b && self.theirs(a, b) && !self.aliases.may_contain_alias(a, b))
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
    tally.different.iter().for_each(|((question, cause), n)| _ = writeln!(out, "{question}: {n} other, {cause:?}"));
    let unexplained = &tally.unexplained;
    assert!(unexplained.is_empty(), "{out}{} differ without a cause:\n{}", unexplained.len(), unexplained.join("\n"));
    expect![[r#"
        181 graphs
        contains: 1079 equal
        has_writers: 1931 equal
        may_contain_alias: 11986 equal
        moves: 19165 equal
        points to: 1029 equal
        contains: 3 other, GivesBack
        contains: 67 other, InContainer
        has_writers: 12 other, LoopCarries
        has_writers: 2 other, GivesBack
        has_writers: 4 other, NewContainer
        has_writers: 10 other, InContainer
        may_contain_alias: 72 other, LoopCarries
        may_contain_alias: 16 other, GivesBack
        may_contain_alias: 142 other, InContainer
        may_contain_alias: 20 other, Apart
        moves: 12 other, Draws
        moves: 189 other, SideEffects
        moves: 40 other, FollowsFromValues
        points to: 40 other, LoopCarries
        points to: 12 other, GivesBack
        points to: 14 other, NewContainer
        points to: 54 other, InContainer
    "#]]
    .assert_eq(&out);
}

/// Is the type of a value one of these of the torch dialect?
fn is_one_of(value: Value<'_, '_>, words: &[&str]) -> bool {
    Parts::of(value.r#type()).is_some_and(|parts| words.contains(&parts.word))
}
