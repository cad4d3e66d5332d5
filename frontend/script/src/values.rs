//! Values of pickles become values of programs, with what the pickle shares still shared: one object, container or storage stays one.

use crate::unit::{ClassKind, Unit};
use rustc_hash::FxHashMap;
use sconce_archive::PtArchive;
use sconce_archive::pickle::{self, Pickle, StorageRef, TensorRef, Value, ValueId};
use sconce_kernels::quantized::packed;
use sconce_schema::packed::PackedClass;
use sconce_schema::types::Device;
use sconce_schema::{DType, Type};
use sconce_tensor::{
    Dict, DictKey, EnumValue, IValue, List, Object, Quantizer, Storage, Tensor, TensorMetadata, Tuple,
};
use std::sync::Arc;

/// Why a pickled value has no place in a program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    #[error("{pickle}: {what} cannot be a value of a program")]
    Unsupported { pickle: String, what: String },
    #[error("{pickle}: an object of class {class}, which the code does not define")]
    UnknownClass { pickle: String, class: String },
    #[error("{pickle}: an object of class {class} without `{attribute}`")]
    NoAttribute { pickle: String, class: String, attribute: String },
    #[error("{pickle}: `{attribute}` of class {class} is declared {expected}, and the value is {found}")]
    AttributeType { pickle: String, class: String, attribute: String, expected: String, found: &'static str },
    #[error("{pickle}: an item of a container of {expected} is {found}")]
    ItemType { pickle: String, expected: String, found: &'static str },
    #[error("{0}")]
    Tensor(String),
}

/// Gives the bytes of storages: a copy, or memory that is mapped.
pub trait Storages {
    /// The whole storage that `storage` describes in the pickle called `pickle`. Asked once for each key.
    fn storage(&mut self, pickle: &str, storage: &StorageRef) -> Result<Storage, Error>;
}

/// Copies storages out of an archive.
pub struct Copied<'a>(pub &'a PtArchive);

impl Storages for Copied<'_> {
    fn storage(&mut self, pickle: &str, storage: &StorageRef) -> Result<Storage, Error> {
        let record = self.0.storage(pickle, storage).map_err(|e| Error::Tensor(e.to_string()))?;
        let bytes = Tensor::zeros(&[record.size() as i64], DType::U8).map_err(|e| Error::Tensor(e.to_string()))?;
        bytes.write_bytes(record.bytes().map_err(|e| Error::Tensor(e.to_string()))?);
        Ok(bytes.storage())
    }
}

/// Converts the values of one pickle; each becomes one value, however often it is asked for.
pub struct Values<'a> {
    name: &'a str,
    pickle: &'a Pickle,
    storages: &'a mut dyn Storages,
    done: FxHashMap<ValueId, IValue>,
    shared: FxHashMap<(Box<str>, bool), Storage>,
    /// What [`Value::TensorId`] counts in: the tensors of a `model.json`.
    pub table: Vec<TensorRef>,
    /// Objects whose `__setstate__` has to be called, inner ones first, each with what it is called with.
    pub states: Vec<(Arc<Object>, IValue)>,
}

impl<'a> Values<'a> {
    /// `name` is that of the pickle in its archive: `data.pkl`.
    pub fn new(name: &'a str, pickle: &'a Pickle, storages: &'a mut dyn Storages) -> Values<'a> {
        Values {
            name,
            pickle,
            storages,
            done: FxHashMap::default(),
            shared: FxHashMap::default(),
            table: Vec::new(),
            states: Vec::new(),
        }
    }

    /// What is converted.
    pub fn pickle(&self) -> &'a Pickle {
        self.pickle
    }

    /// The value at `id`. `unit` knows the classes; `wanted` is the type of the place where the value goes, which containers take where the pickle
    /// does not say theirs.
    pub fn value(&mut self, unit: &Unit, id: ValueId, wanted: Option<&Type>) -> Result<IValue, Error> {
        if let Some(value) = self.done.get(&id) {
            return Ok(value.clone());
        }
        let value = self.convert(unit, id, strip_optional(wanted))?;
        self.done.insert(id, value.clone());
        Ok(value)
    }

    fn unsupported(&self, what: impl Into<String>) -> Error {
        Error::Unsupported { pickle: self.name.to_owned(), what: what.into() }
    }

