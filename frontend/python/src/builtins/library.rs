//! Functions of Python's library: math, collections, copy, functools, itertools, operator, warnings.

use super::{Host, callable, deep_copy, fields_of, find, float, int, real_function, whole};
use crate::value::*;
use crate::{Fallible, Fault};
use std::rc::Rc;

pub(super) const MATH: &[(&str, Host)] = &[
    ("math.sqrt", |_, a| {
        let x = float(&a.need("x")?)?;
        if x < 0.0 {
            return Err(Fault::raise("ValueError", "math domain error"));
        }
        Ok(Value::Float(x.sqrt()))
    }),
    ("math.log", |_, a| {
        let x = float(&a.need("x")?)?;
        if x <= 0.0 {
            return Err(Fault::raise("ValueError", "math domain error"));
        }
        match a.take("base") {
            None => Ok(Value::Float(x.ln())),
            Some(b) => Ok(Value::Float(x.ln() / float(&b)?.ln())),
        }
    }),
    ("math.log2", |_, a| real_function(f64::log2)(a)),
    ("math.log10", |_, a| real_function(f64::log10)(a)),
    ("math.log1p", |_, a| real_function(f64::ln_1p)(a)),
    ("math.exp", |_, a| real_function(f64::exp)(a)),
    ("math.expm1", |_, a| real_function(f64::exp_m1)(a)),
    ("math.sin", |_, a| real_function(f64::sin)(a)),
    ("math.cos", |_, a| real_function(f64::cos)(a)),
    ("math.tan", |_, a| real_function(f64::tan)(a)),
    ("math.asin", |_, a| real_function(f64::asin)(a)),
    ("math.acos", |_, a| real_function(f64::acos)(a)),
    ("math.atan", |_, a| real_function(f64::atan)(a)),
    ("math.sinh", |_, a| real_function(f64::sinh)(a)),
    ("math.cosh", |_, a| real_function(f64::cosh)(a)),
    ("math.tanh", |_, a| real_function(f64::tanh)(a)),
    ("math.fabs", |_, a| real_function(f64::abs)(a)),
    ("math.degrees", |_, a| real_function(f64::to_degrees)(a)),
    ("math.radians", |_, a| real_function(f64::to_radians)(a)),
    ("math.erf", |_, a| real_function(libm_erf)(a)),
    ("math.atan2", |_, a| Ok(Value::Float(float(&a.need("y")?)?.atan2(float(&a.need("x")?)?)))),
    ("math.hypot", |_, a| Ok(Value::Float(float(&a.need("x")?)?.hypot(float(&a.need("y")?)?)))),
    ("math.pow", |_, a| Ok(Value::Float(float(&a.need("x")?)?.powf(float(&a.need("y")?)?)))),
    ("math.fmod", |_, a| Ok(Value::Float(float(&a.need("x")?)? % float(&a.need("y")?)?))),
    ("math.copysign", |_, a| Ok(Value::Float(float(&a.need("x")?)?.copysign(float(&a.need("y")?)?)))),
    ("math.floor", |e, a| whole(f64::floor, e, a)),
    ("math.ceil", |e, a| whole(f64::ceil, e, a)),
    ("math.trunc", |e, a| whole(f64::trunc, e, a)),
    ("math.isnan", |_, a| Ok(Value::Bool(float(&a.need("x")?)?.is_nan()))),
    ("math.isinf", |_, a| Ok(Value::Bool(float(&a.need("x")?)?.is_infinite()))),
    ("math.isfinite", |_, a| Ok(Value::Bool(float(&a.need("x")?)?.is_finite()))),
    ("math.gcd", |_, a| {
        let (mut x, mut y) = (int(&a.need("a")?)?, int(&a.need("b")?)?);
        while y != 0 {
            (x, y) = (y, x.wrapping_rem(y));
        }
        Ok(Value::Int(x.wrapping_abs()))
    }),
    ("math.prod", |e, a| {
        let mut total = Value::Int(1);
        for v in e.items(&a.need("iterable")?)? {
            total = e.binary(sconce_syntax::script::tree::BinaryOp::Mul, &total, &v)?;
        }
        Ok(total)
    }),
    ("math.factorial", |_, a| {
        let n = int(&a.need("x")?)?;
        let product = (1..=n.min(64)).try_fold(1_i64, i64::checked_mul).filter(|_| n >= 0);
        product.map(Value::Int).ok_or_else(|| Fault::limit("integers of more than 64 bits are not supported"))
    }),
];

