//! `freeze-module`: what nothing changes in a module in evaluation mode becomes constants of its methods, and what they then do not read goes.
//!
//! Calls are inlined first. An attribute is *changed* when a kept method sets it, or writes to a tensor or container that it, or an attribute
//! sharing its storage, holds. Attributes of submodules count like the module's own; a submodule of which something stays, stays whole.

use super::alias::{AliasDb, is_mutable};
use super::constant_propagation::tensor_type;
use super::{
    InlineError, Propagation, canonicalize_outputs, constant_pooling, constant_propagation,
    eliminate_common_subexpressions, eliminate_dead_code, inline, lower_simple_tuples, peephole, remove_list_mutation,
    unroll_constant_loops,
};
use crate::graph::{Graph, NodeId, ValueId};
use crate::ssa::constant;
use crate::unit::{Class, Function, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_schema::Type;
use sconce_tensor::{IValue, Object, Tensor};
use std::sync::Arc;

/// Why a module cannot be frozen.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FreezeError {
    #[error(transparent)]
    Inline(#[from] InlineError),
    #[error(
        "Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before freezing."
    )]
    Training,
    #[error("Unknown name: {0}")]
    Unknown(String),
    #[error("there is no class {0}")]
    NoClass(String),
}

/// Freezes a module. The unit gains a class for it, with `forward` and the methods among `preserved`; gives the new object, whose attributes are those
/// among `preserved` and those that are still read.
///
/// # Errors
/// Modules in training mode, names that the module does not have, recursion.
pub fn freeze_module(unit: &mut Unit, module: &Arc<Object>, preserved: &[String]) -> Result<Arc<Object>, FreezeError> {
    let class = unit.classes.get(&module.class).ok_or_else(|| FreezeError::NoClass(module.class.to_string()))?.clone();
    if matches!(attribute(module, "training"), Some(IValue::Bool(true))) {
        return Err(FreezeError::Training);
    }
    let is_method = |name: &str| class.has_method(name);
    if let Some(unknown) = preserved.iter().find(|n| !is_method(n) && module.slot_of(n).is_none()) {
        return Err(FreezeError::Unknown(unknown.clone()));
    }
    let methods: Vec<Arc<str>> =
        class.methods.iter().filter(|m| ***m == *"forward" || preserved.iter().any(|p| **p == ***m)).cloned().collect();
    let name = mangled(unit, &class.name);
    let mut graphs = Vec::new();
    for method in &methods {
        let mut graph = inline(unit, &format!("{}.{method}", class.name))?;
        if let Some(this) = graph.block_inputs(graph.root()).first().copied() {
            graph.set_type(this, Type::Class(name.clone()));
        }
        lower_simple_tuples(&mut graph);
        optimize(&mut graph);
        graphs.push(graph);
    }
    let mut kept = Kept::default();
    kept.names.extend(preserved.iter().map(|n| (address(module), Arc::from(n.as_str()))));
    graphs.iter().for_each(|g| kept.changes(g, module));
    kept.aliases(module);
    for graph in &mut graphs {
        propagate(graph, module, &kept);
        optimize(graph);
        remove_dropout(graph);
        lower_simple_tuples(graph);
        canonicalize_outputs(graph);
    }
    let mut read: FxHashSet<Arc<str>> = preserved.iter().map(|n| Arc::from(n.as_str())).collect();
    for graph in &graphs {
        read.extend(own_attributes(graph));
    }
    let frozen = define(unit, &class, &name, methods.into_iter().zip(graphs).collect(), &read);
    Ok(instance(module, &frozen))
}

fn address(object: &Arc<Object>) -> usize {
    Arc::as_ptr(object) as usize
}

fn attribute(object: &Object, name: &str) -> Option<IValue> {
    object.slot_of(name).and_then(|slot| object.get(slot))
}

/// A free name: `__torch__.m.___torch_mangle_0.M`.
fn mangled(unit: &Unit, class: &str) -> Arc<str> {
    let (path, last) = class.rsplit_once('.').unwrap_or(("", class));
    let path = match path.rsplit_once('.') {
        Some((outer, inner)) if inner.starts_with("___torch_mangle_") => outer,
        _ => path,
    };
    let name = |n: usize| format!("{path}{}___torch_mangle_{n}.{last}", if path.is_empty() { "" } else { "." });
    let mut number = 0;
    while unit.classes.contains_key(name(number).as_str()) {
        number += 1;
    }
    name(number).into()
}

