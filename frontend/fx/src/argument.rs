//! An argument is a tree of Python's constants whose leaves may be nodes: what `Node.args` and `Node.kwargs` hold.

use crate::NodeId;
use sconce_schema::op::{Argument as Formal, DefaultValue};
use sconce_schema::types::Device;
use sconce_schema::{DType, Layout, MemoryFormat, Type};

/// What a node is given, or what a graph returns.
#[derive(Clone, Debug)]
pub enum Argument {
    /// What another node of the graph gives.
    Node(NodeId),
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
    Str(String),
    DType(DType),
    Device(Device),
    Layout(Layout),
    MemoryFormat(MemoryFormat),
    /// An operator as a value, which some higher-order operators take: `torch.ops.aten.add.Tensor`.
    Operator(OperatorName),
    List(Vec<Argument>),
    Tuple(Vec<Argument>),
    /// Keys are strings or other constants, in the order in which they were put.
    Dict(Vec<(Argument, Argument)>),
    /// Start, stop and step; what is left out is [`Argument::None`].
    Slice(Box<[Argument; 3]>),
    Ellipsis,
}

/// `torch.ops.aten.add.Tensor` in its parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OperatorName {
    /// `aten`, `higher_order`.
    pub namespace: String,
    pub name: String,
    /// `default` where the schema has none; empty where the packet of all overloads is meant, and of higher-order operators.
    pub overload: String,
}

impl OperatorName {
    /// Reads `torch.ops.aten.add.Tensor`; `None` for what is no operator.
    pub fn of_target(target: &str) -> Option<OperatorName> {
        let mut parts = target.strip_prefix("torch.ops.")?.splitn(3, '.');
        let (namespace, name) = (parts.next()?, parts.next()?);
        let overload = parts.next().unwrap_or_default();
        (!namespace.is_empty() && !name.is_empty() && !overload.contains('.')).then(|| OperatorName {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            overload: overload.to_owned(),
        })
    }

    /// The name under which the operator's schema is known: `aten::add.Tensor`, `aten::relu`.
    pub fn schema_name(&self) -> String {
        match self.overload.as_str() {
            "" | "default" => format!("{}::{}", self.namespace, self.name),
            overload => format!("{}::{}.{overload}", self.namespace, self.name),
        }
    }
}

/// `aten.add.Tensor`, as PyTorch prints an operator that is a value.
impl std::fmt::Display for OperatorName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.namespace, self.name)?;
        if self.overload.is_empty() { Ok(()) } else { write!(f, ".{}", self.overload) }
    }
}

impl Argument {
    /// Calls a function with each node in the argument, from left to right; a node that stands twice comes twice.
    pub fn nodes(&self, seen: &mut impl FnMut(NodeId)) {
        match self {
            Argument::Node(node) => seen(*node),
            Argument::List(items) | Argument::Tuple(items) => items.iter().for_each(|a| a.nodes(seen)),
            Argument::Dict(entries) => entries.iter().for_each(|(_, a)| a.nodes(seen)),
            Argument::Slice(parts) => parts.iter().for_each(|a| a.nodes(seen)),
            _ => {}
        }
    }

    /// The same argument with other arguments for its nodes (`torch.fx.map_arg`).
    pub fn map_nodes(&self, to: &mut impl FnMut(NodeId) -> Argument) -> Argument {
        let mut all = |items: &[Argument]| items.iter().map(|a| a.map_nodes(to)).collect::<Vec<_>>();
        match self {
            Argument::Node(node) => to(*node),
            Argument::List(items) => Argument::List(all(items)),
            Argument::Tuple(items) => Argument::Tuple(all(items)),
            Argument::Dict(entries) => {
                Argument::Dict(entries.iter().map(|(key, a)| (key.clone(), a.map_nodes(to))).collect())
            }
            Argument::Slice(parts) => {
                let [start, stop, step] = &**parts;
                Argument::Slice(Box::new([start.map_nodes(to), stop.map_nodes(to), step.map_nodes(to)]))
            }
            constant => constant.clone(),
        }
    }

    /// The node that the argument is, if it is one.
    pub fn node(&self) -> Option<NodeId> {
        if let Argument::Node(node) = self { Some(*node) } else { None }
    }

    /// The elements of a list or tuple.
    pub fn items(&self) -> Option<&[Argument]> {
        if let Argument::List(items) | Argument::Tuple(items) = self { Some(items) } else { None }
    }

    /// Is it what the schema gives where nothing is said? Such an argument PyTorch leaves out of a node.
    pub fn is_default(&self, default: &DefaultValue, formal: &Formal) -> bool {
        match (self, default) {
            (Argument::None, DefaultValue::None) => true,
            (Argument::Bool(a), DefaultValue::Bool(b)) => a == b,
            (Argument::Int(a), DefaultValue::Int(b)) => a == b,
            (Argument::DType(a), DefaultValue::Int(b)) => a.number() == *b,
            (Argument::Layout(a), DefaultValue::Int(b)) => a.number() == *b,
            (Argument::MemoryFormat(a), DefaultValue::Int(b)) => a.number() == *b,
            (Argument::Float(a), DefaultValue::Float(b)) => a == b,
            // `float p=2` is a float.
            (Argument::Float(a), DefaultValue::Int(b)) => {
                let ty = if let Type::Optional(inner) = &formal.ty { inner } else { &formal.ty };
                *ty == Type::Float && *a == *b as f64
            }
            (Argument::Str(a), DefaultValue::Str(b)) => **a == **b,
            (Argument::List(a), DefaultValue::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_default(b, formal))
            }
            // `int[2] padding=0`
            (Argument::List(a), one @ (DefaultValue::Int(_) | DefaultValue::Bool(_))) => {
                let count = formal.list_size.and_then(|n| usize::try_from(n).ok());
                count.is_none_or(|n| a.len() == n) && !a.is_empty() && a.iter().all(|a| a.is_default(one, formal))
            }
            _ => false,
        }
    }
}

/// Arguments are equal that a program could not tell from each other by their text: `0.0` is not `-0.0`, and a NaN is a NaN.
impl PartialEq for Argument {
    fn eq(&self, other: &Argument) -> bool {
        use Argument::*;
        let same = |a: &f64, b: &f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        match (self, other) {
            (Node(a), Node(b)) => a == b,
            (None, None) | (Ellipsis, Ellipsis) => true,
            (Bool(a), Bool(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (Float(a), Float(b)) => same(a, b),
            (Complex(a, c), Complex(b, d)) => same(a, b) && same(c, d),
            (Str(a), Str(b)) => a == b,
            (DType(a), DType(b)) => a == b,
            (Device(a), Device(b)) => a == b,
            (Layout(a), Layout(b)) => a == b,
            (MemoryFormat(a), MemoryFormat(b)) => a == b,
            (Operator(a), Operator(b)) => a == b,
            (List(a), List(b)) | (Tuple(a), Tuple(b)) => a == b,
            (Dict(a), Dict(b)) => a == b,
            (Slice(a), Slice(b)) => a == b,
            _ => false,
        }
    }
}
