//! Class statements: bases and their order, enumerations, named tuples, annotations.

use super::eval::Flow;
use super::value::*;
use super::{Evaluator, Fallible, Fault};
use indexmap::IndexMap;
use sconce_syntax::script::tree::ClassDef;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

impl Evaluator {
    pub(super) fn define_class(&self, def: &ClassDef, scope: &Rc<Scope>) -> Fallible<()> {
        let mut bases = Vec::new();
        let mut host_bases: Vec<Rc<str>> = Vec::new();
        for base in &def.bases {
            match self.expr(base, scope)? {
                Value::Class(c) => bases.push(c),
                Value::Host(path) => host_bases.push(path),
                // `Generic[T]`, `Protocol[T]`
                Value::Generic(g) => host_bases.push(g.0.clone()),
                other => {
                    let text = format!("a class cannot be derived from {}", other.type_name());
                    return Err(Fault::raise("TypeError", text).at(scope, base.span));
                }
            }
        }
        for k in &def.keywords {
            // `metaclass=ABCMeta` and the like say nothing about what is built.
            self.expr(&k.value, scope)?;
        }
        let qualified: Rc<str> = format!("{}{}", scope.prefix, def.name.name).into();
        let inner = Scope::inner(scope, ScopeKind::Class, format!("{qualified}.").into());
        if !matches!(self.block(&def.body, &inner)?, Flow::Next) {
            return Err(Fault::refused("a class body only runs to its end").at(scope, def.span));
        }
        let class = self.made.class(Class {
            name: def.name.name.as_str().into(),
            qualified,
            closure: scope.clone(),
            def: RefCell::new(Some(Rc::new(def.clone()))),
            order: RefCell::default(),
            form: form_of(def, scope, &bases, &host_bases),
            host_bases,
            attributes: RefCell::new(inner.names.borrow().clone()),
            annotations: RefCell::new(self.take_annotations(&inner)),
            interface: Cell::new(false),
            script: Cell::new(false),
        });
        *class.order.borrow_mut() = linear_order(&class, &bases).map_err(|f| f.at(scope, def.span))?;
        for value in class.attributes.borrow().values() {
            own(value, &class);
        }
        match class.form {
            ClassForm::Enum => make_members(&class),
            ClassForm::Plain | ClassForm::Module | ClassForm::NamedTuple | ClassForm::Exception => {}
        }
        let value = self.decorate(Value::Class(class), &def.decorators, scope)?;
        scope.assign(&def.name.name, value);
        Ok(())
    }

    fn take_annotations(&self, scope: &Rc<Scope>) -> Vec<(Rc<str>, Annotation)> {
        let at = Rc::as_ptr(scope) as usize;
        let mut pending = self.pending_annotations.borrow_mut();
        let (mine, others) = std::mem::take(&mut *pending).into_iter().partition(|p| p.0 == at);
        *pending = others;
        let mine: Vec<(usize, Rc<str>, Annotation)> = mine;
        let mut out: Vec<(Rc<str>, Annotation)> = Vec::with_capacity(mine.len());
        for (_, name, annotation) in mine {
            match out.iter_mut().find(|(n, _)| *n == name) {
                Some(slot) => slot.1 = annotation,
                None => out.push((name, annotation)),
            }
        }
        out
    }

    /// `Color(1)`
    pub(super) fn enum_member_of(&self, class: &Rc<Class>, value: Option<&Value>) -> Fallible<Value> {
        let Some(value) = value else { return Err(Fault::raise("TypeError", "an enumeration is called with a value")) };
        let found = members(class).into_iter().find(|m| match m {
            Value::Instance(i) => same(m, value) || i.get("value").is_some_and(|v| equal(&v, value)),
            _ => false,
        });
        match found {
            Some(m) => Ok(m),
            None => Err(Fault::raise("ValueError", format!("{} is not a valid {}", self.repr(value)?, class.name))),
        }
    }

    pub(super) fn make_named_tuple(
        &self,
        class: &Rc<Class>,
        args: Vec<Value>,
        kwargs: super::call::Kwargs,
    ) -> Fallible<Value> {
        let fields = class_fields(class);
        let mut items: Vec<Option<Value>> = args.into_iter().map(Some).collect();
        if items.len() > fields.len() {
            let text = format!("{}() takes {} arguments but {} were given", class.name, fields.len(), items.len());
            return Err(Fault::raise("TypeError", text));
        }
        items.resize(fields.len(), None);
        for (name, value) in kwargs {
            match fields.iter().position(|f| *f == name).and_then(|i| items.get_mut(i)) {
                Some(slot) if slot.is_none() => *slot = Some(value),
                _ => {
                    let text = format!("{}() got an unexpected keyword argument '{name}'", class.name);
                    return Err(Fault::raise("TypeError", text));
                }
            }
        }
        let mut out = Vec::with_capacity(fields.len());
        for (field, item) in fields.iter().zip(items) {
            match item.or_else(|| class.attributes.borrow().get(field).cloned()) {
                Some(v) => out.push(v),
                None => {
                    let text = format!("{}() missing required argument '{field}'", class.name);
                    return Err(Fault::raise("TypeError", text));
                }
            }
        }
        Ok(Value::NamedTuple(class.clone(), out.into()))
    }

