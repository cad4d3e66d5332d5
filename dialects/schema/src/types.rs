//! TorchScript's types as data: one enum that graph text, schemas, archives and the dialect all map to and from.

mod parse;
mod print;
mod relate;

pub(crate) use parse::{Spelling, read_base};
pub use parse::{TypeError, parse, parse_prefix};
pub use relate::Bindings;

use crate::DType;
use std::sync::Arc;

/// A dimension of a possibly symbolic shape.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Dim {
    Known(i64),
    /// `*` in graph text, `?` in MLIR.
    Unknown,
    /// `SS(-1)` in graph text; the number is kept.
    Symbol(i64),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Device {
    /// `cpu`, `cuda`, `meta`, `mps`, …
    pub kind: Arc<str>,
    pub index: Option<i32>,
}

/// What is known of a tensor statically. All `None` is the plain `Tensor`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct TensorType {
    pub dtype: Option<DType>,
    pub sizes: Option<Vec<Dim>>,
    pub strides: Option<Vec<Dim>>,
    pub device: Option<Device>,
    pub requires_grad: Option<bool>,
    pub undefined: Option<bool>,
}

/// A TorchScript type (`c10::Type`).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Any,
    Tensor(Arc<TensorType>),
    Int,
    Float,
    Complex,
    Bool,
    Str,
    None,
    /// `Scalar` in schemas, `number` in graphs.
    Number,
    Device,
    Generator,
    Stream,
    Storage,
    QScheme,
    /// `Layout`, `MemoryFormat`, `ScalarType`: their own types inside, `int` in PyTorch's printed graphs.
    Layout,
    MemoryFormat,
    ScalarType,
    SymInt,
    SymFloat,
    SymBool,
    Capsule,
    PyObject,
    /// `Function` of `prim::Constant[name="f"]`.
    Function,
    AnyList,
    AnyTuple,
    AnyClass,
    AnyEnum,
    List(Arc<Type>),
    Dict(Arc<Type>, Arc<Type>),
    Optional(Arc<Type>),
    Tuple(Arc<[Type]>),
    NamedTuple(Arc<NamedTuple>),
    Union(Arc<[Type]>),
    Future(Arc<Type>),
    Await(Arc<Type>),
    RRef(Arc<Type>),
    /// `Enum<__torch__.m.Color>`.
    Enum(Arc<str>),
    /// `__torch__.a.b.C`, script class, module, interface or `__torch__.torch.classes.…` alike.
    Class(Arc<str>),
    /// A type variable of a schema: `t`, `tVal`.
    Var(Arc<str>),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NamedTuple {
    /// Qualified name, empty when the text does not give one.
    pub name: Arc<str>,
    pub fields: Vec<(Arc<str>, Type)>,
    /// Default values as graph text writes them after ` = `, one per field; empty when no field has one.
    pub defaults: Vec<Option<Arc<str>>>,
}

impl Type {
    /// `Tensor`, nothing known.
    pub fn tensor() -> Type {
        // Lists of tensors are made again and again. Each thread counts its own, so that none waits for another's count.
        thread_local! {
            static ANY: Arc<TensorType> = Arc::new(TensorType::default());
        }
        Type::Tensor(ANY.try_with(Arc::clone).unwrap_or_default())
    }
    pub fn list(t: Type) -> Type {
        Type::List(Arc::new(t))
    }
    pub fn optional(t: Type) -> Type {
        Type::Optional(Arc::new(t))
    }
    pub fn dict(k: Type, v: Type) -> Type {
        Type::Dict(Arc::new(k), Arc::new(v))
    }
    pub fn is_tensor(&self) -> bool {
        matches!(self, Type::Tensor(_))
    }
}
