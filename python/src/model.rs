//! The class `Model`: a loaded program, or a module inside it by its path. Any number of threads may call it.

use crate::calls::Method;
use crate::errors;
use crate::output::StandardOutput;
use crate::tensor::PyTensor;
use crate::values::{Arguments, object};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use sconce::engine::Stage;
use sconce::executor::{CacheOptions, CachePlace, CompileMode, Settings};
use sconce::request::{Limits, Stage as Later, Worker};
use sconce::schema::Type;
use sconce::tensor::IValue;
use sconce::written::Form;
use sconce::{Engine, Error, Module, Options, SourceOptions, Tensor};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

/// A program, with what loading it again takes.
pub struct Loaded {
    pub module: Module,
    origin: Origin,
    /// When its functions are compiled, in the library's words.
    compile: String,
}

/// Where a program came from.
enum Origin {
    Bytes {
        name: String,
        bytes: Vec<u8>,
    },
    File {
        path: PathBuf,
        seen: Option<Seen>,
    },
    Source {
        name: String,
        text: String,
        entry: Option<String>,
    },
    /// It is what a pipeline left.
    Made,
}

/// What tells that a file is another: its length, and when it was written.
type Seen = (u64, SystemTime);

fn seen(path: &Path) -> Option<Seen> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

/// A loaded program (`torch.jit.ScriptModule`), or a module in it.
///
/// Its methods, submodules, parameters, buffers and other attributes are attributes of this object.
#[pyclass(frozen, module = "sconce")]
pub struct Model {
    loaded: Arc<Loaded>,
    /// The module's, such as `layers.0`; empty for the whole program.
    path: String,
    /// What a call of the object calls.
    default: OnceLock<Py<Method>>,
    methods: Mutex<HashMap<String, Py<Method>>>,
}

/// How programs are run.
fn engine(py: Python<'_>, compile: &str, compiler: Option<PathBuf>, mmap: bool) -> PyResult<Engine> {
    let mode: CompileMode = compile.parse().map_err(|e| PyValueError::new_err(format!("{e}")))?;
    let worker = compiler.map(|program| Arc::new(Worker::new(program, Vec::new(), Limits::default())) as _);
    if worker.is_none() && mode != CompileMode::Off {
        return Err(errors::exception(py, Error::no_compiler()));
    }
    // Without a folder that is its user's alone nothing is kept, and everything works.
    let kept = || sconce::cache::open(&CachePlace::of(None)?, CacheOptions::default()).ok().map(Arc::new);
    let cache = if mode == CompileMode::Off { None } else { kept() };
    let executor = Settings { compile: mode, ..Settings::default() };
    let options = Options { executor, compiler: worker, cache, map_files: mmap, ..Options::default() };
    Engine::new(options).map_err(|e| errors::exception(py, e))
}

/// The model of what was loaded, or why nothing was.
fn finished(py: Python<'_>, compile: String, origin: Origin, result: Result<Module, Error>) -> PyResult<Model> {
    let mut module = result.map_err(|e| errors::exception(py, e))?;
    module.set_output(Some(Arc::new(Mutex::new(StandardOutput))));
    // What is written from the module itself is not kept beside it.
    let origin = match origin {
        Origin::Bytes { .. } if is_written(&module) => Origin::Made,
        other => other,
    };
    Ok(Model::new(Arc::new(Loaded { module, origin, compile }), String::new()))
}

/// The form that files of this ending have.
fn known_form(ending: &str) -> PyResult<Form> {
    Form::of_ending(ending).ok_or_else(|| PyValueError::new_err(format!("`{ending}` is no form of a program")))
}

/// Whether an archive of the module says all of it.
fn is_written(module: &Module) -> bool {
    module.root().is_some() && module.unit().is_some() && !module.is_exported()
}

/// Loads a program from a file.
#[pyfunction]
pub fn load_path(
    py: Python<'_>,
    path: PathBuf,
    compile: String,
    compiler: Option<PathBuf>,
    mmap: bool,
) -> PyResult<Model> {
    let engine = engine(py, &compile, compiler, mmap)?;
    let origin = Origin::File { seen: seen(&path), path: path.clone() };
    let result = py.detach(|| engine.load(&path));
    finished(py, compile, origin, result)
}

