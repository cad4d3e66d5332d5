//! `cse`: the same computation of the same operands is done once, where nothing writes to what it reads or gives.

use super::alias::{AliasDb, entry_of, is_mutable};
use super::constant_pooling::is_equal_value;
use crate::graph::{Attr, BlockId, Graph, NodeId};
use rustc_hash::FxHashMap;
use sconce_schema::Trait;
use std::sync::Arc;

/// See the module's page. Did anything change?
pub fn eliminate_common_subexpressions(graph: &mut Graph) -> bool {
    let merged = {
        let mut search = Search { graph, alias: AliasDb::new(graph), scopes: Vec::new(), merged: FxHashMap::default() };
        search.block(graph.root());
        let mut merged: Vec<(NodeId, NodeId)> = search.merged.into_iter().collect();
        merged.sort();
        merged
    };
    for (node, into) in &merged {
        for (old, new) in graph.outputs(*node).to_vec().into_iter().zip(graph.outputs(*into).to_vec()) {
            graph.replace_uses(old, new);
        }
    }
    graph.erase_all(&merged.iter().map(|(node, _)| *node).collect::<Vec<_>>());
    !merged.is_empty()
}

type Key = (Arc<str>, Vec<crate::graph::ValueId>);

struct Search<'g> {
    graph: &'g Graph,
    alias: AliasDb<'g>,
    /// Computations that were met, innermost block last.
    scopes: Vec<FxHashMap<Key, Vec<NodeId>>>,
    merged: FxHashMap<NodeId, NodeId>,
}

impl Search<'_> {
    fn block(&mut self, block: BlockId) {
        self.scopes.push(FxHashMap::default());
        for node in self.graph.block_nodes(block) {
            if !self.graph.blocks(*node).is_empty() {
                self.graph.blocks(*node).iter().for_each(|b| self.block(*b));
                continue;
            }
            if !self.is_candidate(*node) {
                continue;
            }
            let key = self.key(*node);
            let known = self.scopes.iter().rev().filter_map(|s| s.get(&key)).flatten();
            let same = known.copied().find(|other| self.is_same(*node, *other));
            match same {
                Some(other) if self.may_share(*node, other) => _ = self.merged.insert(*node, other),
                Some(_) => {}
                None => {
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.entry(key).or_default().push(*node);
                    }
                }
            }
        }
        self.scopes.pop();
    }

    /// Operands are compared as what stands for them.
    fn key(&self, node: NodeId) -> Key {
        let operands = self.graph.inputs(node).iter().map(|v| {
            let made = self.graph.defining(*v).and_then(|n| Some((n, *self.merged.get(&n)?)));
            let index = made.and_then(|(n, _)| self.graph.outputs(n).iter().position(|o| o == v));
            match (made, index) {
                (Some((_, into)), Some(i)) => self.graph.outputs(into)[i],
                _ => *v,
            }
        });
        (self.graph.kind(node).clone(), operands.collect())
    }

    fn is_candidate(&self, node: NodeId) -> bool {
        let graph = self.graph;
        let kind = &**graph.kind(node);
        if matches!(kind, "prim::Print" | "prim::RaiseException" | "prim::CreateObject" | "prim::fork")
            || self.alias.has_side_effects(node)
        {
            return false;
        }
        let random = kind.starts_with("aten::")
            && entry_of(graph, node).is_none_or(|e| e.has(Trait::Random) || e.has(Trait::Effect));
        !random && !graph.inputs(node).iter().chain(graph.outputs(node)).any(|v| self.alias.has_writers(*v))
    }

    fn is_same(&self, a: NodeId, b: NodeId) -> bool {
        let graph = self.graph;
        let types = |n: NodeId| graph.outputs(n).iter().map(|v| graph.ty(*v)).collect::<Vec<_>>();
        let (x, y) = (graph.attrs(a), graph.attrs(b));
        types(a) == types(b)
            && x.len() == y.len()
            && x.iter().all(|(name, attr)| y.iter().any(|(n, other)| n == name && is_same_attr(attr, other)))
    }

    fn may_share(&self, a: NodeId, b: NodeId) -> bool {
        let graph = self.graph;
        graph
            .outputs(a)
            .iter()
            .zip(graph.outputs(b))
            .all(|(x, y)| !is_mutable(graph.ty(*x)) || !(self.alias.escapes(*x) && self.alias.escapes(*y)))
    }
}

fn is_same_attr(a: &Attr, b: &Attr) -> bool {
    match (a, b) {
        (Attr::Value(a), Attr::Value(b)) => is_equal_value(a, b, 0),
        (Attr::Str(a), Attr::Str(b)) | (Attr::Function(a), Attr::Function(b)) => a == b,
        (Attr::Int(a), Attr::Int(b)) => a == b,
        (Attr::Ints(a), Attr::Ints(b)) => a == b,
        (Attr::Type(a), Attr::Type(b)) => a == b,
        (Attr::Types(a), Attr::Types(b)) => a == b,
        _ => false,
    }
}
