//! The command line: one definition gives parsing, help, completions and exit codes; the work is the library's.

mod arguments;
mod bench;
mod bisect;
mod check;
mod compile;
mod convert;
mod decompose;
mod documents;
mod export;
mod interrupt;
#[cfg(feature = "language-server")]
mod lsp;
mod profile;
mod progress;
mod reduce;
mod run;
pub mod runtime;
mod save;
mod show;
mod stats;
mod trace;
#[cfg(feature = "viewer")]
mod view;
mod why;

use crate::compare::{Comparison, Tolerance, compare};
use crate::engine::Options;
use crate::limits::CallLimits;
use crate::module::Module;
use crate::planned::StaticOptions;
use crate::value_text::{named_tensors, read_file, visible};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use interrupt::INTERRUPTED;
use progress::{Told, tell};
use sconce_executor::{
    Cache, CacheOptions, CachePlace, CompileMode, ExecutorMode, FusionStrategy, NumericsMode, Report, Settings,
    Specialization,
};
use sconce_request::{Checks, Compiler, Rewrites, Worker};
use sconce_tensor::IValue;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const NOTE: &str = "`sconce --licenses` prints the licences of the libraries in this program.";

const EXAMPLES: &str = "\
Examples:
  sconce run model.pt -i 1x3x224x224xf32
  sconce save net.py --entry 'Net(4).eval()' -o net.pt
  sconce run --help";

/// Runs and compiles TorchScript without PyTorch.
///
/// Exit status: 0 success; 1 the input is wrong, or results differ from what was expected; 2 the command line is wrong; 130 Ctrl-C ended `check` or `bench`, which
/// printed what there was until then.
#[derive(Parser)]
#[command(name = "sconce", version, max_term_width = 110)]
#[command(after_help = NOTE, after_long_help = format!("{NOTE}\n\n{EXAMPLES}"))]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to colour messages; `auto` goes by the terminal, and by `NO_COLOR`, `CLICOLOR_FORCE` and `TERM`.
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN", alias = "colour")]
    color: Colour,
    /// How an error is told on standard error: a line of text, or a document of JSON.
    #[arg(long, global = true, hide_short_help = true, value_enum, default_value_t = Errors::Text, value_name = "FORMAT")]
    errors: Errors,
    /// Say nothing on standard error but errors: no warnings, and no progress on a terminal.
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// A shared library whose operators programs may call (docs/operators-of-your-own.md); its code runs in this process. May be repeated.
    #[arg(long, global = true, value_name = "LIBRARY")]
    load_ops: Vec<PathBuf>,
    /// Read torch.nn from a checkout's `frontend/prelude` in place of what was built in.
    #[arg(long, global = true, value_name = "FOLDER", hide = true)]
    prelude: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Errors {
    Text,
    Json,
}

#[derive(Subcommand)]
enum Command {
    Run(run::RunArgs),
    Save(save::SaveArgs),
    Show(show::ShowArgs),
    Check(check::CheckArgs),
    Bench(bench::BenchArgs),
    Bisect(bisect::BisectArgs),
    Reduce(reduce::ReduceArgs),
    #[command(alias = "build")]
    Compile(compile::CompileCommand),
    Convert(convert::ConvertArgs),
    Export(export::ExportArgs),
    #[cfg(feature = "language-server")]
    Lsp(lsp::LspArgs),
    Trace(trace::TraceArgs),
    Stats(stats::StatsArgs),
    #[cfg(feature = "viewer")]
    View(view::ViewArgs),
    Why(why::WhyArgs),
    Completions(documents::CompletionsArgs),
    #[command(hide = true)]
    Man(documents::ManArgs),
}