/// What PyTorch runs between the steps.
fn optimize(graph: &mut Graph) {
    eliminate_dead_code(graph);
    eliminate_common_subexpressions(graph);
    peephole(graph, true);
    constant_propagation(graph, Propagation::Full);
    constant_pooling(graph);
    if unroll_constant_loops(graph) {
        constant_propagation(graph, Propagation::Full);
        remove_list_mutation(graph);
    }
    eliminate_common_subexpressions(graph);
}

/// Dropout does nothing when not training.
fn remove_dropout(graph: &mut Graph) {
    for node in graph.walk(graph.root()) {
        let training = graph.input(node, 2).and_then(|v| graph.constant(v));
        let named = matches!(&**graph.kind(node), "aten::dropout" | "aten::feature_dropout" | "aten::alpha_dropout");
        if named
            && matches!(training, Some(IValue::Bool(false)))
            && let (Some(input), Some(output)) = (graph.input(node, 0), graph.output(node))
        {
            graph.replace_uses(output, input);
        }
    }
    eliminate_dead_code(graph);
}

/// Modules that values of a graph are, found along reads of attributes from `self`.
fn modules(graph: &Graph, module: &Arc<Object>) -> FxHashMap<ValueId, Arc<Object>> {
    let mut known = FxHashMap::default();
    if let Some(this) = graph.block_inputs(graph.root()).first() {
        known.insert(*this, module.clone());
    }
    for node in graph.walk(graph.root()) {
        if let Some((object, name)) = access(graph, node, &known)
            && graph.is(node, "prim::GetAttr")
            && let (Some(IValue::Object(inner)), Some(output)) = (attribute(&object, &name), graph.output(node))
        {
            known.insert(output, inner);
        }
    }
    known
}

/// The object and attribute that a node reads or sets.
fn access(graph: &Graph, node: NodeId, known: &FxHashMap<ValueId, Arc<Object>>) -> Option<(Arc<Object>, Arc<str>)> {
    if !graph.is(node, "prim::GetAttr") && !graph.is(node, "prim::SetAttr") {
        return None;
    }
    let object = known.get(&graph.input(node, 0)?)?;
    Some((object.clone(), graph.str_attr(node, "name")?.clone()))
}

/// Attributes that stay: asked for, or changed by a method.
#[derive(Default)]
struct Kept {
    names: FxHashSet<(usize, Arc<str>)>,
    /// Objects that are used for more than their attributes.
    whole: FxHashSet<usize>,
}

impl Kept {
    fn has(&self, object: &Arc<Object>, name: &str) -> bool {
        self.whole.contains(&address(object)) || self.names.contains(&(address(object), name.into()))
    }

    /// What a method sets or writes to.
    fn changes(&mut self, graph: &Graph, module: &Arc<Object>) {
        let known = modules(graph, module);
        let nodes = graph.walk(graph.root());
        let own: FxHashSet<NodeId> = nodes
            .iter()
            .copied()
            .filter(|n| graph.is(*n, "prim::GetAttr") && access(graph, *n, &known).is_some())
            .collect();
        let alias = AliasDb::with_own(graph, own);
        for node in nodes {
            match access(graph, node, &known) {
                Some((object, name)) => {
                    let written = graph.is(node, "prim::SetAttr")
                        || graph.outputs(node).iter().any(|v| is_mutable(graph.ty(*v)) && alias.has_writers(*v));
                    if written && !graph.outputs(node).iter().any(|v| known.contains_key(v)) {
                        self.names.insert((address(&object), name));
                    }
                }
                None => {
                    let used = graph.inputs(node).iter().filter_map(|v| known.get(v));
                    self.whole.extend(used.map(address));
                }
            }
        }
        let results = graph.block_outputs(graph.root()).iter().filter_map(|v| known.get(v));
        self.whole.extend(results.map(address));
    }

    /// What shares storage with something that is written is written.
    fn aliases(&mut self, module: &Arc<Object>) {
        let mut all = Vec::new();
        collect(module, &mut all, &mut FxHashSet::default());
        let is_kept = |kept: &Kept, o: &Arc<Object>, n: &Arc<str>| kept.has(o, n);
        let written: Vec<Tensor> =
            all.iter().filter(|(o, n, _)| is_kept(self, o, n)).map(|(_, _, t)| t.clone()).collect();
        for (object, name, tensor) in all {
            if written.iter().any(|t| t.shares_storage(&tensor)) {
                self.names.insert((address(&object), name));
            }
        }
    }
}