/// Loads a program from memory; the name is for messages, and its ending tells texts apart.
#[pyfunction]
pub fn load_bytes(
    py: Python<'_>,
    name: String,
    bytes: Vec<u8>,
    compile: String,
    compiler: Option<PathBuf>,
) -> PyResult<Model> {
    let engine = engine(py, &compile, compiler, false)?;
    let result = py.detach(|| engine.load_named(&name, &bytes));
    finished(py, compile, Origin::Bytes { name, bytes }, result)
}

/// Compiles TorchScript source; the name is for messages.
#[pyfunction]
pub fn compile_source(
    py: Python<'_>,
    name: String,
    text: String,
    entry: Option<String>,
    compile: String,
    compiler: Option<PathBuf>,
) -> PyResult<Model> {
    let engine = engine(py, &compile, compiler, false)?;
    let options = SourceOptions { entry: entry.clone(), ..SourceOptions::default() };
    let origin = Origin::Source { name: name.clone(), text: text.clone(), entry };
    let result = py.detach(|| engine.compile_source(&name, &text, &options));
    finished(py, compile, origin, result)
}

/// Stages by the names that they have in Python.
const STAGES: &[(&str, fn() -> Stage)] = &[
    ("torch", || Stage::Mlir),
    ("fused", || Stage::Compiled(Later::Fused)),
    ("linalg", || Stage::Compiled(Later::Linalg)),
    ("llvm", || Stage::Compiled(Later::Llvm)),
    ("asm", || Stage::Compiled(Later::Asm)),
    ("ptx", || Stage::Compiled(Later::Ptx { chip: PTX_CHIP.into() })),
];

/// The GPU that PTX is shown for.
const PTX_CHIP: &str = "sm_80";

impl Model {
    fn new(loaded: Arc<Loaded>, path: String) -> Model {
        Model { loaded, path, default: OnceLock::new(), methods: Mutex::default() }
    }

    fn module(&self) -> &Module {
        &self.loaded.module
    }

    /// A name in this module, from the whole program.
    fn full(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// Names of the whole program that are of this module, as they are in it.
    fn own<T>(&self, all: Vec<(String, T)>) -> Vec<(String, T)> {
        if self.path.is_empty() {
            return all;
        }
        let within = |name: &str| Some(name.strip_prefix(&self.path)?.strip_prefix('.')?.to_owned());
        all.into_iter().filter_map(|(name, v)| Some((within(&name)?, v))).collect()
    }

    /// The whole program: what is asked of it is asked of no part.
    fn whole(&self, py: Python<'_>, what: &str) -> PyResult<&Module> {
        if self.path.is_empty() {
            return Ok(self.module());
        }
        Err(errors::new(py, "Error", &format!("{what}: `{}` is a part; ask the whole model", self.path)))
    }

    /// What a call of the object calls.
    fn default(&self, py: Python<'_>) -> PyResult<&Py<Method>> {
        if let Some(method) = self.default.get() {
            return Ok(method);
        }
        let name = match self.path.is_empty() {
            true => self.module().function_or_default(None).map_err(|e| errors::exception(py, e))?,
            false => self.full("forward"),
        };
        let made = Method::new(&self.loaded, name).map_err(|e| errors::exception(py, e))?;
        let made = Py::new(py, made)?;
        Ok(self.default.get_or_init(|| made))
    }

    fn named(&self, py: Python<'_>, name: Option<&str>) -> PyResult<Py<Method>> {
        let Some(name) = name else { return Ok(self.default(py)?.clone_ref(py)) };
        if let Some(known) = self.methods.lock().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Ok(known.clone_ref(py));
        }
        let made = Method::new(&self.loaded, self.full(name)).map_err(|e| errors::exception(py, e))?;
        let made = Py::new(py, made)?;
        let mut methods = self.methods.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(methods.entry(name.to_owned()).or_insert(made).clone_ref(py))
    }

    fn is_module(&self, path: &str) -> bool {
        self.module().named_modules().is_ok_and(|all| all.iter().any(|(name, _)| name == path))
    }
}

