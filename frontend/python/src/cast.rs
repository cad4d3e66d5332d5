//! A Python value becomes the value of a program, of the type that is declared for it, or is refused in PyTorch's words.

use super::concrete::python_type;
use super::infer::MAX_DEPTH;
use super::program::Session;
use super::value::*;
use super::{Fallible, Fault};
use sconce_schema::Type;
use sconce_script::emit::Compiler;
use sconce_tensor::{Dict, DictKey, EnumValue, IValue, Object, Tuple};
use std::rc::Rc;
use std::sync::Arc;

impl Session {
    /// A value as a value of a program, of a given type.
    pub(super) fn ivalue(&self, compiler: &mut Compiler, v: &Value, ty: &Type) -> Fallible<IValue> {
        self.ivalue_at(compiler, v, ty, 0)
    }

    fn ivalue_at(&self, compiler: &mut Compiler, v: &Value, ty: &Type, depth: u32) -> Fallible<IValue> {
        if depth > MAX_DEPTH {
            return Err(Fault::limit("values are nested too deeply"));
        }
        match (v, ty) {
            (Value::None, Type::Optional(_)) => Ok(IValue::None),
            (_, Type::Optional(inner)) => self.ivalue_at(compiler, v, inner, depth),
            (Value::Tensor(t), Type::Tensor(_)) => Ok(IValue::Tensor(t.tensor.borrow().clone())),
            (Value::None, Type::Tensor(_)) => Err(uncastable("strides() called on an undefined Tensor")),
            (_, Type::Tensor(_)) => Err(uncastable(format!("Unable to cast {} to Tensor", self.evaluator.text(v)?))),
            _ if is_number_or_text(ty) => number_or_text(v, ty).ok_or_else(|| no_such_instance(v)),
            (Value::List(_), Type::List(_)) => self.list(compiler, v, ty, depth),
            (Value::Tuple(items), Type::List(element)) => {
                Ok(IValue::list(Type::clone(element), self.all_of(compiler, v, items, element, depth)?))
            }
            (_, Type::List(_)) => Err(no_such_instance(v)),
            (Value::Tuple(items), Type::Tuple(members)) => self.tuple(compiler, v, items, members, ty, depth),
            (Value::List(items), Type::Tuple(members)) => {
                let items = items.borrow().clone();
                self.tuple(compiler, v, &items, members, ty, depth)
            }
            (Value::Dict(_), Type::Dict(..)) => self.dict(compiler, v, ty, depth),
            (Value::List(items), Type::Dict(key, value)) if items.borrow().is_empty() => {
                Ok(IValue::Dict(Dict::new(Type::clone(key), Type::clone(value))))
            }
            (Value::Device(d), Type::Device) => Ok(IValue::Device(d.clone())),
            (_, Type::Device) => Err(no_such_instance(v)),
            (Value::NamedTuple(..), Type::Tuple(_)) => self.as_it_is(compiler, v, depth),
            (Value::None | Value::Int(_) | Value::Float(_) | Value::Bool(_), Type::Tuple(_) | Type::Dict(..)) => {
                Err(uncastable(format!("TypeError: '{}' object is not iterable", v.type_name())))
            }
            (_, Type::Tuple(_) | Type::Dict(..)) => Err(no_such_instance(v)),
            _ => self.as_it_is(compiler, v, depth),
        }
    }

    /// A value of the type that is inferred for it.
    fn as_it_is(&self, compiler: &mut Compiler, v: &Value, depth: u32) -> Fallible<IValue> {
        if let Some(plain) = plain(v) {
            return Ok(plain);
        }
        Ok(match v {
            Value::Generator(g) => IValue::Generator(g.clone()),
            Value::List(_) | Value::Dict(_) => {
                let inferred = self.infer(compiler, v, 0)?.map_err(|why| Fault::raise("RuntimeError", why))?;
                return self.ivalue_at(compiler, v, &inferred, depth);
            }
            Value::Tuple(items) => {
                let items = items.iter().map(|v| self.ivalue_at(compiler, v, &Type::Any, depth + 1));
                IValue::tuple(items.collect::<Fallible<Vec<_>>>()?)
            }
            Value::NamedTuple(c, items) => {
                let named = self.named_tuple_type(compiler, c)?;
                let fields = items.iter().zip(&named.fields);
                let out = fields.map(|(item, (_, t))| self.ivalue_at(compiler, item, t, depth + 1));
                IValue::Tuple(Tuple::new(out.collect::<Fallible<Vec<_>>>()?, Some(named.clone())))
            }
            Value::Instance(i) if i.class.form == ClassForm::Enum => {
                let class = self.enum_class(compiler, &i.class)?;
                let name: Arc<str> = i.get("name").unwrap_or(Value::None).as_str().unwrap_or_default().into();
                let value = self.ivalue_at(compiler, &i.get("value").unwrap_or(Value::None), &Type::Any, depth + 1)?;
                IValue::Enum(Arc::new(EnumValue { class, name, value }))
            }
            Value::Instance(i) if i.class.form == ClassForm::Plain => self.plain_object(compiler, v, i, depth)?,
            other => {
                let text = format!("a value of type '{}' cannot be stored in a TorchScript module", other.type_name());
                return Err(Fault::raise("RuntimeError", text));
            }
        })
    }

    fn all_of(
        &self,
        compiler: &mut Compiler,
        list: &Value,
        items: &[Value],
        element: &Type,
        depth: u32,
    ) -> Fallible<Vec<IValue>> {
        let of_list =
            |f: Fault| if is_number_or_text(element) && f.is_exception() { no_such_instance(list) } else { f };
        items.iter().map(|i| self.ivalue_at(compiler, i, element, depth + 1).map_err(of_list)).collect()
    }

