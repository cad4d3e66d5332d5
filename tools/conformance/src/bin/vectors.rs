//! `vectors DIR [--op NAME] [--kind value|error|meta] [--family FAMILY] [--failures N] [--words] [--missing] [--quiet]`: judges operator
//! recordings.
//!
//! Prints, for each operator with a failing case, its counts and its first failures (with `--words` also the errors raised in other words than
//! PyTorch's), then the shares that the project asks for, with `--missing` the operators without a row or a kernel by their cases; the last line
//! is `N passed, N failed, N skipped`.
#![forbid(unsafe_code)]

use sconce_conformance::shares::Shares;
use sconce_conformance::tables::TABLES;
use sconce_conformance::vectors::{Case, Kind, Verdict};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: vectors DIR [--op NAME] [--kind value|error|meta] [--family FAMILY] [--failures N] [--words] [--missing] [--quiet]";

#[derive(Default)]
struct Options {
    folder: PathBuf,
    op: Option<String>,
    kinds: Vec<Kind>,
    family: Option<String>,
    failures: usize,
    words: bool,
    missing: bool,
    quiet: bool,
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
    let options = match parse() {
        Ok(o) => o,
        Err(e) => {
            eprintln!("error: {e}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    // A kernel's mistake shall be counted, not end the run; what it says is in the failure.
    std::panic::set_hook(Box::new(|_| {}));
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}

fn parse() -> Result<Options, String> {
    let mut options = Options { failures: 1, ..Options::default() };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--op" => options.op = Some(value()?),
            "--family" => options.family = Some(value()?),
            "--kind" => options.kinds.push(match value()?.as_str() {
                "value" => Kind::Value,
                "error" => Kind::Error,
                "meta" => Kind::Meta,
                other => return Err(format!("no kind `{other}`")),
            }),
            "--failures" => options.failures = value()?.parse().map_err(|e| format!("--failures: {e}"))?,
            "--words" => options.words = true,
            "--missing" => options.missing = true,
            "--quiet" => options.quiet = true,
            _ if options.folder.as_os_str().is_empty() => options.folder = arg.into(),
            _ => return Err(format!("unexpected `{arg}`")),
        }
    }
    if options.folder.as_os_str().is_empty() {
        return Err("a folder of recordings is needed".into());
    }
    if options.kinds.is_empty() {
        options.kinds = vec![Kind::Value, Kind::Error, Kind::Meta];
    }
    Ok(options)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "jsonl"));
    files.sort();
    Ok(files)
}

fn wanted(options: &Options, op: &str) -> bool {
    // `aten::add` means all its overloads.
    let named = options.op.as_deref().is_none_or(|want| op == want || op.split('.').next() == Some(want));
    let family = |family: &str| sconce_schema::lookup(op).is_some_and(|entry| entry.family == family);
    named && options.family.as_deref().is_none_or(family)
}

fn run(options: &Options) -> Result<bool, String> {
    let mut total = Counts::default();
    let mut shares = Shares::default();
    shares.set_core(&fs::read_to_string(options.folder.join("core_aten.txt")).unwrap_or_default());
    for &kind in &options.kinds {
        let folder = match kind {
            Kind::Value => "value",
            Kind::Error => "error",
            Kind::Meta => "meta",
        };
        let mut by_op: BTreeMap<String, Counts> = BTreeMap::new();
        for file in files(&options.folder.join(folder))? {
            let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            for (i, line) in text.lines().enumerate() {
                // Parsing is what takes long; most lines are another operator's.
                if options.op.as_ref().is_some_and(|op| !line.contains(op.as_str())) {
                    continue;
                }
                let place = format!("{}:{}", file.display(), i + 1);
                let case = Case::parse(line).map_err(|e| format!("{place}: {e}"))?;
                if !wanted(options, case.op()) {
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
    let all = options.op.is_none() && options.family.is_none() && options.kinds.len() == 3;
    let tables = if all { TABLES } else { &[] };
    for (file, what, judge) in tables {
        let Ok(text) = fs::read_to_string(options.folder.join(file)) else { continue };
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
