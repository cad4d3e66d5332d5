//! Python values meet TorchScript's types: which type a value has, and the value of a program that it becomes.

use super::program::Session;
use super::value::*;
use super::{Fallible, Fault};
use crate::emit::{Compiler, types};
use sconce_schema::Type;
use sconce_tensor::{Dict, DictKey, EnumValue, IValue, Object, Tuple};
use std::sync::Arc;

/// A reason for a value to have no type.
pub(super) fn failed(why: impl Into<String>) -> Result<Type, String> {
    Err(why.into())
}

/// How deep values may be nested.
const MAX_DEPTH: u32 = 64;

impl Session {
    /// The type of a value, or why it has none, in PyTorch's words.
    pub(super) fn infer(&self, compiler: &mut Compiler, v: &Value, depth: u32) -> Fallible<Result<Type, String>> {
        if depth > MAX_DEPTH {
            return Ok(failed("values are nested too deeply"));
        }
        Ok(Ok(match v {
            Value::None => Type::None,
            Value::Bool(_) => Type::Bool,
            Value::Int(_) | Value::Setting(..) => Type::Int,
            Value::Float(_) => Type::Float,
            Value::Complex(..) => Type::Complex,
            Value::Str(_) => Type::Str,
            Value::Tensor(_) => Type::tensor(),
            Value::Device(_) => Type::Device,
            Value::Generator(_) => Type::Generator,
            Value::Tuple(items) => {
                let mut members = Vec::with_capacity(items.len());
                for item in items.iter() {
                    match self.infer(compiler, item, depth + 1)? {
                        Ok(t) => members.push(t),
                        Err(why) => return Ok(Err(why)),
                    }
                }
                Type::Tuple(members.into())
            }
            Value::NamedTuple(c, _) => Type::NamedTuple(self.named_tuple_type(compiler, c)?),
            Value::List(items) => {
                let items = items.borrow().clone();
                if items.is_empty() {
                    return Ok(failed("List trace inputs must have elements"));
                }
                let same = "List inputs to traced functions must have consistent element type";
                match self.joined(compiler, &items, ("Could not infer type of list element: ", same), depth)? {
                    Ok(t) => Type::list(t),
                    Err(why) => return Ok(Err(why)),
                }
            }
            Value::Dict(d) => {
                let (keys, values): (Vec<Value>, Vec<Value>) =
                    d.borrow().iter().map(|(k, v)| (k.0.clone(), v.clone())).unzip();
                if keys.is_empty() {
                    return Ok(failed("Dictionary inputs must have entries"));
                }
                let same = "Dictionary inputs to traced functions must have consistent type";
                let key = match self.joined(compiler, &keys, ("", same), depth)? {
                    Ok(t) => t,
                    Err(why) => return Ok(Err(why)),
                };
                match self.joined(compiler, &values, ("", same), depth)? {
                    Ok(t) => Type::dict(key, t),
                    Err(why) => return Ok(Err(why)),
                }
            }
            Value::Instance(i) if i.class.form == ClassForm::Enum => Type::Enum(self.enum_class(compiler, &i.class)?),
            Value::Instance(i) if i.class.form == ClassForm::Plain && i.class.script.get() => {
                Type::Class(self.script_class(compiler, &i.class)?)
            }
            Value::Instance(i) if i.class.is_module() => {
                return Ok(failed("Cannot infer concrete type of torch.nn.Module"));
            }
            other => {
                return Ok(failed(format!(
                    "Only tensors and (possibly nested) tuples of tensors, lists, or dicts \
                     are supported as inputs or outputs of traced functions, but instead got value of type {}.",
                    other.type_name()
                )));
            }
        }))
    }

    /// The type of all items, or why there is none: what to say in front of an item's own reason, and of items that differ.
    fn joined(
        &self,
        compiler: &mut Compiler,
        items: &[Value],
        (of_item, what): (&str, &str),
        depth: u32,
    ) -> Fallible<Result<Type, String>> {
        let mut joined: Option<Type> = None;
        for item in items {
            let t = match self.infer(compiler, item, depth + 1)? {
                Ok(t) => t,
                Err(why) => return Ok(Err(format!("{of_item}{why}"))),
            };
            joined = Some(match joined {
                None => t,
                Some(j) => match types::unify(&j, &t, false, None) {
                    Some(u) => u,
                    None => {
                        let text = format!("{what}. Found {} and {}", j.annotation_str(), t.annotation_str());
                        return Ok(failed(text));
                    }
                },
            });
        }
        Ok(Ok(joined.unwrap_or(Type::None)))
    }

    /// A value as a value of a program, of a given type.
    pub(super) fn ivalue(&self, compiler: &mut Compiler, v: &Value, ty: &Type) -> Fallible<IValue> {
        self.ivalue_at(compiler, v, ty, 0)
    }

