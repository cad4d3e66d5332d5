//! `sconce compile`: a program ahead of time as an executable, or as an object or library for C.

use super::arguments::{call_of, with_values};
use super::progress::Progress;
use super::run::load;
use super::{CallArgs, CommandResult, CompileArgs, print};
use crate::ahead::c_code::{CCode, WEIGHTS, c_code, identifier};
use crate::ahead::executable::executable;
use crate::ahead::{Built, StraightLine};
use crate::engine::{Engine, Options};
use crate::files::write_atomically;
use crate::written;
use clap::Args;
use sconce_executor::{CompileMode, NumericsMode};
use sconce_request::Alone;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const EXAMPLES: &str = "\
Examples:
  sconce compile model.pt -i 1x3x32x32xf32 -o model.sconce
  sconce compile model.pt -i 1x3x32x32xf32 -o model.so --header model.h --report";

/// Compile a program to machine code ahead of time, for arguments like those that are given.
///
/// By the output's ending: .o, .a and .so are a C function NAME_run of plain buffers and its header, and need nothing but the C library; all of the program must be
/// machine code then. A .sconce program is for `sconce-rt --trust-code`. Anything else is an executable that takes its arguments as `sconce run` does, and holds the
/// runtime for what is not machine code.
#[derive(Args)]
#[command(after_long_help = with_values(EXAMPLES))]
pub struct CompileCommand {
    #[command(flatten)]
    call: CallArgs,
    /// Which results code may give: default, within what each operator's class allows; strict, the interpreter's bits.
    #[arg(long, value_name = "MODE", default_value_t)]
    numerics: NumericsMode,
    /// Compile for any sizes of this rank instead of the sizes at hand.
    #[arg(long)]
    dynamic: bool,
    /// Where compiled code is kept, as of `sconce run` [default: SCONCE_CACHE, else sconce in the user's cache folder].
    #[arg(long, value_name = "PLACE")]
    cache: Option<OsString>,
    /// What to write.
    #[arg(long, short = 'o', value_name = "FILE")]
    output: PathBuf,
    /// Of .o, .a and .so, the header [default: beside the output].
    #[arg(long, value_name = "FILE")]
    header: Option<PathBuf>,
    /// What functions of .o, .a and .so begin with [default: the output's name].
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Of .o, .a and .so, the machine, such as aarch64-linux-gnu [default: this one].
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Of .o, .a and .so, the processor as LLVM names it, such as x86-64-v3 [default: this one; generic for another machine].
    #[arg(long, value_name = "CPU")]
    cpu: Option<String>,
    /// The C compiler [default: cc, or TRIPLE-gcc].
    #[arg(long, value_name = "COMMAND")]
    cc: Option<String>,
    /// Say what is machine code, and why the rest is not.
    #[arg(long)]
    report: bool,
    /// Of an executable, the runtime [default: sconce-rt beside this program].
    #[arg(long, value_name = "FILE")]
    runtime: Option<PathBuf>,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Object,
    Archive,
    Shared,
    Program,
    Executable,
}

impl Form {
    fn of(path: &Path) -> Result<Form, String> {
        Ok(match path.extension().and_then(|e| e.to_str()) {
            Some("o") => Form::Object,
            Some("a") => Form::Archive,
            Some("so") => Form::Shared,
            Some("sconce") => Form::Program,
            Some(ending) if written::Form::of_ending(ending).is_some() => {
                let path = path.display();
                return Err(format!(
                    "{path}: holds no machine code; `sconce save` writes source and `sconce convert` programs so"
                ));
            }
            _ => Form::Executable,
        })
    }

    fn is_for_c(self) -> bool {
        matches!(self, Form::Object | Form::Archive | Form::Shared)
    }
}

