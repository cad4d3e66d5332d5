//! Passes keep what random programs do: what they print and raise, the values they give, which memory and which containers those share, the writes to arguments,
//! and what requires gradients; in the first call and the fourth, with arguments that alias each other. Each pass of the registry runs on each program as it was
//! written, and once more behind the default pipeline with known types; then some of them in a random
//! order, and moves of operations that the alias analysis allows.
//!
//! `SCONCE_PROGRAMS` says how many programs, `SCONCE_SEED` which is the first. What fails is printed as a program of a few lines.

mod random;

use random::Random;
use random::passes::{Language, MOVES, Outcome, Subject, read, text_of};
use random::reduce::{fewer, reduced};
use sconce::executor::{CompileMode, NumericsMode, Settings};
use sconce::{Engine, Options};
use sconce_ir::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Passes run as they are, and with these options; what `%` stands for are the arguments' types.
const OPTIONS: &[(&str, &str)] = &[
    ("constant-propagation", "immutable-only=1"),
    ("peephole", "shapes=0"),
    ("specialize-inputs", "function=@ types=%"),
    ("unroll", "factor=8"),
    ("unroll", "then=constant-propagation,torch-cse"),
];

/// Passes that change what a function is called with, or whose modules have objects: other tests run them.
const OTHERS: &[&str] = &["freeze", "lift-parameters"];

/// Programs in one context: it keeps every constant that it ever saw.
const BATCH: u64 = 100;

/// Every pass of the registry, with every row of its options.
fn pipelines(language: Language) -> Vec<String> {
    let names = sconce_passes::PASSES.iter().map(|row| row.name).filter(|name| !OTHERS.contains(name));
    let mut all: Vec<String> = names.filter(|name| *name != "specialize-inputs").map(str::to_owned).collect();
    all.extend(OPTIONS.iter().map(|(name, options)| format!("{name}{{{}}}", with_types(options, language))));
    all
}

fn with_types(options: &str, language: Language) -> String {
    let (function, types) = language.signature();
    options.replace('@', function).replace('%', types)
}

/// What the compiler runs before it looks for regions, with known types.
fn prepared(language: Language) -> [String; 3] {
    let specialize = with_types("specialize-inputs{function=@ types=%}", language);
    [sconce_passes::DEFAULT.into(), specialize, "refine-types".into()]
}

#[derive(Default)]
struct Tally {
    programs: u64,
    /// Programs that each pass changed.
    changed: BTreeMap<String, u64>,
    refused: BTreeMap<String, (u64, String)>,
    failed: Vec<String>,
    writes: [usize; 2],
    raised: u64,
}

/// Runs programs through passes, and says which differ.
struct Judge {
    engine: Engine,
    tally: Tally,
}

impl Judge {
    /// All of a program's pipelines; a failure is reduced.
    fn judge(&mut self, context: &Context, language: Language, seed: u64, text: &str) {
        let subject = match read(context, &self.engine, language, text) {
            Ok(subject) => subject,
            Err(e) => return self.tally.failed.push(format!("seed {seed}: {e}\n{text}")),
        };
        self.tally.programs += 1;
        self.tally.raised += u64::from(subject.expected.iter().any(|shown| shown.contains("error: ")));
        if subject.expected[0] != subject.expected[4] {
            self.tally.failed.push(format!("seed {seed}: the first and the last call differ\n{text}"));
        }
        let mut seen = BTreeSet::from([text_of(&subject.module)]);
        for pipeline in pipelines(language) {
            self.run(&subject, seed, text, &[pipeline], &mut seen);
        }
        self.run(&subject, seed, text, &mixed(language, seed), &mut seen);
        self.run(&subject, seed, text, &[format!("{MOVES}{seed}")], &mut seen);
        let front = prepared(language);
        let Some(module) = self.run(&subject, seed, text, &front, &mut seen) else { return };
        let behind = Subject { module, expected: subject.expected.clone(), ..subject };
        for pipeline in pipelines(language).into_iter().chain(["typed".into(), "torch-before-profiling".into()]) {
            let whole = [&front[..], std::slice::from_ref(&pipeline)].concat();
            let after = self.step(&behind, seed, text, &pipeline, &whole, &mut seen);
            if let (Some(after), true) = (after, pipeline == "functionalize") {
                let writes = |module: &sconce_ir::Module<'_>| text_of(module).matches("_ %").count();
                self.tally.writes[0] += writes(&behind.module);
                self.tally.writes[1] += writes(&after);
            }
        }
    }

