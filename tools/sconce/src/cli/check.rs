//! `sconce check`: replays recorded cases and counts.

use super::interrupt::{INTERRUPTED, wish};
use super::progress::{Progress, tell};
use super::{Cli, CommandResult, CompileArgs, FormatArgs, document, print};
use crate::check::notes::Notes;
use crate::check::watch::Watch;
use crate::check::{From, Question, Tally, What, check};
use crate::engine::Options;
use crate::planned::StaticOptions;
use crate::written::Form;
use clap::{Args, CommandFactory};
use sconce_executor::CompileMode;
use sconce_graph::unit::Unit;
use sconce_request::{Checks, Subject, Validation, Want, Writes};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  sconce check testdata/models.tar.zst --only nms
  sconce check testdata/archives.tar.zst --only dict --from source --group
  sconce check testdata/models.tar.zst --only loop_data --json";

/// Replay recorded cases.
///
/// The last line is `N passed, N failed, N skipped`; a case is skipped when an operator or a frontend is missing, which is named above it. Exit status 1 when a case failed.
/// Ctrl-C ends it with the counts of the cases until then, and exit status 130.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CheckArgs {
    /// Folders, files, or packed sets (.tar.zst) of recordings.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// What programs are read from.
    #[arg(long, value_enum, default_value_t = From::Archive)]
    from: From,
    /// What of programs is judged.
    #[arg(long, value_enum, default_value_t = What::Calls)]
    what: What,
    /// Run each program as an MLIR pass pipeline leaves it: 'torch-inline,torch-cse,dce', or the name of a pipeline (`sconce-opt --list-pipelines`).
    #[arg(long, value_name = "TEXT")]
    pipeline: Option<String>,
    /// Write each program in this form, and run what is read from that.
    #[arg(long, value_enum, value_name = "FORM")]
    through: Option<Form>,
    /// Only cases whose name contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Note in this file which files of recordings passed as a whole, and leave out those that stand there: a check that was ended goes on, one that
    /// found failures looks at these again. Delete it when what is checked has changed.
    #[arg(long, value_name = "NOTES")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    compile: CompileArgs,
    /// Interpret by static plans, each call made with copies of its arguments before, so that what is judged is a run that found its plan complete.
    #[arg(long = "static")]
    is_static: bool,
    /// How many failures to print (the count is always whole).
    #[arg(long, default_value_t = 40, value_name = "N")]
    failures: usize,
    /// List the writes of compiled functions that did not become values: how many, the operator and the reason.
    #[arg(long)]
    writes: bool,
    /// List the operators of compiled functions that stayed with the interpreter, by how often: those without a lowering, and those that have a reason.
    #[arg(long)]
    missing_lowerings: bool,
    /// List failures by cause in place of one by one: how many, the cause without numbers and names, one of the cases.
    #[arg(long)]
    group: bool,
    /// Print the refusals that are in other words than the recorded ones.
    #[arg(long)]
    reworded: bool,
    /// Name the operators that recorded calls want and that are not in the table, or have no kernel, by their number of cases.
    #[arg(long)]
    missing: bool,
    #[command(flatten)]
    format: FormatArgs,
}

