//! Python's own functions: len, range, isinstance, sorted and their kin.

use super::{Host, callable, extreme, float, int, round, to_int};
use crate::value::*;
use crate::{Fallible, Fault};
use std::rc::Rc;

pub(super) const PYTHON: &[(&str, Host)] = &[
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