    /// `collections.namedtuple("P", "x y")`, `typing.NamedTuple("P", [("x", int)])`
    pub(super) fn named_tuple_class(
        &self,
        name: &str,
        fields: Vec<(Rc<str>, Option<Value>)>,
        defaults: Vec<Value>,
        scope: &Rc<Scope>,
    ) -> Value {
        let mut attributes = IndexMap::new();
        let first = fields.len().saturating_sub(defaults.len());
        for ((field, _), value) in fields.iter().skip(first).zip(defaults) {
            attributes.insert(field.clone(), value);
        }
        let annotations = fields
            .into_iter()
            .map(|(field, ty)| (field, Annotation::Given(ty.unwrap_or_else(|| Value::host("torch.Tensor")))))
            .collect();
        let class = self.made.class(Class {
            name: name.into(),
            qualified: name.into(),
            closure: scope.clone(),
            def: RefCell::default(),
            order: RefCell::default(),
            host_bases: vec!["typing.NamedTuple".into()],
            attributes: RefCell::new(attributes),
            annotations: RefCell::new(annotations),
            form: ClassForm::NamedTuple,
            interface: Cell::new(false),
            script: Cell::new(false),
        });
        *class.order.borrow_mut() = vec![class.clone()];
        Value::Class(class)
    }
}

/// The fields of a named tuple in order.
pub(super) fn class_fields(class: &Rc<Class>) -> Vec<Rc<str>> {
    class.annotations.borrow().iter().map(|(n, _)| n.clone()).collect()
}

/// The members of an enumeration in order.
pub(super) fn members(class: &Rc<Class>) -> Vec<Value> {
    let is_member = |v: &&Value| matches!(v, Value::Instance(i) if Rc::ptr_eq(&i.class, class));
    let mut out: Vec<Value> = Vec::new();
    for v in class.attributes.borrow().values().filter(is_member) {
        // Two names of one value are one member.
        if !out.iter().any(|m| same(m, v)) {
            out.push(v.clone());
        }
    }
    out
}

fn make_members(class: &Rc<Class>) {
    let mut attributes = class.attributes.borrow_mut();
    let mut made: Vec<(Value, Value)> = Vec::new();
    let mut last = 0;
    for (name, value) in attributes.iter_mut() {
        let plain = !matches!(
            value,
            Value::Function(_) | Value::Property(_) | Value::StaticMethod(_) | Value::ClassMethod(_) | Value::Class(_)
        );
        if !plain || name.starts_with('_') {
            continue;
        }
        if matches!(value, Value::Generic(g) if &*g.0 == "enum.auto") {
            *value = Value::Int(last + 1);
        }
        if let Value::Int(n) = value {
            last = *n;
        }
        if let Some((_, member)) = made.iter().find(|(v, _)| equal(v, value)) {
            *value = member.clone();
            continue;
        }
        let member = Instance::new(class.clone());
        member.set("name", Value::Str(name.clone()));
        member.set("value", value.clone());
        let member = Value::Instance(Rc::new(member));
        made.push((value.clone(), member.clone()));
        *value = member;
    }
}

/// Functions of a class body know their class: `super()` asks it.
fn own(value: &Value, class: &Rc<Class>) {
    match value {
        Value::Function(f) => {
            f.class.borrow_mut().get_or_insert_with(|| class.clone());
        }
        Value::Property(p) => {
            own(&p.get, class);
            if let Some(set) = &p.set {
                own(set, class);
            }
        }
        Value::StaticMethod(f) | Value::ClassMethod(f) => own(f, class),
        _ => {}
    }
}

fn form_of(def: &ClassDef, scope: &Rc<Scope>, bases: &[Rc<Class>], host_bases: &[Rc<str>]) -> ClassForm {
    if def.name.name == "Module" && &*scope.file.name == "torch.nn.modules.module" {
        return ClassForm::Module;
    }
    for base in host_bases {
        match &**base {
            "enum.Enum" | "enum.IntEnum" | "enum.Flag" | "enum.IntFlag" | "enum.StrEnum" => return ClassForm::Enum,
            "typing.NamedTuple" => return ClassForm::NamedTuple,
            path if super::builtins::exception_derives(path, "builtins.BaseException") => return ClassForm::Exception,
            _ => {}
        }
    }
    // A class derived from a named tuple is a class like any other, with a tuple's base.
    bases.iter().map(|b| b.form).find(|f| *f != ClassForm::Plain).unwrap_or(ClassForm::Plain)
}

/// Python's order of bases (C3): each class before its bases, bases as written.
fn linear_order(class: &Rc<Class>, bases: &[Rc<Class>]) -> Fallible<Vec<Rc<Class>>> {
    let mut lists: Vec<Vec<Rc<Class>>> = bases.iter().map(|b| b.order.borrow().clone()).collect();
    lists.push(bases.to_vec());
    let mut out = vec![class.clone()];
    loop {
        lists.retain(|l| !l.is_empty());
        if lists.is_empty() {
            return Ok(out);
        }
        let head = lists
            .iter()
            .filter_map(|l| l.first())
            .find(|head| lists.iter().all(|l| l.iter().skip(1).all(|c| !Rc::ptr_eq(c, head))));
        let Some(head) = head.cloned() else {
            return Err(Fault::raise(
                "TypeError",
                "Cannot create a consistent method resolution order (MRO) for bases",
            ));
        };
        for l in &mut lists {
            l.retain(|c| !Rc::ptr_eq(c, &head));
        }
        out.push(head);
    }
}
