//! A Python source as a program: evaluated once, then asked for entries, which are compiled with everything they need.

use super::fault::place_text;
use super::resolve::FileResolver;
use super::value::*;
use super::{Error, Evaluator, Fallible, Fault, Limits, Parameter, Warning};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_graph::graph::{Loc, SourceText};
use sconce_script::concrete::ConcreteModule;
use sconce_script::emit::{Compiler, Departure, Meanings, Resolver};
use sconce_syntax::Span;
use sconce_tensor::IValue;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// How a source is evaluated and compiled.
///
/// An embedder's own names come first:
///
/// ```
/// use sconce_schema::Type;
/// use sconce_script::emit::{Compiler, Resolver, Result, Sugared};
/// use sconce_graph::graph::Loc;
/// use sconce_python::{Options, Program};
/// use sconce_tensor::IValue;
/// use std::rc::Rc;
///
/// struct Answer;
///
/// impl Resolver for Answer {
///     fn resolve(&self, _: &mut Compiler, name: &str, _: &Loc) -> Result<Option<Sugared>> {
///         Ok((name == "answer").then(|| Sugared::Constant(Type::Int, IValue::Int(42))))
///     }
///     fn resolve_type(&self, _: &mut Compiler, _: &str, _: &Loc) -> Result<Option<Type>> {
///         Ok(None)
///     }
/// }
///
/// let options = Options { names: Some(Rc::new(Answer)), ..Options::default() };
/// let mut program = Program::new("m.py", "def f() -> int:\n    return answer\n", options)?;
/// program.compile("f")?;
/// # Ok::<(), sconce_python::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Options {
    /// The module's name, which qualified names begin with: `model` gives `__torch__.model.M`. Empty: the file's stem.
    pub module: String,
    pub limits: Limits,
    /// Functions around an entry that stand for their first argument: `fill` of `fill(M()).eval()`.
    pub transparent: Vec<String>,
    /// Names that the embedder gives a meaning; asked before all others.
    pub names: Option<Rc<dyn Resolver>>,
    /// Whether [`Compiler::meanings`] tells what stands where in the file.
    pub meanings: bool,
}

/// What an entry expression gave.
pub enum Entry {
    /// A function of the unit.
    Function(Arc<str>),
    /// A module: its class in the unit, and the object with its weights.
    Module { class: Arc<str>, object: IValue },
    /// A script class.
    Class(Arc<str>),
}

/// An entry compiled.
pub struct Compiled {
    pub entry: Entry,
    /// Attributes that `torch.jit.freeze` was told to keep; `None` when it was not asked for.
    pub freeze: Option<Vec<String>>,
}

/// A source file, evaluated; see the module's page.
///
/// ```
/// use sconce_python::{Entry, Options, Program};
///
/// let mut program = Program::new("model.py", "def double(x: int) -> int:\n    return x * 2\n", Options::default())?;
/// let compiled = program.compile("double")?;
/// assert!(matches!(compiled.entry, Entry::Function(name) if &*name == "__torch__.model.double"));
/// assert!(program.compiler.unit.functions.contains_key("__torch__.model.double"));
/// # Ok::<(), sconce_python::Error>(())
/// ```
pub struct Program {
    /// The unit that entries are compiled into.
    pub compiler: Compiler,
    pub(super) session: Rc<Session>,
    pub(super) scope: Rc<Scope>,
}

