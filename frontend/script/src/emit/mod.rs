//! Trees become typed graphs here, as PyTorch's compiler makes them: what it accepts is accepted, with its meaning; what it refuses is refused in its words.
//!
//! A [`Compiler`] owns the [`Unit`] it fills. Functions and methods are *declared* with their trees and compiled when somebody needs them
//! ([`Compiler::ensure_defined`]), because only a compiled function has a return type. Names that are no local variables are asked of a [`Resolver`]:
//! the evaluated Python file, or the archive.

mod assign;
mod attribute;
mod builtin_functions;
mod builtins;
mod call;
mod class;
mod comprehension;
mod condition;
mod control;
mod departures;
mod environment;
mod expression;
mod function;
mod index;
mod iterate;
mod literal;
mod matching;
mod meaning;
mod module;
mod statement;
mod sugared;
pub mod types;

pub use builtins::OnlyOperators;
pub use builtins::PYTHON_CLASSES;
pub use departures::Departure;
pub use function::Emitter;
pub use matching::ORIGINAL_CALL;
pub use meaning::{Meaning, Meanings};
pub use sconce_graph::error::{Call, Error, Manner, Result};
pub use sugared::{Form, Named, PythonValue, Sugared, SugaredValue};

use crate::concrete::ConcreteModule;
use crate::graph::{Attr, Graph, Loc, SourceText};
use crate::named::NamedList;
use crate::unit::{Function, Unit};
use rustc_hash::FxHashMap;
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::{frontend, tree};
use std::rc::Rc;
use std::sync::Arc;

/// Gives names that are not local variables their meaning.
pub trait Resolver {
    /// What `name` stands for as a value; `None` when it is not defined.
    fn resolve(&self, compiler: &mut Compiler, name: &str, place: &Loc) -> Result<Option<Sugared>>;

    /// Do functions that see these names stand in a Python file, which PyTorch's Python frontend reads?
    fn is_python(&self) -> bool {
        false
    }

    /// What a possibly dotted `name` stands for as a type; `None` leaves it to [`Resolver::resolve`].
    fn resolve_type(&self, compiler: &mut Compiler, name: &str, place: &Loc) -> Result<Option<Type>>;
}

/// Knows no names.
pub struct NoNames;

impl Resolver for NoNames {
    fn resolve(&self, _: &mut Compiler, _: &str, _: &Loc) -> Result<Option<Sugared>> {
        Ok(None)
    }
    fn resolve_type(&self, _: &mut Compiler, _: &str, _: &Loc) -> Result<Option<Type>> {
        Ok(None)
    }
}

/// What `self` is in a method.
#[derive(Clone, Debug)]
pub enum Receiver {
    /// An instance of a module with this concrete type.
    Module(Arc<ConcreteModule>),
    /// An instance of a script class of the unit (or of a module class of an archive, which has no concrete type).
    Class(Arc<str>),
}

impl Receiver {
    /// The qualified name of the class.
    pub fn class(&self) -> &Arc<str> {
        match self {
            Receiver::Module(m) => &m.class,
            Receiver::Class(name) => name,
        }
    }
}

/// A function with its tree, not compiled yet.
#[derive(Clone)]
pub struct Declaration {
    pub def: Rc<tree::Def>,
    pub source: Arc<SourceText>,
    pub resolver: Rc<dyn Resolver>,
    pub receiver: Option<Receiver>,
    /// Default values that Python evaluated, by parameter; those not here are evaluated from their trees.
    pub defaults: Vec<(Arc<str>, sconce_tensor::IValue)>,
}

enum State {
    Declared(Rc<Declaration>),
    Compiling,
    /// It was refused; asking again repeats the refusal.
    Refused(Error),
}

/// Compiles into a unit; see the module's page.
pub struct Compiler {
    pub unit: Unit,
    /// Members of PyTorch's own modules that are no operators, by dotted name: `torch.nn.functional.dropout`.
    pub library: Option<Rc<dyn Resolver>>,
    /// The version of the operators a source was written with, when an archive says so.
    pub operator_version: Option<u32>,
    states: FxHashMap<Arc<str>, State>,
    /// Functions that are being compiled, outermost first.
    activations: Vec<Call>,
    /// What operators' names stand for, as they were asked for.
    signatures: FxHashMap<Arc<str>, Rc<[Rc<matching::Signature>]>>,
    builtin_functions: builtins::BuiltinFunctions,
    /// Python classes whose methods are being compiled, with these: PyTorch gives them their default values when all are.
    batches: Vec<(Arc<str>, NamedList<Arc<str>>)>,
    /// Where the name stands that a resolver is being asked for.
    resolving: Option<Loc>,
    /// Static methods by class and name: functions beside the class, because no archive has them inside.
    statics: FxHashMap<Arc<str>, Arc<str>>,
    /// Where programs mean something else than in Python, in the order they were compiled in.
    pub departures: Vec<Departure>,
    /// What stands where in a text, for who wants to know.
    pub meanings: Option<Meanings>,
    /// Class methods of script classes by their qualified name: Python calls them.
    class_methods: FxHashMap<Arc<str>, Rc<PythonValue>>,
    /// Variables in the bodies of script classes, which their instances do not have.
    class_variables: FxHashMap<Arc<str>, Vec<Arc<str>>>,
}

