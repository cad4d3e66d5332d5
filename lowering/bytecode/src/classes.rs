//! Classes and signatures: what a unit's classes and functions say, as the Program's classes and parameters.

use crate::Error;
use crate::constants::with_members;
use crate::lower::Lowering;
use crate::types::{declared, general};
use sconce_graph::graph::{Graph, NodeId};
use sconce_graph::schema_text;
use sconce_graph::unit::{self, AttributeKind, ClassKind as UnitKind, Unit};
use sconce_interpreter::program::{Attribute, Class, ClassKind, Function, Parameter, Role};
use sconce_schema::Type;

impl Lowering<'_> {
    /// Classes that are declared, and those that only attribute accesses tell of (an inlined listing declares none).
    pub fn classes(&mut self, unit: &Unit, graphs: &[&Graph]) -> Result<(), Error> {
        // A constant of another class may be a member of an enumeration.
        let is_enum = |class: &&unit::Class| matches!(class.kind, UnitKind::Enum { .. });
        let (enums, others): (Vec<_>, Vec<_>) = unit.classes.values().partition(is_enum);
        for class in enums.into_iter().chain(others) {
            let class = self.class(class);
            let methods = class.methods.iter().map(|(name, _)| name);
            self.callable.extend(methods.chain(&class.required).cloned());
            self.numbers.put_class(&mut self.program, class);
        }
        for graph in graphs {
            for node in graph.walk(graph.root()) {
                self.mention(graph, node);
            }
        }
        Ok(())
    }

    fn class(&self, declared: &unit::Class) -> Class {
        let mut class = Class { name: declared.name.clone(), kind: kind_of(&declared.kind), ..Class::default() };
        let constants = declared.constants.iter();
        class.constants = constants.map(|(n, _, v)| (n.clone(), with_members(v, &self.program.classes))).collect();
        class.required = declared.interface.iter().map(|m| m.name.clone()).collect();
        for method in &declared.methods {
            if let Some(f) = self.symbols.get(&*format!("{}.{method}", declared.name)) {
                class.methods.push((method.clone(), *f));
            }
        }
        let slot = |a: &unit::Attribute| Attribute { name: a.name.clone(), ty: general(&a.ty), role: role_of(a.kind) };
        class.set_attributes(declared.attributes.iter().map(slot).collect());
        class
    }

    /// An access to an attribute of a class that is not declared declares the attribute.
    fn mention(&mut self, graph: &Graph, node: NodeId) {
        let (class, value) = match &**graph.kind(node) {
            "prim::GetAttr" => (graph.input(node, 0), graph.output(node)),
            "prim::SetAttr" => (graph.input(node, 0), graph.input(node, 1)),
            "prim::CreateObject" => (graph.output(node), None),
            _ => return,
        };
        let Some(Type::Class(class)) = class.map(|v| graph.ty(v)) else { return };
        let number = self.numbers.class(class).unwrap_or_else(|| {
            let made = Class { name: class.clone(), ..Class::default() };
            self.numbers.put_class(&mut self.program, made)
        });
        let class = &mut self.program.classes[number as usize];
        let named = graph.str_attr(node, "name");
        if let Some(name) = named.filter(|n| class.methods.is_empty() && class.attribute(n).is_none()) {
            let mut attributes = std::mem::take(&mut class.attributes);
            let ty = value.map_or(Type::Any, |v| general(graph.ty(v)));
            attributes.push(Attribute { name: name.clone(), ty, role: Role::Attribute });
            class.set_attributes(attributes);
        }
    }

    /// The class of a `with` statement's object, if it is one that would have to be called and cannot be: its methods are elsewhere.
    pub fn lacks_with_methods(&self, graph: &Graph, node: NodeId) -> Option<String> {
        let Some(Type::Class(name)) = graph.input(node, 0).map(|v| graph.ty(v)) else { return None };
        // Profiling is nobody's concern here.
        let is_silent = name.starts_with("__torch__.torch.autograd.grad_mode.") || name.contains(".profiler.");
        let class = self.program.class(name).map(|(_, c)| c);
        let known = class.is_some_and(|c| c.kind.is_interface() || c.method("__enter__").is_some());
        (!is_silent && !known).then(|| name.to_string())
    }

    pub fn signature(&self, f: &unit::Function) -> Function {
        let graph = &f.graph;
        let inputs = graph.block_inputs(graph.root());
        let parameter = |(p, v): (&unit::Param, _)| Parameter {
            name: p.name.clone(),
            ty: declared(graph.ty(v)),
            default: p.default.as_ref().map(|v| with_members(v, &self.program.classes)),
            kwarg_only: p.keyword_only,
        };
        let results = match graph.block_outputs(graph.root()) {
            [_] => vec![declared(&f.returns)],
            several => several.iter().map(|v| declared(graph.ty(*v))).collect(),
        };
        Function {
            name: f.name.clone(),
            parameters: f.params.iter().zip(inputs.iter().copied()).map(parameter).collect(),
            results,
            schema: Some(schema_text::text(&f.name, &f.params, &f.returns).into()),
            ..Function::default()
        }
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
