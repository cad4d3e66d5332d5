//! `sconce-rt`: any program run by the runtime alone, with the inputs and outputs of `sconce run`. Nothing here compiles.
#![forbid(unsafe_code)]

use clap::Parser;
use sconce::limits::CallLimits;
use sconce::value_text::{coerce, format_value, named_tensors, parse_input, visible, write_file};
use sconce::{Engine, IValue, Module, Options, SourceOptions, StaticOptions};
use sconce_exec::{Origin, bind_regions};
use sconce_interpreter::{Executable, Options as RunOptions, Profile};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs a program without a compiler: a TorchScript archive (.pt, .ptl), source (.py), graph text (.txt), or a compiled Program (.sconce).
#[derive(Parser)]
#[command(name = "sconce-rt", version)]
#[command(after_help = "`sconce-rt --licenses` prints the licences of the libraries in this program.")]
struct Arguments {
    /// The program
    program: PathBuf,
    /// Of source, what to run: a function's name, or an expression that makes a module, such as 'M(3)'
    #[arg(long, value_name = "EXPRESSION")]
    entry: Option<String>,
    /// Function or method to call; forward, else the first that is not of torch if not given
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// An argument: a file (x.npy, x.npz, x.npz:key, x.safetensors), a generated tensor (2x3xf32) or a literal (3, [1, 2], "text")
    #[arg(long, short, value_name = "VALUE")]
    input: Vec<String>,
    /// Seed of generated tensors
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Write the result's tensors to this file (.npy, .npz or .safetensors)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the bytecode and stop
    #[arg(long)]
    listing: bool,
    /// Say afterwards how often each instruction ran, and what ran compiled
    #[arg(long)]
    report: bool,
    /// Run the machine code in a .sconce file, which is trusted as a program is; without this, regions are interpreted
    #[arg(long, conflicts_with = "is_static")]
    trust_code: bool,
    /// Run by a static plan: results lie in places that are prepared
    #[arg(long = "static")]
    is_static: bool,
    /// Print the static plan afterwards: each node with its mode and the place of its result
    #[arg(long, requires = "is_static")]
    plan: bool,
    /// Call so often; the last result is shown
    #[arg(long, value_name = "N", default_value_t = 1)]
    repeat: usize,
    /// Stop after this many instructions
    #[arg(long, value_name = "N")]
    fuel: Option<u64>,
    /// Memory that tensors may take, in MiB
    #[arg(long, value_name = "MIB")]
    memory: Option<usize>,
    /// Threads that run forked tasks, beside the main one
    #[arg(long, value_name = "N", default_value_t = 0)]
    workers: usize,
}

fn main() -> ExitCode {
    if std::env::args_os().skip(1).eq(["--licenses"]) {
        // A reader that went away is no error.
        let _ = std::io::stdout().write_all(include_bytes!("../../../docs/licenses/sconce-rt.txt"));
        return ExitCode::SUCCESS;
    }
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            let message = e.strip_prefix("error: ").unwrap_or(&e);
            // Nothing to be done when even that cannot be written.
            let _ = writeln!(std::io::stderr(), "error: {}", visible(message));
            ExitCode::FAILURE
        }
    }
}

fn text(e: impl std::fmt::Display) -> String {
    e.to_string()
}

fn print(shown: &str) -> Result<(), String> {
    let out = std::io::stdout().write_all(visible(shown).as_bytes());
    out.map_err(|e| format!("standard output: {e}"))
}

fn load(arguments: &Arguments) -> Result<Module, String> {
    let limits = CallLimits {
        fuel: arguments.fuel,
        memory: arguments.memory.map(|mib| mib.saturating_mul(1 << 20)),
        ..CallLimits::default()
    };
    let static_plan = arguments.is_static.then(StaticOptions::default);
    let engine = Engine::new(Options { limits, static_plan, ..Options::default() }).map_err(text)?;
    if arguments.entry.is_none() {
        return engine.load(&arguments.program).map_err(text);
    }
    let file = arguments.program.display().to_string();
    let source = std::fs::read_to_string(&arguments.program).map_err(|e| format!("{file}: {e}"))?;
    let options = SourceOptions { entry: arguments.entry.clone(), ..SourceOptions::default() };
    engine.compile_source(&file, &source, &options).map_err(text)
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let module = load(arguments)?;
    if arguments.listing {
        return print(&module.program().full_listing());
    }
    let function = module.function_or_default(arguments.function.as_deref()).map_err(text)?;
    let parameters = module.parameters(&function).map_err(text)?;
    let mut inputs: Vec<IValue> = Vec::new();
    for (i, given) in arguments.input.iter().enumerate() {
        inputs.extend(parse_input(given, arguments.seed.wrapping_add(i as u64)).map_err(text)?);
    }
    let typed = |(i, v): (usize, IValue)| match parameters.get(i) {
        Some((_, ty)) => coerce(v, ty),
        None => v,
    };
    let inputs: Vec<IValue> = inputs.into_iter().enumerate().map(typed).collect();
    let executable = module.plain().map_err(text)?;
    let bound = if arguments.trust_code { bind_regions(&executable, false, Origin::User) } else { Vec::new() };
    let notes: Vec<String> = bound.into_iter().flat_map(|region| region.problems).collect();
    let options = RunOptions {
        workers: arguments.workers,
        output: Some(std::sync::Arc::new(std::sync::Mutex::new(std::io::stdout()))),
        profile: arguments.report.then(|| Profile::new(module.program())),
        ..RunOptions::default()
    };
    let call = || module.call_with(&function, &inputs, &[], &options).map_err(text);
    for _ in 1..arguments.repeat {
        call()?;
    }
    let outputs = call()?;
    let value = match outputs.as_slice() {
        [one] => one.clone(),
        more => IValue::tuple(more.to_vec()),
    };
    match &arguments.output {
        Some(path) => write_file(path, &named_tensors(&value).map_err(text)?).map_err(text)?,
        None => print(&format!("{}\n", format_value(&value)))?,
    }
    if arguments.plan {
        print(&module.static_listing(&function).map_err(text)?)?;
    }
    if let Some(profile) = &options.profile {
        print(&report(&executable, profile))?;
        notes.iter().try_for_each(|note| print(&format!("{note}\n")))?;
    }
    Ok(())
}

/// Instructions that ran, the dearest first, then regions.
fn report(executable: &Executable, profile: &Profile) -> String {
    let program = executable.program();
    let mut rows = Vec::new();
    for (f, function) in (0..).zip(&program.functions) {
        let listing = program.listing(f);
        for (pc, line) in (0..function.code.len() as u32).zip(listing.lines()) {
            let (count, nanoseconds) = profile.of(f, pc);
            if count > 0 {
                rows.push((nanoseconds, count, format!("{}:{pc}: {}", function.name, line.trim())));
            }
        }
    }
    rows.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.2.cmp(&b.2)));
    let mut out = String::from("     time     count  instruction\n");
    for (nanoseconds, count, text) in rows.iter().take(40) {
        out.push_str(&format!("{:7.1}us {count:9}  {text}\n", *nanoseconds as f64 / 1000.0));
    }
    for (i, region) in (0..).zip(&program.regions) {
        let counts = executable.region_counts(i);
        let (compiled, fallback) = (counts.compiled, counts.fallback);
        out.push_str(&format!("region {}: {compiled} compiled, {fallback} interpreted\n", region.name));
    }
    out
}
