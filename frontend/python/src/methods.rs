//! Methods of Python's own types: lists, dictionaries, sets, strings, tuples, properties.

use super::call::Kwargs;
use super::value::*;
use super::{Evaluator, Fallible, Fault};
use std::rc::Rc;

const LIST: &[&str] =
    &["append", "extend", "insert", "pop", "remove", "reverse", "index", "count", "copy", "clear", "sort"];
const DICT: &[&str] = &[
    "get",
    "keys",
    "values",
    "items",
    "pop",
    "popitem",
    "update",
    "setdefault",
    "copy",
    "clear",
    "move_to_end",
    "fromkeys",
];
const SET: &[&str] = &[
    "add",
    "discard",
    "remove",
    "update",
    "copy",
    "union",
    "intersection",
    "difference",
    "issubset",
    "issuperset",
    "clear",
];
const STR: &[&str] = &[
    "format",
    "join",
    "split",
    "rsplit",
    "splitlines",
    "strip",
    "lstrip",
    "rstrip",
    "lower",
    "upper",
    "title",
    "capitalize",
    "replace",
    "startswith",
    "endswith",
    "find",
    "rfind",
    "index",
    "count",
    "isdigit",
    "isalpha",
    "isidentifier",
    "isupper",
    "islower",
    "isspace",
    "isalnum",
    "zfill",
    "ljust",
    "rjust",
    "center",
    "partition",
    "rpartition",
    "encode",
    "decode",
    "expandtabs",
    "swapcase",
    "removeprefix",
    "removesuffix",
];

/// Does a value of a type of Python's own have this method?
pub(super) fn has_method(value: &Value, name: &str) -> bool {
    let names = match value {
        Value::List(_) => LIST,
        Value::Dict(_) => DICT,
        Value::Set(_) => SET,
        Value::Str(_) => STR,
        Value::Tuple(_) => &["index", "count", "numel"],
        Value::Int(_) => &["bit_length", "is_integer", "conjugate"],
        Value::Float(_) => &["is_integer", "conjugate"],
        Value::Iterator(_) => &["__next__", "__iter__"],
        Value::Generator(_) => &["manual_seed"],
        _ => &[] as &[&str],
    };
    names.contains(&name)
}

impl Evaluator {
    pub(super) fn call_value_method(
        &self,
        object: &Value,
        name: &str,
        args: Vec<Value>,
        kwargs: Kwargs,
    ) -> Fallible<Value> {
        if let Some(of_object) = name.strip_prefix("object.") {
            return self.object_method(object, of_object, args);
        }
        match object {
            Value::List(v) => self.list_method(v, name, args, kwargs),
            Value::Dict(d) => self.dict_method(d, name, args, kwargs),
            Value::Set(s) => self.set_method(s, name, &args),
            Value::Str(s) => self.str_method(s, name, args, kwargs),
            Value::Tensor(_) => self.tensor_method(object, name, args, kwargs),
            Value::Tuple(v) | Value::NamedTuple(_, v) => self.tuple_method(object, v, name, &args, kwargs),
            Value::Int(i) => Ok(match name {
                "bit_length" => Value::Int(i64::from(64 - i.unsigned_abs().leading_zeros())),
                "is_integer" => Value::Bool(true),
                _ => object.clone(),
            }),
            Value::Float(f) => Ok(if name == "is_integer" { Value::Bool(f.fract() == 0.0) } else { object.clone() }),
            Value::Iterator(queue) => match name {
                "__next__" => queue.borrow_mut().pop_front().ok_or_else(|| Fault::raise("StopIteration", "")),
                _ => Ok(object.clone()),
            },
            Value::Property(p) => Ok(match name {
                "setter" => Value::Property(Rc::new(Property { get: p.get.clone(), set: args.into_iter().next() })),
                _ => object.clone(),
            }),
            Value::Generator(g) => {
                if let Some(Value::Int(seed)) = args.first() {
                    sconce_tensor::mersenne::with_engine(g, |e| e.reseed(*seed as u64));
                }
                Ok(object.clone())
            }
            Value::Instance(_) if name == "with_traceback" => Ok(object.clone()),
            other => {
                Err(Fault::raise("AttributeError", format!("'{}' object has no attribute '{name}'", other.type_name())))
            }
        }
    }

