//! Which node each `with` graph belongs to: PyTorch numbers the groups of every graph from zero and prints a group's own
//! groups right after it, so the same name can stand twice.

use super::{Block, Graph, Listing, Node};
use crate::limits::MAX_SUBGRAPH_DEPTH;
use rustc_hash::FxHashMap;

/// A graph with, for each of its nodes that has one, the graph after `with`.
#[derive(Clone, Debug)]
pub struct SubgraphTree<'a> {
    pub graph: &'a Graph,
    /// `(name, tree)` in the order of the nodes, those of nested blocks included.
    pub children: Vec<(&'a str, SubgraphTree<'a>)>,
}

/// A listing with its `with` graphs put where they belong.
#[derive(Clone, Debug)]
pub struct Resolved<'a> {
    pub tree: SubgraphTree<'a>,
    /// Positions in [`Listing::subgraphs`] that no node refers to.
    pub unused: Vec<usize>,
    /// Whether printing the tree (every graph followed by its children) gives the listing's order back.
    pub in_order: bool,
}

impl Listing {
    /// Finds the node of each `with` graph. `None` if they nest deeper than [`MAX_SUBGRAPH_DEPTH`] or in a circle.
    ///
    /// A node takes the next `with` graph if it has its kind's name; where a hand-written text is in another order, it takes
    /// the first one of that name.
    pub fn resolve(&self) -> Option<Resolved<'_>> {
        let mut first: FxHashMap<&str, usize> = FxHashMap::default();
        for (i, subgraph) in self.subgraphs.iter().enumerate().rev() {
            first.insert(&subgraph.name, i);
        }
        let mut walk =
            Walk { listing: self, first, next: 0, used: vec![false; self.subgraphs.len()], in_order: true, budget: 0 };
        // Each graph is normally taken once; names that are shared may be taken more often, but not exponentially often.
        walk.budget = 4 * self.subgraphs.len() + 16;
        let tree = walk.tree(&self.graph, 0)?;
        let unused: Vec<usize> = walk.used.iter().enumerate().filter(|(_, used)| !**used).map(|(i, _)| i).collect();
        let in_order = walk.in_order && unused.is_empty();
        Some(Resolved { tree, unused, in_order })
    }
}

struct Walk<'a> {
    listing: &'a Listing,
    first: FxHashMap<&'a str, usize>,
    next: usize,
    used: Vec<bool>,
    in_order: bool,
    budget: usize,
}

impl<'a> Walk<'a> {
    fn tree(&mut self, graph: &'a Graph, depth: usize) -> Option<SubgraphTree<'a>> {
        if depth > MAX_SUBGRAPH_DEPTH {
            return None;
        }
        let mut kinds = Vec::new();
        self.referring(&graph.nodes, &mut kinds);
        let mut children = Vec::new();
        for kind in kinds {
            let following = self.listing.subgraphs.get(self.next).filter(|s| s.name == *kind);
            let index = match following {
                Some(_) => self.next,
                None => {
                    self.in_order = false;
                    *self.first.get(kind)?
                }
            };
            self.budget = self.budget.checked_sub(1)?;
            if following.is_some() {
                self.next += 1;
            }
            self.used[index] = true;
            let subgraph = &self.listing.subgraphs[index];
            children.push((subgraph.name.as_str(), self.tree(&subgraph.graph, depth + 1)?));
        }
        Some(SubgraphTree { graph, children })
    }

    /// Kinds of the nodes that refer to a `with` graph, in the order of the text.
    fn referring(&self, nodes: &'a [Node], kinds: &mut Vec<&'a str>) {
        for node in nodes {
            if self.first.contains_key(node.kind.as_str()) {
                kinds.push(&node.kind);
            }
            for Block { nodes, .. } in &node.blocks {
                self.referring(nodes, kinds);
            }
        }
    }
}
