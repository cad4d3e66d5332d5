//! Judges operator recordings, and says what share of them holds.
#![forbid(unsafe_code)]

use clap::Parser;
use sconce_conformance::selection::{Selection, judge};
use sconce_conformance::shares::Shares;
use sconce_conformance::tables::TABLES;
use sconce_conformance::vectors::{Case, Kind, Verdict};
use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;

/// Judges operator recordings.
///
/// Prints, for each operator with a failing case, its counts and its first failures, then the shares that the project asks for; the last line is `N
/// passed, N failed, N skipped`.
#[derive(Parser)]
#[command(name = "vectors")]
struct Options {
    #[command(flatten)]
    selection: Selection,
    /// Only recordings of this kind (repeatable).
    #[arg(long = "kind")]
    kinds: Vec<Kind>,
    /// Failures to print of each operator.
    #[arg(long, default_value_t = 1)]
    failures: usize,
    /// Print also the errors raised in other words than PyTorch's.
    #[arg(long)]
    words: bool,
    /// List the operators without a row or a kernel, by their cases.
    #[arg(long)]
    missing: bool,
    /// Print the shares only.
    #[arg(long)]
    quiet: bool,
}

impl Options {
    fn kinds(&self) -> &[Kind] {
        if self.kinds.is_empty() { &[Kind::Value, Kind::Error, Kind::Meta] } else { &self.kinds }
    }
}

#[derive(Default)]
struct Counts {
    passed: usize,
    /// Of those that passed, errors in other words.
    reworded: usize,
    failed: usize,
    skipped: usize,
    first: Vec<String>,
    why_skipped: BTreeMap<String, usize>,
}

fn main() -> ExitCode {
    judge(run)
}

fn run(options: &Options) -> Result<bool, String> {
    let mut total = Counts::default();
    let mut shares = Shares::default();
    shares.set_core(&fs::read_to_string(options.selection.folder.join("core_aten.txt")).unwrap_or_default());
    for &kind in options.kinds() {
        let folder = match kind {
            Kind::Value => "value",
            Kind::Error => "error",
            Kind::Meta => "meta",
        };
        let mut by_op: BTreeMap<String, Counts> = BTreeMap::new();
        for file in options.selection.files(folder)? {
            let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            for (i, line) in text.lines().enumerate() {
                // Parsing is what takes long; most lines are another operator's.
                if options.selection.op.as_ref().is_some_and(|op| !line.contains(op.as_str())) {
                    continue;
                }
                let place = format!("{}:{}", file.display(), i + 1);
                let case = Case::parse(line).map_err(|e| format!("{place}: {e}"))?;
                if !options.selection.wants(case.op()) {
                    continue;
                }
                let counts = by_op.entry(case.op().to_owned()).or_default();
                let verdict = case.judge(kind);
                shares.add(case.op(), kind, &verdict);
                match verdict {
                    Verdict::Passed => counts.passed += 1,
                    Verdict::Reworded(why) => {
                        counts.passed += 1;
                        counts.reworded += 1;
                        if options.words && counts.first.len() < options.failures {
                            counts.first.push(format!("{place}: {why}\n      {}", cut(line)));
                        }
                    }
                    Verdict::Failed(why) => {
                        counts.failed += 1;
                        if counts.first.len() < options.failures {
                            counts.first.push(format!("{place}: {why}\n      {}", cut(line)));
                        }
                    }
                    Verdict::Skipped(why) => {
                        counts.skipped += 1;
                        *counts.why_skipped.entry(why).or_default() += 1;
                    }
                }
            }
        }
        report(folder, &by_op, options, &mut total);
    }
    shares.lines(options.missing).iter().for_each(|line| println!("{line}"));
    // They are not an operator's.
    let all = options.selection.op.is_none() && options.selection.family.is_none() && options.kinds().len() == 3;
    let tables = if all { TABLES } else { &[] };
    for (file, what, judge) in tables {
        let Ok(text) = fs::read_to_string(options.selection.folder.join(file)) else { continue };
        let cells = judge(&text).map_err(|e| format!("{file}: {e}"))?;
        cells.wrong.iter().take(options.failures.max(20)).for_each(|w| println!("    {file}: {w}"));
        println!("{what}: {} of {} reproduced", cells.count - cells.wrong.len(), cells.count);
        total.passed += cells.count - cells.wrong.len();
        total.failed += cells.wrong.len();
    }
    println!("{} passed, {} failed, {} skipped", total.passed, total.failed, total.skipped);
    Ok(total.failed == 0)
}

fn report(folder: &str, by_op: &BTreeMap<String, Counts>, options: &Options, total: &mut Counts) {
    let mut sum = Counts::default();
    let (mut right, mut wrong) = (0, 0);
    for (op, c) in by_op {
        sum.passed += c.passed;
        sum.reworded += c.reworded;
        sum.failed += c.failed;
        sum.skipped += c.skipped;
        right += usize::from(c.failed == 0 && c.passed > 0);
        wrong += usize::from(c.failed > 0);
        for (why, n) in &c.why_skipped {
            *sum.why_skipped.entry(why.clone()).or_default() += n;
        }
        if !c.first.is_empty() && !options.quiet {
            println!("{op}: {folder}: {} passed, {} failed, {} skipped", c.passed, c.failed, c.skipped);
            for f in &c.first {
                println!("    {f}");
            }
        }
    }
    let words = if sum.reworded > 0 { format!(" ({} in other words)", sum.reworded) } else { String::new() };
    println!(
        "{folder}: {} passed{words}, {} failed, {} skipped; {right} operators all right, {wrong} not",
        sum.passed, sum.failed, sum.skipped
    );
    for (why, n) in &sum.why_skipped {
        println!("    {n} skipped: {why}");
    }
    total.passed += sum.passed;
    total.failed += sum.failed;
    total.skipped += sum.skipped;
}

fn cut(line: &str) -> &str {
    line.char_indices().nth(600).map_or(line, |(i, _)| &line[..i])
}