/// What evaluation and compilation share.
pub(super) struct Session {
    pub evaluator: Evaluator,
    pub options: Options,
    /// Qualified names of functions and classes that were met, by address.
    pub names: RefCell<FxHashMap<usize, Arc<str>>>,
    /// Classes of objects that could not be compiled, by address.
    pub uncompilable: RefCell<FxHashSet<usize>>,
    /// Those functions and classes, so that their addresses stay theirs.
    pub alive: RefCell<Vec<Value>>,
    /// The number of the next mangled name.
    pub mangled: Cell<u64>,
    /// Concrete types made so far, by the class's address.
    pub types: RefCell<FxHashMap<usize, Vec<Rc<super::concrete::Built>>>>,
    /// Objects, lists and dictionaries that were converted, by address: what is shared stays shared.
    pub converted: RefCell<FxHashMap<usize, IValue>>,
    /// Concrete types whose methods are compiled.
    pub compiled: RefCell<Vec<Arc<ConcreteModule>>>,
    /// Types of named tuples, by the address of their classes.
    pub named_tuples: RefCell<FxHashMap<usize, Arc<sconce_schema::types::NamedTuple>>>,
    pub this: RefCell<std::rc::Weak<Session>>,
    /// Concrete types of modules that traces looked into, by the module's address.
    pub bare: RefCell<FxHashMap<usize, Rc<super::concrete::Built>>>,
}

impl Session {
    pub(super) fn resolver(&self, scope: &Rc<Scope>) -> Rc<dyn Resolver> {
        Rc::new(FileResolver { session: self.this.borrow().upgrade(), scope: scope.clone() })
    }
    pub(super) fn shared(&self, v: &Value) -> Option<IValue> {
        self.converted.borrow().get(&identity(v)).cloned()
    }
    pub(super) fn share(&self, v: &Value, converted: IValue) -> IValue {
        self.alive.borrow_mut().push(v.clone());
        self.converted.borrow_mut().insert(identity(v), converted.clone());
        converted
    }
    /// A name for a function or class that nothing in the unit has.
    pub(super) fn free_name(&self, compiler: &Compiler, name: &str) -> Arc<str> {
        let taken = |n: &str| compiler.is_declared(n) || compiler.unit.classes.contains_key(n);
        let mut candidate = name.to_owned();
        while taken(&candidate) {
            let number = self.mangled.get();
            self.mangled.set(number + 1);
            candidate = match name.rsplit_once('.') {
                Some((prefix, last)) => format!("{prefix}.___torch_mangle_{number}.{last}"),
                None => format!("___torch_mangle_{number}.{name}"),
            };
        }
        candidate.into()
    }
    /// The resolver's errors are the compiler's.
    pub(super) fn refuse(&self, compiler: &Compiler, place: &Loc, fault: Fault) -> sconce_script::emit::Error {
        fault.into_compile_error(|message, at| compiler.error(at.as_ref().unwrap_or(place), message))
    }
}

/// The name of a file's module, which qualified names begin with: one that an archive may use, whatever the file is called.
fn module_name(stem: &str) -> String {
    let named = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '.') { c } else { '_' };
    stem.chars().map(named).collect()
}

impl Program {
    /// Reads and evaluates a source file: imports, definitions, module-level statements.
    pub fn new(file: &str, text: &str, options: Options) -> Result<Program, Error> {
        let source = SourceText::file(file, text.to_owned());
        let tree = sconce_syntax::script::parse(file, text).map_err(Error::Syntax)?;
        let stem = file.rsplit('/').next().unwrap_or(file);
        let stem = stem.strip_suffix(".py").unwrap_or(stem);
        let module = if options.module.is_empty() { module_name(stem) } else { options.module.clone() };
        let session = Rc::new(Session {
            evaluator: Evaluator::new(options.limits),
            options,
            names: RefCell::default(),
            uncompilable: RefCell::default(),
            alive: RefCell::default(),
            mangled: Cell::new(0),
            types: RefCell::default(),
            converted: RefCell::default(),
            compiled: RefCell::default(),
            named_tuples: RefCell::default(),
            this: RefCell::default(),
            bare: RefCell::default(),
        });
        *session.this.borrow_mut() = Rc::downgrade(&session);
        let scope = session.evaluator.run_file(&module, source, &tree).map_err(Fault::into_error)?;
        let mut compiler = Compiler::default();
        compiler.library = Some(Rc::new(super::resolve::Library { session: Rc::downgrade(&session) }));
        compiler.meanings = session.options.meanings.then(|| Meanings::new(scope.file.source.clone()));
        Ok(Program { compiler, session, scope })
    }

