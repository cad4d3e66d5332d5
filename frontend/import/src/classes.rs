//! Classes as `torch.class_type`, and back.

use crate::Error;
use crate::constants::{Constants, from_attribute};
use crate::text::node::Nodes;
use sconce_graph::listing::{read_value, value_text};
use sconce_graph::schema_text as schema;
use sconce_graph::unit::{Attribute as UnitAttribute, AttributeKind, Class, ClassKind, InterfaceMethod, Unit};
use sconce_ir::prelude::*;
use sconce_schema::Type;
use sconce_syntax::graph_text;
use sconce_tensor::IValue;
use std::sync::Arc;

/// `module`, `class`, `interface`, `module_interface`, `enum`, `named_tuple`.
const CLASS_KIND: &str = "torch.class_kind";
/// Schemas of the methods that an interface asks for.
const METHODS: &str = "torch.methods";
/// `parameter` or `buffer`, of an attribute.
const ATTRIBUTE_KIND: &str = "torch.kind";
/// The literal that a constant of the class is; where no literal says it, `torch.value` does.
const CONSTANT: &str = "torch.constant";
const VALUE: &str = "torch.value";
/// `[["scale", "scale_getter", "scale_setter"], …]`
const PROPERTIES: &str = "torch.properties";
const HOOKS: [&str; 2] = ["torch.forward_pre_hooks", "torch.forward_hooks"];
/// What the values of an enumeration without members are.
const ENUM_VALUE: &str = "torch.enum_value";
/// A type that says more than the dialect's.
const TYPES: &str = "torch.types";

fn word(kind: &ClassKind) -> &'static str {
    match kind {
        ClassKind::Module => "module",
        ClassKind::Script => "class",
        ClassKind::Interface => "interface",
        ClassKind::ModuleInterface => "module_interface",
        ClassKind::Enum { .. } => "enum",
        ClassKind::NamedTuple => "named_tuple",
    }
}

