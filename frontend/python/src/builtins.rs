//! Functions that Sconce provides while a file is evaluated: Python's own, `math`, and what `torch` offers beside operators.

use super::call::Kwargs;
use super::value::*;
use super::{Evaluator, Fallible, Fault};
use sconce_schema::DType;
use std::rc::Rc;

/// The arguments of a call of a function that is written here.
pub(super) struct Args {
    pub positional: std::collections::VecDeque<Value>,
    pub keywords: Kwargs,
}

impl Args {
    /// The next positional argument, or the keyword argument of this name.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        self.positional.pop_front().or_else(|| self.keyword(name))
    }
    pub(super) fn keyword(&mut self, name: &str) -> Option<Value> {
        let at = self.keywords.iter().position(|(k, _)| &**k == name)?;
        Some(self.keywords.remove(at).1)
    }
    pub(super) fn need(&mut self, name: &str) -> Fallible<Value> {
        self.take(name).ok_or_else(|| Fault::raise("TypeError", format!("missing required argument: '{name}'")))
    }
    fn rest(&mut self) -> Vec<Value> {
        self.positional.drain(..).collect()
    }
}

type Host = fn(&Evaluator, &mut Args) -> Fallible<Value>;

/// Exceptions of Python's own, each with its base.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("Exception", "BaseException"),
    ("ArithmeticError", "Exception"),
    ("ZeroDivisionError", "ArithmeticError"),
    ("OverflowError", "ArithmeticError"),
    ("AssertionError", "Exception"),
    ("AttributeError", "Exception"),
    ("ImportError", "Exception"),
    ("ModuleNotFoundError", "ImportError"),
    ("LookupError", "Exception"),
    ("IndexError", "LookupError"),
    ("KeyError", "LookupError"),
    ("NameError", "Exception"),
    ("RuntimeError", "Exception"),
    ("NotImplementedError", "RuntimeError"),
    ("RecursionError", "RuntimeError"),
    ("OSError", "Exception"),
    ("StopIteration", "Exception"),
    ("TypeError", "Exception"),
    ("ValueError", "Exception"),
    ("UnicodeError", "ValueError"),
    ("Warning", "Exception"),
    ("UserWarning", "Warning"),
    ("DeprecationWarning", "Warning"),
    ("FutureWarning", "Warning"),
    ("RuntimeWarning", "Warning"),
    ("BaseException", "object"),
    ("MemoryError", "Exception"),
    ("TimeoutError", "OSError"),
    ("IOError", "Exception"),
    ("EOFError", "Exception"),
];

/// Is the builtin exception `path` (`builtins.KeyError`) `base` or derived from it?
pub(crate) fn exception_derives(path: &str, base: &str) -> bool {
    let short = |p: &'_ str| -> Option<&'static str> {
        let name = p.strip_prefix("builtins.")?;
        EXCEPTIONS.iter().map(|(n, _)| *n).find(|n| *n == name)
    };
    let (Some(mut at), Some(base)) = (short(path), short(base)) else { return false };
    // The table has no cycles, but its length bounds the walk all the same.
    for _ in 0..EXCEPTIONS.len() {
        if at == base {
            return true;
        }
        match EXCEPTIONS.iter().find(|(n, _)| *n == at) {
            Some((_, next)) => at = next,
            None => return false,
        }
    }
    false
}

/// Is there an exception of Python's own of this name?
pub(super) fn is_exception(name: &str) -> bool {
    EXCEPTIONS.iter().any(|(n, _)| *n == name)
}

/// Types of Python's own: names in annotations, `isinstance` and conversions.
const TYPES: &[&str] =
    &["int", "float", "bool", "str", "complex", "list", "tuple", "dict", "set", "frozenset", "object", "type", "bytes"];

impl Evaluator {
    /// A name of `builtins`.
    pub(super) fn builtin(&self, name: &str) -> Option<Value> {
        let path = format!("builtins.{name}");
        let known = TYPES.contains(&name)
            || is_exception(name)
            || find(&path).is_some()
            || matches!(name, "locals" | "globals");
        match name {
            "NotImplemented" => Some(Value::NotImplemented),
            "Ellipsis" => Some(Value::Ellipsis),
            "property" | "staticmethod" | "classmethod" => Some(Value::Host(path.into())),
            _ => known.then(|| Value::Host(path.into())),
        }
    }

    /// Calls what Sconce provides.
    pub(super) fn call_host(&self, path: &Rc<str>, args: Vec<Value>, kwargs: Kwargs) -> Fallible<Value> {
        if path.starts_with("aten::") || path.starts_with("prim::") {
            return self.operator(path, args, kwargs);
        }
        if let Some(name) = path.strip_prefix("builtins.")
            && is_exception(name)
        {
            return Ok(Value::Generic(Rc::new((path.clone(), args))));
        }
        if path.starts_with("math.") && args.iter().any(|v| matches!(v, Value::Tensor(_))) {
            self.frozen("float");
        }
        let mut args = Args { positional: args.into(), keywords: kwargs };
        match find(path) {
            Some(f) => f(self, &mut args),
            None => Err(Fault::refused(format!("{path} is not available while a module is built"))),
        }
    }

