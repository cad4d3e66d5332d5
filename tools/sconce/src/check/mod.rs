//! Replaying recorded cases: every case of a path is judged once, and ends as passed, failed, or skipped because something named is missing.
//!
//! | found | judged |
//! |---|---|
//! | `calls.json` with a program beside it (an archive, source, an exported program) | the program runs; results, mutation, printing, state and errors are the recorded ones |
//! | `info.json` with archives beside it | a model runs; its outputs are within the permitted differences |
//! | `value/*.jsonl`, `error/*.jsonl`, `meta/*.jsonl` | one operator call a line |
//! | `promotion.json`, `random.json` | each cell is the dtype that the operators give, each draw the operators' |
//! | `rejects.jsonl` | what PyTorch refuses is refused, in its words and at its place |
//! | `*.jsonl` whose rows have a `k` | `torch.nn`: calls with their executed operators, modules, initial values; `only` selects rows by function, class and call |
//! | `schemas.txt` | each schema reads and prints back |
//! | `forms.*.json` | each text is read where PyTorch reads it, and printed as it prints |
//! | other `.txt` that hold graphs | read, print back, become torch dialect and come back, byte for byte |
//! | `.mlir` in `samples/`, `fx/`, and `*.torch.mlir`, `*.backend.mlir` | parse, verify, print unchanged, also through the generic form |

mod census;
mod dialect;
pub mod exported;
mod graphs;
pub mod models;
mod nn;
pub mod notes;
mod operators;
mod programs;
mod rejects;
mod subject;
mod texts;
pub mod watch;
mod weights;

use crate::engine::{Engine, Options};
use crate::module::Module;
use crate::written::Form;
use exported::Exported;
use notes::Notes;
use sconce_conformance::shares::Shares;
use sconce_conformance::tables::TABLES;
use sconce_corpus::Corpus;
use sconce_request::{Validation, Writes};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use watch::Watch;

/// What became of the cases so far.
#[derive(Default)]
pub struct Tally {
    /// Cases that are as recorded.
    pub passed: usize,
    /// Case and reason.
    pub failed: Vec<(String, String)>,
    /// Case and what is missing.
    pub skipped: Vec<(String, String)>,
    /// Of those that passed, refusals in other words than the recorded ones: case and both words.
    pub reworded: Vec<(String, String)>,
    /// Passed, failed, skipped and reworded cases by kind, for the summary.
    pub kinds: BTreeMap<&'static str, [usize; 4]>,
    /// What the operator calls among them say together.
    pub operators: Shares,
    /// Calls of operators that write, in what was compiled.
    pub writes: Writes,
    /// What was validated of the passes that compiled it.
    pub validation: Validation,
    /// Operators in compiled regions.
    pub compiled: usize,
    /// Regions whose code ran.
    pub regions: usize,
    /// Regions that left every call to the interpreter, by function: what is compiled there serves nobody.
    pub void: Vec<String>,
    /// Operators that stayed with the interpreter where functions were compiled, by name and by the word for the reason.
    pub interpreted: BTreeMap<(String, String), usize>,
    /// What held of exported programs.
    pub exported: Exported,
    /// Names of operators that archives and listings call, where those are asked for.
    pub called: BTreeSet<String>,
    /// Who looks on, and may end it.
    pub watch: Arc<Watch>,
    /// Which files of recordings passed before, where that is asked for.
    pub notes: Option<Notes>,
}

/// How one case ended.
pub enum Verdict {
    /// As recorded.
    Passed,
    /// Refused as it was recorded, but in other words: which.
    Reworded(String),
    /// Something else; in what.
    Failed(String),
    /// What is missing: an operator, a frontend.
    Skipped(String),
}

