//! `sconce bench`: how long a call takes, how often it allocates and whether memory stays flat; alone, or as a contender that another program gives
//! slices of time.

use super::arguments::{call_of, with_values};
use super::interrupt::{INTERRUPTED, wish};
use super::profile::ProfileArgs;
use super::progress::{Progress, tell};
use super::run::load;
use super::{CallArgs, CommandResult, CompileArgs, FormatArgs, StaticArgs, ThreadArgs, document, print};
use crate::check::models::{Case, Suite};
use crate::compare::{Tolerance, compare};
use crate::engine::Engine;
use crate::module::Module;
use crate::planned::PlannedCall;
use crate::value_text::{named_tensors, read_file};
use clap::Args;
use sconce_executor::CompileMode;
use sconce_tensor::IValue;
use sconce_tensor::allocations::counted;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  sconce bench model.pt -i 1x3x32x32xf32 --threads 2 --seconds 0.5 --against-interpreter
  sconce bench testdata/models.tar.zst --case loop_data/n64 --seconds 0.1 --profile
  sconce bench testdata/models.tar.zst --all-cases --only loop_data --allocations";

/// Time a program, or cases of a suite of models.
///
/// Ctrl-C ends it with what was measured until then, and exit status 130.
#[derive(Args)]
#[command(after_long_help = with_values(EXAMPLES))]
pub struct BenchArgs {
    #[command(flatten)]
    call: CallArgs,
    #[command(flatten)]
    compile: CompileArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    planned: StaticArgs,
    /// A recorded case (`lstm_cell/b1`) of the models in the folder or packed set FILE; may be repeated. Its result is checked before anything is measured.
    #[arg(long, value_name = "MODEL/CASE", conflicts_with_all = ["eval", "entry", "weights", "method", "input", "inputs", "expect"])]
    case: Vec<String>,
    /// Every case of FILE.
    #[arg(long, conflicts_with = "case")]
    all_cases: bool,
    /// Of all cases, those whose name contains this.
    #[arg(long, value_name = "TEXT", requires = "all_cases")]
    only: Option<String>,
    /// Seconds to measure.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Refuse to time a result that differs from the tensors of this file.
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
    /// Also time the interpreter, in turns with the compiled code.
    #[arg(long, conflicts_with = "no_compile")]
    against_interpreter: bool,
    /// Print `ready`, then for each line `SECONDS [THREADS]` on standard input one line of JSON: the times of the calls in that slice.
    #[arg(long)]
    worker: bool,
    /// Heap allocations of a call once it is warm, instead of times.
    #[arg(long, conflicts_with_all = ["worker", "against_interpreter"])]
    allocations: bool,
    /// Make so many calls, of all cases in turn, and print the resident memory on the way.
    #[arg(long, value_name = "CALLS", conflicts_with_all = ["worker", "against_interpreter", "allocations"])]
    soak: Option<u64>,
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// What is called, checked once against what is expected of it.
struct Subject {
    title: String,
    module: Module,
    function: String,
    arguments: Vec<IValue>,
    /// The call by its static plan, when that is asked for.
    planned: Option<PlannedCall>,
}

impl Subject {
    /// The program that the command line names.
    fn named(engine: &Engine, args: &BenchArgs) -> Result<Subject, String> {
        let module = load(engine, &args.call)?;
        let (function, arguments) = call_of(&module, &args.call)?;
        let title = function.clone();
        let mut subject = Subject { title, module, function, arguments, planned: None };
        let first = subject.call()?;
        if let Some(path) = &args.expect {
            let expected = read_file(path).map_err(|e| format!("--expect {e}"))?;
            let got = named_tensors(&first).map_err(|e| e.to_string())?;
            let comparison = compare(&got, &expected, Tolerance { rtol: 1e-4, atol: 1e-5 });
            if !comparison.passed() {
                return Err(format!("the result is not the expected one, so its time means nothing\n{comparison}"));
            }
        }
        Ok(subject)
    }

    /// A recorded case.
    fn recorded(engine: &Engine, title: &str, case: &Case) -> Result<Subject, String> {
        let module = engine.load_bytes(&case.file, "forward", &case.archive).map_err(|e| format!("{title}: {e}"))?;
        let arguments = case.inputs.clone();
        let (title, function) = (title.to_owned(), "forward".into());
        let mut subject = Subject { title, module, function, arguments, planned: None };
        let first = subject.call()?;
        case.judge(&first).map_err(|e| format!("{}: not the recorded result: {e}", subject.title))?;
        Ok(subject)
    }