/// A program and the values it is called with.
#[derive(Args, Clone)]
struct CallArgs {
    /// A TorchScript archive (.pt, .ptl), an exported program (.pt2), source (.py), graph text (.txt, .graph), torch dialect (.mlir) or a compiled Program (.sconce).
    #[arg(required_unless_present = "eval")]
    file: Option<PathBuf>,
    /// Source to compile instead of a file: 'def f(x): return x + 1'.
    #[arg(long = "eval", short = 'e', value_name = "SOURCE")]
    eval: Option<String>,
    /// Of source, what to compile: a function's name, or an expression that makes a module, such as 'M(3)'.
    #[arg(long, value_name = "EXPRESSION")]
    entry: Option<String>,
    #[command(flatten)]
    warnings: WarningArgs,
    /// Parameters and buffers (.safetensors, .npz) in place of the module's own.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Function or method to call [default: forward, else the first that is not of torch].
    #[arg(long, value_name = "NAME")]
    method: Option<String>,
    /// One argument, in order or by name (NAME=VALUE): 2x3xf32, 4xi64=arange, x.npy, x.npz:key, 3, 1.5, 1-2j, True, None, "text", [1, a.npy],
    /// (2, None), {"x": 2xf32}. May be repeated.
    #[arg(long = "input", short = 'i', value_name = "VALUE", allow_hyphen_values = true)]
    input: Vec<String>,
    /// Arguments from a file of arrays (.npz, .safetensors): by the names of parameters, or by number (`arr_0`, as NumPy names them).
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Seed of generated inputs and of the program's random numbers.
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
}

/// What a call should give.
#[derive(Args, Clone)]
struct ExpectArgs {
    /// Compare the result with the tensors of a file; exit status 1 when they differ.
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
    /// Largest relative difference for --expect.
    #[arg(long, default_value_t = 1e-4)]
    rtol: f64,
    /// Largest absolute difference for --expect.
    #[arg(long, default_value_t = 1e-5)]
    atol: f64,
}

impl ExpectArgs {
    /// How the result differs from what is expected, where that is said.
    fn compare(&self, result: &IValue) -> Result<Option<Comparison>, String> {
        let Some(path) = &self.expect else { return Ok(None) };
        let expected = read_file(path).map_err(|e| format!("--expect {e}"))?;
        let got = named_tensors(result).map_err(|e| e.to_string())?;
        Ok(Some(compare(&got, &expected, Tolerance { rtol: self.rtol, atol: self.atol })))
    }
}

/// What is said of source.
#[derive(Args, Clone)]
struct WarningArgs {
    /// Do not warn where source means something else than in Python.
    #[arg(long, hide_short_help = true)]
    no_python_warnings: bool,
}

impl WarningArgs {
    fn give(&self, module: &Module) {
        if !self.no_python_warnings {
            module.departures().iter().for_each(|d| tell(&format!("warning: {d} (TorchScript is not Python here)")));
        }
    }
}

impl CallArgs {
    /// The file, or what stands for it in messages.
    fn path(&self) -> &Path {
        self.file.as_deref().unwrap_or(Path::new("<string>"))
    }
}

/// What a command prints.
#[derive(Args, Clone, Copy)]
struct FormatArgs {
    /// Print one document of JSON in place of text: docs/json.md.
    #[arg(long)]
    json: bool,
}