impl Default for Compiler {
    fn default() -> Self {
        Compiler::new(Unit::default())
    }
}

/// Functions that call each other while they are being compiled: deeper than any program a person writes, shallower than the stack.
const MAX_ACTIVATIONS: usize = 64;

impl Compiler {
    pub fn new(unit: Unit) -> Compiler {
        builtins::register_library_operators();
        Compiler {
            unit,
            library: None,
            operator_version: None,
            states: FxHashMap::default(),
            activations: Vec::new(),
            signatures: FxHashMap::default(),
            builtin_functions: builtins::BuiltinFunctions::default(),
            batches: Vec::new(),
            resolving: None,
            statics: FxHashMap::default(),
            departures: Vec::new(),
            meanings: None,
            class_methods: FxHashMap::default(),
            class_variables: FxHashMap::default(),
        }
    }

    /// Declares and compiles a function; methods have a receiver and the qualified name `<class>.<method>`.
    pub fn compile_function(
        &mut self,
        qualified: &str,
        def: &tree::Def,
        source: &Arc<SourceText>,
        resolver: Rc<dyn Resolver>,
        receiver: Option<Receiver>,
    ) -> Result<Arc<str>> {
        let declaration =
            Declaration { def: Rc::new(def.clone()), source: source.clone(), resolver, receiver, defaults: Vec::new() };
        let name = self.declare_function(qualified, declaration);
        let place = Loc { source: source.clone(), span: def.span };
        self.ensure_defined(&name, &place)?;
        Ok(name)
    }

    /// Declares a function without compiling it. A name that is taken keeps its meaning.
    pub fn declare_function(&mut self, qualified: &str, declaration: Declaration) -> Arc<str> {
        let name: Arc<str> = Arc::from(qualified);
        if !self.is_declared(qualified) {
            self.states.insert(name.clone(), State::Declared(Rc::new(declaration)));
        }
        name
    }

    /// Declares a method of a class of the unit, and lists it among the class's methods now (`listed`) or when it is first used: PyTorch compiles
    /// `forward` and exported methods first, others when they are called.
    pub fn declare_method(&mut self, class: &str, declaration: Declaration, listed: bool) -> Arc<str> {
        let method: Arc<str> = Arc::from(declaration.def.name.name.as_str());
        let name = self.declare_function(&format!("{class}.{method}"), declaration);
        if listed {
            self.list_method(class, &method);
        }
        name
    }

    /// Lists a method among those of its class, unless it is there.
    pub fn list_method(&mut self, class: &str, method: &Arc<str>) {
        if let Some(class) = self.unit.classes.get_mut(class)
            && !class.has_method(method)
        {
            class.methods.push(method.clone());
        }
    }

    /// Is there a function or method of this name, compiled or not?
    pub fn is_declared(&self, qualified: &str) -> bool {
        self.states.contains_key(qualified) || self.unit.functions.contains_key(qualified)
    }

    /// Is a function being compiled, which others may call?
    pub fn is_compiling(&self) -> bool {
        !self.activations.is_empty()
    }

    /// Compiles a declared function if that has not happened, and gives it.
    pub fn ensure_defined(&mut self, qualified: &str, place: &Loc) -> Result<&Function> {
        match self.states.get(qualified) {
            None => {}
            Some(State::Refused(e)) => return Err(e.clone()),
            Some(State::Compiling) => {
                let short = qualified.rsplit('.').next().unwrap_or(qualified);
                return Err(self.error(
                    place,
                    format!(" function '{short}' is called recursively. Recursive calls are not supported"),
                ));
            }
            Some(State::Declared(declaration)) => {
                let declaration = declaration.clone();
                self.compile_declared(qualified, &declaration)?;
            }
        }
        match self.unit.functions.get(qualified) {
            Some(f) => Ok(f),
            None => Err(Error::new(place, format!("undefined function {qualified}"))),
        }
    }

    fn compile_declared(&mut self, qualified: &str, declaration: &Rc<Declaration>) -> Result<()> {
        let name: Arc<str> = Arc::from(qualified);
        let place = Loc { source: declaration.source.clone(), span: declaration.def.span };
        if self.activations.len() >= MAX_ACTIVATIONS {
            return Err(self.error(&place, "functions call each other too deeply to be compiled"));
        }
        self.states.insert(name.clone(), State::Compiling);
        let python = declaration.resolver.is_python();
        let lines = python.then_some(declaration.def.source);
        self.activations.push(Call { function: call_name(&name, declaration.receiver.is_some()), place, lines });
        let checked = if python { self.check_by_frontend(declaration) } else { Ok(()) };
        let result = checked.and_then(|()| function::compile(self, &name, declaration));
        self.activations.pop();
        match result {
            Ok(mut function) => {
                if let Some(lines) = lines {
                    narrow(&mut function.graph, &declaration.source, lines);
                }
                self.states.remove(&name);
                if let Some(receiver) = &declaration.receiver {
                    let method: Arc<str> = Arc::from(declaration.def.name.name.as_str());
                    self.list_method(receiver.class(), &method);
                }
                self.unit.functions.insert(name, function);
                Ok(())
            }
            Err(e) => {
                self.states.insert(name, State::Refused(e.clone()));
                Err(e)
            }
        }
    }

