//! A value of a definition that is being run: a constant of Python's, a size, or a tensor of which all but the elements is known.

use sconce_fx::NodeId;
use sconce_schema::dim::Dim;
use sconce_schema::op::DefaultValue;
use sconce_schema::types::Device;
use sconce_schema::{DType, Layout, MemoryFormat};
use std::cell::RefCell;
use std::rc::Rc;

/// A tensor of a tracer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct TensorId(pub usize);

/// An integer; where it is not known, what gives it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Num {
    pub dim: Dim,
    pub from: From,
}

/// What gives an integer that is not known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum From {
    /// It is known, or a size for which a node is made where it is first needed.
    Itself,
    Node(NodeId),
    /// A size of a tensor.
    Size(TensorId, usize),
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    None,
    Bool(bool),
    Int(Num),
    Float(f64),
    Complex(f64, f64),
    Str(Rc<str>),
    DType(DType),
    Device(Device),
    Layout(Layout),
    MemoryFormat(MemoryFormat),
    Tensor(TensorId),
    /// What a node gives that is neither tensor nor integer: a float or a truth value that is not known, a token.
    Node(NodeId),
    /// A graph by the name of the attribute, and its node.
    Graph(Rc<str>),
    /// An operator as a value.
    Operator(sconce_fx::OperatorName),
    List(Rc<RefCell<Vec<Value>>>),
    Tuple(Rc<[Value]>),
    /// That a definition leaves the call as it is.
    NotImplemented,
}

impl Value {
    pub fn int(n: i64) -> Value {
        Value::size(Dim::Known(n))
    }

    pub fn size(dim: Dim) -> Value {
        Value::Int(Num { dim, from: From::Itself })
    }

    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Rc::new(RefCell::new(items)))
    }

    pub fn sizes(dims: &[Dim]) -> Value {
        Value::list(dims.iter().map(|d| Value::size(*d)).collect())
    }

    pub fn str(text: &str) -> Value {
        Value::Str(text.into())
    }

    /// What an argument is that is left out.
    pub fn of_default(default: &DefaultValue) -> Value {
        match default {
            DefaultValue::None => Value::None,
            DefaultValue::Bool(b) => Value::Bool(*b),
            DefaultValue::Int(n) => Value::int(*n),
            DefaultValue::Float(x) => Value::Float(*x),
            DefaultValue::Complex(re, im) => Value::Complex(*re, *im),
            DefaultValue::Str(s) => Value::str(s),
            DefaultValue::List(items) => Value::list(items.iter().map(Value::of_default).collect()),
        }
    }

    /// The members of a list or tuple.
    pub fn items(&self) -> Option<Vec<Value>> {
        match self {
            Value::List(items) => Some(items.borrow().clone()),
            Value::Tuple(items) => Some(items.to_vec()),
            _ => None,
        }
    }

    pub fn tensor(&self) -> Option<TensorId> {
        if let Value::Tensor(t) = self { Some(*t) } else { None }
    }

    pub fn dim(&self) -> Option<Dim> {
        match self {
            Value::Int(n) => Some(n.dim),
            Value::Bool(b) => Some(Dim::Known(i64::from(*b))),
            _ => None,
        }
    }

    pub fn known(&self) -> Option<i64> {
        self.dim().and_then(Dim::known)
    }

    pub fn is_none(&self) -> bool {
        matches!(self, Value::None)
    }

    /// The tensors in it, from left to right.
    pub fn tensors(&self, seen: &mut impl FnMut(TensorId)) {
        match self {
            Value::Tensor(t) => seen(*t),
            _ => self.items().into_iter().flatten().for_each(|v| v.tensors(seen)),
        }
    }

    /// The same with something else for each tensor.
    pub fn map_tensors(&self, to: &mut impl FnMut(TensorId) -> Value) -> Value {
        match self {
            Value::Tensor(t) => to(*t),
            Value::List(items) => Value::list(items.borrow().iter().map(|v| v.map_tensors(to)).collect()),
            Value::Tuple(items) => Value::Tuple(items.iter().map(|v| v.map_tensors(to)).collect()),
            other => other.clone(),
        }
    }

    /// What Python calls such a value.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::None => "None",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Complex(..) => "complex",
            Value::Str(_) => "str",
            Value::DType(_) => "dtype",
            Value::Device(_) => "device",
            Value::Layout(_) => "layout",
            Value::MemoryFormat(_) => "memory_format",
            Value::Tensor(_) => "Tensor",
            Value::Node(_) => "symbolic number",
            Value::Graph(_) => "GraphModule",
            Value::Operator(_) => "OpOverload",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::NotImplemented => "NotImplemented",
        }
    }
}
