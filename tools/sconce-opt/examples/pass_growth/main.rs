//! What each pass, each pipeline and each way into and out of the dialect costs on programs that grow: processor seconds, or billions of instructions, a line each.
//!
//!     cargo run --profile perf -p sconce-opt --example pass_growth -- [--shapes a,b] [--stages a,b] [--sizes 1000,100000] [--limit 30] [--measure instructions]
//!     cargo run --profile perf -p sconce-opt --example pass_growth -- --model FILE [--function forward] [--types 1x128xi64]
//!
//! `benches/passes.py` makes a table of it.

mod clock;
mod shapes;

use clock::now;
use sconce_analysis::refine::specialize;
use sconce_graph::instances::Described;
use sconce_graph::unit::Unit;
use sconce_ir::prelude::*;
use sconce_pass::PassRow;
use sconce_request::lift_weights;
use sconce_source::SourceMap;
use std::collections::BTreeMap;
use std::io::Write;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// As `sconce-opt` has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What a stage works on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Input {
    /// As it was imported.
    Imported,
    /// After the pipelines that make values of it, with known types.
    Values,
    /// With regions.
    Outlined,
    /// Regions as functions of builtin tensors.
    Lowered,
}

impl Input {
    fn name(self) -> &'static str {
        ["imported", "values", "outlined", "lowered"][self as usize]
    }
}

/// Something that is timed: what it is called, what it works on, and the pipeline if it is one.
struct Stage {
    name: String,
    input: Input,
    what: What,
}

enum What {
    Pipeline(String),
    Specialize,
    Unit,
    Bytecode,
}

/// Which programs, which stages, how long.
struct Asked {
    shapes: Vec<String>,
    stages: Vec<String>,
    sizes: Vec<usize>,
    limit: f64,
    model: Option<String>,
    function: String,
    types: String,
    /// Instructions instead of seconds.
    instructions: bool,
}

impl Asked {
    fn read() -> Fallible<Asked> {
        let mut asked = Asked {
            shapes: Vec::new(),
            stages: Vec::new(),
            sizes: vec![1_000, 10_000, 100_000],
            limit: 30.0,
            model: None,
            function: "forward".into(),
            types: "16x16xf32".into(),
            instructions: false,
        };
        let list = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut arguments = std::env::args().skip(1);
        while let Some(flag) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{flag}: expected a value"))?;
            match flag.as_str() {
                "--shapes" => asked.shapes = list(&value),
                "--stages" => asked.stages = list(&value),
                "--sizes" => asked.sizes = list(&value).iter().map(|n| n.parse()).collect::<Result<_, _>>()?,
                "--limit" => asked.limit = value.parse()?,
                "--model" => asked.model = Some(value),
                "--function" => asked.function = value,
                "--types" => asked.types = value,
                "--measure" if value == "instructions" => asked.instructions = true,
                "--measure" if value == "seconds" => {}
                _ => return Err(format!("{flag}: there is no such option").into()),
            }
        }
        Ok(asked)
    }

    fn wants(&self, stage: &str) -> bool {
        self.stages.is_empty() || self.stages.iter().any(|s| s == stage)
    }
}

/// A program before it is in the dialect.
struct Program {
    unit: Unit,
    objects: sconce_graph::instances::Instances,
}

impl Program {
    fn read(name: &str, text: &[u8]) -> Fallible<Program> {
        let engine = sconce::Engine::shared()?;
        let loaded = engine.load_bytes(name, "forward", text)?;
        let mut unit = loaded.unit().cloned().ok_or("there is no graph of it")?;
        lift_weights(&mut unit);
        let described = loaded.root().and_then(|root| Described::of(&unit, root));
        Ok(Program { unit, objects: described.map(|d| d.instances).unwrap_or_default() })
    }
}

