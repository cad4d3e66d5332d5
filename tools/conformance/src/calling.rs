//! How a recorded call reaches the operator: by the table's entry, defaults filled in, rule first.

use sconce_schema::op::{Argument, DefaultValue};
use sconce_schema::{OpEntry, Type};
use sconce_tensor::IValue;

pub use sconce_kernels::call;
pub use sconce_kernels::derived::meta_of;
pub use sconce_schema::shape::infer;

/// Whether [`call`] finds a kernel.
pub fn has_kernel(entry: &'static OpEntry) -> bool {
    sconce_kernels::lookup(entry).is_some()
}

/// A schema's default as a value of the argument's type.
pub fn default_value(default: &DefaultValue, argument: &Argument) -> IValue {
    fn of(default: &DefaultValue, ty: &Type) -> IValue {
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
                let items = items.iter().map(|i| of(i, &element)).collect();
                IValue::list(element, items)
            }
        }
    }
    of(default, &argument.ty)
}