    fn convert(&mut self, unit: &Unit, id: ValueId, wanted: Option<&Type>) -> Result<IValue, Error> {
        let pickle = self.pickle;
        Ok(match &pickle[id] {
            Value::None => IValue::None,
            Value::Bool(b) => IValue::Bool(*b),
            Value::Int(n) => match wanted {
                // The pickle of 2019 wrote floats that are integers so.
                Some(Type::Float) => IValue::Double(*n as f64),
                _ => IValue::Int(*n),
            },
            Value::Float(x) => IValue::Double(*x),
            Value::Complex(c) => IValue::complex(c[0], c[1]),
            Value::Str(text) => IValue::str(String::from_utf8_lossy(text)),
            Value::List(list) => self.list(unit, list, wanted)?,
            Value::Tuple(items) => self.tuple(unit, items, wanted)?,
            Value::Dict(dict) => self.dict(unit, dict, wanted)?,
            Value::Object(object) => self.object(unit, object)?,
            Value::Enum(member) => self.member(unit, member)?,
            Value::Tensor(tensor) => IValue::Tensor(self.tensor(unit, tensor)?),
            Value::TensorId(n) => {
                let tensor = usize::try_from(*n).ok().and_then(|n| self.table.get(n)).cloned();
                let tensor = tensor.ok_or_else(|| self.unsupported(format!("tensor {n} of a table")))?;
                IValue::Tensor(self.tensor(unit, &tensor)?)
            }
            Value::Device(text) => IValue::Device(Arc::new(device(text))),
            Value::DType(dtype) => IValue::Int(dtype.number()),
            Value::Layout(layout) => IValue::Int(*layout as i64),
            Value::QScheme(scheme) => IValue::Int(*scheme as i64),
            other => return Err(self.unsupported(other.kind())),
        })
    }

    fn list(&mut self, unit: &Unit, list: &pickle::List, wanted: Option<&Type>) -> Result<IValue, Error> {
        let tagged = list.tag.type_name().and_then(|t| type_from_text(unit, t));
        let element = match (tagged, wanted) {
            (Some(Type::List(e)), _) => Some((*e).clone()),
            (None, Some(Type::List(e))) => Some((**e).clone()),
            _ => None,
        };
        let items = list.items.iter().map(|i| self.value(unit, *i, element.as_ref())).collect::<Result<Vec<_>, _>>()?;
        if let Some(element) = &element {
            self.items_fit(unit, &items, element)?;
        }
        let element = element.unwrap_or_else(|| common_type(&items));
        Ok(IValue::List(List::new(element, items)))
    }

    fn tuple(&mut self, unit: &Unit, items: &[ValueId], wanted: Option<&Type>) -> Result<IValue, Error> {
        let (types, names): (Vec<Option<Type>>, _) = match wanted {
            Some(Type::Tuple(types)) => (types.iter().cloned().map(Some).collect(), None),
            Some(Type::NamedTuple(tuple)) => {
                (tuple.fields.iter().map(|(_, t)| Some(t.clone())).collect(), Some(tuple.clone()))
            }
            _ => (Vec::new(), None),
        };
        let values = items
            .iter()
            .enumerate()
            .map(|(n, i)| self.value(unit, *i, types.get(n).and_then(Option::as_ref)))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(IValue::Tuple(Tuple::new(values, names)))
    }

    fn dict(&mut self, unit: &Unit, dict: &pickle::Dict, wanted: Option<&Type>) -> Result<IValue, Error> {
        let tagged = dict.tag.type_name().and_then(|t| type_from_text(unit, t));
        let types = match (tagged, wanted) {
            (Some(Type::Dict(k, v)), _) => Some((k, v)),
            (None, Some(Type::Dict(k, v))) => Some((k.clone(), v.clone())),
            _ => None,
        };
        let (key_type, value_type) = match &types {
            Some((k, v)) => (Some(&**k), Some(&**v)),
            None => (None, None),
        };
        let mut entries = Vec::with_capacity(dict.entries.len());
        for (key, value) in &dict.entries {
            let key = self.value(unit, *key, key_type)?;
            let value = self.value(unit, *value, value_type)?;
            entries.push((key, value));
        }
        let (keys, values): (Vec<IValue>, Vec<IValue>) = entries.iter().cloned().unzip();
        let (key_type, value_type) = match types {
            Some((k, v)) => {
                self.items_fit(unit, &keys, &k)?;
                self.items_fit(unit, &values, &v)?;
                ((*k).clone(), (*v).clone())
            }
            None => (common_type(&keys), common_type(&values)),
        };
        let out = Dict::new(key_type, value_type);
        for (key, value) in entries {
            let key = DictKey::from_value(&key).ok_or_else(|| self.unsupported("such a key of a dict"))?;
            out.write().insert(key, value);
        }
        Ok(IValue::Dict(out))
    }

