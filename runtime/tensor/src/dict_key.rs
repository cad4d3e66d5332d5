//! Keys of dictionaries: equal and hashed as Python's, and found without making a key of the value that is looked for.

use crate::{EnumValue, Handle, IValue, Items, Tensor};
use num_complex::Complex;
use sconce_schema::types::Device;
use std::sync::Arc;

/// What may be a key: PyTorch allows int, float, complex, bool, str and tensors (by identity).
#[derive(Clone)]
pub enum DictKey {
    /// `int`
    Int(i64),
    /// Compared as IEEE numbers would be, with `-0.0 == 0.0`; NaN equals nothing.
    Double(f64),
    /// `complex`
    Complex(Complex<f64>),
    /// `bool`
    Bool(bool),
    /// `str`
    Str(Handle<String>),
    /// The tensor itself, not its elements.
    Tensor(Tensor),
    /// A member of an enumeration, by class and name.
    Enum(Arc<EnumValue>),
    /// `Device`
    Device(Arc<Device>),
}

/// A value as a key to look for: equal to and hashed as the [`DictKey`] made of it.
#[derive(Clone, Copy)]
pub enum KeyOf<'a> {
    /// `int`
    Int(i64),
    /// `float`
    Double(f64),
    /// `complex`
    Complex(Complex<f64>),
    /// `bool`
    Bool(bool),
    /// `str`
    Str(&'a Handle<String>),
    /// The tensor itself.
    Tensor(&'a Tensor),
    /// A member of an enumeration.
    Enum(&'a EnumValue),
    /// `Device`
    Device(&'a Device),
}

impl<'a> KeyOf<'a> {
    /// The key that a value is; `None` of what cannot be one.
    #[inline]
    pub fn new(v: &'a IValue) -> Option<KeyOf<'a>> {
        Some(match v {
            IValue::Int(a) => KeyOf::Int(*a),
            IValue::Double(a) => KeyOf::Double(*a),
            IValue::Complex(a) => KeyOf::Complex(**a),
            IValue::Bool(a) => KeyOf::Bool(*a),
            IValue::Str(a) => KeyOf::Str(a),
            IValue::Tensor(a) => KeyOf::Tensor(a),
            IValue::Enum(a) => KeyOf::Enum(a),
            IValue::Device(a) => KeyOf::Device(a),
            _ => return None,
        })
    }
}

/// Dictionaries of up to so many entries are searched one by one.
const SEARCHED: usize = 8;

impl KeyOf<'_> {
    /// Where a dictionary has it.
    #[inline]
    pub fn position(&self, items: &Items) -> Option<usize> {
        match self {
            _ if items.len() > SEARCHED => items.get_index_of(self),
            // Mostly it is the same string, which tells more quickly than that others are not equal.
            KeyOf::Str(s) => items
                .keys()
                .position(|k| matches!(k, DictKey::Str(k) if s.is(k)))
                .or_else(|| items.keys().position(|k| matches!(k, DictKey::Str(k) if ***s == **k))),
            _ => items.keys().position(|k| *self == k.borrowed()),
        }
    }
}

impl PartialEq for KeyOf<'_> {
    #[inline]
    fn eq(&self, other: &KeyOf<'_>) -> bool {
        match (self, other) {
            (KeyOf::Int(a), KeyOf::Int(b)) => a == b,
            (KeyOf::Double(a), KeyOf::Double(b)) => a == b,
            (KeyOf::Complex(a), KeyOf::Complex(b)) => a == b,
            (KeyOf::Bool(a), KeyOf::Bool(b)) => a == b,
            (KeyOf::Str(a), KeyOf::Str(b)) => a.is(b) || ***a == ***b,
            (KeyOf::Tensor(a), KeyOf::Tensor(b)) => a.is(b),
            (KeyOf::Enum(a), KeyOf::Enum(b)) => a.class == b.class && a.name == b.name,
            (KeyOf::Device(a), KeyOf::Device(b)) => a == b,
            _ => false,
        }
    }
}

impl std::hash::Hash for KeyOf<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Adding 0.0 makes the two zeros one, so that equal keys hash equally.
        let bits = |f: f64| (f + 0.0).to_bits();
        match self {
            KeyOf::Int(a) => a.hash(state),
            KeyOf::Double(a) => bits(*a).hash(state),
            KeyOf::Complex(a) => (bits(a.re), bits(a.im)).hash(state),
            KeyOf::Bool(a) => a.hash(state),
            KeyOf::Str(a) => a.as_str().hash(state),
            KeyOf::Tensor(a) => a.address().hash(state),
            KeyOf::Enum(a) => (&a.class, &a.name).hash(state),
            KeyOf::Device(a) => a.hash(state),
        }
    }
}

impl indexmap::Equivalent<DictKey> for KeyOf<'_> {
    fn equivalent(&self, key: &DictKey) -> bool {
        *self == key.borrowed()
    }
}

impl PartialEq for DictKey {
    fn eq(&self, other: &DictKey) -> bool {
        self.borrowed() == other.borrowed()
    }
}
// NaN is not equal to itself; a map with such a key never finds it again, which is Python's behaviour too.
impl Eq for DictKey {}

impl std::hash::Hash for DictKey {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.borrowed().hash(state);
    }
}

impl DictKey {
    #[inline]
    fn borrowed(&self) -> KeyOf<'_> {
        match self {
            DictKey::Int(a) => KeyOf::Int(*a),
            DictKey::Double(a) => KeyOf::Double(*a),
            DictKey::Complex(a) => KeyOf::Complex(*a),
            DictKey::Bool(a) => KeyOf::Bool(*a),
            DictKey::Str(a) => KeyOf::Str(a),
            DictKey::Tensor(a) => KeyOf::Tensor(a),
            DictKey::Enum(a) => KeyOf::Enum(a),
            DictKey::Device(a) => KeyOf::Device(a),
        }
    }
    /// The key that a value is, which keeps it; `None` of what cannot be one.
    pub fn from_value(v: &IValue) -> Option<DictKey> {
        Some(match v {
            IValue::Int(a) => DictKey::Int(*a),
            IValue::Double(a) => DictKey::Double(*a),
            IValue::Complex(a) => DictKey::Complex(**a),
            IValue::Bool(a) => DictKey::Bool(*a),
            IValue::Str(a) => DictKey::Str(a.clone()),
            IValue::Tensor(a) => DictKey::Tensor(a.clone()),
            IValue::Enum(a) => DictKey::Enum(a.clone()),
            IValue::Device(a) => DictKey::Device(a.clone()),
            _ => return None,
        })
    }
    /// The key as a value.
    pub fn to_value(&self) -> IValue {
        match self {
            DictKey::Int(a) => IValue::Int(*a),
            DictKey::Double(a) => IValue::Double(*a),
            DictKey::Complex(a) => IValue::Complex(Box::new(*a)),
            DictKey::Bool(a) => IValue::Bool(*a),
            DictKey::Str(a) => IValue::Str(a.clone()),
            DictKey::Tensor(a) => IValue::Tensor(a.clone()),
            DictKey::Enum(a) => IValue::Enum(a.clone()),
            DictKey::Device(a) => IValue::Device(a.clone()),
        }
    }
}