    /// What PyTorch's Python frontend refuses of a function before anything of it is compiled.
    fn check_by_frontend(&self, declaration: &Declaration) -> Result<()> {
        if declaration.def.is_async {
            let place = Loc { source: declaration.source.clone(), span: declaration.def.span };
            let (line, _) = place.line_column();
            let message = format!("Expected a single top-level function: {}:{line}", declaration.source.name());
            return Err(Error { manner: Manner::Placeless, ..self.error(&place, message) });
        }
        let Err(refusal) = frontend::check(&declaration.def, declaration.source.text()) else { return Ok(()) };
        let place = match &refusal.place {
            frontend::Place::Span(span) => Loc { source: declaration.source.clone(), span: *span },
            frontend::Place::Said => {
                let place = Loc { source: declaration.source.clone(), span: declaration.def.span };
                return Err(Error { manner: Manner::Placeless, ..self.error(&place, refusal.message) });
            }
            frontend::Place::Line { text, span } => Loc { source: SourceText::nameless(text), span: *span },
        };
        let mut error = self.error(&place, refusal.message);
        if refusal.by_frontend {
            error.manner = Manner::Frontend;
        }
        Err(error)
    }

    /// Compiles everything that was declared and is listed among a class's methods, `__init__` first because it makes the attributes.
    pub fn ensure_methods(&mut self, class: &str, place: &Loc) -> Result<()> {
        let listed = self.unit.classes.get(class).map(|c| c.methods.clone()).unwrap_or_default();
        let declared = |m: &Arc<str>| self.declaration(&format!("{class}.{m}"));
        let python = listed.iter().find_map(declared).is_some_and(|d| d.resolver.is_python());
        if python {
            self.batches.push((Arc::from(class), listed));
        }
        let result = self.compile_methods(class, place);
        if python {
            self.batches.pop();
        }
        result
    }

    fn compile_methods(&mut self, class: &str, place: &Loc) -> Result<()> {
        let mut at = 0;
        let init = format!("{class}.__init__");
        if self.is_declared(&init) {
            self.ensure_defined(&init, place)?;
        }
        while let Some(method) = self.unit.classes.get(class).and_then(|c| c.methods.get(at)).cloned() {
            self.ensure_defined(&format!("{class}.{method}"), place)?;
            at += 1;
        }
        Ok(())
    }

    /// The tree of a declared function.
    pub(super) fn declaration(&self, qualified: &str) -> Option<Rc<Declaration>> {
        match self.states.get(qualified) {
            Some(State::Declared(d)) => Some(d.clone()),
            _ => None,
        }
    }

    /// A class is being compiled for a name at a place: reports say so.
    fn compile_class<T>(&mut self, qualified: &str, f: impl FnOnce(&mut Compiler) -> Result<T>) -> Result<T> {
        let place = self.resolving.clone();
        let pushed = match (self.activations.last(), place) {
            (Some(caller), Some(place)) => {
                let lines = caller.lines;
                self.activations.push(Call { function: qualified.to_owned(), place, lines });
                true
            }
            _ => false,
        };
        let result = f(self);
        if pushed {
            self.activations.pop();
        }
        result
    }

    /// An error here and now: it knows the functions that are being compiled.
    pub fn error(&self, place: &Loc, message: impl Into<String>) -> Error {
        let calls = self.activations.iter().rev().cloned().collect();
        Error { message: message.into(), place: place.clone(), about: None, calls, manner: Manner::Compiler }
    }
}

/// Nodes of a Python function name its lines alone as their text, as reports, tracebacks and debug records do.
fn narrow(graph: &mut Graph, file: &Arc<SourceText>, lines: Span) {
    narrow_nodes(graph, file, lines, &Arc::new(file.part(lines)));
}

fn narrow_nodes(graph: &mut Graph, file: &Arc<SourceText>, lines: Span, part: &Arc<SourceText>) {
    for node in graph.walk(graph.root()) {
        if let Some(Loc { source, span }) = graph.loc(node)
            && Arc::ptr_eq(source, file)
            && lines.start <= span.start
            && span.end <= lines.end
        {
            let span = Span { start: span.start - lines.start, end: span.end - lines.start };
            graph.set_loc(node, Some(Loc { source: part.clone(), span }));
        }
        if let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") {
            let mut inner = inner.clone();
            narrow_nodes(&mut inner, file, lines, part);
            graph.set_attr(node, "Subgraph", Attr::Graph(inner));
        }
    }
}

/// The name PyTorch's call stack gives a function: `f`, and `M.forward` for methods.
fn call_name(qualified: &str, method: bool) -> String {
    let mut parts = qualified.rsplit('.');
    let last = parts.next().unwrap_or_default();
    match (method, parts.next()) {
        (true, Some(class)) => format!("{class}.{last}"),
        _ => last.to_owned(),
    }
}
