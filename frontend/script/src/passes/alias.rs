//! Which values may be one object, what containers may hold, and which nodes may write to it.
//!
//! Every value of a type that can change points to *locations*: the place where an object is made, or the *wildcard* of a type, which
//! stands for whatever comes from outside. A location has contents; what is put into a container is among them, and what is taken out
//! may be any of them. A location that goes where others may find it (an argument of an unknown call, a container from outside) has
//! *escaped*: it is the wildcard of its type from then on, and so is what it holds. Arguments of a graph are wildcards, and so is what
//! is taken out of containers, beside what was seen to go in (PyTorch has it so, and the texts of its graphs depend on it).
//!
//! The points-to sets are the least ones that satisfy the inclusions which the nodes state, in any order of execution.

use crate::graph::{BlockId, Graph, NodeId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_schema::{OpEntry, Type, overload};
use smallvec::SmallVec;

/// A set of locations that grows: a value's, a location's contents, or something in between.
type Var = usize;
/// A place where an object is made, or the wildcard of a kind.
type Loc = usize;
/// A type that has a wildcard.
type Kind = usize;

/// Objects of unknown type.
const ANY: Kind = 0;

/// A variable with more locations than these points to wildcards instead: what it may be escapes.
const MOST: usize = 32;

#[derive(Default)]
struct Variable {
    points: SmallVec<[Loc; 2]>,
    /// Variables that hold whatever this one does.
    copies: SmallVec<[Var; 2]>,
    /// Variables that hold the contents of what this one may be.
    loads: SmallVec<[Var; 1]>,
    /// Variables whose locations go into what this one may be.
    stores: SmallVec<[Var; 1]>,
    escapes: bool,
}

struct Location {
    kind: Kind,
    /// The value that is made here.
    made: Option<ValueId>,
    /// Is it what it stands for now: itself, or its kind's wildcard?
    escaped: bool,
    contents: Var,
}

/// A write of a node.
#[derive(Clone, Copy)]
struct Written {
    var: Var,
    /// What it holds is written as well.
    deep: bool,
}

/// See the module's page.
pub struct AliasDb<'g> {
    graph: &'g Graph,
    variables: Vec<Variable>,
    locations: Vec<Location>,
    of_value: FxHashMap<ValueId, Var>,
    kinds: FxHashMap<Type, Kind>,
    /// The type of each kind.
    types: Vec<Type>,
    /// The wildcard of each kind, once there is one.
    wildcards: Vec<Option<Loc>>,
    /// What each node writes to.
    writes: FxHashMap<NodeId, SmallVec<[Written; 1]>>,
    /// Nodes that write to all that is outside.
    writes_everything: FxHashSet<NodeId>,
    entries: FxHashMap<NodeId, Option<&'static OpEntry>>,
    /// Reads of attributes that nothing else can reach.
    own: FxHashSet<NodeId>,
    /// Variables with locations that were not handed on.
    work: Vec<(Var, Loc)>,
    /// Locations, by number, that are written, or hold such.
    tainted: Vec<bool>,
    /// Locations that the graph's results may be or hold.
    results: Locations,
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

/// What an object of the type may hold, as far as it can change.
fn held_types(ty: &Type) -> Vec<&Type> {
    let held: Vec<&Type> = match ty {
        Type::List(t) | Type::Future(t) | Type::Await(t) | Type::RRef(t) => vec![t],
        Type::Dict(k, v) => vec![k, v],
        Type::Optional(t) => return held_types(t),
        Type::Tuple(ts) => ts.iter().collect(),
        Type::NamedTuple(t) => t.fields.iter().map(|(_, ty)| ty).collect(),
        Type::Tensor(_) | Type::Stream | Type::Generator => vec![],
        _ => vec![&Type::Any],
    };
    held.into_iter().filter(|t| is_mutable(t)).collect()
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
            variables: Vec::new(),
            locations: Vec::new(),
            of_value: FxHashMap::default(),
            kinds: FxHashMap::from_iter([(Type::Any, ANY)]),
            types: vec![Type::Any],
            wildcards: vec![None],
            writes: FxHashMap::default(),
            writes_everything: FxHashSet::default(),
            entries: FxHashMap::default(),
            own,
            work: Vec::new(),
            tainted: Vec::new(),
            results: Locations::default(),
        };
        for input in graph.block_inputs(graph.root()) {
            db.comes_from_outside(*input);
        }
        db.block(graph.root());
        db.solve();
        db.taint();
        let mut results = Locations::default();
        for value in graph.block_outputs(graph.root()) {
            db.collect(*value, &mut results);
        }
        db.results = results;
        db
    }

    /// Does anything write to what the value may be, or to what that holds?
    pub fn has_writers(&self, value: ValueId) -> bool {
        self.points(value).any(|l| self.tainted[l])
    }

    /// Does a node, or one in it, write to what comes from outside?
    pub fn writes_to_wildcard(&self, node: NodeId) -> bool {
        self.nodes_of(node).iter().any(|n| {
            self.writes_everything.contains(n) || self.written_by(*n).into_iter().any(|l| self.locations[l].escaped)
        })
    }

    /// Does a node, or one in it, write to one of these locations?
    pub fn writes_to_any(&self, node: NodeId, live: &Locations) -> bool {
        self.nodes_of(node).iter().any(|n| {
            self.writes_everything.contains(n) && live.outside
                || self.written_by(*n).into_iter().any(|l| self.is_among(l, live))
        })
    }

    /// Adds what a value may be, and what that may hold.
    pub fn collect(&self, value: ValueId, into: &mut Locations) {
        let mut stack: Vec<Loc> = self.points(value).collect();
        while let Some(l) = stack.pop() {
            if into.all.insert(l) {
                if self.locations[l].escaped {
                    into.outside = true;
                    into.any_kind |= self.locations[l].kind == ANY;
                }
                stack.extend(self.variables[self.locations[l].contents].points.iter().map(|l| self.stands_for(*l)));
            }
        }
    }

    /// Is the value only itself: made here, and nothing from outside?
    pub fn is_fresh(&self, value: ValueId) -> bool {
        let mut points = self.points(value);
        let itself = |l: Loc| !self.locations[l].escaped && self.locations[l].made == Some(value);
        points.next().is_some_and(itself) && points.next().is_none()
    }

    /// May the value be, or go into, something outside of the graph?
    pub fn escapes(&self, value: ValueId) -> bool {
        self.points(value).any(|l| self.locations[l].escaped || self.results.all.contains(&l))
    }

    fn nodes_of(&self, node: NodeId) -> Vec<NodeId> {
        let mut nodes = vec![node];
        for block in self.graph.blocks(node) {
            nodes.extend(self.graph.walk(*block));
        }
        nodes
    }

    /// What a node itself writes to.
    fn written_by(&self, node: NodeId) -> Vec<Loc> {
        let mut all = Locations::default();
        let mut stack = Vec::new();
        for written in self.writes.get(&node).into_iter().flatten() {
            stack.extend(self.variables[written.var].points.iter().map(|l| (self.stands_for(*l), written.deep)));
        }
        while let Some((l, deep)) = stack.pop() {
            if all.all.insert(l) && deep {
                let held = &self.variables[self.locations[l].contents].points;
                stack.extend(held.iter().map(|l| (self.stands_for(*l), true)));
            }
        }
        let mut all: Vec<Loc> = all.all.into_iter().collect();
        all.sort_unstable();
        all
    }

    fn is_among(&self, l: Loc, live: &Locations) -> bool {
        live.all.contains(&l)
            || self.locations[l].escaped && (live.any_kind || self.locations[l].kind == ANY && live.outside)
    }

    fn points(&self, value: ValueId) -> impl Iterator<Item = Loc> {
        let var = self.of_value.get(&value).copied();
        var.into_iter().flat_map(|v| self.variables[v].points.iter()).map(|l| self.stands_for(*l))
    }

    fn is_tracked(&self, value: ValueId) -> bool {
        is_mutable(self.graph.ty(value))
    }

    /// The location, or the wildcard that it is since it escaped.
    fn stands_for(&self, l: Loc) -> Loc {
        let location = &self.locations[l];
        if location.escaped { self.wildcards[location.kind].unwrap_or(l) } else { l }
    }

    // -- inclusions

    fn variable(&mut self) -> Var {
        self.variables.push(Variable::default());
        self.variables.len() - 1
    }

    fn var(&mut self, value: ValueId) -> Var {
        if let Some(var) = self.of_value.get(&value) {
            return *var;
        }
        let var = self.variable();
        self.of_value.insert(value, var);
        var
    }

    fn location(&mut self, kind: Kind, made: Option<ValueId>) -> Loc {
        let contents = self.variable();
        // Nobody made what comes from outside.
        self.locations.push(Location { kind, made, escaped: made.is_none(), contents });
        self.locations.len() - 1
    }

    fn kind(&mut self, ty: &Type) -> Kind {
        let key = match ty {
            Type::Optional(inner) => return self.kind(inner),
            Type::Union(_) | Type::Var(_) | Type::AnyList | Type::AnyTuple | Type::AnyClass | Type::PyObject => {
                return ANY;
            }
            other => other.unshaped(),
        };
        let next = self.kinds.len();
        let kind = *self.kinds.entry(key).or_insert(next);
        if kind == next {
            self.types.push(ty.unshaped());
            self.wildcards.push(None);
        }
        kind
    }

    /// The wildcard of a type; it holds the wildcards of what such an object may hold.
    fn wildcard(&mut self, ty: &Type) -> Loc {
        let kind = self.kind(ty);
        if let Some(known) = self.wildcards[kind] {
            return known;
        }
        let l = self.location(kind, None);
        self.wildcards[kind] = Some(l);
        let contents = self.locations[l].contents;
        if kind == ANY {
            self.add(contents, l);
        } else {
            self.holds_unknown(contents, ty);
        }
        l
    }

    /// The variable holds whatever an object of the type may.
    fn holds_unknown(&mut self, contents: Var, ty: &Type) {
        for held in held_types(ty) {
            let l = self.wildcard(held);
            self.add(contents, l);
        }
    }

    fn add(&mut self, var: Var, l: Loc) {
        let l = self.stands_for(l);
        let variable = &mut self.variables[var];
        if variable.points.contains(&l) {
            return;
        }
        variable.points.push(l);
        self.work.push((var, l));
        if self.variables[var].points.len() == MOST {
            self.escape(var);
        }
    }

    /// What the variable may be, now and later, may be found by others.
    fn escape(&mut self, var: Var) {
        if !std::mem::replace(&mut self.variables[var].escapes, true) {
            for l in self.variables[var].points.clone() {
                self.work.push((var, l));
            }
        }
    }

    /// `to` may be whatever `from` is.
    fn copy(&mut self, from: Var, to: Var) {
        if from == to {
            return;
        }
        self.variables[from].copies.push(to);
        for l in self.variables[from].points.clone() {
            self.add(to, l);
        }
    }

    /// `to` may be whatever `container` holds.
    fn load(&mut self, container: Var, to: Var) {
        self.variables[container].loads.push(to);
        for l in self.variables[container].points.clone() {
            self.copy(self.locations[l].contents, to);
        }
    }

    /// `container` may hold what `value` is.
    fn store(&mut self, container: Var, value: Var) {
        self.variables[container].stores.push(value);
        for l in self.variables[container].points.clone() {
            self.copy(value, self.locations[l].contents);
        }
    }

    fn solve(&mut self) {
        while let Some((var, l)) = self.work.pop() {
            let contents = self.locations[l].contents;
            let Variable { copies, loads, stores, escapes, .. } = &self.variables[var];
            let (copies, loads, stores, escapes) = (copies.clone(), loads.clone(), stores.clone(), *escapes);
            for to in copies {
                self.add(to, l);
            }
            for to in loads {
                self.copy(contents, to);
            }
            for value in stores {
                self.copy(value, contents);
            }
            if escapes && !std::mem::replace(&mut self.locations[l].escaped, true) {
                self.escaped(l);
            }
            if escapes && self.stands_for(l) != l {
                // So that there are never more than a few.
                self.variables[var].points.retain(|p| *p != l);
                self.add(var, l);
            }
        }
    }

    /// What holds for the wildcard holds for the location, and the reverse.
    fn escaped(&mut self, l: Loc) {
        let ty = self.types[self.locations[l].kind].clone();
        let wildcard = self.wildcard(&ty);
        let (own, outer) = (self.locations[l].contents, self.locations[wildcard].contents);
        self.escape(own);
        self.escape(outer);
        self.copy(own, outer);
        self.copy(outer, own);
    }

    /// Which locations are written, or hold such.
    fn taint(&mut self) {
        let nodes: Vec<NodeId> = self.writes.keys().copied().collect();
        let mut written: Vec<Loc> = nodes.into_iter().flat_map(|n| self.written_by(n)).collect();
        let mut outside = written.iter().map(|l| &self.locations[*l]).filter(|l| l.escaped).map(|l| l.kind);
        if !self.writes_everything.is_empty() || outside.clone().any(|kind| kind == ANY) {
            written.extend(self.wildcards.iter().flatten());
        } else if outside.next().is_some() {
            // It may be of any type.
            written.extend(self.wildcards[ANY]);
        }
        // Who holds whom.
        let mut holders: Vec<SmallVec<[Loc; 2]>> = vec![SmallVec::new(); self.locations.len()];
        for (l, location) in self.locations.iter().enumerate() {
            for held in &self.variables[location.contents].points {
                holders[self.stands_for(*held)].push(self.stands_for(l));
            }
        }
        self.tainted = vec![false; self.locations.len()];
        let mut stack: Vec<Loc> = written.into_iter().map(|l| self.stands_for(l)).collect();
        while let Some(l) = stack.pop() {
            if !std::mem::replace(&mut self.tainted[l], true) {
                stack.extend(&holders[l]);
            }
        }
    }

    // -- what nodes state

    /// The value is made here.
    fn is_new(&mut self, value: ValueId) -> Option<Var> {
        if !self.is_tracked(value) {
            return None;
        }
        let kind = self.kind(&self.graph.ty(value).clone());
        let (var, l) = (self.var(value), self.location(kind, Some(value)));
        self.add(var, l);
        Some(var)
    }

    /// The value is made here, of something nobody knows.
    fn is_new_of_unknown(&mut self, value: ValueId) {
        if self.is_new(value).is_some() {
            self.holds_more(value);
        }
    }

    /// The value may be anything of its type.
    fn comes_from_outside(&mut self, value: ValueId) {
        let ty = self.graph.ty(value).clone();
        if !is_mutable(&ty) {
            return;
        }
        let var = self.var(value);
        let members: Vec<Type> = match &ty {
            Type::Union(members) => members.iter().filter(|m| is_mutable(m)).cloned().collect(),
            _ => vec![ty],
        };
        for member in members {
            let l = self.wildcard(&member);
            self.add(var, l);
        }
    }

    /// The value goes where others may find it.
    fn goes_outside(&mut self, value: ValueId) {
        if self.is_tracked(value) {
            let var = self.var(value);
            self.escape(var);
        }
    }

    fn point(&mut self, from: ValueId, to: ValueId) {
        if self.is_tracked(from) && self.is_tracked(to) && from != to {
            let (from, to) = (self.var(from), self.var(to));
            self.copy(to, from);
        }
    }

    /// The value may be what the container holds, or another thing of its type.
    fn take(&mut self, container: ValueId, value: ValueId) {
        if self.is_tracked(value) {
            let (from, to) = (self.var(container), self.var(value));
            self.load(from, to);
            self.comes_from_outside(value);
        }
    }

    fn write(&mut self, node: NodeId, value: ValueId, deep: bool) {
        if self.is_tracked(value) {
            let var = self.var(value);
            self.holds_more(value);
            self.writes.entry(node).or_default().push(Written { var, deep });
        }
    }

    /// What went into a container may be anything of its type.
    fn holds_more(&mut self, container: ValueId) {
        let ty = self.graph.ty(container).clone();
        if !held_types(&ty).is_empty() {
            let (var, unknown) = (self.var(container), self.variable());
            self.holds_unknown(unknown, &ty);
            self.store(var, unknown);
        }
    }

    fn write_elements(&mut self, node: NodeId, value: ValueId) {
        if self.is_tracked(value) {
            let (list, var) = (self.var(value), self.variable());
            self.load(list, var);
            self.writes.entry(node).or_default().push(Written { var, deep: false });
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
                self.block(*body);
                let carried = graph.block_inputs(*body).iter().skip(1);
                let passed = graph.block_outputs(*body).iter().skip(1);
                // What a turn passes on is what the next begins with, and what comes out; so is what goes in.
                for (((input, first), next), output) in carried.zip(inputs.iter().skip(2)).zip(passed).zip(outputs) {
                    self.point(*input, *first);
                    self.point(*input, *next);
                    self.point(*output, *input);
                }
            }
            "prim::fork" => {
                inputs.iter().for_each(|v| self.goes_outside(*v));
                outputs.iter().for_each(|v| self.is_new_of_unknown(*v));
            }
            "aten::wait" => {
                outputs.iter().for_each(|v| self.comes_from_outside(*v));
                self.writes_everything.insert(node);
            }
            "prim::TupleConstruct" | "prim::ListConstruct" | "prim::DictConstruct" => {
                let Some(container) = outputs.first().and_then(|o| self.is_new(*o)) else { return };
                for held in inputs.iter().filter(|v| is_mutable(graph.ty(**v))) {
                    let held = self.var(*held);
                    self.store(container, held);
                }
            }
            "prim::Constant" => outputs.iter().for_each(|v| self.is_new_of_unknown(*v)),
            "prim::GetAttr" if self.own.contains(&node) => outputs.iter().for_each(|v| self.is_new_of_unknown(*v)),
            "prim::GetAttr" => outputs.iter().for_each(|v| self.comes_from_outside(*v)),
            "prim::TupleUnpack" | "prim::TupleIndex" | "prim::ListUnpack" => {
                outputs.iter().for_each(|v| self.take(inputs[0], *v));
            }
            "prim::TupleSlice" => {
                if let Some(slice) = outputs.first().and_then(|o| self.is_new(*o)) {
                    let (tuple, held) = (self.var(inputs[0]), self.variable());
                    self.load(tuple, held);
                    self.store(slice, held);
                }
            }
            "prim::SetAttr" => {
                if let [object, value] = inputs {
                    self.write(node, *object, false);
                    self.goes_outside(*value);
                }
            }
            "prim::unchecked_cast" | "prim::unchecked_unwrap_optional" | "aten::_unwrap_optional" | "prim::data" => {
                if let ([from, ..], [to]) = (inputs, outputs) {
                    self.point(*to, *from);
                }
            }
            "prim::ConstantChunk" => outputs.iter().for_each(|v| self.point(*v, inputs[0])),
            "prim::CallFunction" | "prim::CallMethod" | "prim::Enter" | "prim::Exit" | "prim::PythonOp" => {
                self.conservative(node);
            }
            "prim::CreateObject"
            | "prim::tolist"
            | "prim::Uninitialized"
            | "prim::Print"
            | "prim::isinstance"
            | "prim::EmptyListLiteral"
            | "prim::Closure"
            | "prim::RaiseException"
            | "aten::format" => outputs.iter().for_each(|v| _ = self.is_new(*v)),
            _ => self.operator(node),
        }
    }

    /// It may write to all its operands and what they hold, and give any of them back.
    fn conservative(&mut self, node: NodeId) {
        let graph = self.graph;
        for input in graph.inputs(node) {
            self.write(node, *input, true);
            self.goes_outside(*input);
        }
        for output in graph.outputs(node) {
            self.comes_from_outside(*output);
        }
    }

    fn operator(&mut self, node: NodeId) {
        let graph = self.graph;
        let entry = entry_of(graph, node);
        self.entries.insert(node, entry);
        let Some(effect) = entry.map(OpEntry::effect).filter(|e| !e.other) else {
            self.conservative(node);
            return;
        };
        let (inputs, outputs) = (graph.inputs(node), graph.outputs(node));
        for write in &effect.writes {
            match inputs.get(write.argument) {
                Some(value) if write.elements => self.write_elements(node, *value),
                Some(value) => self.write(node, *value, false),
                None => {}
            }
        }
        if let Some((flag, written)) = &effect.writes_unless_false {
            let off = inputs.get(*flag).and_then(|v| graph.constant(*v));
            if !matches!(off, Some(sconce_tensor::IValue::Bool(false))) {
                written.iter().filter_map(|a| inputs.get(*a)).for_each(|v| self.write(node, *v, false));
            }
        }
        for spilled in effect.spills.iter().filter_map(|a| inputs.get(*a)).filter(|v| is_mutable(graph.ty(**v))) {
            let (container, held) = (self.var(*spilled), self.variable());
            self.load(container, held);
            self.escape(held);
        }
        effect.keeps.iter().filter_map(|a| inputs.get(*a)).for_each(|v| self.goes_outside(*v));
        for (result, value) in outputs.iter().enumerate().filter(|(_, v)| is_mutable(graph.ty(**v))) {
            self.result(effect, inputs, result, *value);
        }
    }

    /// What an operator's result may be.
    fn result(&mut self, effect: &sconce_schema::Effect, inputs: &[ValueId], result: usize, value: ValueId) {
        let mut is_new = true;
        if let Some(taken) = effect.takes.iter().find(|t| t.result == result) {
            match inputs.get(taken.argument).filter(|v| self.is_tracked(**v)) {
                Some(container) => self.take(*container, value),
                None => self.comes_from_outside(value),
            }
            is_new = false;
        }
        let var = self.var(value);
        for shared in effect.may_return.iter().filter(|r| r.result == result) {
            let Some(given) = inputs.get(shared.argument).filter(|v| self.is_tracked(**v)) else { continue };
            let mut from = self.var(*given);
            if shared.of_elements {
                let elements = self.variable();
                self.load(from, elements);
                from = elements;
            }
            if shared.as_elements {
                self.is_new(value);
                self.store(var, from);
            } else {
                self.copy(from, var);
            }
            is_new = false;
        }
        if is_new {
            self.is_new_of_unknown(value);
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
                Some(Some(entry)) => entry.effect().other,
                // Nobody knows what it does.
                Some(None) => !self.graph.kind(node).starts_with("prim::"),
                None => false,
            },
        }
    }
}

/// A set of memory locations.
#[derive(Default)]
pub struct Locations {
    all: FxHashSet<Loc>,
    /// Something from outside is among them.
    outside: bool,
    /// Something from outside of unknown type is.
    any_kind: bool,
}
