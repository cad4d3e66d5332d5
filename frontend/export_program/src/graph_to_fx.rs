//! A graph of TorchScript without control flow is one of FX: constants stand where they are used, lists and tuples in the arguments, and what a call need not say is left out.

use crate::lower::python_function;
use rustc_hash::FxHashMap;
use sconce_fx::{Argument, Node, NodeId as FxNode, Op};
use sconce_graph::graph::{Graph, NodeId, ValueId};
use sconce_schema::{Argument as Formal, DType, Layout, MemoryFormat, OpEntry, Type};
use sconce_source::Loc;
use sconce_tensor::IValue;

/// What of a graph FX cannot say.
#[derive(Debug, thiserror::Error)]
#[error("{kind}: {what}")]
pub struct Inexpressible {
    /// The node's kind, `graph` for inputs and results.
    pub kind: String,
    pub what: String,
    /// Where it was written.
    pub place: Option<Loc>,
}

/// The FX graph that computes what the graph computes.
///
/// # Errors
/// Blocks (`prim::If`, `prim::Loop`), attributes, constants that are tensors or objects, and operators that FX graphs do not call.
pub fn graph_to_fx(graph: &Graph) -> Result<sconce_fx::Graph, Inexpressible> {
    let mut writer = Writer { from: graph, to: sconce_fx::Graph::default(), values: FxHashMap::default() };
    let root = graph.root();
    for value in graph.block_inputs(root) {
        let name = writer.to.unique_name(&identifier(graph.name(*value).map_or("arg", |name| name)));
        let node = writer.push(None, Node::new(Op::Placeholder, name.clone(), name))?;
        writer.values.insert(*value, Argument::Node(node));
    }
    for node in graph.block_nodes(root) {
        writer.node(*node)?;
    }
    let results = graph.block_outputs(root).iter().map(|v| writer.value(None, *v)).collect::<Result<Vec<_>, _>>()?;
    let result = match results.len() {
        1 => results.into_iter().next().unwrap_or(Argument::None),
        _ => Argument::Tuple(results),
    };
    let name = writer.to.unique_name("output");
    writer.push(None, Node::new(Op::Output, name, "output").with_args([result]))?;
    Ok(writer.to)
}

/// A value's name as one of Python's: `x.1` is `x_1`.
fn identifier(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if plain.starts_with(|c: char| c.is_ascii_digit()) || plain.is_empty() { format!("_{plain}") } else { plain }
}

/// A constant as the argument that it is where a value of the type is expected.
fn constant(value: &IValue, wanted: Option<&Type>) -> Option<Argument> {
    let wanted = wanted.map(|ty| if let Type::Optional(inner) = ty { &**inner } else { ty });
    let numbered = |n: i64| match wanted {
        Some(Type::ScalarType) => DType::from_number(n).map(Argument::DType),
        Some(Type::Layout) => Layout::from_number(n).map(Argument::Layout),
        Some(Type::MemoryFormat) => MemoryFormat::ALL.into_iter().find(|f| f.number() == n).map(Argument::MemoryFormat),
        _ => Some(Argument::Int(n)),
    };
    let members = |items: &[IValue], element: Option<&Type>| -> Option<Vec<Argument>> {
        items.iter().map(|v| constant(v, element)).collect()
    };
    Some(match value {
        IValue::None => Argument::None,
        IValue::Bool(b) => Argument::Bool(*b),
        IValue::Int(n) => numbered(*n)?,
        IValue::Double(x) => Argument::Float(*x),
        IValue::Complex(c) => Argument::Complex(c.re, c.im),
        IValue::Str(s) => Argument::Str(s.to_string()),
        IValue::Device(device) => Argument::Device((**device).clone()),
        IValue::List(list) => {
            let element = if let Some(Type::List(element)) = wanted { Some(&**element) } else { None };
            Argument::List(members(&list.to_vec(), element)?)
        }
        IValue::Tuple(tuple) => Argument::Tuple(members(&tuple.items, None)?),
        _ => return None,
    })
}

struct Writer<'g> {
    from: &'g Graph,
    to: sconce_fx::Graph,
    values: FxHashMap<ValueId, Argument>,
}

