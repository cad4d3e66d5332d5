//! Attributes: of instances and their classes, of modules with their parameters, buffers and submodules, of files and of what Sconce provides.

use super::value::*;
use super::{Evaluator, Fallible, Fault};
use std::rc::Rc;

impl Evaluator {
    /// `object.name`
    pub(crate) fn attribute(&self, object: &Value, name: &str) -> Fallible<Value> {
        match self.find_attribute(object, name)? {
            Some(v) => Ok(v),
            None => Err(Fault::raise("AttributeError", self.no_attribute(object, name))),
        }
    }

    fn no_attribute(&self, object: &Value, name: &str) -> String {
        match object {
            Value::Class(c) => format!("type object '{}' has no attribute '{name}'", c.name),
            Value::Host(path) => format!("'{path}' has no attribute '{name}' that Sconce knows"),
            other => format!("'{}' object has no attribute '{name}'", other.type_name()),
        }
    }

    /// The same, `None` when there is no such attribute.
    pub(crate) fn find_attribute(&self, object: &Value, name: &str) -> Fallible<Option<Value>> {
        match object {
            Value::Instance(i) => self.instance_attribute(object, i, name),
            Value::Class(c) => Ok(class_attribute(c, name)),
            Value::Super(s) => {
                let (class, object) = &**s;
                let of = match object {
                    Value::Instance(i) => i.class.clone(),
                    Value::Class(c) => c.clone(),
                    _ => class.clone(),
                };
                let order = of.order.borrow();
                let behind = order.iter().skip_while(|c| !Rc::ptr_eq(c, class)).skip(1);
                let found = behind.filter_map(|c| c.attributes.borrow().get(name).cloned()).next();
                match found {
                    Some(v) => self.bound(v, object, &of).map(Some),
                    // `object`'s own, and what bases that Sconce provides would do.
                    None => Ok(match name {
                        "__init__" | "__init_subclass__" | "__setattr__" | "__getattr__" | "__repr__" | "__enter__"
                        | "__exit__" => {
                            Some(Value::BoundHost(Rc::new((object.clone(), format!("object.{name}").into()))))
                        }
                        _ => None,
                    }),
                }
            }
            Value::Host(path) => self.host_attribute(path, name),
            Value::NamedTuple(class, items) => {
                if let Some(at) = super::class::class_fields(class).iter().position(|f| &**f == name) {
                    return Ok(items.get(at).cloned());
                }
                match class.get(name) {
                    Some(v) => self.bound(v, object, class).map(Some),
                    None => {
                        Ok(matches!(name, "_asdict" | "_replace" | "index" | "count").then(|| bound_host(object, name)))
                    }
                }
            }
            Value::Function(f) => Ok(match name {
                "__name__" => Some(Value::Str(f.name.clone())),
                "__qualname__" => Some(Value::Str(f.qualified.clone())),
                "__module__" => Some(Value::Str(f.closure.file.name.clone())),
                "__doc__" => Some(Value::None),
                _ => f.attributes.borrow().get(name).cloned(),
            }),
            Value::Method(m) => match name {
                "__self__" => Ok(Some(m.0.clone())),
                "__func__" => Ok(Some(m.1.clone())),
                _ => self.find_attribute(&m.1, name),
            },
            Value::Property(p) => Ok(match name {
                "setter" | "getter" | "deleter" => Some(bound_host(object, name)),
                "fget" => Some(p.get.clone()),
                _ => None,
            }),
            Value::Tensor(_) => self.tensor_attribute(object, name),
            Value::Device(d) => Ok(match name {
                "type" => Some(Value::str(&*d.kind)),
                "index" => Some(d.index.map_or(Value::None, |i| Value::Int(i64::from(i)))),
                _ => None,
            }),
            Value::Complex(re, im) => Ok(match name {
                "real" => Some(Value::Float(*re)),
                "imag" => Some(Value::Float(*im)),
                _ => None,
            }),
            Value::Setting(_, number) if name.starts_with("is_") => {
                let dtype = sconce_tensor::DType::from_number(*number);
                Ok(dtype.and_then(|d| match name {
                    "is_floating_point" => Some(Value::Bool(d.is_float())),
                    "is_complex" => Some(Value::Bool(d.is_complex())),
                    _ => None,
                }))
            }
            Value::Generic(g) if g.0.starts_with("builtins.") => {
                Ok((name == "args").then(|| Value::tuple(g.1.clone())))
            }
            Value::Generic(g) => Ok(g.1.get(1).filter(|_| name == "default").cloned()),
            _ => Ok(super::methods::has_method(object, name).then(|| bound_host(object, name))),
        }
    }

