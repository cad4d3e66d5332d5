//! Dictionaries: shared handles in insertion order, keys compared by value, a missing key PyTorch's `KeyError`.

use crate::container::direct::{Dest, Given, Kind, Word};
use crate::container::text::text_of;
use crate::container::views::views;
use crate::{Call, Error, Outputs};
use sconce_schema::Type;
use sconce_tensor::{Dict, DictKey, Handle, IValue, Items, KeyOf, WriteGuard};
use smallvec::smallvec;

fn key_of(v: &IValue) -> Result<DictKey, Error> {
    DictKey::from_value(v).ok_or_else(|| Error::runtime(format!("a {} cannot be a key", v.kind())))
}

fn missing(key: &IValue) -> Error {
    match text_of(key) {
        Ok(key) => Error::runtime(format!("KeyError: {key}")),
        Err(e) => e,
    }
}

// Where nothing waits under the lock it is taken for writing also to read: that is one atomic operation instead of two.
views! {
    len: |a| {
        let len = a.dict(0)?.write().len();
        a.give(IValue::Int(len as i64))
    };
    contains: |a| {
        let mut spare = IValue::None;
        let found = lookup(a.value(1, &mut spare)?)?.position(&a.dict(0)?.write()).is_some();
        a.give(IValue::Bool(found))
    };
    /// `d[k]`.
    getitem: |a| {
        let (mut spare, dest) = (IValue::None, a.dest);
        let given = if let Some((items, key)) = a.keyed(&mut spare) {
            find(items, key, dest)?
        } else {
            find(a.dict(0)?.write(), a.value(1, &mut spare)?, dest)?
        };
        a.put(given)
    };
    /// `d[k] = v`.
    set_item: |a| {
        let number = a.number(2);
        let value = if number.is_some() { IValue::None } else { a.take(2)? };
        let mut spare = IValue::None;
        if let Some((items, key)) = a.keyed(&mut spare) {
            set(items, key, number, value)
        } else {
            set(a.dict(0)?.write(), a.value(1, &mut spare)?, number, value)
        }
    };
}

#[inline(always)]
fn find(items: WriteGuard<'_, Items>, key: &IValue, dest: Dest) -> Result<Given, Error> {
    match lookup(key)?.position(&items).and_then(|at| items.get_index(at)) {
        Some((_, value)) => dest.given(value),
        None => Err(missing(key)),
    }
}

/// The value is the number, if there is one.
#[inline(always)]
fn set(
    mut items: WriteGuard<'_, Items>,
    key: &IValue,
    number: Option<(Kind, Word)>,
    mut value: IValue,
) -> Result<(), Error> {
    let at = lookup(key)?.position(&items);
    match (at.and_then(|at| items.get_index_mut(at)), number) {
        (Some((_, old)), Some((kind, word))) if Kind::split(old).is_some() => *old = kind.value(word),
        (Some((_, old)), Some((kind, word))) => value = std::mem::replace(old, kind.value(word)),
        (Some((_, old)), None) => std::mem::swap(old, &mut value),
        (None, number) => {
            let value = number.map_or_else(|| std::mem::take(&mut value), |(kind, word)| kind.value(word));
            items.insert(key_of(key)?, value);
        }
    }
    // What was there dies when nobody holds the lock: it may be in it.
    drop(items);
    drop(value);
    Ok(())
}

/// The value as a key to look for.
#[inline(always)]
fn lookup(v: &IValue) -> Result<KeyOf<'_>, Error> {
    KeyOf::new(v).ok_or_else(|| Error::runtime(format!("a {} cannot be a key", v.kind())))
}

/// `d.get(k)`, and with a default as third argument.
pub fn get_default(dict: &Handle<Dict>, key: &IValue, default: Option<&IValue>) -> Result<IValue, Error> {
    let found = dict.read().get(&key_of(key)?).cloned();
    Ok(found.or_else(|| default.cloned()).unwrap_or_default())
}

pub fn setdefault(dict: &Handle<Dict>, given: &IValue, default_value: &IValue) -> Result<IValue, Error> {
    let (key, value) = (key_of(given)?, default_value.clone());
    let value = dict.write().entry(key).or_insert(value).clone();
    Ok(value)
}

/// `del d[k]`.
pub fn delete(dict: &Handle<Dict>, given: &IValue) -> Result<Outputs, Error> {
    let key = key_of(given)?;
    dict.write().shift_remove(&key).map(|_| Outputs::new()).ok_or_else(|| missing(given))
}

/// `d.pop(k)`, and with a default as third argument.
pub fn pop(dict: &Handle<Dict>, given: &IValue, default: &[IValue]) -> Result<IValue, Error> {
    let value = dict.write().shift_remove(&key_of(given)?);
    value.or_else(|| default.first().cloned()).ok_or_else(|| missing(given))
}

/// `d.popitem()`: the first entry, as recorded.
pub fn popitem(dict: &Handle<Dict>) -> Result<IValue, Error> {
    let entry = dict.write().shift_remove_index(0);
    let (key, value) = entry.ok_or_else(|| Error::runtime("popitem(): dictionary is empty"))?;
    Ok(IValue::tuple(vec![key.to_value(), value]))
}

pub fn clear(dict: &Handle<Dict>) {
    dict.write().clear();
}

/// `d.update(other)`, also of a dictionary with itself.
pub fn update(dict: &Handle<Dict>, to_add: &Handle<Dict>) {
    // Copied first: it may be the same dictionary, whose lock is not taken twice.
    let other = to_add.read().clone();
    dict.write().extend(other);
}

pub fn keys(dict: &Handle<Dict>) -> IValue {
    let keys = dict.read().keys().map(DictKey::to_value).collect::<Vec<_>>();
    IValue::list(dict.key.clone(), keys)
}

pub fn values(dict: &Handle<Dict>) -> IValue {
    let values = dict.read().values().cloned().collect::<Vec<_>>();
    IValue::list(dict.value.clone(), values)
}

pub fn items(dict: &Handle<Dict>) -> IValue {
    let items = dict.read().iter().map(|(k, v)| IValue::tuple([k.to_value(), v.clone()])).collect::<Vec<_>>();
    IValue::list(Type::Tuple([dict.key.clone(), dict.value.clone()].into()), items)
}

/// `dict()` and `dict([(k, v), …])`.
pub fn dict(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let Some(pairs) = args.first() else {
        return Ok(smallvec![IValue::Dict(Dict::new(Type::Str, Type::tensor()))]);
    };
    let pairs = pairs.as_list()?;
    let (key, value) = match &pairs.element {
        Type::Tuple(t) if t.len() == 2 => (t[0].clone(), t[1].clone()),
        _ => (Type::Any, Type::Any),
    };
    let out = Dict::new(key, value);
    for pair in pairs.to_vec() {
        match &*pair.as_tuple()?.items {
            [key, value] => {
                out.write().insert(key_of(key)?, value.clone());
            }
            other => {
                return Err(Error::runtime(format!("dict() needs pairs, got a tuple of {}", other.len())));
            }
        }
    }
    Ok(smallvec![IValue::Dict(out)])
}