    /// An instance, its slots filled; where the class has a `__setstate__` they stay as they are, and the call is noted in [`Values::states`].
    fn object(&mut self, unit: &Unit, object: &pickle::Object) -> Result<IValue, Error> {
        if PackedClass::named(&object.class).is_some() {
            let state = self.value(unit, object.state, None)?;
            let made = packed::from_state(&object.class, &state);
            return made.map(IValue::Object).map_err(|e| Error::Tensor(format!("{}: {e}", self.name)));
        }
        let class = unit
            .classes
            .get(&*object.class)
            .ok_or_else(|| Error::UnknownClass { pickle: self.name.to_owned(), class: object.class.to_string() })?;
        let names: Arc<[Arc<str>]> = class.attributes.iter().map(|a| a.name.clone()).collect();
        let out = Object::new(class.name.clone(), names);
        if let Some(setter) = unit.method(&class.name, "__setstate__") {
            let wanted = setter.params.get(1).map(|p| p.ty.clone());
            let state = self.value(unit, object.state, wanted.as_ref())?;
            self.states.push((out.clone(), state));
            return Ok(IValue::Object(out));
        }
        let pickle = self.pickle;
        let Value::Dict(state) = &pickle[object.state] else {
            return Err(self.unsupported(format!("the state of class {}", class.name)));
        };
        let fields = pickle.fields(state);
        for (slot, attribute) in class.attributes.iter().enumerate() {
            let value = match fields.get(&*attribute.name) {
                Some(value) => self.value(unit, *value, Some(&attribute.ty))?,
                None if attribute.ty == Type::None || matches!(attribute.ty, Type::Optional(_)) => IValue::None,
                None => {
                    return Err(Error::NoAttribute {
                        pickle: self.name.to_owned(),
                        class: class.name.to_string(),
                        attribute: attribute.name.to_string(),
                    });
                }
            };
            if !fits(unit, &value, &attribute.ty) {
                return Err(Error::AttributeType {
                    pickle: self.name.to_owned(),
                    class: class.name.to_string(),
                    attribute: attribute.name.to_string(),
                    expected: attribute.ty.to_string(),
                    found: value.kind(),
                });
            }
            out.set(slot, value);
        }
        Ok(IValue::Object(out))
    }

    fn items_fit(&self, unit: &Unit, items: &[IValue], ty: &Type) -> Result<(), Error> {
        match items.iter().find(|item| !fits(unit, item, ty)) {
            None => Ok(()),
            Some(item) => {
                Err(Error::ItemType { pickle: self.name.to_owned(), expected: ty.to_string(), found: item.kind() })
            }
        }
    }

    fn member(&mut self, unit: &Unit, member: &pickle::Enum) -> Result<IValue, Error> {
        let value = self.value(unit, member.value, None)?;
        let class = unit.classes.get(&*member.class).filter(|c| matches!(c.kind, ClassKind::Enum { .. }));
        let class = class
            .ok_or_else(|| Error::UnknownClass { pickle: self.name.to_owned(), class: member.class.to_string() })?;
        let key = DictKey::from_value(&value);
        let found = class.constants.iter().find(|(_, _, v)| DictKey::from_value(v) == key && key.is_some());
        let (name, ..) =
            found.ok_or_else(|| self.unsupported(format!("a value that no member of {} has", class.name)))?;
        Ok(IValue::Enum(Arc::new(EnumValue { class: class.name.clone(), name: name.clone(), value })))
    }

    /// What a quantized tensor's integers stand for.
    fn quantizer(
        &mut self,
        unit: &Unit,
        tensor: &TensorRef,
        quantizer: &pickle::Quantizer,
    ) -> Result<Arc<Quantizer>, Error> {
        if !matches!(tensor.dtype, DType::QI8 | DType::QU8 | DType::QI32) {
            return Err(self.unsupported(format!("a quantized tensor of dtype {}", tensor.dtype.torch_name())));
        }
        match quantizer {
            pickle::Quantizer::PerTensor { scale, zero_point, .. } => Ok(Quantizer::per_tensor(*scale, *zero_point)),
            pickle::Quantizer::PerChannel { scheme, scales, zero_points, axis } => {
                let mut numbers = |id: ValueId| match self.value(unit, id, None)? {
                    IValue::Tensor(t) if t.dim() == 1 && !t.is_quantized() => Ok(t.to_f64()),
                    other => Err(self.unsupported(format!("{} as parameters of a quantized tensor", other.kind()))),
                };
                let (scales, zero_points) = (numbers(*scales)?, numbers(*zero_points)?);
                let axis = usize::try_from(*axis).ok().filter(|a| *a < tensor.sizes.len());
                let made = axis.and_then(|axis| Quantizer::per_channel(*scheme, scales, zero_points, axis));
                made.ok_or_else(|| self.unsupported("a quantized tensor whose parameters do not fit its sizes"))
            }
        }
    }

