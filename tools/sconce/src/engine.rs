//! Loading programs, calling them, and looking at every stage: what was compiled always has the interpreter beneath it.
//!
//! ```no_run
//! use sconce::engine::{Engine, Options};
//! use sconce_tensor::{IValue, Tensor};
//!
//! let engine = Engine::new(Options::default())?;
//! let mut module = engine.load("relu.txt".as_ref())?;
//! let x = IValue::Tensor(Tensor::from_vec(vec![-1f32, 2.], &[2]));
//! let y = module.call("relu", &[x])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::compile::{self, Compiled, Signature};
use crate::report::Report;
use sconce_interpreter::{Executable, LoadError, Options as RunOptions, Output, Program, RunError};
use sconce_ir::prelude::*;
use sconce_kernels::Outputs;
use sconce_schema::Type as ScriptType;
use sconce_syntax::graph_text::Spelling;
use sconce_tensor::IValue;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// How programs are compiled and run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Compile what can be compiled; off, everything is interpreted.
    pub compile: bool,
    /// Compile for any sizes of the rank at hand.
    pub dynamic: bool,
    /// Prefer the first NVIDIA GPU.
    pub gpu: bool,
    /// Seed of the program's random numbers.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { compile: true, dynamic: false, gpu: false, seed: 0 }
    }
}

/// A stage of a program on its way to machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    Graph,
    Mlir,
    Bytecode,
    Fused,
    Linalg,
    Llvm,
    Asm,
    Ptx { chip: String },
}

/// Why a program cannot be loaded, called or shown.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{path}: {source}")]
    Io { path: String, source: std::io::Error },
    #[error("{path}: neither graph text, nor .mlir, nor a compiled .sconce program (its first line is {first:?})")]
    UnknownFile { path: String, first: String },
    /// Text that is wrong, shown with its place.
    #[error("{0}")]
    Text(String),
    #[error(transparent)]
    Graph(sconce_graph::Error),
    #[error(transparent)]
    Ir(#[from] sconce_ir::Error),
    #[error(transparent)]
    Bytecode(#[from] sconce_bytecode::Error),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Format(#[from] sconce_interpreter::FormatError),
    #[error("{0}")]
    Run(#[from] Box<RunError>),
    #[error("there is no function '{name}'; there are {have}")]
    NoFunction { name: String, have: String },
    #[error("{function}() takes {expected} arguments ({parameters}), {given} given")]
    Arity { function: String, expected: usize, given: usize, parameters: String },
    #[error("{function}() expected a value of type {expected} for argument '{parameter}', got {got}")]
    Argument { function: String, parameter: String, expected: String, got: String },
    #[error("a compiled program has bytecode only: nothing to show as {stage}")]
    NoSource { stage: &'static str },
    #[error("{0}")]
    Compile(String),
}

impl From<sconce_graph::Error> for Error {
    fn from(e: sconce_graph::Error) -> Error {
        match e {
            sconce_graph::Error::Text(e) => Error::Text(e.report(false)),
            e => Error::Graph(e),
        }
    }
}

impl Error {
    /// Operators that are missing, when that is why.
    pub fn missing_operators(&self) -> Vec<String> {
        match self {
            Error::Bytecode(sconce_bytecode::Error::Unsupported(list)) => list.iter().map(|u| u.op.clone()).collect(),
            _ => Vec::new(),
        }
    }
}

/// An MLIR context with every dialect and the op table.
pub fn context() -> Result<Context, Error> {
    Ok(sconce_torch::context(false)?)
}

/// Loads programs; its context lives as long as they do.
pub struct Engine {
    context: Context,
    options: Options,
}

/// A loaded program. A function is compiled anew for each set of argument types it is called with.
pub struct Module<'e> {
    engine: &'e Engine,
    /// `None` for a program that came compiled.
    mlir: Option<sconce_ir::Module<'e>>,
    program: Arc<Program>,
    plain: Option<Arc<Executable>>,
    compiled: BTreeMap<(String, Signature), Arc<Compiled>>,
    last: Option<Arc<Compiled>>,
    output: Option<Output>,
}

impl Engine {
    pub fn new(options: Options) -> Result<Engine, Error> {
        Ok(Engine { context: context()?, options })
    }

    /// Reads graph text, `.mlir` or a `.sconce` program, by what is in the file. A single graph is called by the file's name up to its first dot.
    pub fn load(&self, path: &Path) -> Result<Module<'_>, Error> {
        let shown = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|source| Error::Io { path: shown.clone(), source })?;
        let stem = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let stem = stem.split('.').next().filter(|s| !s.is_empty()).unwrap_or("forward").to_string();
        self.load_bytes(&shown, &stem, &bytes)
    }

    /// The same from memory; `name` is for messages, `function` the name of a single graph's function.
    pub fn load_bytes(&self, name: &str, function: &str, bytes: &[u8]) -> Result<Module<'_>, Error> {
        if bytes.starts_with(&sconce_interpreter::MAGIC) {
            let program = Arc::new(Program::from_bytes(bytes)?);
            return Ok(self.module(None, program));
        }
        let text = std::str::from_utf8(bytes).ok();
        let first = text.and_then(|t| t.lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with('#')));
        let is_graph = first.is_some_and(|l| l.starts_with("graph") || l.starts_with("== "));
        let mlir = match text {
            Some(text) if is_graph => sconce_graph::import_text(&self.context, name, text, function)?.module,
            _ if name.ends_with(".mlir") || name.ends_with(".mlirbc") => parse_module(&self.context, bytes, name)?,
            _ => {
                let first = first.unwrap_or("not text").chars().take(60).collect();
                return Err(Error::UnknownFile { path: name.into(), first });
            }
        };
        self.load_mlir(mlir)
    }

    /// A module of the torch dialect.
    pub fn load_mlir<'e>(&'e self, mlir: sconce_ir::Module<'e>) -> Result<Module<'e>, Error> {
        let program = Arc::new(sconce_bytecode::lower(&mlir, &BTreeMap::new())?);
        Ok(self.module(Some(mlir), program))
    }

    fn module<'e>(&'e self, mlir: Option<sconce_ir::Module<'e>>, program: Arc<Program>) -> Module<'e> {
        let output: Output = Arc::new(Mutex::new(std::io::stdout()));
        Module { engine: self, mlir, program, plain: None, compiled: BTreeMap::new(), last: None, output: Some(output) }
    }
}

