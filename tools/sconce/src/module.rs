//! A loaded program: its functions and methods are called, its state stays from call to call, and every stage can be looked at.
//!
//! ```
//! use sconce::{Engine, Options, SourceOptions, Tensor};
//!
//! let text = "
//! from torch import nn
//!
//! class Net(nn.Module):
//!     def __init__(self):
//!         super().__init__()
//!         self.fc = nn.Linear(4, 2)
//!     def forward(self, x):
//!         return self.fc(x)
//! ";
//! let entry = SourceOptions { entry: Some("Net()".into()), ..SourceOptions::default() };
//! // `Module::load("model.pt")` loads what PyTorch saved.
//! let model = Engine::new(Options::default())?.compile_source("net.py", text, &entry)?;
//! let names: Vec<String> = model.named_parameters()?.into_iter().map(|(name, _)| name).collect();
//! assert_eq!(names, ["fc.weight", "fc.bias"]);
//! model.set_attr("fc.weight", Tensor::from_vec(vec![1f32; 8], &[2, 4]).into())?;
//! model.set_attr("fc.bias", Tensor::from_vec(vec![0f32, 1.], &[2]).into())?;
//! model.eval()?;
//! let y = model.call("forward", &[Tensor::from_vec(vec![1f32; 4], &[1, 4]).into()])?;
//! assert_eq!(y.as_tensor()?.to_vec::<f32>(), [4., 5.]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::calls::Calls;
use crate::compile::{self, Origins};
use crate::engine::{Engine, Stage};
use crate::error::{Error, Failure};
use crate::exported::Exported;
use crate::freeze::{Folding, freeze};
use crate::limits::Watch;
use crate::load;
use crate::planned::{Planned, PlannedCall};
use crate::report::Report;
use crate::shadow::{Mismatch, Shadow};
use crate::similar::instead_of;
use crate::state::{Named, NamedKind, State};
use crate::value_text::coerce;
use sconce_archive::PtArchive;
use sconce_executor::{CompileMode, ExecutionPlan, Specialization};
use sconce_graph::unit::Unit;
use sconce_interpreter::program::Parameter;
use sconce_interpreter::{Cause, Executable, Function, Options as RunOptions, Output, Program, RunError};
use sconce_kernels::Outputs;
use sconce_request::{Answer, Blamed, PlacedText, Question, Refusal, Signature, Stage as Later, Subject, Want};
use sconce_schema::Type as ScriptType;
use sconce_script::hooks;
use sconce_tensor::{IValue, Object, Tensor};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// A loaded program. Any number of threads may call it.
pub struct Module {
    pub(crate) engine: Engine,
    pub(crate) program: Arc<Program>,
    /// The object whose methods are called; programs of plain functions have none.
    root: Option<Arc<Object>>,
    /// What was compiled from source, from an archive's code or from a text.
    unit: Option<Arc<Unit>>,
    /// The text it came from, where that says more than the unit.
    text: Option<Subject>,
    /// The archive it came from.
    archive: Option<Arc<PtArchive>>,
    plain: OnceLock<Arc<Executable>>,
    /// Executors by function and object.
    calls: Mutex<HashMap<Key, Arc<Calls>>>,
    /// Functions by the names that they were called by: only such names as always mean the same.
    found: RwLock<HashMap<String, Arc<Found>>>,
    /// Static plans by function and object.
    planned: Mutex<HashMap<Key, Arc<Planned>>>,
    /// Calls that are made twice.
    shadow: Option<Shadow>,
    output: Option<Output>,
    departures: Vec<String>,
    /// How an exported program is called.
    pub(crate) exported: Option<Arc<Exported>>,
}

/// A function, and the address of the object that it is a method of.
type Key = (u32, usize);

/// What a call means: a function, and the object it is a method of.
pub(crate) struct Target {
    pub(crate) function: u32,
    pub(crate) object: Option<Arc<Object>>,
}

/// What a name means, with what runs it once it was called.
struct Found {
    target: Target,
    calls: OnceLock<Arc<Calls>>,
}

impl Target {
    fn key(&self) -> Key {
        (self.function, self.object.as_ref().map_or(0, |o| Arc::as_ptr(o) as usize))
    }
}

