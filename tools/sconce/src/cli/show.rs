//! `sconce show`: a program at any stage on its way to machine code.

use super::arguments::{call_of, with_values};
use super::decompose::{OperatorSet, decomposed};
use super::progress::Progress;
use super::run::load;
use super::{CallArgs, CommandResult, CompileArgs, print};
use crate::engine::{Engine, Stage};
use crate::error::Error;
use crate::load::exported_program;
use crate::module::Module;
use clap::{ArgGroup, Args};
use sconce_archive::pickle::disassemble;
use sconce_archive::{Container, Limits};
use sconce_executor::Settings;
use sconce_request::Stage as Later;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sconce show model.pt --modules
  sconce show model.pt --inlined-graph --method encode
  sconce show net.py --entry 'Net(4)' --code
  sconce show model.pt --mlir
  sconce show model.pt --llvm -i 1x3x32x32xf32";

/// Show a program at a stage.
///
/// Stages from --fused on depend on the types of the arguments: give them by --input or --inputs, or they are taken from the program where it is typed.
#[derive(Args)]
#[command(after_long_help = with_values(EXAMPLES))]
#[command(group = ArgGroup::new("stage").multiple(false))]
pub struct ShowArgs {
    #[command(flatten)]
    call: CallArgs,
    /// Compile for any sizes of this rank instead of the sizes at hand.
    #[arg(long)]
    dynamic: bool,
    /// Graph text, as PyTorch prints it [the default].
    #[arg(long, group = "stage")]
    graph: bool,
    /// Graph text with every call inlined.
    #[arg(long, group = "stage")]
    inlined_graph: bool,
    /// The graph that ran after so many calls, as PyTorch's profiling executor has it: after the first with `prim::profile` where it watches [1].
    #[arg(long, group = "stage", value_name = "CALLS", num_args = 0..=1, default_missing_value = "1")]
    executed: Option<u32>,
    /// TorchScript code, as an archive holds it.
    #[arg(long, group = "stage")]
    code: bool,
    /// What the module holds: submodules, parameters, buffers, attributes.
    #[arg(long, group = "stage")]
    modules: bool,
    /// The graph of an exported program, as `print(program.graph)` prints it.
    #[arg(long, group = "stage")]
    fx: bool,
    /// The same in an operator set, as PyTorch's `run_decompositions` has it.
    #[arg(long, group = "stage", value_name = "SET")]
    decompose: Option<OperatorSet>,
    /// Schemas of the methods.
    #[arg(long, group = "stage")]
    schemas: bool,
    /// The members of the archive.
    #[arg(long, group = "stage")]
    files: bool,
    /// A pickle of the archive, one operation a line [data.pkl].
    #[arg(long, group = "stage", value_name = "ENTRY", num_args = 0..=1, default_missing_value = "data.pkl")]
    pickle: Option<String>,
    /// The torch dialect.
    #[arg(long, group = "stage")]
    mlir: bool,
    /// Bytecode of the interpreter.
    #[arg(long, group = "stage")]
    bytecode: bool,
    /// The method with every call inlined as PyTorch's instructions: LOAD, MOVE, STORE, OP, LOOP, JF, …
    #[arg(long, group = "stage")]
    instructions: bool,
    /// The torch dialect with regions outlined for compilation.
    #[arg(long, group = "stage")]
    fused: bool,
    /// Regions in linalg on tensors.
    #[arg(long, group = "stage")]
    linalg: bool,
    /// Regions in LLVM IR.
    #[arg(long, group = "stage")]
    llvm: bool,
    /// Regions in this machine's assembly.
    #[arg(long, group = "stage")]
    asm: bool,
    /// Regions in PTX.
    #[arg(long, group = "stage")]
    ptx: bool,
    /// GPU architecture for --ptx.
    #[arg(long, default_value = "sm_80", value_name = "ARCH")]
    chip: String,
}

