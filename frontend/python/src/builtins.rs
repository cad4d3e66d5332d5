//! Functions that Sconce provides while a file is evaluated: Python's own, `math`, and what `torch` offers beside operators.

mod library;
mod python;
mod torch;

use library::{LIBRARY, MATH};
use python::PYTHON;
use torch::{JIT, TORCH};

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
