//! The invariants of a graph: every use is recorded and follows its definition, in its block or around it, and control flow has the shape it must have.

use crate::graph::{BlockId, Def, Graph, NodeId, Use, ValueId};
use crate::listing::Names;
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_schema::Type;

/// What does not hold, and of which node.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{node}: {invariant}")]
pub struct Finding {
    /// The node, as graph text begins it: `%4 : Tensor = aten::relu`.
    pub node: String,
    pub invariant: String,
}

/// Checks a graph, and the graphs that its nodes hold.
///
/// # Errors
/// The first invariant that does not hold.
pub fn lint(graph: &Graph) -> Result<(), Finding> {
    let mut linter = Linter {
        graph,
        names: Names::of(graph),
        visible: FxHashSet::default(),
        recorded: FxHashMap::default(),
        seen: FxHashSet::default(),
    };
    linter.block(graph.root(), None)
}

struct Linter<'g> {
    graph: &'g Graph,
    names: Names,
    visible: FxHashSet<ValueId>,
    /// Uses on record of the values that were defined so far.
    recorded: FxHashMap<Use, ValueId>,
    seen: FxHashSet<NodeId>,
}

impl Linter<'_> {
    fn finding(&self, node: Option<NodeId>, invariant: String) -> Finding {
        let text = |node: NodeId| {
            let outputs: Vec<String> = (self.graph.outputs(node).iter())
                .map(|v| format!("%{} : {}", self.names.get(*v), self.graph.ty(*v)))
                .collect();
            format!("{} = {}", outputs.join(", "), self.graph.kind(node)).trim_start().to_owned()
        };
        Finding { node: node.map_or_else(|| "return".to_owned(), text), invariant }
    }

    fn block(&mut self, block: BlockId, owner: Option<NodeId>) -> Result<(), Finding> {
        let graph = self.graph;
        let mut defined = Vec::new();
        for (i, value) in graph.block_inputs(block).iter().enumerate() {
            if graph.def(*value) != Def::Input(block, i as u32) {
                return Err(self.finding(
                    owner,
                    format!("%{} does not know that it is input {i} of its block", self.names.get(*value)),
                ));
            }
            self.define(*value, owner, &mut defined)?;
        }
        for node in graph.block_nodes(block) {
            self.node(*node, block, &mut defined)?;
        }
        for (i, value) in graph.block_outputs(block).iter().enumerate() {
            self.used(*value, Use::Block(block, i as u32), owner)?;
        }
        for value in defined {
            self.visible.remove(&value);
        }
        Ok(())
    }

    fn node(&mut self, node: NodeId, block: BlockId, defined: &mut Vec<ValueId>) -> Result<(), Finding> {
        let graph = self.graph;
        if graph.owner(node) != Some(block) {
            return Err(self.finding(Some(node), "it does not know the block that it is in".to_owned()));
        }
        if !self.seen.insert(node) {
            return Err(self.finding(Some(node), "it stands in the graph twice".to_owned()));
        }
        for (i, value) in graph.inputs(node).iter().enumerate() {
            self.used(*value, Use::Node(node, i as u32), Some(node))?;
        }
        self.shape(node)?;
        for inner in graph.blocks(node) {
            if graph.block_owner(*inner) != Some(node) {
                return Err(self.finding(Some(node), "a block of it belongs to another node".to_owned()));
            }
            self.block(*inner, Some(node))?;
        }
        for (i, value) in graph.outputs(node).iter().enumerate() {
            if graph.def(*value) != Def::Output(node, i as u32) {
                let name = self.names.get(*value).to_owned();
                return Err(
                    self.finding(Some(node), format!("%{name} does not know that it is output {i} of this node"))
                );
            }
            self.define(*value, Some(node), defined)?;
        }
        if let Some(crate::graph::Attr::Graph(inner)) = graph.attr(node, "Subgraph") {
            lint(inner)?;
        }
        Ok(())
    }

    fn define(&mut self, value: ValueId, node: Option<NodeId>, defined: &mut Vec<ValueId>) -> Result<(), Finding> {
        if !self.visible.insert(value) {
            let name = self.names.get(value).to_owned();
            return Err(self.finding(node, format!("%{name} is defined twice")));
        }
        defined.push(value);
        for u in self.graph.uses(value) {
            let says = match *u {
                Use::Node(n, i) => self.graph.input(n, i as usize),
                Use::Block(b, i) => self.graph.block_outputs(b).get(i as usize).copied(),
            };
            let name = || self.names.get(value);
            if says != Some(value) {
                return Err(self.finding(node, format!("%{} has a use on record that uses another value", name())));
            }
            if self.recorded.insert(*u, value).is_some() {
                return Err(self.finding(node, format!("%{} has a use on record more than once", name())));
            }
        }
        Ok(())
    }

    fn used(&self, value: ValueId, by: Use, node: Option<NodeId>) -> Result<(), Finding> {
        let name = self.names.get(value);
        if !self.visible.contains(&value) {
            return Err(self
                .finding(node, format!("%{name} is used where it is not defined before, in this block or around it")));
        }
        match self.recorded.get(&by) {
            Some(known) if *known == value => Ok(()),
            _ => Err(self.finding(node, format!("%{name} has no record of this use"))),
        }
    }

    /// Arity and types of `if` and loop.
    fn shape(&self, node: NodeId) -> Result<(), Finding> {
        let graph = self.graph;
        let (outputs, blocks) = (graph.outputs(node).len(), graph.blocks(node));
        let broken = match &**graph.kind(node) {
            "prim::If" => {
                let bool_in = matches!(graph.inputs(node), [v] if *graph.ty(*v) == Type::Bool);
                if !bool_in {
                    Some("an if has one operand, a bool".to_owned())
                } else if blocks.len() != 2 {
                    Some("an if has two blocks".to_owned())
                } else {
                    (blocks.iter())
                        .find(|b| graph.block_outputs(**b).len() != outputs || !graph.block_inputs(**b).is_empty())
                        .map(|_| format!("both blocks of an if take nothing and pass on as many values as it has outputs, {outputs}"))
                }
            }
            "prim::Loop" => match blocks {
                [body] => {
                    let (ins, outs) = (graph.block_inputs(*body).len(), graph.block_outputs(*body).len());
                    let fine = graph.inputs(node).len() == outputs + 2 && ins == outputs + 1 && outs == outputs + 1;
                    let condition = graph.block_outputs(*body).first().map(|v| graph.ty(*v));
                    if !fine {
                        Some(format!(
                            "a loop with {outputs} outputs takes {} operands, and its block {} inputs and outputs",
                            outputs + 2,
                            outputs + 1
                        ))
                    } else if condition != Some(&Type::Bool) {
                        Some("a loop's block passes on a bool first".to_owned())
                    } else {
                        None
                    }
                }
                _ => Some("a loop has one block".to_owned()),
            },
            _ => None,
        };
        broken.map_or(Ok(()), |invariant| Err(self.finding(Some(node), invariant)))
    }
}
