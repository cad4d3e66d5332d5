//! Values that are known by looking at the graph stand as text where they are used: constants, lists of them, and what a module holds.

use crate::bounds::{MOST_ELEMENTS, MOST_LITERAL, cut};
use sconce_graph::graph::{Graph, NodeId, ValueId};
use sconce_graph::listing::{Names, attribute};
use sconce_schema::Type;

/// What is known of the values of a graph, by their numbers.
pub struct Literals {
    texts: Vec<Option<String>>,
    /// Which submodule a value is, from the function's own module on; empty for that.
    paths: Vec<Option<String>>,
}

impl Literals {
    pub fn of(graph: &Graph, names: &Names) -> Literals {
        let mut known = Literals { texts: vec![None; graph.value_count()], paths: vec![None; graph.value_count()] };
        if let Some(own) = graph.block_inputs(graph.root()).first().filter(|v| matches!(graph.ty(**v), Type::Class(_)))
        {
            known.paths[own.index()] = Some(String::new());
        }
        for node in graph.walk(graph.root()) {
            if let [output] = graph.outputs(node) {
                known.texts[output.index()] = known.node(graph, names, node, *output);
            }
        }
        known
    }

    /// The text in the place of a value.
    pub fn text(&self, value: ValueId) -> Option<&str> {
        self.texts[value.index()].as_deref()
    }

    /// `layers.0` of a value that is a submodule.
    pub fn path(&self, value: ValueId) -> Option<&str> {
        self.paths[value.index()].as_deref()
    }

    /// Is a node no box of its own?
    pub fn is_folded(&self, graph: &Graph, node: NodeId) -> bool {
        matches!(graph.outputs(node), [output] if self.text(*output).is_some())
    }

    fn node(&mut self, graph: &Graph, names: &Names, node: NodeId, output: ValueId) -> Option<String> {
        let inputs = graph.inputs(node);
        let text = match &**graph.kind(node) {
            "prim::Constant" => match graph.attrs(node).iter().find_map(|(name, a)| attribute(name, a)) {
                Some((_, value)) => value.to_string(),
                None if graph.attrs(node).is_empty() => "None".to_owned(),
                None => return None,
            },
            "prim::GetAttr" => {
                let (from, name) = (*inputs.first()?, graph.str_attr(node, "name")?);
                let base = match (self.path(from), self.text(from)) {
                    (Some(""), _) => names.get(from).to_owned(),
                    (_, Some(text)) => text.to_owned(),
                    _ => return None,
                };
                let path = self
                    .path(from)
                    .map(|path| if path.is_empty() { name.to_string() } else { format!("{path}.{name}") });
                // What is held by a path that is too long is not found by it.
                self.paths[output.index()] = path.filter(|path| path.len() <= crate::bounds::MOST_CHARACTERS);
                format!("{base}.{name}")
            }
            "prim::ListConstruct" => format!("[{}]", self.elements(inputs)?),
            "prim::TupleConstruct" => format!("({})", self.elements(inputs)?),
            _ => return None,
        };
        Some(cut(&text, MOST_LITERAL))
    }

    fn elements(&self, inputs: &[ValueId]) -> Option<String> {
        if inputs.len() > MOST_ELEMENTS {
            return None;
        }
        let texts: Option<Vec<&str>> = inputs.iter().map(|v| self.text(*v)).collect();
        texts.map(|texts| texts.join(", "))
    }
}
