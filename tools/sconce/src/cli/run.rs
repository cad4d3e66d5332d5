//! `sconce run`: calls a program and prints, saves or compares what it gives.

use super::arguments::{call_of, with_values};
use super::progress::{Progress, tell};
use super::{CallArgs, CommandResult, CompileArgs, ExpectArgs, FormatArgs, StaticArgs, ThreadArgs, document, print};
use crate::beside::is_headed;
use crate::engine::{Engine, Options};
use crate::error::Error;
use crate::module::Module;
use crate::source::SourceOptions;
use crate::value_json::to_json;
use crate::value_text::{format_value, named_tensors, read_file, visible, write_file};
use clap::Args;
use sconce_executor::CompileMode;
use sconce_tensor::IValue;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

const EXAMPLES: &str = "\
Examples:
  sconce run model.pt -i 1x3x224x224xf32
  sconce run model.pt --method encode -i x.npy -i mask=None -o y.safetensors
  sconce run net.py --entry 'Net(4).eval()' -i 4xf32=arange --report
  cat f.py | sconce run - -i '[1, 2]' --json";

/// Run a program.
#[derive(Args)]
#[command(after_long_help = with_values(EXAMPLES))]
pub struct RunArgs {
    #[command(flatten)]
    call: CallArgs,
    #[command(flatten)]
    compile: CompileArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    planned: StaticArgs,
    /// Print the static plan after the last call: each node with its mode and the place of its result.
    #[arg(long, hide_short_help = true, requires = "is_static")]
    plan: bool,
    /// Save the result's tensors (.npy, .npz, .safetensors) instead of printing it.
    #[arg(long, short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    expected: ExpectArgs,
    /// Call so often; what the module holds stays from call to call, the last result is shown.
    #[arg(long, default_value_t = 1, value_name = "N")]
    repeat: usize,
    /// Have the interpreter make a share of the calls again, and compare: 1%, 0.5. A call that differs is an error, and its arguments are kept in a file.
    #[arg(long, value_name = "SHARE", value_parser = share, num_args = 0..=1, default_missing_value = "100%")]
    check: Option<f64>,
    /// Run as inside of `torch.no_grad()`: results require no gradients.
    #[arg(long)]
    no_grad: bool,
    /// Say what ran where, and why the rest was not compiled.
    #[arg(long)]
    report: bool,
    #[command(flatten)]
    format: FormatArgs,
}

/// A share of all: `1%` or `0.01`.
fn share(text: &str) -> Result<f64, String> {
    let (number, whole) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share: f64 = number.parse().map_err(|_| "a share is expected, such as 1% or 0.01".to_owned())?;
    let share = share / whole;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("a share lies between 0 and 100%".into()) }
}

/// Is the program Python source, of a file or of the command line? A module's code as it is converted to is none.
pub(super) fn is_source(call: &CallArgs) -> bool {
    let file = call.path();
    // An entry says that standard input is source, of which it names a part.
    let named = file.as_os_str() == "-" && call.entry.is_some();
    call.eval.is_some() || named || file.extension().is_some_and(|e| e == "py") && !is_headed(file)
}

fn text_of(path: &Path) -> Result<String, String> {
    let bytes = crate::files::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    String::from_utf8(bytes)
        .map_err(|e| format!("{}: not UTF-8 from byte {} on", path.display(), e.utf8_error().valid_up_to()))
}

/// Name and text of the source that a command means.
pub(super) fn source_of(call: &CallArgs) -> Result<(String, String), String> {
    let file = call.path().display().to_string();
    match &call.eval {
        Some(text) => Ok(("<string>.py".to_owned(), text.clone())),
        None => Ok((file.clone(), text_of(call.path())?)),
    }
}

/// The program that a command means.
pub(super) fn load(engine: &Engine, call: &CallArgs) -> Result<Module, String> {
    let source = SourceOptions { entry: call.entry.clone(), ..SourceOptions::default() };
    let loaded = if is_source(call) {
        let (file, text) = source_of(call)?;
        engine.compile_source(&file, &text, &source)
    } else {
        load_file(engine, call.path())
    };
    let module = loaded.map_err(|e| e.to_string())?;
    call.warnings.give(&module);
    if let Some(path) = &call.weights {
        let tensors = read_file(path).map_err(|e| format!("--weights {e}"))?;
        module.load_state_dict(&tensors).map_err(|e| format!("--weights {e}"))?;
    }
    Ok(module)
}