    /// Evaluates an entry expression (`f`, `M(3)`, `torch.jit.script(M().eval())`) and compiles what it gives.
    pub fn compile(&mut self, entry: &str) -> Result<Compiled, Error> {
        self.try_compile(entry).map_err(Fault::into_error)
    }

    /// Traces what an expression evaluates to with these inputs, as `torch.jit.trace(entry, inputs, strict=False)` does, and compiles that.
    ///
    /// ```
    /// use sconce_python::{Entry, Options, Program};
    /// use sconce_tensor::{IValue, Tensor};
    ///
    /// let mut program = Program::new("m.py", "def f(x):\n    return {'y': x.view(x.size(0), -1)}\n", Options::default())?;
    /// let traced = program.trace("f", &[IValue::Tensor(Tensor::from_vec(vec![1f32; 8], &[2, 2, 2]))], true)?;
    /// assert!(matches!(traced.entry, Entry::Function(name) if &*name == "__torch__.m.f"));
    /// # Ok::<(), sconce_python::Error>(())
    /// ```
    pub fn trace(&mut self, entry: &str, inputs: &[IValue], check: bool) -> Result<Compiled, Error> {
        self.try_trace(entry, inputs, check).map_err(Fault::into_error)
    }

    fn try_trace(&mut self, entry: &str, inputs: &[IValue], check: bool) -> Fallible<Compiled> {
        let inputs = Value::tuple(inputs.iter().map(super::tensor::from_ivalue).collect());
        let keywords = [("check_trace", check), ("strict", false)];
        let keywords = keywords.map(|(k, v)| (k.into(), Value::Bool(v))).to_vec();
        let trace = Value::host("torch.jit.trace");
        let traced = self.session.evaluator.call(&trace, vec![self.value(entry)?, inputs], keywords)?;
        Ok(Compiled { entry: self.compile_value(&traced)?, freeze: None })
    }

    /// What an entry expression evaluates to, without compiling it, as Python's `repr` writes it.
    pub fn evaluate(&self, entry: &str) -> Result<String, Error> {
        let v = self.value(entry).map_err(Fault::into_error)?;
        self.session.evaluator.repr(&v).map_err(Fault::into_error)
    }

    /// What an expression evaluates to, where that is plain data: numbers, texts, tensors, and lists, tuples and dictionaries of them.
    ///
    /// ```
    /// use sconce_python::{Options, Program};
    /// let program = Program::new("m.py", "import warnings\n", Options::default())?;
    /// assert_eq!(format!("{:?}", program.data("[1, (2.5, 'a')]")?), "[1, (2.5, \"a\")]");
    /// program.data("warnings.warn('old', FutureWarning)")?;
    /// assert_eq!(program.take_warnings()[0].to_string(), "FutureWarning: old");
    /// # Ok::<(), sconce_python::Error>(())
    /// ```
    pub fn data(&self, entry: &str) -> Result<IValue, Error> {
        let v = self.value(entry).map_err(Fault::into_error)?;
        self.session.evaluator.data(&v).map_err(Fault::into_error)
    }

    /// The parameters of the function that an expression evaluates to.
    pub fn signature(&self, entry: &str) -> Result<Vec<Parameter>, Error> {
        let v = self.value(entry).map_err(Fault::into_error)?;
        self.session.evaluator.signature(&v).map_err(Fault::into_error)
    }