/// Puts `torch.class_type` for a class of a unit.
pub(crate) fn class_type<'c: 'a, 'a>(
    top: &Builder<'c, 'a>,
    nodes: &mut Nodes<'c>,
    constants: &mut Constants,
    unit: &Unit,
    class: &Class,
) -> Result<(), Error> {
    let context = top.context();
    let unknown = Location::unknown(context);
    let op = top
        .op("torch.class_type", unknown)
        .attr("sym_name", attr::string(context, &class.name))
        .attr(CLASS_KIND, attr::string(context, word(&class.kind)))
        .block_region(&[])
        .build()?;
    let Some(body) = op.body(0) else { return Ok(()) };
    let at = Builder::at_end(context, body);
    let mut member = |name: &str, ty: &Type| {
        let none = || Error::NoType { function: class.name.to_string(), ty: ty.clone() };
        let mlir = nodes.mlir_type(ty).ok_or_else(none)?;
        let op =
            at.op("torch.attr", unknown).attr("name", attr::string(context, name)).attr("type", attr::r#type(mlir));
        let op = op.build()?;
        if let Some(kept) = nodes.kept([ty], &[mlir]) {
            op.set_attr(TYPES, kept);
        }
        Ok::<_, Error>(op)
    };
    let constant = |op: OperationRef<'c, '_>, ty: &Type, value: &IValue, constants: &mut Constants| {
        let text = value_text(value);
        // The literal is there for whoever reads it; it must read back as the value to stand alone.
        let same =
            read_value(&text, ty).is_some_and(|back| value_text(&back) == text) && !matches!(value, IValue::Enum(_));
        op.set_attr(CONSTANT, attr::string(context, &text.to_string()));
        if !same && let Some(structured) = constants.attribute(context, value, 0) {
            op.set_attr(VALUE, structured);
        }
    };
    for attribute in &class.attributes {
        let op = member(&attribute.name, &attribute.ty)?;
        match attribute.kind {
            AttributeKind::Parameter => op.set_attr(ATTRIBUTE_KIND, attr::string(context, "parameter")),
            AttributeKind::Buffer => op.set_attr(ATTRIBUTE_KIND, attr::string(context, "buffer")),
            AttributeKind::Plain => {}
        }
        // A named tuple's field says its default itself: a class has one member of a name.
        if let Some((_, ty, value)) = class.constants.iter().find(|(name, ..)| *name == attribute.name) {
            constant(op, ty, value, constants);
        }
    }
    for (name, ty, value) in class.constants.iter().filter(|(name, ..)| class.attribute(name).is_none()) {
        let op = member(name, ty)?;
        constant(op, ty, value, constants);
    }
    for method in &class.methods {
        let symbol = format!("{}.{method}", class.name);
        if unit.functions.contains_key(symbol.as_str()) {
            let op = at.op("torch.method", unknown).attr("name", attr::string(context, method));
            op.attr("function", attr::symbol(context, &symbol)).build()?;
        }
    }
    at.op("torch.class_type_terminator", unknown).build()?;
    describe(op, class);
    Ok(())
}

/// What a class says beside its members.
fn describe(op: OperationRef<'_, '_>, class: &Class) {
    let context = op.context_ref();
    if !class.interface.is_empty() {
        let schemas: Vec<String> =
            class.interface.iter().map(|m| schema::readable(&m.name, &m.params, &m.returns)).collect();
        let schemas: Vec<&str> = schemas.iter().map(String::as_str).collect();
        op.set_attr(METHODS, attr::strings(context, &schemas));
    }
    if !class.properties.is_empty() {
        let rows: Vec<_> = (class.properties.iter())
            .map(|(name, getter, setter)| {
                let mut row: Vec<&str> = vec![name, getter];
                row.extend(setter.as_deref());
                attr::strings(context, &row)
            })
            .collect();
        op.set_attr(PROPERTIES, attr::array(context, &rows));
    }
    for (name, hooks) in HOOKS.iter().zip([&class.forward_pre_hooks, &class.forward_hooks]) {
        if !hooks.is_empty() {
            op.set_attr(name, attr::strings(context, &hooks.iter().map(|h| &**h).collect::<Vec<_>>()));
        }
    }
    if let ClassKind::Enum { value } = &class.kind {
        op.set_attr(ENUM_VALUE, attr::string(context, &value.to_string()));
    }
}

/// The class that a `torch.class_type` says.
pub fn read(op: OperationRef<'_, '_>) -> Result<Class, Error> {
    let strings = |name: &str| op.attr(name).and_then(attr::strings_value).unwrap_or_default();
    let malformed = |what: &str| Error::Inexpressible {
        place: None,
        message: format!("the class @{}: {what}", op.symbol_name().unwrap_or_default()),
    };
    let kind = match op.str_attr(CLASS_KIND).unwrap_or("module") {
        "module" => ClassKind::Module,
        "class" => ClassKind::Script,
        "interface" => ClassKind::Interface,
        "module_interface" => ClassKind::ModuleInterface,
        "enum" => {
            let value = op.str_attr(ENUM_VALUE).and_then(|t| sconce_schema::types::parse(t).ok());
            ClassKind::Enum { value: value.unwrap_or(Type::Int) }
        }
        "named_tuple" => ClassKind::NamedTuple,
        other => return Err(malformed(&format!("`{other}` is no kind of class"))),
    };
    let mut class = Class::new(op.symbol_name().unwrap_or_default().into(), kind);
    for member in op.body(0).map(|b| b.ops()).unwrap_or_default() {
        let name: Arc<str> = member.str_attr("name").unwrap_or_default().into();
        if member.is("torch.method") {
            class.methods.push(name);
        } else if member.is("torch.attr") {
            let mlir = member
                .attr("type")
                .and_then(attr::type_value)
                .ok_or_else(|| malformed("an attribute without a type"))?;
            let kept = member.attr(TYPES).and_then(attr::array_value).and_then(|k| k.first().copied());
            let ty = crate::text::value_type(mlir, kept)
                .ok_or_else(|| malformed(&format!("{mlir} is no type of a value")))?;
            match member.str_attr(CONSTANT) {
                Some(literal) => {
                    let value = match member.attr(VALUE) {
                        Some(structured) => from_attribute(structured, 0),
                        None => graph_text::read_attribute_value(literal).ok().and_then(|v| read_value(&v, &ty)),
                    };
                    let value = value.ok_or_else(|| malformed(&format!("`{literal}` is no constant of type {ty}")))?;
                    if class.kind == ClassKind::NamedTuple {
                        let (name, ty) = (name.clone(), ty.clone());
                        class.attributes.push(UnitAttribute { name, ty, kind: AttributeKind::Plain });
                    }
                    class.constants.push((name, ty, value));
                }
                None => {
                    let kind = match member.str_attr(ATTRIBUTE_KIND) {
                        Some("parameter") => AttributeKind::Parameter,
                        Some("buffer") => AttributeKind::Buffer,
                        _ => AttributeKind::Plain,
                    };
                    class.attributes.push(UnitAttribute { name, ty, kind });
                }
            }
        }
    }
    for text in strings(METHODS) {
        let (params, returns) = schema::read(text).ok_or_else(|| malformed(&format!("`{text}` is no schema")))?;
        let name = text.split('(').next().unwrap_or_default().into();
        class.interface.push(InterfaceMethod { name, params, returns });
    }
    for row in op.attr(PROPERTIES).and_then(attr::array_value).unwrap_or_default() {
        let row = attr::strings_value(row).unwrap_or_default();
        if let [name, getter, rest @ ..] = row.as_slice() {
            class.properties.push(((*name).into(), (*getter).into(), rest.first().map(|s| (*s).into())));
        }
    }
    let hooks = |name: &str| strings(name).into_iter().map(Arc::from).collect();
    class.forward_pre_hooks = hooks(HOOKS[0]);
    class.forward_hooks = hooks(HOOKS[1]);
    Ok(class)
}