pub fn run(args: &CompileCommand) -> CommandResult {
    let form = Form::of(&args.output)?;
    if !form.is_for_c() && (args.target.is_some() || args.cpu.is_some() || args.header.is_some()) {
        return Err(format!("{}: --target, --cpu and --header are for .o, .a and .so", args.output.display()));
    }
    let stem = args.output.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let name = identifier(args.name.as_deref().unwrap_or(&stem));
    let compile = CompileArgs {
        compile: Some(CompileMode::Now),
        numerics: args.numerics,
        dynamic: args.dynamic,
        cache: args.cache.clone(),
        ..CompileArgs::default()
    };
    let mut options = compile.options();
    if form.is_for_c() {
        let generic = args.target.as_ref().map(|_| "generic".to_owned());
        let triple = args.target.clone().unwrap_or_default();
        let cpu = args.cpu.clone().or(generic).unwrap_or_default();
        options = Options { alone: Some(Alone { triple, cpu, symbol: format!("{name}_region") }), ..options };
    }
    let engine = Engine::new(options).map_err(|e| e.to_string())?;
    let module = load(&engine, &args.call)?;
    let (function, arguments) = call_of(&module, &args.call)?;
    // A C function's sizes are those of its header; whatever else is compiled is called with any.
    let (module, arguments) = match form.is_for_c() {
        true => (module, arguments),
        false => module.call_with_checks(arguments).map_err(|e| e.to_string())?,
    };
    let progress = Progress::of(&format!("compiling {function}"));
    let Built { program, report } = module.built(&function, &arguments).map_err(|e| e.to_string())?;
    drop(progress);
    if args.report {
        print(&report.to_string());
    }
    let written =
        |path: &Path, bytes: &[u8]| write_atomically(path, bytes).map_err(|e| format!("{}: {e}", path.display()));
    match form {
        Form::Program => written(&args.output, &program.to_bytes().map_err(|e| e.to_string())?)?,
        Form::Executable => {
            let runtime = runtime(args)?;
            let bytes = std::fs::read(&runtime).map_err(|e| {
                format!(
                    "{}: {e}; an executable holds the runtime, `cargo build --bin sconce-rt`, or --runtime",
                    runtime.display()
                )
            })?;
            written(&args.output, &executable(&bytes, &program).map_err(|e| e.to_string())?)?;
            make_executable(&args.output)?;
        }
        Form::Object | Form::Archive | Form::Shared => {
            let line = StraightLine::of(&program, &arguments).map_err(|why| {
                let reasons = report.interpreted.iter().map(|row| format!("\n  {}: {}", row.operation, row.reason));
                let reasons: String = reasons.collect();
                format!("{why}; an executable (-o {stem}) holds the runtime for it{reasons}")
            })?;
            let parameters = module.parameters(&function).map_err(|e| e.to_string())?;
            let parameters: Vec<_> = parameters.into_iter().map(|(name, _)| name).zip(arguments).collect();
            let origin = args.call.path().file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let code = c_code(&line, &name, &parameters, &origin)?;
            written(&args.output, &linked(args, form, &line, &code)?)?;
            let header = args.header.clone().unwrap_or_else(|| args.output.with_extension("h"));
            written(&header, code.header.as_bytes())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// C code, compiled and put together with the machine code that it calls.
fn linked(args: &CompileCommand, form: Form, line: &StraightLine, code: &CCode) -> Result<Vec<u8>, String> {
    let _progress = Progress::of(&format!("compiling C for {}", args.output.display()));
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let place =
        |file: &str, bytes: &[u8]| std::fs::write(folder.path().join(file), bytes).map_err(|e| format!("{file}: {e}"));
    place("model.c", code.source.as_bytes())?;
    place(WEIGHTS, &code.weights)?;
    let mut objects = vec!["model.o".to_owned()];
    for (i, step) in line.steps.iter().enumerate() {
        objects.push(format!("region{i}.o"));
        place(&objects[i + 1], &step.object)?;
    }
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let cross = args.target.as_ref().map(|triple| format!("{triple}-"));
    let cc = args.cc.clone().or_else(|| cross.as_ref().map(|prefix| format!("{prefix}gcc")));
    let cc = cc.unwrap_or_else(|| "cc".to_owned());
    let flags = ["-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-w", "-c", "model.c", "-o", "model.o"];
    tool(folder.path(), &cc, &flags)?;
    let made = "made";
    let (command, arguments) = match form {
        Form::Archive => (cross.unwrap_or_default() + "ar", [&["rcs", made], &objects[..]].concat()),
        Form::Shared => (cc, [&["-shared", "-o", made], &objects[..], &["-lm"]].concat()),
        _ => (cc, [&["-r", "-nostdlib", "-o", made], &objects[..]].concat()),
    };
    tool(folder.path(), &command, &arguments)?;
    std::fs::read(folder.path().join(made)).map_err(|e| format!("{command}: {e}"))
}

/// The runtime that an executable is made of.
fn runtime(args: &CompileCommand) -> Result<PathBuf, String> {
    match &args.runtime {
        Some(path) => Ok(path.clone()),
        None => Ok(std::env::current_exe().map_err(|e| e.to_string())?.with_file_name("sconce-rt")),
    }
}

/// Runs a compiler or an archiver in a folder.
fn tool(folder: &Path, command: &str, arguments: &[&str]) -> Result<(), String> {
    let done = Command::new(command).current_dir(folder).args(arguments).output();
    let done =
        done.map_err(|e| format!("{command}: {e}; a C compiler is needed for .o, .a and .so: --cc names one"))?;
    if done.status.success() {
        return Ok(());
    }
    Err(format!("{command} ended with {}: {}", done.status, String::from_utf8_lossy(&done.stderr).trim_end()))
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, permissions).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), String> {
    Ok(())
}
