//! The Python values that evaluating a model's file can make; containers are shared handles, as in Python.

use super::trace::Traced;
use indexmap::{IndexMap, IndexSet};
use sconce_graph::graph::SourceText;
use sconce_script::torch_names::{self, Constant, Setting};
use sconce_syntax::script::tree::{ClassDef, Def, Expr, Lambda};
use sconce_tensor::Tensor;
use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

pub type Map = IndexMap<Key, Value>;

/// A Python value.
#[derive(Clone)]
pub enum Value {
    None,
    Ellipsis,
    NotImplemented,
    Bool(bool),
    Int(i64),
    Float(f64),
    Complex(f64, f64),
    Str(Rc<str>),
    List(Rc<RefCell<Vec<Value>>>),
    Tuple(Rc<[Value]>),
    Dict(Rc<RefCell<Map>>),
    Set(Rc<RefCell<IndexSet<Key>>>),
    /// Start, stop, step.
    Range(i64, i64, i64),
    Slice(Rc<[Value; 3]>),
    /// What a generator or an iterator has left to give.
    Iterator(Rc<RefCell<std::collections::VecDeque<Value>>>),
    Tensor(Rc<TensorValue>),
    /// A dtype, layout or memory format by its path (`torch.float32`) and PyTorch's number for it.
    Setting(Rc<str>, i64),
    Device(Arc<sconce_schema::types::Device>),
    Generator(Arc<sconce_tensor::Generator>),
    Function(Rc<Function>),
    /// A function with its first argument.
    Method(Rc<(Value, Value)>),
    Class(Rc<Class>),
    Instance(Rc<Instance>),
    NamedTuple(Rc<Class>, Rc<[Value]>),
    /// What Sconce provides, by its path: `torch.nn`, `builtins.len`, `typing.List`, `aten::relu`.
    Host(Rc<str>),
    /// A method of a value that is no instance: `xs.append`, `x.view`.
    BoundHost(Rc<(Value, Rc<str>)>),
    /// `List[int]`, `Optional[Tensor]`: a form of `typing` with its arguments.
    Generic(Rc<(Rc<str>, Vec<Value>)>),
    Property(Rc<Property>),
    StaticMethod(Rc<Value>),
    ClassMethod(Rc<Value>),
    /// `super()`: the class to search behind, and the object.
    Super(Rc<(Rc<Class>, Value)>),
}

/// What a tensor is to `nn.Module`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TensorKind {
    Plain,
    /// An `nn.Parameter`.
    Parameter,
    /// A parameter whose sizes the first call will tell.
    UninitializedParameter,
    /// A buffer whose sizes the first call will tell.
    UninitializedBuffer,
}

/// A tensor with what Python adds to it.
pub struct TensorValue {
    pub tensor: RefCell<Tensor>,
    pub kind: TensorKind,
}

impl TensorValue {
    pub fn is_parameter(&self) -> bool {
        matches!(self.kind, TensorKind::Parameter | TensorKind::UninitializedParameter)
    }
    /// Has it no sizes yet?
    pub fn is_lazy(&self) -> bool {
        matches!(self.kind, TensorKind::UninitializedParameter | TensorKind::UninitializedBuffer)
    }
    /// The path of its class.
    pub fn class(&self) -> &'static str {
        match self.kind {
            TensorKind::Plain => "torch.Tensor",
            TensorKind::Parameter => "torch.nn.parameter.Parameter",
            TensorKind::UninitializedParameter => "torch.nn.parameter.UninitializedParameter",
            TensorKind::UninitializedBuffer => "torch.nn.parameter.UninitializedBuffer",
        }
    }
}

pub struct Property {
    pub get: Value,
    pub set: Option<Value>,
}

/// What a decorator says about a function's life in TorchScript.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Modifier {
    #[default]
    Default,
    /// `@torch.jit.export`
    Export,
    /// `@torch.jit.ignore`
    Ignore,
    /// `@torch.jit.unused`
    Unused,
    /// `@torch.jit.script_method`
    ScriptMethod,
    /// `@torch.jit.script`, `script_if_tracing`
    Script,
    /// `@torch.jit._overload`: a signature for a function of this name
    Overload,
    /// `@torch.jit._overload_method`
    OverloadMethod,
}

