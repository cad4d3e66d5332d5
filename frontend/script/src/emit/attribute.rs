//! Attributes: of tensors, named tuples, objects, enumerations, modules and namespaces; read, asked for and set.

use super::builtins;
use super::function::Emitter;
use super::matching::Formal;
use super::sugared::{Form, Sugared};
use super::{Compiler, Result};
use crate::graph::{Attr, Loc, ValueId};
use crate::unit::{Attribute, AttributeKind, ClassKind, Param};
use sconce_schema::types::Bindings;
use sconce_schema::{DType, Type};
use sconce_tensor::{EnumValue, IValue};
use std::rc::Rc;
use std::sync::Arc;

/// `x.float()` and the like; what they convert to.
fn cast_method(name: &str) -> Option<DType> {
    Some(match name {
        "byte" => DType::U8,
        "char" => DType::I8,
        "double" => DType::F64,
        "float" => DType::F32,
        "cfloat" => DType::C64,
        "cdouble" => DType::C128,
        "int" => DType::I32,
        "long" => DType::I64,
        "short" => DType::I16,
        "half" => DType::F16,
        _ => return None,
    })
}

impl Emitter<'_> {
    /// `sugared.name`
    pub fn attr(&mut self, sugared: &Sugared, place: &Loc, name: &str) -> Result<Sugared> {
        let found = match sugared {
            Sugared::Value(v) => self.value_attr(*v, place, name)?,
            Sugared::Constant(..) => {
                let value = self.as_value(sugared, place)?;
                self.value_attr(value, place, name)?
            }
            Sugared::Namespace(path) => self.namespace_attr(&path.clone(), place, name)?,
            Sugared::Module(module, value) => self.module_attr(&module.clone(), *value, place, name)?,
            Sugared::Class(class) => self.class_attr(class, place, name)?,
            Sugared::Enum(class) => self.enum_attr(class, place, name)?,
            Sugared::Custom(custom) => custom.clone().attr(self, place, name)?,
            other => {
                return Err(self.error(place, format!("attribute lookup is not defined on {}", self.kind(other))));
            }
        };
        Ok(self.materialized(found, place))
    }

    pub(super) fn has_attr(&mut self, sugared: &Sugared, place: &Loc, name: &str) -> Result<bool> {
        match sugared {
            Sugared::Value(v) => match self.ty(*v).clone() {
                Type::NamedTuple(t) => Ok(t.fields.iter().any(|(n, _)| **n == *name)),
                Type::Class(class) => Ok(self.compiler.has_method(&class, name)
                    || self.compiler.unit.classes.get(&class).is_some_and(|c| {
                        c.attribute(name).is_some() || c.constants.iter().any(|(n, ..)| &**n == name)
                    })),
                _ => Err(self.error(
                    place,
                    format!("hasattr's first argument must be an object or NamedTuple, got {} instead", self.repr(*v)),
                )),
            },
            Sugared::Module(module, _) => Ok(self.module_has_attr(module, name)),
            Sugared::Class(class) => Ok(self.compiler.is_declared(&format!("{class}.{name}"))),
            Sugared::Custom(custom) => custom.clone().has_attr(self, place, name),
            other => Err(self.error(place, format!("attribute lookup is not defined on {}", self.kind(other)))),
        }
    }

    fn value_attr(&mut self, value: ValueId, place: &Loc, name: &str) -> Result<Sugared> {
        let ty = self.ty(value).clone();
        if ty.is_tensor()
            && let Some(dtype) = cast_method(name)
        {
            return Ok(Sugared::TensorCast { dtype, receiver: value });
        }
        if let Some(operator) = self.property(&ty, name) {
            return self.operator(None, &operator, &[value]).map(Sugared::Value);
        }
        match &ty {
            Type::NamedTuple(t) => {
                if let Some(i) = t.fields.iter().position(|(n, _)| **n == *name) {
                    let index = self.constant(IValue::Int(i as i64), None);
                    let field = t.fields[i].1.clone();
                    return Ok(Sugared::Value(self.value("prim::TupleIndex", &[value, index], field, None)));
                }
            }
            Type::Class(class) => {
                if let Some(found) = self.object_attr(value, &class.clone(), place, name)? {
                    return Ok(found);
                }
            }
            Type::Enum(class) => match name {
                "name" => return Ok(Sugared::Value(self.value("prim::EnumName", &[value], Type::Str, None))),
                "value" => {
                    let ty = match self.compiler.unit.classes.get(class).map(|c| &c.kind) {
                        Some(ClassKind::Enum { value }) => value.clone(),
                        _ => Type::Any,
                    };
                    return Ok(Sugared::Value(self.value("prim::EnumValue", &[value], ty, None)));
                }
                _ => {}
            },
            _ => {}
        }
        self.method_of_value(value, &ty, place, name)
    }

    /// The operator that a property of tensors, devices and optionals is.
    fn property(&self, ty: &Type, name: &str) -> Option<String> {
        let prim = format!("prim::{name}");
        match ty {
            Type::Tensor(_) if builtins::ATEN_PROPERTIES.contains(&name) => Some(format!("aten::{name}")),
            Type::Tensor(_) => builtins::PRIM_PROPERTIES.contains(&name).then_some(prim),
            Type::Device if matches!(name, "type" | "index") => Some(prim),
            Type::Optional(_) if name == "unchecked_unwrap_optional" => Some(prim),
            _ => None,
        }
    }

    /// An operator as a method: one whose `self` takes the value.
    fn method_of_value(&mut self, value: ValueId, ty: &Type, place: &Loc, name: &str) -> Result<Sugared> {
        if name == "type"
            && let Some(bound) = self.bound_operator(value, ty, "aten::to")
        {
            return Ok(bound);
        }
        if let Some(bound) = self.bound_operator(value, ty, &format!("aten::{name}")) {
            return Ok(bound);
        }
        if ty.is_tensor() {
            match name {
                "tolist" => return Ok(Sugared::Form(Form::ToList)),
                "__getitem__" => return Ok(Sugared::Form(Form::GetItem)),
                _ => {}
            }
        }
        let mut message = format!("'{}' object has no attribute or method '{name}'.", self.repr(value));
        if let Type::Class(class) = ty {
            let variables = self.compiler.class_variables.get(class);
            if variables.is_some_and(|v| v.iter().any(|n| **n == *name)) {
                message.push_str(&format!(
                    " '{name}' is defined as a class attribute which currently is not supported. Consider converting this to an \
                     instance attribute."
                ));
            } else {
                message.push_str(" Did you forget to initialize an attribute in __init__()?");
            }
        }
        Err(self.error(place, message))
    }

    fn bound_operator(&mut self, value: ValueId, ty: &Type, operator: &str) -> Option<Sugared> {
        let takes = |formal: &Formal| {
            if &*formal.name != "self" {
                return false;
            }
            let mut bindings = Bindings::default();
            formal.ty.match_variables(ty, &mut bindings).is_ok_and(|t| ty.is_subtype_of(&t))
        };
        let fits = self.signatures(operator).iter().any(|s| s.formals.iter().any(takes));
        fits.then(|| Sugared::Builtin { name: Arc::from(operator), receiver: Some(value) })
    }

    /// Methods, attributes and properties of an object.
    fn object_attr(&mut self, object: ValueId, class: &str, place: &Loc, name: &str) -> Result<Option<Sugared>> {
        if self.compiler.has_method(class, name) {
            return Ok(Some(Sugared::Method { object, names: Rc::from([Arc::from(name)]) }));
        }
        let Some(definition) = self.compiler.unit.classes.get(class) else { return Ok(None) };
        if let Some(attribute) = definition.attribute(name) {
            let ty = attribute.ty.clone();
            return Ok(Some(Sugared::Value(self.get_attribute(object, name, ty))));
        }
        if let Some((_, getter, _)) = definition.properties.iter().find(|p| &*p.0 == name).cloned() {
            return self.call_method(place, object, &getter, &[], &[]).map(Some);
        }
        let constant = definition.constants.iter().find(|(n, ..)| &**n == name).cloned();
        Ok(constant.map(|(_, ty, value)| Sugared::Constant(ty, value)))
    }

    fn class_attr(&mut self, class: &Arc<str>, place: &Loc, name: &str) -> Result<Sugared> {
        if name == "__new__" {
            return Ok(Sugared::Form(Form::CreateObject));
        }
        let qualified = format!("{class}.{name}");
        if let Some(function) = self.compiler.statics.get(qualified.as_str()) {
            return Ok(Sugared::function(function));
        }
        if let Some(method) = self.compiler.class_methods.get(qualified.as_str()) {
            return Ok(Sugared::Python(method.clone()));
        }
        if self.compiler.is_declared(&qualified) {
            return Ok(Sugared::function(&qualified));
        }
        Err(self.error(
            place,
            format!("Tried to lookup unknown attribute on class {}", self.compiler.class_type(class).annotation_str()),
        ))
    }

    fn enum_attr(&mut self, class: &Arc<str>, place: &Loc, name: &str) -> Result<Sugared> {
        let member = self
            .compiler
            .unit
            .classes
            .get(class)
            .and_then(|c| c.constants.iter().find(|(n, ..)| &**n == name))
            .map(|(name, _, value)| EnumValue { class: class.clone(), name: name.clone(), value: value.clone() });
        match member {
            Some(member) => Ok(Sugared::Constant(Type::Enum(class.clone()), IValue::Enum(Arc::new(member)))),
            None => {
                let class = self.repr_type(&Type::Enum(class.clone()));
                Err(self.error(place, format!("{class}' has no attribute '{name}'")))
            }
        }
    }

    // -- setting

    pub(super) fn set_attr(&mut self, sugared: &Sugared, place: &Loc, name: &str, new: ValueId) -> Result<()> {
        let object = match sugared {
            Sugared::Value(v) | Sugared::Module(_, v) => *v,
            other => {
                return Err(self.error(place, format!("attribute assignment is not defined on {}", self.kind(other))));
            }
        };
        let Type::Class(class) = self.ty(object).clone() else {
            return Err(
                self.error(place, format!("Tried to set an attribute: {name} on a non-class: {}", self.repr(object)))
            );
        };
        let known = self.compiler.unit.classes.get(&class).and_then(|c| c.attribute(name)).map(|a| a.ty.clone());
        let wanted = match known {
            Some(ty) => ty,
            None if self.is_initializing(&class) => self.new_attribute(&class, place, name, new)?,
            None => return self.set_property(object, &class, place, name, new),
        };
        let new = self.convert_attribute(place, &wanted, new)?;
        let actual = self.ty(new).clone();
        if !self.compiler.is_subtype(&actual, &wanted) {
            return Err(self.error(
                place,
                format!(
                    "Wrong type for attribute assignment. Expected {} but got {}",
                    self.repr_type(&wanted),
                    self.repr(new)
                ),
            ));
        }
        let node = self.node("prim::SetAttr", &[object, new], None);
        self.graph.set_attr(node, "name", Attr::Str(Arc::from(name)));
        Ok(())
    }

    /// A `[]` becomes a list of what the attribute holds.
    fn convert_attribute(&mut self, place: &Loc, wanted: &Type, new: ValueId) -> Result<ValueId> {
        if self.is_empty_list_literal(new) { self.convert(Some(place), wanted, new, false) } else { Ok(new) }
    }

    fn is_initializing(&self, class: &str) -> bool {
        let first = self.graph.block_inputs(self.graph.root()).first();
        self.name.ends_with(".__init__") && first.is_some_and(|v| *self.ty(*v) == Type::Class(Arc::from(class)))
    }

    /// `__init__` makes the attributes.
    fn new_attribute(&mut self, class: &Arc<str>, place: &Loc, name: &str, new: ValueId) -> Result<Type> {
        let ty = self.ty(new).clone();
        if mentions(&ty, class) {
            return Err(self.error(
                place,
                format!(
                    "Assignment to attribute '{name}' cannot be of a type that contains class '{class}'.\nClasses that recursively \
                     contain instances of themselves are not yet supported"
                ),
            ));
        }
        if self.block() != self.graph.root() {
            return Err(self.error(
                place,
                "First assignment cannot be in a control-flow block. Initialize the field at the top level first",
            ));
        }
        if let Some(c) = self.compiler.unit.classes.get_mut(class) {
            c.attributes.push(Attribute { name: Arc::from(name), ty: ty.clone(), kind: AttributeKind::Plain });
        }
        Ok(ty)
    }

    fn set_property(&mut self, object: ValueId, class: &str, place: &Loc, name: &str, new: ValueId) -> Result<()> {
        let property = self
            .compiler
            .unit
            .classes
            .get(class)
            .and_then(|c| c.properties.iter().find(|p| &*p.0 == name))
            .map(|p| p.2.clone());
        match property {
            Some(Some(setter)) => self.call_method(place, object, &setter, &[new.into()], &[]).map(drop),
            Some(None) => Err(self.error(place, format!("Tried to set read-only attribute: {name}"))),
            None => Err(self.error(
                place,
                format!("Tried to set nonexistent attribute: {name}. Did you forget to initialize it in __init__()?"),
            )),
        }
    }
}