/// The program of a file.
pub(super) fn load_file(engine: &Engine, path: &Path) -> Result<Module, Error> {
    let _progress = Progress::of(&format!("loading {}", path.display()));
    engine.load(path)
}

pub fn run(args: &RunArgs) -> CommandResult {
    args.threads.apply();
    // A report is of what compiling gives.
    let looks = args.report || args.compile.validate || args.check.is_some();
    let when = if looks { CompileMode::Now } else { CompileMode::Background };
    let compile = args.compile.clone().or(when);
    let options = args.planned.apply(compile.options())?;
    let options = Options { shadow: args.check.unwrap_or_default(), ..options };
    let engine = Engine::new(options).map_err(|e| e.to_string())?;
    let mut module = load(&engine, &args.call)?;
    if args.format.json {
        // Standard output holds the document alone.
        module.set_output(Some(Arc::new(Mutex::new(std::io::stderr()))));
    }
    let (name, arguments) = call_of(&module, &args.call)?;
    module.check_built(&name, &arguments)?;
    sconce_tensor::mersenne::manual_seed(args.call.seed);
    sconce_kernels::grad::enable(!args.no_grad);
    let mut result = module.call(&name, &arguments).map_err(|e| e.to_string())?;
    for _ in 1..args.repeat {
        result = module.call(&name, &arguments).map_err(|e| e.to_string())?;
    }
    let report = module.report(&name);
    if let Some(path) = &args.output {
        let tensors = named_tensors(&result).map_err(|e| e.to_string())?;
        write_file(path, &tensors).map_err(|e| e.to_string())?;
    }
    let comparison = args.expected.compare(&result)?;
    if args.format.json {
        let mut out = serde_json::json!({ "function": name, "result": to_json(&result) });
        if args.report {
            out["report"] = report.to_json();
        }
        if let Some(c) = &comparison {
            out["expected"] = c.to_json();
        }
        print(&document(out));
    } else {
        if args.output.is_none() {
            print(&format_value(&result));
        }
        if let Some(c) = &comparison {
            print(&c.to_string());
        }
        if args.report {
            print(&report.to_string());
        }
        if args.plan {
            print(&module.static_listing(&name).map_err(|e| e.to_string())?);
        }
    }
    if args.compile.validate && !args.report {
        tell(&format!("validated: {} changes by passes", report.validation.compared));
        report.validation.skipped.iter().for_each(|why| tell(&format!("not validated: {why}")));
    }
    let sound = report.unsound.iter().map(|why| eprintln!("error: unsound: {}", visible(why))).count() == 0;
    let agrees = args.check.is_none() || tell_mismatches(&module)?;
    let passed = comparison.is_none_or(|c| c.passed());
    Ok(if passed && sound && agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Says of which calls the interpreter shows something else, and keeps their arguments; were there none?
fn tell_mismatches(module: &Module) -> Result<bool, String> {
    let mismatches = module.mismatches();
    let (calls, compared) = module.shadow_counts();
    tell(&format!("checked: {compared} of {calls} calls against the interpreter, {} differ", mismatches.len()));
    for mismatch in &mismatches {
        eprintln!("error: call {} of {}: {}", mismatch.call, mismatch.function, visible(&mismatch.difference));
        let arguments = mismatch.arguments.iter().filter(|v| !matches!(v, IValue::Object(_)));
        let tensors =
            named_tensors(&IValue::tuple(arguments.cloned().collect::<Vec<_>>())).map_err(|e| e.to_string())?;
        let path = PathBuf::from(format!("sconce-check-{}.safetensors", mismatch.call));
        write_file(&path, &tensors).map_err(|e| e.to_string())?;
        tell(&format!("its tensors are in {}", path.display()));
    }
    Ok(mismatches.is_empty())
}
