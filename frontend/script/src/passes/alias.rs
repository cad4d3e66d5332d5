//! Which values may be one object, and which nodes may write to it.
//!
//! A value of a type that can change points to what it may be: what it was made from, or a *wildcard*, which stands for everything of a kind that
//! comes from outside or goes into a container. Arguments of a graph are wildcards, and so is what is taken out of containers and attributes.

use crate::graph::{BlockId, Graph, NodeId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_schema::op::AliasInfo;
use sconce_schema::{OpEntry, Trait, Type, overload};
use std::collections::BTreeSet;

/// A memory location: a value's own, or a wildcard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Element {
    Value(ValueId),
    Wildcard(u32),
}

/// See the module's page.
pub struct AliasDb<'g> {
    graph: &'g Graph,
    points_to: FxHashMap<Element, Vec<Element>>,
    /// Kinds of types that have a wildcard.
    kinds: FxHashMap<Type, u32>,
    /// What each node writes to, as elements.
    writes: FxHashMap<NodeId, Vec<Element>>,
    /// Nodes that write to all wildcards.
    writes_everything: FxHashSet<NodeId>,
    /// Locations written by any node.
    written: BTreeSet<Element>,
    /// Values inside of containers that are made here.
    contained: FxHashMap<ValueId, Vec<ValueId>>,
    entries: FxHashMap<NodeId, Option<&'static OpEntry>>,
    /// Reads of attributes that nothing else can reach.
    own: FxHashSet<NodeId>,
}

/// Can a value of the type change?
pub fn is_mutable(ty: &Type) -> bool {
    match ty {
        Type::Tensor(_) | Type::List(_) | Type::Dict(..) | Type::Class(_) | Type::Any | Type::Var(_) => true,
        Type::Future(_) | Type::Await(_) | Type::RRef(_) | Type::PyObject | Type::Capsule => true,
        Type::AnyList | Type::AnyTuple | Type::AnyClass | Type::Stream | Type::Generator => true,
        Type::Optional(t) => is_mutable(t),
        Type::Tuple(ts) | Type::Union(ts) => ts.iter().any(is_mutable),
        Type::NamedTuple(t) => t.fields.iter().any(|(_, ty)| is_mutable(ty)),
        _ => false,
    }
}

/// The operator of the table that a node is.
pub fn entry_of(graph: &Graph, node: NodeId) -> Option<&'static OpEntry> {
    let types: Vec<Type> = graph.inputs(node).iter().map(|v| graph.ty(*v).clone()).collect();
    overload::of_node(graph.kind(node), &types).ok()
}

impl<'g> AliasDb<'g> {
    /// Of a graph alone: what it reads of objects may be anything.
    pub fn new(graph: &'g Graph) -> Self {
        Self::with_own(graph, FxHashSet::default())
    }

    /// Of a graph whose reads `own` give what no other value is.
    pub fn with_own(graph: &'g Graph, own: FxHashSet<NodeId>) -> Self {
        let mut db = AliasDb {
            graph,
            points_to: FxHashMap::default(),
            kinds: FxHashMap::default(),
            writes: FxHashMap::default(),
            writes_everything: FxHashSet::default(),
            written: BTreeSet::new(),
            contained: FxHashMap::default(),
            entries: FxHashMap::default(),
            own,
        };
        for input in graph.block_inputs(graph.root()) {
            db.set_wildcard(*input);
        }
        db.block(graph.root());
        let all: Vec<Element> = db.writes.values().flatten().copied().collect();
        db.written = all.into_iter().flat_map(|e| db.locations(e)).collect();
        if !db.writes_everything.is_empty() {
            let wildcards: Vec<Element> = db.kinds.values().map(|k| Element::Wildcard(*k)).collect();
            db.written.extend(wildcards);
        }
        db
    }

    /// Does anything write to what the value may be?
    pub fn has_writers(&self, value: ValueId) -> bool {
        self.is_tracked(value) && self.locations(Element::Value(value)).iter().any(|l| self.written.contains(l))
    }

    /// Does a node, or one in it, write to what comes from outside?
    pub fn writes_to_wildcard(&self, node: NodeId) -> bool {
        self.nodes_of(node).iter().any(|n| {
            self.writes_everything.contains(n)
                || self
                    .writes_of(*n)
                    .iter()
                    .any(|e| self.locations(*e).iter().any(|l| matches!(l, Element::Wildcard(_))))
        })
    }

    /// Does a node, or one in it, write to one of these locations?
    pub fn writes_to_any(&self, node: NodeId, live: &Locations) -> bool {
        self.nodes_of(node)
            .iter()
            .any(|n| self.writes_of(*n).iter().any(|e| self.locations(*e).iter().any(|l| live.0.contains(l))))
    }

    /// Adds what a value may be.
    pub fn collect(&self, value: ValueId, into: &mut Locations) {
        if self.is_tracked(value) {
            into.0.extend(self.locations(Element::Value(value)));
        }
    }

