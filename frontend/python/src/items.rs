//! Iteration, indexing, keys and lengths of Python values.

use super::value::*;
use super::{Evaluator, Fallible, Fault};
use std::cell::RefCell;
use std::rc::Rc;

impl Evaluator {
    /// Everything an iterable gives, in order.
    pub(crate) fn items(&self, value: &Value) -> Fallible<Vec<Value>> {
        let items: Vec<Value> = match value {
            Value::List(v) => v.borrow().clone(),
            Value::Tuple(v) | Value::NamedTuple(_, v) => v.to_vec(),
            Value::Dict(d) => d.borrow().keys().map(|k| k.0.clone()).collect(),
            Value::Set(s) => s.borrow().iter().map(|k| k.0.clone()).collect(),
            Value::Str(s) => s.chars().map(|c| Value::str(c.to_string())).collect(),
            Value::Range(start, stop, step) => {
                let length = range_length(*start, *stop, *step);
                self.spend(length)?;
                (0..length as i64).map(|i| Value::Int(start + i * step)).collect()
            }
            Value::Iterator(queue) => queue.borrow_mut().drain(..).collect(),
            Value::Class(c) if c.form == ClassForm::Enum => super::class::members(c),
            Value::Tensor(_) => {
                self.trace_warning(super::trace::ITERATION);
                self.size_of(value)?;
                match self.operator("aten::unbind", vec![value.clone(), Value::Int(0)], Vec::new())? {
                    Value::List(rows) => rows.borrow().clone(),
                    other => vec![other],
                }
            }
            Value::Instance(i) if i.class.get("__iter__").is_some() => {
                let iterator = self.call_method(value, "__iter__", Vec::new())?;
                if !matches!(iterator, Value::Instance(_)) {
                    return self.items(&iterator);
                }
                return self.drain(&iterator);
            }
            Value::Instance(i) if i.class.get("__getitem__").is_some() && i.class.get("__len__").is_some() => {
                let length = self.length(value)?;
                (0..length).map(|i| self.item(value, &Value::Int(i))).collect::<Fallible<_>>()?
            }
            other => {
                return Err(Fault::raise("TypeError", format!("'{}' object is not iterable", other.type_name())));
            }
        };
        self.spend(items.len() as u64)?;
        Ok(items)
    }

    /// An iterator written as a class, until it raises `StopIteration`.
    fn drain(&self, iterator: &Value) -> Fallible<Vec<Value>> {
        let mut out = Vec::new();
        loop {
            match self.call_method(iterator, "__next__", Vec::new()) {
                Ok(v) => out.push(v),
                Err(f) if f.builtin_class() == Some("StopIteration") => return Ok(out),
                Err(f) => return Err(f),
            }
            self.spend(1)?;
        }
    }

    pub(crate) fn length(&self, value: &Value) -> Fallible<i64> {
        Ok(match value {
            Value::List(v) => v.borrow().len() as i64,
            Value::Tuple(v) | Value::NamedTuple(_, v) => v.len() as i64,
            Value::Dict(d) => d.borrow().len() as i64,
            Value::Set(s) => s.borrow().len() as i64,
            Value::Str(s) => s.chars().count() as i64,
            Value::Range(a, b, c) => range_length(*a, *b, *c) as i64,
            Value::Class(c) if c.form == ClassForm::Enum => super::class::members(c).len() as i64,
            Value::Tensor(_) => {
                self.trace_warning(super::trace::LENGTH);
                self.size_of(value)?
            }
            Value::Instance(i) if i.class.get("__len__").is_some() => {
                match self.call_method(value, "__len__", Vec::new())? {
                    Value::Int(n) => n,
                    other => {
                        let text = format!("'{}' object cannot be interpreted as an integer", other.type_name());
                        return Err(Fault::raise("TypeError", text));
                    }
                }
            }
            other => {
                return Err(Fault::raise("TypeError", format!("object of type '{}' has no len()", other.type_name())));
            }
        })
    }

    /// The first size of a tensor.
    fn size_of(&self, value: &Value) -> Fallible<i64> {
        let first = value.as_tensor().and_then(|t| t.sizes().first().copied());
        first.ok_or_else(|| Fault::raise("TypeError", "len() of a 0-d tensor"))
    }

    /// Is the value true?
    pub(crate) fn truth(&self, value: &Value) -> Fallible<bool> {
        Ok(match value {
            Value::None => false,
            Value::Bool(b) => *b,
            Value::Int(i) => *i != 0,
            Value::Float(f) => *f != 0.0,
            Value::Complex(re, im) => *re != 0.0 || *im != 0.0,
            Value::Str(s) => !s.is_empty(),
            Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Set(_) | Value::Range(..) => {
                self.length(value)? != 0
            }
            Value::Tensor(_) => {
                self.frozen("boolean");
                match self.untraced(|| self.operator("aten::Bool", vec![value.clone()], Vec::new()))? {
                    Value::Bool(b) => b,
                    _ => true,
                }
            }
            Value::Instance(i) if i.class.get("__bool__").is_some() => {
                let b = self.call_method(value, "__bool__", Vec::new())?;
                matches!(b, Value::Bool(true))
            }
            Value::Instance(i) if i.class.get("__len__").is_some() => self.length(value)? != 0,
            _ => true,
        })
    }