impl Writer<'_> {
    fn wrong(&self, node: Option<NodeId>, what: impl Into<String>) -> Inexpressible {
        let kind = node.map_or("graph".to_owned(), |node| self.from.kind(node).to_string());
        Inexpressible { kind, what: what.into(), place: node.and_then(|node| self.from.loc(node).cloned()) }
    }

    fn push(&mut self, from: Option<NodeId>, node: Node) -> Result<FxNode, Inexpressible> {
        self.to.push(node).map_err(|e| self.wrong(from, e.to_string()))
    }

    fn value(&self, node: Option<NodeId>, value: ValueId) -> Result<Argument, Inexpressible> {
        let known = self.values.get(&value).cloned();
        known.ok_or_else(|| self.wrong(node, "a value of another block is used"))
    }

    /// The arguments of a node as FX has them: those of the schema's types.
    fn arguments(&self, node: NodeId, formals: &[Formal]) -> Result<Vec<Argument>, Inexpressible> {
        let argument = |(at, value): (usize, &ValueId)| match self.from.constant(*value) {
            Some(known) => constant(known, formals.get(at).map(|formal| &formal.ty))
                .ok_or_else(|| self.wrong(Some(node), format!("a constant of kind {} has no text", known.kind()))),
            None => self.value(Some(node), *value),
        };
        self.from.inputs(node).iter().enumerate().map(argument).collect()
    }

    fn node(&mut self, node: NodeId) -> Result<(), Inexpressible> {
        let outputs = self.from.outputs(node);
        match (&**self.from.kind(node), outputs) {
            ("prim::Constant", [out]) => {
                // What has no text is refused where it is used.
                if let Some(known) = self.from.constant(*out).and_then(|value| constant(value, None)) {
                    self.values.insert(*out, known);
                }
            }
            ("prim::ListConstruct", [out]) => {
                let items = self.arguments(node, &[])?;
                self.values.insert(*out, Argument::List(items));
            }
            ("prim::TupleConstruct", [out]) => {
                let items = self.arguments(node, &[])?;
                self.values.insert(*out, Argument::Tuple(items));
            }
            ("prim::ListUnpack" | "prim::TupleUnpack", _) => match &self.arguments(node, &[])?[..] {
                [Argument::Node(of)] => self.members(node, *of)?,
                [one] if one.items().is_some_and(|items| items.len() == outputs.len()) => {
                    let items = one.items().unwrap_or_default().to_vec();
                    self.values.extend(outputs.iter().copied().zip(items));
                }
                _ => return Err(self.wrong(Some(node), "it is not known what there is to take apart")),
            },
            _ => self.call(node)?,
        }
        Ok(())
    }

    /// A node for each result that is used.
    fn members(&mut self, node: NodeId, of: FxNode) -> Result<(), Inexpressible> {
        for (at, out) in (0..).zip(self.from.outputs(node)) {
            if self.from.uses(*out).is_empty() {
                continue;
            }
            let name = self.to.unique_name("getitem");
            let get = Node::new(Op::CallFunction, name, "operator.getitem")
                .with_args([Argument::Node(of), Argument::Int(at)]);
            let member = self.push(Some(node), get)?;
            self.values.insert(*out, Argument::Node(member));
        }
        Ok(())
    }

    fn call(&mut self, node: NodeId) -> Result<(), Inexpressible> {
        if !self.from.blocks(node).is_empty() {
            return Err(self.wrong(Some(node), "FX has blocks only as graphs of their own"));
        }
        let entry = self.from.overload(node).ok_or_else(|| self.wrong(Some(node), "it is no operator of FX"))?;
        let outputs = self.from.outputs(node);
        let base = entry.base_name().rsplit("::").next().unwrap_or("node").to_owned();
        let name = self.to.unique_name(&base);
        let schema = entry.schema();
        let of_tensors = schema.arguments.iter().chain(&schema.returns).any(|a| a.ty.is_tensor());
        let made = match python_function(entry.base_name()).filter(|_| !of_tensors) {
            Some(function) => {
                let args = self.arguments(node, &schema.arguments)?;
                Node::new(Op::CallFunction, name, function).with_args(args)
            }
            None => self.said(node, entry, Node::new(Op::CallFunction, name, target(entry)))?,
        };
        let made = self.push(Some(node), made)?;
        match outputs {
            [one] => _ = self.values.insert(*one, Argument::Node(made)),
            _ => self.members(node, made)?,
        }
        Ok(())
    }

    /// The node with its arguments by place and by name, without those at the end that the schema would give.
    fn said(&self, node: NodeId, entry: &OpEntry, made: Node) -> Result<Node, Inexpressible> {
        let formals = &entry.schema().arguments;
        let given = self.arguments(node, formals)?;
        let (mut args, mut kwargs) = (Vec::new(), Vec::new());
        for (argument, formal) in given.into_iter().zip(formals) {
            let left_out = formal.default.as_ref().is_some_and(|default| argument.is_default(default, formal));
            match (formal.kwarg_only, left_out) {
                (true, true) => {}
                (true, false) => kwargs.push((formal.name.to_string(), argument)),
                (false, _) => args.push((argument, left_out)),
            }
        }
        while args.last().is_some_and(|(_, left_out)| *left_out) {
            args.pop();
        }
        Ok(made.with_args(args.into_iter().map(|(argument, _)| argument)).with_kwargs(kwargs))
    }
}

/// `torch.ops.aten.add.Tensor`
fn target(entry: &OpEntry) -> String {
    let schema = entry.schema();
    let name = schema.name.replace("::", ".");
    // Of sizes FX asks for symbols.
    let name = if name == "aten.size" { "aten.sym_size" } else { &name };
    let overload = if schema.overload.is_empty() { "default" } else { &schema.overload };
    format!("torch.ops.{name}.{overload}")
}
