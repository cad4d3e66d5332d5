//! `torch.jit.trace`: a function or module is run as Python and what it did with tensors is its program; what Python did with numbers is frozen, and said.

use super::builtins::Args;
use super::call::Kwargs;
use super::fault::place_text;
use super::value::*;
use super::{Evaluator, Fallible, Fault, Warning};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_graph::graph::Loc;
use sconce_schema::overload::{Bound, Call};
use sconce_schema::{OpEntry, Type};
use sconce_script::trace::{Callee, Operand, Recorder, Refusal, Trace, container_text, identity_of_its_own};
use sconce_syntax::Span;
use sconce_syntax::script::tree::{Param, ParamKind};
use sconce_tensor::{IValue, Tensor};
use std::rc::Rc;
use std::sync::Arc;

/// A run that is being recorded.
pub(super) struct Tracing {
    recorder: Recorder,
    /// The modules below the traced one, by address.
    paths: FxHashMap<usize, Vec<Arc<str>>>,
    callees: Vec<Value>,
    /// Warnings that were given, each once for a place.
    warned: FxHashSet<(String, usize)>,
}

/// What tracing made of a function or of methods of a module.
pub(crate) struct Traced {
    pub methods: Vec<TracedMethod>,
}

pub(crate) struct TracedMethod {
    pub name: Rc<str>,
    pub trace: Trace,
    pub parameters: Vec<Rc<str>>,
    /// Functions that the trace calls, by the number it knows them by.
    pub callees: Vec<Value>,
}

/// What `torch.jit.trace` is asked for beside what is traced.
struct Wanted {
    check: bool,
    check_inputs: Vec<Value>,
    tolerance: f64,
    strict: bool,
}

impl Wanted {
    fn take(e: &Evaluator, a: &mut Args) -> Fallible<Wanted> {
        let flag = |v: Option<Value>, default: bool| v.map_or(Ok(default), |v| e.truth(&v));
        Ok(Wanted {
            check: flag(a.take("check_trace"), true)?,
            check_inputs: match a.take("check_inputs") {
                None | Some(Value::None) => Vec::new(),
                Some(all) => e.items(&all)?,
            },
            tolerance: match a.take("check_tolerance") {
                Some(Value::Float(f)) => f,
                Some(Value::Int(i)) => i as f64,
                _ => 1e-5,
            },
            strict: flag(a.take("strict"), true)?,
        })
    }
}

/// Texts of warnings about Python values that a trace cannot follow.
fn frozen_text(what: &str) -> String {
    format!(
        "Converting a tensor to a Python {what} might cause the trace to be incorrect. We can't record the data flow of Python values, so this value will \
         be treated as a constant in the future. This means that the trace might not generalize to other inputs!"
    )
}

pub(super) const LENGTH: &str = "Using len to get tensor shape might cause the trace to be incorrect. Recommended usage would be tensor.shape[0]. Passing a tensor of different shape might lead to errors or silently give incorrect results.";
pub(super) const ITERATION: &str = "Iterating over a tensor might cause the trace to be incorrect. Passing a tensor of different shape won't change the number of iterations executed (and might lead to errors or silently give incorrect results).";
pub(super) const MADE: &str = "torch.tensor results are registered as constants in the trace. You can safely ignore this warning if you use this function to create tensors out of constant variables that would be the same every time you call this function. In any other case, this might cause the trace to be incorrect.";
const ALREADY: &str =
    "The input to trace is already a ScriptModule, tracing it is a no-op. Returning the object as is.";

fn refused(r: Refusal) -> Fault {
    Fault::raise("RuntimeError", r.to_string())
}

