//! `sconce bench`: how long a call takes, minimum and median, alone or as a contender that another program gives slices of time.

use super::run::{call_of, load, options};
use super::{CallArgs, CommandResult, CompileArgs, print};
use crate::compare::{Tolerance, compare};
use crate::engine::Engine;
use crate::value_text::{named_tensors, read_file};
use clap::Args;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Time a program.
#[derive(Args)]
pub struct BenchArgs {
    #[command(flatten)]
    call: CallArgs,
    #[command(flatten)]
    compile: CompileArgs,
    /// Seconds to measure.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Threads that compiled code may use.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Refuse to time a result that differs from the tensors of this file.
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
    /// Also time the interpreter, in turns with the compiled code.
    #[arg(long, conflicts_with = "no_compile")]
    against_interpreter: bool,
    /// Print `ready`, then for each number of seconds on standard input one line of JSON: the times of the calls in that slice.
    #[arg(long)]
    worker: bool,
    #[arg(long)]
    json: bool,
}

/// At least one call, then as many as fit.
fn slice(seconds: f64, call: &mut dyn FnMut() -> Result<(), String>) -> Result<Vec<f64>, String> {
    let end = Instant::now() + Duration::from_secs_f64(seconds.clamp(0.0, 3600.0));
    let mut times = Vec::new();
    loop {
        let start = Instant::now();
        call()?;
        times.push(start.elapsed().as_secs_f64());
        if Instant::now() >= end {
            return Ok(times);
        }
    }
}

struct Summary {
    name: &'static str,
    calls: usize,
    min: f64,
    median: f64,
}

fn summary(name: &'static str, mut times: Vec<f64>) -> Summary {
    times.sort_by(f64::total_cmp);
    Summary { name, calls: times.len(), min: times[0], median: times[times.len() / 2] }
}

pub fn run(args: &BenchArgs) -> CommandResult {
    if args.threads != 1 {
        return Err(format!("--threads {}: compiled code runs on one thread for now", args.threads));
    }
    let engine = Engine::new(options(&args.compile, args.call.seed)).map_err(|e| e.to_string())?;
    let mut module = load(&engine, &args.call)?;
    let (name, arguments) = call_of(&module, &args.call)?;
    let first = module.call(&name, &arguments).map_err(|e| e.to_string())?;
    if let Some(path) = &args.expect {
        let expected = read_file(path).map_err(|e| format!("--expect {e}"))?;
        let got = named_tensors(&first).map_err(|e| e.to_string())?;
        let comparison = compare(&got, &expected, Tolerance { rtol: 1e-4, atol: 1e-5 });
        if !comparison.passed() {
            return Err(format!("the result is not the expected one, so its time means nothing\n{comparison}"));
        }
    }
    let mut call = || module.call(&name, &arguments).map(|_| ()).map_err(|e| e.to_string());
    for _ in 0..5 {
        call()?;
    }
    if args.worker {
        let mut out = std::io::stdout().lock();
        writeln!(out, "ready").and_then(|()| out.flush()).map_err(|e| e.to_string())?;
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|e| e.to_string())?;
            let seconds = line.trim().parse().map_err(|_| format!("'{line}' is no number of seconds"))?;
            let times = slice(seconds, &mut call)?;
            writeln!(out, "{}", serde_json::json!({ "seconds": times }))
                .and_then(|()| out.flush())
                .map_err(|e| e.to_string())?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let own = if args.compile.no_compile { "interpreted" } else { "compiled" };
    let mut rows = Vec::new();
    if args.against_interpreter {
        let compile = CompileArgs { no_compile: true, ..args.compile };
        let other = Engine::new(options(&compile, args.call.seed)).map_err(|e| e.to_string())?;
        let mut plain = load(&other, &args.call)?;
        let mut call_plain = || plain.call(&name, &arguments).map(|_| ()).map_err(|e| e.to_string());
        call_plain()?;
        let (mut a, mut b) = (Vec::new(), Vec::new());
        // Ten turns each, so that noise from outside falls on both alike.
        for _ in 0..10 {
            a.extend(slice(args.seconds / 20.0, &mut call)?);
            b.extend(slice(args.seconds / 20.0, &mut call_plain)?);
        }
        rows.push(summary(own, a));
        rows.push(summary("interpreted", b));
    } else {
        rows.push(summary(own, slice(args.seconds, &mut call)?));
    }
    if args.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|r| serde_json::json!({ "name": r.name, "calls": r.calls, "min_seconds": r.min, "median_seconds": r.median }))
            .collect();
        print(&serde_json::json!({ "function": name, "times": rows }).to_string());
    } else {
        let base = (rows[0].min, rows[0].median);
        for r in &rows {
            print(&format!(
                "{:12} {:7} calls  min {:10.2} us  median {:10.2} us  ratio min {:.2}  median {:.2}",
                r.name,
                r.calls,
                r.min * 1e6,
                r.median * 1e6,
                r.min / base.0,
                r.median / base.1
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}
