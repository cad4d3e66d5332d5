//! Schemas of functions as text: `forward(__torch__.m.M self, Tensor x, *, int n=1) -> Tensor`.

use crate::unit::Param;
use sconce_kernels::defaults::default_value;
use sconce_schema::op::DefaultValue;
use sconce_schema::{Argument, FunctionSchema, Type};
use sconce_tensor::IValue;

/// The schema's text, as PyTorch writes it. A default that the text cannot say is left out.
pub fn text(name: &str, params: &[Param], returns: &Type) -> String {
    schema(name, params, returns).to_string()
}

/// The same as [`read`] reads it: where a list of equal numbers is written as one, its length is said.
pub fn readable(name: &str, params: &[Param], returns: &Type) -> String {
    let mut schema = schema(name, params, returns);
    for argument in &mut schema.arguments {
        if let (None, Some(DefaultValue::List(items))) = (argument.list_size, &argument.default)
            && items.len() > 1
            && items.iter().all(|i| *i == items[0])
        {
            argument.list_size = u32::try_from(items.len()).ok();
        }
    }
    schema.to_string()
}

fn schema(name: &str, params: &[Param], returns: &Type) -> FunctionSchema {
    let argument = |name: &str, ty: &Type| Argument {
        name: name.into(),
        ty: ty.clone(),
        list_size: None,
        default: None,
        kwarg_only: false,
        alias: None,
    };
    let arguments = params.iter().map(|p| Argument {
        default: p.default.as_ref().and_then(|d| default(d, 0)),
        kwarg_only: p.keyword_only,
        list_size: p.list_size,
        ..argument(&p.name, &p.ty)
    });
    FunctionSchema {
        name: name.rsplit('.').next().unwrap_or(name).into(),
        overload: "".into(),
        arguments: arguments.collect(),
        returns: vec![argument("", returns)],
        is_vararg: false,
        is_varret: false,
    }
}

fn default(value: &IValue, depth: usize) -> Option<DefaultValue> {
    Some(match value {
        IValue::None => DefaultValue::None,
        IValue::Bool(b) => DefaultValue::Bool(*b),
        IValue::Int(n) => DefaultValue::Int(*n),
        IValue::Double(x) => DefaultValue::Float(*x),
        IValue::Complex(c) => DefaultValue::Complex(c.re, c.im),
        IValue::Str(s) => DefaultValue::Str(s.as_str().into()),
        IValue::Device(d) => DefaultValue::Str(d.to_string().into()),
        IValue::List(l) if depth < 8 => {
            DefaultValue::List(l.read().iter().map(|i| default(i, depth + 1)).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// Parameters and return type that a schema's text says.
pub fn read(text: &str) -> Option<(Vec<Param>, Type)> {
    let schema: FunctionSchema = text.parse().ok()?;
    let params = schema.arguments.iter().map(|a| Param {
        name: a.name.clone(),
        ty: a.ty.clone(),
        default: a.default.as_ref().map(|d| default_value(d, a)),
        keyword_only: a.kwarg_only,
        list_size: a.list_size,
    });
    let returns = match schema.returns.as_slice() {
        [one] => one.ty.clone(),
        several => Type::Tuple(several.iter().map(|r| r.ty.clone()).collect()),
    };
    Some((params.collect(), returns))
}
