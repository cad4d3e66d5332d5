//! A function for the types it is called with: types are refined, regions outlined and compiled, and what remains becomes bytecode around them.

use crate::engine::{Options, Stage};
use crate::error::Error;
use crate::report::{InterpretedRow, RegionRow, Report};
use sconce_analysis::refine::specialize;
use sconce_analysis::types::Tensor as TensorShape;
use sconce_bytecode::RegionArtifact;
use sconce_cpu::{CodeOptions, Linker, RegionResult};
use sconce_exec::{GpuRegion, cpu_code, ptx_code};
use sconce_import::Texts;
use sconce_interpreter::program::RegionCode;
use sconce_interpreter::{CompiledRegion, CustomOperators, Executable};
use sconce_ir::Module;
use sconce_ir::prelude::*;
use sconce_regions::{NotTaken, Options as OutlineOptions, Report as OutlineReport, outline};
use sconce_schema::types::Dim;
use sconce_schema::{DType, Type};
use sconce_tensor::IValue;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// What compiling depends on: for each argument that is a tensor its dtype and sizes (`None`: any).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Signature(Vec<Option<(DType, Vec<Option<i64>>)>>);

impl Signature {
    /// The types of arguments. With `dynamic`, only sizes of 0 and 1, which broadcast and fold differently, stay known.
    pub fn of(arguments: &[IValue], dynamic: bool) -> Signature {
        let size = |s: i64| (!dynamic || s <= 1).then_some(s);
        let one = |v: &IValue| match v {
            IValue::Tensor(t) => Some((t.dtype(), t.sizes().iter().map(|&s| size(s)).collect())),
            _ => None,
        };
        Signature(arguments.iter().map(one).collect())
    }

    /// What the program itself declares of its parameters.
    pub fn declared<'t>(types: impl Iterator<Item = &'t Type>) -> Signature {
        let one = |ty: &Type| match ty {
            Type::Tensor(t) => {
                let known = |d: &Dim| if let Dim::Known(n) = d { Some(*n) } else { None };
                Some((t.dtype?, t.sizes.as_ref()?.iter().map(known).collect()))
            }
            _ => None,
        };
        Signature(types.map(one).collect())
    }

    fn shapes(&self) -> Vec<Option<TensorShape>> {
        let one = |(dtype, sizes): &(DType, Vec<Option<i64>>)| TensorShape {
            value: false,
            sizes: Some(sizes.iter().copied().collect()),
            dtype: Some(*dtype),
        };
        self.0.iter().map(|s| s.as_ref().map(one)).collect()
    }
}

/// A function ready for arguments of one signature.
pub struct Compiled {
    pub executable: Arc<Executable>,
    /// The function's number in the executable's program.
    pub function: u32,
    name: String,
    regions: Vec<RegionRow>,
    not_taken: Vec<NotTaken>,
    notes: Vec<String>,
}

impl Compiled {
    pub fn report(&self) -> Report {
        let names = self.executable.program().regions.iter().map(|r| r.name.to_string());
        let counts: BTreeMap<String, _> = names.zip(0..).map(|(n, i)| (n, self.executable.region_counts(i))).collect();
        let regions = self
            .regions
            .iter()
            .map(|r| {
                let c = counts.get(&r.name).copied().unwrap_or_default();
                RegionRow { compiled: c.compiled, fallback: c.fallback, ..r.clone() }
            })
            .collect();
        let mut rows: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for n in &self.not_taken {
            *rows.entry((&n.operator, &n.why)).or_default() += 1;
        }
        let interpreted = rows
            .into_iter()
            .map(|((op, why), count)| InterpretedRow { operation: op.into(), count, reason: why.into() })
            .collect();
        Report { function: self.name.clone(), regions, interpreted, notes: self.notes.clone() }
    }
}

/// One linker for the process: ORC's start-up is paid once.
fn linker() -> Result<Arc<Linker>, Error> {
    static LINKER: OnceLock<Result<Arc<Linker>, String>> = OnceLock::new();
    LINKER.get_or_init(|| Linker::new().map_err(|e| e.to_string())).clone().map_err(Error::Compile)
}

fn find<'c, 'a>(root: OperationRef<'c, 'a>, function: &str) -> Result<OperationRef<'c, 'a>, Error> {
    root.find_all("func.func")
        .into_iter()
        .find(|f| f.symbol_name() == Some(function))
        .ok_or_else(|| Error::NoFunction { name: function.into(), have: "others".into() })
}

