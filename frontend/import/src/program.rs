//! A module that is to run becomes a unit whatever dialects it mixes: what graphs have no word for becomes a node named after the operation.
//!
//! | in MLIR | in the unit |
//! |---|---|
//! | `sconce.region "r"` | `sconce::region[name="r"]` with its body as a graph |
//! | `sconce.call_kernel "k"` | `sconce::call_kernel[name="k"]` |
//! | `func.call @f` | `prim::CallFunction` of a constant |
//! | `torch.overwrite.tensor.contents` | `aten::copy_` |
//! | `torch.runtime.assert` | the same, with its `message` |
//! | tensors as values | tensors; `torch.copy.*` between the two kinds are nodes |
//! | any other operation | a node of its name, which nobody can run |

use crate::from_dialect::{Reader, inexpressible, with_schema};
use crate::text::names;
use crate::{Error, classes};
use sconce_graph::graph::{Attr, BlockId, NodeId};
use sconce_graph::unit::{Function, Unit};
use sconce_ir::prelude::*;
use sconce_schema::Type as TorchType;
use sconce_source::SourceMap;
use sconce_tensor::IValue;
use std::sync::Arc;

/// The unit that a module's functions with a body are. Locations are places in `sources`, as far as they are known.
///
/// # Errors
/// Classes that are none, and values from outside of their function.
pub fn program_from_dialect(module: &Module<'_>, sources: &mut SourceMap) -> Result<Unit, Error> {
    let mut unit = Unit::default();
    let ops = module.as_operation().body(0).map(|b| b.ops()).unwrap_or_default();
    let symbols = SymbolTable::of(module.as_operation());
    for op in &ops {
        if op.is("torch.class_type") {
            let class = classes::read(*op)?;
            unit.classes.insert(class.name.clone(), class);
        } else if op.is("func.func") && op.body(0).is_some() && op.attr("torch.with").is_none() {
            let graph = Reader::new(&symbols, sources, true).function(*op)?;
            let f = with_schema(*op, graph);
            unit.functions.insert(f.name.clone(), f);
        }
    }
    for class in ops.iter().filter(|op| op.is("torch.class_type")) {
        methods_of_other_names(&mut unit, *class);
    }
    let entry = module.as_operation().attr("torch.entry").and_then(attr::symbol_value).unwrap_or_default();
    unit.entry = entry.first().map(|name| Arc::from(name.as_str()));
    Ok(unit)
}

/// A method is found by its class's name and its own; where the dialect calls its function otherwise, that function gets the name too.
fn methods_of_other_names(unit: &mut Unit, class: OperationRef<'_, '_>) {
    let owner = class.symbol_name().unwrap_or_default();
    for member in class.body(0).map(|b| b.ops()).unwrap_or_default() {
        let path = member.attr("function").and_then(attr::symbol_value).unwrap_or_default();
        let (Some(method), Some(f)) = (member.str_attr("name"), path.first()) else { continue };
        let name: Arc<str> = format!("{owner}.{method}").into();
        if !unit.functions.contains_key(&name)
            && let Some(f) = unit.functions.get(f.as_str())
        {
            let named = Function { name: name.clone(), ..f.clone() };
            unit.functions.insert(name, named);
        }
    }
}

impl<'c: 'a, 'a> Reader<'c, 'a, '_> {
    /// An operation that only programs have; `false` for those that are nodes of graphs, or unknown.
    pub fn program_node(&mut self, block: BlockId, op: OperationRef<'c, 'a>) -> Result<bool, Error> {
        let node = match op.op_name() {
            "sconce.region" => self.region(op)?,
            "sconce.call_kernel" => self.plain(op, "sconce::call_kernel")?,
            "torch.runtime.assert" => self.plain(op, "torch.runtime.assert")?,
            "func.call" => self.call(block, op)?,
            "torch.overwrite.tensor.contents" => self.overwrite(block, op)?,
            _ => return Ok(false),
        };
        let loc = self.loc(op, None);
        self.graph.set_loc(node, loc);
        let said = names::read(op.location(), op.result_values().len());
        self.results(op, node, said.names)?;
        self.graph.append(block, node);
        Ok(true)
    }

    /// A node with the operation's operands, its name or message.
    fn plain(&mut self, op: OperationRef<'c, 'a>, kind: &str) -> Result<NodeId, Error> {
        let inputs = self.operands(op)?;
        let node = self.graph.node(kind, &inputs);
        for name in ["name", "message"] {
            if let Some(text) = op.str_attr(name) {
                self.graph.set_attr(node, name, Attr::Str(text.into()));
            }
        }
        Ok(node)
    }

    fn region(&mut self, op: OperationRef<'c, 'a>) -> Result<NodeId, Error> {
        let node = self.plain(op, "sconce::region")?;
        let body = op.body(0).ok_or_else(|| inexpressible(op, "a region without a body".to_owned()))?;
        let mut inner = self.inner();
        let root = inner.graph.root();
        inner.block(root, body, &[])?;
        let inner = inner.graph;
        self.graph.set_attr(node, "Subgraph", Attr::Graph(Box::new(inner)));
        Ok(node)
    }

    fn call(&mut self, block: BlockId, op: OperationRef<'c, 'a>) -> Result<NodeId, Error> {
        let mut inputs = vec![self.callee(op, block)];
        inputs.extend(self.operands(op)?);
        Ok(self.graph.node("prim::CallFunction", &inputs))
    }

    /// `value overwrites tensor`, without waiting for devices.
    fn overwrite(&mut self, block: BlockId, op: OperationRef<'c, 'a>) -> Result<NodeId, Error> {
        let inputs = self.operands(op)?;
        let [value, target] = inputs[..] else {
            return Err(inexpressible(op, "overwriting takes a value and a tensor".to_owned()));
        };
        let blocking = self.graph.node("prim::Constant", &[]);
        self.graph.set_attr(blocking, "value", Attr::Value(IValue::Bool(false)));
        let flag = self.graph.add_output(blocking, None, TorchType::Bool);
        self.graph.append(block, blocking);
        Ok(self.graph.node("aten::copy_", &[target, value, flag]))
    }
}
