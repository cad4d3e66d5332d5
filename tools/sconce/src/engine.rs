//! Where programs are loaded: options, operators of one's own, and who compiles.

use crate::error::{Error, Failure};
use crate::limits::CallLimits;
use crate::load::Beside;
use crate::module::Module;
use crate::planned::StaticOptions;
use crate::source::SourceOptions;
use sconce_executor::{Cache, CompileMode, NumericsMode, Settings};
use sconce_interpreter::{CustomKernel, CustomOperators, Program};
use sconce_request::{Alone, Answer, Checks, Compiler, Folding, Question, Rewrites};
use sconce_tensor::IValue;
use std::path::Path;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// How programs are compiled and run.
#[derive(Clone, Default)]
pub struct Options {
    /// When functions are compiled, and how their plans are chosen.
    pub executor: Settings,
    /// Who compiles, and reads MLIR; without one everything is interpreted.
    pub compiler: Option<Arc<dyn Compiler>>,
    /// Where what was compiled is kept.
    pub cache: Option<Arc<Cache>>,
    /// Watch the first runs, as the executor's settings say, also where nothing is compiled: for whoever wants the graphs that PyTorch's executor would show.
    pub watch: bool,
    /// Prefer the first NVIDIA GPU.
    pub gpu: bool,
    /// Compile code that stands alone, for whoever runs it elsewhere: this process does not.
    pub alone: Option<Alone>,
    /// How rewrite rules are applied to what is compiled.
    pub rewrites: Rewrites,
    /// Run by a static plan, in place of compiling.
    pub static_plan: Option<StaticOptions>,
    /// What calls may use.
    pub limits: CallLimits,
    /// Passes that run when something is compiled, behind all others: text as `sconce-opt --pass-pipeline` takes it.
    pub passes: Option<String>,
    /// How passes are looked after.
    pub checks: Checks,
    /// The share of calls, from 0 to 1, that the interpreter makes again: [`Module::mismatches`] has those after which it shows something else.
    pub shadow: f64,
    /// Map files in place of reading them. Large archives then share their memory with the system's cache and with other processes, but whoever cuts the file
    /// short while it is in use ends this process: for files that nobody changes.
    pub map_files: bool,
}

/// A stage of a program on its way to machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The graph as PyTorch prints it.
    Graph,
    /// The torch dialect of MLIR.
    Mlir,
    /// The interpreter's instructions.
    Bytecode,
    /// What only the compiler knows.
    Compiled(sconce_request::Stage),
}

/// Loads programs. A handle: clones are the same engine.
///
/// ```
/// use sconce::limits::CallLimits;
/// use sconce::{Engine, IValue, Options};
/// use std::time::Duration;
///
/// let limits = CallLimits { time: Some(Duration::from_secs(10)), ..CallLimits::default() };
/// let engine = Engine::new(Options { limits, ..Options::default() })?;
/// let text = "graph(%a : int, %b : int):\n  %c : int = aten::mul(%a, %b)\n  return (%c)\n";
/// let module = engine.load_bytes("product.txt", "product", text.as_bytes())?;
/// assert_eq!(module.call("product", &[IValue::Int(6), IValue::Int(7)])?.as_int()?, 42);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Engine(Arc<Shared>);

struct Shared {
    options: Options,
    custom: RwLock<CustomOperators>,
}

impl Engine {
    /// An engine with these options.
    ///
    /// # Errors
    /// None as of now; an option may come to need what is not there.
    pub fn new(options: Options) -> Result<Engine, Error> {
        crate::install_kernels();
        options.limits.apply();
        Ok(Engine(Arc::new(Shared { options, custom: RwLock::default() })))
    }

    /// The options that it was made with.
    pub fn options(&self) -> &Options {
        &self.0.options
    }

    pub(crate) fn compiler(&self) -> Option<Arc<dyn Compiler>> {
        self.0.options.compiler.clone()
    }