    fn instance_attribute(&self, object: &Value, i: &Rc<Instance>, name: &str) -> Fallible<Option<Value>> {
        match name {
            "__class__" => return Ok(Some(Value::Class(i.class.clone()))),
            "__dict__" => {
                let map = i.attributes.borrow().iter().map(|(k, v)| (Key::text(k), v.clone())).collect();
                return Ok(Some(Value::dict(map)));
            }
            _ => {}
        }
        let of_class = i.class.get(name);
        if let Some(Value::Property(p)) = &of_class {
            return self.call(&p.get, vec![object.clone()], Vec::new()).map(Some);
        }
        if let Some(v) = i.get(name) {
            return Ok(Some(v));
        }
        if i.class.is_module() {
            for registry in ["_parameters", "_buffers", "_modules"] {
                if let Some(d) = i.dict(registry)
                    && let Some(v) = d.borrow().get(&Key::text(name))
                {
                    return Ok(Some(v.clone()));
                }
            }
        }
        if let Some(v) = of_class {
            return self.bound(v, object, &i.class).map(Some);
        }
        if let Some(getattr) = i.class.get("__getattr__") {
            return self.call(&getattr, vec![object.clone(), Value::str(name)], Vec::new()).map(Some);
        }
        Ok(match name {
            "__init__" => Some(bound_host(object, "object.__init__")),
            "with_traceback" if i.class.form == ClassForm::Exception => Some(bound_host(object, name)),
            _ => None,
        })
    }

    /// What a class's attribute is on an instance.
    fn bound(&self, value: Value, object: &Value, class: &Rc<Class>) -> Fallible<Value> {
        Ok(match value {
            Value::Function(_) => Value::Method(Rc::new((object.clone(), value))),
            Value::StaticMethod(f) => (*f).clone(),
            Value::ClassMethod(f) => Value::Method(Rc::new((Value::Class(class.clone()), (*f).clone()))),
            Value::Property(p) => self.call(&p.get, vec![object.clone()], Vec::new())?,
            other => other,
        })
    }

    /// `object.name = value`
    pub(crate) fn set_attribute(&self, object: &Value, name: &str, value: Value) -> Fallible<()> {
        match object {
            Value::Instance(i) => {
                if let Some(Value::Property(p)) = i.class.get(name) {
                    let Some(set) = &p.set else {
                        let text = format!("property '{name}' of '{}' object has no setter", i.class.name);
                        return Err(Fault::raise("AttributeError", text));
                    };
                    self.call(set, vec![object.clone(), value], Vec::new())?;
                    return Ok(());
                }
                if i.class.is_module() {
                    return super::module::set_attribute(i, name, value);
                }
                i.set(name, value);
                Ok(())
            }
            Value::Class(c) => {
                c.attributes.borrow_mut().insert(name.into(), value);
                Ok(())
            }
            Value::Function(f) => {
                f.attributes.borrow_mut().insert(name.into(), value);
                Ok(())
            }
            Value::Tensor(_) => self.set_tensor_attribute(object, name, &value),
            other => {
                let text = format!("'{}' object has no attribute '{name}'", other.type_name());
                Err(Fault::raise("AttributeError", text))
            }
        }
    }

    pub(super) fn delete_attribute(&self, object: &Value, name: &str) -> Fallible<()> {
        let Value::Instance(i) = object else {
            return Err(Fault::raise("AttributeError", self.no_attribute(object, name)));
        };
        if i.attributes.borrow_mut().shift_remove(name).is_some() {
            return Ok(());
        }
        for registry in ["_parameters", "_buffers", "_modules"] {
            if let Some(d) = i.dict(registry)
                && d.borrow_mut().shift_remove(&Key::text(name)).is_some()
            {
                return Ok(());
            }
        }
        Err(Fault::raise("AttributeError", self.no_attribute(object, name)))
    }
}

fn bound_host(object: &Value, name: &str) -> Value {
    Value::BoundHost(Rc::new((object.clone(), name.into())))
}

fn class_attribute(c: &Rc<Class>, name: &str) -> Option<Value> {
    match name {
        "__name__" => return Some(Value::Str(c.name.clone())),
        "__qualname__" => return Some(Value::Str(c.qualified.clone())),
        "__module__" => return Some(Value::Str(c.closure.file.name.clone())),
        "__mro__" => return Some(Value::tuple(c.order.borrow().iter().cloned().map(Value::Class).collect())),
        "__members__" if c.form == ClassForm::Enum => {
            let of = |m: Value| match &m {
                Value::Instance(i) => i.get("name").map(|n| (Key(n), m.clone())),
                _ => None,
            };
            return Some(Value::dict(super::class::members(c).into_iter().filter_map(of).collect()));
        }
        "_fields" if c.form == ClassForm::NamedTuple => {
            return Some(Value::tuple(super::class::class_fields(c).into_iter().map(Value::Str).collect()));
        }
        _ => {}
    }
    match c.get(name) {
        Some(Value::StaticMethod(f)) => Some((*f).clone()),
        Some(Value::ClassMethod(f)) => Some(Value::Method(Rc::new((Value::Class(c.clone()), (*f).clone())))),
        Some(v) => Some(v),
        None => matches!(name, "__init__").then(|| Value::host("object.__init__")),
    }
}
