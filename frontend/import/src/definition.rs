//! The definition of a composite operator as a function of the torch dialect, which passes put in the place of the operator's calls.

use crate::Error;
use crate::to_dialect::Importer;
use sconce_graph::graph::{BlockId, Graph, NodeId, Point, ValueId};
use sconce_graph::unit::Unit;
use sconce_ir::prelude::*;
use sconce_ir::{Context, Location, Module};
use sconce_kernels::composite::{Block, Definition, Operand, Step, What};
use sconce_schema::Type;
use std::ops::Range;

/// A module with one function, `@name`, that computes what the definition says.
///
/// # Errors
/// As [`to_dialect`](crate::to_dialect()): types and constants that the dialect cannot hold.
pub fn definition_to_dialect<'c>(
    context: &'c Context,
    name: &str,
    definition: &Definition,
) -> Result<Module<'c>, Error> {
    let graph = graph_of(name, definition)?;
    sconce_ir::context::load(context, &["func", "torch"]);
    let module = Module::new(Location::unknown(context));
    let top = Builder::at_end(context, module.body());
    Importer::new(context, &Unit::default()).graph(&top, name, &graph, None, 0)?;
    sconce_ir::text::verify(module.as_operation())?;
    Ok(module)
}

fn graph_of(name: &str, definition: &Definition) -> Result<Graph, Error> {
    let graph = Graph::new();
    let root = graph.root();
    let mut writer = Writer { name, definition, graph, values: vec![None; definition.types.len()] };
    writer.block(&definition.body, root, &[])?;
    Ok(writer.graph)
}

struct Writer<'d> {
    name: &'d str,
    definition: &'d Definition,
    graph: Graph,
    /// By the definition's number.
    values: Vec<Option<ValueId>>,
}

impl Writer<'_> {
    fn types(&self, values: Range<u32>) -> Vec<Type> {
        values.map(|i| self.definition.types[i as usize].clone()).collect()
    }

    /// An operand as it is passed on as a type, where that is known.
    fn operand(&mut self, block: BlockId, operand: Operand, wanted: Option<&Type>) -> Result<ValueId, Error> {
        let exact = wanted.filter(|t| !matches!(t, Type::Optional(_) | Type::None | Type::Any | Type::Var(_)));
        let mut at = self.graph.insert_point_guard(Point::End(block));
        let i = match operand {
            Operand::Value(i) | Operand::Last(i) => i as usize,
            Operand::Constant(i) => {
                let value = &self.definition.constants[i as usize];
                return Ok(match exact {
                    // What is read on no path to its use is None in a definition.
                    Some(ty) if value.is_none() => at.insert_value("prim::Uninitialized", &[], ty.clone()),
                    _ => at.insert_constant(value.clone()),
                });
            }
        };
        let value = self.values[i]
            .ok_or_else(|| Error::Undefined { function: self.name.to_owned(), what: format!("value {i}") })?;
        Ok(match (&self.definition.types[i], exact) {
            // A definition that asked whether something is None knows what it has.
            (Type::Optional(inner), Some(_)) => {
                at.insert_value("prim::unchecked_unwrap_optional", &[value], (**inner).clone())
            }
            _ => value,
        })
    }

    fn operands(&mut self, block: BlockId, operands: &[Operand], wanted: &[Type]) -> Result<Vec<ValueId>, Error> {
        let each = operands.iter().enumerate();
        each.map(|(i, operand)| self.operand(block, *operand, wanted.get(i))).collect()
    }

    fn block(&mut self, said: &Block, block: BlockId, wanted: &[Type]) -> Result<(), Error> {
        for i in said.inputs.clone() {
            let ty = self.definition.types[i as usize].clone();
            self.values[i as usize] = Some(self.graph.add_input(block, None, ty));
        }
        said.steps.iter().try_for_each(|step| self.step(step, block))?;
        let results = self.operands(block, &said.results, wanted)?;
        self.graph.set_block_outputs(block, &results);
        Ok(())
    }

    fn step(&mut self, step: &Step, block: BlockId) -> Result<(), Error> {
        let results = self.types(step.results.clone());
        // The types that operands are passed on as.
        let wanted = match &step.what {
            What::Call(callee) => callee.entry.schema().arguments.iter().map(|a| a.ty.clone()).collect(),
            // How many turns at most, whether there is a first one, and what the first one begins with.
            What::Loop(_) => [Type::Int, Type::Bool].into_iter().chain(results.iter().cloned()).collect(),
            _ => Vec::new(),
        };
        let operands = self.operands(block, &step.operands, &wanted)?;
        let kind = match &step.what {
            What::Call(callee) => &*callee.entry.schema().name,
            What::List(_) => "prim::ListConstruct",
            What::Tuple => "prim::TupleConstruct",
            What::Unpack if operands.first().is_some_and(|v| matches!(self.graph.ty(*v), Type::List(_))) => {
                "prim::ListUnpack"
            }
            What::Unpack => "prim::TupleUnpack",
            What::If(_) => "prim::If",
            What::Loop(_) => "prim::Loop",
            What::Raise => "prim::RaiseException",
        };
        let node = self.graph.node(kind, &operands);
        self.graph.append(block, node);
        if let What::Call(callee) = &step.what {
            self.graph.set_overload(node, callee.entry);
        }
        for (i, ty) in step.results.clone().zip(&results) {
            self.values[i as usize] = Some(self.graph.add_output(node, None, ty.clone()));
        }
        match &step.what {
            What::If(blocks) => blocks.iter().try_for_each(|inner| self.inner(inner, node, &results)),
            What::Loop(body) => {
                // A body says first whether there is another turn.
                let left: Vec<Type> = std::iter::once(Type::Bool).chain(results).collect();
                self.inner(body, node, &left)
            }
            _ => Ok(()),
        }
    }

    fn inner(&mut self, said: &Block, node: NodeId, wanted: &[Type]) -> Result<(), Error> {
        let block = self.graph.add_block(node);
        self.block(said, block, wanted)
    }
}