impl<'e> Module<'e> {
    /// Names of the functions, in order.
    pub fn functions(&self) -> Vec<&str> {
        self.program.functions.iter().map(|f| &*f.name).collect()
    }

    /// The function of this name, or whose qualified name ends in it; without a name `forward`, else the first.
    pub fn function_or_default(&self, name: Option<&str>) -> Result<String, Error> {
        let functions = self.functions();
        let ends = |want: &str| functions.iter().find(|f| **f == want || f.rsplit('.').next() == Some(want)).copied();
        let found = match name {
            Some(name) => ends(name),
            None => ends("forward").or(functions.first().copied()),
        };
        found.map(str::to_string).ok_or_else(|| Error::NoFunction {
            name: name.unwrap_or("forward").into(),
            have: if functions.is_empty() { "none".into() } else { functions.join(", ") },
        })
    }

    /// As [`Module::function_or_default`], but a program of one function has no other: recordings call a plain function `forward`.
    pub fn function_or_only(&self, name: &str) -> Result<String, Error> {
        match self.functions().as_slice() {
            [only] => Ok(only.to_string()),
            _ => self.function_or_default(Some(name)),
        }
    }

    /// Signature and bytecode of a function.
    pub fn function(&self, name: &str) -> Result<&sconce_interpreter::Function, Error> {
        Ok(&self.program.functions[self.id(name)? as usize])
    }

    fn id(&self, name: &str) -> Result<u32, Error> {
        self.program
            .function(name)
            .ok_or_else(|| Error::NoFunction { name: name.into(), have: self.functions().join(", ") })
    }

    /// Parameter names and types.
    pub fn parameters(&self, function: &str) -> Result<Vec<(String, ScriptType)>, Error> {
        let f = &self.program.functions[self.id(function)? as usize];
        Ok(f.parameters.iter().map(|p| (p.name.to_string(), p.ty.clone())).collect())
    }

    /// Where the program's `print` goes; standard output unless set. `None` discards it.
    pub fn set_output(&mut self, output: Option<Output>) {
        self.output = output;
    }

