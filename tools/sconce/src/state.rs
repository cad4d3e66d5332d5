//! What a module holds: attributes, parameters, buffers and submodules under dotted names, each object once.

use crate::error::{Error, Failure};
use sconce_interpreter::Program;
use sconce_interpreter::program::{Class, ClassKind, Role};
use sconce_schema::Type;
use sconce_tensor::{IValue, Object, Tensor, deep_copies_but};
use std::sync::Arc;

/// One attribute somewhere in a tree of modules.
#[derive(Clone)]
pub struct Named {
    /// `layers.0.weight`; empty for the module itself.
    pub name: String,
    /// What it is to PyTorch.
    pub kind: NamedKind,
    /// The type that its class declares.
    pub ty: Type,
    /// What it is now.
    pub value: IValue,
}

/// What an attribute is to PyTorch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamedKind {
    /// A module inside.
    Module,
    /// A tensor that training changes.
    Parameter,
    /// A tensor that training does not change.
    Buffer,
    /// Any other value.
    Attribute,
    /// A value that stays.
    Constant,
}

impl NamedKind {
    /// The kind in a word.
    pub fn word(self) -> &'static str {
        match self {
            NamedKind::Module => "module",
            NamedKind::Parameter => "parameter",
            NamedKind::Buffer => "buffer",
            NamedKind::Attribute => "attribute",
            NamedKind::Constant => "constant",
        }
    }
}

/// Modules inside each other; an archive's reader allows fewer.
const MAX_DEPTH: usize = 1000;

/// The state of an object of a program.
#[derive(Clone, Copy)]
pub struct State<'p> {
    program: &'p Program,
    root: &'p Arc<Object>,
}

