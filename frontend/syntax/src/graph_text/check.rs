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

/// The first thing that no program may have: a value defined where another of its name is visible, or control flow of the wrong shape.
pub(super) fn lint(listing: &Listing) -> Result<(), Finding> {
    for graph in std::iter::once(&listing.graph).chain(listing.subgraphs.iter().map(|s| &s.graph)) {
        let mut again = Vec::new();
        graph_names(graph, &mut again)?;
        if let Some(finding) = again.into_iter().min_by_key(|f| f.span.start) {
            return Err(finding);
        }
        shapes(&graph.nodes)?;
    }
    Ok(())
}

fn shapes(nodes: &[Node]) -> Result<(), Finding> {
    for node in nodes {
        let wrong = |message: String| Err(Finding { span: node.span, message });
        let outputs = node.outputs.len();
        match (node.kind.as_str(), node.blocks.as_slice()) {
            ("prim::If", [_, _]) => {
                if node.inputs.len() != 1 {
                    return wrong(format!("prim::If takes one value, its condition, not {}", node.inputs.len()));
                }
                if let Some(block) = node.blocks.iter().find(|b| !b.inputs.is_empty() || b.outputs.len() != outputs) {
                    let message = format!(
                        "both blocks of a prim::If take nothing and pass on as many values as it has outputs, {outputs}; \
                         this one takes {} and passes on {}",
                        block.inputs.len(),
                        block.outputs.len()
                    );
                    return Err(Finding { span: block.span, message });
                }
            }
            ("prim::If", blocks) => return wrong(format!("prim::If has two blocks, not {}", blocks.len())),
            ("prim::Loop", [body]) => {
                let wanted = (outputs + 2, outputs + 1, outputs + 1);
                if (node.inputs.len(), body.inputs.len(), body.outputs.len()) != wanted {
                    return wrong(format!(
                        "a prim::Loop with {outputs} outputs takes {} values, and its block takes and passes on {}; this one takes {}, \
                         its block takes {} and passes on {}",
                        outputs + 2,
                        outputs + 1,
                        node.inputs.len(),
                        body.inputs.len(),
                        body.outputs.len()
                    ));
                }
            }
            ("prim::Loop", blocks) => return wrong(format!("prim::Loop has one block, not {}", blocks.len())),
            _ => {}
        }
        node.blocks.iter().try_for_each(|b| shapes(&b.nodes))?;
    }
    Ok(())
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
