//! Every use names a value that is defined before it, in its block or around it.

use super::{Block, Graph, Listing, Node, Use, Value};
use crate::Span;
use rustc_hash::FxHashMap;

/// What the check says about a place.
pub(super) struct Finding {
    pub span: Span,
    pub message: String,
}

/// The first undefined use is an error; values that are defined again, where PyTorch's reader lets the later one win, are
/// warnings.
pub(super) fn check(listing: &Listing) -> Result<Vec<Finding>, Finding> {
    let mut warnings = Vec::new();
    for graph in std::iter::once(&listing.graph).chain(listing.subgraphs.iter().map(|s| &s.graph)) {
        graph_names(graph, &mut warnings)?;
    }
    Ok(warnings)
}

#[derive(Default)]
struct Names<'a> {
    /// How many definitions of a name are visible.
    visible: FxHashMap<&'a str, u32>,
    /// Names in the order of definition, to be taken back at the end of a block.
    defined: Vec<&'a str>,
}

fn graph_names(graph: &Graph, warnings: &mut Vec<Finding>) -> Result<(), Finding> {
    let mut names = Names::default();
    names.define(&graph.inputs, warnings);
    names.nodes(&graph.nodes, warnings)?;
    names.use_all(&graph.outputs)
}

impl<'a> Names<'a> {
    fn nodes(&mut self, nodes: &'a [Node], warnings: &mut Vec<Finding>) -> Result<(), Finding> {
        for node in nodes {
            self.use_all(&node.inputs)?;
            for block in &node.blocks {
                self.block(block, warnings)?;
            }
            self.define(&node.outputs, warnings);
        }
        Ok(())
    }

    fn block(&mut self, block: &'a Block, warnings: &mut Vec<Finding>) -> Result<(), Finding> {
        let outer = self.defined.len();
        self.define(&block.inputs, warnings);
        self.nodes(&block.nodes, warnings)?;
        self.use_all(&block.outputs)?;
        for name in self.defined.drain(outer..) {
            if let Some(count) = self.visible.get_mut(name) {
                *count -= 1;
            }
        }
        Ok(())
    }

    fn define(&mut self, values: &'a [Value], warnings: &mut Vec<Finding>) {
        for value in values {
            let count = self.visible.entry(&value.name).or_insert(0);
            *count += 1;
            if *count > 1 {
                let message = format!("%{} is defined again; from here on it means this value", value.name);
                warnings.push(Finding { span: value.span, message });
            }
            self.defined.push(&value.name);
        }
    }

    fn use_all(&self, uses: &[Use]) -> Result<(), Finding> {
        match uses.iter().find(|u| self.visible.get(u.name.as_str()).is_none_or(|&n| n == 0)) {
            None => Ok(()),
            Some(missing) => {
                let message = format!("no value is called %{} here; expected one defined above", missing.name);
                Err(Finding { span: missing.span, message })
            }
        }
    }
}