/// `torch.jit.trace(func, example_inputs, …)`
pub(super) fn trace(e: &Evaluator, a: &mut Args) -> Fallible<Value> {
    let func = a.need("func")?;
    let inputs = a.take("example_inputs");
    a.take("optimize");
    let keywords = a.keyword("example_kwarg_inputs");
    let wanted = Wanted::take(e, a)?;
    let example = Example::of(e, inputs, keywords)?;
    match &func {
        Value::Instance(i) if i.is_script() => {
            e.warn("UserWarning", ALREADY.to_owned());
            Ok(func)
        }
        Value::Instance(i) if i.class.is_module() => e.trace_methods(i, vec![("forward".into(), example)], &wanted),
        Value::Method(m) => match (&m.0, &m.1) {
            (Value::Instance(i), Value::Function(f)) if i.class.is_module() && &*f.name == "forward" => {
                e.trace_methods(i, vec![("forward".into(), example)], &wanted)
            }
            (_, Value::Function(f)) => e.trace_function(&func, f, true, &example, &wanted),
            _ => Err(untraceable(&func)),
        },
        Value::Function(f) => e.trace_function(&func, f, false, &example, &wanted),
        _ => Err(untraceable(&func)),
    }
}

fn untraceable(func: &Value) -> Fault {
    Fault::refused(format!("torch.jit.trace takes a function or a module, not {}", func.type_name()))
}

/// `torch.jit.trace_module(mod, {method: inputs}, …)`
pub(super) fn trace_module(e: &Evaluator, a: &mut Args) -> Fallible<Value> {
    let module = a.need("mod")?;
    let Value::Dict(inputs) = a.need("inputs")? else {
        return Err(Fault::raise("AttributeError", "expected a dictionary of (method_name, input) pairs"));
    };
    a.take("optimize");
    let wanted = Wanted::take(e, a)?;
    let Value::Instance(i) = &module else {
        let text = format!("expected torch.nn.Module as the first argument but found {}", module.type_name());
        return Err(Fault::raise("AttributeError", text));
    };
    let mut methods = Vec::new();
    for (name, example) in inputs.borrow().iter() {
        let name = name.0.as_str().ok_or_else(|| Fault::raise("TypeError", "method names are strings"))?;
        methods.push((name.into(), Example::of(e, Some(example.clone()), None)?));
    }
    e.trace_methods(i, methods, &wanted)
}

/// Example inputs, in order and by name.
#[derive(Clone)]
struct Example {
    positional: Vec<Value>,
    keywords: Kwargs,
}

impl Example {
    fn of(e: &Evaluator, inputs: Option<Value>, keywords: Option<Value>) -> Fallible<Example> {
        let positional = match inputs {
            None | Some(Value::None) => Vec::new(),
            Some(one @ (Value::Tensor(_) | Value::Dict(_))) => vec![one],
            Some(several) => e.items(&several)?,
        };
        let mut named = Kwargs::new();
        if let Some(Value::Dict(d)) = keywords {
            for (k, v) in d.borrow().iter() {
                if let Value::Str(k) = &k.0 {
                    named.push((k.clone(), v.clone()));
                }
            }
        }
        if positional.is_empty() && named.is_empty() {
            return Err(Fault::raise("RuntimeError", "example_kwarg_inputs should be a dict"));
        }
        Ok(Example { positional, keywords: named })
    }

    /// The same values in tensors of their own identity; what is written is the example's.
    fn fresh(&self) -> Example {
        Example {
            positional: self.positional.iter().map(fresh).collect(),
            keywords: self.keywords.iter().map(|(k, v)| (k.clone(), fresh(v))).collect(),
        }
    }

    /// The same values, written by nobody else.
    fn cloned(&self, e: &Evaluator) -> Fallible<Example> {
        let copy = |v: &Value| super::builtins::deep_copy(e, v, &mut Vec::new());
        Ok(Example {
            positional: self.positional.iter().map(copy).collect::<Fallible<_>>()?,
            keywords: self.keywords.iter().map(|(k, v)| Ok((k.clone(), copy(v)?))).collect::<Fallible<_>>()?,
        })
    }

    fn values(&self) -> impl Iterator<Item = &Value> {
        self.positional.iter().chain(self.keywords.iter().map(|(_, v)| v))
    }
}

