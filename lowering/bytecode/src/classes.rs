//! Classes and signatures: what `torch.class_type` and `torch.schema` say, as the Program's classes and parameters.

use crate::lower::{Lowering, argument_name, attribute_name, kind, type_of};
use crate::types::general;
use crate::{Error, constants};
use sconce_interpreter::program::{Attribute, Class, ClassKind, Function, Parameter, Role};
use sconce_ir::OperationRef;
use sconce_ir::prelude::*;
use sconce_kernels::defaults::default_value;
use sconce_schema::{FunctionSchema, Type};
use sconce_syntax::graph_text;
use std::sync::Arc;

/// `module`, `class`, `interface`, …: what the instances are.
const CLASS_KIND: &str = "torch.class_kind";
/// Schemas of the methods that an interface asks for; `torch.method` names functions with a body.
const METHODS: &str = "torch.methods";
/// `parameter` or `buffer`, of an attribute.
const ATTRIBUTE_KIND: &str = "torch.kind";
/// The literal that a constant of the class is.
const CONSTANT: &str = "torch.constant";
/// A function's schema as PyTorch prints it, with the defaults.
const SCHEMA: &str = "torch.schema";

impl Lowering<'_> {
    /// Classes that are declared, and those that only attribute accesses tell of (an inlined listing declares none).
    pub fn classes(&mut self, top: &[OperationRef<'_, '_>]) -> Result<(), Error> {
        let mut declared: Vec<OperationRef<'_, '_>> =
            top.iter().copied().filter(|op| op.is("torch.class_type")).collect();
        // A constant of another class may be a member of an enumeration.
        declared.sort_by_key(|op| op.str_attr(CLASS_KIND) != Some("enum"));
        for op in declared {
            let class = self.class(op)?;
            self.program.classes.push(class);
        }
        for f in top.iter().filter(|op| op.is("func.func")) {
            f.walk_pre(&mut |op| {
                self.mention(op);
                Walk::Advance
            });
        }
        Ok(())
    }

    fn class(&self, op: OperationRef<'_, '_>) -> Result<Class, Error> {
        let word = op.str_attr(CLASS_KIND).unwrap_or("module");
        let kind = ClassKind::from_word(word)
            .ok_or_else(|| self.malformed(op.location(), format!("`{word}` is no kind of class")))?;
        let mut class = Class { name: op.symbol_name().unwrap_or_default().into(), kind, ..Class::default() };
        let mut slots = Vec::new();
        for member in op.body(0).map(|b| b.ops()).unwrap_or_default() {
            let name: Arc<str> = member.str_attr("name").unwrap_or_default().into();
            if member.is("torch.attr") {
                let ty = member.attr("type").and_then(attr::type_value).and_then(sconce_graph::types::from_mlir);
                let ty = ty.unwrap_or(Type::Any);
                match member.str_attr(CONSTANT) {
                    Some(literal) => class.constants.push((name, self.literal(member, literal, &ty)?)),
                    None => slots.push(Attribute { name, ty, role: role(member) }),
                }
            } else if member.is("torch.method") {
                let path = member.attr("function").and_then(attr::symbol_value).unwrap_or_default();
                class.methods.extend(path.first().and_then(|s| self.symbols.get(s)).map(|f| (name, *f)));
            }
        }
        let schemas = op.attr(METHODS).and_then(attr::strings_value).unwrap_or_default();
        class.required.extend(schemas.into_iter().filter_map(|s| s.split('(').next()).map(Arc::from));
        class.set_attributes(slots);
        Ok(class)
    }

    fn literal(&self, member: OperationRef<'_, '_>, literal: &str, ty: &Type) -> Result<sconce_tensor::IValue, Error> {
        let value = graph_text::read_attribute_value(literal).ok();
        let value = value.and_then(|v| constants::of_attribute(&v, ty, &self.program.classes));
        value.ok_or_else(|| self.malformed(member.location(), format!("`{literal}` is no constant of type {ty}")))
    }

    /// An access to an attribute of a class that is not declared declares the attribute.
    fn mention(&mut self, op: OperationRef<'_, '_>) {
        let kind = kind(op);
        let (class, value) = match kind.as_str() {
            "prim::GetAttr" => (op.operand_value(0), op.result_value(0)),
            "prim::SetAttr" => (op.operand_value(0), op.operand_value(1)),
            "prim::CreateObject" => (op.result_value(0), None),
            _ => return,
        };
        let Some(Type::Class(class)) = class.map(type_of) else { return };
        let classes = &mut self.program.classes;
        let at = classes.iter().position(|c| c.name == class).unwrap_or_else(|| {
            classes.push(Class { name: class.clone(), ..Class::default() });
            classes.len() - 1
        });
        let class = &mut classes[at];
        if let Some(name) = attribute_name(op).filter(|n| class.attribute(n).is_none() && class.methods.is_empty()) {
            let mut attributes = std::mem::take(&mut class.attributes);
            let ty = value.map_or(Type::Any, |v| general(&type_of(v)));
            attributes.push(Attribute { name: name.into(), ty, role: Role::Attribute });
            class.set_attributes(attributes);
        }
    }

    /// The class of a `with` statement's object, if it is one that would have to be called and cannot be: its methods are elsewhere.
    pub fn lacks_with_methods(&self, op: OperationRef<'_, '_>) -> Option<String> {
        let Some(Type::Class(name)) = op.operand_value(0).map(type_of) else { return None };
        // Profiling is nobody's concern here.
        let is_silent = name.starts_with("__torch__.torch.autograd.grad_mode.") || name.contains(".profiler.");
        let class = self.program.class(&name).map(|(_, c)| c);
        let known = class.is_some_and(|c| c.kind.is_interface() || c.method("__enter__").is_some());
        (!is_silent && !known).then(|| name.to_string())
    }

    pub fn signature(&mut self, f: OperationRef<'_, '_>) -> Result<Function, Error> {
        let name = f.symbol_name().unwrap_or_default();
        let (inputs, results) =
            f.signature().ok_or_else(|| self.malformed(f.location(), format!("@{name} has no signature")))?;
        let ty = |t| sconce_graph::types::from_mlir(t).unwrap_or(Type::Any);
        let arguments = f.body(0).map(|b| b.args()).unwrap_or_default();
        let text = f.str_attr(SCHEMA);
        let schema = text.and_then(|t| t.parse::<FunctionSchema>().ok()).filter(|s| s.arguments.len() == inputs.len());
        let parameters = inputs.iter().enumerate().map(|(i, t)| {
            if let Some(schema) = &schema {
                let a = &schema.arguments[i];
                let default = a.default.as_ref().map(|d| default_value(d, a));
                return Parameter { name: a.name.clone(), ty: ty(*t), default, kwarg_only: a.kwarg_only };
            }
            let said = arguments.get(i).and_then(|v| argument_name(*v));
            // `self.1` is called `self` by callers.
            let name = said.map_or_else(|| format!("{i}"), |n| n.split('.').next().unwrap_or(&n).to_owned());
            Parameter::new(name, ty(*t))
        });
        Ok(Function {
            name: name.into(),
            parameters: parameters.collect(),
            results: results.into_iter().map(ty).collect(),
            schema: text.map(Arc::from),
            ..Function::default()
        })
    }
}

fn role(member: OperationRef<'_, '_>) -> Role {
    match member.str_attr(ATTRIBUTE_KIND) {
        Some("parameter") => Role::Parameter,
        Some("buffer") => Role::Buffer,
        _ => Role::Attribute,
    }
}
