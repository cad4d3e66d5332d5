//! A loaded program is run once and what it did becomes a program: the interpreter tells of every operator, and what was decided on the way is gone.

use crate::engine::Engine;
use crate::error::{Error, Failure};
use crate::module::Module;
use crate::source::{self, SourceOptions};
use crate::state::State;
use sconce_graph::graph::{SourceText, ValueId};
use sconce_graph::unit::Unit;
use sconce_interpreter::program::{Pc, Place};
use sconce_interpreter::{Observer, Options as RunOptions};
use sconce_schema::Type;
use sconce_script::trace::{Operand, Recorder, Refusal, function, identity_of_its_own};
use sconce_tensor::{IValue, Object};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

impl Engine {
    /// Traces a function or module of Python source with these inputs, as `torch.jit.trace` does; and the warnings that it gave. Without inputs the entry is
    /// one that traces itself.
    ///
    /// ```
    /// use sconce::{Engine, Options, Tensor};
    /// let engine = Engine::new(Options::default())?;
    /// let x = Tensor::from_vec(vec![1f32; 6], &[2, 3]);
    /// let text = "def f(x):\n    return x.view(x.size(0) * 3)\n";
    /// let (mut module, warnings) = engine.trace_source("m.py", text, None, &[x.into()], true)?;
    /// assert!(warnings.is_empty());
    /// let y = module.call("f", &[Tensor::from_vec(vec![2f32; 12], &[4, 3]).into()])?;
    /// assert_eq!(y.as_tensor()?.sizes(), [12]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn trace_source(
        &self,
        file: &str,
        text: &str,
        entry: Option<&str>,
        inputs: &[IValue],
        check: bool,
    ) -> Result<(Module, Vec<String>), Error> {
        let options = SourceOptions { entry: entry.map(str::to_owned), ..SourceOptions::default() };
        source::traced(self, file, text, &options, inputs, check)
    }
}

impl Module {
    /// What a function does with these arguments, as a program without branches and calls; numbers are what they were. A method's program is a module with the
    /// same attributes, of which tensors are got.
    pub fn traced(self, name: &str, arguments: &[IValue]) -> Result<Module, Error> {
        let refused = |r: Refusal| Error::from(Failure::Text(r.to_string()));
        let Some(unit) = self.unit().cloned() else { return Err(Failure::NoSource { stage: "a trace" }.into()) };
        let root = if self.is_bound(name)? { self.root().cloned() } else { None };
        let names: Vec<String> = self.parameters(name)?.into_iter().map(|(n, _)| n).collect();
        let mut recorder = Recorder::new(root.is_some());
        if let Some(root) = &root {
            for item in State::new(self.program(), root).named() {
                if let IValue::Tensor(t) = &item.value {
                    recorder.attribute(item.name.split('.').map(Arc::from).collect(), t);
                }
            }
        }
        let arguments: Vec<IValue> = arguments.iter().map(fresh).collect();
        for (name, argument) in names.iter().zip(&arguments) {
            let text = || Refusal::Input(format!("{}: {}", name, argument.kind()));
            recorder.input(Some(name), argument).map_err(|_| refused(text()))?;
        }
        let watching = Arc::new(Watching(Mutex::new(Watched { recorder: Some(recorder), ..Watched::default() })));
        let run = RunOptions { observer: Some(watching.clone()), workers: 0, ..RunOptions::default() };
        let output = self.call_watched(name, &arguments, &[], &run)?;
        let mut watched = watching.lock();
        if let Some(refusal) = watched.refusal.take() {
            return Err(refused(refusal));
        }
        let Some(recorder) = watched.recorder.take() else { return Ok(self) };
        let mut trace = recorder.finish(&output, false).map_err(refused)?;
        for (path, value) in &trace.modules {
            if let Some(class) = root.as_ref().and_then(|root| class_at(root, path)) {
                trace.graph.set_type(*value, Type::Class(class));
            }
        }
        let own = root.as_ref().map(|_| "self").into_iter();
        let names: Vec<&str> = own.chain(names.iter().map(String::as_str)).collect();
        let qualified: Arc<str> = match &root {
            Some(root) => format!("{}.forward", root.class).into(),
            None => Arc::from(name),
        };
        let unit = only(unit, function(qualified, trace.graph, &names), root.as_ref());
        crate::load::unit(&self.engine, unit, root.map(IValue::Object), Vec::new())
    }
}

