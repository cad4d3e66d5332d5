//! An object of a unit's classes as data, for whoever must not hold its weights: what is small is said, what is large has a name, and which tensors
//! share a storage is known.

use crate::unit::{Class, Unit};
use rustc_hash::FxHashMap;
use sconce_schema::Type;
use sconce_tensor::{IValue, Object, Tensor};
use std::sync::Arc;

/// Values with tensors of more bytes go by their names.
pub const INLINE_BYTES: usize = 4096;

/// Objects within objects.
const MAX_DEPTH: usize = 200;

/// An object and those that it holds, each behind the ones it holds: it is the last.
#[derive(Clone, Debug, Default)]
pub struct Instances(pub Vec<Instance>);

/// An object: a slot for each attribute and constant of its class, in order.
#[derive(Clone, Debug)]
pub struct Instance {
    pub class: Arc<str>,
    pub slots: Vec<Slot>,
}

/// What an attribute holds.
#[derive(Clone, Debug)]
pub struct Slot {
    pub name: Arc<str>,
    /// Of the value; of a tensor with its sizes and dtype.
    pub ty: Type,
    pub held: Held,
    /// Of a tensor: slots of one number share memory.
    pub storage: Option<u32>,
}

/// The value of a slot, as far as constants can say it.
#[derive(Clone, Debug)]
pub enum Held {
    /// The object of this number.
    Object(u32),
    Value(IValue),
    /// A value that only whoever described the object has.
    Named(Arc<str>),
    /// What no constant can be.
    Unknown,
}

/// A described object, and the values that its names stand for.
pub struct Described {
    pub instances: Instances,
    pub named: Vec<(Arc<str>, IValue)>,
}

impl Described {
    /// An object whose class the unit has.
    pub fn of(unit: &Unit, root: &Arc<Object>) -> Option<Described> {
        let described = Described { instances: Instances::default(), named: Vec::new() };
        let mut describing =
            Describing { unit, described, known: FxHashMap::default(), originals: Vec::new(), storages: Vec::new() };
        describing.object(root, "self", 0)?;
        Some(describing.described)
    }
}

struct Describing<'u> {
    unit: &'u Unit,
    described: Described,
    /// Numbers of objects, by address; none while an object is being described.
    known: FxHashMap<usize, Option<u32>>,
    /// The named values as the object holds them.
    originals: Vec<IValue>,
    /// A tensor of each storage.
    storages: Vec<Tensor>,
}

impl Describing<'_> {
    /// The number of an object; of one that holds itself, of too deep a one and of one of an unknown class there is none.
    fn object(&mut self, object: &Arc<Object>, path: &str, depth: usize) -> Option<u32> {
        let address = Arc::as_ptr(object) as usize;
        if let Some(known) = self.known.get(&address) {
            return *known;
        }
        let class = self.unit.classes.get(&object.class).filter(|_| depth < MAX_DEPTH)?;
        self.known.insert(address, None);
        let mut slots = Vec::new();
        for (name, declared) in members(class) {
            let value = object.slot_of(name).and_then(|slot| object.get(slot)).or_else(|| constant(class, name));
            slots.push(self.slot(name, declared, value, &format!("{path}.{name}"), depth));
        }
        let number = u32::try_from(self.described.instances.0.len()).ok()?;
        self.described.instances.0.push(Instance { class: object.class.clone(), slots });
        self.known.insert(address, Some(number));
        Some(number)
    }

    fn slot(&mut self, name: &Arc<str>, declared: &Type, value: Option<IValue>, path: &str, depth: usize) -> Slot {
        let storage = match &value {
            Some(IValue::Tensor(t)) => Some(self.storage(t)),
            _ => None,
        };
        let held = match &value {
            Some(IValue::Object(inner)) => self.object(inner, path, depth + 1).map_or(Held::Unknown, Held::Object),
            Some(value) => self.held(value, path),
            None => Held::Unknown,
        };
        let ty = match &held {
            Held::Object(number) => Type::Class(self.described.instances.0[*number as usize].class.clone()),
            Held::Unknown => declared.clone(),
            Held::Value(IValue::None) => Type::None,
            Held::Value(_) | Held::Named(_) => match &value {
                Some(IValue::Tensor(t)) => type_of(t),
                _ => declared.clone(),
            },
        };
        Slot { name: name.clone(), ty, held, storage }
    }

    fn held(&mut self, value: &IValue, path: &str) -> Held {
        if let Some(at) = self.originals.iter().position(|known| known.is(value)) {
            return Held::Named(self.described.named[at].0.clone());
        }
        let constant = detached(value);
        if !constant.is_insertable() || self.described.named.iter().any(|(name, _)| **name == *path) {
            return Held::Unknown;
        }
        if bytes(&constant, 0) <= INLINE_BYTES {
            return Held::Value(constant);
        }
        let name: Arc<str> = path.into();
        self.described.named.push((name.clone(), constant));
        self.originals.push(value.clone());
        Held::Named(name)
    }

    fn storage(&mut self, t: &Tensor) -> u32 {
        let known = self.storages.iter().position(|other| other.shares_storage(t));
        let number = known.unwrap_or_else(|| {
            self.storages.push(t.clone());
            self.storages.len() - 1
        });
        number as u32
    }
}

/// Attributes, and constants that are none, with their declared types.
pub fn members(class: &Class) -> impl Iterator<Item = (&Arc<str>, &Type)> {
    let constants = class.constants.iter().filter(move |(name, ..)| class.attribute(name).is_none());
    class.attributes.iter().map(|a| (&a.name, &a.ty)).chain(constants.map(|(name, ty, _)| (name, ty)))
}

fn constant(class: &Class, name: &str) -> Option<IValue> {
    class.constants.iter().find(|(n, ..)| **n == *name).map(|(.., value)| value.clone())
}

/// The type of a tensor that is a constant.
pub fn type_of(t: &Tensor) -> Type {
    Type::Tensor(Arc::new(sconce_schema::types::TensorType { requires_grad: Some(false), ..t.observed_type() }))
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

/// The bytes of the tensors in a value.
fn bytes(value: &IValue, depth: usize) -> usize {
    let all = |items: &[IValue]| items.iter().map(|i| bytes(i, depth + 1)).fold(0, usize::saturating_add);
    match value {
        _ if depth > MAX_DEPTH => usize::MAX,
        IValue::Tensor(t) => t.numel().saturating_mul(t.dtype().size()),
        IValue::List(list) => all(&list.to_vec()),
        IValue::Tuple(tuple) => all(&tuple.items),
        IValue::Dict(dict) => dict.read().values().map(|v| bytes(v, depth + 1)).fold(0, usize::saturating_add),
        _ => 0,
    }
}