    fn run<'c>(
        &mut self,
        subject: &Subject<'c>,
        seed: u64,
        text: &str,
        passes: &[String],
        seen: &mut BTreeSet<String>,
    ) -> Option<sconce_ir::Module<'c>> {
        self.step(subject, seed, text, &passes.join(","), passes, seen)
    }

    /// Runs one pipeline; `whole` is all that the program goes through from its text.
    fn step<'c>(
        &mut self,
        subject: &Subject<'c>,
        seed: u64,
        text: &str,
        pipeline: &str,
        whole: &[String],
        seen: &mut BTreeSet<String>,
    ) -> Option<sconce_ir::Module<'c>> {
        match subject.after(&self.engine, pipeline, seen) {
            Outcome::Same => None,
            Outcome::Kept(module) => {
                let name = named(pipeline, whole);
                *self.tally.changed.entry(name.to_owned()).or_default() += 1;
                Some(module)
            }
            Outcome::Refused(why) => {
                let name = named(pipeline, whole);
                let entry = self
                    .tally
                    .refused
                    .entry(name.to_owned())
                    .or_insert_with(|| (0, format!("seed {seed}, by {}: {why}", whole.join(","))));
                entry.0 += 1;
                None
            }
            Outcome::Differs(_) => {
                // The first few are made small: that takes a hundred times as long.
                let reduce = self.tally.failed.len() < 3;
                let found = if reduce { self.reduce(subject.language, text, whole) } else { whole.join(",") };
                println!("seed {seed}, {found}");
                self.tally.failed.push(format!("seed {seed}, {found}"));
                None
            }
        }
    }

    /// The failure made small: fewer passes, then fewer lines.
    fn reduce(&self, language: Language, text: &str, passes: &[String]) -> String {
        let Ok(context) = sconce_torch::context(false) else { return String::new() };
        let differs = |text: &str, pipeline: &str| self.differs(&context, language, text, pipeline);
        let passes = fewer(&expanded(passes), &|passes| differs(text, &passes.join(",")).is_some());
        let pipeline = passes.join(",");
        let small = reduced(text, &|text| differs(text, &pipeline).is_some());
        let how = differs(&small, &pipeline).unwrap_or_default();
        let shown = small.split("\n\n").last().unwrap_or_default();
        format!("{pipeline}\n{}\n{how}", if language == Language::Source { shown } else { &small })
    }

    fn differs(&self, context: &Context, language: Language, text: &str, pipeline: &str) -> Option<String> {
        let subject = read(context, &self.engine, language, text).ok()?;
        match subject.after(&self.engine, pipeline, &mut BTreeSet::new()) {
            Outcome::Differs(how) => Some(how),
            _ => None,
        }
    }
}

/// Under which name a pipeline is counted.
fn named<'p>(pipeline: &'p str, whole: &[String]) -> &'p str {
    match pipeline {
        _ if pipeline.starts_with(MOVES) => "moves",
        _ if whole.len() > 3 && pipeline.contains(',') => "several passes",
        _ => pipeline,
    }
}

/// Named pipelines as their passes.
fn expanded(passes: &[String]) -> Vec<String> {
    let known =
        |name: &str| sconce_passes::PIPELINES.iter().find(|(pipeline, ..)| *pipeline == name).map(|(_, _, text)| *text);
    passes.iter().flat_map(|pass| split(known(pass).unwrap_or(pass))).collect()
}