    fn call(&mut self) -> Result<IValue, String> {
        if let Some(planned) = &self.planned {
            return planned.call().map_err(|e| format!("{}: {e}", self.title));
        }
        self.module.call(&self.function, &self.arguments).map_err(|e| format!("{}: {e}", self.title))
    }

    fn warm(mut self) -> Result<Subject, String> {
        self.planned = self.module.planned_call(&self.function, &self.arguments).map_err(|e| e.to_string())?;
        for _ in 0..5 {
            self.call()?;
        }
        Ok(self)
    }

    /// At least one call, then as many as fit before time or patience ends.
    fn slice(&mut self, seconds: f64, stop: &AtomicBool) -> Result<Vec<f64>, String> {
        let end = Instant::now() + Duration::from_secs_f64(seconds.clamp(0.0, 3600.0));
        let mut times = Vec::new();
        loop {
            let start = Instant::now();
            let result = self.call()?;
            // What came out is the call's to free.
            drop(result);
            times.push(start.elapsed().as_secs_f64());
            if Instant::now() >= end || stop.load(Relaxed) {
                return Ok(times);
            }
        }
    }
}

/// A program that the command line means: `None` the one it names, else a recorded case.
type Meant = Option<(String, Case)>;

fn subject(engine: &Engine, args: &BenchArgs, meant: &Meant) -> Result<Subject, String> {
    let title = meant.as_ref().map_or(args.call.path().to_string_lossy(), |(title, _)| title.into());
    let _progress = Progress::of(&format!("preparing {title}"));
    match meant {
        None => Subject::named(engine, args),
        Some((title, case)) => Subject::recorded(engine, title, case),
    }?
    .warm()
}

/// Calls `each` with every program that the command line means, until it is to stop; of a suite one is in memory at a time.
fn each_meant(
    args: &BenchArgs,
    stop: &AtomicBool,
    mut each: impl FnMut(&Meant) -> Result<(), String>,
) -> Result<(), String> {
    if args.case.is_empty() && !args.all_cases {
        return each(&None);
    }
    let suite = Suite::open(args.call.path())?;
    let only = args.only.as_deref().unwrap_or_default();
    let all = suite.names().iter().filter(|name| name.contains(only)).cloned();
    let names = if args.all_cases { all.collect() } else { args.case.clone() };
    if names.is_empty() {
        let path = args.call.path().display();
        return Err(match args.only {
            Some(_) => format!("{path}: no case whose name contains '{only}'"),
            None => format!("{path}: no case in it"),
        });
    }
    names.iter().take_while(|_| !stop.load(Relaxed)).try_for_each(|name| each(&Some((name.clone(), suite.case(name)?))))
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
    match args.threads.threads {
        // One is what compares best.
        None => sconce_kernels::parallel::set_threads(1),
        Some(_) => args.threads.apply(),
    }
    let compile = args.compile.clone().or(CompileMode::Now);
    let options = args.planned.apply(compile.options())?;
    let engine = Engine::new(options).map_err(|e| e.to_string())?;
    // Recordings are read meanwhile.
    engine.expect_to_compile();
    // A worker waits for its standard input, where Ctrl-C is to end it.
    let stop = if args.worker { Arc::default() } else { wish()? };
    match args.soak {
        Some(calls) => soak(&engine, args, calls, &stop)?,
        None => each_meant(args, &stop, |meant| {
            let found = subject(&engine, args, meant)?;
            if args.worker {
                serve(found, &stop)
            } else if args.allocations {
                allocations(found, args.format.json)
            } else {
                times(found, meant, args, &stop)
            }
        })?,
    }
    if stop.load(Relaxed) {
        tell("interrupted: what is printed is of the calls until then");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Slices of time on request.
fn serve(mut subject: Subject, stop: &AtomicBool) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "ready").and_then(|()| out.flush()).map_err(|e| e.to_string())?;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| e.to_string())?;
        let mut words = line.split_whitespace();
        let seconds =
            words.next().and_then(|w| w.parse().ok()).ok_or_else(|| format!("'{line}' is no number of seconds"))?;
        if let Some(threads) = words.next() {
            let threads = threads.parse().map_err(|_| format!("'{threads}' is no number of threads"))?;
            sconce_kernels::parallel::set_threads(threads);
        }
        let times = subject.slice(seconds, stop)?;
        writeln!(out, "{}", serde_json::json!({ "seconds": times }))
            .and_then(|()| out.flush())
            .map_err(|e| e.to_string())?;
    }
    Ok(())
}

