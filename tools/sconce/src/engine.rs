//! Where programs are loaded: one context for all of them, and how they are compiled.

use crate::error::Error;
use crate::limits::CallLimits;
use crate::module::Module;
use crate::planned::StaticOptions;
use crate::source::SourceOptions;
use sconce_import::Texts;
use sconce_interpreter::{CustomKernel, CustomOperators, Program};
use sconce_ir::prelude::*;
use sconce_tensor::IValue;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

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
    /// Run by a static plan, in place of compiling.
    pub static_plan: Option<StaticOptions>,
    /// The command `sconce`, which reads MLIR bytecode in a process of its own; without it bytecode is refused.
    pub mlir_reader: Option<PathBuf>,
    /// What calls may use.
    pub limits: CallLimits,
    /// Map files in place of reading them. Large archives then share their memory with the system's cache and with other processes, but whoever cuts the file
    /// short while it is in use ends this process: for files that nobody changes.
    pub map_files: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            compile: true,
            dynamic: false,
            gpu: false,
            seed: 0,
            static_plan: None,
            mlir_reader: None,
            limits: CallLimits::default(),
            map_files: false,
        }
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

/// An MLIR context with every dialect and the op table.
pub fn context() -> Result<Context, Error> {
    Ok(sconce_torch::context(false)?)
}

/// Loads programs; its context lives as long as they do.
pub struct Engine {
    /// Made when something is compiled, or read as MLIR.
    context: OnceCell<Context>,
    pub(crate) options: Options,
    custom: RwLock<CustomOperators>,
}

impl Engine {
    pub fn new(options: Options) -> Result<Engine, Error> {
        options.limits.apply();
        Ok(Engine { context: OnceCell::new(), options, custom: RwLock::default() })
    }

    pub(crate) fn context(&self) -> Result<&Context, Error> {
        if let Some(made) = self.context.get() {
            return Ok(made);
        }
        let made = context()?;
        Ok(self.context.get_or_init(|| made))
    }

    /// The engine of [`Module::load`]: default options, one for each thread that asks, for as long as the process lives.
    pub fn shared() -> Result<&'static Engine, Error> {
        thread_local! {
            static SHARED: OnceCell<&'static Engine> = const { OnceCell::new() };
        }
        SHARED.with(|shared| match shared.get() {
            Some(engine) => Ok(*engine),
            None => {
                let engine: &'static Engine = Box::leak(Box::new(Engine::new(Options::default())?));
                Ok(*shared.get_or_init(|| engine))
            }
        })
    }

    /// Gives an operator that is not in the table its kernel, under the name that programs call it by: `my_namespace::my_op`. Programs that are loaded
    /// later find it.
    pub fn register(&self, name: &str, kernel: CustomKernel) {
        let mut custom = self.custom.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        custom.insert(name.to_owned(), kernel);
    }

    pub(crate) fn custom(&self) -> CustomOperators {
        self.custom.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Reads a TorchScript archive, graph text, `.mlir` or a `.sconce` program, by what is in the file. A single graph is called by the file's name up to
    /// its first dot.
    pub fn load(&self, path: &Path) -> Result<Module<'_>, Error> {
        crate::load::file(self, path)
    }

    /// The same from memory; `name` is for messages, `function` the name of a single graph's function.
    pub fn load_bytes(&self, name: &str, function: &str, bytes: &[u8]) -> Result<Module<'_>, Error> {
        crate::load::bytes(self, name, function, bytes)
    }

    /// Compiles TorchScript source. `file` is for messages, and its name begins qualified names.
    ///
    /// ```
    /// use sconce::{Engine, Options, SourceOptions};
    /// let engine = Engine::new(Options::default())?;
    /// let mut module = engine.compile_source("model.py", "def f(n: int):\n    return n * 2\n", &SourceOptions::default())?;
    /// assert_eq!(module.call("f", &[21.into()])?.as_int()?, 42);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile_source(&self, file: &str, text: &str, options: &SourceOptions) -> Result<Module<'_>, Error> {
        crate::source::module(self, file, text, options)
    }

    /// A module of the torch dialect.
    pub fn load_mlir<'e>(&'e self, mlir: sconce_ir::Module<'e>) -> Result<Module<'e>, Error> {
        let unit = sconce_import::program_from_dialect(&mlir, &Texts::default())?;
        let program = Arc::new(sconce_bytecode::lower(&unit, &BTreeMap::new())?);
        Ok(Module::new(self, program, None).with_mlir(mlir))
    }

    /// A compiled program.
    pub fn load_program(&self, program: Arc<Program>) -> Module<'_> {
        let object = match &program.object {
            Some(IValue::Object(object)) => Some(object.clone()),
            _ => None,
        };
        Module::new(self, program, object)
    }
}