    /// What `object` itself does.
    fn object_method(&self, object: &Value, name: &str, args: Vec<Value>) -> Fallible<Value> {
        match (name, object) {
            ("__setattr__", _) => {
                let mut args = args.into_iter();
                if let (Some(Value::Str(name)), Some(value)) = (args.next(), args.next()) {
                    self.set_attribute(object, &name, value)?;
                }
                Ok(Value::None)
            }
            ("__init__", Value::Instance(i)) => {
                if i.class.form == ClassForm::Exception {
                    i.set("args", Value::tuple(args));
                }
                Ok(Value::None)
            }
            ("__getattr__", _) => {
                let name = args.first().and_then(Value::as_str).unwrap_or_default().to_owned();
                Err(Fault::raise(
                    "AttributeError",
                    format!("'{}' object has no attribute '{name}'", object.type_name()),
                ))
            }
            ("__repr__", Value::Instance(i)) => Ok(Value::str(format!("<{} object>", i.class.full_name()))),
            _ => Ok(Value::None),
        }
    }

    fn list_method(
        &self,
        v: &Rc<std::cell::RefCell<Vec<Value>>>,
        name: &str,
        args: Vec<Value>,
        kwargs: Kwargs,
    ) -> Fallible<Value> {
        let first = || args.first().cloned().ok_or_else(|| missing(name));
        Ok(match name {
            "append" => {
                self.spend(1)?;
                let item = first()?;
                v.borrow_mut().push(item);
                Value::None
            }
            "extend" => {
                let more = self.items(&first()?)?;
                v.borrow_mut().extend(more);
                Value::None
            }
            "insert" => {
                let (Value::Int(at), Some(item)) = (first()?, args.get(1)) else { return Err(missing(name)) };
                let mut v = v.borrow_mut();
                let n = v.len() as i64;
                let at = (if at < 0 { at.saturating_add(n) } else { at }).clamp(0, n);
                v.insert(at as usize, item.clone());
                Value::None
            }
            "pop" => {
                let index = args.first().cloned().unwrap_or(Value::Int(-1));
                let object = Value::List(v.clone());
                if v.borrow().is_empty() {
                    return Err(Fault::raise("IndexError", "pop from empty list"));
                }
                let item = self.item(&object, &index)?;
                self.delete_item(&object, &index)?;
                item
            }
            "remove" | "index" => {
                let wanted = first()?;
                let items = v.borrow().clone();
                for (i, item) in items.iter().enumerate() {
                    if self.equals(item, &wanted)? {
                        if name == "index" {
                            return Ok(Value::Int(i as i64));
                        }
                        v.borrow_mut().remove(i);
                        return Ok(Value::None);
                    }
                }
                return Err(Fault::raise("ValueError", format!("{} is not in list", self.repr(&wanted)?)));
            }
            "count" => self.count(&v.borrow(), &first()?)?,
            "reverse" => {
                v.borrow_mut().reverse();
                Value::None
            }
            "copy" => Value::list(v.borrow().clone()),
            "clear" => {
                v.borrow_mut().clear();
                Value::None
            }
            _ => {
                let sorted = self.sorted(v.borrow().clone(), kwargs)?;
                *v.borrow_mut() = sorted;
                Value::None
            }
        })
    }

    /// Sorted by `key`, stably, possibly in `reverse`.
    pub(super) fn sorted(&self, items: Vec<Value>, kwargs: Kwargs) -> Fallible<Vec<Value>> {
        let mut reverse = false;
        let mut by = None;
        for (k, v) in kwargs {
            match &*k {
                "reverse" => reverse = self.truth(&v)?,
                "key" if !matches!(v, Value::None) => by = Some(v),
                _ => {}
            }
        }
        let mut keyed = Vec::with_capacity(items.len());
        for item in items {
            let key = match &by {
                Some(f) => self.call(f, vec![item.clone()], Vec::new())?,
                None => item.clone(),
            };
            keyed.push((key, item));
        }
        if let Some((first, _)) = keyed.first()
            && let Some((bad, _)) = keyed.iter().find(|(k, _)| super::operators::order(first, k).is_none())
        {
            let (a, b) = (bad.type_name(), first.type_name());
            return Err(Fault::raise("TypeError", format!("'<' not supported between instances of '{a}' and '{b}'")));
        }
        let order = |a: &Value, b: &Value| super::operators::order(a, b).flatten().unwrap_or(std::cmp::Ordering::Equal);
        keyed.sort_by(|a, b| if reverse { order(&b.0, &a.0) } else { order(&a.0, &b.0) });
        Ok(keyed.into_iter().map(|(_, v)| v).collect())
    }

    fn count(&self, items: &[Value], wanted: &Value) -> Fallible<Value> {
        let mut n = 0;
        for item in items {
            n += i64::from(self.equals(item, wanted)?);
        }
        Ok(Value::Int(n))
    }