/// How to compile.
#[derive(Args, Clone, Debug, Default)]
struct CompileArgs {
    /// When functions are compiled: now, before their first call; background, while calls are interpreted, once that pays; off.
    #[arg(long, value_name = "WHEN")]
    compile: Option<CompileMode>,
    /// Which results compiled code may give: default, within what each operator's class allows; strict, the interpreter's bits.
    #[arg(long, value_name = "MODE", default_value_t)]
    numerics: NumericsMode,
    /// How rewrite rules are applied to what is compiled: on; approximate, those too that give close numbers; greedy, one by one, to compare with; off.
    #[arg(long, value_name = "HOW", hide_short_help = true)]
    rewrites: Option<Rewrites>,
    /// Passes to run behind all others when something is compiled: 'egraph{rules=mine.rules}', as `sconce-opt --pass-pipeline` takes them.
    #[arg(long, value_name = "TEXT", hide_short_help = true)]
    passes: Option<String>,
    /// Call each function as before and after every pass that changes it, with generated arguments; stop at the first pass that changes what is computed.
    #[arg(long, hide_short_help = true)]
    validate: bool,
    /// Let passes make so many changes, and none after them: which change breaks a program is found so (`sconce bisect` does it by itself).
    #[arg(long, value_name = "N", hide_short_help = true)]
    opt_fuel: Option<u64>,
    /// Interpret everything.
    #[arg(long, hide = true, conflicts_with = "compile")]
    no_compile: bool,
    /// Run what the program says as it is: no passes but those that bytecode needs, no plans, no compiled code.
    #[arg(long, hide_short_help = true, conflicts_with_all = ["compile", "executor", "is_static"])]
    no_opt: bool,
    /// Compile for any sizes of this rank instead of the sizes at hand.
    #[arg(long)]
    dynamic: bool,
    /// Who chooses what runs a call: profiling, traditional, off; see docs/executor.md [default: SCONCE_EXECUTOR, else profiling].
    #[arg(long, value_name = "EXECUTOR", hide_short_help = true)]
    executor: Option<ExecutorMode>,
    /// Runs that are watched before anything is compiled for what they showed [default: 0].
    #[arg(long, value_name = "N", hide_short_help = true)]
    profiled_runs: Option<u32>,
    /// How many plans a function may have, and how tight they are [default: 'STATIC 2, DYNAMIC 10'].
    #[arg(long, value_name = "STRATEGY", hide_short_help = true, conflicts_with = "dynamic")]
    fusion_strategy: Option<FusionStrategy>,
    /// Compile for the first NVIDIA GPU; without one everything runs on the CPU, and the report says so.
    #[arg(long)]
    gpu: bool,
    /// Where compiled code is kept: a folder that only you can write to, or off; s3://bucket/prefix and file:///folder are shared with other machines, beside the folder [default: SCONCE_CACHE, else
    /// sconce in the user's cache folder].
    #[arg(long, value_name = "PLACE")]
    cache: Option<OsString>,
}

impl CompileArgs {
    /// What interprets.
    fn off() -> CompileArgs {
        CompileArgs { compile: Some(CompileMode::Off), ..CompileArgs::default() }
    }

    /// When functions are compiled, if nothing is said of it.
    fn or(mut self, default: CompileMode) -> CompileArgs {
        self.compile = Some(self.mode(default));
        self
    }

    fn mode(&self, default: CompileMode) -> CompileMode {
        if self.no_compile || self.no_opt { CompileMode::Off } else { self.compile.unwrap_or(default) }
    }

    /// The engine's options with these.
    fn options(&self) -> Options {
        let compile = self.mode(CompileMode::Background);
        // The arguments at hand say what to compile for: watching instructions costs the first call more than it tells.
        let profiled_runs = self.profiled_runs.unwrap_or(0);
        let dynamic = || FusionStrategy::new(vec![(Specialization::Dynamic, DYNAMIC)]).ok().filter(|_| self.dynamic);
        let fusion = self.fusion_strategy.clone().or_else(dynamic).unwrap_or_default();
        let executor = Settings {
            mode: self.executor_mode(),
            compile,
            numerics: self.numerics,
            profiled_runs,
            fusion,
            ..Settings::default()
        };
        let cache = if compile == CompileMode::Off { None } else { self.cache() };
        let compiler: Arc<dyn Compiler> = Arc::new(Worker::beside_this_program());
        let limits = CallLimits::of_command();
        let given = LIMITS.get().copied().unwrap_or_default();
        let watch = profiled_runs > 0;
        let checks = Checks { validate: self.validate, fuel: self.opt_fuel };
        let (compiler, passes, rewrites) = (Some(compiler), self.passes.clone(), self.rewrites.unwrap_or_default());
        let gpu = self.gpu;
        let options =
            Options { executor, compiler, cache, gpu, rewrites, watch, limits, passes, checks, ..Options::default() };
        given.apply(options)
    }