fn fresh(v: &Value) -> Value {
    match v {
        Value::Tensor(t) => Value::tensor(identity_of_its_own(&t.tensor.borrow())),
        Value::List(items) => Value::list(items.borrow().iter().map(fresh).collect()),
        Value::Tuple(items) => Value::tuple(items.iter().map(fresh).collect()),
        Value::NamedTuple(c, items) => Value::NamedTuple(c.clone(), items.iter().map(fresh).collect()),
        Value::Dict(d) => Value::dict(d.borrow().iter().map(|(k, v)| (k.clone(), fresh(v))).collect()),
        other => other.clone(),
    }
}

impl Evaluator {
    /// Is a trace being recorded?
    pub(super) fn is_tracing(&self) -> bool {
        self.tracing.borrow().is_some()
    }

    pub(super) fn warn(&self, category: &str, text: String) {
        let place = self.place.borrow();
        let place = place.as_ref().filter(|p| self.is_of_user(p));
        let place = place.map(place_text);
        self.warnings.borrow_mut().push(Warning { category: category.to_owned(), text, place });
    }

    /// Is this a place of the file that is evaluated, not of the library?
    fn is_of_user(&self, place: &Loc) -> bool {
        self.main.borrow().as_ref().is_some_and(|m| Arc::ptr_eq(&m.file.source, &place.source))
    }

    /// Says, in a trace, that a Python value was made of a tensor.
    pub(super) fn frozen(&self, what: &str) {
        self.trace_warning(&frozen_text(what));
    }

    /// A warning about a trace, once for each place; what the library does is not its user's to change.
    pub(super) fn trace_warning(&self, text: &str) {
        let place = self.place.borrow().clone();
        if let Some(tracing) = &mut *self.tracing.borrow_mut()
            && place.as_ref().is_none_or(|p| self.is_of_user(p))
            && tracing.warned.insert((text.to_owned(), place.map_or(0, |p| p.span.start as usize)))
        {
            self.warn("TracerWarning", text.to_owned());
        }
    }

    /// Sizes and the like as tensors of the trace, as Python sees them while tracing; plain numbers otherwise.
    pub(super) fn traced_number(&self, kind: &'static str, of: &Tensor, dim: Option<i64>, n: i64) -> Fallible<Value> {
        let mut tracing = self.tracing.borrow_mut();
        let Some(tracing) = &mut *tracing else { return Ok(Value::Int(n)) };
        tracing.recorder.set_place(self.loc());
        let made = Tensor::scalar(n);
        tracing.recorder.number(kind, of, dim, &made).map_err(refused)?;
        Ok(Value::tensor(made))
    }