    fn tuple_method(
        &self,
        object: &Value,
        items: &[Value],
        name: &str,
        args: &[Value],
        kwargs: Kwargs,
    ) -> Fallible<Value> {
        match (name, object) {
            ("_asdict", Value::NamedTuple(c, _)) => {
                let fields = super::class::class_fields(c);
                return Ok(Value::dict(
                    fields.into_iter().zip(items.iter().cloned()).map(|(k, v)| (Key(Value::Str(k)), v)).collect(),
                ));
            }
            ("_replace", Value::NamedTuple(c, _)) => {
                let fields = super::class::class_fields(c);
                let mut items = items.to_vec();
                for (k, v) in kwargs {
                    if let Some(slot) = fields.iter().position(|f| *f == k).and_then(|i| items.get_mut(i)) {
                        *slot = v;
                    }
                }
                return Ok(Value::NamedTuple(c.clone(), items.into()));
            }
            ("functools.partial", _) => {
                let [f, Value::Tuple(first), Value::Dict(named)] = items else { return Err(missing(name)) };
                let all = first.iter().chain(args).cloned().collect();
                let mut names: Kwargs = Vec::new();
                for (k, v) in named.borrow().iter() {
                    if let Value::Str(k) = &k.0
                        && !kwargs.iter().any(|(n, _)| n == k)
                    {
                        names.push((k.clone(), v.clone()));
                    }
                }
                names.extend(kwargs);
                return self.call(f, all, names);
            }
            ("numel", _) => {
                let product =
                    items.iter().try_fold(1_i64, |n, v| if let Value::Int(i) = v { n.checked_mul(*i) } else { None });
                return Ok(product.map_or(Value::None, Value::Int));
            }
            _ => {}
        }
        let wanted = args.first().ok_or_else(|| missing(name))?;
        if name == "count" {
            return self.count(items, wanted);
        }
        for (i, item) in items.iter().enumerate() {
            if self.equals(item, wanted)? {
                return Ok(Value::Int(i as i64));
            }
        }
        Err(Fault::raise("ValueError", "tuple.index(x): x not in tuple"))
    }

    fn dict_method(
        &self,
        d: &Rc<std::cell::RefCell<Map>>,
        name: &str,
        args: Vec<Value>,
        kwargs: Kwargs,
    ) -> Fallible<Value> {
        let first = || args.first().cloned().ok_or_else(|| missing(name));
        let second = args.get(1).cloned();
        Ok(match name {
            "get" => d.borrow().get(&self.key(first()?)?).cloned().or(second).unwrap_or(Value::None),
            "keys" => Value::list(d.borrow().keys().map(|k| k.0.clone()).collect()),
            "values" => Value::list(d.borrow().values().cloned().collect()),
            "items" => {
                Value::list(d.borrow().iter().map(|(k, v)| Value::tuple(vec![k.0.clone(), v.clone()])).collect())
            }
            "pop" => {
                let key = self.key(first()?)?;
                let removed = d.borrow_mut().shift_remove(&key);
                match removed.or(second) {
                    Some(v) => v,
                    None => return Err(Fault::raise("KeyError", self.repr(&key.0)?)),
                }
            }
            "popitem" => match d.borrow_mut().pop() {
                Some((k, v)) => Value::tuple(vec![k.0, v]),
                None => return Err(Fault::raise("KeyError", "'popitem(): dictionary is empty'")),
            },
            "update" => {
                if let Some(other) = args.first() {
                    let pairs = self.pairs(other)?;
                    d.borrow_mut().extend(pairs);
                }
                d.borrow_mut().extend(kwargs.into_iter().map(|(k, v)| (Key(Value::Str(k)), v)));
                Value::None
            }
            "setdefault" => {
                let key = self.key(first()?)?;
                d.borrow_mut().entry(key).or_insert_with(|| second.unwrap_or(Value::None)).clone()
            }
            "copy" => Value::dict(d.borrow().clone()),
            "move_to_end" => {
                let key = self.key(first()?)?;
                let removed = d.borrow_mut().shift_remove(&key);
                if let Some(v) = removed {
                    d.borrow_mut().insert(key, v);
                }
                Value::None
            }
            "clear" => {
                d.borrow_mut().clear();
                Value::None
            }
            _ => return Err(Fault::refused(format!("dict.{name} is not supported"))),
        })
    }