/// What a function's body is.
pub enum Code {
    Def(Rc<Def>),
    Lambda(Rc<Lambda>),
}

/// A function with its closure and evaluated defaults.
pub struct Function {
    pub code: Code,
    pub name: Rc<str>,
    /// `M.forward`, `f.<locals>.g`
    pub qualified: Rc<str>,
    pub closure: Rc<Scope>,
    /// By parameter number.
    pub defaults: Vec<Option<Value>>,
    pub modifier: Cell<Modifier>,
    /// The class whose body it was defined in, for `super()`.
    pub class: RefCell<Option<Rc<Class>>>,
    /// Signatures given by `@torch.jit._overload` before it.
    pub overloads: RefCell<Vec<Rc<Function>>>,
    pub attributes: RefCell<IndexMap<Rc<str>, Value>>,
    /// What it does, where that was recorded by `torch.jit.trace`.
    pub traced: RefCell<Option<Rc<Traced>>>,
}

impl Function {
    pub fn def(&self) -> Option<&Rc<Def>> {
        match &self.code {
            Code::Def(def) => Some(def),
            Code::Lambda(_) => None,
        }
    }
}

/// What a class is to TorchScript.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassForm {
    Plain,
    Module,
    Enum,
    NamedTuple,
    Exception,
}

pub struct Class {
    pub name: Rc<str>,
    pub qualified: Rc<str>,
    pub closure: Rc<Scope>,
    /// Its tree; decorators may add methods.
    pub def: RefCell<Option<Rc<ClassDef>>>,
    /// Itself, then its bases in the order they are searched.
    pub order: RefCell<Vec<Rc<Class>>>,
    /// Bases that Sconce provides: `builtins.ValueError`, `enum.Enum`.
    pub host_bases: Vec<Rc<str>>,
    pub attributes: RefCell<IndexMap<Rc<str>, Value>>,
    /// `x: T` in the body, with the scope that `T` is looked up in.
    pub annotations: RefCell<Vec<(Rc<str>, Annotation)>>,
    pub form: ClassForm,
    /// `@torch.jit.interface`
    pub interface: Cell<bool>,
    /// `@torch.jit.script`
    pub script: Cell<bool>,
}

/// An annotation: as written, or as given by `namedtuple` and its like.
#[derive(Clone)]
pub enum Annotation {
    Written(Rc<Expr>, Rc<Scope>),
    Given(Value),
}

pub struct Instance {
    pub class: Rc<Class>,
    pub attributes: RefCell<IndexMap<Rc<str>, Value>>,
    pub script: RefCell<Option<Script>>,
}

/// How a module became TorchScript; a trace of its caller does not look into it.
#[derive(Clone)]
pub enum Script {
    /// By `torch.jit.script`.
    Compiled,
    /// By `torch.jit.trace`: what its methods do.
    Traced(Rc<Traced>),
}

impl Instance {
    pub fn new(class: Rc<Class>) -> Instance {
        Instance { class, attributes: RefCell::default(), script: RefCell::default() }
    }
    /// Is it TorchScript?
    pub fn is_script(&self) -> bool {
        self.script.borrow().is_some()
    }
    /// What its methods do, where that was recorded.
    pub fn traced(&self) -> Option<Rc<Traced>> {
        match &*self.script.borrow() {
            Some(Script::Traced(traced)) => Some(traced.clone()),
            _ => None,
        }
    }
    pub fn get(&self, name: &str) -> Option<Value> {
        self.attributes.borrow().get(name).cloned()
    }
    pub fn set(&self, name: &str, value: Value) {
        self.attributes.borrow_mut().insert(name.into(), value);
    }
    /// The dictionary under an attribute: `_parameters`, `_buffers`, `_modules`.
    pub fn dict(&self, name: &str) -> Option<Rc<RefCell<Map>>> {
        match self.get(name) {
            Some(Value::Dict(d)) => Some(d),
            _ => None,
        }
    }
}