    /// By the option, by the environment, or the usual one.
    fn executor_mode(&self) -> ExecutorMode {
        let named = || std::env::var("SCONCE_EXECUTOR").ok().filter(|word| !word.is_empty());
        let told = |word: String| match word.parse() {
            Ok(mode) => Some(mode),
            Err(why) => {
                tell(&format!("warning: SCONCE_EXECUTOR: {why}"));
                None
            }
        };
        let off = self.no_opt.then_some(ExecutorMode::Off);
        off.or(self.executor).or_else(|| told(named()?)).unwrap_or_default()
    }

    /// The cache, where there can be one; its troubles are told once and cost nothing else.
    fn cache(&self) -> Option<Arc<Cache>> {
        let place = CachePlace::of(self.cache.as_deref())?;
        let report: Report = Arc::new(|line| tell(&format!("warning: {line}")));
        match crate::cache::open(&place, CacheOptions { report: Some(report), ..CacheOptions::default() }) {
            Ok(cache) => Some(Arc::new(cache)),
            Err(why) => {
                tell(&format!("warning: nothing compiled is kept: {why}"));
                None
            }
        }
    }
}

/// Plans for unknown sizes that a function may have.
const DYNAMIC: u32 = 8;

/// How much of the machine an operator may use.
#[derive(Args, Clone, Copy)]
struct ThreadArgs {
    /// Threads that one operator, or one loop of compiled code, may use [default: all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadArgs {
    fn apply(self) {
        if let Some(n) = self.threads {
            sconce_kernels::parallel::set_threads(n.into());
        }
    }
}

/// Running by a static plan.
#[derive(Args, Clone)]
struct StaticArgs {
    /// Interpret by a static plan made before: results lie in places that are prepared, and little or nothing is allocated once it is warm.
    #[arg(long = "static")]
    is_static: bool,
    /// A switch of the plan: enable_out_variant, optimize_memory, manage_output_tensors, use_copy_variants, use_maybe_copy_variants. May be repeated.
    #[arg(long, value_name = "NAME=BOOL", hide_short_help = true, requires = "is_static")]
    static_option: Vec<String>,
}

impl StaticArgs {
    /// The options of the engine with these.
    fn apply(&self, options: Options) -> Result<Options, String> {
        if !self.is_static {
            return Ok(options);
        }
        let mut wanted = StaticOptions::default();
        for text in &self.static_option {
            let known = || format!("--static-option {text}: one of {} with =true or =false", names());
            let (name, on) = text.split_once('=').ok_or_else(known)?;
            let on = on.parse().map_err(|_| known())?;
            wanted.plan.set(name, on).then_some(()).ok_or_else(known)?;
        }
        Ok(Options { static_plan: Some(wanted), ..options })
    }
}

/// What loading and calling may use, in every command alike.
static LIMITS: OnceLock<LimitArgs> = OnceLock::new();

/// What a call may use.
#[derive(Args, Clone, Copy, Default)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// Instructions that a call may run; what else counts is in docs/limits.md [default: 10000000000].
    #[arg(long, global = true, value_name = "N")]
    fuel: Option<u64>,
    /// Memory that tensors may take, in MiB [default: what the machine has].
    #[arg(long, global = true, value_name = "MIB")]
    memory: Option<usize>,
    /// Seconds that a call may take [default: no limit]. An operator or region that runs is waited for.
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Calls that may be nested [default: 1000].
    #[arg(long, global = true, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    depth: Option<u32>,
    /// Map the file in place of reading it: memory is shared with other processes. Whoever cuts the file short meanwhile ends this one.
    #[arg(long, global = true, hide_short_help = true)]
    mmap: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "a number of seconds is expected".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

impl LimitArgs {
    /// The options of the engine with these.
    fn apply(self, options: Options) -> Options {
        let have = &options.limits;
        let limits = CallLimits {
            fuel: self.fuel.or(have.fuel),
            depth: self.depth.map_or(have.depth, |n| n as usize),
            time: self.time.or(have.time),
            memory: self.memory.map(|mib| mib.saturating_mul(1 << 20)).or(have.memory),
        };
        Options { limits, map_files: self.mmap || options.map_files, ..options }
    }
}