    fn list(&self, compiler: &mut Compiler, v: &Value, ty: &Type, depth: u32) -> Fallible<IValue> {
        if let Some(known) = self.shared(v) {
            return Ok(known);
        }
        let (Value::List(items), Type::List(element)) = (v, ty) else { return Err(no_such_instance(v)) };
        let items = items.borrow().clone();
        let converted = self.all_of(compiler, v, &items, element, depth)?;
        Ok(self.share(v, IValue::list(Type::clone(element), converted)))
    }

    fn tuple(
        &self,
        compiler: &mut Compiler,
        v: &Value,
        items: &[Value],
        members: &[Type],
        ty: &Type,
        depth: u32,
    ) -> Fallible<IValue> {
        if items.len() != members.len() {
            let text = self.evaluator.text(v)?;
            let ty = ty.annotation_str();
            return Err(uncastable(format!("Object {text} had a different number of elements than type {ty}")));
        }
        let converted = items.iter().zip(members).map(|(v, t)| self.ivalue_at(compiler, v, t, depth + 1));
        Ok(IValue::tuple(converted.collect::<Fallible<Vec<_>>>()?))
    }

    fn dict(&self, compiler: &mut Compiler, v: &Value, ty: &Type, depth: u32) -> Fallible<IValue> {
        if let Some(known) = self.shared(v) {
            return Ok(known);
        }
        let (Value::Dict(d), Type::Dict(key, value)) = (v, ty) else { return Err(no_such_instance(v)) };
        let out = Dict::new(Type::clone(key), Type::clone(value));
        for (k, item) in d.borrow().iter() {
            let k = self.ivalue_at(compiler, &k.0, key, depth + 1)?;
            let item = self.ivalue_at(compiler, item, value, depth + 1)?;
            let k = DictKey::from_value(&k)
                .ok_or_else(|| Fault::raise("RuntimeError", format!("a {} is no key of a Dict", k.kind())))?;
            out.write().insert(k, item);
        }
        Ok(self.share(v, IValue::Dict(out)))
    }

    /// An object with the attributes that its class has in programs; others stay behind in Python.
    fn plain_object(&self, compiler: &mut Compiler, v: &Value, i: &Rc<Instance>, depth: u32) -> Fallible<IValue> {
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
                let cast = self.ivalue_at(compiler, &value, ty, depth + 1);
                object.set(at, cast.map_err(|f| attribute_fault(f, name, ty))?);
            }
        }
        Ok(result)
    }
}

/// A value that is made of no others, as it is.
pub(super) fn plain(v: &Value) -> Option<IValue> {
    Some(match v {
        Value::None => IValue::None,
        Value::Bool(b) => IValue::Bool(*b),
        Value::Int(i) | Value::Setting(_, i) => IValue::Int(*i),
        Value::Float(f) => IValue::Double(*f),
        Value::Complex(re, im) => IValue::complex(*re, *im),
        Value::Str(s) => IValue::str(&**s),
        Value::Device(d) => IValue::Device(d.clone()),
        Value::Tensor(t) => IValue::Tensor(t.tensor.borrow().clone()),
        _ => return None,
    })
}

/// The types that [`number_or_text`] makes values of.
fn is_number_or_text(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Float | Type::Complex | Type::Bool | Type::Str)
}

/// A number or text where one is declared; Python's conversions that PyTorch makes without being asked.
fn number_or_text(v: &Value, ty: &Type) -> Option<IValue> {
    Some(match (ty, v) {
        (Type::Int, Value::Bool(b)) => IValue::Int((*b).into()),
        (Type::Int, Value::Int(i) | Value::Setting(_, i)) => IValue::Int(*i),
        (Type::Float, Value::Bool(b)) => IValue::Double((*b).into()),
        (Type::Float, Value::Int(i)) => IValue::Double(*i as f64),
        (Type::Float, Value::Float(f)) => IValue::Double(*f),
        (Type::Complex, Value::Bool(b)) => IValue::complex((*b).into(), 0.0),
        (Type::Complex, Value::Int(i)) => IValue::complex(*i as f64, 0.0),
        (Type::Complex, Value::Float(f)) => IValue::complex(*f, 0.0),
        (Type::Complex, Value::Complex(re, im)) => IValue::complex(*re, *im),
        (Type::Bool, Value::None) => IValue::Bool(false),
        (Type::Bool, Value::Bool(b)) => IValue::Bool(*b),
        (Type::Bool, Value::Int(i)) => IValue::Bool(*i != 0),
        (Type::Bool, Value::Float(f)) => IValue::Bool(*f != 0.0),
        (Type::Bool, Value::Complex(re, im)) => IValue::Bool(*re != 0.0 || *im != 0.0),
        (Type::Str, Value::Str(s)) => IValue::str(&**s),
        _ => return None,
    })
}

fn uncastable(why: impl Into<String>) -> Fault {
    Fault::raise("RuntimeError", why.into())
}

fn no_such_instance(v: &Value) -> Fault {
    uncastable(format!(
        "Unable to cast Python instance of type <class '{}'> to C++ type '?' (#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)",
        python_type(v)
    ))
}

/// What is said of an attribute whose value is not of its type.
pub(super) fn attribute_fault(f: Fault, name: &str, ty: &Type) -> Fault {
    if f.is_exception() {
        let ty = ty.annotation_str();
        return uncastable(format!("Could not cast attribute '{name}' to type {ty}: {}", f.message()));
    }
    f
}