    /// `isinstance(value, class)`
    pub(super) fn is_instance(&self, value: &Value, class: &Value) -> Fallible<bool> {
        Ok(match class {
            Value::Tuple(classes) => {
                for c in classes.iter() {
                    if self.is_instance(value, c)? {
                        return Ok(true);
                    }
                }
                false
            }
            Value::Class(c) => match value {
                Value::Instance(i) => i.class.derives_from(c),
                Value::NamedTuple(of, _) => of.derives_from(c),
                _ => false,
            },
            Value::Generic(g) if &*g.0 == "typing.Union" => return self.is_instance(value, &Value::tuple(g.1.clone())),
            Value::Generic(g) => return self.is_instance(value, &Value::Host(g.0.clone())),
            Value::Host(path) => self.is_host_instance(value, path),
            Value::None => matches!(value, Value::None),
            _ => {
                return Err(Fault::raise(
                    "TypeError",
                    "isinstance() arg 2 must be a type, a tuple of types, or a union",
                ));
            }
        })
    }

    fn is_host_instance(&self, value: &Value, path: &str) -> bool {
        match (path, value) {
            ("builtins.object", _) => true,
            ("builtins.int", Value::Int(_) | Value::Bool(_)) => true,
            ("builtins.bool", Value::Bool(_)) | ("builtins.float", Value::Float(_)) => true,
            ("builtins.str", Value::Str(_)) | ("builtins.complex", Value::Complex(..)) => true,
            ("builtins.list" | "typing.List", Value::List(_)) => true,
            ("builtins.tuple" | "typing.Tuple", Value::Tuple(_) | Value::NamedTuple(..)) => true,
            ("torch.Size", Value::Tuple(_)) => true,
            (
                "builtins.dict"
                | "typing.Dict"
                | "collections.OrderedDict"
                | "collections.abc.Mapping"
                | "typing.Mapping",
                Value::Dict(_),
            ) => true,
            ("builtins.set" | "typing.Set", Value::Set(_)) => true,
            ("builtins.slice", Value::Slice(_)) => true,
            ("builtins.type", Value::Class(_) | Value::Host(_)) => true,
            (
                "collections.abc.Iterable" | "typing.Iterable",
                Value::List(_)
                | Value::Tuple(_)
                | Value::Dict(_)
                | Value::Set(_)
                | Value::Str(_)
                | Value::Range(..)
                | Value::Iterator(_)
                | Value::NamedTuple(..),
            ) => true,
            ("collections.abc.Iterable" | "typing.Iterable", Value::Instance(i)) => i.class.get("__iter__").is_some(),
            (
                "collections.abc.Sequence" | "typing.Sequence",
                Value::List(_) | Value::Tuple(_) | Value::Str(_) | Value::Range(..) | Value::NamedTuple(..),
            ) => true,
            ("collections.abc.Callable" | "typing.Callable", v) => callable(v),
            ("torch.Tensor", Value::Tensor(_)) => true,
            ("torch.nn.parameter.Parameter", Value::Tensor(t)) => t.is_parameter(),
            (path, Value::Tensor(t)) if t.is_lazy() => path == t.class(),
            ("torch.dtype" | "torch.layout" | "torch.memory_format" | "torch.qscheme", Value::Setting(..)) => {
                path.strip_prefix("torch.") == Some(&*value.type_name())
            }
            ("torch.device", Value::Device(_)) => true,
            ("numbers.Number", Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Complex(..)) => true,
            ("numbers.Real", Value::Int(_) | Value::Float(_) | Value::Bool(_)) => true,
            ("numbers.Integral", Value::Int(_) | Value::Bool(_)) => true,
            ("types.FunctionType", Value::Function(_)) => true,
            (path, Value::Generic(g)) => g.0.starts_with("builtins.") && exception_derives(&g.0, path),
            (path, Value::Instance(i)) => i.class.derives_from_host(path),
            _ => false,
        }
    }

    fn marked(&self, args: &mut Args, modifier: Modifier) -> Fallible<Value> {
        let value = args.need("fn")?;
        mark(&value, modifier);
        Ok(value)
    }
}

fn mark(value: &Value, modifier: Modifier) {
    match value {
        Value::Function(f) => f.modifier.set(modifier),
        Value::Property(p) => mark(&p.get, modifier),
        Value::StaticMethod(f) | Value::ClassMethod(f) => mark(f, modifier),
        Value::Class(c) if modifier == Modifier::Script => c.script.set(true),
        Value::Method(m) => mark(&m.1, modifier),
        _ => {}
    }
}

fn callable(v: &Value) -> bool {
    match v {
        Value::Function(_) | Value::Method(_) | Value::Class(_) | Value::Host(_) | Value::BoundHost(_) => true,
        Value::Instance(i) => i.class.is_module() || i.class.get("__call__").is_some(),
        _ => false,
    }
}

pub(super) fn find(path: &str) -> Option<Host> {
    TABLES.iter().flat_map(|t| t.iter()).find(|(n, _)| *n == path).map(|(_, f)| *f)
}

fn float(v: &Value) -> Fallible<f64> {
    match v {
        Value::Float(f) => Ok(*f),
        Value::Int(i) => Ok(*i as f64),
        Value::Bool(b) => Ok(f64::from(u8::from(*b))),
        Value::Tensor(t) => {
            sconce_kernels::number::Number::from_value(&sconce_tensor::IValue::Tensor(t.tensor.borrow().clone()))
                .and_then(|n| n.to_f64())
                .map_err(|e| Fault::raise("RuntimeError", e.to_string()))
        }
        other => Err(Fault::raise("TypeError", format!("must be real number, not {}", other.type_name()))),
    }
}