/// The unit with one function; classes keep what they hold.
fn only(mut unit: Unit, function: sconce_graph::unit::Function, root: Option<&Arc<Object>>) -> Unit {
    for class in unit.classes.values_mut() {
        class.methods = Vec::new().into();
        class.properties.clear();
        class.forward_hooks.clear();
        class.forward_pre_hooks.clear();
        if root.is_some_and(|r| r.class == class.name) {
            class.methods.push("forward".into());
        }
    }
    unit.entry = root.is_none().then(|| function.name.clone());
    unit.functions = [(function.name.clone(), function)].into_iter().collect();
    unit.refused.clear();
    unit
}

fn class_at(root: &Arc<Object>, path: &[Arc<str>]) -> Option<Arc<str>> {
    let mut at = root.clone();
    for name in path {
        match at.get(at.slot_of(name)?) {
            Some(IValue::Object(o)) => at = o,
            _ => return None,
        }
    }
    Some(at.class.clone())
}

/// The same tensors, each of its own identity.
fn fresh(v: &IValue) -> IValue {
    match v {
        IValue::Tensor(t) => IValue::Tensor(identity_of_its_own(t)),
        IValue::Tuple(t) => IValue::tuple(t.items.iter().map(fresh).collect::<Vec<_>>()),
        IValue::List(l) => {
            let items: Vec<IValue> = l.read().iter().map(fresh).collect();
            IValue::list(l.element.clone(), items)
        }
        other => other.clone(),
    }
}

/// Records what the interpreter tells.
struct Watching(Mutex<Watched>);

#[derive(Default)]
struct Watched {
    recorder: Option<Recorder>,
    /// Operands of the operator that runs.
    inputs: Vec<ValueId>,
    refusal: Option<Refusal>,
}

impl Watching {
    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Watching {
    fn at(&self, _function: &str, _pc: Pc, place: Option<(&Arc<SourceText>, Place)>) {
        if let (Some(recorder), Some((source, place))) = (&mut self.lock().recorder, place) {
            recorder.set_place(Some(Place { length: 0, ..place }.loc(source)));
        }
    }

    fn before(&self, operator: &str, arguments: &[IValue]) {
        let mut watched = self.lock();
        let (watched, Some(entry)) = (&mut *watched, recorded(operator)) else { return };
        let operands: Vec<Operand> = arguments.iter().cloned().map(Operand::Value).collect();
        let Some(recorder) = &mut watched.recorder else { return };
        match recorder.operands(entry, &operands) {
            Ok(inputs) => watched.inputs = inputs,
            Err(refusal) => watched.refusal = watched.refusal.take().or(Some(refusal)),
        }
    }

    fn after(&self, operator: &str, results: Result<&[IValue], &str>) {
        let mut watched = self.lock();
        let watched = &mut *watched;
        if let (Some(entry), Ok(results), Some(recorder), None) =
            (recorded(operator), results, &mut watched.recorder, &watched.refusal)
        {
            recorder.call(entry, &std::mem::take(&mut watched.inputs), results);
        }
    }
}

/// An operator that a trace holds: one that gives tensors.
fn recorded(operator: &str) -> Option<&'static sconce_schema::OpEntry> {
    let entry = sconce_schema::lookup(operator)?;
    entry.schema().returns.iter().any(|r| sconce_script::trace::is_recorded(&r.ty)).then_some(entry)
}