    /// Is the value only itself: made here, and nothing from outside?
    pub fn is_fresh(&self, value: ValueId) -> bool {
        self.locations(Element::Value(value)).into_iter().eq([Element::Value(value)])
    }

    /// May the value be, or go into, something outside of the graph?
    pub fn escapes(&self, value: ValueId) -> bool {
        let mut results = Locations::default();
        let mut stack: Vec<ValueId> = self.graph.block_outputs(self.graph.root()).to_vec();
        let mut seen = FxHashSet::default();
        while let Some(v) = stack.pop() {
            if seen.insert(v) {
                self.collect(v, &mut results);
                for l in self.locations(Element::Value(v)) {
                    if let Element::Value(v) = l {
                        stack.extend(self.contained.get(&v).into_iter().flatten());
                    }
                }
            }
        }
        self.locations(Element::Value(value)).iter().any(|l| matches!(l, Element::Wildcard(_)) || results.0.contains(l))
    }

    fn nodes_of(&self, node: NodeId) -> Vec<NodeId> {
        let mut nodes = vec![node];
        for block in self.graph.blocks(node) {
            nodes.extend(self.graph.walk(*block));
        }
        nodes
    }

    fn writes_of(&self, node: NodeId) -> &[Element] {
        self.writes.get(&node).map_or(&[], Vec::as_slice)
    }

    fn is_tracked(&self, value: ValueId) -> bool {
        is_mutable(self.graph.ty(value))
    }

    /// What an element may be: the ends of its pointers.
    fn locations(&self, element: Element) -> BTreeSet<Element> {
        let mut out = BTreeSet::new();
        let mut stack = vec![element];
        let mut seen = FxHashSet::default();
        while let Some(e) = stack.pop() {
            if !seen.insert(e) {
                continue;
            }
            match self.points_to.get(&e).map(Vec::as_slice) {
                None | Some([]) => _ = out.insert(e),
                Some(to) => stack.extend(to),
            }
        }
        out
    }

    // -- building

    fn kind(&mut self, ty: &Type) -> u32 {
        let key = match ty {
            Type::Optional(inner) => (**inner).clone(),
            other => other.unshaped(),
        };
        let next = self.kinds.len() as u32;
        *self.kinds.entry(key).or_insert(next)
    }

    fn set_wildcard(&mut self, value: ValueId) {
        let ty = self.graph.ty(value).clone();
        if !is_mutable(&ty) {
            return;
        }
        let members: Vec<Type> = match &ty {
            Type::Union(members) => members.iter().filter(|m| is_mutable(m)).cloned().collect(),
            // It may be anything: all kinds share one wildcard with it, by being pointed to.
            _ => vec![ty],
        };
        for member in members {
            let kind = self.kind(&member);
            self.points_to.entry(Element::Value(value)).or_default().push(Element::Wildcard(kind));
        }
        for inner in self.contained.get(&value).cloned().unwrap_or_default() {
            if !self.locations(Element::Value(inner)).iter().any(|l| matches!(l, Element::Wildcard(_))) {
                self.set_wildcard(inner);
            }
        }
    }

    fn point(&mut self, from: ValueId, to: ValueId) {
        if self.is_tracked(from) && self.is_tracked(to) && from != to {
            self.points_to.entry(Element::Value(from)).or_default().push(Element::Value(to));
        }
    }

    fn write(&mut self, node: NodeId, value: ValueId) {
        if self.is_tracked(value) {
            self.writes.entry(node).or_default().push(Element::Value(value));
        }
    }

    fn block(&mut self, block: BlockId) {
        for node in self.graph.block_nodes(block) {
            self.node(*node);
        }
    }

