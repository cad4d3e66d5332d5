//! Arguments of a call stand in the schema's order, each as its type wants it; in a graph, those that say what is said anyway are left out.

use crate::error::{Fault, Outcome, fault};
use crate::tracer::Tracer;
use crate::value::Value;
use sconce_fx::Argument;
use sconce_schema::op::Argument as Formal;
use sconce_schema::shape::{Meta, TensorMeta};
use sconce_schema::{DType, Layout, MemoryFormat, OpEntry, Type};

/// The type inside of an optional one.
fn inner(ty: &Type) -> &Type {
    if let Type::Optional(inner) = ty { inner } else { ty }
}

/// A value as an argument of this type: an integer where a float is wanted is one, and a number may stand for a list of it.
fn fitted(value: Value, formal: &Formal) -> Value {
    match (inner(&formal.ty), value) {
        (Type::Float, Value::Int(n)) => n.dim.known().map_or(Value::Int(n), |n| Value::Float(n as f64)),
        (Type::ScalarType, Value::Int(n)) => {
            n.dim.known().and_then(DType::from_number).map_or(Value::Int(n), Value::DType)
        }
        (Type::Layout, Value::Int(n)) => {
            n.dim.known().and_then(Layout::from_number).map_or(Value::Int(n), Value::Layout)
        }
        (Type::MemoryFormat, Value::Int(n)) => {
            let format = MemoryFormat::ALL.into_iter().find(|f| Some(f.number()) == n.dim.known());
            format.map_or(Value::Int(n), Value::MemoryFormat)
        }
        (Type::List(_), value @ (Value::Int(_) | Value::Float(_) | Value::Bool(_))) => {
            let count = formal.list_size.and_then(|n| usize::try_from(n).ok()).unwrap_or(1);
            Value::list(vec![value; count.min(16)])
        }
        (Type::List(element), Value::Tuple(items)) if !element.is_tensor() => Value::list(items.to_vec()),
        (_, value) => value,
    }
}

/// The default of an argument, as a value of its type.
fn default(formal: &Formal) -> Option<Value> {
    let default = formal.default.as_ref()?;
    Some(fitted(Value::of_default(default), formal))
}

/// A call's arguments in the schema's order, those that are left out as well.
///
/// # Errors
/// Too many, a keyword that the operator does not have, one that is missing.
pub(crate) fn bind(entry: &OpEntry, given: Vec<Value>, mut named: Vec<(String, Value)>) -> Outcome<Vec<Value>> {
    let formals = &entry.schema().arguments;
    if given.len() > formals.len() {
        return fault(format!("{} takes {} arguments, and {} are given", entry.name, formals.len(), given.len()));
    }
    let mut bound = Vec::with_capacity(formals.len());
    let mut given = given.into_iter();
    for formal in formals {
        let value = match given.next() {
            Some(value) => value,
            None => match named.iter().position(|(name, _)| **name == *formal.name) {
                Some(at) => named.remove(at).1,
                None => match default(formal) {
                    Some(value) => value,
                    // A list of numbers that may be none has no default in some schemas.
                    None => return fault(format!("{}: the argument `{}` is missing", entry.name, formal.name)),
                },
            },
        };
        bound.push(fitted(value, formal));
    }
    match named.first() {
        Some((name, _)) => fault(format!("{} has no argument `{name}`", entry.name)),
        None => Ok(bound),
    }
}

/// Positional arguments, and those by name.
pub(crate) type Written = (Vec<Argument>, Vec<(String, Argument)>);

