//! What a compiled method takes its object's attributes for: constants, while the objects hold them and nobody writes to them.
//!
//! Plain values (`training`, a rate, an absent bias) stand in what is compiled: with them branches go away and operators are known to write nothing. Tensors are
//! offered by their names, so that other weights need no other code; the compiler takes those that the method does not write to, and what depends on them alone
//! is computed once. A call first asks whether all that was taken is what it was.

use indexmap::IndexMap;
use sconce_graph::graph::{Attr, Graph, NodeId, ValueId};
use sconce_request::{NamedAttribute, type_of};
use sconce_schema::Type;
use sconce_schema::init::attribute_path;
use sconce_tensor::{IValue, Object, Tensor, deep_copies, watch};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Attributes that stand as constants in what was compiled.
#[derive(Default)]
pub(crate) struct Constants {
    /// By the object's address, which stays its own while it is held, and the slot.
    taken: RwLock<HashMap<(usize, usize), Taken>>,
    /// Lists and dictionaries that stay the same objects, with what was in them: a change of what is in them is no write that is watched.
    contents: Vec<(IValue, IValue)>,
    /// The number of writes to what is watched when all was last found to hold; one that never comes, when that is to be found out.
    seen: AtomicU64,
}

/// No number of writes.
const UNKNOWN: u64 = u64::MAX;

/// An attribute and what it is taken for.
struct Taken {
    object: Arc<Object>,
    slot: usize,
    value: IValue,
    /// Of a tensor's elements.
    version: u64,
}

impl Taken {
    fn new(object: Arc<Object>, slot: usize, value: IValue) -> Taken {
        object.watch();
        if let IValue::Tensor(t) = &value {
            t.storage().watch();
        }
        let version = version(&value);
        Taken { object, slot, value, version }
    }

    fn holds(&self) -> bool {
        let now = self.object.get(self.slot);
        now.is_some_and(|now| is_same(&now, &self.value)) && version(&self.value) == self.version
    }
}

fn version(value: &IValue) -> u64 {
    if let IValue::Tensor(t) = value { t.version() } else { 0 }
}

impl Constants {
    /// Are they what they were? It costs a load, unless something was written to that somebody relies on.
    pub fn hold(&self) -> bool {
        let writes = watch::writes();
        if !self.contents.iter().all(|(now, before)| is_equal(now, before, 0)) {
            return false;
        }
        if self.seen.load(Ordering::Acquire) == writes {
            return true;
        }
        let holds = self.taken.read().unwrap_or_else(PoisonError::into_inner).values().all(Taken::holds);
        if holds {
            self.seen.store(writes, Ordering::Release);
        }
        holds
    }

    /// Everything that an object holds, itself or by objects that it holds, is relied on from now on; none when it holds what nobody can tell from what it was.
    pub fn of_all(object: &Arc<Object>) -> Option<Constants> {
        let mut constants = Constants::default();
        let mut seen: HashSet<usize> = HashSet::new();
        let mut stack = vec![object.clone()];
        while let Some(object) = stack.pop() {
            if !seen.insert(Arc::as_ptr(&object) as usize) {
                continue;
            }
            for (slot, value) in (0..object.names.len()).filter_map(|slot| Some((slot, object.get(slot)?))) {
                match &value {
                    IValue::Object(inner) => stack.push(inner.clone()),
                    IValue::Tensor(_)
                    | IValue::Uninitialized
                    | IValue::Device(_)
                    | IValue::Complex(_)
                    | IValue::Enum(_) => {}
                    value if is_plain(value) => {}
                    value => {
                        let before = deep_copies(std::slice::from_ref(value)).ok()?.pop()?;
                        if !is_equal(value, &before, 0) {
                            return None;
                        }
                        constants.contents.push((value.clone(), before));
                    }
                }
                constants.take(&object, slot, value);
            }
        }
        Some(constants)
    }

    /// One more is relied on from now on.
    pub fn take(&self, object: &Arc<Object>, slot: usize, value: IValue) {
        let mut taken = self.taken.write().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Vacant(place) = taken.entry((Arc::as_ptr(object) as usize, slot)) {
            place.insert(Taken::new(object.clone(), slot, value));
            self.seen.store(UNKNOWN, Ordering::Release);
        }
    }
}