/// A copy of the module, specialised and with its regions outlined.
fn outlined<'c>(
    mlir: &Module<'c>,
    function: &str,
    signature: &Signature,
) -> Result<(Module<'c>, OutlineReport), Error> {
    let copy = clone_module(mlir)?;
    let root = copy.as_operation();
    let shapes = signature.shapes();
    find(root, function)?;
    for f in root.find_all("func.func") {
        let is_called = f.symbol_name() == Some(function);
        specialize(f, if is_called { &shapes } else { &[] })?;
    }
    let supports = |op: OperationRef<'_, '_>| sconce_linalg::supports(op.context_ref(), op).map_err(|e| e.to_string());
    let report = outline(root, &supports, &OutlineOptions::default())?;
    verify(root)?;
    Ok((copy, report))
}

fn clone_module<'c>(mlir: &Module<'c>) -> Result<Module<'c>, Error> {
    let operation = std::ops::Deref::deref(&mlir.as_operation()).clone();
    Module::from_operation(operation).ok_or_else(|| Error::Compile("the copy of a module is none".into()))
}

/// A region's code for GPUs, and its kernels if there is one to run them.
struct KernelRegion {
    codes: Vec<RegionCode>,
    loaded: Option<GpuRegion>,
}

/// PTX of every region that has some, loaded where there is a GPU; a note says why one has none, or why nothing is loaded.
fn gpu_regions(module: &Module<'_>, notes: &mut Vec<String>) -> BTreeMap<String, KernelRegion> {
    let driver = sconce_cuda::Gpu::first();
    if let Err(why) = &driver {
        notes.push(format!("no GPU code runs: {why}; everything runs on the CPU"));
    }
    let mut regions = BTreeMap::new();
    for (name, outcome) in sconce_gpu::compile_regions(module.as_operation()) {
        let (spec, compiled) = match outcome {
            Ok(made) => made,
            Err(why) => {
                notes.push(format!("region {name} has no GPU code: {why}"));
                continue;
            }
        };
        let codes = compiled.ptx.iter().map(|(chip, text)| ptx_code(&spec, &compiled.plan, chip, text)).collect();
        let loaded = driver.as_ref().ok().and_then(|_| match sconce_gpu::load(&spec, &compiled) {
            Ok(region) => Some(region),
            Err(why) => {
                notes.push(format!("region {name} does not run on the GPU: {why}"));
                None
            }
        });
        regions.insert(name, KernelRegion { codes, loaded });
    }
    regions
}

/// What the program keeps of each region's code: the object for this processor, and PTX beside it.
fn artifacts(results: &[RegionResult], kernels: &BTreeMap<String, KernelRegion>) -> BTreeMap<String, RegionArtifact> {
    let host = sconce_ir::jit::host();
    let artifact = |r: &RegionResult| {
        let object = r.outcome.as_ref().ok().map(|o| cpu_code(&o.spec, &o.object, &host.cpu, &host.features));
        let ptx = kernels.get(&r.name).map(|k| k.codes.clone()).unwrap_or_default();
        // The code's own specification says more than the Program's guards can; loading it checks that.
        (r.name.clone(), RegionArtifact { guards: Vec::new(), codes: object.into_iter().chain(ptx).collect() })
    };
    results.iter().map(artifact).collect()
}