/// What a node says of a call.
pub(crate) fn written(tracer: &mut Tracer, entry: &OpEntry, values: &[Value]) -> Outcome<Written> {
    let (mut positional, mut named) = (Vec::new(), Vec::new());
    for (formal, value) in entry.schema().arguments.iter().zip(values) {
        let argument = argument(tracer, value)?;
        let said = formal.default.as_ref().is_some_and(|default| argument.is_default(default, formal));
        match formal.kwarg_only {
            true if said => {}
            true => named.push((formal.name.to_string(), argument)),
            false => positional.push((argument, said)),
        }
    }
    while positional.last().is_some_and(|(_, said)| *said) {
        positional.pop();
    }
    Ok((positional.into_iter().map(|(argument, _)| argument).collect(), named))
}

/// A value as an argument of a node.
pub(crate) fn argument(tracer: &mut Tracer, value: &Value) -> Outcome<Argument> {
    let all = |tracer: &mut Tracer, items: &[Value]| -> Outcome<Vec<Argument>> {
        items.iter().map(|v| argument(tracer, v)).collect()
    };
    Ok(match value {
        Value::None => Argument::None,
        Value::Bool(b) => Argument::Bool(*b),
        Value::Int(n) => tracer.number(n)?,
        Value::Float(x) => Argument::Float(*x),
        Value::Complex(re, im) => Argument::Complex(*re, *im),
        Value::Str(s) => Argument::Str(s.to_string()),
        Value::DType(dtype) => Argument::DType(*dtype),
        Value::Device(device) => Argument::Device(device.clone()),
        Value::Layout(layout) => Argument::Layout(*layout),
        Value::MemoryFormat(format) => Argument::MemoryFormat(*format),
        Value::Tensor(t) => Argument::Node(tracer.tensor(*t).node),
        Value::Node(node) => Argument::Node(*node),
        Value::Operator(operator) => Argument::Operator(operator.clone()),
        Value::List(items) => Argument::List(all(tracer, &items.borrow().clone())?),
        Value::Tuple(items) => Argument::Tuple(all(tracer, items)?),
        Value::Graph(_) | Value::NotImplemented => {
            return Err(Fault(format!("a value of kind {} is no argument of an operator", value.kind())));
        }
    })
}

/// An argument as a shape rule sees it.
pub(crate) fn meta(tracer: &Tracer, value: &Value, formal: &Formal) -> Meta {
    let number = |dtype| {
        Meta::Tensor(TensorMeta { wrapped_number: true, ..TensorMeta::new(Some(dtype), Some(Default::default())) })
    };
    let is_tensor = inner(&formal.ty).is_tensor();
    match value {
        Value::Int(_) if is_tensor => number(DType::I64),
        Value::Float(_) if is_tensor => number(DType::F64),
        Value::Bool(_) if is_tensor => number(DType::Bool),
        Value::Complex(..) if is_tensor => number(DType::C128),
        Value::Node(_) if is_tensor => number(DType::F64),
        Value::None => Meta::None,
        Value::Bool(b) => Meta::Bool(*b),
        Value::Int(n) => Meta::Int(n.dim),
        Value::Float(x) => Meta::Float(*x),
        Value::Complex(re, im) => Meta::Complex(*re, *im),
        Value::Str(s) => Meta::Str(s.as_ref().into()),
        Value::DType(dtype) => Meta::Int(dtype.number().into()),
        Value::Device(device) => Meta::Device(device.clone()),
        Value::Layout(layout) => Meta::Int(layout.number().into()),
        Value::MemoryFormat(format) => Meta::Int(format.number().into()),
        Value::Tensor(t) => {
            let meta = &tracer.tensor(*t).meta;
            let sizes = Some(meta.sizes.iter().copied().collect());
            Meta::Tensor(TensorMeta { device: Some(meta.device.clone()), ..TensorMeta::new(Some(meta.dtype), sizes) })
        }
        Value::List(items) => Meta::List(items.borrow().iter().map(|v| meta(tracer, v, formal)).collect()),
        Value::Tuple(items) => Meta::List(items.iter().map(|v| meta(tracer, v, formal)).collect()),
        Value::Node(_) | Value::Graph(_) | Value::Operator(_) | Value::NotImplemented => Meta::Unknown,
    }
}