pub(super) fn int(v: &Value) -> Fallible<i64> {
    match v {
        Value::Int(i) => Ok(*i),
        Value::Bool(b) => Ok(i64::from(*b)),
        other => Err(Fault::raise(
            "TypeError",
            format!("'{}' object cannot be interpreted as an integer", other.type_name()),
        )),
    }
}

impl Evaluator {
    /// What may stand where Python wants an integer: an integer, or a tensor of one.
    pub(super) fn int(&self, v: &Value) -> Fallible<i64> {
        match v {
            Value::Tensor(t) if t.tensor.borrow().numel() == 1 && !t.tensor.borrow().dtype().is_float() => {
                match to_int(self, &self.number_of(v)?)? {
                    Value::Int(i) => Ok(i),
                    _ => int(v),
                }
            }
            _ => int(v),
        }
    }

    /// The number in a tensor, which no trace follows.
    fn number_of(&self, v: &Value) -> Fallible<Value> {
        self.untraced(|| self.tensor_method(v, "item", Vec::new(), Vec::new()))
    }
}

fn to_int(e: &Evaluator, v: &Value) -> Fallible<Value> {
    if let Value::Tensor(_) = v {
        e.frozen("integer");
        return to_int(e, &e.number_of(v)?);
    }
    Ok(Value::Int(match v {
        Value::Float(f) if f.is_nan() => return Err(Fault::raise("ValueError", "cannot convert float NaN to integer")),
        Value::Float(f) if f.is_infinite() => {
            return Err(Fault::raise("OverflowError", "cannot convert float infinity to integer"));
        }
        Value::Float(f) => f.trunc() as i64,
        Value::Str(s) => s
            .trim()
            .replace('_', "")
            .parse()
            .map_err(|_| Fault::raise("ValueError", format!("invalid literal for int() with base 10: '{s}'")))?,
        Value::Tensor(_) => {
            let item = e.call_method(v, "item", Vec::new())?;
            return to_int(e, &item);
        }
        Value::Instance(i) if i.class.get("__int__").is_some() => return e.call_method(v, "__int__", Vec::new()),
        other => int(other)?,
    }))
}

fn dtype_of(v: Option<Value>) -> Option<DType> {
    match v {
        Some(Value::Setting(_, n)) => DType::from_number(n),
        _ => None,
    }
}

/// The least or greatest of the arguments.
fn extreme(e: &Evaluator, args: &mut Args, greatest: bool) -> Fallible<Value> {
    let key = args.keyword("key");
    let default = args.keyword("default");
    let mut all = args.rest();
    if let [one] = all.as_slice() {
        all = e.items(one)?;
    }
    let mut best: Option<(Value, Value)> = None;
    for v in all {
        let k = match &key {
            Some(f) => e.call(f, vec![v.clone()], Vec::new())?,
            None => v.clone(),
        };
        let better = match &best {
            None => true,
            Some((b, _)) => {
                use sconce_syntax::script::tree::CompareOp::{Gt, Lt};
                let r = e.compare(if greatest { Gt } else { Lt }, &k, b)?;
                e.truth(&r)?
            }
        };
        if better {
            best = Some((k, v));
        }
    }
    best.map(|b| b.1).or(default).ok_or_else(|| Fault::raise("ValueError", "max() arg is an empty sequence"))
}

fn real_function(f: fn(f64) -> f64) -> impl Fn(&mut Args) -> Fallible<Value> {
    move |a| Ok(Value::Float(f(float(&a.need("x")?)?)))
}

/// Rounds half to even, as Python does.
fn round(e: &Evaluator, a: &mut Args) -> Fallible<Value> {
    let v = a.need("number")?;
    match (a.take("ndigits"), v) {
        (None | Some(Value::None), Value::Float(f)) => to_int(e, &Value::Float(f.round_ties_even())),
        (Some(digits), Value::Float(f)) => {
            let n = int(&digits)?.clamp(-300, 300);
            let text = if n >= 0 { format!("{f:.0$}", n as usize) } else { String::new() };
            let scale = 10_f64.powi(-n as i32);
            Ok(Value::Float(text.parse().unwrap_or_else(|_| (f / scale).round_ties_even() * scale)))
        }
        (_, v @ (Value::Int(_) | Value::Bool(_))) => Ok(Value::Int(int(&v)?)),
        (_, other) => {
            Err(Fault::raise("TypeError", format!("type {} doesn't define __round__ method", other.type_name())))
        }
    }
}

fn whole(f: fn(f64) -> f64, e: &Evaluator, a: &mut Args) -> Fallible<Value> {
    let v = a.need("x")?;
    if let Value::Int(_) = v {
        return Ok(v);
    }
    to_int(e, &Value::Float(f(float(&v)?)))
}