impl Module {
    /// Loads a file with default options.
    pub fn load(path: impl AsRef<Path>) -> Result<Module, Error> {
        Engine::shared()?.load(path.as_ref())
    }

    /// The same from memory. The name says what a single graph's function is called: `relu.txt` holds `relu`.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Module, Error> {
        Engine::shared()?.load_named(name, bytes)
    }
}

impl Module {
    pub(crate) fn new(engine: &Engine, program: Arc<Program>, root: Option<Arc<Object>>) -> Module {
        let output: Output = Arc::new(Mutex::new(std::io::stdout()));
        Module {
            engine: engine.clone(),
            program,
            root,
            unit: None,
            text: None,
            archive: None,
            plain: OnceLock::new(),
            calls: Mutex::default(),
            found: RwLock::default(),
            planned: Mutex::default(),
            shadow: Shadow::new(engine.options().shadow, engine.is_strict()),
            output: Some(output),
            departures: Vec::new(),
            exported: None,
        }
    }

    pub(crate) fn with_unit(self, unit: Unit) -> Module {
        Module { unit: Some(unit.into()), ..self }
    }

    /// The text that says more than the unit.
    pub(crate) fn with_text(self, text: Subject) -> Module {
        Module { text: Some(text), ..self }
    }

    /// What the compiler is asked about.
    pub(crate) fn origins(&self) -> Option<Origins> {
        match (&self.text, &self.unit) {
            // The unit of graph text is all of what it means.
            (Some(text @ Subject::Mlir { .. }), _) => Some(Origins::Text(text.clone().into())),
            (_, Some(unit)) => Some(Origins::Unit(unit.clone())),
            _ => None,
        }
    }

    /// The program as it stands, for `stage`.
    pub(crate) fn subject(&self, stage: &'static str) -> Result<Subject, Error> {
        match &self.text {
            Some(text) => Ok(text.clone()),
            None => self.origins().map(|o| o.subject()).ok_or(Failure::NoSource { stage }.into()),
        }
    }

    pub(crate) fn with_departures(self, departures: Vec<String>) -> Module {
        Module { departures, ..self }
    }

    /// Where source that was compiled means something else than in Python, as `file:line:column: how`.
    pub fn departures(&self) -> &[String] {
        &self.departures
    }

    pub(crate) fn with_archive(self, archive: PtArchive) -> Module {
        Module { archive: Some(archive.into()), ..self }
    }

    /// The functions and classes it was compiled from, if it came from source or an archive.
    pub fn unit(&self) -> Option<&Unit> {
        self.unit.as_deref()
    }

    /// The archive it came from.
    pub fn archive(&self) -> Option<&PtArchive> {
        self.archive.as_deref()
    }

    /// Calls `__getstate__` of an object.
    pub(crate) fn get_state(&self, object: &Arc<Object>) -> Result<IValue, String> {
        let method = self.program.class(&object.class).and_then(|(_, c)| c.method("__getstate__"));
        let method = method.ok_or_else(|| format!("{} has no __getstate__", object.class))?;
        let executable = Executable::with_operators(self.program.clone(), &self.engine.custom());
        let executable = executable.map_err(|e| e.to_string())?;
        let outputs = executable.run(method, vec![IValue::Object(object.clone())], &RunOptions::default());
        let outputs = outputs.map_err(|e| e.to_string())?;
        Ok(outputs.first().cloned().unwrap_or_default())
    }

    /// Calls `__setstate__` of an object.
    pub(crate) fn set_state(&self, object: &Arc<Object>, state: IValue) -> Result<(), Error> {
        let method = self.program.class(&object.class).and_then(|(_, c)| c.method("__setstate__"));
        let method = method.ok_or_else(|| self.no_function(&format!("{}.__setstate__", object.class)))?;
        let inputs = vec![IValue::Object(object.clone()), state];
        self.plain()?.run(method, inputs, &RunOptions::default()).map_err(Box::new)?;
        Ok(())
    }

    /// The compiled program: functions, classes and constants.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The object whose methods are called; a program of plain functions has none.
    pub fn root(&self) -> Option<&Arc<Object>> {
        self.root.as_ref()
    }

    /// Names of the methods of the module, in order; of a program without a module, of its functions.
    pub fn methods(&self) -> Vec<&str> {
        match self.root.as_ref().and_then(|r| self.program.class(&r.class)) {
            Some((_, class)) => class.methods.iter().map(|(n, _)| &**n).collect(),
            None => self.functions(),
        }
    }