/// A file of Python.
pub struct File {
    /// `__name__`: `model`, `torch.nn.functional`
    pub name: Rc<str>,
    pub source: Arc<SourceText>,
}

/// Names and their values: a file's, a function's or a class body's.
pub struct Scope {
    pub names: RefCell<IndexMap<Rc<str>, Value>>,
    pub parent: Option<Rc<Scope>>,
    pub file: Rc<File>,
    pub kind: ScopeKind,
    /// `C.f.<locals>`: what qualified names begin with.
    pub prefix: Rc<str>,
    /// Modules of which everything was imported, the last one last.
    pub stars: RefCell<Vec<Rc<str>>>,
    /// Names declared `global` or `nonlocal`.
    pub outer: RefCell<Vec<(Rc<str>, bool)>>,
    /// `(class, first argument)` of the method this is a call of, for `super()`.
    pub method: RefCell<Option<(Rc<Class>, Value)>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    File,
    Function,
    Class,
}

impl Scope {
    pub fn of_file(file: Rc<File>) -> Rc<Scope> {
        Rc::new(Scope::make(None, file, ScopeKind::File, "".into()))
    }
    pub fn inner(parent: &Rc<Scope>, kind: ScopeKind, prefix: Rc<str>) -> Rc<Scope> {
        Rc::new(Scope::make(Some(parent.clone()), parent.file.clone(), kind, prefix))
    }
    fn make(parent: Option<Rc<Scope>>, file: Rc<File>, kind: ScopeKind, prefix: Rc<str>) -> Scope {
        Scope {
            names: RefCell::default(),
            parent,
            file,
            kind,
            prefix,
            stars: RefCell::default(),
            outer: RefCell::default(),
            method: RefCell::default(),
        }
    }
    /// The scope of the file.
    pub fn root(self: &Rc<Scope>) -> Rc<Scope> {
        let mut at = self.clone();
        while let Some(parent) = at.parent.clone() {
            at = parent;
        }
        at
    }
    /// A name here or further out; class bodies are seen only from themselves.
    pub fn lookup(self: &Rc<Scope>, name: &str) -> Option<Value> {
        let mut at = Some(self);
        while let Some(scope) = at {
            if (scope.kind != ScopeKind::Class || Rc::ptr_eq(scope, self))
                && let Some(v) = scope.names.borrow().get(name)
            {
                return Some(v.clone());
            }
            at = scope.parent.as_ref();
        }
        None
    }
    /// Gives a name a value, in the scope that `global` and `nonlocal` say.
    pub fn assign(self: &Rc<Scope>, name: &str, value: Value) {
        let declared = self.outer.borrow().iter().find(|(n, _)| &**n == name).map(|(_, global)| *global);
        let target = match declared {
            None => self.clone(),
            Some(true) => self.root(),
            Some(false) => {
                let mut at = self.parent.clone();
                while let Some(scope) = at.clone() {
                    if scope.kind == ScopeKind::Function && scope.names.borrow().contains_key(name) {
                        break;
                    }
                    at = scope.parent.clone();
                }
                at.unwrap_or_else(|| self.clone())
            }
        };
        target.names.borrow_mut().insert(name.into(), value);
    }
}

/// A value that may be a key of a dictionary or a member of a set.
#[derive(Clone)]
pub struct Key(pub Value);

impl Key {
    /// `None` for lists, dictionaries and sets.
    pub fn new(value: Value) -> Option<Key> {
        let hashable = match &value {
            Value::List(_) | Value::Dict(_) | Value::Set(_) => false,
            Value::Tuple(items) => items.iter().all(|v| Key::new(v.clone()).is_some()),
            _ => true,
        };
        hashable.then_some(Key(value))
    }
    pub fn text(text: &str) -> Key {
        Key(Value::Str(text.into()))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        equal(&self.0, &other.0)
    }
}
impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            // Equal numbers of different kinds are one key.
            Value::Bool(v) => f64::from(u8::from(*v)).to_bits().hash(state),
            Value::Int(v) => (*v as f64).to_bits().hash(state),
            Value::Float(v) => (v + 0.0).to_bits().hash(state),
            Value::Str(s) => s.hash(state),
            Value::Tuple(items) => items.iter().for_each(|v| Key(v.clone()).hash(state)),
            Value::Host(path) => path.hash(state),
            Value::Setting(path, _) => path.hash(state),
            other => identity(other).hash(state),
        }
    }
}