/// Compiles a function for arguments of a signature. A region that cannot be compiled is interpreted, and the report says why.
pub fn compile(
    mlir: &Module<'_>,
    function: &str,
    signature: &Signature,
    options: &Options,
    custom: &CustomOperators,
    texts: &Texts,
) -> Result<Compiled, Error> {
    let (module, outlined) = outlined(mlir, function, signature)?;
    let results = sconce_cpu::compile_regions(module.as_operation(), &CodeOptions::default());
    let mut notes = Vec::new();
    let mut kernels = if options.gpu { gpu_regions(&module, &mut notes) } else { BTreeMap::new() };
    let unit = sconce_import::program_from_dialect(&module, texts)?;
    let program = sconce_bytecode::lower(&unit, &artifacts(&results, &kernels))?;
    let executable = Executable::with_operators(Arc::new(program), custom)?;
    let program = executable.program().clone();
    let linker = if results.is_empty() { None } else { Some(linker()?) };
    let mut regions = Vec::new();
    for RegionResult { name, outcome, .. } in results {
        let operations =
            outlined.regions.iter().find(|r| r.name == name).map(|r| r.operators.clone()).unwrap_or_default();
        let mut row = RegionRow { name, operations, target: "cpu".into(), bytes: 0, compiled: 0, fallback: 0 };
        let linked: Result<Arc<dyn CompiledRegion>, String> = match (kernels.remove(&row.name), &linker, outcome) {
            (Some(KernelRegion { loaded: Some(kernel), codes }), ..) => {
                row.target = "gpu".into();
                row.bytes = codes.iter().map(|c| c.bytes.len()).max().unwrap_or_default();
                Ok(Arc::new(kernel))
            }
            (_, Some(l), Ok(object)) => {
                row.bytes = object.object.len();
                l.link(&object).map(|native| Arc::new(native) as _).map_err(|e| e.to_string())
            }
            (_, None, Ok(_)) => Err("there is no linker".into()),
            (_, _, Err(why)) => Err(why),
        };
        match linked {
            Ok(native) => {
                let id = program.regions.iter().position(|r| *r.name == *row.name);
                let id = id.ok_or_else(|| Error::Compile(format!("region {} is not in the program", row.name)))?;
                executable.bind_region(id as u32, Some(native));
            }
            Err(why) => row.target = format!("no target (interpreted): {why}"),
        }
        regions.push(row);
    }
    let function_id = program.function(function).ok_or_else(|| Error::Compile(format!("@{function} is gone")))?;
    Ok(Compiled {
        executable: Arc::new(executable),
        function: function_id,
        name: function.into(),
        regions,
        not_taken: outlined.not_taken.into_iter().filter(|n| n.function == function).collect(),
        notes,
    })
}

/// The text of a stage after outlining.
pub fn show(
    mlir: &Module<'_>,
    function: &str,
    signature: &Signature,
    stage: &Stage,
    _options: &Options,
) -> Result<String, Error> {
    let (module, outlined) = outlined(mlir, function, signature)?;
    if *stage == Stage::Fused {
        let options = PrintOptions { name_locations_as_prefix: true, ..PrintOptions::default() };
        return Ok(print(module.as_operation(), &options));
    }
    if outlined.regions.is_empty() {
        let why: Vec<String> = outlined.not_taken.iter().map(|n| format!("{}: {}", n.operator, n.why)).collect();
        let why = if why.is_empty() { "it computes nothing with tensors".into() } else { why.join("; ") };
        return Err(Error::Compile(format!("nothing of {function} is compiled: {why}")));
    }
    if let Stage::Ptx { chip } = stage {
        return show_ptx(&module, chip);
    }
    let wanted = match stage {
        Stage::Linalg => sconce_cpu::Stage::Linalg,
        Stage::Llvm => sconce_cpu::Stage::Llvm,
        Stage::Asm => sconce_cpu::Stage::Assembly,
        other => return Err(Error::Compile(format!("{other:?} is not a stage of the CPU"))),
    };
    let options = CodeOptions { keep_text: true, ..CodeOptions::default() };
    let comment = if matches!(wanted, sconce_cpu::Stage::Linalg) { "//" } else { ";" };
    let mut out = String::new();
    for region in sconce_cpu::compile_regions(module.as_operation(), &options) {
        let object = region.outcome.map_err(|why| Error::Compile(format!("region {}: {why}", region.name)))?;
        for (_, text) in object.texts.iter().filter(|(s, _)| *s == wanted) {
            out.push_str(&format!("{comment} region {}\n{}\n", region.name, text.trim_end()));
        }
    }
    Ok(out)
}

/// PTX of every region, with its launch plan as comments.
fn show_ptx(module: &Module<'_>, chip: &str) -> Result<String, Error> {
    if !sconce_gpu::CHIPS.contains(&chip) {
        return Err(Error::Compile(format!(
            "there is no code for {chip}, only for {}",
            sconce_gpu::CHIPS.join(" and ")
        )));
    }
    let mut out = String::new();
    for (name, outcome) in sconce_gpu::compile_regions(module.as_operation()) {
        let (_, compiled) = outcome.map_err(|why| Error::Compile(format!("region {name}: {why}")))?;
        out.push_str(&format!("// region {name}\n"));
        for (key, value) in compiled.plan.to_metadata() {
            out.push_str(&format!("// {key}: {value}\n"));
        }
        for (_, text) in compiled.ptx.iter().filter(|(c, _)| c == chip) {
            out.push_str(text.trim_end());
            out.push('\n');
        }
    }
    Ok(out)
}
