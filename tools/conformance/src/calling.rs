//! How a recorded call reaches the operator: by the table's entry, defaults filled in, rule first.

use sconce_kernels::{Call, Error, Outputs};
use sconce_schema::op::{Argument, DefaultValue};
use sconce_schema::shape::{Meta, RuleResult, Size, TensorMeta};
use sconce_schema::{OpEntry, Type};
use sconce_tensor::IValue;

/// Calls an operator: its rule, then its kernel.
pub fn call(entry: &'static OpEntry, args: &mut [IValue]) -> Result<Outputs, Error> {
    let missing = || Error::Missing { op: entry.name.to_owned() };
    let kernel = sconce_kernels::named_kernel(entry).ok_or_else(missing)?;
    let metas: Vec<Meta> = args.iter().map(meta_of).collect();
    let results = infer(entry, &metas).transpose()?.unwrap_or_default();
    kernel(&Call { entry, metas: &results }, args)
}

/// Whether [`call`] finds a kernel.
pub fn has_kernel(entry: &'static OpEntry) -> bool {
    sconce_kernels::named_kernel(entry).is_some()
}

/// The results as the operator's rule gives them.
pub fn infer(entry: &'static OpEntry, args: &[Meta]) -> Option<RuleResult> {
    entry.shape.map(|rule| rule(args))
}

/// A value as a shape rule sees it.
pub fn meta_of(value: &IValue) -> Meta {
    match value {
        IValue::None => Meta::None,
        IValue::Bool(v) => Meta::Bool(*v),
        IValue::Int(v) => Meta::Int(Size::Known(*v)),
        IValue::Double(v) => Meta::Float(*v),
        IValue::Complex(v) => Meta::Complex(v.re, v.im),
        IValue::Tensor(t) => Meta::Tensor(TensorMeta {
            dtype: Some(t.dtype()),
            sizes: Some(t.sizes().iter().map(|&s| Size::Known(s)).collect()),
            device: None,
            wrapped_number: t.is_wrapped_number(),
        }),
        IValue::Str(s) => Meta::Str(s.as_str().into()),
        IValue::Device(d) => Meta::Device((**d).clone()),
        IValue::List(l) => Meta::List(l.read().iter().map(meta_of).collect()),
        IValue::Tuple(t) => Meta::List(t.items.iter().map(meta_of).collect()),
        _ => Meta::Unknown,
    }
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
