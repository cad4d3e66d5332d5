//! What a compiled method takes its object's attributes for: plain values for constants, tensors for ones of their dtype and sizes; and whether that still holds.
//!
//! Tensors are read from the object in each call and guarded where code uses them, so that other weights cost nothing. Plain values (`training`, a rate, an
//! absent bias) are constants: with them branches go away and operators are known to write nothing. A call first asks whether they are what they were; if
//! not, it is interpreted.

use sconce_graph::graph::{Attr, Graph, NodeId, ValueId};
use sconce_request::type_of;
use sconce_tensor::{IValue, Object};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Attributes that stand as constants in what was compiled.
#[derive(Default)]
pub(crate) struct Constants {
    /// Their objects, each with the version that was found to hold the values.
    objects: Vec<(Arc<Object>, AtomicU32)>,
    /// Object by number, slot, value.
    values: Vec<(usize, usize, IValue)>,
}

impl Constants {
    /// Do the objects hold these values now? It costs a load for each object, unless one of them was written to.
    pub fn hold(&self) -> bool {
        self.objects.iter().enumerate().all(|(number, (object, seen))| {
            let version = object.version();
            if seen.load(Ordering::Acquire) == version {
                return true;
            }
            let mut values = self.values.iter().filter(|(of, ..)| *of == number);
            let holds = values.all(|(_, slot, value)| object.get(*slot).is_some_and(|now| is_same(&now, value)));
            if holds {
                seen.store(version, Ordering::Release);
            }
            holds
        })
    }

    fn add(&mut self, object: &Arc<Object>, slot: usize, value: IValue) {
        let known = self.objects.iter().position(|(o, _)| Arc::ptr_eq(o, object));
        let number = known.unwrap_or_else(|| {
            // The version comes before the values that are read under it.
            self.objects.push((object.clone(), AtomicU32::new(object.version())));
            self.objects.len() - 1
        });
        self.values.push((number, slot, value));
    }
}

/// Is it a value that nothing can change, and that is told from others by what it is?
fn is_plain(value: &IValue) -> bool {
    matches!(value, IValue::None | IValue::Bool(_) | IValue::Int(_) | IValue::Double(_) | IValue::Str(_))
}

fn is_same(a: &IValue, b: &IValue) -> bool {
    match (a, b) {
        (IValue::None, IValue::None) => true,
        (IValue::Bool(a), IValue::Bool(b)) => a == b,
        (IValue::Int(a), IValue::Int(b)) => a == b,
        (IValue::Double(a), IValue::Double(b)) => a.to_bits() == b.to_bits(),
        (IValue::Str(a), IValue::Str(b)) => a == b,
        _ => false,
    }
}

/// Puts into a method's graph what its object holds: tensors as types, which are hints, and, where `fixes`, plain values as constants. What the graph sets
/// anywhere stays as it is.
pub(crate) fn put(graph: &mut Graph, object: &Arc<Object>, fixes: bool) -> Constants {
    let mut constants = Constants::default();
    let Some(this) = graph.block_inputs(graph.root()).first().copied() else { return constants };
    let mut objects: HashMap<ValueId, Arc<Object>> = HashMap::from([(this, object.clone())]);
    let nodes = graph.walk(graph.root());
    let is_set = |graph: &Graph, name: &str| {
        nodes.iter().any(|n| graph.is(*n, "prim::SetAttr") && graph.str_attr(*n, "name").is_some_and(|s| **s == *name))
    };
    for node in nodes.iter().copied().filter(|n| graph.is(*n, "prim::GetAttr")).collect::<Vec<NodeId>>() {
        let (Some(name), Some(output)) = (graph.str_attr(node, "name").cloned(), graph.output(node)) else {
            continue;
        };
        let Some(owner) = graph.input(node, 0).and_then(|v| objects.get(&v)).cloned() else { continue };
        let Some(slot) = owner.slot_of(&name).filter(|_| !is_set(graph, &name)) else { continue };
        match owner.get(slot) {
            Some(IValue::Object(inner)) => _ = objects.insert(output, inner),
            Some(IValue::Tensor(t)) if graph.ty(output).is_tensor() => graph.set_type(output, type_of(&t)),
            Some(value) if fixes && is_plain(&value) => {
                constants.add(&owner, slot, value.clone());
                constant(graph, node, output, value);
            }
            _ => {}
        }
    }
    constants
}

/// A constant in the place of a read.
fn constant(graph: &mut Graph, node: NodeId, output: ValueId, value: IValue) {
    let made = graph.node("prim::Constant", &[]);
    let ty = graph.ty(output).clone();
    if !value.is_none() {
        graph.set_attr(made, "value", Attr::Value(value));
    }
    let new = graph.add_output(made, None, ty);
    graph.insert_before(node, made);
    graph.replace_uses(output, new);
    graph.erase(node);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_hold_while_the_object_holds_them() {
        let object = Object::new("M".into(), ["training".into(), "count".into()].into());
        object.set(0, IValue::Bool(false));
        object.set(1, IValue::Int(0));
        let mut constants = Constants::default();
        constants.add(&object, 0, IValue::Bool(false));
        assert!(constants.hold());
        // What is no constant may change.
        object.set(1, IValue::Int(1));
        assert!(constants.hold());
        object.set(0, IValue::Bool(true));
        assert!(!constants.hold() && !constants.hold());
        object.set(0, IValue::Bool(false));
        assert!(constants.hold());
    }
}
