//! Classes and signatures: what `torch.class_type` and `torch.schema` say, as the Program's classes and parameters.

use crate::Error;
use crate::constants::with_members;
use crate::lower::{Lowering, argument_name, attribute_name, kind, type_of};
use crate::types::general;
use sconce_graph::unit::{Attribute as UnitAttribute, AttributeKind, ClassKind as UnitKind};
use sconce_interpreter::program::{Attribute, Class, ClassKind, Function, Parameter, Role};
use sconce_ir::OperationRef;
use sconce_ir::prelude::*;
use sconce_schema::Type;
use std::sync::Arc;

/// `module`, `class`, `interface`, …: what the instances are.
const CLASS_KIND: &str = "torch.class_kind";
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
            let methods = class.methods.iter().map(|(name, _)| name);
            self.callable.extend(methods.chain(&class.required).cloned());
            self.numbers.put_class(&mut self.program, class);
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
        let read = sconce_import::class_from_dialect(op).map_err(|e| self.malformed(op.location(), e.to_string()))?;
        let mut class = Class { name: read.name, kind: kind_of(&read.kind), ..Class::default() };
        let constants = read.constants.into_iter();
        class.constants = constants.map(|(name, _, v)| (name, with_members(v, &self.program.classes))).collect();
        class.required = read.interface.into_iter().map(|m| m.name).collect();
        for member in op.body(0).map(|b| b.ops()).unwrap_or_default() {
            let path = member.attr("function").and_then(attr::symbol_value).unwrap_or_default();
            if let (Some(name), Some(f)) = (member.str_attr("name"), path.first().and_then(|s| self.symbols.get(s))) {
                class.methods.push((name.into(), *f));
            }
        }
        let slots = read.attributes.into_iter();
        let slot = |a: UnitAttribute| Attribute { name: a.name, ty: general(&a.ty), role: role_of(a.kind) };
        class.set_attributes(slots.map(slot).collect());
        Ok(class)
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
        let known = self.numbers.class(&class);
        let number = known.unwrap_or_else(|| {
            let made = Class { name: class.clone(), ..Class::default() };
            self.numbers.put_class(&mut self.program, made)
        });
        let class = &mut self.program.classes[number as usize];
        if let Some(name) = attribute_name(op).filter(|n| class.methods.is_empty() && class.attribute(n).is_none()) {
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
        let ty = |t| sconce_torch::types::from_mlir(t).unwrap_or(Type::Any);
        let arguments = f.body(0).map(|b| b.args()).unwrap_or_default();
        let text = f.str_attr(SCHEMA);
        let schema = text.and_then(sconce_import::schema::read).filter(|(params, _)| params.len() == inputs.len());
        let parameters = inputs.iter().enumerate().map(|(i, t)| {
            if let Some((params, _)) = &schema {
                let p = &params[i];
                let default = p.default.clone().map(|v| with_members(v, &self.program.classes));
                return Parameter { name: p.name.clone(), ty: ty(*t), default, kwarg_only: p.keyword_only };
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

fn kind_of(kind: &UnitKind) -> ClassKind {
    match kind {
        UnitKind::Module => ClassKind::Module,
        UnitKind::Script => ClassKind::Class,
        UnitKind::Interface => ClassKind::Interface,
        UnitKind::ModuleInterface => ClassKind::ModuleInterface,
        UnitKind::Enum { .. } => ClassKind::Enum,
        UnitKind::NamedTuple => ClassKind::NamedTuple,
    }
}

fn role_of(kind: AttributeKind) -> Role {
    match kind {
        AttributeKind::Parameter => Role::Parameter,
        AttributeKind::Buffer => Role::Buffer,
        AttributeKind::Plain => Role::Attribute,
    }
}
