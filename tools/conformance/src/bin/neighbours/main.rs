//! Calls PyTorch and this library on recorded calls with one argument changed, and says where they part.
#![forbid(unsafe_code)]

mod mutate;
mod peer;

use clap::Parser;
use peer::Peer;
use sconce_conformance::selection::{Selection, judge};
use sconce_conformance::vectors::{Case, Kind, Verdict};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;

/// What PyTorch says of itself, of this machine or of other devices: no words for a program to meet elsewhere.
const OF_ITSELF: &[&str] =
    &["INTERNAL ASSERT", "Could not run", "allocate", "not supposed to", "Expected a value of type", "CUDA", "0x"];

/// Recorded calls with one argument changed, made by PyTorch and here; what one refuses and the other does not.
///
/// A change is one that a program might have by mistake: another dtype, rank or size, an empty tensor, a dimension that is not there.
/// SCONCE_TORCH_PYTHON names the Python that has torch. The last line is `N calls, N refused by both (N in other words), N only by PyTorch, N only
/// here, N differ`.
#[derive(Parser)]
#[command(name = "neighbours")]
struct Options {
    #[command(flatten)]
    selection: Selection,
    /// So many of an operator's recorded calls are changed, the shortest, in every argument.
    #[arg(long, default_value_t = 2)]
    cases: usize,
    /// Print also what both refuse in other words.
    #[arg(long)]
    words: bool,
    /// Print also what differs.
    #[arg(long)]
    values: bool,
}

#[derive(Default)]
struct Counts {
    calls: usize,
    refused: usize,
    reworded: usize,
    only_there: usize,
    only_here: usize,
    differ: usize,
    died: usize,
}

fn main() -> ExitCode {
    judge(run)
}

/// The shortest recorded calls of each operator that is wanted.
fn recorded(options: &Options) -> Result<BTreeMap<String, Vec<Map<String, Value>>>, String> {
    let mut by_op: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in options.selection.files("value")? {
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        for line in text.lines() {
            // Calls through a graph have types of their own.
            let op = line.strip_prefix("{\"op\":\"").and_then(|l| l.split('"').next());
            if let Some(op) = op.filter(|op| wanted(options, op) && !line.contains("\"ty\":")) {
                by_op.entry(op.to_string()).or_default().push(line.to_string());
            }
        }
    }
    let mut cases = BTreeMap::new();
    for (op, mut lines) in by_op {
        lines.sort_by_key(|l| (!l.contains("\"d\":"), l.len()));
        let parsed =
            lines.iter().take(options.cases).map(|l| serde_json::from_str(l).map_err(|e| format!("{op}: {e}")));
        cases.insert(op.clone(), parsed.collect::<Result<Vec<_>, _>>()?);
    }
    Ok(cases)
}

fn wanted(options: &Options, op: &str) -> bool {
    options.selection.wants(op)
        && sconce_schema::lookup(op).is_some_and(|entry| sconce_kernels::lookup(entry).is_some())
}

fn run(options: &Options) -> Result<bool, String> {
    let mut peer = Peer::start()?;
    let mut total = Counts::default();
    for (op, cases) in recorded(options)? {
        // One finding of a kind is enough: the words of a message without its numbers, or what differs.
        let mut findings: BTreeMap<String, (usize, String)> = BTreeMap::new();
        for case in cases.iter().flat_map(mutate::neighbours) {
            compare(&mut peer, case, options, &mut total, &mut findings)?;
        }
        if !findings.is_empty() {
            println!("{op}");
            for (what, (times, call)) in findings {
                println!("    {times} x {what}\n      {}", cut(&call));
            }
        }
    }
    let Counts { calls, refused, reworded, only_there, only_here, differ, died } = total;
    println!("{died} calls ended PyTorch's process");
    println!(
        "{calls} calls, {refused} refused by both ({reworded} in other words), {only_there} only by PyTorch, {only_here} only here, {differ} differ"
    );
    Ok(only_there + only_here == 0)
}

fn compare(
    peer: &mut Peer,
    call: Map<String, Value>,
    options: &Options,
    total: &mut Counts,
    findings: &mut BTreeMap<String, (usize, String)>,
) -> Result<(), String> {
    let call = Value::Object(call);
    let Some(answer) = peer.record(&call)? else {
        total.died += 1;
        return Ok(());
    };
    let message = answer["err"]["msg"].as_str().map(str::to_string);
    let noise = |m: &str| OF_ITSELF.iter().any(|own| m.contains(own));
    if answer.get("unknown").is_some() || message.as_deref().is_some_and(noise) {
        return Ok(());
    }
    let Value::Object(mut case) = answer else { return Ok(()) };
    let kind = if message.is_some() { Kind::Error } else { Kind::Value };
    case.insert("tol".into(), "l".into());
    let verdict = Case::new(case).judge(kind);
    total.calls += 1;
    let (shown, what) = match (kind, verdict) {
        (_, Verdict::Skipped(_)) => return Ok(()),
        (Kind::Error, Verdict::Passed) => {
            total.refused += 1;
            return Ok(());
        }
        (Kind::Error, Verdict::Reworded(why)) => {
            total.refused += 1;
            total.reworded += 1;
            (options.words, format!("in other words: {why}"))
        }
        (Kind::Error, Verdict::Failed(why)) => {
            total.only_there += 1;
            (true, format!("only PyTorch refuses: {why}"))
        }
        (_, Verdict::Failed(why)) if why.starts_with("raised ") => {
            total.only_here += 1;
            (true, format!("only Sconce refuses: {why}"))
        }
        (_, Verdict::Failed(why)) => {
            total.differ += 1;
            (options.values, format!("differs: {why}"))
        }
        (_, Verdict::Passed | Verdict::Reworded(_)) => return Ok(()),
    };
    if shown {
        let what = what.split(", got [").next().unwrap_or(&what).to_string();
        let key: String = what.chars().filter(|c| !c.is_ascii_digit()).collect();
        let known = findings.iter_mut().find(|(k, _)| k.chars().filter(|c| !c.is_ascii_digit()).eq(key.chars()));
        match known {
            Some((_, (times, _))) => *times += 1,
            None => drop(findings.insert(what, (1, call.to_string()))),
        }
    }
    Ok(())
}

fn cut(line: &str) -> &str {
    line.char_indices().nth(600).map_or(line, |(i, _)| &line[..i])
}
