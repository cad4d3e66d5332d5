//! What an expression may stand for while it is compiled: a value of the graph, or something that only the compiler knows, as a module, a class, a loop's range.

use super::{Declaration, Emitter, Result};
use crate::concrete::ConcreteModule;
use crate::graph::{Loc, ValueId};
use sconce_schema::types::NamedTuple;
use sconce_schema::{DType, Type};
use sconce_tensor::IValue;
use std::rc::Rc;
use std::sync::Arc;

/// See the module's page.
#[derive(Clone)]
pub enum Sugared {
    /// A value of the graph.
    Value(ValueId),
    /// The result of a call that gives nothing, `print`.
    Nothing,
    /// A constant that the first use puts into the graph.
    Constant(Type, IValue),
    /// A module of Python or PyTorch: `torch`, `torch.nn.functional`, `math`.
    Namespace(Arc<str>),
    /// An operator, `aten::relu`, bound to the object it is called on for methods.
    Builtin {
        name: Arc<str>,
        receiver: Option<ValueId>,
    },
    /// `x.float()`
    TensorCast {
        dtype: DType,
        receiver: ValueId,
    },
    /// A function of the unit, declared or compiled; several are overloads.
    Function(Rc<[Arc<str>]>),
    /// Which of two functions a constant argument decides: `torch.nn.functional.max_pool2d(…, return_indices=True)`.
    BooleanDispatch {
        index: usize,
        argument: Arc<str>,
        default: bool,
        if_true: Rc<Sugared>,
        if_false: Rc<Sugared>,
    },
    /// A script class, or a module class of an archive: callable, with `__new__`.
    Class(Arc<str>),
    NamedTuple(Arc<NamedTuple>),
    Enum(Arc<str>),
    /// An exception class by qualified name: `builtins.ValueError`, `mod.MyError`; `None` for the bare ones PyTorch knows itself.
    Exception(Option<Arc<str>>),
    /// `ValueError("…")`: message, class name.
    ExceptionMessage(ValueId, Option<ValueId>),
    /// An instance of a module.
    Module(Arc<ConcreteModule>, ValueId),
    /// Methods of an object; several are overloads.
    Method {
        object: ValueId,
        names: Rc<[Arc<str>]>,
    },
    /// Several things that are not (all) values: what is unrolled when it is iterated over.
    Tuple(Rc<[Sugared]>),
    /// `keys`, `items`, … of a module: calling it gives what it holds.
    ModuleMethod(Rc<Sugared>, Arc<str>),
    Range(Rc<Range>),
    /// `zip`, `enumerate`
    Iterables(Rc<Iterables>),
    /// `slice(a, b, c)`
    Slice {
        start: ValueId,
        stop: ValueId,
        step: ValueId,
    },
    SliceClass,
    Form(Form),
    /// `torch.FloatTensor(…)`
    LegacyTensor(DType),
    Print,
    /// `int`, `float`, `bool`, `str`, `complex`: the type and the operator that converts.
    Cast(Type, &'static str),
    /// A builtin that a class may answer to with a magic method.
    Magic(&'static str, Rc<Sugared>),
    /// A local function: the `prim::Closure`'s output.
    Closure(ValueId),
    /// Something of Python that is not compiled.
    Python(Rc<PythonValue>),
    /// Something of an embedder's.
    Custom(Rc<dyn SugaredValue>),
}

/// A value of Python that is not compiled: calling it raises (`@torch.jit.unused`) or is refused (`@torch.jit.ignore`), using it is refused.
#[derive(Clone)]
pub struct PythonValue {
    /// What Python calls its type: `function`, `list`.
    pub type_name: Arc<str>,
    /// What messages call it when it is called.
    pub name: Arc<str>,
    /// A function's tree.
    pub declaration: Option<Rc<Declaration>>,
    /// `@torch.jit.unused`
    pub raises: bool,
    /// `self`, for methods.
    pub receiver: Option<ValueId>,
}

impl PythonValue {
    /// A value that only its type is known of.
    pub fn opaque(type_name: &str, name: &str) -> PythonValue {
        PythonValue {
            type_name: Arc::from(type_name),
            name: Arc::from(name),
            declaration: None,
            raises: false,
            receiver: None,
        }
    }
}

/// An argument: its value, and its name for keyword arguments.
#[derive(Clone, Debug)]
pub struct Named {
    pub name: Option<Arc<str>>,
    pub value: ValueId,
}

impl From<ValueId> for Named {
    fn from(value: ValueId) -> Named {
        Named { name: None, value }
    }
}

/// Calls whose arguments are not evaluated as others are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Annotate,
    Fork,
    IsInstance,
    HasAttr,
    GetAttr,
    /// `torch.jit.export`, `unused`: gives its argument.
    UncheckedCast,
    Uninitialized,
    Tuple,
    List,
    Dict,
    Range,
    Enumerate,
    Zip,
    ToList,
    /// `C.__new__(C)`
    CreateObject,
    /// `x.__getitem__(…)`
    GetItem,
    /// `super()`
    Super,
    /// `torch.jit.is_scripting()`
    IsScripting,
    /// `typing.cast`
    Cast,
}

#[derive(Clone)]
pub struct Range {
    pub start: ValueId,
    pub end: ValueId,
    pub step: ValueId,
    pub only_end: bool,
    pub static_len: Option<i64>,
}

#[derive(Clone, Default)]
pub struct Iterables {
    pub children: Vec<Sugared>,
    /// How often an unrolled loop runs; `None` for a loop that is not unrolled.
    pub unroll: Option<i64>,
}

impl Sugared {
    pub fn function(name: &str) -> Sugared {
        Sugared::Function(Rc::from([Arc::from(name)]))
    }
    pub fn builtin(name: &str) -> Sugared {
        Sugared::Builtin { name: Arc::from(name), receiver: None }
    }
    pub fn namespace(name: &str) -> Sugared {
        Sugared::Namespace(Arc::from(name))
    }

