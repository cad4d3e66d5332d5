//! `sconce view`: a page of HTML that shows a program without a network.

use super::arguments::{call_of, with_values};
use super::progress::{Progress, tell};
use super::run::load;
use super::{CallArgs, CommandResult, CompileArgs};
use crate::engine::{Engine, Stage};
use crate::files::{read, write_atomically};
use crate::module::Module;
use crate::observed::seen;
use crate::state::NamedKind;
use clap::Args;
use sconce_archive::CodeFile;
use sconce_export::printer::{self, Printed};
use sconce_graph::listing::read_shown;
use sconce_graph::unit::Unit;
use sconce_request::{PlacedText, Stage as Later, Subject};
use sconce_tensor::IValue;
use sconce_view::{Code, Held, Profile, View};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sconce view model.pt
  sconce view model.pt -i 1x3x32x32xf32 -o - > page.html";

/// Write a page of HTML that shows a program in a browser, without a network.
///
/// Modules, branches and loops are boxes that open; source, graph text and, where there is a compiler, the dialect stand beside them, tied line by line. With
/// arguments (--input, --inputs) the method is called once by the interpreter, and the page says what each operator took and which types it gave. docs/view.md
/// says what the page holds.
#[derive(Args)]
#[command(after_long_help = with_values(EXAMPLES))]
pub struct ViewArgs {
    #[command(flatten)]
    call: CallArgs,
    /// The page; `-` is standard output [default: in this folder, the file's name with the ending .html].
    #[arg(long, short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// Colour nodes by the times of a trace in Chrome's form, such as PyTorch's profiler writes.
    #[arg(long, value_name = "TRACE")]
    profile: Option<PathBuf>,
    /// Also show what is compiled: regions, linalg, LLVM IR and assembly.
    #[arg(long)]
    compiled: bool,
}

/// The stages that a compiler shows: the pane's name and heading. All but the first are made by compiling.
fn stages() -> [(&'static str, &'static str, Stage); 5] {
    [
        ("mlir", "Dialect", Stage::Mlir),
        ("fused", "Regions", Stage::Compiled(Later::Fused)),
        ("linalg", "linalg", Stage::Compiled(Later::Linalg)),
        ("llvm", "LLVM IR", Stage::Compiled(Later::Llvm)),
        ("asm", "Assembly", Stage::Compiled(Later::Asm)),
    ]
}

pub fn run(args: &ViewArgs) -> CommandResult {
    let engine = Engine::new(CompileArgs::off().options()).map_err(|e| e.to_string())?;
    let mut module = load(&engine, &args.call)?;
    module.set_output(None);
    let (name, arguments) = call_of(&module, &args.call)?;
    let entry = module.function(&name).map_err(|e| e.to_string())?.name.clone();
    let unit = shown(&module, &entry)?;
    let title = args.call.path().file_name().unwrap_or(args.call.path().as_os_str()).to_string_lossy();
    let _progress = Progress::of(&format!("looking into {title}"));
    let mut view = View::new(&title, &unit, &entry);
    view.profile = profile(args, &module, &name, &arguments)?;
    view.arguments = arguments.iter().map(seen).collect();
    view.weights = weights(&module);
    match code(&module, &unit) {
        Ok(code) => view.code = code,
        Err(why) => view.omitted.push(format!("TorchScript: {why}")),
    }
    for (pane, heading, stage) in stages().into_iter().take(if args.compiled { 5 } else { 1 }) {
        let text = match stage {
            Stage::Compiled(stage) => module.compiled_stage(&name, &arguments, stage),
            stage => module.show(&name, &arguments, &stage).map(|text| PlacedText { text, places: Vec::new() }),
        };
        match text {
            Ok(text) => view.stages.push(sconce_view::Stage { name: pane, title: heading, text }),
            Err(why) => view.omitted.push(format!("{heading}: {why}")),
        }
    }
    let page = view.document().map_err(|e| e.to_string())?.to_html();
    let output = args.output.clone().unwrap_or_else(|| beside(args.call.path()));
    write_atomically(&output, page.as_bytes()).map_err(|e| format!("{}: {e}", output.display()))?;
    if args.output.is_none() {
        tell(&format!("wrote {}", output.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The functions of a program; those of graph text as it says them.
fn shown<'m>(module: &'m Module, entry: &str) -> Result<Cow<'m, Unit>, String> {
    match module.subject("a page").map_err(|e| e.to_string())? {
        Subject::GraphText { name, text } => {
            read_shown(&name, &text, entry).map(Cow::Owned).map_err(|e| e.report(false))
        }
        _ => module.compiled_unit("a page").map(Cow::Borrowed).map_err(|e| e.to_string()),
    }
}

/// The page's file where none is named.
fn beside(file: &Path) -> PathBuf {
    let stem = file.file_stem().filter(|stem| *stem != "-" && *stem != "<string>");
    Path::new(stem.unwrap_or("program".as_ref())).with_extension("html")
}

/// The times of a trace, and what a call with the arguments showed.
fn profile(args: &ViewArgs, module: &Module, name: &str, arguments: &[IValue]) -> Result<Option<Profile>, String> {
    let is_called = !args.call.input.is_empty() || args.call.inputs.is_some();
    let run = is_called.then(|| module.observed(name, arguments)).transpose().map_err(|e| e.to_string())?;
    let Some(path) = &args.profile else { return Ok(run) };
    let file = path.display().to_string();
    let bytes = read(path).map_err(|e| format!("--profile {file}: {e}"))?;
    let trace = Profile::of_trace(&file, &bytes).map_err(|e| format!("--profile {e}"))?;
    Ok(Some(match run {
        Some(run) => trace.with_types_of(run),
        None => trace,
    }))
}

/// The code of a module, as an archive of it has it. Nothing of the program is run for it, as saving would.
fn code(module: &Module, unit: &Unit) -> Result<Vec<Code>, printer::Error> {
    let Some(root) = module.root() else { return Ok(Vec::new()) };
    let Printed { files, places, .. } = printer::print(unit, std::slice::from_ref(&root.class))?;
    let file = |file: printer::File| {
        let place = |tag: &printer::Tag| Some((tag.byte, places.get((tag.place as usize).checked_sub(1)?)?.clone()));
        let places = file.tags.iter().filter_map(place).collect();
        let code = CodeFile { path: format!("code/{}", file.path), text: file.text };
        Code { module: code.module(), title: code.path, text: code.text, places }
    };
    Ok(files.into_iter().map(file).collect())
}

/// Parameters and buffers; a program without a module has none.
fn weights(module: &Module) -> Vec<Held> {
    let named = module.named().unwrap_or_default().into_iter();
    let held = named.filter_map(|n| match n.value {
        IValue::Tensor(tensor) if matches!(n.kind, NamedKind::Parameter | NamedKind::Buffer) => {
            Some(Held { name: n.name, kind: n.kind.word(), tensor })
        }
        _ => None,
    });
    held.collect()
}