/// At the commas that no brace holds.
fn split(pipeline: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in pipeline.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match (c, parts.last_mut()) {
            (',', _) if depth == 0 => parts.push(String::new()),
            (c, Some(last)) => last.push(c),
            (_, None) => {}
        }
    }
    parts
}

/// Some passes in a random order.
fn mixed(language: Language, seed: u64) -> Vec<String> {
    let (all, mut random) = (pipelines(language), Random::new(seed ^ 0x5eed));
    (0..8).map(|_| all[random.below(all.len())].clone()).filter(|p| !p.starts_with("print-aliases")).collect()
}

fn program(seed: u64) -> (Language, String) {
    // Two of three are source, which has everything; graph text has shapes in its types.
    match seed % 3 {
        0 => (Language::Graph, random::program(seed, 4 + Random::new(seed).below(24))),
        _ => (Language::Source, random::source::source(seed, 3 + Random::new(seed).below(18))),
    }
}

fn number(name: &str, other: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(other)
}

#[test]
fn passes_keep_what_programs_do() {
    sconce_compiler::passes::register().expect("the passes have names of their own");
    let (count, first) = (number("SCONCE_PROGRAMS", 90), number("SCONCE_SEED", 1));
    let mut judge = Judge { engine: Engine::new(Options::default()).expect("an engine"), tally: Tally::default() };
    for start in (first..first + count).step_by(BATCH as usize) {
        let context = sconce_torch::context(false).expect("a context");
        println!("{} programs so far, {} failures", start - first, judge.tally.failed.len());
        for seed in start..(start + BATCH).min(first + count) {
            let (language, text) = program(seed);
            judge.judge(&context, language, seed, &text);
        }
    }
    judge.tally.report(count);
}

impl Tally {
    fn report(mut self, count: u64) {
        println!("{} programs, {} of them raise", self.programs, self.raised);
        println!("of {} writes behind the default pipeline {} are left", self.writes[0], self.writes[1]);
        self.changed.iter().for_each(|(pass, n)| println!("{n:7} changed by {pass}"));
        self.refused.iter().for_each(|(pass, (n, why))| println!("{n:7} refused by {pass}: {why}"));
        self.failed.sort_by_key(String::len);
        let shown = &self.failed[..self.failed.len().min(20)];
        assert!(self.failed.is_empty(), "{} of {count} differ:\n{}", self.failed.len(), shown.join("\n\n"));
        assert!(count < 20 || self.writes[1] < self.writes[0], "no write became a value: this tests nothing");
    }
}

/// The same programs, compiled.
#[test]
fn compiled_programs_do_what_they_did() {
    let executor =
        Settings { compile: CompileMode::Now, profiled_runs: 0, numerics: NumericsMode::Strict, ..Settings::default() };
    let compiler: Arc<dyn sconce::request::Compiler> = Arc::new(sconce_compiler::InProcess);
    let compiled =
        Engine::new(Options { executor, compiler: Some(compiler), ..Options::default() }).expect("an engine");
    let plain = Engine::new(Options::default()).expect("an engine");
    let (count, first) = (number("SCONCE_COMPILED", 25), number("SCONCE_SEED", 1));
    let mut failed = Vec::new();
    for seed in first..first + count {
        let (language, text) = program(seed);
        let differs = |text: &str| {
            let (one, other) = (language.load(&plain, text).ok()?, language.load(&compiled, text).ok()?);
            let (one, other) = (language.runs(&one), language.runs(&other));
            one.into_iter().zip(other).find(|(one, other)| one != other)
        };
        if differs(&text).is_some() {
            let small = reduced(&text, &|text| differs(text).is_some());
            let (one, other) = differs(&small).unwrap_or_default();
            failed.push(format!("seed {seed}\n{small}\n{one}\ncompiled\n{other}"));
        }
    }
    assert!(failed.is_empty(), "{} of {count} differ:\n{}", failed.len(), failed.join("\n\n"));
}
