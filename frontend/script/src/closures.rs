//! Bodies of `fork` become graphs of their own: what they use from outside is handed to them as arguments.
//!
//! The compiler emits `prim::Closure` with a block, and `prim::forkClosure` of it. Here both become `prim::fork(captured…)` with the block as
//! [`Attr::Graph`]. A closure that is not forked keeps its context: a tuple of closure and captured values.

use crate::graph::{Attr, BlockId, Graph, NodeId, ValueId};
use crate::passes;
use crate::ssa::Error;
use rustc_hash::FxHashMap;
use sconce_schema::Type;

/// Lifts all closures of a graph, and inlines those that are forked.
///
/// # Errors
/// A fork of what is no closure, or of one with parameters.
pub fn lift(graph: &mut Graph) -> Result<(), Error> {
    // Innermost last: a closure's own closures are lifted with it.
    lift_in(graph, graph.root())?;
    for node in graph.walk(graph.root()) {
        if graph.is(node, "prim::forkClosure") {
            fork(graph, node)?;
        }
    }
    Ok(())
}

fn lift_in(graph: &mut Graph, block: BlockId) -> Result<(), Error> {
    for node in graph.block_nodes(block).to_vec() {
        if graph.is(node, "prim::Closure") && !graph.blocks(node).is_empty() {
            lift_closure(graph, node)?;
        } else {
            for inner in graph.blocks(node).to_vec() {
                lift_in(graph, inner)?;
            }
        }
    }
    Ok(())
}

fn lift_closure(graph: &mut Graph, closure: NodeId) -> Result<(), Error> {
    let (mut body, captured) = extract(graph, graph.blocks(closure)[0]);
    lift(&mut body)?;
    graph.erase_block(closure, 0);
    graph.set_attr(closure, "Subgraph", Attr::Graph(Box::new(body)));
    let Some(output) = graph.output(closure) else {
        return Err(Error::Malformed("prim::Closure".into(), "it has one output"));
    };
    let context_type = Type::Tuple(captured.iter().map(|v| graph.ty(*v).clone()).collect());
    let context = graph.node("prim::TupleConstruct", &captured);
    let context_value = graph.add_output(context, None, context_type.clone());
    graph.insert_after(closure, context);
    let pair = graph.node("prim::TupleConstruct", &[]);
    let pair_type = Type::Tuple([graph.ty(output).clone(), context_type].into());
    let pair_value = graph.add_output(pair, None, pair_type);
    graph.insert_after(context, pair);
    graph.replace_uses(output, pair_value);
    graph.add_operand(pair, output);
    graph.add_operand(pair, context_value);
    Ok(())
}

/// A block as a graph of its own, with what it uses from outside as inputs, in the order of use.
fn extract(graph: &Graph, block: BlockId) -> (Graph, Vec<ValueId>) {
    let mut moved = Extraction { from: graph, to: Graph::new(), known: FxHashMap::default(), captured: Vec::new() };
    let root = moved.to.root();
    moved.block(block, root);
    (moved.to, moved.captured)
}

struct Extraction<'g> {
    from: &'g Graph,
    to: Graph,
    known: FxHashMap<ValueId, ValueId>,
    captured: Vec<ValueId>,
}

impl Extraction<'_> {
    fn value(&mut self, value: ValueId) -> ValueId {
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let input = self.to.add_input(self.to.root(), self.from.name(value).map(|n| &**n), self.from.ty(value).clone());
        self.known.insert(value, input);
        self.captured.push(value);
        input
    }

    fn block(&mut self, block: BlockId, into: BlockId) {
        let from = self.from;
        for input in from.block_inputs(block) {
            let fresh = self.to.add_input(into, from.name(*input).map(|n| &**n), from.ty(*input).clone());
            self.known.insert(*input, fresh);
        }
        for node in from.block_nodes(block) {
            let inputs: Vec<ValueId> = from.inputs(*node).iter().map(|v| self.value(*v)).collect();
            let copy = self.to.node(from.kind(*node).clone(), &inputs);
            for (name, attr) in from.attrs(*node) {
                self.to.set_attr(copy, name.clone(), attr.clone());
            }
            self.to.set_loc(copy, from.loc(*node).cloned());
            for inner in from.blocks(*node) {
                let target = self.to.add_block(copy);
                self.block(*inner, target);
            }
            for output in from.outputs(*node) {
                let fresh = self.to.add_output(copy, from.name(*output).map(|n| &**n), from.ty(*output).clone());
                self.known.insert(*output, fresh);
            }
            self.to.append(into, copy);
        }
        let outputs: Vec<ValueId> = from.block_outputs(block).iter().map(|v| self.value(*v)).collect();
        self.to.set_block_outputs(into, &outputs);
    }
}

/// `prim::forkClosure(closure)` becomes `prim::fork(captured…)`.
fn fork(graph: &mut Graph, node: NodeId) -> Result<(), Error> {
    let cannot = |graph: &Graph| Error::Fork(graph.loc(node).cloned().map(Box::new));
    let pair = graph.input(node, 0).and_then(|v| graph.defining(v)).filter(|n| graph.is(*n, "prim::TupleConstruct"));
    let Some([closure, context]) = pair.and_then(|n| <[ValueId; 2]>::try_from(graph.inputs(n)).ok()) else {
        return Err(cannot(graph));
    };
    let (Some(closure), Some(context)) = (graph.defining(closure), graph.defining(context)) else {
        return Err(cannot(graph));
    };
    let Some(Attr::Graph(body)) = graph.attr(closure, "Subgraph") else { return Err(cannot(graph)) };
    let captured = graph.inputs(context).to_vec();
    if body.block_inputs(body.root()).len() != captured.len() {
        return Err(Error::ForkParameters(graph.loc(node).cloned().map(Box::new)));
    }
    // Once as a closure; the function it is in cleans it again with itself.
    let mut body = body.clone();
    passes::cleanup(&mut body);
    let Some(output) = graph.output(node) else {
        return Err(Error::Malformed("prim::forkClosure".into(), "it has one output"));
    };
    let fork = graph.node("prim::fork", &captured);
    graph.set_attr(fork, "Subgraph", Attr::Graph(body));
    graph.set_loc(fork, graph.loc(node).cloned());
    let (ty, name) = (graph.ty(output).clone(), graph.name(output).cloned());
    let value = graph.add_output(fork, name.as_deref(), ty);
    graph.insert_after(node, fork);
    graph.replace_uses(output, value);
    graph.erase(node);
    // Nobody else reads the closure: what made it goes with it.
    for made in pair.into_iter().chain([closure, context]) {
        if graph.outputs(made).iter().all(|v| graph.uses(*v).is_empty()) {
            graph.erase(made);
        }
    }
    Ok(())
}