    /// Tells the compiler that it will be asked, where the first call compiles and nothing is kept that could be taken instead: a compiler in a process of its own
    /// starts while the caller reads files. [`Engine::load`] does this itself.
    pub fn expect_to_compile(&self) {
        let Options { executor, compiler, cache, .. } = self.options();
        if let Some(compiler) = compiler
            && executor.compile == CompileMode::Now
            && cache.as_ref().is_none_or(|cache| cache.is_empty())
        {
            compiler.expect();
        }
    }

    pub(crate) fn cache(&self) -> Option<&Arc<Cache>> {
        self.0.options.cache.as_ref()
    }

    /// The processor that code is made for, as far as the compiler's answer depends on it.
    pub(crate) fn target(&self) -> Arc<str> {
        sconce_exec::host_features().into()
    }

    /// Whether results keep the interpreter's bits.
    pub(crate) fn is_strict(&self) -> bool {
        self.0.options.executor.numerics == NumericsMode::Strict
    }

    /// What may be computed of weights that stay what they are.
    pub(crate) fn folding(&self) -> Folding {
        if self.is_strict() { Folding::SameBits } else { Folding::On }
    }

    /// Asks the compiler.
    ///
    /// # Errors
    /// There is none, or what it refuses.
    pub fn ask(&self, question: &Question) -> Result<Answer, Error> {
        let compiler = self.compiler().ok_or(Failure::NoCompiler)?;
        Ok(compiler.ask(question).map_err(|e| Failure::Compile(e.to_string()))?)
    }

    /// The engine of [`Module::load`]: default options, for as long as the process lives.
    pub fn shared() -> Result<&'static Engine, Error> {
        static SHARED: OnceLock<Engine> = OnceLock::new();
        match SHARED.get() {
            Some(engine) => Ok(engine),
            None => {
                let made = Engine::new(Options::default())?;
                Ok(SHARED.get_or_init(|| made))
            }
        }
    }

    /// Gives an operator that is not in the table its kernel, under the name that programs call it by: `my_namespace::my_op`. Programs that are loaded
    /// later find it.
    ///
    /// ```
    /// use sconce::{Engine, Options};
    /// use std::sync::Arc;
    ///
    /// let engine = Engine::new(Options::default())?;
    /// engine.register("mine::twice", Arc::new(|arguments| {
    ///     let n = arguments[0].as_int()?;
    ///     Ok([(2 * n).into()].into_iter().collect())
    /// }));
    /// let text = "graph(%n : int):\n  %m : int = mine::twice(%n)\n  return (%m)\n";
    /// let module = engine.load_bytes("twice.txt", "twice", text.as_bytes())?;
    /// assert_eq!(module.call("twice", &[21.into()])?.as_int()?, 42);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn register(&self, name: &str, kernel: CustomKernel) {
        let mut custom = self.0.custom.write().unwrap_or_else(PoisonError::into_inner);
        custom.insert(name.to_owned(), kernel);
    }

    pub(crate) fn custom(&self) -> CustomOperators {
        self.0.custom.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads a TorchScript archive, graph text, `.mlir` or a `.sconce` program, by what is in the file. A single graph is called by the file's name up to
    /// its first dot.
    pub fn load(&self, path: &Path) -> Result<Module, Error> {
        crate::load::file(self, path)
    }

    /// The same from memory; `name` is for messages, `function` the name of a single graph's function.
    pub fn load_bytes(&self, name: &str, function: &str, bytes: &[u8]) -> Result<Module, Error> {
        crate::load::bytes(self, name, function, bytes, &Beside::Nowhere)
    }

    /// The same; a single graph is called as if it were in a file of this name: `relu.txt` holds `relu`.
    pub fn load_named(&self, name: &str, bytes: &[u8]) -> Result<Module, Error> {
        self.load_bytes(name, &crate::load::stem(Path::new(name)), bytes)
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
    pub fn compile_source(&self, file: &str, text: &str, options: &SourceOptions) -> Result<Module, Error> {
        crate::source::module(self, file, text, options)
    }

    /// A compiled program.
    pub fn load_program(&self, program: Arc<Program>) -> Module {
        let object = match &program.object {
            Some(IValue::Object(object)) => Some(object.clone()),
            _ => None,
        };
        Module::new(self, program, object)
    }
}
