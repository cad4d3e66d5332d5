//! The type that a value has by itself, which is a constant's where nobody says more.

use sconce_schema::Type;
use sconce_tensor::IValue;
use std::sync::Arc;

/// The type of a constant.
pub fn of_value(value: &IValue) -> Type {
    match value {
        IValue::None | IValue::Uninitialized => Type::None,
        IValue::Bool(_) => Type::Bool,
        IValue::Int(_) => Type::Int,
        IValue::Double(_) => Type::Float,
        IValue::Complex(_) => Type::Complex,
        IValue::Tensor(_) => Type::tensor(),
        IValue::Str(_) => Type::Str,
        IValue::Device(_) => Type::Device,
        IValue::List(l) => Type::list(l.element.clone()),
        IValue::Dict(d) => Type::dict(d.key.clone(), d.value.clone()),
        IValue::Tuple(t) => match &t.names {
            Some(named) => Type::NamedTuple(named.clone()),
            None => Type::Tuple(t.items.iter().map(of_value).collect()),
        },
        IValue::Object(o) => Type::Class(o.class.clone()),
        IValue::Enum(e) => Type::Enum(e.class.clone()),
        IValue::Future(_) => Type::Future(Arc::new(Type::Any)),
        IValue::Generator(_) => Type::Generator,
    }
}