    /// The line that is being run.
    fn loc(&self) -> Option<Loc> {
        let place = self.place.borrow();
        let place = place.as_ref()?;
        let before = place.source.text().get(..place.span.start as usize).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at + 1) as u32;
        Some(Loc { source: place.source.clone(), span: Span { start, end: start } })
    }

    /// Records the operands of a call that is about to run.
    pub(super) fn trace_operands(
        &self,
        entry: &OpEntry,
        operands: &[Operand],
    ) -> Fallible<Vec<sconce_graph::graph::ValueId>> {
        let loc = self.loc();
        match &mut *self.tracing.borrow_mut() {
            None => Ok(Vec::new()),
            Some(tracing) => {
                tracing.recorder.set_place(loc);
                tracing.recorder.operands(entry, operands).map_err(refused)
            }
        }
    }

    /// Records that a call has run.
    pub(super) fn trace_results(&self, entry: &OpEntry, inputs: &[sconce_graph::graph::ValueId], results: &[IValue]) {
        if let Some(tracing) = &mut *self.tracing.borrow_mut() {
            tracing.recorder.call(entry, inputs, results);
        }
    }

    /// Says, in a trace, that a submodule's `forward` begins; whether it is one of the traced module's.
    pub(super) fn enter_scope(&self, i: &Instance) -> bool {
        let mut tracing = self.tracing.borrow_mut();
        let Some(tracing) = &mut *tracing else { return false };
        let path = tracing.paths.get(&(std::ptr::from_ref(i) as usize)).filter(|path| !path.is_empty());
        path.map(|path| tracing.recorder.enter(path.clone())).is_some()
    }

    /// Says that it ends.
    pub(super) fn leave_scope(&self) {
        if let Some(tracing) = &mut *self.tracing.borrow_mut() {
            tracing.recorder.leave();
        }
    }

    /// Runs what a trace does not look into; the statement at hand is the same afterwards.
    pub(super) fn untraced<T>(&self, run: impl FnOnce() -> T) -> T {
        let (suspended, place) = (self.tracing.take(), self.place.borrow().clone());
        let result = run();
        self.tracing.replace(suspended);
        self.place.replace(place);
        result
    }

    /// A call of a scripted or traced function in a trace: it keeps its own graph.
    pub(super) fn call_opaque(
        &self,
        callee: &Value,
        f: &Rc<Function>,
        args: Vec<Value>,
        kwargs: Kwargs,
    ) -> Fallible<Value> {
        let result = self.untraced(|| self.call(callee, args.clone(), kwargs.clone()))?;
        let operands = self.opaque_operands(f, 0, args, kwargs)?;
        let number = {
            let mut tracing = self.tracing.borrow_mut();
            let Some(tracing) = &mut *tracing else { return Ok(result) };
            let known = tracing.callees.iter().position(|c| same(c, callee));
            known.unwrap_or_else(|| {
                tracing.callees.push(callee.clone());
                tracing.callees.len() - 1
            })
        };
        self.record_opaque(Callee::Function(number), &operands, &result)?;
        Ok(result)
    }

    /// A call of a scripted or traced module in a trace.
    pub(super) fn call_opaque_module(
        &self,
        module: &Value,
        i: &Rc<Instance>,
        args: Vec<Value>,
        kwargs: Kwargs,
    ) -> Fallible<Value> {
        let result = self.untraced(|| self.call(module, args.clone(), kwargs.clone()))?;
        let Some(Value::Function(f)) = i.class.get("forward") else { return Ok(result) };
        let operands = self.opaque_operands(&f, 1, args, kwargs)?;
        let path = self.tracing.borrow().as_ref().and_then(|t| t.paths.get(&(Rc::as_ptr(i) as usize)).cloned());
        let Some(path) = path else {
            let text = "a scripted module that is called in a trace must be a submodule of what is traced";
            return Err(Fault::refused(text));
        };
        self.record_opaque(Callee::Method { path: &path, name: "forward" }, &operands, &result)?;
        Ok(result)
    }

    fn record_opaque(&self, callee: Callee<'_>, operands: &[Operand], result: &Value) -> Fallible<()> {
        let loc = self.loc();
        let result = self.data(result)?;
        if let Some(tracing) = &mut *self.tracing.borrow_mut() {
            tracing.recorder.set_place(loc);
            tracing.recorder.opaque(callee, operands, &[], &result).map_err(refused)?;
        }
        Ok(())
    }

    /// Arguments in the order of the parameters, with defaults; numbers are what they are now.
    fn opaque_operands(
        &self,
        f: &Function,
        bound: usize,
        args: Vec<Value>,
        mut kwargs: Kwargs,
    ) -> Fallible<Vec<Operand>> {
        let mut args = args.into_iter();
        let mut out = Vec::new();
        for (at, p) in params(f).iter().enumerate().skip(bound) {
            let named = kwargs.iter().position(|(k, _)| **k == *p.name.name);
            let default = || f.defaults.get(at).cloned().flatten();
            let Some(v) = args.next().or_else(|| named.map(|n| kwargs.remove(n).1)).or_else(default) else { continue };
            let annotated_number = matches!(&v, Value::Tensor(_)) && is_number(p);
            let v = if annotated_number { self.untraced(|| self.tensor_item_number(&v))? } else { v };
            out.push(Operand::Value(self.data(&v)?));
        }
        Ok(out)
    }

    fn tensor_item_number(&self, v: &Value) -> Fallible<Value> {
        self.tensor_method(v, "item", Vec::new(), Vec::new())
    }

    // -- tracing

    fn trace_function(
        &self,
        func: &Value,
        f: &Rc<Function>,
        bound: bool,
        example: &Example,
        wanted: &Wanted,
    ) -> Fallible<Value> {
        let record = |example: &Example| self.record(func, f, usize::from(bound), None, example, wanted.strict);
        let method = record(example)?;
        let traced = Rc::new(Traced { methods: vec![method] });
        let new = self.made.function(Function {
            code: match &f.code {
                Code::Def(d) => Code::Def(d.clone()),
                Code::Lambda(l) => Code::Lambda(l.clone()),
            },
            name: f.name.clone(),
            qualified: f.qualified.clone(),
            closure: f.closure.clone(),
            defaults: f.defaults.clone(),
            modifier: std::cell::Cell::new(Modifier::Script),
            class: std::cell::RefCell::default(),
            overloads: std::cell::RefCell::default(),
            attributes: std::cell::RefCell::default(),
            traced: std::cell::RefCell::new(Some(traced)),
        });
        let value = Value::Function(new);
        if wanted.check {
            self.check(&record, func, &value, example, wanted)?;
        }
        Ok(value)
    }

    fn trace_methods(&self, i: &Rc<Instance>, methods: Vec<(Rc<str>, Example)>, wanted: &Wanted) -> Fallible<Value> {
        let copy = Rc::new(Instance {
            class: i.class.clone(),
            attributes: std::cell::RefCell::new(own_registries(i)),
            script: std::cell::RefCell::default(),
        });
        let module = Value::Instance(i.clone());
        let mut traced = Vec::new();
        let mut checks = Vec::new();
        for (name, example) in methods {
            let callee = if &*name == "forward" { module.clone() } else { self.attribute(&module, &name)? };
            let Some(Value::Function(f)) = i.class.get(&name) else {
                let text = format!("'{}' object has no attribute '{name}'", i.class.name);
                return Err(Fault::raise("AttributeError", text));
            };
            let mut method = self.record(&callee, &f, 1, Some(i), &example, wanted.strict)?;
            method.name = name.clone();
            traced.push(method);
            checks.push((name, callee, f, example));
        }
        *copy.script.borrow_mut() = Some(Script::Traced(Rc::new(Traced { methods: traced })));
        let value = Value::Instance(copy);
        if wanted.check {
            for (name, callee, f, example) in checks {
                let record = |example: &Example| self.record(&callee, &f, 1, Some(i), example, wanted.strict);
                let method = self.attribute(&value, &name)?;
                let traced = if &*name == "forward" { &value } else { &method };
                self.check(&record, &callee, traced, &example, wanted)?;
            }
        }
        Ok(value)
    }

    /// Runs once and records it.
    fn record(
        &self,
        callee: &Value,
        f: &Rc<Function>,
        bound: usize,
        root: Option<&Rc<Instance>>,
        example: &Example,
        strict: bool,
    ) -> Fallible<TracedMethod> {
        if self.is_tracing() {
            return Err(Fault::raise("RuntimeError", "Can't nest tracing calls"));
        }
        let example = example.fresh();
        let mut recorder = Recorder::new(root.is_some());
        let mut paths = FxHashMap::default();
        if let Some(root) = root {
            homes(root, &mut Vec::new(), &mut recorder, &mut paths);
        }
        let names = input_names(f, bound, &example);
        for (at, v) in example.values().enumerate() {
            let value = self.data(v)?;
            let name = names.as_ref().and_then(|n| n.get(at));
            recorder.input(name.map(|n| &**n), &value).map_err(|_| self.untraceable_inputs(&example))?;
        }
        let tracing = Tracing { recorder, paths, callees: Vec::new(), warned: FxHashSet::default() };
        self.tracing.replace(Some(Box::new(tracing)));
        let place = self.place.take();
        let result = self.call(callee, example.positional.clone(), example.keywords.clone());
        self.place.replace(place);
        let Some(tracing) = self.tracing.take() else { return Err(Fault::refused("a trace ended twice")) };
        let output = self.data(&result?).map_err(|_| refused(Refusal::Output))?;
        let trace = tracing.recorder.finish(&output, strict).map_err(refused)?;
        if trace.list_output {
            self.warn("TracerWarning", container_text("list"));
        }
        let parameters = match names {
            Some(names) => names,
            None => (0..example.values().count()).map(|n| format!("argument_{}", n + 1).into()).collect(),
        };
        Ok(TracedMethod { name: f.name.clone(), trace, parameters, callees: tracing.callees })
    }

    fn untraceable_inputs(&self, example: &Example) -> Fault {
        let types = example.values().map(|v| super::tensor::operand(v).map_or(Type::Any, |(ty, _)| ty));
        let ty = Type::Tuple(types.collect::<Vec<_>>().into());
        refused(Refusal::Input(ty.annotation_str()))
    }

    /// The same program traced again must give the same graph, and what it gives must be what the function gives.
    fn check(
        &self,
        record: &dyn Fn(&Example) -> Fallible<TracedMethod>,
        func: &Value,
        traced: &Value,
        example: &Example,
        wanted: &Wanted,
    ) -> Fallible<()> {
        let mut examples = vec![example.clone()];
        for inputs in &wanted.check_inputs {
            examples.push(Example::of(self, Some(inputs.clone()), None)?);
        }
        for example in &examples {
            let said = self.warnings.borrow().len();
            let again = record(&example.cloned(self)?)?;
            self.warnings.borrow_mut().truncate(said);
            let name = again.name.clone();
            let first = traced_methods(traced).and_then(|t| t.methods.iter().find(|m| m.name == name).map(graph_lines));
            let difference = first.and_then(|first| super::trace_check::difference(&first, &graph_lines(&again)));
            self.check_values(func, traced, &again, example, wanted)?;
            if let Some(difference) = difference {
                return Err(Fault::raise("TracingCheckError", difference));
            }
        }
        Ok(())
    }

    /// The trace, the function and the second trace, each run once more with the same inputs.
    fn check_values(
        &self,
        func: &Value,
        traced: &Value,
        again: &TracedMethod,
        example: &Example,
        wanted: &Wanted,
    ) -> Fallible<()> {
        let run = |callee: &Value| {
            let inputs = example.cloned(self)?;
            self.data(&self.call(callee, inputs.positional, inputs.keywords)?)
        };
        let ours = run(traced)?;
        let python = run(func)?;
        let module = match traced {
            Value::Instance(_) => Some(traced),
            Value::Method(m) => Some(&m.0),
            _ => None,
        };
        let inputs = example.cloned(self)?.values().cloned().collect();
        let repeated = self.data(&self.replay(again, module, inputs)?)?;
        for (other, what) in [(&python, "Python function"), (&repeated, "repeated trace")] {
            let differences = super::trace_check::values(&ours, other, what, wanted.tolerance);
            if !differences.is_empty() {
                let random = traced_methods(traced).map_or(Vec::new(), |t| random_nodes(&t, &again.name));
                let warnings = super::trace_check::random(&random).into_iter().chain(differences);
                warnings.for_each(|w| self.warn("TracerWarning", w));
                break;
            }
        }
        Ok(())
    }

    // -- running traces

    /// Runs a trace's graph; the module is the one it is a method of.
    pub(super) fn replay(&self, method: &TracedMethod, module: Option<&Value>, args: Vec<Value>) -> Fallible<Value> {
        let graph = &method.trace.graph;
        let root = graph.root();
        let mut values: FxHashMap<sconce_graph::graph::ValueId, Value> = FxHashMap::default();
        let given = module.cloned().into_iter().chain(args);
        for (input, v) in graph.block_inputs(root).iter().zip(given) {
            values.insert(*input, v);
        }
        for node in graph.block_nodes(root) {
            self.spend(1)?;
            let inputs: Vec<Value> =
                graph.inputs(*node).iter().map(|v| values.get(v).cloned().unwrap_or(Value::None)).collect();
            let outputs = self.replay_node(method, *node, inputs)?;
            for (output, v) in graph.outputs(*node).iter().zip(outputs) {
                values.insert(*output, v);
            }
        }
        let output = graph.block_outputs(root).first().and_then(|v| values.get(v).cloned());
        Ok(output.unwrap_or(Value::None))
    }

    fn replay_node(
        &self,
        method: &TracedMethod,
        node: sconce_graph::graph::NodeId,
        inputs: Vec<Value>,
    ) -> Fallible<Vec<Value>> {
        let graph = &method.trace.graph;
        let first = || inputs.first().cloned().unwrap_or(Value::None);
        let name = graph.str_attr(node, "name");
        Ok(match &**graph.kind(node) {
            "prim::Constant" => match method.trace.functions.iter().find(|(n, _)| *n == node) {
                Some((_, number)) => vec![method.callees.get(*number).cloned().unwrap_or(Value::None)],
                None => {
                    let constant = graph.output(node).and_then(|v| graph.constant(v));
                    vec![constant.map_or(Value::None, super::tensor::from_ivalue)]
                }
            },
            "prim::GetAttr" => vec![self.attribute(&first(), name.map_or("", |n| n))?],
            "prim::ListConstruct" => vec![Value::list(inputs)],
            "prim::TupleConstruct" => vec![Value::tuple(inputs)],
            "prim::DictConstruct" => {
                let mut map = Map::new();
                for pair in inputs.chunks(2) {
                    if let [k, v] = pair {
                        map.insert(self.key(k.clone())?, v.clone());
                    }
                }
                vec![Value::dict(map)]
            }
            "prim::TupleUnpack" | "prim::ListUnpack" => self.items(&first())?,
            "prim::NumToTensor" => vec![self.make_tensor(&first(), None, false)?],
            "prim::CallFunction" => vec![self.call(&first(), inputs.into_iter().skip(1).collect(), Vec::new())?],
            "prim::CallMethod" => {
                let callee = match name {
                    Some(n) if &**n != "forward" => self.attribute(&first(), n)?,
                    _ => first(),
                };
                vec![self.call(&callee, inputs.into_iter().skip(1).collect(), Vec::new())?]
            }
            "aten::__getitem__" => {
                let [object, key] = &inputs[..] else { return Ok(Vec::new()) };
                vec![self.item(object, key)?]
            }
            kind => self.node_operator(kind, graph.inputs(node).iter().map(|v| graph.ty(*v)), &inputs)?,
        })
    }
}