    fn ivalue_at(&self, compiler: &mut Compiler, v: &Value, ty: &Type, depth: u32) -> Fallible<IValue> {
        if depth > MAX_DEPTH {
            return Err(Fault::limit("values are nested too deeply"));
        }
        let inner = match ty {
            Type::Optional(t) => t,
            other => other,
        };
        let element_of = |t: &Type| if let Type::List(e) = t { Type::clone(e) } else { Type::Any };
        Ok(match (v, inner) {
            (Value::None, _) => IValue::None,
            (Value::Bool(b), _) => IValue::Bool(*b),
            (Value::Int(i), Type::Float) => IValue::Double(*i as f64),
            (Value::Int(i), Type::Complex) => IValue::complex(*i as f64, 0.0),
            (Value::Float(f), Type::Complex) => IValue::complex(*f, 0.0),
            (Value::Int(i) | Value::Setting(_, i), _) => IValue::Int(*i),
            (Value::Float(f), _) => IValue::Double(*f),
            (Value::Complex(re, im), _) => IValue::complex(*re, *im),
            (Value::Str(s), _) => IValue::str(&**s),
            (Value::Device(d), _) => IValue::Device(d.clone()),
            (Value::Generator(g), _) => IValue::Generator(g.clone()),
            (Value::Tensor(t), _) => IValue::Tensor(t.tensor.borrow().clone()),
            (Value::List(items), _) => {
                if let Some(known) = self.shared(v) {
                    return Ok(known);
                }
                let items = items.borrow().clone();
                let element = match inner {
                    Type::List(e) => Type::clone(e),
                    _ => match self.infer(compiler, v, 0)? {
                        Ok(t) => element_of(&t),
                        Err(why) => return Err(Fault::raise("RuntimeError", why)),
                    },
                };
                let converted = items
                    .iter()
                    .map(|i| self.ivalue_at(compiler, i, &element, depth + 1))
                    .collect::<Fallible<Vec<_>>>()?;
                self.share(v, IValue::list(element, converted))
            }
            (Value::Tuple(items), Type::List(e)) => {
                let converted =
                    items.iter().map(|i| self.ivalue_at(compiler, i, e, depth + 1)).collect::<Fallible<Vec<_>>>()?;
                IValue::list(Type::clone(e), converted)
            }
            (Value::Tuple(items), _) => {
                let none = Vec::new();
                let members: &[Type] = if let Type::Tuple(m) = inner { m } else { &none };
                let one = |(i, v): (usize, &Value)| (v.clone(), members.get(i).cloned().unwrap_or(Type::Any));
                let pairs: Vec<(Value, Type)> = items.iter().enumerate().map(one).collect();
                IValue::tuple(
                    pairs
                        .iter()
                        .map(|(v, t)| self.ivalue_at(compiler, v, t, depth + 1))
                        .collect::<Fallible<Vec<_>>>()?,
                )
            }
            (Value::NamedTuple(c, items), _) => {
                let named = self.named_tuple_type(compiler, c)?;
                let mut out = Vec::with_capacity(items.len());
                for (item, (_, t)) in items.iter().zip(&named.fields) {
                    out.push(self.ivalue_at(compiler, item, t, depth + 1)?);
                }
                IValue::Tuple(Tuple::new(out, Some(named)))
            }
            (Value::Dict(d), _) => {
                if let Some(known) = self.shared(v) {
                    return Ok(known);
                }
                let (key, value) = match inner {
                    Type::Dict(k, v) => (Type::clone(k), Type::clone(v)),
                    _ => match self.infer(compiler, v, 0)? {
                        Ok(Type::Dict(k, v)) => (Type::clone(&k), Type::clone(&v)),
                        Ok(_) => (Type::Any, Type::Any),
                        Err(why) => return Err(Fault::raise("RuntimeError", why)),
                    },
                };
                let out = Dict::new(key.clone(), value.clone());
                for (k, item) in d.borrow().iter() {
                    let k = self.ivalue_at(compiler, &k.0, &key, depth + 1)?;
                    let item = self.ivalue_at(compiler, item, &value, depth + 1)?;
                    let k = DictKey::from_value(&k)
                        .ok_or_else(|| Fault::raise("RuntimeError", format!("a {} is no key of a Dict", k.kind())))?;
                    out.write().insert(k, item);
                }
                self.share(v, IValue::Dict(out))
            }
            (Value::Instance(i), _) if i.class.form == ClassForm::Enum => {
                let class = self.enum_class(compiler, &i.class)?;
                let name: Arc<str> = i.get("name").unwrap_or(Value::None).as_str().unwrap_or_default().into();
                let value = self.ivalue_at(compiler, &i.get("value").unwrap_or(Value::None), &Type::Any, depth + 1)?;
                IValue::Enum(Arc::new(EnumValue { class, name, value }))
            }
            (Value::Instance(i), _) if i.class.form == ClassForm::Plain => {
                if let Some(known) = self.shared(v) {
                    return Ok(known);
                }
                let class = self.script_class(compiler, &i.class)?;
                let slots: Vec<(Arc<str>, Type)> = compiler
                    .unit
                    .classes
                    .get(&class)
                    .map(|c| c.attributes.iter().map(|a| (a.name.clone(), a.ty.clone())).collect())
                    .unwrap_or_default();
                let object = Object::new(class, slots.iter().map(|s| s.0.clone()).collect());
                let result = self.share(v, IValue::Object(object.clone()));
                for (at, (name, ty)) in slots.iter().enumerate() {
                    if let Some(value) = i.get(name) {
                        object.set(at, self.ivalue_at(compiler, &value, ty, depth + 1)?);
                    }
                }
                result
            }
            (other, _) => {
                let text = format!("a value of type '{}' cannot be stored in a TorchScript module", other.type_name());
                return Err(Fault::raise("RuntimeError", text));
            }
        })
    }
}