/// Tensors by their names.
fn dictionary(py: Python<'_>, tensors: Vec<(String, Tensor)>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (name, tensor) in tensors {
        dict.set_item(name, PyTensor::new(tensor))?;
    }
    Ok(dict)
}

#[pymethods]
impl Model {
    /// Calls `forward`; of a program without a module the function that it was compiled for, else its first.
    ///
    /// Raises:
    ///     ArgumentError: the arguments do not fit.
    ///     RunError: it failed, or the program raised.
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        self.default(py)?.get().call(py, args, kwargs)
    }

    /// A method of the module, a submodule, or another attribute.
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        // Python asks for many of these, and programs have none.
        if name.starts_with("__") {
            return Err(PyAttributeError::new_err(name.to_owned()));
        }
        let method = match self.named(py, Some(name)) {
            Ok(method) => return method.into_py_any(py),
            Err(e) => e,
        };
        let full = self.full(name);
        match self.module().attr(&full) {
            Ok(IValue::Object(_)) if self.is_module(&full) => Model::new(self.loaded.clone(), full).into_py_any(py),
            Ok(value) => object(py, &value),
            // Of a method that does not compile it says why.
            Err(_) => Err(method),
        }
    }

    /// Sets an attribute of the module; the value must be of its type.
    fn __setattr__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let full = self.full(name);
        let known = self.module().named().map_err(|e| errors::exception(py, e))?;
        let ty = known.iter().find(|n| n.name == full).map_or(Type::Any, |n| n.ty.clone());
        let value = Arguments::default().value(value, &ty).map_err(|e| e.exception(py, &full))?;
        self.module().set_attr(&full, value).map_err(|e| errors::exception(py, e))
    }

    fn __dir__(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let mut names: Vec<String> = py.get_type::<Model>().dir()?.extract()?;
        if self.path.is_empty() {
            names.extend(self.module().methods().into_iter().map(str::to_owned));
        }
        let named = self.module().named().unwrap_or_default().into_iter().map(|n| (n.name, ())).collect();
        names.extend(self.own(named).into_iter().map(|(n, ())| n).filter(|n| !n.is_empty() && !n.contains('.')));
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Names of the methods; of a program without a module, of its functions.
    #[getter]
    fn methods(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.whole(py, "methods")?.methods().into_iter().map(str::to_owned).collect())
    }

    /// The method of this name, which may lead through submodules: `layers.0.forward`. Without a name, what a call of the model calls.
    ///
    /// Raises:
    ///     NoAttributeError: there is none.
    #[pyo3(signature = (name = None))]
    fn get_method(&self, py: Python<'_>, name: Option<&str>) -> PyResult<Py<Method>> {
        self.named(py, name)
    }

    /// The submodule at a path (`torch.nn.Module.get_submodule`).
    ///
    /// Raises:
    ///     NoAttributeError: there is none.
    fn get_submodule(&self, py: Python<'_>, path: &str) -> PyResult<Model> {
        let full = self.full(path);
        match self.is_module(&full) {
            true => Ok(Model::new(self.loaded.clone(), full)),
            false => Err(errors::new(py, "NoAttributeError", &format!("there is no module `{full}`"))),
        }
    }

    /// Parameters with their dotted names, each tensor once (`torch.nn.Module.named_parameters`).
    fn named_parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, self.own(self.module().named_parameters().map_err(|e| errors::exception(py, e))?))
    }

    /// Buffers with their dotted names, each tensor once (`torch.nn.Module.named_buffers`).
    fn named_buffers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, self.own(self.module().named_buffers().map_err(|e| errors::exception(py, e))?))
    }

    /// Parameters and buffers under all their names (`torch.nn.Module.state_dict`): the module's own tensors, not copies.
    fn state_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, self.own(self.module().state_dict().map_err(|e| errors::exception(py, e))?))
    }

    /// Copies values into the parameters and buffers: all of them, and no others (`torch.nn.Module.load_state_dict`).
    ///
    /// Raises:
    ///     ArgumentError: names or sizes differ.
    fn load_state_dict(&self, py: Python<'_>, values: &Bound<'_, PyDict>) -> PyResult<()> {
        let module = self.whole(py, "load_state_dict")?;
        let mut tensors = Vec::new();
        for (name, value) in values {
            let name: String = name.extract()?;
            let value = Arguments::default().value(&value, &Type::tensor());
            match value.map_err(|e| e.exception(py, &name))? {
                IValue::Tensor(t) => tensors.push((name, t)),
                other => {
                    let message = format!("{name}: a tensor or array is expected, got a {}", other.kind());
                    return Err(errors::new(py, "ArgumentError", &message));
                }
            }
        }
        py.detach(|| module.load_state_dict(&tensors)).map_err(|e| errors::exception(py, e))
    }

    /// Training mode, of every submodule too, or with `False` evaluation (`torch.nn.Module.train`).
    #[pyo3(signature = (mode = true))]
    fn train(slf: Bound<'_, Self>, mode: bool) -> PyResult<Bound<'_, Self>> {
        let py = slf.py();
        let module = slf.get().whole(py, "train")?;
        let done = if mode { module.train() } else { module.eval() };
        done.map_err(|e| errors::exception(py, e))?;
        Ok(slf)
    }

    /// Evaluation mode, of every submodule too (`torch.nn.Module.eval`).
    fn eval(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        Model::train(slf, false)
    }

    /// The graph of what a call calls, and then of everything that was compiled with it, as PyTorch prints it (`torch.ScriptModule.graph`).
    #[getter]
    fn graph(&self, py: Python<'_>) -> PyResult<String> {
        self.default(py)?.get().graph(py)
    }

    /// The same with every call inlined (`torch.ScriptModule.inlined_graph`).
    #[getter]
    fn inlined_graph(&self, py: Python<'_>) -> PyResult<String> {
        self.default(py)?.get().inlined_graph(py)
    }

    /// TorchScript code (`torch.ScriptModule.code`): of a module the files of its archive, each under a line with its name; else every function.
    #[getter]
    fn code(&self, py: Python<'_>) -> PyResult<String> {
        self.whole(py, "code")?.code().map_err(|e| errors::exception(py, e))
    }

    /// Schemas of the methods, one a line.
    #[getter]
    fn schemas(&self, py: Python<'_>) -> PyResult<String> {
        self.whole(py, "schemas")?.schemas().map_err(|e| errors::exception(py, e))
    }

    /// Where source that was compiled means something else than in Python, as `file:line:column: how`.
    #[getter]
    fn departures(&self) -> Vec<String> {
        self.module().departures().to_vec()
    }

    /// The text of a stage on the way to machine code: `torch` (the dialect), `fused`, `linalg`, `llvm`, `asm`, `ptx`. Those behind `torch` depend on the types
    /// of the arguments: give some, or the types that the method declares are taken.
    ///
    /// Raises:
    ///     NoCompilerError: there is no compiler.
    ///     ValueError: there is no such stage.
    #[pyo3(signature = (stage = "torch", *args, method = None))]
    fn mlir(&self, py: Python<'_>, stage: &str, args: &Bound<'_, PyTuple>, method: Option<&str>) -> PyResult<String> {
        let found = STAGES.iter().find(|(name, _)| *name == stage);
        let (_, stage) = found.ok_or_else(|| {
            let names: Vec<&str> = STAGES.iter().map(|(name, _)| *name).collect();
            PyValueError::new_err(format!("there is no stage {stage:?}: one of {} is expected", names.join(", ")))
        })?;
        let method = self.named(py, method)?;
        let (arguments, _) = method.get().arguments(args, None)?;
        let (module, name) = (self.module(), method.get().name());
        py.detach(|| module.show(name, &arguments, &stage())).map_err(|e| errors::exception(py, e))
    }

    /// The program as a pipeline of MLIR passes leaves it, with the same state: text as `sconce-opt --pass-pipeline` takes it, or a pipeline's name.
    ///
    /// Raises:
    ///     NoCompilerError: there is no compiler.
    ///     Error: what the compiler says of the pipeline.
    fn run_pipeline(&self, py: Python<'_>, pipeline: &str) -> PyResult<Model> {
        let module = self.whole(py, "run_pipeline")?;
        let result = py.detach(|| module.after_passes(pipeline));
        finished(py, self.loaded.compile.clone(), Origin::Made, result)
    }

    /// The program as a file: `pt` (an archive for PyTorch), `ptl`, `sconce`, `txt`, `py`, and with a compiler `mlir`.
    ///
    /// Raises:
    ///     ValueError: there is no such form.
    ///     Error: the program cannot be written so.
    #[pyo3(signature = (form = "pt"))]
    fn to_bytes<'py>(&self, py: Python<'py>, form: &str) -> PyResult<Bound<'py, PyBytes>> {
        let module = self.whole(py, "to_bytes")?;
        let known = known_form(form)?;
        let written = py.detach(|| module.written(known, "archive")).map_err(|e| errors::exception(py, e))?;
        if let Some((beside, _)) = &written.beside {
            let message = format!("`{form}` has its tensors in a file beside it ({beside}): save(path) writes both");
            return Err(PyValueError::new_err(message));
        }
        Ok(PyBytes::new(py, &written.bytes))
    }

    /// Writes the program to a file, in the form that its ending names (`torch.jit.save`). The file appears whole or not at all. Text
    /// (`.txt`, `.mlir`, `.py`) has its tensors in a file beside it.
    ///
    /// Raises:
    ///     ValueError: the ending names no form.
    ///     OSError: the file cannot be written.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let text = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let (form, name) = (known_form(&text(path.extension()))?, text(path.file_stem()));
        let module = self.whole(py, "save")?;
        py.detach(|| module.written(form, &name)?.write(&path)).map_err(|e| errors::exception(py, e))
    }

    /// A pickled model is the archive of it as it is now; a program that no archive says all of is the file it came from, with its state.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Py<PyAny>, Py<PyAny>)> {
        let module = self.whole(py, "pickle")?;
        let failed = |e| errors::exception(py, e);
        let compile = self.loaded.compile.clone();
        let rebuild = |name| py.import("sconce")?.getattr(name);
        let of_bytes = |name: &str, bytes: &[u8]| (name, PyBytes::new(py, bytes), &compile).into_py_any(py);
        if is_written(module) {
            let bytes = py.detach(|| module.written(Form::Pt, "archive")).map_err(failed)?.bytes;
            return Ok((rebuild("_rebuild")?, of_bytes("model.pt", &bytes)?, py.None()));
        }
        let state = match module.root() {
            Some(_) => dictionary(py, module.state_dict().map_err(failed)?)?.into_py_any(py)?,
            None => py.None(),
        };
        let arguments = match &self.loaded.origin {
            Origin::Bytes { name, bytes } => of_bytes(name, bytes)?,
            Origin::Source { name, text, entry } => {
                let arguments = (name, text, entry, &compile).into_py_any(py)?;
                return Ok((rebuild("_rebuild_source")?, arguments, state));
            }
            Origin::File { path, seen: before } => {
                let shown = path.display().to_string();
                let bytes = std::fs::read(path).map_err(|source| failed(Error::io(&shown, source)))?;
                if before.is_none() || seen(path) != *before {
                    let message = format!("{shown} changed since the model was loaded: it cannot be pickled");
                    return Err(errors::new(py, "Error", &message));
                }
                of_bytes(&shown, &bytes)?
            }
            Origin::Made => of_bytes("model.sconce", &module.written(Form::Sconce, "archive").map_err(failed)?.bytes)?,
        };
        Ok((rebuild("_rebuild")?, arguments, state))
    }

    fn __setstate__(&self, py: Python<'_>, state: &Bound<'_, PyDict>) -> PyResult<()> {
        self.load_state_dict(py, state)
    }

    fn __repr__(&self) -> String {
        let module = self.module();
        let of = if self.path.is_empty() { String::new() } else { format!(" {}", self.path) };
        match module.root() {
            Some(root) => format!("<sconce.Model{of} of {}>", root.class),
            None => format!("<sconce.Model of {}>", module.functions().join(", ")),
        }
    }
}
