//! `sconce-rt`: a `.sconce` program run by the runtime alone, with the inputs and outputs of `sconce run`.
#![forbid(unsafe_code)]

// Values on a command line read and print as in `sconce`, which depends on MLIR and so cannot be depended on here.
#[path = "../../sconce/src/files.rs"]
mod files;
#[path = "../../sconce/src/tensor_text.rs"]
mod tensor_text;
#[allow(dead_code, reason = "shared with `sconce`, which uses all of it")]
#[path = "../../sconce/src/value_text.rs"]
mod value_text;

use clap::Parser;
use sconce_interpreter::{CustomOperators, Executable, Options, Profile, Program};
use sconce_schema::Type;
use sconce_static::{Options as StaticOptions, StaticModule};
use sconce_tensor::IValue;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

/// Runs a .sconce program without a compiler.
#[derive(Parser)]
#[command(name = "sconce-rt", version)]
#[command(after_help = "`sconce-rt --licenses` prints the licences of the libraries in this program.")]
struct Arguments {
    /// The program: a .sconce file
    program: PathBuf,
    /// Function to call; the first that is not of torch if not given
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
            // Nothing to be done when even that cannot be written.
            let _ = writeln!(std::io::stderr(), "error: {}", value_text::visible(&e.to_string()));
            ExitCode::FAILURE
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("{path}: {source}")]
    Io { path: String, source: std::io::Error },
    #[error("{path}: {source}")]
    Format { path: String, source: sconce_interpreter::FormatError },
    #[error(transparent)]
    Load(#[from] sconce_interpreter::LoadError),
    #[error(transparent)]
    Plan(#[from] sconce_static::LoadError),
    #[error(transparent)]
    Value(#[from] value_text::Error),
    #[error("{0}")]
    Run(#[from] sconce_interpreter::RunError),
    #[error("no function `{name}`; the program has {have}")]
    NoFunction { name: String, have: String },
}

/// A program is read whole; more than this is no program anybody compiled.
const MAX_FILE: u64 = 1 << 34;

fn read(path: &Path) -> Result<Program, Error> {
    let shown = || path.display().to_string();
    let io = |source| Error::Io { path: shown(), source };
    let size = std::fs::metadata(path).map_err(io)?.len();
    if size > MAX_FILE {
        let source = std::io::Error::new(std::io::ErrorKind::FileTooLarge, format!("{size} bytes"));
        return Err(io(source));
    }
    let bytes = std::fs::read(path).map_err(io)?;
    Program::from_bytes(&bytes).map_err(|source| Error::Format { path: shown(), source })
}

fn print(text: &str) -> Result<(), Error> {
    let out = std::io::stdout().write_all(value_text::visible(text).as_bytes());
    out.map_err(|source| Error::Io { path: "standard output".into(), source })
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    if let Some(mib) = arguments.memory {
        sconce_tensor::Memory::set_limit(mib.saturating_mul(1 << 20));
    }
    let program = Arc::new(read(&arguments.program)?);
    if arguments.listing {
        return print(&program.full_listing());
    }
    let function = match (&arguments.function, program.first_function()) {
        (None, Some(first)) => first,
        (wanted, _) => {
            let name = wanted.clone().unwrap_or_default();
            let suffix = format!(".{name}");
            let by_suffix = || program.functions.iter().position(|f| f.name.ends_with(&suffix)).map(|i| i as u32);
            program.function(&name).or_else(by_suffix).ok_or_else(|| Error::NoFunction {
                have: program.functions.iter().map(|f| &*f.name).collect::<Vec<_>>().join(", "),
                name,
            })?
        }
    };
    let executable = Executable::new(program.clone())?;
    let mut inputs = receiver(&program, function);
    for (i, text) in arguments.input.iter().enumerate() {
        inputs.extend(value_text::parse_input(text, arguments.seed.wrapping_add(i as u64))?);
    }
    let parameters = &program.functions[function as usize].parameters;
    let inputs: Vec<IValue> = inputs
        .into_iter()
        .enumerate()
        .map(|(i, v)| match parameters.get(i) {
            Some(p) => value_text::coerce(v, &p.ty),
            None => v,
        })
        .collect();
    let options = Options {
        fuel: arguments.fuel,
        workers: arguments.workers,
        output: Some(Arc::new(Mutex::new(std::io::stdout()))),
        profile: arguments.report.then(|| Profile::new(&program)),
        ..Options::default()
    };
    let plan = match arguments.is_static {
        true => Some(StaticModule::new(&program, function, &CustomOperators::new(), StaticOptions::default())?),
        false => None,
    };
    let call = || match &plan {
        Some(plan) => plan.run(&inputs, &options),
        None => executable.run(function, inputs.clone(), &options),
    };
    for _ in 1..arguments.repeat {
        call()?;
    }
    let outputs = call()?;
    let value = match outputs.as_slice() {
        [one] => one.clone(),
        more => IValue::tuple(more.to_vec()),
    };
    match &arguments.output {
        Some(path) => value_text::write_file(path, &value_text::named_tensors(&value)?)?,
        None => print(&format!("{}\n", value_text::format_value(&value)))?,
    }
    if let (Some(plan), true) = (&plan, arguments.plan) {
        print(&plan.listing())?;
    }
    if let Some(profile) = &options.profile {
        print(&report(&executable, profile))?;
    }
    Ok(())
}

/// The program's module, where the function is one of its methods.
fn receiver(program: &Program, function: u32) -> Vec<IValue> {
    let first = program.functions[function as usize].parameters.first().map(|p| &p.ty);
    let is_its = |v: &&IValue| matches!((v, first), (IValue::Object(o), Some(Type::Class(c))) if *c == o.class);
    program.object.as_ref().filter(is_its).cloned().into_iter().collect()
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