fn times(mut own: Subject, meant: &Meant, args: &BenchArgs, stop: &AtomicBool) -> Result<(), String> {
    let name = match &own.planned {
        Some(_) => "planned",
        None if own.module.report(&own.function).is_compiled() => "compiled",
        None => "interpreted",
    };
    let mut rows = Vec::new();
    let progress = Progress::of(&format!("timing {} for {} s", own.title, args.seconds));
    if args.against_interpreter {
        let engine = Engine::new(CompileArgs::off().options()).map_err(|e| e.to_string())?;
        let mut plain = subject(&engine, args, meant)?;
        let (mut a, mut b) = (Vec::new(), Vec::new());
        // Ten turns each, so that noise from outside falls on both alike.
        for _ in (0..10).take_while(|turn| *turn == 0 || !stop.load(Relaxed)) {
            a.extend(own.slice(args.seconds / 20.0, stop)?);
            b.extend(plain.slice(args.seconds / 20.0, stop)?);
        }
        rows.push(summary(name, a));
        rows.push(summary("interpreted", b));
    } else {
        rows.push(summary(name, own.slice(args.seconds, stop)?));
    }
    let profiled = args.profile.of(&own.module, &own.function, &own.arguments, args.seconds, stop)?;
    drop(progress);
    if args.format.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|r| serde_json::json!({ "name": r.name, "calls": r.calls, "min_seconds": r.min, "median_seconds": r.median }))
            .collect();
        let mut said = serde_json::json!({ "function": own.title, "times": rows });
        if let Some(profiled) = &profiled {
            said["profile"] = profiled.json();
        }
        print(&document(said));
        return Ok(());
    }
    if meant.is_some() {
        print(&own.title);
    }
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
    if let Some(profiled) = &profiled {
        print(profiled.table().trim_end());
    }
    Ok(())
}

/// Calls that allocations are averaged over.
const COUNTED_CALLS: u32 = 10;

fn allocations(mut subject: Subject, json: bool) -> Result<(), String> {
    let (done, made) = counted(|| (0..COUNTED_CALLS).try_for_each(|_| subject.call().map(drop)));
    done?;
    let (count, bytes) = (made.count as f64 / f64::from(COUNTED_CALLS), made.bytes as f64 / f64::from(COUNTED_CALLS));
    print(&if json {
        document(serde_json::json!({ "function": subject.title, "allocations": count, "bytes": bytes }))
    } else {
        format!("{:40} {count:10.1} allocations a call, {bytes:12.0} bytes", subject.title)
    });
    Ok(())
}

/// Resident memory of this process in KiB, where the system says.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Times that memory is looked at.
const SAMPLES: u64 = 50;

fn soak(engine: &Engine, args: &BenchArgs, calls: u64, stop: &AtomicBool) -> Result<(), String> {
    let mut all = Vec::new();
    each_meant(args, stop, |meant| {
        all.push(subject(engine, args, meant)?);
        Ok(())
    })?;
    let start = Instant::now();
    let mut seen = Vec::new();
    let mut done = 0;
    for sample in 1..=SAMPLES {
        let end = calls * sample / SAMPLES;
        while done < end && !stop.load(Relaxed) {
            let at = (done % all.len() as u64) as usize;
            drop(all[at].call()?);
            done += 1;
        }
        let kib = resident().ok_or("this system does not say how much memory is resident")?;
        print(&format!(
            "{done:9} calls  {:7.1} s  resident {:8.1} MiB",
            start.elapsed().as_secs_f64(),
            kib as f64 / 1024.0
        ));
        seen.push(kib);
        if stop.load(Relaxed) {
            break;
        }
    }
    let (first, last, most) = (seen[0], seen[seen.len() - 1], seen.iter().max().copied().unwrap_or_default());
    let mib = |kib: u64| kib as f64 / 1024.0;
    print(&format!(
        "{done} calls of {} programs: resident first {:.1} MiB, last {:.1} MiB, most {:.1} MiB, growth {:+.1} KiB",
        all.len(),
        mib(first),
        mib(last),
        mib(most),
        last as f64 - first as f64
    ));
    Ok(())
}