fn names() -> String {
    sconce_static::Options::names().collect::<Vec<_>>().join(", ")
}

/// What a command returns to `main`: the exit status 0 or 1, or an error (exit status 1).
type CommandResult = Result<ExitCode, String>;

/// Parses this process's command line and runs it.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

/// Parses a command line, the program's name first, and runs it; gives the exit status 0 or 1, or 130 where Ctrl-C ended it. One that is wrong ends the process with status 2.
pub fn run(line: impl IntoIterator<Item = OsString>) -> u8 {
    match status(line.into_iter().collect()) {
        ExitCode::SUCCESS => 0,
        ended if ended == ExitCode::from(INTERRUPTED) => INTERRUPTED,
        _ => 1,
    }
}

fn status(line: Vec<OsString>) -> ExitCode {
    if line.iter().skip(1).eq(["--licenses"]) {
        print(include_str!("../../licenses.txt"));
        return if UNWRITTEN.get().is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    crate::install_kernels();
    // clap exits with 2 on a usage error and 0 for --help and --version.
    let matches = Cli::command().get_matches_from(line);
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|e| e.format(&mut Cli::command()).exit());
    let is_set = |of: &ArgMatches, name| matches!(of.try_get_one::<bool>(name), Ok(Some(true)));
    let json = matches.subcommand().is_some_and(|(_, of)| is_set(of, "json"));
    progress::set(Told { quiet: cli.quiet, json });
    LIMITS.get_or_init(|| cli.limits);
    let colour = match cli.color {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never,
    };
    let prelude = cli.prelude.as_deref().map_or(Ok(()), sconce_prelude::read_from);
    let result = prelude.and_then(|()| load_operators(&cli.load_ops)).and_then(|()| match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Bisect(args) => bisect::run(&args),
        Command::Reduce(args) => reduce::run(&args),
        Command::Compile(args) => compile::run(&args),
        Command::Save(args) => save::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Export(args) => export::run(&args),
        #[cfg(feature = "language-server")]
        Command::Lsp(args) => lsp::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Stats(args) => stats::run(&args),
        #[cfg(feature = "viewer")]
        Command::View(args) => view::run(&args),
        Command::Why(args) => why::run(&args),
        Command::Completions(args) => documents::completions(&args),
        Command::Man(args) => documents::man(&args),
    });
    let result = match UNWRITTEN.get() {
        Some(why) => result.and(Err(format!("standard output: {why}"))),
        None => result,
    };
    result.unwrap_or_else(|message| {
        // Messages that underline their source begin with the word already.
        let message = message.strip_prefix("error: ").unwrap_or(&message).trim_matches('\n');
        if cli.errors == Errors::Json {
            eprintln!("{}", document(serde_json::json!({ "error": message })));
            return ExitCode::FAILURE;
        }
        let label = if colour { "\x1b[1;31merror\x1b[0m" } else { "error" };
        eprintln!("{label}: {}", visible(message));
        ExitCode::FAILURE
    })
}

/// Makes the operators known that libraries have.
pub fn load_operators(libraries: &[PathBuf]) -> Result<(), String> {
    libraries.iter().try_for_each(|path| crate::load_operators(path).map(drop).map_err(|e| e.to_string()))
}

/// Prints to standard output, where names and texts of files show what controls a terminal; a reader that went away (`sconce show … | head`) is no error.
fn print(text: &str) {
    let text = visible(text);
    let end: &[u8] = if text.ends_with('\n') { b"" } else { b"\n" };
    put(&[text.as_bytes(), end].concat());
}

/// What `--json` prints is one document, which says the version of its form: docs/json.md.
fn document(mut fields: serde_json::Value) -> String {
    fields["version"] = serde_json::json!(1);
    fields.to_string()
}

/// The first failure to write to standard output: what was printed is not whole then, which the exit status says.
static UNWRITTEN: OnceLock<std::io::Error> = OnceLock::new();

fn put(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => drop(UNWRITTEN.set(why)),
        _ => {}
    }
}