pub(super) fn deep_copy(e: &Evaluator, v: &Value, seen: &mut Vec<(usize, Value)>) -> Fallible<Value> {
    e.spend(1)?;
    let id = identity(v);
    if id != 0
        && let Some((_, copy)) = seen.iter().find(|(i, _)| *i == id)
    {
        return Ok(copy.clone());
    }
    Ok(match v {
        Value::List(items) => {
            let copy = Value::list(Vec::new());
            seen.push((id, copy.clone()));
            for item in items.borrow().iter() {
                let item = deep_copy(e, item, seen)?;
                if let Value::List(c) = &copy {
                    c.borrow_mut().push(item);
                }
            }
            copy
        }
        Value::Tuple(items) => Value::tuple(items.iter().map(|i| deep_copy(e, i, seen)).collect::<Fallible<_>>()?),
        Value::NamedTuple(c, items) => Value::NamedTuple(
            c.clone(),
            items.iter().map(|i| deep_copy(e, i, seen)).collect::<Fallible<Vec<_>>>()?.into(),
        ),
        Value::Dict(d) => {
            let copy = Value::dict(Map::new());
            seen.push((id, copy.clone()));
            for (k, item) in d.borrow().iter() {
                let item = deep_copy(e, item, seen)?;
                if let Value::Dict(c) = &copy {
                    c.borrow_mut().insert(k.clone(), item);
                }
            }
            copy
        }
        Value::Set(s) => Value::Set(Rc::new(std::cell::RefCell::new(s.borrow().clone()))),
        Value::Tensor(t) => {
            let old = t.tensor.borrow();
            let new = old.copy().map_err(|e| Fault::raise("RuntimeError", e.to_string()))?;
            new.set_requires_grad(old.requires_grad());
            let copy = Value::tensor_of(t.kind, new);
            seen.push((id, copy.clone()));
            copy
        }
        Value::Instance(i) if i.class.form != ClassForm::Enum => {
            let new = Rc::new(Instance::new(i.class.clone()));
            *new.script.borrow_mut() = i.script.borrow().clone();
            seen.push((id, Value::Instance(new.clone())));
            for (name, item) in i.attributes.borrow().iter() {
                let item = deep_copy(e, item, seen)?;
                new.set(name, item);
            }
            Value::Instance(new)
        }
        other => other.clone(),
    })
}

fn fields_of(e: &Evaluator, v: &Value) -> Fallible<Vec<(Rc<str>, Option<Value>)>> {
    if let Value::Str(s) = v {
        return Ok(s.split([',', ' ']).filter(|f| !f.is_empty()).map(|f| (f.into(), None)).collect());
    }
    let mut out = Vec::new();
    for item in e.items(v)? {
        match &item {
            Value::Str(name) => out.push((name.clone(), None)),
            pair => match e.items(pair)?.as_slice() {
                [Value::Str(name), ty] => out.push((name.clone(), Some(ty.clone()))),
                _ => return Err(Fault::raise("TypeError", "a named tuple's fields are names and types")),
            },
        }
    }
    Ok(out)
}

fn conversion_of(v: Value) -> Value {
    match v {
        Value::Method(m) => m.1.clone(),
        other => other,
    }
}

/// `torch.nn.Parameter(data, requires_grad)`
fn parameter(a: &mut Args) -> Fallible<Value> {
    let data = a.take("data");
    let grad = !matches!(a.take("requires_grad"), Some(Value::Bool(false)));
    let t = match data {
        Some(Value::Tensor(t)) => t.tensor.borrow().alias(),
        None | Some(Value::None) => sconce_tensor::Tensor::from_vec(Vec::<f32>::new(), &[0]),
        Some(other) => {
            let text = format!("Parameter data should be a Tensor, not {}", other.type_name());
            return Err(Fault::raise("TypeError", text));
        }
    };
    t.set_requires_grad(grad);
    Ok(Value::tensor_of(TensorKind::Parameter, t))
}

/// `torch.nn.parameter.UninitializedParameter(requires_grad, device, dtype)`, and the buffer of the same kind.
fn uninitialized(kind: TensorKind, a: &mut Args) -> Fallible<Value> {
    let grad = !matches!(a.take("requires_grad"), Some(Value::Bool(false)));
    a.take("device");
    let dtype = dtype_of(a.take("dtype")).unwrap_or(DType::F32);
    let t = sconce_tensor::Tensor::zeros(&[0], dtype).map_err(|e| Fault::raise("RuntimeError", e.to_string()))?;
    t.set_requires_grad(grad && kind == TensorKind::UninitializedParameter);
    Ok(Value::tensor_of(kind, t))
}

const TABLES: &[&[(&str, Host)]] = &[PYTHON, MATH, LIBRARY, TORCH, JIT];

