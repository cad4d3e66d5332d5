//! Calls whose target is known are replaced by the target's body, as deep as they go; what is left are calls that an object decides when it is there.

use super::Error;
use crate::graph::{Attr, Graph, NodeId, ValueId};
use crate::unit::{ClassKind, Unit};
use rustc_hash::FxHashMap;
use sconce_schema::Type;
use std::rc::Rc;
use std::sync::Arc;

/// How deep calls may be nested.
const MAX_DEPTH: usize = 200;

/// How many nodes a graph may grow to: functions that call others twice each double with every level.
const MAX_NODES: usize = 4_000_000;

/// A copy of a graph with all calls of functions and of methods of classes inlined.
pub fn inline(unit: &Unit, graph: &Graph) -> Result<Graph, Error> {
    let mut inliner = Inliner { unit, done: FxHashMap::default(), depth: 0 };
    let mut out = graph.clone();
    inliner.graph(&mut out)?;
    Ok(out)
}

struct Inliner<'a> {
    unit: &'a Unit,
    done: FxHashMap<Arc<str>, Rc<Graph>>,
    depth: usize,
}

impl Inliner<'_> {
    fn graph(&mut self, graph: &mut Graph) -> Result<(), Error> {
        for node in graph.walk(graph.root()) {
            if graph.owner(node).is_none() {
                continue;
            }
            if let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") {
                let mut inner = inner.clone();
                self.graph(&mut inner)?;
                graph.set_attr(node, "Subgraph", Attr::Graph(inner));
            }
            let Some((target, skipped)) = self.target(graph, node) else { continue };
            let body = self.body(&target)?;
            let inputs = graph.inputs(node)[skipped..].to_vec();
            if graph.node_count() + body.node_count() > MAX_NODES {
                return Err(Error::Malformed {
                    node: target.to_string(),
                    what: "the inlined graph is too large".to_owned(),
                });
            }
            let results = graph.insert_graph(node, &body, &inputs);
            let outputs: Vec<ValueId> = graph.outputs(node).to_vec();
            for (old, new) in outputs.iter().zip(&results) {
                graph.replace_uses(*old, *new);
            }
            graph.erase(node);
        }
        Ok(())
    }

    /// The function that a node calls, and how many operands are not its arguments.
    fn target(&self, graph: &Graph, node: NodeId) -> Option<(Arc<str>, usize)> {
        let first = graph.input(node, 0)?;
        match &**graph.kind(node) {
            "prim::CallFunction" => {
                let constant = graph.defining(first)?;
                graph.attrs(constant).iter().find_map(|(_, a)| match a {
                    Attr::Function(name) => Some((name.clone(), 1)),
                    _ => None,
                })
            }
            "prim::CallMethod" => {
                let Type::Class(class) = graph.ty(first) else { return None };
                let kind = &self.unit.classes.get(class)?.kind;
                if matches!(kind, ClassKind::Interface | ClassKind::ModuleInterface) {
                    return None;
                }
                let name: Arc<str> = format!("{class}.{}", graph.str_attr(node, "name")?).into();
                Some((name, 0))
            }
            _ => None,
        }
    }

    fn body(&mut self, name: &Arc<str>) -> Result<Rc<Graph>, Error> {
        if let Some(known) = self.done.get(name) {
            return Ok(known.clone());
        }
        let function = self.unit.functions.get(name).ok_or_else(|| Error::Malformed {
            node: name.to_string(),
            what: "it is called and not defined".to_owned(),
        })?;
        if self.depth >= MAX_DEPTH {
            return Err(Error::Malformed { node: name.to_string(), what: "calls are nested too deeply".to_owned() });
        }
        self.depth += 1;
        let mut body = function.graph.clone();
        self.graph(&mut body)?;
        self.depth -= 1;
        let body = Rc::new(body);
        self.done.insert(name.clone(), body.clone());
        Ok(body)
    }
}