/// The traces of a function or module.
fn traced_methods(v: &Value) -> Option<Rc<Traced>> {
    match v {
        Value::Function(f) => f.traced.borrow().clone(),
        Value::Instance(i) => i.traced(),
        Value::Method(m) => traced_methods(&m.0),
        _ => None,
    }
}

/// The nodes of a trace as texts, without numbers that depend on others.
fn graph_lines(method: &TracedMethod) -> Vec<String> {
    let listing = sconce_graph::listing::to_listing(&method.trace.graph);
    listing.to_string().lines().map(str::to_owned).collect()
}

/// The nodes of a method's trace that draw random numbers.
fn random_nodes(traced: &Traced, name: &str) -> Vec<String> {
    let Some(method) = traced.methods.iter().find(|m| &*m.name == name) else { return Vec::new() };
    let graph = &method.trace.graph;
    let listing = sconce_graph::listing::to_listing(graph).to_string();
    let draws = |kind: &str| sconce_schema::overloads(kind).iter().any(|e| e.effect().draws);
    let kinds: FxHashSet<String> = graph
        .walk(graph.root())
        .iter()
        .map(|n| graph.kind(*n))
        .filter(|k| draws(k))
        .map(|k| format!("= {k}("))
        .collect();
    listing.lines().filter(|l| kinds.iter().any(|k| l.contains(k))).map(|l| l.trim().to_owned()).collect()
}