const PYTHON: &[(&str, Host)] = &[
    ("builtins.len", |e, a| Ok(Value::Int(e.length(&a.need("obj")?)?))),
    ("builtins.range", |e, a| {
        let n: Vec<i64> = a.rest().iter().map(|v| e.int(v)).collect::<Fallible<_>>()?;
        match n[..] {
            [stop] => Ok(Value::Range(0, stop, 1)),
            [start, stop] => Ok(Value::Range(start, stop, 1)),
            [_, _, 0] => Err(Fault::raise("ValueError", "range() arg 3 must not be zero")),
            [start, stop, step] => Ok(Value::Range(start, stop, step)),
            _ => Err(Fault::raise("TypeError", "range expected 1 to 3 arguments")),
        }
    }),
    ("builtins.print", |e, a| {
        let parts = a.rest().iter().map(|v| e.text(v)).collect::<Fallible<Vec<_>>>()?;
        e.printed.borrow_mut().push_str(&format!("{}\n", parts.join(" ")));
        Ok(Value::None)
    }),
    ("builtins.isinstance", |e, a| {
        let (v, c) = (a.need("obj")?, a.need("class")?);
        Ok(Value::Bool(e.is_instance(&v, &c)?))
    }),
    ("builtins.issubclass", |_, a| {
        let (v, c) = (a.need("cls")?, a.need("class")?);
        Ok(Value::Bool(match (&v, &c) {
            (Value::Class(v), Value::Class(c)) => v.derives_from(c),
            (Value::Class(v), Value::Host(p)) => v.derives_from_host(p),
            _ => same(&v, &c),
        }))
    }),
    ("builtins.hasattr", |e, a| {
        let (v, n) = (a.need("obj")?, a.need("name")?);
        match e.find_attribute(&v, n.as_str().unwrap_or_default()) {
            Ok(found) => Ok(Value::Bool(found.is_some())),
            Err(f) if f.builtin_class() == Some("AttributeError") => Ok(Value::Bool(false)),
            Err(f) => Err(f),
        }
    }),
    ("builtins.getattr", |e, a| {
        let (v, n) = (a.need("obj")?, a.need("name")?);
        let name = n.as_str().unwrap_or_default();
        match (e.find_attribute(&v, name)?, a.take("default")) {
            (Some(v), _) | (None, Some(v)) => Ok(v),
            (None, None) => e.attribute(&v, name),
        }
    }),
    ("builtins.setattr", |e, a| {
        let (v, n, x) = (a.need("obj")?, a.need("name")?, a.need("value")?);
        e.set_attribute(&v, n.as_str().unwrap_or_default(), x)?;
        Ok(Value::None)
    }),
    ("builtins.delattr", |e, a| {
        let (v, n) = (a.need("obj")?, a.need("name")?);
        e.delete_attribute(&v, n.as_str().unwrap_or_default())?;
        Ok(Value::None)
    }),
    ("builtins.callable", |_, a| Ok(Value::Bool(callable(&a.need("obj")?)))),
    ("builtins.type", |_, a| {
        let v = a.need("obj")?;
        Ok(match &v {
            Value::Instance(i) => Value::Class(i.class.clone()),
            Value::NamedTuple(c, _) => Value::Class(c.clone()),
            Value::Tensor(t) => Value::host(t.class()),
            Value::Class(_) | Value::Host(_) => Value::host("builtins.type"),
            other => Value::Host(format!("builtins.{}", other.type_name()).into()),
        })
    }),
    ("builtins.id", |_, a| Ok(Value::Int(identity(&a.need("obj")?) as i64))),
    ("builtins.int", |e, a| match a.take("x") {
        Some(v) => to_int(e, &v),
        None => Ok(Value::Int(0)),
    }),
    ("builtins.float", |e, a| match a.take("x") {
        None => Ok(Value::Float(0.0)),
        Some(v @ Value::Tensor(_)) => {
            e.frozen("float");
            Ok(Value::Float(float(&v)?))
        }
        Some(Value::Str(s)) => match s.trim().to_ascii_lowercase().trim_start_matches('+') {
            "inf" | "infinity" => Ok(Value::Float(f64::INFINITY)),
            "-inf" | "-infinity" => Ok(Value::Float(f64::NEG_INFINITY)),
            "nan" => Ok(Value::Float(f64::NAN)),
            text => text
                .parse()
                .map(Value::Float)
                .map_err(|_| Fault::raise("ValueError", format!("could not convert string to float: '{s}'"))),
        },
        Some(v) => Ok(Value::Float(float(&v)?)),
    }),
    ("builtins.bool", |e, a| match a.take("x") {
        Some(v) => Ok(Value::Bool(e.truth(&v)?)),
        None => Ok(Value::Bool(false)),
    }),
    ("builtins.str", |e, a| match a.take("object") {
        Some(v) => Ok(Value::str(e.text(&v)?)),
        None => Ok(Value::str("")),
    }),
    ("builtins.complex", |_, a| {
        let (re, im) = (a.take("real"), a.take("imag"));
        let part = |v: Option<Value>| v.map_or(Ok(0.0), |v| float(&v));
        Ok(Value::Complex(part(re)?, part(im)?))
    }),
    ("builtins.repr", |e, a| Ok(Value::str(e.repr(&a.need("obj")?)?))),
    ("builtins.format", |e, a| {
        let v = a.need("value")?;
        let spec = a.take("spec");
        Ok(Value::str(e.formatted(&v, spec.as_ref().and_then(Value::as_str).unwrap_or(""))?))
    }),
    ("builtins.list", |e, a| match a.take("iterable") {
        Some(v) => Ok(Value::list(e.items(&v)?)),
        None => Ok(Value::list(Vec::new())),
    }),
    ("builtins.tuple", |e, a| match a.take("iterable") {
        Some(v) => Ok(Value::tuple(e.items(&v)?)),
        None => Ok(Value::tuple(Vec::new())),
    }),
    ("builtins.dict", |e, a| {
        let mut map = Map::new();
        if let Some(v) = a.positional.pop_front() {
            map.extend(e.pairs(&v)?);
        }
        map.extend(std::mem::take(&mut a.keywords).into_iter().map(|(k, v)| (Key(Value::Str(k)), v)));
        Ok(Value::dict(map))
    }),
    ("builtins.set", |e, a| match a.take("iterable") {
        Some(v) => e.set_of(e.items(&v)?),
        None => e.set_of(Vec::new()),
    }),
    ("builtins.frozenset", |e, a| match a.take("iterable") {
        Some(v) => e.set_of(e.items(&v)?),
        None => e.set_of(Vec::new()),
    }),
    ("builtins.enumerate", |e, a| {
        let v = a.need("iterable")?;
        let start = a.take("start").map_or(Ok(0), |v| int(&v))?;
        let items = e.items(&v)?;
        Ok(Value::iterator(
            items.into_iter().enumerate().map(|(i, v)| Value::tuple(vec![Value::Int(start + i as i64), v])),
        ))
    }),
    ("builtins.zip", |e, a| {
        let all = a.rest().iter().map(|v| e.items(v)).collect::<Fallible<Vec<_>>>()?;
        let n = all.iter().map(Vec::len).min().unwrap_or(0);
        let row = |i: usize| Value::tuple(all.iter().filter_map(|v| v.get(i).cloned()).collect());
        Ok(Value::iterator((0..n).map(row).collect::<Vec<_>>()))
    }),
    ("builtins.map", |e, a| {
        let f = a.need("func")?;
        let all = a.rest().iter().map(|v| e.items(v)).collect::<Fallible<Vec<_>>>()?;
        let n = all.iter().map(Vec::len).min().unwrap_or(0);
        let mut out = Vec::with_capacity(n);
        for i in 0..n {
            out.push(e.call(&f, all.iter().filter_map(|v| v.get(i).cloned()).collect(), Vec::new())?);
        }
        Ok(Value::iterator(out))
    }),
    ("builtins.filter", |e, a| {
        let (f, v) = (a.need("function")?, a.need("iterable")?);
        let mut out = Vec::new();
        for item in e.items(&v)? {
            let kept =
                if matches!(f, Value::None) { item.clone() } else { e.call(&f, vec![item.clone()], Vec::new())? };
            if e.truth(&kept)? {
                out.push(item);
            }
        }
        Ok(Value::iterator(out))
    }),
    ("builtins.reversed", |e, a| {
        let mut items = e.items(&a.need("sequence")?)?;
        items.reverse();
        Ok(Value::iterator(items))
    }),
    ("builtins.sorted", |e, a| {
        let items = e.items(&a.need("iterable")?)?;
        Ok(Value::list(e.sorted(items, std::mem::take(&mut a.keywords))?))
    }),
    ("builtins.iter", |e, a| Ok(Value::iterator(e.items(&a.need("iterable")?)?))),
    ("builtins.next", |e, a| {
        let v = a.need("iterator")?;
        match &v {
            Value::Iterator(queue) => {
                let next = queue.borrow_mut().pop_front();
                next.or_else(|| a.take("default")).ok_or_else(|| Fault::raise("StopIteration", ""))
            }
            Value::Instance(_) => e.call_method(&v, "__next__", Vec::new()),
            other => Err(Fault::raise("TypeError", format!("'{}' object is not an iterator", other.type_name()))),
        }
    }),
    ("builtins.sum", |e, a| {
        let v = a.need("iterable")?;
        let mut total = a.take("start").unwrap_or(Value::Int(0));
        for item in e.items(&v)? {
            total = e.binary(sconce_syntax::script::tree::BinaryOp::Add, &total, &item)?;
        }
        Ok(total)
    }),
    ("builtins.min", |e, a| extreme(e, a, false)),
    ("builtins.max", |e, a| extreme(e, a, true)),
    ("builtins.any", |e, a| {
        for v in e.items(&a.need("iterable")?)? {
            if e.truth(&v)? {
                return Ok(Value::Bool(true));
            }
        }
        Ok(Value::Bool(false))
    }),
    ("builtins.all", |e, a| {
        for v in e.items(&a.need("iterable")?)? {
            if !e.truth(&v)? {
                return Ok(Value::Bool(false));
            }
        }
        Ok(Value::Bool(true))
    }),
    ("builtins.abs", |e, a| match a.need("x")? {
        Value::Int(i) => Ok(Value::Int(i.checked_abs().unwrap_or(i64::MAX))),
        Value::Float(f) => Ok(Value::Float(f.abs())),
        Value::Complex(re, im) => Ok(Value::Float(re.hypot(im))),
        v => e.operator("aten::abs", vec![v], Vec::new()),
    }),
    ("builtins.round", round),
    ("builtins.pow", |e, a| {
        let (x, y) = (a.need("base")?, a.need("exp")?);
        e.binary(sconce_syntax::script::tree::BinaryOp::Pow, &x, &y)
    }),
    ("builtins.divmod", |e, a| {
        use sconce_syntax::script::tree::BinaryOp::{FloorDiv, Mod};
        let (x, y) = (a.need("x")?, a.need("y")?);
        Ok(Value::tuple(vec![e.binary(FloorDiv, &x, &y)?, e.binary(Mod, &x, &y)?]))
    }),
    ("builtins.ord", |_, a| {
        let v = a.need("c")?;
        v.as_str()
            .and_then(|s| s.chars().next())
            .map(|c| Value::Int(i64::from(c as u32)))
            .ok_or_else(|| Fault::raise("TypeError", "ord() expected a character"))
    }),
    ("builtins.chr", |_, a| {
        let c = u32::try_from(int(&a.need("i")?)?).ok().and_then(char::from_u32);
        c.map(|c| Value::str(c.to_string()))
            .ok_or_else(|| Fault::raise("ValueError", "chr() arg not in range(0x110000)"))
    }),
    ("builtins.slice", |_, a| {
        let mut v = a.rest();
        if v.len() == 1 {
            v.insert(0, Value::None);
        }
        v.resize(3, Value::None);
        let [x, y, z] = [v[0].clone(), v[1].clone(), v[2].clone()];
        Ok(Value::Slice(Rc::new([x, y, z])))
    }),
    ("builtins.vars", |e, a| e.attribute(&a.need("object")?, "__dict__")),
    ("builtins.dir", |_, a| {
        let names = match a.need("object")? {
            Value::Instance(i) => i.attributes.borrow().keys().cloned().map(Value::Str).collect(),
            _ => Vec::new(),
        };
        Ok(Value::list(names))
    }),
    ("builtins.object", |_, _| Ok(Value::Generic(Rc::new(("builtins.object()".into(), Vec::new()))))),
    ("object.__init__", |_, _| Ok(Value::None)),
    ("builtins.super", |_, a| match (a.need("type")?, a.need("object")?) {
        (Value::Class(class), object) => Ok(Value::Super(Rc::new((class, object)))),
        (other, _) => {
            Err(Fault::raise("TypeError", format!("super() argument 1 must be a type, not {}", other.type_name())))
        }
    }),
    ("builtins.property", |_, a| {
        let get = a.need("fget")?;
        Ok(Value::Property(Rc::new(Property { get, set: a.take("fset") })))
    }),
    ("builtins.staticmethod", |_, a| Ok(Value::StaticMethod(Rc::new(a.need("f")?)))),
    ("builtins.classmethod", |_, a| Ok(Value::ClassMethod(Rc::new(a.need("f")?)))),
];

