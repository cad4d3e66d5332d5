//! Calls: of functions by name, of graphs that nodes hold, and of compiled regions, which have a function to fall back to.

use crate::lower::{Body, Lowering, RegionArtifact, copies};
use crate::nodes::{function_constant, int_attr};
use crate::snapshots::may_alias;
use crate::types::general;
use crate::{Error, REGION};
use sconce_graph::graph::{Graph, NodeId};
use sconce_interpreter::program::{Function, FunctionId, Op, Region, Register};
use sconce_schema::Type;
use sconce_tensor::IValue;
use std::sync::Arc;

impl Lowering<'_> {
    /// A node with a graph of its own: a region, a task, or a group that PyTorch made and that is run where it stands.
    pub fn held_graph(&mut self, body: &mut Body<'_>, node: NodeId, inner: &Graph) -> Result<(), Error> {
        let Some(f) = self.held.get(&std::ptr::from_ref(inner)).copied() else {
            let message = format!("{} refers to a graph that is not there", body.graph.kind(node));
            return Err(self.malformed(body.graph, node, message));
        };
        match &**body.graph.kind(node) {
            REGION => self.region(body, node, f),
            "prim::fork" => self.emit(body, node, Op::Fork(f)),
            _ => self.emit(body, node, Op::CallFunction(f)),
        }
    }

    /// `prim::CallFunction(%f, …)` with `%f : Function = prim::Constant[name="f"]`.
    pub fn call_function(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        let graph = body.graph;
        let callee = graph.input(node, 0);
        if callee.and_then(|v| graph.defining(v)).and_then(|c| int_attr(graph, c, "fallback")) == Some(1) {
            return self.fall_back(body, node);
        }
        let Some(name) = callee.and_then(|v| function_constant(graph, v)) else {
            return Err(self.malformed(graph, node, "prim::CallFunction of an unknown function"));
        };
        let Some(f) = self.named_function(name, graph, node) else {
            self.refuse(body, node, format!("prim::CallFunction of `{name}`, which is not in the module"));
            body.results(node);
            return Ok(());
        };
        let mut inputs = Vec::new();
        for i in 1..graph.inputs(node).len() {
            inputs.push(self.operand(body, node, i)?);
        }
        self.emit_with(body, node, Op::CallFunction(f), &inputs);
        Ok(())
    }

    /// The function of this name. A text gives the last part of the qualified name only; of several functions the operands' types tell which is meant.
    fn named_function(&self, name: &Arc<str>, graph: &Graph, node: NodeId) -> Option<FunctionId> {
        if let Some(f) = self.symbols.get(name) {
            return Some(*f);
        }
        let types: Vec<Type> = graph.inputs(node)[1..].iter().map(|v| general(graph.ty(*v))).collect();
        let named = |f: &Function| f.name.strip_suffix(&**name).is_some_and(|rest| rest.ends_with('.'));
        let takes = |f: &Function| {
            f.parameters.len() == types.len()
                && f.parameters.iter().zip(&types).all(|(p, ty)| ty.is_subtype_of(&general(&p.ty)))
        };
        let functions = &self.program.functions;
        let found = functions.iter().position(|f| named(f) && takes(f)).or_else(|| functions.iter().position(named));
        found.map(|f| f as FunctionId)
    }

    /// A call of what PyTorch's executor runs when a check of types fails: graph text does not hold that function.
    fn fall_back(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        let message = "the arguments are not of the types that this graph was optimised for, and its text does not hold the general form";
        let message = self.constant(IValue::str(message));
        let text = body.fresh();
        let place = self.place(body, node);
        body.function.push(Op::Constant(message), [text], [], None);
        body.function.push(Op::Raise, [], copies(&[text]), place);
        for result in body.results(node) {
            body.function.push(Op::Uninitialized, [result], [], None);
        }
        Ok(())
    }

    /// Does a node of this kind hold the graph?
    pub fn is_region(&self, graph: &Graph) -> bool {
        self.regions.contains(&std::ptr::from_ref(graph))
    }

    /// A compiled region gives tensors of their own; so does its stand-in.
    pub fn own_results(&mut self, body: &mut Body<'_>, results: &mut [Register]) {
        let graph = body.graph;
        let yielded = graph.block_outputs(graph.root());
        for (i, (r, v)) in results.iter_mut().zip(yielded).enumerate() {
            let repeated = yielded[..i].contains(v);
            if graph.ty(*v).is_tensor() && (repeated || may_alias(graph, *v)) {
                let copy = body.fresh();
                body.function.push(Op::CopyTensor, [copy], copies(&[*r]), None);
                *r = copy;
            }
        }
    }

    /// A region runs its function when there is no code for it or a guard fails.
    fn region(&mut self, body: &mut Body<'_>, node: NodeId, fallback: FunctionId) -> Result<(), Error> {
        let name = body.graph.str_attr(node, "name").cloned().unwrap_or_else(|| "".into());
        self.emit_region(body, node, name, fallback)
    }

    pub fn call_kernel(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        let name = body.graph.str_attr(node, "name").cloned().unwrap_or_else(|| "".into());
        match self.symbols.get(&name).copied() {
            Some(fallback) => self.emit_region(body, node, name, fallback),
            None => {
                let message = format!("a call of the kernel \"{name}\" without a function of that name");
                Err(self.malformed(body.graph, node, message))
            }
        }
    }

    /// The kernel is told in front of the matrices which side the shared one is on.
    pub fn batch_side(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        let side = self.told(body, node, "side")?;
        let inputs: Vec<_> = std::iter::once(side).chain(self.operands(body, node)?).collect();
        let operator = self.numbers.operator(&mut self.program, body.graph.kind(node));
        self.emit_with(body, node, Op::Call(operator), &inputs);
        Ok(())
    }

    /// `cat` of what a group of PyTorch's fuser has, without a list.
    pub fn fused_concat(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        let dim = self.told(body, node, "dim")?;
        let inputs: Vec<_> = self.operands(body, node)?.into_iter().chain([dim]).collect();
        let operator = self.numbers.operator(&mut self.program, "prim::VarConcat");
        self.emit_with(body, node, Op::Call(operator), &inputs);
        Ok(())
    }

    /// A register with a number that a node has as an attribute.
    fn told(&mut self, body: &mut Body<'_>, node: NodeId, name: &str) -> Result<Register, Error> {
        let Some(number) = int_attr::<i64>(body.graph, node, name) else {
            let message = format!("{} without a number `{name}`", body.graph.kind(node));
            return Err(self.malformed(body.graph, node, message));
        };
        let constant = self.constant(IValue::Int(number));
        let told = body.fresh();
        body.function.push(Op::Constant(constant), [told], [], None);
        Ok(told)
    }

    fn emit_region(
        &mut self,
        body: &mut Body<'_>,
        node: NodeId,
        name: Arc<str>,
        fallback: FunctionId,
    ) -> Result<(), Error> {
        let RegionArtifact { guards, codes } = self.artifacts.get(&*name).cloned().unwrap_or_default();
        self.program.regions.push(Region { name, fallback, guards, codes });
        let id = (self.program.regions.len() - 1) as u32;
        self.emit(body, node, Op::Region(id))
    }
}