    pub(super) fn key(&self, value: Value) -> Fallible<Key> {
        let name = value.type_name();
        Key::new(value).ok_or_else(|| Fault::raise("TypeError", format!("unhashable type: '{name}'")))
    }

    pub(super) fn set_of(&self, items: Vec<Value>) -> Fallible<Value> {
        let keys = items.into_iter().map(|v| self.key(v)).collect::<Fallible<_>>()?;
        Ok(Value::Set(Rc::new(RefCell::new(keys))))
    }

    /// `object[index]`
    pub(crate) fn item(&self, object: &Value, index: &Value) -> Fallible<Value> {
        if let Value::Tensor(_) = index
            && matches!(object, Value::List(_) | Value::Tuple(_) | Value::Str(_) | Value::Range(..))
        {
            return self.item(object, &Value::Int(self.int(index)?));
        }
        match object {
            Value::List(v) => {
                let v = v.borrow();
                match index {
                    Value::Slice(s) => Ok(Value::list(slice(&v, s)?)),
                    _ => at(&v, index, "list"),
                }
            }
            Value::Tuple(v) | Value::NamedTuple(_, v) => match index {
                Value::Slice(s) => Ok(Value::tuple(slice(v, s)?)),
                _ => at(v, index, "tuple"),
            },
            Value::Str(s) => {
                let chars: Vec<Value> = s.chars().map(|c| Value::str(c.to_string())).collect();
                match index {
                    Value::Slice(range) => {
                        let parts = slice(&chars, range)?;
                        Ok(Value::str(parts.iter().filter_map(Value::as_str).collect::<String>()))
                    }
                    _ => at(&chars, index, "string"),
                }
            }
            Value::Range(start, stop, step) => {
                let all = self.items(&Value::Range(*start, *stop, *step))?;
                match index {
                    Value::Slice(s) => Ok(Value::list(slice(&all, s)?)),
                    _ => at(&all, index, "range object"),
                }
            }
            Value::Dict(d) => {
                let found = d.borrow().get(&self.key(index.clone())?).cloned();
                match found {
                    Some(v) => Ok(v),
                    None => Err(Fault::raise("KeyError", self.repr(index)?)),
                }
            }
            Value::Class(c) if c.form == ClassForm::Enum => match index {
                Value::Str(name) => c
                    .attributes
                    .borrow()
                    .get(name)
                    .cloned()
                    .ok_or_else(|| Fault::raise("KeyError", format!("'{name}'"))),
                _ => Err(Fault::raise("KeyError", self.repr(index)?)),
            },
            Value::Instance(i) if i.class.get("__getitem__").is_some() => {
                self.call_method(object, "__getitem__", vec![index.clone()])
            }
            Value::Tensor(_) => self.tensor_item(object, index),
            // `List[int]`, `list[int]`, `Final[int]`, and classes that take type arguments.
            Value::Host(path) => {
                let args = match index {
                    Value::Tuple(items) => items.to_vec(),
                    one => vec![one.clone()],
                };
                Ok(Value::Generic(Rc::new((path.clone(), args))))
            }
            Value::Class(_) => Ok(object.clone()),
            other => Err(Fault::raise("TypeError", format!("'{}' object is not subscriptable", other.type_name()))),
        }
    }

    /// `object[index] = value`
    pub(super) fn set_item(&self, object: &Value, index: &Value, value: Value) -> Fallible<()> {
        match object {
            Value::List(v) => match index {
                Value::Slice(s) => {
                    let new = self.items(&value)?;
                    let mut v = v.borrow_mut();
                    let (start, stop, step) = bounds(v.len(), s)?;
                    if step != 1 {
                        return Err(Fault::refused("assignment to a slice with a step is not supported"));
                    }
                    v.splice(start as usize..stop.max(start) as usize, new);
                    Ok(())
                }
                _ => {
                    let mut v = v.borrow_mut();
                    let i = position(v.len(), index, "list")?;
                    v[i] = value;
                    Ok(())
                }
            },
            Value::Dict(d) => {
                let key = self.key(index.clone())?;
                self.spend(1)?;
                d.borrow_mut().insert(key, value);
                Ok(())
            }
            Value::Instance(i) if i.class.get("__setitem__").is_some() => {
                self.call_method(object, "__setitem__", vec![index.clone(), value]).map(|_| ())
            }
            Value::Tensor(_) => self.set_tensor_item(object, index, value),
            other => {
                let text = format!("'{}' object does not support item assignment", other.type_name());
                Err(Fault::raise("TypeError", text))
            }
        }
    }

