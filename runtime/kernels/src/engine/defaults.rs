//! A schema's default values as the values a call is completed with.

use sconce_schema::Type;
use sconce_schema::op::{Argument, DefaultValue};
use sconce_tensor::IValue;

/// The default as a value of the argument's type: `1` is a float where a float is asked for, lists know their element type.
pub fn default_value(default: &DefaultValue, argument: &Argument) -> IValue {
    value_of(default, &argument.ty)
}

fn value_of(default: &DefaultValue, ty: &Type) -> IValue {
    let ty = if let Type::Optional(inner) = ty { inner } else { ty };
    match default {
        DefaultValue::None => IValue::None,
        DefaultValue::Bool(v) => IValue::Bool(*v),
        DefaultValue::Int(v) if *ty == Type::Float => IValue::Double(*v as f64),
        DefaultValue::Int(v) => IValue::Int(*v),
        DefaultValue::Float(v) => IValue::Double(*v),
        DefaultValue::Complex(re, im) => IValue::complex(*re, *im),
        DefaultValue::Str(s) => IValue::str(&**s),
        DefaultValue::List(items) => {
            let element = if let Type::List(e) = ty { Type::clone(e) } else { Type::Any };
            let items = items.iter().map(|i| value_of(i, &element)).collect::<Vec<_>>();
            IValue::list(element, items)
        }
    }
}