impl Tally {
    /// Counts a case, unless the check is over; `case` is its name, which is asked for where it is kept.
    pub fn add(&mut self, kind: &'static str, case: impl FnOnce() -> String, verdict: Verdict) {
        if self.watch.is_over() {
            // Ctrl-C may have ended others that the case needed.
            return;
        }
        self.watch.sees(&verdict);
        let row = self.kinds.entry(kind).or_default();
        match verdict {
            Verdict::Passed => {
                row[0] += 1;
                self.passed += 1;
            }
            Verdict::Reworded(why) => {
                row[0] += 1;
                row[3] += 1;
                self.passed += 1;
                self.reworded.push((case(), why));
            }
            Verdict::Failed(why) => {
                row[1] += 1;
                self.failed.push((case(), why));
            }
            Verdict::Skipped(what) => {
                row[2] += 1;
                self.skipped.push((case(), what));
            }
        }
    }

    /// How many cases were counted, and files left out.
    fn seen(&self) -> usize {
        let left_out = self.notes.as_ref().map_or(0, Notes::left_out);
        self.passed + self.failed.len() + self.skipped.len() + left_out
    }

    /// Counts the writes of what was compiled of a module, and what was validated.
    ///
    /// # Errors
    /// A pass that changed what a function computes; a function or a region of it that was interpreted because compiling it failed.
    pub(crate) fn count_compiled(&mut self, module: &Module) -> Result<(), String> {
        for function in module.functions() {
            let report = module.report(function);
            self.writes.add(&report.writes);
            for region in report.regions {
                // It would be interpreted, which no result shows.
                if let Err(why) = region.target {
                    let why = why.lines().next().unwrap_or_default();
                    return Err(format!("{function}: region {} was interpreted: {why}", region.name));
                }
                self.compiled += region.operations.len();
                match (region.compiled, region.fallback) {
                    (0, 0) => {}
                    (0, calls) => self.void.push(format!("{function}: region {}, {calls} calls", region.name)),
                    _ => self.regions += 1,
                }
            }
            for row in report.interpreted {
                *self.interpreted.entry((row.operation, row.code)).or_default() += row.count;
            }
            self.validation.compared += report.validation.compared;
            self.validation.skipped.extend(report.validation.skipped);
            if let Some(why) = report.refused.first() {
                return Err(format!("{function} was interpreted: {}", why.lines().next().unwrap_or_default()));
            }
            if let Some(why) = report.unsound.into_iter().next() {
                return Err(why);
            }
        }
        Ok(())
    }

    /// Failures by cause, those of most cases first: the first line of the reason without numbers and names, how many, and one of them.
    pub fn causes(&self) -> Vec<(String, usize, &str)> {
        let mut groups: BTreeMap<String, (usize, &str)> = BTreeMap::new();
        for (case, why) in &self.failed {
            groups.entry(cause(why)).or_insert((0, case)).0 += 1;
        }
        let mut rows: Vec<_> = groups.into_iter().map(|(cause, (n, case))| (cause, n, case)).collect();
        rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        rows
    }

    /// What is missing, with the number of cases that wait for it, most wanted first.
    pub fn missing(&self) -> Vec<(&str, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, what) in &self.skipped {
            *counts.entry(what).or_default() += 1;
        }
        let mut rows: Vec<_> = counts.into_iter().collect();
        rows.sort_by_key(|(what, n)| (std::cmp::Reverse(*n), *what));
        rows
    }
}

/// What reasons of one cause have in common: the first line that says something, with `N` for numbers and `…` for what stands in quotes.
fn cause(why: &str) -> String {
    let line = why.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
    let mut out = String::new();
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\'' | '`' | '"' => {
                // An apostrophe has no partner.
                let ahead: String = rest.clone().take_while(|d| *d != c).collect();
                let paired = ahead.chars().count() < rest.clone().count() && !out.ends_with(char::is_alphanumeric);
                out.push(c);
                if paired {
                    out.push('…');
                    out.push(c);
                    rest.nth(ahead.chars().count());
                }
            }
            c if c.is_ascii_digit() => {
                out.push('N');
                while rest.next_if(char::is_ascii_digit).is_some() {}
            }
            c => out.push(c),
        }
    }
    out
}