    /// Every warning that evaluation has given since this was last asked.
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.session.evaluator.warnings.take()
    }

    /// Where what was compiled of this file means something else than in Python, as `file:line:column: how`, each once; Sconce's own library is left out.
    ///
    /// ```
    /// use sconce_python::{Options, Program};
    /// let mut program = Program::new("m.py", "def f(a: int):\n    return '{0}'.format(a)\n", Options::default())?;
    /// program.compile("f")?;
    /// assert_eq!(program.departures(), ["m.py:2:12: `{0}` stays as it is, only `{}` is filled in"]);
    /// # Ok::<(), sconce_python::Error>(())
    /// ```
    pub fn departures(&self) -> Vec<String> {
        let own = |d: &&Departure| Arc::ptr_eq(&d.place.source, &self.scope.file.source);
        let told = self.compiler.departures.iter().filter(own);
        let told = told.map(|d| (d.place.span.start, format!("{}: {}", place_text(&d.place), d.text)));
        told.collect::<BTreeSet<_>>().into_iter().map(|(_, text)| text).collect()
    }

    /// The names of the file's own functions, in order.
    pub fn functions(&self) -> Vec<String> {
        let own = |v: &Value| matches!(v, Value::Function(f) if Rc::ptr_eq(&f.closure, &self.scope));
        self.scope.names.borrow().iter().filter(|(_, v)| own(v)).map(|(n, _)| n.to_string()).collect()
    }

    fn value(&self, entry: &str) -> Fallible<Value> {
        let text = format!("{entry}\n");
        let source = SourceText::file("<entry>", text.clone());
        let e = sconce_syntax::script::parse_expression("<entry>", &text)
            .map_err(|e| Fault::raise("SyntaxError", e.to_string()))?;
        let file = Rc::new(File { name: self.scope.file.name.clone(), source });
        let inner = Rc::new(Scope {
            names: RefCell::default(),
            parent: Some(self.scope.clone()),
            file,
            kind: ScopeKind::Function,
            prefix: "".into(),
            stars: RefCell::default(),
            outer: RefCell::default(),
            method: RefCell::default(),
        });
        for name in &self.session.options.transparent {
            if self.scope.lookup(name).is_none() {
                inner.names.borrow_mut().insert(name.as_str().into(), Value::host("functools.wrapper"));
            }
        }
        // The scope of an entry also knows what its files import: `nn`, `torch`.
        for (name, path) in [("torch", "torch"), ("nn", "torch.nn")] {
            if self.scope.lookup(name).is_none() {
                inner.names.borrow_mut().insert(name.into(), Value::host(path));
            }
        }
        // What is said from here on is not said of the file's last statement.
        self.session.evaluator.place.take();
        self.session.evaluator.expr(&e, &inner)
    }

    fn try_compile(&mut self, entry: &str) -> Fallible<Compiled> {
        let mut v = self.value(entry)?;
        let mut freeze = None;
        if let Value::Generic(g) = &v
            && &*g.0 == "torch.jit.freeze"
        {
            let names = g.1.get(1).map_or(Ok(Vec::new()), |n| self.session.evaluator.items(n))?;
            freeze = Some(names.iter().filter_map(Value::as_str).map(str::to_owned).collect());
            v = g.1.first().cloned().unwrap_or(Value::None);
            if let Value::Instance(module) = &v
                && matches!(module.get("training"), Some(Value::Bool(true)))
            {
                let message = "Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before freezing.";
                return Err(Fault::raise("RuntimeError", message));
            }
        }
        let entry = self.compile_value(&v)?;
        Ok(Compiled { entry, freeze })
    }

    fn compile_value(&mut self, v: &Value) -> Fallible<Entry> {
        let place = Loc { source: self.scope.file.source.clone(), span: Span::default() };
        match v {
            Value::Function(f) => {
                let name = self.session.function_name(&mut self.compiler, f)?;
                self.compiler.ensure_defined(&name, &place)?;
                Ok(Entry::Function(name))
            }
            Value::Instance(i) if i.class.is_module() => {
                let module = self.session.module(&mut self.compiler, i)?;
                let object = self.session.object(&mut self.compiler, i, &module, &place)?;
                Ok(Entry::Module { class: module.class.clone(), object })
            }
            Value::Class(c) if !c.is_module() => Ok(Entry::Class(self.session.script_class(&mut self.compiler, c)?)),
            other => Err(Fault::refused(format!(
                "an entry is a function, a module or a script class, not {}",
                other.type_name()
            ))),
        }
    }
}