pub fn run(args: &CheckArgs) -> CommandResult {
    // Without another pipeline, what is validated is what compiles.
    let compiles = args.compile.validate && args.pipeline.is_none();
    let when = if compiles { CompileMode::Now } else { CompileMode::Off };
    let options = args.compile.clone().or(when).options();
    let static_plan = args.is_static.then(|| StaticOptions { rehearse: true, ..StaticOptions::default() });
    let options = Options { static_plan, ..options };
    if let Some(pipeline) = &args.pipeline {
        known_pipeline(pipeline, &options)?;
    }
    let (pipeline, through) = (args.pipeline.clone(), args.through);
    let question = Question { from: args.from, what: args.what, pipeline, through, options };
    let notes = args.resume.as_ref().map(|path| Notes::open(path, &asked(args))).transpose()?;
    let mut tally = Tally { watch: Arc::new(Watch::new(wish()?)), notes, ..Tally::default() };
    for path in &args.paths {
        let watch = tally.watch.clone();
        let _progress = Progress::with(&format!("checking {}", path.display()), move || watch.line());
        check(path, &question, args.only.as_deref(), &mut tally)?;
    }
    let is_over = tally.watch.is_over();
    if is_over {
        tell("interrupted: what is printed is of the cases until then");
    }
    if args.format.json {
        let cases = |rows: &[(String, String)]| -> serde_json::Value {
            rows.iter().map(|(case, why)| serde_json::json!({ "case": case, "why": why })).collect()
        };
        print(&document(serde_json::json!({
            "passed": tally.passed, "failed": cases(&tally.failed), "skipped": cases(&tally.skipped),
            "reworded": cases(&tally.reworded), "left_out": tally.notes.as_ref().map_or(0, Notes::left_out), "interrupted": is_over, "writes": tally.writes.before, "writes_left": tally.writes.left(),
        })));
    } else {
        print_failures(&tally, args);
        if let Some(notes) = &tally.notes {
            print(&format!("{} files passed before and are left out", notes.left_out()));
        }
        for (what, n) in tally.missing() {
            print(&format!("skipped, missing {what}: {n}"));
        }
        if !tally.operators.is_empty() {
            tally.operators.lines(args.missing).iter().for_each(|line| print(line));
        }
        if !tally.called.is_empty() {
            let known = |n: &&String| !sconce_schema::overloads(n.split('.').next().unwrap_or(n)).is_empty();
            let held = tally.called.iter().filter(known).count();
            print(&format!("{} operators are called, the table knows {held} of them by name", tally.called.len()));
        }
        if tally.writes.before > 0 {
            print_writes(&tally.writes, args.writes);
        }
        if tally.regions + tally.void.len() > 0 {
            let void = tally.void.len();
            print(&format!("{} regions ran as code, {void} left every call to the interpreter", tally.regions));
        }
        if args.missing_lowerings {
            print_lowerings(&tally);
        }
        if args.compile.validate {
            let Validation { compared, skipped } = &tally.validation;
            print(&format!("{compared} changes by passes were validated; {} functions were not called", skipped.len()));
            skipped.iter().filter(|_| args.missing).for_each(|why| print(&format!("  {why}")));
        }
        if tally.exported.loaded > 0 {
            print(&tally.exported.line());
        }
        for (kind, [passed, failed, skipped, reworded]) in &tally.kinds {
            let words = if *reworded > 0 { format!(" ({reworded} in other words)") } else { String::new() };
            print(&format!("{kind}: {passed} passed{words}, {failed} failed, {skipped} skipped"));
        }
        print(&format!("{} passed, {} failed, {} skipped", tally.passed, tally.failed.len(), tally.skipped.len()));
    }
    if is_over {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(if tally.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What decides whether a case passes, as a line of text.
fn asked(args: &CheckArgs) -> String {
    let CheckArgs { from, what, pipeline, through, only, compile, is_static, .. } = args;
    format!("sconce check {:?}", (from, what, pipeline, through, only, compile, is_static))
}

/// How many writes became values, and with `all` which did not.
fn print_writes(writes: &Writes, all: bool) {
    let values = writes.became_values();
    print(&format!("{values} of {} writes in compiled functions became values", writes.before));
    if writes.left() > 0 {
        let (left, seen) = (writes.left(), writes.seen_outside());
        print(&format!("{left} stay; {seen} of them change arguments and attributes, as the caller sees"));
    }
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for refusal in writes.stay.iter().filter(|_| all) {
        *counts.entry((&refusal.operator, &refusal.why)).or_default() += 1;
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(what, count)| (std::cmp::Reverse(*count), *what));
    for ((operator, why), count) in rows {
        print(&format!("  {count} {operator}: {why}"));
    }
}

/// Which operators are interpreted where functions are compiled.
fn print_lowerings(tally: &Tally) {
    let interpreted: usize = tally.interpreted.values().sum();
    print(&format!("{} operators are compiled, {interpreted} interpreted", tally.compiled));
    let mut rows: Vec<_> = tally.interpreted.iter().collect();
    rows.sort_by_key(|(what, count)| (std::cmp::Reverse(**count), *what));
    rows.iter().for_each(|((operator, code), count)| print(&format!("  {count} {operator} [{code}]")));
    tally.void.iter().for_each(|region| print(&format!("  interpreted in every call: {region}")));
}

/// Refuses a pipeline that does not even pass over an empty program.
fn known_pipeline(pipeline: &str, options: &Options) -> Result<(), String> {
    let Some(compiler) = &options.compiler else { return Err("--pipeline: there is no compiler".into()) };
    let question = sconce_request::Question {
        subject: Subject::Unit(Unit::default()),
        want: Want::Passes { pipeline: pipeline.to_owned(), checks: Checks::default() },
    };
    match compiler.ask(&question) {
        Ok(_) => Ok(()),
        Err(sconce_request::Error::Refused(why)) => {
            let message = format!("--pipeline '{pipeline}': {why}\n");
            Cli::command().error(clap::error::ErrorKind::ValueValidation, message).exit()
        }
        Err(e) => Err(e.to_string()),
    }
}

fn print_failures(tally: &Tally, args: &CheckArgs) {
    if args.group {
        for (cause, n, case) in tally.causes() {
            print(&format!("FAILED {n}: {cause} ({case})"));
        }
    } else {
        for (case, why) in tally.failed.iter().take(args.failures) {
            print(&format!("FAILED {case}: {why}"));
        }
        if tally.failed.len() > args.failures {
            let more = tally.failed.len() - args.failures;
            print(&format!("… and {more} more failures (--failures N shows them, --group their causes)"));
        }
    }
    for (case, why) in tally.reworded.iter().filter(|_| args.reworded) {
        print(&format!("in other words {case}: {why}"));
    }
}