const MATH: &[(&str, Host)] = &[
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

const LIBRARY: &[(&str, Host)] = &[
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

const TORCH: &[(&str, Host)] = &[
    ("torch.tensor", |e, a| {
        e.trace_warning(super::trace::MADE);
        let data = a.need("data")?;
        let grad = matches!(a.keyword("requires_grad"), Some(Value::Bool(true)));
        let dtype = dtype_of(a.keyword("dtype"));
        e.make_tensor(&data, dtype, grad)
    }),
    ("torch.as_tensor", |e, a| {
        let data = a.need("data")?;
        match (dtype_of(a.take("dtype")), &data) {
            (None, Value::Tensor(_)) => Ok(data),
            (dtype, _) => e.make_tensor(&data, dtype, false),
        }
    }),
    ("torch.Tensor", |e, a| match a.rest().as_slice() {
        [one @ (Value::List(_) | Value::Tuple(_))] => e.make_tensor(one, Some(DType::F32), false),
        sizes => e.operator("aten::empty", vec![Value::list(sizes.to_vec())], Vec::new()),
    }),
    ("torch.FloatTensor", |e, a| match a.rest().as_slice() {
        [one @ (Value::List(_) | Value::Tuple(_))] => e.make_tensor(one, Some(DType::F32), false),
        sizes => e.operator("aten::empty", vec![Value::list(sizes.to_vec())], Vec::new()),
    }),
    ("torch.LongTensor", |e, a| {
        let data = a.rest().into_iter().next().unwrap_or_else(|| Value::list(Vec::new()));
        e.make_tensor(&data, Some(DType::I64), false)
    }),
    ("torch.Size", |e, a| Ok(Value::tuple(e.items(&a.need("sizes")?)?))),
    ("torch.manual_seed", |_, a| {
        sconce_tensor::mersenne::manual_seed(int(&a.need("seed")?)? as u64);
        Ok(Value::Generator(sconce_tensor::mersenne::default_generator().clone()))
    }),
    ("torch.Generator", |_, _| Ok(Value::Generator(sconce_tensor::mersenne::generator(0)))),
    ("torch.device", |_, a| {
        let v = a.need("type")?;
        match v {
            Value::Str(s) => {
                let mut d = super::tensor::device(&s)?;
                if let Some(Value::Int(i)) = a.take("index") {
                    d.index = i32::try_from(i).ok();
                }
                Ok(Value::Device(std::sync::Arc::new(d)))
            }
            other => Ok(other),
        }
    }),
    ("torch.is_tensor", |_, a| Ok(Value::Bool(matches!(a.need("obj")?, Value::Tensor(_))))),
    ("torch.is_floating_point", |e, a| e.call_method(&a.need("input")?, "is_floating_point", Vec::new())),
    ("torch.is_grad_enabled", |e, _| Ok(Value::Bool(e.grad.get()))),
    ("torch.get_default_dtype", |_, _| Ok(super::tensor::dtype_value(DType::F32))),
    ("torch.set_default_dtype", |_, a| match dtype_of(a.take("d")) {
        Some(DType::F32) => Ok(Value::None),
        _ => Err(Fault::refused("another default dtype than torch.float32 is not supported")),
    }),
    ("torch.set_grad_enabled", |_, _| Ok(Value::host("context:grad"))),
    ("torch.no_grad", |_, a| Ok(a.take("f").filter(callable).unwrap_or_else(|| Value::host("context:grad")))),
    ("torch.enable_grad", |_, a| Ok(a.take("f").filter(callable).unwrap_or_else(|| Value::host("context:grad")))),
    ("torch.inference_mode", |_, a| Ok(a.take("f").filter(callable).unwrap_or_else(|| Value::host("context:grad")))),
    ("context:grad", |_, a| a.need("f")),
    ("torch.set_num_threads", |_, _| Ok(Value::None)),
    ("torch.cuda.is_available", |_, _| Ok(Value::Bool(false))),
    ("torch.cuda.manual_seed", |_, _| Ok(Value::None)),
    ("torch.cuda.manual_seed_all", |_, _| Ok(Value::None)),
    ("torch.nn.parameter.Parameter", |_, a| parameter(a)),
    ("torch.nn.parameter.Buffer", |_, a| a.need("data")),
    ("torch.nn.parameter.UninitializedParameter", |_, a| uninitialized(TensorKind::UninitializedParameter, a)),
    ("torch.nn.parameter.UninitializedBuffer", |_, a| uninitialized(TensorKind::UninitializedBuffer, a)),
    ("torch.nn.parameter.is_lazy", |_, a| Ok(Value::Bool(matches!(a.need("param")?, Value::Tensor(t) if t.is_lazy())))),
    ("torch._C._initialise_module", |_, a| {
        if let Value::Instance(i) = a.need("module")? {
            super::module::initialise(&i);
        }
        Ok(Value::None)
    }),
    ("torch.typename", |_, a| Ok(Value::Str(a.need("obj")?.type_name()))),
    ("torch._C._log_api_usage_once", |_, _| Ok(Value::None)),
];

const JIT: &[(&str, Host)] = &[
    ("torch.jit.script", |e, a| {
        let v = a.need("obj")?;
        mark(&v, Modifier::Script);
        if let Value::Instance(i) = &v
            && i.class.is_module()
            && !i.is_script()
        {
            *i.script.borrow_mut() = Some(Script::Compiled);
        }
        // Compiling happens when all of the file is known.
        let _ = e;
        Ok(v)
    }),
    ("torch.jit.script_if_tracing", |e, a| e.marked(a, Modifier::Script)),
    ("torch.jit.script_method", |e, a| e.marked(a, Modifier::ScriptMethod)),
    ("torch.jit.export", |e, a| e.marked(a, Modifier::Export)),
    ("torch.jit.unused", |e, a| e.marked(a, Modifier::Unused)),
    ("torch.jit.ignore", |_, a| match a.take("fn") {
        Some(Value::Bool(_)) | None => {
            let unused = a.keywords.iter().any(|(k, v)| &**k == "drop" && matches!(v, Value::Bool(true)));
            Ok(Value::host(if unused { "torch.jit.unused" } else { "torch.jit.ignore" }))
        }
        Some(v) => {
            mark(&v, Modifier::Ignore);
            Ok(v)
        }
    }),
    ("torch.jit._overload", |e, a| e.marked(a, Modifier::Overload)),
    ("torch.jit._overload_method", |e, a| e.marked(a, Modifier::OverloadMethod)),
    ("torch.jit.interface", |_, a| {
        let v = a.need("obj")?;
        if let Value::Class(c) = &v {
            c.interface.set(true);
        }
        Ok(v)
    }),
    ("torch.jit.Attribute", |_, a| {
        let (v, t) = (a.need("value")?, a.need("type")?);
        Ok(Value::Generic(Rc::new(("torch.jit.Attribute".into(), vec![v, t]))))
    }),
    ("torch.jit.annotate", |_, a| {
        a.need("the_type")?;
        a.need("the_value")
    }),
    ("torch.jit.is_scripting", |_, _| Ok(Value::Bool(false))),
    ("torch.jit.is_tracing", |e, _| Ok(Value::Bool(e.is_tracing()))),
    ("torch.jit.freeze", |e, a| {
        let v = a.need("mod")?;
        let kept = match a.take("preserved_attrs") {
            None | Some(Value::None) => Vec::new(),
            Some(names) => e.items(&names)?,
        };
        Ok(Value::Generic(Rc::new(("torch.jit.freeze".into(), vec![v, Value::list(kept)]))))
    }),
    ("torch.jit.trace", super::trace::trace),
    ("torch.jit.trace_module", super::trace::trace_module),
    ("torch.jit.optimized_execution", |_, _| Ok(Value::host("context:jit"))),
    ("torch._jit_internal.boolean_dispatch", |_, a| {
        let mut get = |name: &str| a.keyword(name).map_or(Value::None, conversion_of);
        let names = ["arg_name", "arg_index", "default", "if_true", "if_false"];
        Ok(Value::Generic(Rc::new(("torch._jit_internal.boolean_dispatch".into(), names.map(&mut get).to_vec()))))
    }),
];