/// The passes, each on what it is made for; pipelines; and what else a program goes through.
fn stages() -> Vec<Stage> {
    let mut all = Vec::new();
    let mut add = |name: &str, input, what| all.push(Stage { name: name.to_owned(), input, what });
    let is_of = |rows: &[PassRow], row: &PassRow| rows.iter().any(|known| known.name == row.name);
    for row in sconce_compiler::passes::rows() {
        let inputs = match row.name {
            "egraph" => &[Input::Values][..],
            "convert-torch-to-linalg" => &[Input::Outlined],
            _ if is_of(sconce_passes::PASSES, row) => &[Input::Imported, Input::Values],
            _ if is_of(sconce_pass::PASSES, row) => &[Input::Imported],
            _ if is_of(sconce_regions::PASSES, row) => &[Input::Values],
            _ => &[Input::Lowered],
        };
        inputs.iter().for_each(|input| add(row.name, *input, What::Pipeline(pipeline(row))));
    }
    for (name, _, _) in sconce_passes::PIPELINES {
        add(&format!("pipeline {name}"), Input::Imported, What::Pipeline((*name).to_owned()));
    }
    for name in ["inline", "cse", "canonicalize"] {
        add(&format!("mlir {name}"), Input::Imported, What::Pipeline(name.to_owned()));
    }
    add("specialize", Input::Imported, What::Specialize);
    add("unit", Input::Imported, What::Unit);
    add("unit", Input::Outlined, What::Unit);
    add("bytecode", Input::Imported, What::Bytecode);
    add("bytecode", Input::Outlined, What::Bytecode);
    all
}

/// A pass as a pipeline on a module.
fn pipeline(row: &PassRow) -> String {
    let options = if row.name == "specialize-inputs" { "{function=forward types=16x16xf32}" } else { "" };
    match row.anchor {
        Some(anchor) if anchor != "builtin.module" => format!("{anchor}({}{options})", row.name),
        _ => format!("{}{options}", row.name),
    }
}

/// A copy of a module.
fn copy<'c>(module: &Module<'c>) -> Fallible<Module<'c>> {
    let copied = module.as_operation().clone_with(&[]);
    Ok(Module::from_operation(copied).ok_or("a copy of a module is one")?)
}

fn operations(module: &Module<'_>) -> usize {
    let mut count = 0;
    module.as_operation().walk_pre(&mut |_| {
        count += 1;
        Walk::Advance
    });
    count
}

/// The program at each place where a stage may want it; those that cannot be had are missing.
fn inputs<'c>(asked: &Asked, imported: Module<'c>) -> Fallible<BTreeMap<Input, Module<'c>>> {
    let types = sconce_passes::parse_inputs(&asked.types).map_err(|e| e.to_string())?;
    let mut all = BTreeMap::new();
    let values = copy(&imported)?;
    let run = || -> Fallible<()> {
        run_on_module(&values, sconce_passes::DEFAULT)?;
        specialized(&values, &asked.function, &types)?;
        Ok(run_on_module(&values, sconce_passes::typed(false))?)
    };
    match run() {
        Ok(()) => {
            let outlined = copy(&values)?;
            all.insert(Input::Values, values);
            if run_on_module(&outlined, "outline-regions").is_ok() {
                let lowered = copy(&outlined)?;
                all.insert(Input::Outlined, outlined);
                if run_on_module(&lowered, "convert-torch-to-linalg").is_ok() {
                    all.insert(Input::Lowered, lowered);
                }
            }
        }
        Err(e) => eprintln!("no values: {e}"),
    }
    all.insert(Input::Imported, imported);
    Ok(all)
}

fn specialized(
    module: &Module<'_>,
    function: &str,
    types: &[sconce_analysis::refine::Shape],
) -> Result<(), sconce_ir::Error> {
    for f in module.as_operation().find_all("func.func") {
        let is_called = f.symbol_name() == Some(function);
        specialize(f, if is_called { types } else { &[] })?;
    }
    Ok(())
}

/// The seconds of one run of a stage on a copy of its input.
fn once(stage: &Stage, asked: &Asked, input: &Module<'_>) -> Fallible<f64> {
    let module = copy(input)?;
    let mut sources = SourceMap::default();
    match &stage.what {
        What::Pipeline(text) => {
            let start = now();
            run_on_module(&module, text)?;
            Ok(now() - start)
        }
        What::Specialize => {
            let types = sconce_passes::parse_inputs(&asked.types).map_err(|e| e.to_string())?;
            let start = now();
            specialized(&module, &asked.function, &types)?;
            Ok(now() - start)
        }
        What::Unit => {
            let start = now();
            sconce_import::program_from_dialect(&module, &mut sources)?;
            Ok(now() - start)
        }
        What::Bytecode => {
            let unit = sconce_import::program_from_dialect(&module, &mut sources)?;
            let start = now();
            sconce_bytecode::lower(&unit, &BTreeMap::new())?;
            Ok(now() - start)
        }
    }
}