    /// A tensor over its storage.
    pub fn tensor(&mut self, unit: &Unit, tensor: &TensorRef) -> Result<Tensor, Error> {
        let quantizer = match &tensor.quantizer {
            Some(q) => Some(self.quantizer(unit, tensor, q)?),
            None if tensor.dtype.is_quantized() => {
                return Err(self.unsupported("a quantized tensor without scale and zero point"));
            }
            None => None,
        };
        // Bools are 0 or 1 where other bytes may be anything: whoever gives the storage must know that it holds bools.
        let bools = tensor.dtype == DType::Bool;
        let key = (tensor.storage.key.clone(), bools);
        let storage = match self.shared.get(&key) {
            Some(storage) => storage.clone(),
            None => {
                let mut asked = tensor.storage.clone();
                if bools {
                    asked.numel = asked.byte_count().unwrap_or(u64::MAX);
                    asked.dtype = Some(DType::Bool);
                }
                let storage = self.storages.storage(self.name, &asked)?;
                self.shared.insert(key, storage.clone());
                storage
            }
        };
        let metadata = TensorMetadata {
            storage,
            dtype: tensor.dtype,
            sizes: tensor.sizes.as_slice().into(),
            strides: tensor.strides.as_slice().into(),
            offset: tensor.offset,
            quantizer,
        };
        let out = Tensor::new(metadata).map_err(|e| Error::Tensor(format!("{}: {e}", self.name)))?;
        out.set_requires_grad(tensor.requires_grad);
        Ok(out)
    }
}

/// Whether a value is of the type that its place declares. Lists and dicts were compared with their own types when they were made, so that the types are
/// compared here and nothing is looked at twice.
fn fits(unit: &Unit, value: &IValue, ty: &Type) -> bool {
    let same = |have: &Type, want: &Type| have == want || *want == Type::Any || have.is_subtype_of(want);
    match (ty, value) {
        (Type::Optional(t), _) => value.is_none() || fits(unit, value, t),
        (Type::Union(members), _) => members.iter().any(|t| fits(unit, value, t)),
        (Type::Tensor(_), IValue::Tensor(_)) | (Type::None, IValue::None) | (Type::Str, IValue::Str(_)) => true,
        (Type::Int, IValue::Int(_)) | (Type::Float, IValue::Double(_)) | (Type::Bool, IValue::Bool(_)) => true,
        (Type::Complex, IValue::Complex(_)) | (Type::Device, IValue::Device(_)) => true,
        (Type::List(t), IValue::List(l)) => same(&l.element, t),
        (Type::Dict(k, v), IValue::Dict(d)) => same(&d.key, k) && same(&d.value, v),
        (Type::Tuple(types), IValue::Tuple(t)) => {
            t.items.len() == types.len() && t.items.iter().zip(types.iter()).all(|(v, t)| fits(unit, v, t))
        }
        (Type::NamedTuple(named), IValue::Tuple(t)) => {
            t.items.len() == named.fields.len()
                && t.items.iter().zip(named.fields.iter()).all(|(v, (_, t))| fits(unit, v, t))
        }
        (Type::Enum(name), IValue::Enum(e)) => e.class == *name,
        (Type::Class(name), IValue::Object(o)) => {
            // Any class may be behind an interface.
            let class = unit.classes.get(&**name);
            o.class == *name
                || class.is_none_or(|c| matches!(c.kind, ClassKind::Interface | ClassKind::ModuleInterface))
        }
        (
            Type::Tensor(_)
            | Type::None
            | Type::Str
            | Type::Int
            | Type::Float
            | Type::Bool
            | Type::Complex
            | Type::Device,
            _,
        ) => false,
        (Type::List(_) | Type::Dict(..) | Type::Tuple(_) | Type::NamedTuple(_) | Type::Enum(_) | Type::Class(_), _) => {
            false
        }
        // Types that no pickle tells from others.
        _ => true,
    }
}

fn strip_optional(ty: Option<&Type>) -> Option<&Type> {
    match ty {
        Some(Type::Optional(inner)) => Some(inner),
        other => other,
    }
}

/// `cpu`, `cuda:1`
fn device(text: &str) -> Device {
    match text.split_once(':') {
        Some((kind, index)) => Device { kind: kind.into(), index: index.parse().ok() },
        None => Device { kind: text.into(), index: None },
    }
}

/// A container's type as pickles tag it: `Dict[str, __torch__.m.Color]`.
pub fn type_from_text(unit: &Unit, text: &str) -> Option<Type> {
    sconce_schema::types::parse(text).ok().map(|ty| with_classes(unit, &ty))
}

/// Names become what the unit says they are: classes, enumerations, named tuples.
fn with_classes(unit: &Unit, ty: &Type) -> Type {
    match ty {
        Type::Class(name) => unit.class_type(name),
        other => other.map_children(&|t| with_classes(unit, t)),
    }
}

/// The type of untagged elements: their common one.
fn common_type(items: &[IValue]) -> Type {
    let types: Vec<Type> = items.iter().map(crate::emit::types::of_value).collect();
    if types.is_empty() {
        return Type::tensor();
    }
    Type::unify_all(types.iter()).unwrap_or(Type::Any)
}