/// Does a type contain a class?
fn mentions(ty: &Type, class: &str) -> bool {
    match ty {
        Type::Class(name) => **name == *class,
        Type::List(t) | Type::Optional(t) | Type::Future(t) | Type::Await(t) | Type::RRef(t) => mentions(t, class),
        Type::Dict(k, v) => mentions(k, class) || mentions(v, class),
        Type::Tuple(ts) | Type::Union(ts) => ts.iter().any(|t| mentions(t, class)),
        Type::NamedTuple(t) => t.fields.iter().any(|(_, t)| mentions(t, class)),
        _ => false,
    }
}

impl Compiler {
    /// Has a class (or interface) this method?
    pub fn has_method(&self, class: &str, name: &str) -> bool {
        match self.unit.classes.get(class) {
            Some(c) if c.interface.iter().any(|m| &*m.name == name) => true,
            Some(c) if c.has_method(name) => true,
            Some(c) => c.is_module() && self.is_declared(&format!("{class}.{name}")),
            None => false,
        }
    }

    /// Parameters and result of a method, which is compiled for it.
    pub(super) fn method_signature(&mut self, class: &str, name: &str, place: &Loc) -> Result<(Vec<Param>, Type)> {
        if let Some(m) = self.unit.classes.get(class).and_then(|c| c.interface.iter().find(|m| &*m.name == name)) {
            return Ok((m.params.clone(), m.returns.clone()));
        }
        let in_batch = self.batches.iter().any(|(c, methods)| **c == *class && methods.named(name).is_some());
        let function = self.ensure_defined(&format!("{class}.{name}"), place)?;
        let (mut params, returns) = (function.params.clone(), function.returns.clone());
        if in_batch {
            params.iter_mut().for_each(|p| p.default = None);
        }
        Ok((params, returns))
    }
}