/// The error function through the operator of the table, so that it is written once.
fn libm_erf(x: f64) -> f64 {
    let mut args = [sconce_tensor::IValue::Tensor(sconce_tensor::Tensor::scalar(x))];
    let result = sconce_schema::lookup("aten::erf").and_then(|e| sconce_kernels::call(e, &mut args).ok());
    match result.as_deref() {
        Some([sconce_tensor::IValue::Tensor(t)]) => t.item::<f64>().unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}

pub(super) const LIBRARY: &[(&str, Host)] = &[
    ("collections.OrderedDict", |e, a| find("builtins.dict").map_or(Ok(Value::None), |f| f(e, a))),
    ("collections.defaultdict", |_, _| Ok(Value::dict(Map::new()))),
    ("collections.namedtuple", |e, a| {
        let (name, fields) = (a.need("typename")?, a.need("field_names")?);
        let defaults = a.keyword("defaults").map_or(Ok(Vec::new()), |v| e.items(&v))?;
        let scope = e.file_scope();
        Ok(e.named_tuple_class(name.as_str().unwrap_or_default(), fields_of(e, &fields)?, defaults, &scope))
    }),
    ("typing.NamedTuple", |e, a| {
        let (name, fields) = (a.need("typename")?, a.need("fields")?);
        let scope = e.file_scope();
        Ok(e.named_tuple_class(name.as_str().unwrap_or_default(), fields_of(e, &fields)?, Vec::new(), &scope))
    }),
    ("typing.TypeVar", |_, a| Ok(Value::Generic(Rc::new(("typing.TypeVar".into(), a.rest()))))),
    ("typing.NewType", |_, a| {
        a.need("name")?;
        a.need("tp")
    }),
    ("typing.cast", |_, a| {
        a.need("typ")?;
        a.need("val")
    }),
    ("typing.overload", |_, a| a.need("func")),
    ("typing.final", |_, a| a.need("f")),
    ("typing.no_type_check", |_, a| a.need("f")),
    ("dataclasses.dataclass", |e, a| match a.take("cls") {
        Some(Value::Class(class)) => {
            let order = matches!(a.keyword("order"), Some(Value::Bool(true)));
            e.make_dataclass(&class, order)?;
            Ok(Value::Class(class))
        }
        Some(other) => Err(Fault::raise("TypeError", format!("dataclass() of a {}", other.type_name()))),
        None => {
            // `@dataclass(order=True)`
            let names = std::mem::take(&mut a.keywords).into_iter().map(|(k, v)| (Key(Value::Str(k)), v)).collect();
            let parts = vec![Value::host("dataclasses.dataclass"), Value::tuple(Vec::new()), Value::dict(names)];
            Ok(Value::BoundHost(Rc::new((Value::tuple(parts), "functools.partial".into()))))
        }
    }),
    ("enum.auto", |_, _| Ok(Value::Generic(Rc::new(("enum.auto".into(), Vec::new()))))),
    ("enum.unique", |_, a| a.need("enumeration")),
    ("copy.deepcopy", |e, a| deep_copy(e, &a.need("x")?, &mut Vec::new())),
    ("copy.copy", |_, a| {
        Ok(match a.need("x")? {
            Value::List(v) => Value::list(v.borrow().clone()),
            Value::Dict(d) => Value::dict(d.borrow().clone()),
            Value::Instance(i) => {
                let new =
                    Instance { class: i.class.clone(), attributes: i.attributes.clone(), script: i.script.clone() };
                Value::Instance(Rc::new(new))
            }
            other => other,
        })
    }),
    ("functools.partial", |_, a| {
        let f = a.need("func")?;
        let mut parts = vec![f, Value::tuple(a.rest())];
        let names = std::mem::take(&mut a.keywords).into_iter().map(|(k, v)| (Key(Value::Str(k)), v)).collect();
        parts.push(Value::dict(names));
        Ok(Value::BoundHost(Rc::new((Value::tuple(parts), "functools.partial".into()))))
    }),
    ("functools.wraps", |_, _| Ok(Value::host("functools.wrapper"))),
    ("functools.wrapper", |_, a| a.need("f")),
    ("functools.lru_cache", |_, a| {
        Ok(a.take("f").filter(callable).unwrap_or_else(|| Value::host("functools.wrapper")))
    }),
    ("functools.cache", |_, a| a.need("f")),
    ("functools.reduce", |e, a| {
        let (f, v) = (a.need("function")?, a.need("iterable")?);
        let mut items = e.items(&v)?.into_iter();
        let first = a.take("initial").or_else(|| items.next());
        let mut total =
            first.ok_or_else(|| Fault::raise("TypeError", "reduce() of empty iterable with no initial value"))?;
        for item in items {
            total = e.call(&f, vec![total, item], Vec::new())?;
        }
        Ok(total)
    }),
    ("itertools.repeat", |e, a| {
        let v = a.need("object")?;
        let n = a.take("times").map_or_else(|| Err(Fault::refused("itertools.repeat without an end")), |n| int(&n))?;
        e.spend(n.max(0) as u64)?;
        Ok(Value::iterator(vec![v; usize::try_from(n).unwrap_or(0)]))
    }),
    ("itertools.chain", |e, a| {
        let parts = a.rest().iter().map(|v| e.items(v)).collect::<Fallible<Vec<_>>>()?;
        Ok(Value::iterator(parts.into_iter().flatten()))
    }),
    ("itertools.product", |e, a| {
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for v in a.rest() {
            let items = e.items(&v)?;
            e.spend((rows.len() * items.len()) as u64)?;
            rows = rows
                .iter()
                .flat_map(|r| items.iter().map(move |i| r.iter().cloned().chain([i.clone()]).collect()))
                .collect();
        }
        Ok(Value::iterator(rows.into_iter().map(Value::tuple)))
    }),
    ("warnings.warn", |e, a| {
        let text = e.text(&a.need("message")?)?;
        let category = match a.take("category") {
            Some(Value::Host(path)) => path.rsplit('.').next().unwrap_or_default().to_owned(),
            Some(Value::Class(class)) => class.name.to_string(),
            _ => "UserWarning".to_owned(),
        };
        e.warn(&category, text);
        Ok(Value::None)
    }),
    ("warnings.filterwarnings", |_, _| Ok(Value::None)),
    ("warnings.simplefilter", |_, _| Ok(Value::None)),
    ("abc.abstractmethod", |_, a| a.need("f")),
    ("operator.index", |_, a| Ok(Value::Int(int(&a.need("a")?)?))),
];
