//! `sconce-rt`: any program run by the runtime alone, with the inputs and outputs of `sconce run`. Nothing here compiles.
//!
//! An executable that `sconce compile` made is this one with a program at its end: it runs that, and takes the arguments of its function.
#![forbid(unsafe_code)]

use clap::Parser;
use sconce::ahead::{self, executable::program_of};
use sconce::cli::load_operators;
use sconce::cli::runtime::{Arguments, BuiltArguments, CallArguments};
use sconce::limits::CallLimits;
use sconce::value_text::{coerce, format_value, named_tensors, parse_input, visible, write_file};
use sconce::{Engine, IValue, Module, Options, SourceOptions, StaticOptions};
use sconce_exec::{Origin, bind_regions};
use sconce_interpreter::{Executable, Options as RunOptions, Profile, Program, Row};
use sconce_packed::Texts;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

/// The licences of the libraries in this program.
static LICENSES: Texts = include!(concat!(env!("OUT_DIR"), "/licenses.rs"));

fn main() -> ExitCode {
    if std::env::args_os().skip(1).eq(["--licenses"]) {
        // A reader that went away is no error.
        let _ = LICENSES.unpack().iter().try_for_each(|(_, text)| std::io::stdout().write_all(text.as_bytes()));
        return ExitCode::SUCCESS;
    }
    let own = std::env::current_exe().and_then(|path| program_of(&path));
    let done = match own {
        Ok(Some(program)) => run_built(&program, &BuiltArguments::parse().call),
        Ok(None) => run(&Arguments::parse()),
        Err(e) => Err(format!("this executable: {e}")),
    };
    match done {
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

/// An engine for calls like this.
fn engine(call: &CallArguments, is_static: bool) -> Result<Engine, String> {
    load_operators(&call.load_ops)?;
    let limits = CallLimits {
        fuel: call.fuel,
        memory: call.memory.map(|mib| mib.saturating_mul(1 << 20)),
        ..CallLimits::default()
    };
    if let Some(n) = call.threads {
        sconce_kernels::parallel::set_threads(n.into());
    }
    let static_plan = is_static.then(StaticOptions::default);
    Engine::new(Options { limits, static_plan, ..Options::default() }).map_err(text)
}

fn load(arguments: &Arguments) -> Result<Module, String> {
    let engine = engine(&arguments.call, arguments.is_static)?;
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
    let inputs = inputs(&module, &function, &arguments.call)?;
    module.check_built(&function, &inputs)?;
    call(&module, &function, &inputs, &arguments.call, arguments.trust_code)?;
    if arguments.plan {
        print(&module.static_listing(&function).map_err(text)?)?;
    }
    Ok(())
}

/// Runs the program that this executable was made for, whose code is trusted as the executable is.
fn run_built(program: &[u8], arguments: &CallArguments) -> Result<(), String> {
    let program = Program::from_bytes(program).map_err(text)?;
    let module = engine(arguments, false)?.load_program(program.into());
    let function = module.function_or_default(None).map_err(text)?;
    let inputs = inputs(&module, &function, arguments)?;
    ahead::check(&module.parameters(&function).map_err(text)?, &inputs)?;
    call(&module, &function, &inputs, arguments, true)
}

/// The arguments of a call, each of its parameter's type where that needs no decision.
fn inputs(module: &Module, function: &str, call: &CallArguments) -> Result<Vec<IValue>, String> {
    let parameters = module.parameters(function).map_err(text)?;
    let mut inputs: Vec<IValue> = Vec::new();
    for (i, given) in call.input.iter().enumerate() {
        inputs.extend(parse_input(given, call.seed.wrapping_add(i as u64)).map_err(text)?);
    }
    let typed = |(i, v): (usize, IValue)| match parameters.get(i) {
        Some((_, ty)) => coerce(v, ty),
        None => v,
    };
    Ok(inputs.into_iter().enumerate().map(typed).collect())
}

/// Calls the function, and prints or writes what it gives.
fn call(
    module: &Module,
    function: &str,
    inputs: &[IValue],
    arguments: &CallArguments,
    trust_code: bool,
) -> Result<(), String> {
    let executable = module.plain().map_err(text)?;
    let bound = if trust_code { bind_regions(&executable, false, Origin::User) } else { Vec::new() };
    let notes: Vec<String> = bound.into_iter().flat_map(|region| region.problems).collect();
    let options = RunOptions {
        workers: arguments.workers,
        output: Some(Arc::new(std::sync::Mutex::new(std::io::stdout()))),
        profile: arguments.report.then(Arc::default),
        ..RunOptions::default()
    };
    let call = || module.call_with(function, inputs, &[], &options).map_err(text);
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
    if let Some(profile) = &options.profile {
        print(&report(&executable, profile))?;
        notes.iter().try_for_each(|note| print(&format!("{note}\n")))?;
    }
    Ok(())
}

/// Instructions that ran, the dearest first, then regions.
fn report(executable: &Executable, profile: &Profile) -> String {
    let program = executable.program();
    let mut out = String::from("     time     count  instruction\n");
    for Row { nanoseconds, count, function, pc, listed, .. } in profile.rows().iter().take(40) {
        out.push_str(&format!("{:7.1}us {count:9}  {function}:{pc}: {listed}\n", *nanoseconds as f64 / 1000.0));
    }
    for (i, region) in (0..).zip(&program.regions) {
        let counts = executable.region_counts(i);
        let (compiled, fallback) = (counts.compiled, counts.fallback);
        out.push_str(&format!("region {}: {compiled} compiled, {fallback} interpreted\n", region.name));
    }
    out
}