/// All tensors among the attributes of a module and those in it.
fn collect(object: &Arc<Object>, all: &mut Vec<(Arc<Object>, Arc<str>, Tensor)>, seen: &mut FxHashSet<usize>) {
    if !seen.insert(address(object)) {
        return;
    }
    for (slot, name) in object.names.iter().enumerate() {
        match object.get(slot) {
            Some(IValue::Tensor(t)) => all.push((object.clone(), name.clone(), t)),
            Some(IValue::Object(inner)) => collect(&inner, all, seen),
            _ => {}
        }
    }
}

/// Reads of what stays the same become constants.
fn propagate(graph: &mut Graph, module: &Arc<Object>, kept: &Kept) {
    let known = modules(graph, module);
    let mut made: FxHashMap<(usize, Arc<str>), ValueId> = FxHashMap::default();
    for node in graph.walk(graph.root()) {
        let Some((object, name)) = access(graph, node, &known).filter(|_| graph.is(node, "prim::GetAttr")) else {
            continue;
        };
        let Some(output) = graph.output(node).filter(|_| !kept.has(&object, &name)) else { continue };
        let Some(value) = attribute(&object, &name).map(|v| detached(&v)).filter(|v| v.is_insertable()) else {
            continue;
        };
        let key = (address(&object), name.clone());
        let folded = made.get(&key).copied().unwrap_or_else(|| {
            let ty = match &value {
                IValue::Tensor(t) => tensor_type(t),
                IValue::None => Type::None,
                _ => graph.ty(output).clone(),
            };
            let (constant, folded) = constant(graph, value, ty);
            graph.set_name(folded, Some(&name));
            graph.insert_at(graph.root(), made.len(), constant);
            made.insert(key, folded);
            folded
        });
        graph.replace_uses(output, folded);
    }
    eliminate_dead_code(graph);
}

/// The value without gradients: constants have none.
fn detached(value: &IValue) -> IValue {
    match value {
        IValue::Tensor(t) if t.requires_grad() => {
            let t = t.alias();
            t.set_requires_grad(false);
            IValue::Tensor(t)
        }
        IValue::List(list) => IValue::list(list.element.clone(), list.to_vec().iter().map(detached)),
        IValue::Tuple(tuple) if tuple.names.is_none() => IValue::tuple(tuple.items.iter().map(detached)),
        other => other.clone(),
    }
}

/// Attributes of `self` that a method still reads or sets.
fn own_attributes(graph: &Graph) -> Vec<Arc<str>> {
    let Some(this) = graph.block_inputs(graph.root()).first() else { return Vec::new() };
    let own = |n: &NodeId| graph.input(*n, 0) == Some(*this) && graph.str_attr(*n, "name").is_some();
    let nodes = graph.walk(graph.root());
    nodes.into_iter().filter(own).filter_map(|n| graph.str_attr(n, "name").cloned()).collect()
}

/// Puts the class and its methods into the unit.
fn define(
    unit: &mut Unit,
    class: &Class,
    name: &Arc<str>,
    methods: Vec<(Arc<str>, Graph)>,
    read: &FxHashSet<Arc<str>>,
) -> Class {
    let mut frozen = Class::new(name.clone(), class.kind.clone());
    frozen.attributes = class.attributes.iter().filter(|a| read.contains(&a.name)).cloned().collect();
    frozen.methods = methods.iter().map(|(m, _)| m.clone()).collect();
    for (method, graph) in methods {
        let Some(f) = unit.functions.get(format!("{}.{method}", class.name).as_str()) else { continue };
        let full: Arc<str> = format!("{name}.{method}").into();
        let mut params = f.params.clone();
        if let Some(this) = params.first_mut() {
            this.ty = Type::Class(name.clone());
        }
        let function = Function { name: full.clone(), params, returns: f.returns.clone(), graph };
        unit.functions.insert(full, function);
    }
    unit.classes.insert(name.clone(), frozen.clone());
    frozen
}

/// The object of the new class, with the attributes that stay.
fn instance(module: &Arc<Object>, class: &Class) -> Arc<Object> {
    let names: Arc<[Arc<str>]> = class.attributes.iter().map(|a| a.name.clone()).collect();
    let object = Object::new(class.name.clone(), names);
    for (slot, a) in class.attributes.iter().enumerate() {
        object.set(slot, attribute(module, &a.name).unwrap_or(IValue::None));
    }
    object
}