/// A tensor that a method reads of its object, offered as a constant.
pub(crate) struct Offer {
    pub tensor: Tensor,
    /// Tensors of one number share memory.
    storage: u32,
    object: Arc<Object>,
    slot: usize,
}

impl Offer {
    /// It is relied on from now on.
    pub fn take(&self, constants: &Constants) {
        constants.take(&self.object, self.slot, self.tensor.clone().into());
    }
}

/// Offered tensors by their paths from the method's object, in the order in which they are read first.
#[derive(Default)]
pub(crate) struct Offers {
    by_path: IndexMap<String, Offer>,
    /// By [`Storage::id`](sconce_tensor::Storage::id): tensors of one storage are written together.
    storages: HashMap<usize, u32>,
}

impl Offers {
    fn add(&mut self, path: String, object: &Arc<Object>, slot: usize, tensor: &Tensor) {
        let next = self.storages.len() as u32;
        if let indexmap::map::Entry::Vacant(place) = self.by_path.entry(path) {
            let storage = *self.storages.entry(tensor.storage().id()).or_insert(next);
            place.insert(Offer { tensor: tensor.clone(), storage, object: object.clone(), slot });
        }
    }

    /// The tensor that a constant of this name stands for.
    pub fn of_constant(&self, name: &str) -> Option<&Offer> {
        self.by_path.get(attribute_path(name)?)
    }

    /// As the compiler is told of them.
    pub fn named(&self) -> Vec<NamedAttribute> {
        let named = |(path, offer): (&String, &Offer)| NamedAttribute { path: path.clone(), storage: offer.storage };
        self.by_path.iter().map(named).collect()
    }
}

/// What a method reads of its object.
#[derive(Default)]
pub(crate) struct Held {
    pub constants: Constants,
    pub offers: Offers,
}

/// Is it a value that nothing can change, and that is told from others by what it is?
fn is_plain(value: &IValue) -> bool {
    matches!(value, IValue::None | IValue::Bool(_) | IValue::Int(_) | IValue::Double(_) | IValue::Str(_))
}

/// Is it the very same: what is plain by its value, other things by what they are?
fn is_same(a: &IValue, b: &IValue) -> bool {
    match (a, b) {
        (IValue::Uninitialized, IValue::Uninitialized) => true,
        (IValue::Object(a), IValue::Object(b)) => Arc::ptr_eq(a, b),
        (IValue::List(_) | IValue::Dict(_) | IValue::Tuple(_), _) => a.is(b),
        (IValue::Device(_) | IValue::Complex(_) | IValue::Enum(_), _) => a.is(b),
        (IValue::None, IValue::None) => true,
        (IValue::Bool(a), IValue::Bool(b)) => a == b,
        (IValue::Int(a), IValue::Int(b)) => a == b,
        (IValue::Double(a), IValue::Double(b)) => a.to_bits() == b.to_bits(),
        (IValue::Str(a), IValue::Str(b)) => a == b,
        (IValue::Tensor(a), IValue::Tensor(b)) => a.is(b),
        _ => false,
    }
}

/// How deep lists and tuples are looked into.
const MAX_DEPTH: usize = 4;

/// Do they hold the same? Of plain values in lists, dictionaries and tuples only: of others the answer is no.
fn is_equal(a: &IValue, b: &IValue, depth: usize) -> bool {
    let one = |a: &IValue, b: &IValue| is_equal(a, b, depth + 1);
    let all = |a: &[IValue], b: &[IValue]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| one(a, b));
    match (a, b) {
        _ if depth > MAX_DEPTH => false,
        (IValue::List(a), IValue::List(b)) => all(&a.read(), &b.read()),
        (IValue::Tuple(a), IValue::Tuple(b)) => all(&a.items, &b.items),
        (IValue::Dict(a), IValue::Dict(b)) => {
            let (a, b) = (a.read(), b.read());
            a.len() == b.len() && a.iter().zip(b.iter()).all(|((k, v), (l, w))| k == l && one(v, w))
        }
        _ => is_plain(a) && is_same(a, b),
    }
}