/// Where a program is read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum From {
    /// The saved `.pt`.
    #[default]
    Archive,
    /// The TorchScript source.
    Source,
    /// The graphs of the program and of what it calls.
    Graph,
    /// The program's own graphs with every call inlined.
    InlinedGraph,
}

/// What of a program is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum What {
    /// Its calls.
    #[default]
    Calls,
    /// The code of its archive, printed: the recorded text, and a fixed point when it is compiled and printed again.
    Code,
    /// The graphs its source compiles to: the recorded ones, but for numbers and places.
    Graphs,
    /// The operators that archives of programs and models, and listings, call: the op table holds them.
    Operators,
}

/// What is asked of recorded programs, and how they run.
#[derive(Clone, Default)]
pub struct Question {
    /// What programs are loaded from.
    pub from: From,
    /// What is asked of them.
    pub what: What,
    /// The MLIR pass pipeline that each program goes through before it runs.
    pub pipeline: Option<String>,
    /// The form in which each program is written, and from which it is read again before it runs.
    pub through: Option<Form>,
    /// The options of the engine that runs them.
    pub options: Options,
}

/// Judges every case below `path` (a folder, a file, or a packed set); `only` keeps cases whose name contains it.
pub fn check(path: &Path, question: &Question, only: Option<&str>, tally: &mut Tally) -> Result<(), String> {
    let (from, what) = (question.from, question.what);
    let endings: &[&str] = match from {
        _ if what == What::Graphs => &[".txt", ".json", ".py"],
        From::Archive => &[".txt", ".json", ".jsonl", ".mlir", ".pt", ".ptl", ".pt2", ".safetensors", ".pt.zst"],
        From::Source => &[".txt", ".json", ".jsonl", ".mlir", ".pt", ".py"],
        From::Graph | From::InlinedGraph => &[".txt", ".json", ".jsonl", ".mlir"],
    };
    let texts = |p: &str| endings.iter().any(|e| p.ends_with(e));
    let corpus = Corpus::open_filtered(path, texts).map_err(|e| e.to_string())?;
    // A single recording may need its neighbours: a program's graph lies beside its calls.
    let single = corpus.len() == 1 && !path.is_dir();
    let corpus = match (single, path.parent()) {
        (true, Some(parent)) if path.ends_with("calls.json") => {
            Corpus::open_filtered(parent, texts).map_err(|e| e.to_string())?
        }
        _ => corpus,
    };
    // A recording's folder says what it is, so the path leading to it takes part in its name.
    let prefix = path.components().rev().take(2).collect::<Vec<_>>().into_iter().rev();
    let prefix: Vec<String> = prefix.map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
    let before = tally.seen();
    for (at, (name, bytes)) in corpus.iter().enumerate() {
        if tally.watch.is_over() {
            return Ok(());
        }
        tally.watch.reaches(at + 1, corpus.len());
        let whole = if single { prefix.join("/") } else { format!("{}/{name}", prefix.join("/")) };
        let rows = name.ends_with(".jsonl") && bytes.starts_with(b"{\"k\":");
        if !rows && only.is_some_and(|o| !whole.contains(o)) {
            continue;
        }
        if [".pt", ".ptl", ".pt2", ".py", ".safetensors", ".zst"].iter().any(|e| name.ends_with(e)) {
            continue;
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            tally.add("text", || name.to_string(), Verdict::Failed("not UTF-8".into()));
            continue;
        };
        if tally.notes.as_mut().is_some_and(|notes| notes.leaves_out(&whole)) {
            continue;
        }
        let (passed, others) = (tally.passed, tally.failed.len() + tally.skipped.len());
        if rows && what == What::Calls {
            nn::check(&whole, text, only.filter(|o| !whole.contains(o)), tally);
        } else {
            one((&corpus, path), name, &whole, text, question, tally);
        }
        let all_passed = tally.passed > passed && tally.failed.len() + tally.skipped.len() == others;
        if let Some(notes) = tally.notes.as_mut().filter(|_| all_passed && !tally.watch.is_over()) {
            notes.add(&whole)?;
        }
    }
    if !tally.watch.is_over() && before == tally.seen() {
        let which = only.map_or(String::new(), |only| format!(" whose name contains '{only}'"));
        return Err(format!("{}: no recorded case in it{which}", path.display()));
    }
    Ok(())
}