    /// The same program with another object as its root; what was compiled for this one is not the other's.
    pub(crate) fn with_root(&self, root: Arc<Object>) -> Module {
        Module {
            unit: self.unit.clone(),
            text: self.text.clone(),
            archive: self.archive.clone(),
            plain: self.plain.clone(),
            output: self.output.clone(),
            departures: self.departures.clone(),
            exported: self.exported.clone(),
            ..Module::new(&self.engine, self.program.clone(), Some(root))
        }
    }

    pub(crate) fn state(&self) -> Result<State<'_>, Error> {
        let root = self.root.as_ref().ok_or_else(|| Failure::NoModule { name: String::new() })?;
        Ok(State::new(&self.program, root))
    }

    /// The value of an attribute by its dotted name: `layers.0.weight`.
    pub fn attr(&self, name: &str) -> Result<IValue, Error> {
        self.state()?.get(name)
    }

    /// Sets an attribute by its dotted name.
    pub fn set_attr(&self, name: &str, value: IValue) -> Result<(), Error> {
        self.state()?.set(name, value)
    }

    /// Everything the module holds, with dotted names.
    pub fn named(&self) -> Result<Vec<Named>, Error> {
        Ok(self.state()?.named())
    }

    /// Parameters with their dotted names, each tensor once.
    pub fn named_parameters(&self) -> Result<Vec<(String, Tensor)>, Error> {
        Ok(self.state()?.tensors(NamedKind::Parameter))
    }

    /// Buffers with their dotted names, each tensor once.
    pub fn named_buffers(&self) -> Result<Vec<(String, Tensor)>, Error> {
        Ok(self.state()?.tensors(NamedKind::Buffer))
    }

    /// The module (under the empty name) and its submodules.
    pub fn named_modules(&self) -> Result<Vec<(String, Arc<Object>)>, Error> {
        Ok(self.state()?.modules())
    }

    /// Parameters and buffers under all their names.
    pub fn state_dict(&self) -> Result<Vec<(String, Tensor)>, Error> {
        Ok(self.state()?.state_dict())
    }

    /// Copies values into parameters and buffers; all of them, and no others, must be given.
    pub fn load_state_dict(&self, values: &[(String, Tensor)]) -> Result<(), Error> {
        self.state()?.load_state_dict(values)
    }

    /// Takes over the values of another instance's parameters and buffers, where both have a tensor of that name, sizes and dtype.
    pub fn copy_state(&self, other: &Module) -> Result<(), Error> {
        let theirs = other.state_dict()?;
        for (name, to) in self.state_dict()? {
            let from = theirs.iter().find(|(n, t)| *n == name && t.sizes() == to.sizes() && t.dtype() == to.dtype());
            if let Some((_, from)) = from {
                to.copy_bytes_from(from).map_err(|e| Failure::StateDict(e.to_string()))?;
            }
        }
        Ok(())
    }

    /// Training mode, of every submodule too.
    pub fn train(&self) -> Result<(), Error> {
        self.state()?.set_training(true);
        Ok(())
    }

    /// Evaluation mode, of every submodule too.
    pub fn eval(&self) -> Result<(), Error> {
        self.state()?.set_training(false);
        Ok(())
    }

    /// The module with what stays the same folded into constants (`torch.jit.freeze`); methods and attributes of these names are kept beside `forward`. Changes
    /// of this one's state are not seen by it.
    pub fn frozen(&self, kept: &[String]) -> Result<Module, Error> {
        let root = self.root.as_ref().ok_or_else(|| Failure::NoModule { name: String::new() })?;
        let (unit, frozen) = freeze(&self.engine, self.compiled_unit("freezing")?, root, kept, Folding::Off)?;
        Ok(load::unit(&self.engine, unit, Some(IValue::Object(frozen)), Vec::new())?.called_by(self.exported.clone()))
    }

    /// The program as an MLIR pass pipeline leaves it, with the same object: text as `sconce-opt --pass-pipeline` takes it, or a pipeline's name.
    pub fn after_passes(&self, pipeline: &str) -> Result<Module, Error> {
        let subject = self.origins().ok_or(Failure::NoSource { stage: "passes" })?.subject();
        let question = Question {
            subject,
            want: Want::Passes { pipeline: pipeline.into(), checks: self.engine.options().checks },
        };
        let mut unit = match self.engine.ask(&question)? {
            Answer::Unit(unit) => unit,
            Answer::Unsound(why) => return Err(Failure::Compile(why).into()),
            _ => return Err(Failure::Compile("the compiler answered something else".into()).into()),
        };
        if let Some(own) = &self.unit {
            unit.refused = own.refused.clone();
        }
        let root = self.root.clone().map(IValue::Object);
        let made = load::unit(&self.engine, unit, root, Vec::new())?;
        Ok(Module {
            archive: self.archive.clone(),
            output: self.output.clone(),
            departures: self.departures.clone(),
            exported: self.exported.clone(),
            ..made
        })
    }

    /// Another instance with a state of its own, equal to this one's.
    pub fn copy(&self) -> Result<Arc<Object>, Error> {
        self.state()?.copy()
    }

    /// Goes on with another instance of the same class.
    pub fn set_root(&mut self, root: Arc<Object>) {
        lock(&self.planned).clear();
        lock(&self.calls).clear();
        self.found.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.root = Some(root);
    }

    /// The function that a name means: a method of the module (`forward`), of a submodule (`layers.0.forward`), a qualified name, or the last part of one.
    fn target(&self, name: &str) -> Result<Target, Error> {
        let plain = |function| Target { function, object: None };
        if let Some(root) = &self.root {
            let (owner, method) = match name.rsplit_once('.') {
                Some((path, method)) => match self.state()?.get(path) {
                    Ok(IValue::Object(o)) => (o, method),
                    _ => (root.clone(), name),
                },
                None => (root.clone(), name),
            };
            if method == "forward" {
                // Who calls a module from outside runs its hooks, too.
                let call = format!("{}.{}", owner.class, hooks::CALL);
                match self.program.function(&call) {
                    Some(function) => return Ok(Target { function, object: Some(owner) }),
                    None if self.unit.as_ref().is_some_and(|u| u.refused.contains_key(call.as_str())) => {
                        return Err(self.no_function(&call));
                    }
                    None => {}
                }
            }
            let class = self.program.class(&owner.class).map(|(_, c)| c);
            if let Some(function) = class.and_then(|c| c.method(method)) {
                return Ok(Target { function, object: Some(owner) });
            }
            let qualified = self.program.function(name);
            let own = |f: u32| self.program.class(&root.class).is_some_and(|(_, c)| c.methods.iter().any(|m| m.1 == f));
            return match qualified {
                Some(function) if own(function) => Ok(Target { function, object: Some(root.clone()) }),
                Some(function) => Ok(plain(function)),
                None => Err(self.no_method(&owner.class, method, name)),
            };
        }
        Ok(plain(self.id(name)?))
    }

    /// The same, at once for a name that was asked for before.
    fn found(&self, name: &str) -> Result<Arc<Found>, Error> {
        if let Some(found) = self.found.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Ok(found.clone());
        }
        let found = Arc::new(Found { target: self.target(name)?, calls: OnceLock::new() });
        // A path leads to whatever object is there at the time.
        if self.root.is_none() || !name.contains('.') {
            let mut known = self.found.write().unwrap_or_else(PoisonError::into_inner);
            return Ok(known.entry(name.into()).or_insert(found).clone());
        }
        Ok(found)
    }

    /// Names of the functions, in order.
    pub fn functions(&self) -> Vec<&str> {
        self.program.functions.iter().map(|f| &*f.name).collect()
    }

    /// The function that was meant when the program was compiled.
    fn entry(&self) -> Option<&str> {
        self.program.entry.map(|f| &*self.program.functions[f as usize].name)
    }

    fn first_function(&self) -> Option<&str> {
        self.program.first_function().map(|f| &*self.program.functions[f as usize].name)
    }

    /// The function of this name, or whose qualified name ends in it; without a name `forward`, else the first that is not of `torch`.
    pub fn function_or_default(&self, name: Option<&str>) -> Result<String, Error> {
        if self.root.is_some() {
            let name = name.unwrap_or("forward");
            self.target(name)?;
            return Ok(name.to_owned());
        }
        if let (None, Some(entry)) = (name, self.entry()) {
            return Ok(entry.to_owned());
        }
        let functions = self.functions();
        let ends = |want: &str| functions.iter().find(|f| **f == want || f.rsplit('.').next() == Some(want)).copied();
        let found = match name {
            Some(name) => ends(name),
            None => ends("forward").or(self.first_function()),
        };
        Ok(found.map(str::to_string).ok_or_else(|| Failure::NoFunction {
            name: name.unwrap_or("forward").into(),
            instead: instead_of(name.unwrap_or("forward"), &functions),
        })?)
    }

    /// As [`Module::function_or_default`], but recordings call a plain function `forward`, and list it before those it calls.
    pub fn function_or_first(&self, name: &str) -> Result<String, Error> {
        let found = self.function_or_default(Some(name));
        let first = self.first_function();
        match first {
            Some(first) if found.is_err() && name == "forward" => Ok(first.to_string()),
            _ => found,
        }
    }

    /// Signature and bytecode of a function.
    pub fn function(&self, name: &str) -> Result<&Function, Error> {
        Ok(&self.program.functions[self.target(name)?.function as usize])
    }

    /// Whether calls of this name have an object of their own, which is the function's first parameter.
    pub fn is_bound(&self, name: &str) -> Result<bool, Error> {
        Ok(self.target(name)?.object.is_some())
    }

    /// By qualified name, or by the last part of it where only one function ends so.
    fn id(&self, name: &str) -> Result<u32, Error> {
        let ends = || {
            let mut ends = self.functions().into_iter().filter(|f| f.rsplit('.').next() == Some(name));
            ends.next().filter(|_| ends.next().is_none())
        };
        self.program.function(name).or_else(|| self.program.function(ends()?)).ok_or_else(|| self.no_function(name))
    }

    /// Why there is no function of this name: it does not compile, or the file has none.
    fn no_function(&self, name: &str) -> Error {
        match self.unit.as_ref().and_then(|u| u.refused.get(name)) {
            Some(why) => Failure::Refused { name: name.into(), why: Box::new(why.clone()) }.into(),
            None => Failure::NoFunction { name: name.into(), instead: instead_of(name, &self.functions()) }.into(),
        }
    }

    fn no_method(&self, class: &str, method: &str, name: &str) -> Error {
        match self.no_function(&format!("{class}.{method}")).into_failure() {
            Failure::Refused { why, .. } => Failure::Refused { name: name.into(), why }.into(),
            _ => Failure::NoFunction { name: name.into(), instead: instead_of(name, &self.methods()) }.into(),
        }
    }

    /// Parameter names and types, without the object of a method.
    pub fn parameters(&self, function: &str) -> Result<Vec<(String, ScriptType)>, Error> {
        Ok(self.own_parameters(function)?.iter().map(|p| (p.name.to_string(), p.ty.clone())).collect())
    }

    /// Parameters without the object of a method, with their defaults.
    pub fn own_parameters(&self, function: &str) -> Result<&[Parameter], Error> {
        let target = self.target(function)?;
        if self.boundary(&target).is_some() {
            return Ok(self.exported.as_deref().map_or(&[], |exported| &exported.parameters));
        }
        let f = &self.program.functions[target.function as usize];
        Ok(&f.parameters[usize::from(target.object.is_some())..])
    }

    /// Where the program's `print` goes; standard output unless set. `None` discards it.
    pub fn set_output(&mut self, output: Option<Output>) {
        self.output = output;
    }

    /// Calls a function or method. Several results come as a tuple, as graphs with several outputs give them.
    pub fn call(&self, function: &str, arguments: &[IValue]) -> Result<IValue, Error> {
        self.call_named(function, arguments, &[])
    }

    /// The same with arguments by name; the declared defaults stand for the rest.
    pub fn call_named(&self, function: &str, arguments: &[IValue], named: &[(&str, IValue)]) -> Result<IValue, Error> {
        self.call_watched(function, arguments, named, &RunOptions::default())
    }

    /// The same with what else these options ask for.
    pub(crate) fn call_watched(
        &self,
        function: &str,
        arguments: &[IValue],
        named: &[(&str, IValue)],
        options: &RunOptions,
    ) -> Result<IValue, Error> {
        let mut outputs = self.call_with(function, arguments, named, options)?;
        Ok(match outputs.len() {
            0 => IValue::None,
            1 => outputs.remove(0),
            _ => IValue::tuple(outputs.into_vec()),
        })
    }

    /// The object of a method and the arguments in order, each of its parameter's type where that needs no decision.
    fn bind(&self, target: &Target, given: &[IValue], named: &[(&str, IValue)]) -> Result<Vec<IValue>, Error> {
        let leaves;
        let (given, named) = match self.boundary(target) {
            Some(exported) => {
                let bound = exported.boundary.bind(given, named)?;
                leaves = exported.boundary.leaves(&bound)?;
                (&leaves[..], &[][..])
            }
            None => (given, named),
        };
        let parameters = &self.program.functions[target.function as usize].parameters;
        let object = target.object.clone().map(IValue::Object);
        let positional = object.into_iter().chain(given.iter().cloned()).enumerate();
        let typed = |at: usize, v| parameters.get(at).map_or(IValue::None, |p| coerce(v, &p.ty));
        let positional = positional.map(|(i, v)| if i < parameters.len() { typed(i, v) } else { v }).collect();
        let named = named.iter().map(|(name, v)| {
            let ty = parameters.iter().find(|p| *p.name == **name).map_or(&ScriptType::Any, |p| &p.ty);
            (name.to_string(), coerce(v.clone(), ty))
        });
        Ok(self.program.bind(target.function, positional, named.collect()).map_err(Box::new)?)
    }

    /// All arguments of a call in order: those given, those named, and declared defaults for the rest.
    pub fn arguments(&self, function: &str, given: &[IValue], named: &[(&str, IValue)]) -> Result<Vec<IValue>, Error> {
        let target = self.target(function)?;
        if let Some(exported) = self.boundary(&target) {
            return Ok(exported.boundary.bind(given, named)?);
        }
        let mut all = self.bind(&target, given, named)?;
        all.drain(..usize::from(target.object.is_some()));
        Ok(all)
    }

    /// Calls a function within the engine's limits, with what else these options ask for; results as the function returns them. Where the limits have a time, a call
    /// that takes longer sets the options' `cancel`, which so is of this call alone.
    pub fn call_with(
        &self,
        function: &str,
        arguments: &[IValue],
        named: &[(&str, IValue)],
        options: &RunOptions,
    ) -> Result<Outputs, Error> {
        let limits = &self.engine.options().limits;
        let watch = limits.time.map(|time| Watch::start(time, options.cancel.clone().unwrap_or_default()));
        let cancel = watch.as_ref().map(|w| w.cancel.clone()).or_else(|| options.cancel.clone());
        let output = options.output.clone().or_else(|| self.output.clone());
        let options = limits.run_options(RunOptions { output, cancel, ..options.clone() });
        self.call_unlimited(function, arguments, named, &options).map_err(|e| match (e.into_failure(), limits.time) {
            (Failure::Run(e), Some(time)) if watch.is_some_and(|w| w.fired()) && e.cause == Cause::Cancelled => {
                let message = format!("the call took longer than {} s", time.as_secs_f64());
                Failure::Run(Box::new(RunError { message, ..*e })).into()
            }
            (e, _) => e.into(),
        })
    }

    fn call_unlimited(
        &self,
        function: &str,
        arguments: &[IValue],
        named: &[(&str, IValue)],
        options: &RunOptions,
    ) -> Result<Outputs, Error> {
        let found = self.found(function)?;
        let target = &found.target;
        let inputs = self.bind(target, arguments, named)?;
        let mut outputs = self.run_bound(&found, inputs, options)?;
        if let (Some(exported), [_]) = (self.boundary(target), &outputs[..]) {
            let result = outputs.remove(0);
            outputs.push(exported.boundary.result(result));
        }
        Ok(outputs)
    }

    /// Runs a call, and has the interpreter make it again where that is asked for.
    fn run_bound(&self, found: &Found, inputs: Vec<IValue>, options: &RunOptions) -> Result<Outputs, Error> {
        let target = &found.target;
        let Some(shadow) = &self.shadow else { return Ok(self.run(found, inputs, options)?.map_err(Box::new)?) };
        let plain = self.plain()?;
        let copies = shadow.copies(&plain, &inputs);
        let result = self.run(found, inputs.clone(), options)?;
        if let Some(copies) = copies {
            shadow.compare(&plain, target.function, copies, (&result, &inputs), options);
        }
        Ok(result.map_err(Box::new)?)
    }

    /// Runs a call by whatever the engine runs it.
    fn run(
        &self,
        found: &Found,
        inputs: Vec<IValue>,
        options: &RunOptions,
    ) -> Result<Result<Outputs, RunError>, Error> {
        let target = &found.target;
        if let Some(wanted) = self.engine.options().static_plan {
            return Ok(match self.planned(target).call(&inputs, options, wanted.rehearse) {
                Some(result) => result,
                None => self.plain()?.run(target.function, inputs, options),
            });
        }
        Ok(self.calls_found(found)?.run(inputs, options))
    }

    /// Calls after which the interpreter showed something else, where [`Options::shadow`](crate::Options::shadow) asks for that.
    pub fn mismatches(&self) -> Vec<Mismatch> {
        self.shadow.as_ref().map(Shadow::mismatches).unwrap_or_default()
    }

    /// How many calls there were, and how many of them the interpreter made again.
    pub fn shadow_counts(&self) -> (u64, u64) {
        self.shadow.as_ref().map(Shadow::counts).unwrap_or_default()
    }

    /// Who makes a call of a function compute something else: a pass of `pipeline`, or of those that compile it, or the code of a region. Nobody, if none is seen.
    ///
    /// # Errors
    /// No compiler, or one that gave no answer; a program of which only bytecode is there.
    pub fn blame(&self, function: &str, arguments: &[IValue], pipeline: Option<&str>) -> Result<Option<Blamed>, Error> {
        let target = self.target(function)?;
        let inputs = self.bind(&target, arguments, &[])?;
        let origins = self.origins().ok_or(Failure::NoSource { stage: "passes" })?;
        let name = &self.program.functions[target.function as usize].name;
        compile::blame(&self.engine, &origins, name, target.object.as_ref(), inputs, pipeline)
    }

    fn calls_found<'f>(&self, found: &'f Found) -> Result<&'f Arc<Calls>, Error> {
        if let Some(calls) = found.calls.get() {
            return Ok(calls);
        }
        let made = self.calls(&found.target)?;
        Ok(found.calls.get_or_init(|| made))
    }

    /// A function's executor.
    pub(crate) fn calls_of(&self, function: &str) -> Result<Arc<Calls>, Error> {
        Ok(self.calls_found(&*self.found(function)?)?.clone())
    }

    /// A function's executor, and the arguments of a call as it takes them.
    pub(crate) fn call_of(&self, function: &str, arguments: &[IValue]) -> Result<(Arc<Calls>, Vec<IValue>), Error> {
        let found = self.found(function)?;
        Ok((self.calls_found(&found)?.clone(), self.bind(&found.target, arguments, &[])?))
    }

    /// Whose plan it is.
    pub(crate) fn calls_with(&self, plan: &Arc<ExecutionPlan>) -> Option<Arc<Calls>> {
        lock(&self.calls).values().find(|calls| calls.has(plan)).cloned()
    }

    /// The executor of a function; made at its first call.
    fn calls(&self, target: &Target) -> Result<Arc<Calls>, Error> {
        if let Some(calls) = lock(&self.calls).get(&target.key()) {
            return Ok(calls.clone());
        }
        let (function, object) = (target.function, target.object.as_ref());
        let made = Calls::new(&self.engine, self.plain()?, function, object, self.origins());
        Ok(lock(&self.calls).entry(target.key()).or_insert(Arc::new(made)).clone())
    }

    /// The static plan of a function; made at its first call.
    fn planned(&self, target: &Target) -> Arc<Planned> {
        if let Some(planned) = lock(&self.planned).get(&target.key()) {
            return planned.clone();
        }
        let options = self.engine.options().static_plan.unwrap_or_default();
        let (unit, object) = (self.unit.clone(), target.object.as_ref());
        let planned = Arc::new(Planned::new(&self.engine, unit, &self.program, target.function, object, &options));
        lock(&self.planned).insert(target.key(), planned.clone());
        planned
    }

    /// A call made ready, when calls go by static plans and this one can.
    pub fn planned_call(&self, function: &str, arguments: &[IValue]) -> Result<Option<PlannedCall>, Error> {
        if self.engine.options().static_plan.is_none() {
            return Ok(None);
        }
        let target = self.target(function)?;
        let inputs = self.bind(&target, arguments, &[])?;
        let options = RunOptions { output: self.output.clone(), ..RunOptions::default() };
        let options = self.engine.options().limits.run_options(options);
        Ok(PlannedCall::new(self.planned(&target), inputs, options))
    }

    /// The static plan of a function as text, with what its runs have shown so far.
    pub fn static_listing(&self, function: &str) -> Result<String, Error> {
        let target = self.target(function)?;
        Ok(self.planned(&target).listing())
    }

    /// The program without compiled regions, ready to run.
    pub fn plain(&self) -> Result<Arc<Executable>, Error> {
        if let Some(e) = self.plain.get() {
            return Ok(e.clone());
        }
        let made = Arc::new(Executable::with_operators(self.program.clone(), &self.engine.custom())?);
        Ok(self.plain.get_or_init(|| made).clone())
    }

    /// What ran where in the calls so far.
    pub fn report(&self, function: &str) -> Report {
        let options = self.engine.options();
        let called = self.found(function).ok().and_then(|found| lock(&self.calls).get(&found.target.key()).cloned());
        match called {
            _ if options.static_plan.is_some() => Report::interpreted(function, "calls go by static plans"),
            _ if options.executor.compile == CompileMode::Off => Report::interpreted(function, "compiling is off"),
            _ if options.compiler.is_none() => Report::interpreted(function, "there is no compiler"),
            _ if self.origins().is_none() => Report::interpreted(function, "only bytecode is there"),
            Some(calls) => calls.report(function),
            None => Report::interpreted(function, "nothing was called yet"),
        }
    }

    /// The text of a stage. Stages after bytecode need the arguments' types.
    pub fn show(&self, function: &str, arguments: &[IValue], stage: &Stage) -> Result<String, Error> {
        match stage {
            Stage::Bytecode => Ok(self.program.listing(self.target(function)?.function)),
            Stage::Graph => match self.subject("graph text")? {
                Subject::GraphText { text, .. } => Ok(text),
                subject => compile::text(&self.engine, subject, Want::GraphText),
            },
            Stage::Mlir => compile::text(&self.engine, self.subject("MLIR")?, Want::Dialect),
            Stage::Compiled(stage) => Ok(self.compiled_stage(function, arguments, stage.clone())?.text),
        }
    }

    /// A stage behind the dialect, and where its lines come from.
    pub(crate) fn compiled_stage(
        &self,
        function: &str,
        arguments: &[IValue],
        stage: Later,
    ) -> Result<PlacedText, Error> {
        let target = self.target(function)?;
        let origins = self.origins().ok_or(Failure::NoSource { stage: "a compiled region" })?;
        let signature = self.signature(&target, arguments)?;
        let name = &self.program.functions[target.function as usize].name;
        compile::stage(&self.engine, &origins, name, target.object.as_ref(), signature, stage)
    }

    /// What compiling a function for such arguments did not do: operators that stay interpreted, writes that stay, terms that are not rewritten. Without arguments
    /// it is compiled for the types that it declares.
    ///
    /// # Errors
    /// No such function; arguments that do not bind; a module without a program to compile; what the compiler refuses as a whole.
    pub fn refusals(&self, function: &str, arguments: &[IValue]) -> Result<Vec<Refusal>, Error> {
        let target = self.target(function)?;
        let origins = self.origins().ok_or(Failure::NoSource { stage: "a compiled region" })?;
        let signature = self.signature(&target, arguments)?;
        let name = &self.program.functions[target.function as usize].name;
        compile::refusals(&self.engine, &origins, name, target.object.as_ref(), signature)
    }

    /// What a function is compiled for: the types of its arguments, or what it declares.
    fn signature(&self, target: &Target, arguments: &[IValue]) -> Result<Signature, Error> {
        if arguments.is_empty() {
            let parameters = &self.program.functions[target.function as usize].parameters;
            return Ok(Signature::declared(parameters.iter().map(|p| &p.ty)));
        }
        let is_dynamic = self.engine.options().executor.fusion.at(0) == Some(Specialization::Dynamic);
        Ok(Signature::of(&self.bind(target, arguments, &[])?, is_dynamic))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