    /// What `dict(…)` and `update` take: a mapping, or pairs.
    pub(super) fn pairs(&self, value: &Value) -> Fallible<Vec<(Key, Value)>> {
        match value {
            Value::Dict(d) => Ok(d.borrow().iter().map(|(k, v)| (k.clone(), v.clone())).collect()),
            Value::Instance(i) if i.class.get("keys").is_some() => {
                let keys = self.call_method(value, "keys", Vec::new())?;
                let keys = self.items(&keys)?;
                keys.into_iter().map(|k| Ok((self.key(k.clone())?, self.item(value, &k)?))).collect()
            }
            other => {
                let mut out = Vec::new();
                for pair in self.items(other)? {
                    match self.items(&pair)?.as_slice() {
                        [k, v] => out.push((self.key(k.clone())?, v.clone())),
                        _ => {
                            let text = "dictionary update sequence element has length other than 2";
                            return Err(Fault::raise("ValueError", text));
                        }
                    }
                }
                Ok(out)
            }
        }
    }

    fn set_method(
        &self,
        s: &Rc<std::cell::RefCell<indexmap::IndexSet<Key>>>,
        name: &str,
        args: &[Value],
    ) -> Fallible<Value> {
        let first = || args.first().cloned().ok_or_else(|| missing(name));
        let other = || -> Fallible<indexmap::IndexSet<Key>> {
            self.items(&first()?)?.into_iter().map(|v| self.key(v)).collect()
        };
        let made = |keys: indexmap::IndexSet<Key>| Value::Set(Rc::new(std::cell::RefCell::new(keys)));
        Ok(match name {
            "add" => {
                let key = self.key(first()?)?;
                s.borrow_mut().insert(key);
                Value::None
            }
            "discard" | "remove" => {
                let key = self.key(first()?)?;
                let had = s.borrow_mut().shift_remove(&key);
                if !had && name == "remove" {
                    return Err(Fault::raise("KeyError", self.repr(&key.0)?));
                }
                Value::None
            }
            "update" => {
                let more = other()?;
                s.borrow_mut().extend(more);
                Value::None
            }
            "clear" => {
                s.borrow_mut().clear();
                Value::None
            }
            "copy" => made(s.borrow().clone()),
            "union" => made(s.borrow().union(&other()?).cloned().collect()),
            "intersection" => made(s.borrow().intersection(&other()?).cloned().collect()),
            "difference" => made(s.borrow().difference(&other()?).cloned().collect()),
            "issubset" => Value::Bool(s.borrow().is_subset(&other()?)),
            _ => Value::Bool(s.borrow().is_superset(&other()?)),
        })
    }