fn one((corpus, root): (&Corpus, &Path), name: &str, whole: &str, text: &str, question: &Question, tally: &mut Tally) {
    let (what, options) = (question.what, &question.options);
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    let beside = |f: &str| corpus.get(&if folder.is_empty() { f.to_string() } else { format!("{folder}/{f}") });
    if what == What::Operators {
        return operators_called(file, whole, text, &beside, options, tally);
    }
    if file == "info.json" {
        let Ok(document) = serde_json::from_str(text) else { return };
        if models::is_model(&document) {
            let file = |f: &str| models::in_folder(corpus, folder, f);
            let pattern = models::pattern(corpus, folder, root);
            let about = models::Folder { file: &file, pattern: pattern.as_deref() };
            models::check(whole.strip_suffix("/info.json").unwrap_or(whole), &document, &about, question, tally);
        }
    } else if file == "calls.json" {
        match what {
            What::Calls => programs::check(whole, question, text, &beside, tally),
            What::Code => texts::code(whole, options, &beside, tally),
            What::Graphs => texts::graphs(whole, options, &beside, tally),
            // Asked above.
            What::Operators => {}
        }
    } else if what != What::Calls {
        // Only programs have code and graphs of their own.
    } else if file == "rejects.jsonl" {
        rejects::check(whole, text, tally);
    } else if file.ends_with(".jsonl") {
        operators::check_vectors(whole, text, tally);
    } else if file == "schemas.txt" {
        operators::check_schemas(whole, text, tally);
    } else if TABLES.iter().any(|(table, ..)| *table == file) {
        operators::check_table(whole, file, text, tally);
    } else if file == "core_aten.txt" {
        tally.operators.set_core(text);
    } else if file.starts_with("forms.") && file.ends_with(".json") {
        graphs::check_forms(whole, text, tally);
    } else if file.ends_with(".mlir") {
        with_engine(options, |engine| dialect::check(engine, whole, text, tally));
    } else if file.ends_with(".txt") && corpus.get(&format!("{folder}/calls.json")).is_none() {
        with_engine(options, |engine| graphs::check(engine, whole, text, tally));
    }
}

/// The options were taken when the command began.
fn with_engine(options: &Options, judge: impl FnOnce(&Engine)) {
    if let Ok(engine) = Engine::new(options.clone()) {
        judge(&engine);
    }
}

/// What `--what operators` asks: of the archives beside a recording, and of every listing.
fn operators_called<'t>(
    file: &str,
    whole: &str,
    text: &str,
    beside: &dyn Fn(&str) -> Option<&'t [u8]>,
    options: &Options,
    tally: &mut Tally,
) {
    if file == "calls.json" || file == "info.json" {
        let above = whole.rsplit_once('/').map_or(whole, |(above, _)| above);
        for (archive, _) in programs::ARCHIVES {
            let packed = || zstd::decode_all(beside(&format!("{archive}.zst"))?).ok();
            if let Some(bytes) = beside(archive).map(<[u8]>::to_vec).or_else(packed) {
                census::archive(above, archive, &bytes, options, tally);
            }
        }
    } else if file.ends_with(".txt") {
        for (title, listing) in graphs::listings(text) {
            let name = if title.is_empty() { whole.to_owned() } else { format!("{whole} {title}") };
            census::listing(&name, &listing, tally);
        }
    }
}