/// The address of what a value is a handle to; 0 for plain values.
pub fn identity(value: &Value) -> usize {
    match value {
        Value::List(v) => Rc::as_ptr(v) as usize,
        Value::Tuple(v) => Rc::as_ptr(v) as *const u8 as usize,
        Value::Dict(v) => Rc::as_ptr(v) as usize,
        Value::Set(v) => Rc::as_ptr(v) as usize,
        Value::Tensor(v) => Rc::as_ptr(v) as usize,
        Value::Function(v) => Rc::as_ptr(v) as usize,
        Value::Class(v) => Rc::as_ptr(v) as usize,
        Value::Instance(v) => Rc::as_ptr(v) as usize,
        Value::Iterator(v) => Rc::as_ptr(v) as usize,
        Value::NamedTuple(_, v) => Rc::as_ptr(v) as *const u8 as usize,
        _ => 0,
    }
}

/// `a is b`
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Method(a), Value::Method(b)) => same(&a.0, &b.0) && same(&a.1, &b.1),
        _ => match (identity(a), identity(b)) {
            (0, 0) => std::mem::discriminant(a) == std::mem::discriminant(b) && equal(a, b),
            (x, y) => x == y,
        },
    }
}

/// `a == b` for values whose classes define no `__eq__`.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::None, Value::None)
        | (Value::Ellipsis, Value::Ellipsis)
        | (Value::NotImplemented, Value::NotImplemented) => true,
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Host(a), Value::Host(b)) => a == b,
        (Value::Setting(a, _), Value::Setting(b, _)) => a == b,
        (Value::Device(a), Value::Device(b)) => a == b,
        (Value::List(x), Value::List(y)) => {
            Rc::ptr_eq(x, y)
                || (x.borrow().len() == y.borrow().len()
                    && x.borrow().iter().zip(y.borrow().iter()).all(|(a, b)| equal(a, b)))
        }
        (Value::Dict(x), Value::Dict(y)) => {
            Rc::ptr_eq(x, y)
                || (x.borrow().len() == y.borrow().len()
                    && x.borrow().iter().all(|(k, v)| y.borrow().get(k).is_some_and(|w| equal(v, w))))
        }
        (Value::Set(x), Value::Set(y)) => {
            x.borrow().len() == y.borrow().len() && x.borrow().iter().all(|k| y.borrow().contains(k))
        }
        (Value::Range(a, b, c), Value::Range(x, y, z)) => (a, b, c) == (x, y, z),
        (Value::Generic(x), Value::Generic(y)) => {
            x.0 == y.0 && x.1.len() == y.1.len() && x.1.iter().zip(&y.1).all(|(a, b)| equal(a, b))
        }
        (Value::BoundHost(x), Value::BoundHost(y)) => x.1 == y.1 && same(&x.0, &y.0),
        (Value::Method(_), Value::Method(_)) => same(a, b),
        _ => match (sequence(a), sequence(b)) {
            (Some(x), Some(y)) => x.len() == y.len() && x.iter().zip(y).all(|(a, b)| equal(a, b)),
            _ => match (number(a), number(b)) {
                (Some(x), Some(y)) => x == y,
                _ => identity(a) != 0 && identity(a) == identity(b),
            },
        },
    }
}

fn sequence(v: &Value) -> Option<&[Value]> {
    match v {
        Value::Tuple(items) | Value::NamedTuple(_, items) => Some(items),
        _ => None,
    }
}

fn number(v: &Value) -> Option<(f64, f64)> {
    Some(match v {
        Value::Bool(b) => (f64::from(u8::from(*b)), 0.0),
        Value::Int(i) => (*i as f64, 0.0),
        Value::Float(f) => (*f, 0.0),
        Value::Complex(re, im) => (*re, *im),
        _ => return None,
    })
}