fn params(f: &Function) -> &[Param] {
    match &f.code {
        Code::Def(def) => &def.params,
        Code::Lambda(lambda) => &lambda.params,
    }
}

/// Is the parameter annotated as a number?
fn is_number(p: &Param) -> bool {
    use sconce_syntax::script::tree::ExprKind;
    matches!(p.annotation.as_ref().map(|a| &a.kind), Some(ExprKind::Var(n)) if matches!(n.name.as_str(), "int" | "float" | "bool"))
}

/// Names of what is given, where all of it is for parameters of their own.
fn input_names(f: &Function, bound: usize, example: &Example) -> Option<Vec<Rc<str>>> {
    let own = params(f).iter().skip(bound);
    let plain: Vec<Rc<str>> = own
        .filter(|p| matches!(p.kind, ParamKind::Plain | ParamKind::PositionalOnly))
        .map(|p| p.name.name.as_str().into())
        .collect();
    let mut names: Vec<Rc<str>> = plain.get(..example.positional.len())?.to_vec();
    names.extend(example.keywords.iter().map(|(k, _)| k.clone()));
    Some(names)
}

/// Where tensors and modules are found from a module.
fn homes(
    i: &Rc<Instance>,
    path: &mut Vec<Arc<str>>,
    recorder: &mut Recorder,
    paths: &mut FxHashMap<usize, Vec<Arc<str>>>,
) {
    let at = Rc::as_ptr(i) as usize;
    if paths.contains_key(&at) {
        return;
    }
    paths.insert(at, path.clone());
    for registry in ["_parameters", "_buffers"] {
        for (name, v) in super::concrete::entries(i, registry) {
            if let Value::Tensor(t) = &v {
                let mut whole = path.clone();
                whole.push(Arc::from(&*name));
                recorder.attribute(whole, &t.tensor.borrow());
            }
        }
    }
    for (name, v) in super::concrete::entries(i, "_modules") {
        if let Value::Instance(sub) = &v {
            path.push(Arc::from(&*name));
            homes(sub, path, recorder, paths);
            path.pop();
        }
    }
}

