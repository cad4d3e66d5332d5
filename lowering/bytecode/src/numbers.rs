//! What a Program lists once has the same number wherever it is named, found without a look at the list.

use rustc_hash::FxHashMap;
use sconce_interpreter::Program;
use sconce_interpreter::program::{Class, NameId, TypeId};
use sconce_schema::Type;
use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::Arc;

/// The numbers of names, types, operators and classes in the lists of a Program.
#[derive(Default)]
pub(crate) struct Numbers {
    names: FxHashMap<Arc<str>, NameId>,
    types: FxHashMap<Type, TypeId>,
    operators: FxHashMap<Arc<str>, u32>,
    classes: FxHashMap<Arc<str>, u32>,
}

/// The last of a list, which is longer by this item.
fn put<T>(list: &mut Vec<T>, item: T) -> u32 {
    list.push(item);
    (list.len() - 1) as u32
}

/// The number that a key has; of a new one, an item is made and put at the end of the list.
fn numbered<K, Q, T>(known: &mut FxHashMap<K, u32>, list: &mut Vec<T>, key: &Q, item: impl FnOnce(&K) -> T) -> u32
where
    K: Borrow<Q> + Eq + Hash,
    Q: ToOwned + Eq + Hash + ?Sized,
    Q::Owned: Into<K>,
{
    if let Some(number) = known.get(key) {
        return *number;
    }
    let key: K = key.to_owned().into();
    let item = item(&key);
    *known.entry(key).or_insert(put(list, item))
}

impl Numbers {
    pub fn name(&mut self, program: &mut Program, name: &str) -> NameId {
        numbered(&mut self.names, &mut program.names, name, Arc::clone)
    }

    pub fn ty(&mut self, program: &mut Program, ty: &Type) -> TypeId {
        numbered(&mut self.types, &mut program.types, ty, Type::clone)
    }

    pub fn operator(&mut self, program: &mut Program, name: &str) -> u32 {
        numbered(&mut self.operators, &mut program.operators, name, Arc::clone)
    }

    /// Of classes of one name the first is known.
    pub fn put_class(&mut self, program: &mut Program, class: Class) -> u32 {
        let name = class.name.clone();
        let number = put(&mut program.classes, class);
        *self.classes.entry(name).or_insert(number)
    }

    pub fn class(&self, name: &str) -> Option<u32> {
        self.classes.get(name).copied()
    }
}