    pub(super) fn delete_item(&self, object: &Value, index: &Value) -> Fallible<()> {
        match object {
            Value::List(v) => {
                let mut v = v.borrow_mut();
                match index {
                    Value::Slice(s) => {
                        let (start, stop, _) = bounds(v.len(), s)?;
                        v.drain(start as usize..stop.max(start) as usize);
                    }
                    _ => {
                        let i = position(v.len(), index, "list")?;
                        v.remove(i);
                    }
                }
                Ok(())
            }
            Value::Dict(d) => match d.borrow_mut().shift_remove(&self.key(index.clone())?) {
                Some(_) => Ok(()),
                None => Err(Fault::raise("KeyError", self.repr(index)?)),
            },
            Value::Instance(i) if i.class.get("__delitem__").is_some() => {
                self.call_method(object, "__delitem__", vec![index.clone()]).map(|_| ())
            }
            other => {
                let text = format!("'{}' object does not support item deletion", other.type_name());
                Err(Fault::raise("TypeError", text))
            }
        }
    }

    /// `needle in object`
    pub(super) fn contains(&self, object: &Value, needle: &Value) -> Fallible<bool> {
        Ok(match object {
            Value::Dict(d) => d.borrow().contains_key(&self.key(needle.clone())?),
            Value::Set(s) => s.borrow().contains(&self.key(needle.clone())?),
            Value::Str(s) => match needle {
                Value::Str(n) => s.contains(&**n),
                other => {
                    let text = format!("'in <string>' requires string as left operand, not {}", other.type_name());
                    return Err(Fault::raise("TypeError", text));
                }
            },
            Value::Instance(i) if i.class.get("__contains__").is_some() => {
                let found = self.call_method(object, "__contains__", vec![needle.clone()])?;
                self.truth(&found)?
            }
            _ => {
                for item in self.items(object)? {
                    if same(&item, needle) || self.equals(&item, needle)? {
                        return Ok(true);
                    }
                }
                false
            }
        })
    }
}

pub(super) fn range_length(start: i64, stop: i64, step: i64) -> u64 {
    let (from, to, by) = if step > 0 { (start, stop, step) } else { (stop, start, step.saturating_neg()) };
    if from >= to || by == 0 {
        return 0;
    }
    let distance = i128::from(to) - i128::from(from);
    u64::try_from((distance + i128::from(by) - 1) / i128::from(by)).unwrap_or(u64::MAX)
}

/// An index as a place in a sequence.
fn position(length: usize, index: &Value, what: &str) -> Fallible<usize> {
    let i = match index {
        Value::Int(i) => *i,
        Value::Bool(b) => i64::from(*b),
        other => {
            let text = format!("{what} indices must be integers or slices, not {}", other.type_name());
            return Err(Fault::raise("TypeError", text));
        }
    };
    let from_start = if i < 0 { i + length as i64 } else { i };
    usize::try_from(from_start)
        .ok()
        .filter(|i| *i < length)
        .ok_or_else(|| Fault::raise("IndexError", format!("{what} index out of range")))
}

fn at(items: &[Value], index: &Value, what: &str) -> Fallible<Value> {
    let i = position(items.len(), index, what)?;
    Ok(items[i].clone())
}

/// A slice's start, stop and step within a length, as `slice.indices`.
pub(super) fn bounds(length: usize, slice: &[Value; 3]) -> Fallible<(i64, i64, i64)> {
    let part = |v: &Value| match v {
        Value::None => Ok(None),
        Value::Int(i) => Ok(Some(*i)),
        Value::Bool(b) => Ok(Some(i64::from(*b))),
        _ => Err(Fault::raise("TypeError", "slice indices must be integers or None or have an __index__ method")),
    };
    let step = part(&slice[2])?.unwrap_or(1);
    if step == 0 {
        return Err(Fault::raise("ValueError", "slice step cannot be zero"));
    }
    let n = length as i64;
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let clamp = |v: Option<i64>, default: i64| match v {
        None => default,
        Some(i) => (if i < 0 { i.saturating_add(n) } else { i }).clamp(low, high),
    };
    let (first, last) = if step > 0 { (low, high) } else { (high, low) };
    Ok((clamp(part(&slice[0])?, first), clamp(part(&slice[1])?, last), step))
}

fn slice(items: &[Value], s: &[Value; 3]) -> Fallible<Vec<Value>> {
    let (start, stop, step) = bounds(items.len(), s)?;
    let count = range_length(start, stop, step);
    Ok((0..count as i64).filter_map(|i| items.get((start + i * step) as usize).cloned()).collect())
}
