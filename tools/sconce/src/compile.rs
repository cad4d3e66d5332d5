//! A function for the types it is called with: types are refined, regions outlined and compiled, and what remains becomes bytecode around them.

use crate::engine::{Error, Options, Stage};
use crate::report::{InterpretedRow, RegionRow, Report};
use sconce_analysis::refine::specialize;
use sconce_analysis::types::Tensor as TensorShape;
use sconce_cpu::{CodeOptions, Linker, RegionResult};
use sconce_interpreter::Executable;
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
    specialize(find(root, function)?, &signature.shapes())?;
    let supports = |op: OperationRef<'_, '_>| sconce_linalg::supports(op.context_ref(), op).map_err(|e| e.to_string());
    let report = outline(root, &supports, &OutlineOptions::default())?;
    verify(root)?;
    Ok((copy, report))
}

fn clone_module<'c>(mlir: &Module<'c>) -> Result<Module<'c>, Error> {
    let operation = std::ops::Deref::deref(&mlir.as_operation()).clone();
    Module::from_operation(operation).ok_or_else(|| Error::Compile("the copy of a module is none".into()))
}

/// Compiles a function for arguments of a signature. A region that cannot be compiled is interpreted, and the report says why.
pub fn compile(mlir: &Module<'_>, function: &str, signature: &Signature, options: &Options) -> Result<Compiled, Error> {
    let (module, outlined) = outlined(mlir, function, signature)?;
    let results = sconce_cpu::compile_regions(module.as_operation(), &CodeOptions::default());
    let program = sconce_bytecode::lower(&module, &BTreeMap::new())?;
    let executable = Executable::new(Arc::new(program))?;
    let program = executable.program().clone();
    let mut notes = Vec::new();
    if options.gpu {
        let why =
            sconce_cuda::Gpu::first().err().map_or("the GPU back end takes no region yet".into(), |e| e.to_string());
        notes.push(format!("no GPU code runs: {why}; everything runs on the CPU"));
    }
    let linker = if results.is_empty() { None } else { Some(linker()?) };
    let mut regions = Vec::new();
    for RegionResult { name, outcome, .. } in results {
        let operations =
            outlined.regions.iter().find(|r| r.name == name).map(|r| r.operators.clone()).unwrap_or_default();
        let mut row = RegionRow { name, operations, target: "cpu".into(), bytes: 0, compiled: 0, fallback: 0 };
        let linked = match (&linker, outcome) {
            (Some(l), Ok(object)) => {
                row.bytes = object.object.len();
                l.link(&object).map_err(|e| e.to_string())
            }
            (None, Ok(_)) => Err("there is no linker".into()),
            (_, Err(why)) => Err(why),
        };
        match linked {
            Ok(native) => {
                let id = program.regions.iter().position(|r| *r.name == *row.name);
                let id = id.ok_or_else(|| Error::Compile(format!("region {} is not in the program", row.name)))?;
                executable.bind_region(id as u32, Some(Arc::new(native)));
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