    /// What messages call it.
    pub fn kind(&self) -> String {
        match self {
            Sugared::Value(_) => "value",
            Sugared::Nothing => "None",
            Sugared::Constant(..) => "constant",
            Sugared::Namespace(_) => "python value of type 'module'",
            Sugared::Builtin { .. } | Sugared::TensorCast { .. } => "builtin",
            Sugared::Function(_) => "function",
            Sugared::BooleanDispatch { .. } => "boolean dispatch",
            Sugared::Class(_) => "class",
            Sugared::NamedTuple(_) => "named_tuple",
            Sugared::Enum(_) => "EnumClass",
            Sugared::Exception(_) => "exception",
            Sugared::ExceptionMessage(..) => "exception message",
            Sugared::Module(..) => "module",
            Sugared::Method { .. } => "method",
            Sugared::Tuple(_) => "Tuple",
            Sugared::ModuleMethod(_, name) => return name.to_string(),
            Sugared::Range(_) => "range",
            Sugared::Iterables(_) => "iterabletree",
            Sugared::Slice { .. } => "Python slice value",
            Sugared::SliceClass => "Python slice class",
            Sugared::Form(_) | Sugared::LegacyTensor(_) => "special form",
            Sugared::Print => "print",
            Sugared::Cast(..) => "builtin",
            Sugared::Magic(name, _) => name,
            Sugared::Python(p) => return format!("python value of type '{}'", p.type_name),
            Sugared::Closure(_) => "closure",
            Sugared::Custom(c) => return c.kind(),
        }
        .to_owned()
    }
}

/// Something an embedder adds to the language. What is not written refuses, in PyTorch's words.
pub trait SugaredValue {
    /// What messages call it.
    fn kind(&self) -> String;

    fn attr(&self, emitter: &mut Emitter<'_>, place: &Loc, name: &str) -> Result<Sugared> {
        let _ = name;
        Err(emitter.error(place, format!("attribute lookup is not defined on {}", self.kind())))
    }
    fn call(&self, emitter: &mut Emitter<'_>, place: &Loc, args: &[Named], kwargs: &[Named]) -> Result<Sugared> {
        let _ = (args, kwargs);
        Err(emitter.error(place, format!("cannot call a {}", self.kind())))
    }
    fn as_value(&self, emitter: &mut Emitter<'_>, place: &Loc) -> Result<ValueId> {
        Err(emitter.error(place, format!("{} cannot be used as a value", self.kind())))
    }
    fn getitem(&self, emitter: &mut Emitter<'_>, place: &Loc, index: ValueId) -> Result<Sugared> {
        let _ = index;
        Err(emitter.error(place, format!("'{}' object is not subscriptable", self.kind())))
    }
    fn iter(&self, emitter: &mut Emitter<'_>, place: &Loc) -> Result<Sugared> {
        Err(emitter.error(place, format!("{} cannot be used as an iterable", self.kind())))
    }
    fn has_attr(&self, emitter: &mut Emitter<'_>, place: &Loc, name: &str) -> Result<bool> {
        let _ = name;
        Err(emitter.error(place, format!("attribute lookup is not defined on {}", self.kind())))
    }
    /// What it is as a type annotation.
    fn as_type(&self, emitter: &mut super::Compiler) -> Result<Option<Type>> {
        let _ = emitter;
        Ok(None)
    }
}