    fn str_method(&self, s: &str, name: &str, args: Vec<Value>, kwargs: Kwargs) -> Fallible<Value> {
        let text = |i: usize| args.get(i).and_then(Value::as_str);
        let int = |i: usize| if let Some(Value::Int(n)) = args.get(i) { Some(*n) } else { None };
        let chars = |i: usize| text(i).map(|t| t.chars().collect::<Vec<char>>());
        let trim = |c: char| chars(0).map_or_else(|| c.is_whitespace(), |set| set.contains(&c));
        let all = |f: fn(char) -> bool| Value::Bool(!s.is_empty() && s.chars().all(f));
        let pad = || -> Fallible<(usize, char)> {
            let width = int(0).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
            self.spend(width as u64)?;
            Ok((width.saturating_sub(s.chars().count()), chars(1).and_then(|c| c.first().copied()).unwrap_or(' ')))
        };
        Ok(match name {
            "format" => Value::str(self.format_method(s, &args, &kwargs)?),
            "join" => {
                let mut parts = Vec::new();
                for item in self.items(args.first().ok_or_else(|| missing(name))?)? {
                    match &item {
                        Value::Str(t) => parts.push(t.to_string()),
                        other => {
                            let text = format!(
                                "sequence item {}: expected str instance, {} found",
                                parts.len(),
                                other.type_name()
                            );
                            return Err(Fault::raise("TypeError", text));
                        }
                    }
                }
                Value::str(parts.join(s))
            }
            "split" | "rsplit" => {
                split(s, text(0), int(1).or_else(|| keyword_int(&kwargs, "maxsplit")), name == "rsplit")
            }
            "splitlines" => Value::list(s.lines().map(Value::str).collect()),
            "strip" => Value::str(s.trim_matches(trim)),
            "lstrip" => Value::str(s.trim_start_matches(trim)),
            "rstrip" => Value::str(s.trim_end_matches(trim)),
            "lower" => Value::str(s.to_lowercase()),
            "upper" => Value::str(s.to_uppercase()),
            "title" => Value::str(title(s)),
            "capitalize" => {
                let mut c = s.chars();
                Value::str(
                    c.next()
                        .map(|f| f.to_uppercase().chain(c.as_str().to_lowercase().chars()).collect::<String>())
                        .unwrap_or_default(),
                )
            }
            "replace" => {
                let (Some(from), Some(to)) = (text(0), text(1)) else { return Err(missing(name)) };
                self.spend((s.len() as u64).saturating_mul(to.len().max(1) as u64))?;
                match int(2).and_then(|n| usize::try_from(n).ok()) {
                    Some(n) => Value::str(s.replacen(from, to, n)),
                    None => Value::str(s.replace(from, to)),
                }
            }
            "startswith" | "endswith" => {
                let options = match args.first() {
                    Some(Value::Tuple(items)) => items.to_vec(),
                    Some(one) => vec![one.clone()],
                    None => return Err(missing(name)),
                };
                let fits = |p: &str| if name == "startswith" { s.starts_with(p) } else { s.ends_with(p) };
                Value::Bool(options.iter().filter_map(Value::as_str).any(fits))
            }
            "find" | "rfind" | "index" => {
                let wanted = text(0).ok_or_else(|| missing(name))?;
                let at = if name == "rfind" { s.rfind(wanted) } else { s.find(wanted) };
                match at {
                    Some(at) => Value::Int(s[..at].chars().count() as i64),
                    None if name == "index" => return Err(Fault::raise("ValueError", "substring not found")),
                    None => Value::Int(-1),
                }
            }
            "count" => Value::Int(s.matches(text(0).ok_or_else(|| missing(name))?).count() as i64),
            "isdigit" => all(|c| c.is_ascii_digit()),
            "isalpha" => all(char::is_alphabetic),
            "isalnum" => all(char::is_alphanumeric),
            "isspace" => all(char::is_whitespace),
            "isupper" => Value::Bool(s.chars().any(char::is_uppercase) && !s.chars().any(char::is_lowercase)),
            "islower" => Value::Bool(s.chars().any(char::is_lowercase) && !s.chars().any(char::is_uppercase)),
            "isidentifier" => {
                let ok = |c: char| c == '_' || c.is_alphanumeric();
                Value::Bool(s.chars().next().is_some_and(|c| ok(c) && !c.is_numeric()) && s.chars().all(ok))
            }
            "ljust" | "rjust" | "center" | "zfill" => {
                let (missing, fill) = pad()?;
                let fill = |n: usize| (if name == "zfill" { '0' } else { fill }).to_string().repeat(n);
                Value::str(match name {
                    "ljust" => format!("{s}{}", fill(missing)),
                    "center" => format!("{}{s}{}", fill(missing / 2), fill(missing - missing / 2)),
                    _ => format!("{}{s}", fill(missing)),
                })
            }
            "partition" | "rpartition" => {
                let by = text(0).ok_or_else(|| missing(name))?;
                let found = if name == "partition" { s.split_once(by) } else { s.rsplit_once(by) };
                let parts = match (found, name) {
                    (Some((a, b)), _) => [a, by, b],
                    (None, "partition") => [s, "", ""],
                    (None, _) => ["", "", s],
                };
                Value::tuple(parts.iter().map(Value::str).collect())
            }
            "removeprefix" => Value::str(s.strip_prefix(text(0).unwrap_or_default()).unwrap_or(s)),
            "removesuffix" => Value::str(s.strip_suffix(text(0).unwrap_or_default()).unwrap_or(s)),
            _ => return Err(Fault::refused(format!("str.{name} is not supported"))),
        })
    }
}

fn missing(name: &str) -> Fault {
    Fault::raise("TypeError", format!("{name}() is called with too few or wrong arguments"))
}

fn keyword_int(kwargs: &Kwargs, name: &str) -> Option<i64> {
    kwargs.iter().find(|(k, _)| &**k == name).and_then(|(_, v)| if let Value::Int(n) = v { Some(*n) } else { None })
}

fn split(s: &str, by: Option<&str>, most: Option<i64>, from_right: bool) -> Value {
    let most = most.and_then(|n| usize::try_from(n).ok()).map_or(usize::MAX, |n| n.saturating_add(1));
    let parts: Vec<&str> = match by {
        Some(by) if from_right => {
            let mut parts: Vec<&str> = s.rsplitn(most, by).collect();
            parts.reverse();
            parts
        }
        Some(by) => s.splitn(most, by).collect(),
        None => s.split_whitespace().collect(),
    };
    Value::list(parts.into_iter().map(Value::str).collect())
}

fn title(s: &str) -> String {
    let mut start = true;
    s.chars()
        .flat_map(|c| {
            let cased: Vec<char> = if start { c.to_uppercase().collect() } else { c.to_lowercase().collect() };
            start = !c.is_alphabetic();
            cased
        })
        .collect()
}