/// What an archive is made of, read without compiling its code: also of one that does not compile, or that is none of TorchScript's.
fn container(args: &ShowArgs) -> Option<Result<String, String>> {
    let open = || match &args.call.file {
        Some(path) => Container::open(path, &Limits::default()).map_err(|e| e.to_string()),
        None => Err("--files and --pickle show an archive; source is none".into()),
    };
    if args.files {
        return Some(open().map(|c| c.list()));
    }
    let entry = args.pickle.as_deref()?;
    Some(open().and_then(|c| Ok(disassemble(&c.read(entry).map_err(|e| e.to_string())?))))
}

/// Stages that are texts of the whole module.
fn module_text(args: &ShowArgs, module: &Module, name: &str) -> Option<Result<String, Error>> {
    // Graphs that were read as text print as they were read.
    let compiled = module.unit().is_some();
    let graph = !(args.mlir || args.bytecode || args.fused || args.linalg || args.llvm || args.asm || args.ptx);
    match () {
        () if args.code => Some(module.code()),
        () if args.modules => Some(module.state_text()),
        () if args.schemas => Some(module.schemas()),
        () if args.inlined_graph => Some(module.inlined_graph(name)),
        () if args.instructions => Some(module.instructions(name)),
        () if graph && compiled => Some(module.graph(name)),
        () => None,
    }
}

/// The text of an exported program's graph, which is shown as it is stored or decomposed.
fn fx(args: &ShowArgs) -> Option<Result<String, String>> {
    if !args.fx && args.decompose.is_none() {
        return None;
    }
    let Some(path) = &args.call.file else { return Some(Err("--fx and --decompose show an exported program".into())) };
    let program = match args.decompose {
        Some(set) => decomposed(path, set),
        None => exported_program(path).map_err(|e| e.to_string()),
    };
    Some(program.map(|program| format!("{}\n", program.graph_module.graph)))
}

pub fn run(args: &ShowArgs) -> CommandResult {
    if let Some(text) = container(args).or_else(|| fx(args)) {
        print(&text?);
        return Ok(ExitCode::SUCCESS);
    }
    let stage = [
        (args.mlir, Stage::Mlir),
        (args.bytecode, Stage::Bytecode),
        (args.fused, Stage::Compiled(Later::Fused)),
        (args.linalg, Stage::Compiled(Later::Linalg)),
        (args.llvm, Stage::Compiled(Later::Llvm)),
        (args.asm, Stage::Compiled(Later::Asm)),
        (args.ptx, Stage::Compiled(Later::Ptx { chip: args.chip.clone() })),
    ]
    .into_iter()
    .find_map(|(wanted, stage)| wanted.then_some(stage))
    .unwrap_or(Stage::Graph);
    let compile = CompileArgs { dynamic: args.dynamic, ..CompileArgs::off() };
    let mut options = compile.options();
    if args.executed.is_some() {
        options.watch = true;
        options.executor.profiled_runs = Settings::default().profiled_runs;
    }
    let engine = Engine::new(options).map_err(|e| e.to_string())?;
    let mut module = load(&engine, &args.call)?;
    let (name, arguments) = call_of(&module, &args.call)?;
    if let Some(calls) = args.executed {
        module.set_output(None);
        for _ in 0..calls {
            module.call(&name, &arguments).map_err(|e| e.to_string())?;
        }
        let text = match calls {
            0 => module.graph_for(&name, &arguments),
            _ => module.last_executed_optimized_graph(),
        };
        print(&text.map_err(|e| e.to_string())?);
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(text) = module_text(args, &module, &name) {
        print(&text.map_err(|e| e.to_string())?);
        return Ok(ExitCode::SUCCESS);
    }
    let progress = Progress::of(&format!("compiling {name}"));
    let text = module.show(&name, &arguments, &stage).map_err(|e| e.to_string())?;
    drop(progress);
    print(&text);
    Ok(ExitCode::SUCCESS)
}