impl Value {
    pub fn str(text: impl AsRef<str>) -> Value {
        Value::Str(text.as_ref().into())
    }
    pub fn host(path: &str) -> Value {
        Value::Host(path.into())
    }
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Rc::new(RefCell::new(items)))
    }
    pub fn tuple(items: Vec<Value>) -> Value {
        Value::Tuple(items.into())
    }
    pub fn dict(map: Map) -> Value {
        Value::Dict(Rc::new(RefCell::new(map)))
    }
    pub fn tensor(tensor: Tensor) -> Value {
        Value::tensor_of(TensorKind::Plain, tensor)
    }
    pub fn tensor_of(kind: TensorKind, tensor: Tensor) -> Value {
        Value::Tensor(Rc::new(TensorValue { tensor: RefCell::new(tensor), kind }))
    }
    pub fn iterator(items: impl IntoIterator<Item = Value>) -> Value {
        Value::Iterator(Rc::new(RefCell::new(items.into_iter().collect())))
    }
    pub fn as_tensor(&self) -> Option<Tensor> {
        match self {
            Value::Tensor(t) => Some(t.tensor.borrow().clone()),
            _ => None,
        }
    }
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(s) => Some(s),
            _ => None,
        }
    }
    /// The class's name, as in Python's messages.
    pub fn type_name(&self) -> Rc<str> {
        let name = match self {
            Value::None => "NoneType",
            Value::Ellipsis => "ellipsis",
            Value::NotImplemented => "NotImplementedType",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Complex(..) => "complex",
            Value::Str(_) => "str",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::Dict(_) => "dict",
            Value::Set(_) => "set",
            Value::Range(..) => "range",
            Value::Slice(_) => "slice",
            Value::Iterator(_) => "generator",
            Value::Tensor(t) => t.class().rsplit('.').next().unwrap_or_default(),
            Value::Setting(path, _) => match torch_names::constant(path) {
                Some(Constant::Setting(Setting::MemoryFormat, _)) => "memory_format",
                Some(Constant::Setting(Setting::Layout, _)) => "layout",
                Some(Constant::Setting(Setting::QScheme, _)) => "qscheme",
                _ => "dtype",
            },
            Value::Device(_) => "device",
            Value::Generator(_) => "Generator",
            Value::Function(_) => "function",
            Value::Method(_) => "method",
            Value::Class(_) => "type",
            Value::Instance(i) => return i.class.name.clone(),
            Value::NamedTuple(c, _) => return c.name.clone(),
            Value::Host(_) | Value::BoundHost(_) => "builtin_function_or_method",
            Value::Generic(_) => "_GenericAlias",
            Value::Property(_) => "property",
            Value::StaticMethod(_) => "staticmethod",
            Value::ClassMethod(_) => "classmethod",
            Value::Super(_) => "super",
        };
        name.into()
    }
}

impl Class {
    /// An attribute of the class or of a base.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.find(name).map(|(_, v)| v)
    }
    /// The same with the class that has it.
    pub fn find(&self, name: &str) -> Option<(Rc<Class>, Value)> {
        self.order.borrow().iter().find_map(|c| c.attributes.borrow().get(name).map(|v| (c.clone(), v.clone())))
    }
    /// Is this class `other` or derived from it?
    pub fn derives_from(&self, other: &Rc<Class>) -> bool {
        self.order.borrow().iter().any(|c| Rc::ptr_eq(c, other))
    }
    /// Is it derived from what Sconce provides as `path`?
    pub fn derives_from_host(&self, path: &str) -> bool {
        self.order
            .borrow()
            .iter()
            .flat_map(|c| c.host_bases.iter())
            .any(|b| &**b == path || super::builtins::exception_derives(b, path))
    }
    /// `model.M`, `torch.nn.modules.linear.Linear`
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.closure.file.name, self.qualified)
    }
    pub fn is_module(&self) -> bool {
        self.form == ClassForm::Module
    }
}