/// The least of several runs: more of them where they are short.
fn least(mut run: impl FnMut() -> Fallible<f64>) -> Fallible<f64> {
    let mut best = run()?;
    let (mut total, mut runs) = (best, 1);
    while total < 0.2 && runs < 7 {
        let seconds = run()?;
        best = best.min(seconds);
        total += seconds;
        runs += 1;
    }
    Ok(best)
}

/// What a stage took at the sizes before, to leave out what would take too long.
#[derive(Default)]
struct Seen(BTreeMap<String, Vec<(usize, f64)>>);

impl Seen {
    /// Would it take longer than this, if it goes on to grow as it did?
    fn is_hopeless(&self, key: &str, n: usize, limit: f64) -> bool {
        let Some([.., (m, before), (k, last)]) = self.0.get(key).map(Vec::as_slice) else { return false };
        let exponent = ((last / before.max(1e-6)).ln() / (*k as f64 / *m as f64).ln()).max(1.0);
        last * (n as f64 / *k as f64).powf(exponent) > limit
    }
}

fn report(shape: &str, stage: &str, n: usize, result: &Result<f64, String>) {
    let said = match result {
        Ok(seconds) => format!("{seconds:.6}"),
        Err(why) => why.lines().next().unwrap_or_default().to_owned(),
    };
    println!("{shape}\t{stage}\t{n}\t{said}");
    let _ = std::io::stdout().flush();
}

/// Every stage on one program.
fn measure(asked: &Asked, stages: &[Stage], shape: &str, n: usize, program: &Program, seen: &mut Seen) -> Fallible<()> {
    let context = sconce_torch::context(false)?;
    let import = || sconce_import::with_object(&context, &program.unit, &program.objects);
    let imported = import()?;
    println!("{shape}\toperations\t{n}\t{}", operations(&imported));
    let mut counted = BTreeMap::new();
    if asked.wants("import") {
        let seconds = least(|| {
            let start = now();
            let module = import()?;
            let seconds = now() - start;
            drop(module);
            Ok(seconds)
        });
        report(shape, "import", n, &seconds.map_err(|e| e.to_string()));
    }
    let inputs = inputs(asked, imported)?;
    for stage in stages.iter().filter(|s| asked.wants(&s.name)) {
        let name = format!("{} ({})", stage.name, stage.input.name());
        let Some(input) = inputs.get(&stage.input) else { continue };
        counted.entry(stage.input).or_insert_with(|| {
            let (name, count) = (stage.input.name(), operations(input));
            println!("{shape}\toperations ({name})\t{n}\t{count}");
        });
        let key = format!("{shape} {name}");
        let result = if seen.is_hopeless(&key, n, asked.limit) {
            Err("would take too long".to_owned())
        } else {
            least(|| once(stage, asked, input)).map_err(|e| e.to_string())
        };
        report(shape, &name, n, &result);
        if let Ok(seconds) = result {
            seen.0.entry(key).or_default().push((n, seconds));
        }
    }
    Ok(())
}

fn main() -> Fallible<()> {
    let asked = Asked::read()?;
    if asked.instructions {
        clock::count_instructions().map_err(|e| format!("--measure instructions: nobody counts them here: {e}"))?;
    }
    sconce_torch::register()?;
    sconce_compiler::passes::register()?;
    let stages = stages();
    let mut seen = Seen::default();
    if let Some(model) = &asked.model {
        let program = Program::read(model, &std::fs::read(model)?)?;
        return measure(&asked, &stages, model, 1, &program, &mut seen);
    }
    let wanted = |name: &str| asked.shapes.is_empty() || asked.shapes.iter().any(|s| s == name);
    for shape in shapes::SHAPES.iter().filter(|s| wanted(s.name)) {
        for &n in &asked.sizes {
            let text = (shape.text)(n);
            match Program::read(&format!("forward.{}", shape.suffix), text.as_bytes()) {
                Ok(program) => measure(&asked, &stages, shape.name, n, &program, &mut seen)?,
                Err(e) => println!("{}\tread\t{n}\t{}", shape.name, e.to_string().replace('\n', " ")),
            }
        }
    }
    Ok(())
}