/// The attributes of a traced module: the same tensors and submodules in registries of its own, so that what Python replaces later stays Python's.
fn own_registries(i: &Instance) -> indexmap::IndexMap<Rc<str>, Value> {
    let copied = |v: &Value| match v {
        Value::Dict(d) => Value::dict(d.borrow().clone()),
        other => other.clone(),
    };
    i.attributes.borrow().iter().map(|(k, v)| (k.clone(), copied(v))).collect()
}

/// Does a call take a number from a tensor?
pub(super) fn reads_tensors(call: &Call) -> bool {
    use sconce_schema::overload::Conversion;
    call.arguments.iter().any(|b| {
        matches!(b, Bound::Positional(_, Conversion::TensorTo(_)) | Bound::Keyword(_, Conversion::TensorTo(_)))
    })
}

/// A value whose tensors without dimensions are the numbers in them.
pub(super) fn as_numbers(e: &Evaluator, v: &Value) -> Fallible<Value> {
    Ok(match v {
        Value::Tensor(t) if t.tensor.borrow().dim() == 0 => e.untraced(|| e.tensor_item_number(v))?,
        Value::List(items) => {
            let items = items.borrow();
            Value::list(items.iter().map(|v| as_numbers(e, v)).collect::<Fallible<_>>()?)
        }
        Value::Tuple(items) => Value::tuple(items.iter().map(|v| as_numbers(e, v)).collect::<Fallible<_>>()?),
        other => other.clone(),
    })
}

/// An argument as the recorder takes it: what Python gave, and what the operator got for it.
pub(super) fn operand(given: &Value, actual: &IValue) -> Operand {
    match (given, actual) {
        (Value::Tensor(_), IValue::Tensor(_)) => Operand::Value(actual.clone()),
        (Value::Tensor(t), IValue::Int(_) | IValue::Double(_) | IValue::Bool(_)) => {
            Operand::Number(t.tensor.borrow().clone())
        }
        (Value::List(items), IValue::List(l)) => operand_list(&items.borrow(), &l.read()),
        (Value::Tuple(items), IValue::List(l)) => operand_list(items, &l.read()),
        _ => Operand::Value(actual.clone()),
    }
}

pub(super) fn operand_list(given: &[Value], actual: &[IValue]) -> Operand {
    Operand::List(given.iter().zip(actual).map(|(g, a)| operand(g, a)).collect())
}