/// Is it, or does it hold, a tensor that somebody relies on? So it is said of what lies too deep to look.
pub(crate) fn is_relied_on(value: &IValue, depth: usize) -> bool {
    let all = |items: &[IValue]| items.iter().any(|v| is_relied_on(v, depth + 1));
    match value {
        _ if depth > MAX_DEPTH => true,
        IValue::Tensor(t) => t.storage().is_watched(),
        IValue::List(list) => all(&list.read()),
        IValue::Tuple(tuple) => all(&tuple.items),
        IValue::Dict(dict) => dict.read().values().any(|v| is_relied_on(v, depth + 1)),
        IValue::Object(_) | IValue::Future(_) => true,
        _ => false,
    }
}

/// Puts into a method's graph what its object holds: tensors as types, which are hints, and, where `fixes`, plain values as constants. What the graph sets
/// anywhere stays as it is.
pub(crate) fn put(graph: &mut Graph, object: &Arc<Object>, fixes: bool) -> Held {
    let mut attributes = Held::default();
    let Some(this) = graph.block_inputs(graph.root()).first().copied() else { return attributes };
    let mut objects: HashMap<ValueId, (Arc<Object>, String)> = HashMap::from([(this, (object.clone(), String::new()))]);
    let nodes = graph.walk(graph.root());
    let set: HashSet<Arc<str>> = nodes
        .iter()
        .filter(|n| graph.is(**n, "prim::SetAttr"))
        .filter_map(|n| graph.str_attr(*n, "name").cloned())
        .collect();
    for node in nodes.iter().copied().filter(|n| graph.is(*n, "prim::GetAttr")).collect::<Vec<NodeId>>() {
        let (Some(name), Some(output)) = (graph.str_attr(node, "name").cloned(), graph.output(node)) else {
            continue;
        };
        let Some((owner, path)) = graph.input(node, 0).and_then(|v| objects.get(&v)).cloned() else { continue };
        let Some(slot) = owner.slot_of(&name).filter(|_| !set.contains(&name)) else { continue };
        let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        match owner.get(slot) {
            Some(IValue::Object(inner)) => _ = objects.insert(output, (inner, path)),
            Some(IValue::Tensor(t)) if graph.ty(output).is_tensor() => {
                graph.set_type(output, type_of(&t));
                if fixes {
                    attributes.offers.add(path, &owner, slot, &t);
                }
            }
            // That it is there is more than a hint: it is relied on whether the compiler takes the tensor or not.
            Some(IValue::Tensor(t)) if fixes && is_optional_tensor(graph.ty(output)) => {
                graph.set_type(output, type_of(&t));
                attributes.constants.take(&owner, slot, t.clone().into());
                attributes.offers.add(path, &owner, slot, &t);
            }
            Some(value) if fixes && is_plain(&value) => {
                attributes.constants.take(&owner, slot, value.clone());
                constant(graph, node, output, value);
            }
            _ => {}
        }
    }
    attributes
}

fn is_optional_tensor(ty: &Type) -> bool {
    matches!(ty, Type::Optional(inner) if inner.is_tensor())
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

    fn object() -> Arc<Object> {
        let object = Object::new("M".into(), ["training".into(), "count".into(), "weight".into()].into());
        object.set(0, IValue::Bool(false));
        object.set(1, IValue::Int(0));
        object.set(2, Tensor::from_vec(vec![1f32, 2.], &[2]).into());
        object
    }

    #[test]
    fn constants_hold_while_the_object_holds_them() {
        let object = object();
        let constants = Constants::default();
        constants.take(&object, 0, IValue::Bool(false));
        assert!(constants.hold());
        // What is no constant may change.
        object.set(1, IValue::Int(1));
        assert!(constants.hold());
        object.set(0, IValue::Bool(true));
        assert!(!constants.hold() && !constants.hold());
        object.set(0, IValue::Bool(false));
        assert!(constants.hold());
    }

    #[test]
    fn a_tensor_holds_until_it_is_written_through_any_view() {
        let object = object();
        let weight = object.get(2).and_then(|v| v.as_tensor().ok().cloned()).expect("it was set");
        let constants = Constants::default();
        constants.take(&object, 2, weight.clone().into());
        assert!(constants.hold());
        // The same values, in another tensor.
        object.set(2, weight.copy().expect("it fits").into());
        assert!(!constants.hold());
        object.set(2, weight.clone().into());
        assert!(constants.hold());
        weight.as_strided(&[1], &[1], 1).expect("inside").fill(3f32);
        assert!(!constants.hold());
    }
}