    fn check_arguments(&self, function: &str, arguments: &[IValue]) -> Result<u32, Error> {
        let id = self.id(function)?;
        let parameters = &self.program.functions[id as usize].parameters;
        let required = parameters.iter().filter(|p| p.default.is_none()).count();
        if arguments.len() > parameters.len() || arguments.len() < required {
            return Err(Error::Arity {
                function: function.into(),
                expected: parameters.len(),
                given: arguments.len(),
                parameters: parameters.iter().map(|p| format!("{}: {}", p.name, p.ty)).collect::<Vec<_>>().join(", "),
            });
        }
        for (p, v) in parameters.iter().zip(arguments) {
            if !self.program.is_instance(v, &p.ty) {
                return Err(Error::Argument {
                    function: function.into(),
                    parameter: p.name.to_string(),
                    expected: p.ty.to_string(),
                    got: v.kind().into(),
                });
            }
        }
        Ok(id)
    }

    /// Calls a function. Several results come as a tuple, as graphs with several outputs give them.
    pub fn call(&mut self, function: &str, arguments: &[IValue]) -> Result<IValue, Error> {
        self.check_arguments(function, arguments)?;
        let options = RunOptions { output: self.output.clone(), ..RunOptions::default() };
        let mut outputs = self.call_with(function, arguments.to_vec(), &options)?;
        Ok(match outputs.len() {
            0 => IValue::None,
            1 => outputs.remove(0),
            _ => IValue::tuple(outputs.into_vec()),
        })
    }

    /// Calls a function under the interpreter's own options; results as the function returns them. Arguments are the interpreter's to check.
    pub fn call_with(
        &mut self,
        function: &str,
        arguments: Vec<IValue>,
        options: &RunOptions,
    ) -> Result<Outputs, Error> {
        let (executable, id) = if self.engine.options.compile && self.mlir.is_some() {
            let compiled = self.compile(function, &arguments)?;
            (compiled.executable.clone(), compiled.function)
        } else {
            (self.plain()?, self.id(function)?)
        };
        Ok(executable.run(id, arguments, options).map_err(Box::new)?)
    }

    /// The program without compiled regions, ready to run; a program that came compiled has its regions bound.
    pub fn plain(&mut self) -> Result<Arc<Executable>, Error> {
        if let Some(e) = &self.plain {
            return Ok(e.clone());
        }
        let executable = Arc::new(Executable::new(self.program.clone())?);
        self.plain = Some(executable.clone());
        Ok(executable)
    }

    fn compile(&mut self, function: &str, arguments: &[IValue]) -> Result<Arc<Compiled>, Error> {
        let mlir = self.mlir.as_ref().ok_or(Error::NoSource { stage: "a compiled function" })?;
        let signature = Signature::of(arguments, self.engine.options.dynamic);
        let key = (function.to_string(), signature);
        let compiled = match self.compiled.get(&key) {
            Some(c) => c.clone(),
            None => {
                let c = Arc::new(compile::compile(mlir, function, &key.1, &self.engine.options)?);
                self.compiled.insert(key, c.clone());
                c
            }
        };
        self.last = Some(compiled.clone());
        Ok(compiled)
    }

    /// What ran where in the calls so far.
    pub fn report(&self, function: &str) -> Report {
        match &self.last {
            Some(c) => c.report(),
            None => Report::interpreted(function),
        }
    }

    /// The text of a stage. Stages after bytecode need the arguments' types.
    pub fn show(&mut self, function: &str, arguments: &[IValue], stage: &Stage) -> Result<String, Error> {
        let source = |m: &Self, stage| if m.mlir.is_some() { Ok(()) } else { Err(Error::NoSource { stage }) };
        match stage {
            Stage::Bytecode => Ok(self.program.listing(self.id(function)?)),
            Stage::Graph => {
                source(self, "graph text")?;
                let mlir = self.mlir.as_ref().ok_or(Error::NoSource { stage: "graph text" })?;
                Ok(sconce_graph::export(mlir, Spelling::Colons)?)
            }
            Stage::Mlir => {
                let mlir = self.mlir.as_ref().ok_or(Error::NoSource { stage: "MLIR" })?;
                let options = PrintOptions { name_locations_as_prefix: true, ..PrintOptions::default() };
                Ok(print(mlir.as_operation(), &options))
            }
            later => {
                let mlir = self.mlir.as_ref().ok_or(Error::NoSource { stage: "a compiled region" })?;
                let signature = if arguments.is_empty() {
                    Signature::declared(self.parameters(function)?.iter().map(|p| &p.1))
                } else {
                    self.check_arguments(function, arguments)?;
                    Signature::of(arguments, self.engine.options.dynamic)
                };
                compile::show(mlir, function, &signature, later, &self.engine.options)
            }
        }
    }
}