    fn node(&mut self, node: NodeId) {
        let graph = self.graph;
        let (inputs, outputs) = (graph.inputs(node), graph.outputs(node));
        match &**graph.kind(node) {
            "prim::If" => {
                for block in graph.blocks(node) {
                    self.block(*block);
                    for (output, passed) in outputs.iter().zip(graph.block_outputs(*block)) {
                        self.point(*output, *passed);
                    }
                }
            }
            "prim::Loop" => {
                let Some(body) = graph.blocks(node).first() else { return };
                for (input, carried) in graph.block_inputs(*body).iter().skip(1).zip(inputs.iter().skip(2)) {
                    self.point(*input, *carried);
                }
                self.block(*body);
                for (output, passed) in outputs.iter().zip(graph.block_outputs(*body).iter().skip(1)) {
                    self.point(*output, *passed);
                }
            }
            "prim::fork" => inputs.iter().for_each(|v| self.set_wildcard(*v)),
            "aten::wait" => {
                outputs.iter().for_each(|v| self.set_wildcard(*v));
                self.writes_everything.insert(node);
            }
            "prim::TupleConstruct" | "prim::ListConstruct" | "prim::DictConstruct" => {
                let held: Vec<ValueId> = inputs.iter().filter(|v| self.is_tracked(**v)).copied().collect();
                if let Some(output) = outputs.first() {
                    self.contained.entry(*output).or_default().extend(held);
                }
            }
            "prim::GetAttr" if self.own.contains(&node) => {}
            "prim::TupleUnpack" | "prim::TupleIndex" | "prim::TupleSlice" | "prim::ListUnpack" | "prim::GetAttr" => {
                outputs.iter().for_each(|v| self.set_wildcard(*v));
            }
            "prim::SetAttr" => {
                if let [object, value] = inputs {
                    self.write(node, *object);
                    self.set_wildcard(*value);
                }
            }
            "prim::unchecked_cast" | "prim::unchecked_unwrap_optional" | "aten::_unwrap_optional" => {
                if let ([from], [to]) = (inputs, outputs) {
                    self.point(*to, *from);
                }
            }
            "prim::ConstantChunk" => outputs.iter().for_each(|v| self.point(*v, inputs[0])),
            "prim::CallFunction" | "prim::CallMethod" | "prim::Enter" | "prim::Exit" | "prim::PythonOp" => {
                self.conservative(node);
            }
            "aten::batch_norm" | "aten::instance_norm" => self.normalization(node),
            "prim::Constant"
            | "prim::CreateObject"
            | "prim::tolist"
            | "prim::Uninitialized"
            | "prim::Print"
            | "prim::isinstance"
            | "prim::EmptyListLiteral"
            | "prim::Closure"
            | "prim::RaiseException"
            | "aten::format"
            | "prim::data" => {
                if graph.is(node, "prim::data")
                    && let ([from], [to]) = (inputs, outputs)
                {
                    self.point(*to, *from);
                }
            }
            _ => self.operator(node),
        }
    }

    /// It may write to all its operands, and give any of them back.
    fn conservative(&mut self, node: NodeId) {
        let graph = self.graph;
        for input in graph.inputs(node) {
            self.write(node, *input);
            self.set_wildcard(*input);
        }
        for output in graph.outputs(node) {
            self.set_wildcard(*output);
        }
    }

    /// Running statistics are written when training.
    fn normalization(&mut self, node: NodeId) {
        let graph = self.graph;
        let [_, _, _, mean, variance, training, ..] = graph.inputs(node) else { return };
        if !matches!(graph.constant(*training), Some(sconce_tensor::IValue::Bool(false))) {
            self.write(node, *mean);
            self.write(node, *variance);
        }
    }

    fn operator(&mut self, node: NodeId) {
        let graph = self.graph;
        let entry = entry_of(graph, node);
        self.entries.insert(node, entry);
        let Some(entry) = entry.filter(|e| !e.has(Trait::Effect)) else {
            self.conservative(node);
            return;
        };
        let schema = entry.schema();
        let mut actual: Vec<(&str, ValueId)> = Vec::new();
        for (formal, value) in schema.arguments.iter().zip(graph.inputs(node)) {
            let Some(info) = formal.alias.as_ref().filter(|_| self.is_tracked(*value)) else { continue };
            let info = innermost(info);
            for name in &info.before {
                if !actual.iter().any(|(n, _)| *n == &**name) {
                    actual.push((name, *value));
                }
            }
            if info.is_write {
                self.write(node, *value);
            }
            if info.after.iter().any(|a| &**a == "*") {
                self.set_wildcard(*value);
            }
        }
        for (formal, value) in schema.returns.iter().zip(graph.outputs(node)) {
            let Some(info) = formal.alias.as_ref() else { continue };
            let info = innermost(info);
            if info.before.iter().any(|b| &**b == "*") {
                self.set_wildcard(*value);
                continue;
            }
            for (_, from) in actual.iter().filter(|(n, _)| info.before.iter().any(|b| &**b == *n)) {
                self.point(*value, *from);
            }
            if info.is_write {
                self.write(node, *value);
            }
        }
    }

    /// Does a node do something that no value shows: print, raise, call what may?
    pub fn has_side_effects(&self, node: NodeId) -> bool {
        match &**self.graph.kind(node) {
            "prim::PythonOp"
            | "prim::IgnoredPythonOp"
            | "prim::Print"
            | "prim::RaiseException"
            | "aten::warn"
            | "aten::save"
            | "aten::manual_seed"
            | "prim::CallFunction"
            | "prim::CallMethod"
            | "aten::wait"
            | "prim::Enter"
            | "prim::Exit" => true,
            "prim::If" | "prim::Loop" | "prim::With" | "aten::is_scripting" => false,
            _ => match self.entries.get(&node) {
                Some(Some(entry)) => entry.has(Trait::Effect),
                // Nobody knows what it does.
                Some(None) => !self.graph.kind(node).starts_with("prim::"),
                None => false,
            },
        }
    }
}

/// `Tensor(a!)[]` annotates the elements; the list's annotation is theirs.
fn innermost(info: &AliasInfo) -> &AliasInfo {
    match &info.contained {
        Some(inner) if info.before.is_empty() => inner,
        _ => info,
    }
}

/// A set of memory locations.
#[derive(Default)]
pub struct Locations(FxHashSet<Element>);