impl<'p> State<'p> {
    /// The state of an object whose class the program has.
    pub fn new(program: &'p Program, root: &'p Arc<Object>) -> State<'p> {
        State { program, root }
    }

    fn class(&self, object: &Object) -> Option<&'p Class> {
        self.program.class(&object.class).map(|(_, c)| c)
    }

    fn is_module(&self, value: &IValue) -> Option<Arc<Object>> {
        match value {
            IValue::Object(o) if self.class(o).is_some_and(|c| c.kind == ClassKind::Module) => Some(o.clone()),
            _ => None,
        }
    }

    /// Everything, modules before what they hold, each module's own attributes before its submodules. A module that is reached twice is listed where it is
    /// reached first.
    pub fn named(&self) -> Vec<Named> {
        let mut out = Vec::new();
        let mut seen = Vec::new();
        self.walk("", self.root, &mut seen, &mut out, 0);
        out
    }

    fn walk(&self, path: &str, object: &Arc<Object>, seen: &mut Vec<usize>, out: &mut Vec<Named>, depth: usize) {
        let id = Arc::as_ptr(object) as usize;
        if depth > MAX_DEPTH || seen.contains(&id) {
            return;
        }
        seen.push(id);
        let ty = Type::Class(object.class.clone());
        out.push(Named { name: path.into(), kind: NamedKind::Module, ty, value: IValue::Object(object.clone()) });
        let Some(class) = self.class(object) else { return };
        let full = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let mut inner = Vec::new();
        for (slot, a) in class.attributes.iter().enumerate() {
            let value = object.get(slot).unwrap_or_default();
            if let Some(module) = self.is_module(&value) {
                inner.push((full(&a.name), module));
                continue;
            }
            let kind = match a.role {
                Role::Parameter => NamedKind::Parameter,
                Role::Buffer => NamedKind::Buffer,
                Role::Attribute => NamedKind::Attribute,
            };
            out.push(Named { name: full(&a.name), kind, ty: a.ty.clone(), value });
        }
        for (name, value) in &class.constants {
            let ty = crate::value_text::type_of(value);
            out.push(Named { name: full(name), kind: NamedKind::Constant, ty, value: value.clone() });
        }
        for (name, module) in inner {
            self.walk(&name, &module, seen, out, depth + 1);
        }
    }

    /// Tensors of a kind with their names; one that is reached twice has the first name, as in `nn.Module.named_parameters`.
    pub fn tensors(&self, kind: NamedKind) -> Vec<(String, Tensor)> {
        let mut out: Vec<(String, Tensor)> = Vec::new();
        for n in self.named().into_iter().filter(|n| n.kind == kind) {
            if let IValue::Tensor(t) = n.value
                && !out.iter().any(|(_, seen)| seen.is(&t))
            {
                out.push((n.name, t));
            }
        }
        out
    }

    /// Modules with their names, the module itself under the empty one.
    pub fn modules(&self) -> Vec<(String, Arc<Object>)> {
        let modules = self.named().into_iter().filter_map(|n| match n.value {
            IValue::Object(o) if n.kind == NamedKind::Module => Some((n.name, o)),
            _ => None,
        });
        modules.collect()
    }

    /// The value at a dotted name.
    pub fn get(&self, path: &str) -> Result<IValue, Error> {
        let (object, name) = self.owner(path)?;
        let class = self.class(&object);
        let value = object.slot_of(name).and_then(|s| object.get(s));
        value.or_else(|| class?.constant(name).cloned()).ok_or_else(|| self.no_attribute(path, &object, name))
    }

    /// Sets the value at a dotted name, if it is of the attribute's type.
    pub fn set(&self, path: &str, value: IValue) -> Result<(), Error> {
        let (object, name) = self.owner(path)?;
        let slot = object.slot_of(name).ok_or_else(|| self.no_attribute(path, &object, name))?;
        let ty = self.class(&object).and_then(|c| c.attributes.get(slot)).map_or(Type::Any, |a| a.ty.clone());
        let value = crate::value_text::coerce(value, &ty);
        if !self.program.is_instance(&value, &ty) {
            return Err(Failure::AttributeType {
                name: path.into(),
                expected: ty.to_string(),
                got: value.kind().into(),
            }
            .into());
        }
        object.set(slot, value);
        Ok(())
    }

    /// The object that holds the last part of a dotted name.
    fn owner<'n>(&self, path: &'n str) -> Result<(Arc<Object>, &'n str), Error> {
        let mut object = self.root.clone();
        let mut parts = path.split('.').peekable();
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                return Ok((object, part));
            }
            let next = object.slot_of(part).and_then(|s| object.get(s));
            object = match next {
                Some(IValue::Object(o)) => o,
                _ => return Err(self.no_attribute(path, &object, part)),
            };
        }
        Ok((object, ""))
    }

    fn no_attribute(&self, path: &str, object: &Object, name: &str) -> Error {
        let have: Vec<&str> = object.names.iter().map(|n| &**n).collect();
        let have = if have.is_empty() { "none".into() } else { have.join(", ") };
        Failure::NoAttribute { path: path.into(), class: object.class.to_string(), name: name.into(), have }.into()
    }

    /// Parameters and buffers under all their names, as `state_dict()` has them.
    pub fn state_dict(&self) -> Vec<(String, Tensor)> {
        let mut out = Vec::new();
        self.walk_state("", self.root, &mut out, 0);
        out
    }

    fn walk_state(&self, path: &str, object: &Arc<Object>, out: &mut Vec<(String, Tensor)>, depth: usize) {
        let Some(class) = self.class(object).filter(|_| depth <= MAX_DEPTH) else { return };
        let full = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        for role in [Role::Parameter, Role::Buffer] {
            for (slot, a) in class.attributes.iter().enumerate().filter(|(_, a)| a.role == role) {
                if let Some(IValue::Tensor(t)) = object.get(slot) {
                    out.push((full(&a.name), t));
                }
            }
        }
        for (slot, a) in class.attributes.iter().enumerate() {
            if let Some(inner) = object.get(slot).and_then(|v| self.is_module(&v)) {
                self.walk_state(&full(&a.name), &inner, out, depth + 1);
            }
        }
    }

    /// Copies values into the parameters and buffers, as `load_state_dict` does: every name must be there on both sides.
    pub fn load_state_dict(&self, values: &[(String, Tensor)]) -> Result<(), Error> {
        let own = self.state_dict();
        let names = |these: &[(String, Tensor)], those: &[(String, Tensor)]| -> Vec<String> {
            these.iter().filter(|(n, _)| !those.iter().any(|(m, _)| m == n)).map(|(n, _)| n.clone()).collect()
        };
        let (missing, unexpected) = (names(&own, values), names(values, &own));
        if !missing.is_empty() || !unexpected.is_empty() {
            let list = |what: &str, names: Vec<String>| match names.is_empty() {
                true => String::new(),
                false => format!("{what} {}; ", names.join(", ")),
            };
            let text = list("missing", missing) + &list("unexpected", unexpected);
            return Err(Failure::StateDict(text.trim_end_matches("; ").into()).into());
        }
        for (name, to) in &own {
            let Some((_, from)) = values.iter().find(|(n, _)| n == name) else { continue };
            let failed = |e: String| Error::from(Failure::StateDict(format!("{name}: {e}")));
            if to.sizes() != from.sizes() {
                return Err(failed(format!("sizes {:?}, expected {:?}", from.sizes(), to.sizes())));
            }
            let converted = sconce_kernels::cast::convert(from, to.dtype()).map_err(|e| failed(e.to_string()))?;
            to.copy_bytes_from(&converted).map_err(|e| failed(e.to_string()))?;
        }
        Ok(())
    }

    /// Sets `training` of every module.
    pub fn set_training(&self, on: bool) {
        for (_, module) in self.modules() {
            if let Some(slot) = module.slot_of("training") {
                module.set(slot, IValue::Bool(on));
            }
        }
    }

    /// The same state in objects and tensors of its own; what was shared inside is shared in the copy.
    pub fn copy(&self) -> Result<Arc<Object>, Error> {
        self.copy_but(&[])
    }

    /// The same with these tensors themselves in place of copies.
    pub fn copy_but(&self, shared: &[Tensor]) -> Result<Arc<Object>, Error> {
        let copies = deep_copies_but(&[IValue::Object(self.root.clone())], shared);
        match copies.map_err(|e| Failure::StateDict(e.to_string()))?.pop() {
            Some(IValue::Object(o)) => Ok(o),
            _ => Err(Failure::StateDict("a module's copy is none".into()).into()),
        }
    }
}
