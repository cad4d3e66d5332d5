//! Pickled values become values of the types that the program's classes declare.

use crate::{Error, Storages};
use sconce_archive::PtArchive;
use sconce_archive::model_json::JsonModule;
use sconce_archive::pickle::{Pickle, Tag, Value, ValueId};
use sconce_schema::Type;
use sconce_schema::types::{Device, NamedTuple};
use sconce_tensor::{Dict, DictKey, EnumValue, IValue, List, Mapping, Object, Tuple};
use std::sync::Arc;

/// What the objects of a class look like.
#[derive(Clone)]
pub struct Layout {
    pub name: Arc<str>,
    /// Names and types of the slots, in step.
    pub names: Arc<[Arc<str>]>,
    pub types: Arc<[Type]>,
    /// What `__setstate__` takes, where the class has one.
    pub state: Option<Type>,
}

/// What reading must know of the program's classes.
pub trait Classes {
    fn layout(&self, class: &str) -> Option<Layout>;
    /// The members of an enumeration with their values; `None` when it is none.
    fn members(&self, class: &str) -> Option<Vec<(Arc<str>, IValue)>>;
    fn named_tuple(&self, class: &str) -> Option<Arc<NamedTuple>>;
    /// Runs `__setstate__`. The message says what went wrong.
    fn set_state(&mut self, object: &IValue, state: IValue) -> Result<(), String>;
}

/// For values without objects: the constants of code.
pub struct NoClasses;

impl Classes for NoClasses {
    fn layout(&self, _: &str) -> Option<Layout> {
        None
    }
    fn members(&self, _: &str) -> Option<Vec<(Arc<str>, IValue)>> {
        None
    }
    fn named_tuple(&self, _: &str) -> Option<Arc<NamedTuple>> {
        None
    }
    fn set_state(&mut self, _: &IValue, _: IValue) -> Result<(), String> {
        Err("there are no classes".to_owned())
    }
}

/// Reads the values of one archive.
pub struct Reader<'a, 'c> {
    storages: Storages<'a>,
    archive: &'a PtArchive,
    classes: &'c mut dyn Classes,
}

impl<'a, 'c> Reader<'a, 'c> {
    /// `mapping` is the file that the archive was opened on, if tensors are to lie in it.
    pub fn new(archive: &'a PtArchive, mapping: Option<Arc<Mapping>>, classes: &'c mut dyn Classes) -> Reader<'a, 'c> {
        Reader { storages: Storages::new(archive, mapping), archive, classes }
    }

    /// The root of a pickle (`data.pkl`, `constants.pkl`, …) as a value of a type.
    pub fn read(&mut self, entry: &str, pickle: &Pickle, ty: &Type) -> Result<IValue, Error> {
        let mut walk = Walk { reader: self, entry, pickle, made: vec![None; pickle.len()], path: "self".to_owned() };
        walk.value(pickle.root_id(), ty)
    }

    /// The constants of the code: `CONSTANTS.c0`, `CONSTANTS.c1`, ….
    pub fn constants(&mut self) -> Result<Vec<IValue>, Error> {
        let archive = self.archive;
        if let Some(model) = archive.model_json() {
            let tensors = model.tensors.iter().enumerate();
            return tensors
                .map(|(i, t)| Ok(IValue::Tensor(self.storages.tensor("model.json", &format!("tensor {i}"), t)?)))
                .collect();
        }
        let Some(pickle) = archive.constants() else { return Ok(Vec::new()) };
        match self.read("constants.pkl", pickle, &Type::Any)? {
            IValue::Tuple(t) => Ok(t.items.to_vec()),
            IValue::List(l) => Ok(l.to_vec()),
            other => Err(Error::Value {
                entry: "constants.pkl".to_owned(),
                path: "CONSTANTS".to_owned(),
                what: format!("{} where a tuple is expected", other.kind()),
            }),
        }
    }

    /// The module of a `model.json` archive, as an object of a class that was made for it.
    pub fn module_json(&mut self, class: &str) -> Result<IValue, Error> {
        let archive = self.archive;
        let Some(model) = archive.model_json() else {
            return Err(Error::Value {
                entry: "model.json".to_owned(),
                path: "self".to_owned(),
                what: "the archive has no model.json".to_owned(),
            });
        };
        self.json_module(&model.main, class, "self")
    }

    fn json_module(&mut self, module: &JsonModule, class: &str, path: &str) -> Result<IValue, Error> {
        let archive = self.archive;
        let wrong = |what: String| Error::Value { entry: "model.json".to_owned(), path: path.to_owned(), what };
        let layout = self.classes.layout(class).ok_or_else(|| wrong(format!("there is no class {class}")))?;
        let object = Object::new(layout.name.clone(), layout.names.clone());
        let tensors = archive.model_json().map_or(&[][..], |m| &m.tensors);
        for (slot, (name, ty)) in layout.names.iter().zip(layout.types.iter()).enumerate() {
            let inner = format!("{path}.{name}");
            let value = if let Some(p) = module.parameters.iter().find(|p| *p.name == **name) {
                let tensor = tensors.get(p.tensor).ok_or_else(|| wrong(format!("{name} is tensor {}", p.tensor)))?;
                let tensor = self.storages.tensor("model.json", &inner, tensor)?;
                IValue::Tensor(tensor)
            } else if let Some(a) = module.attributes.iter().find(|a| *a.name == **name) {
                match a.id {
                    Some(id) => self.attribute(id, ty, &inner)?,
                    // `__setstate__` gives it.
                    None => IValue::Uninitialized,
                }
            } else if let (Some(m), Type::Class(class)) = (module.submodules.iter().find(|m| *m.name == **name), ty) {
                self.json_module(m, class, &inner)?
            } else if **name == *"training" {
                IValue::Bool(true)
            } else {
                return Err(wrong(format!("nothing is stored for the attribute `{name}`")));
            };
            object.set(slot, value);
        }
        let object = IValue::Object(object);
        if let (Some(state), Some(ty)) = (module.state.and_then(|s| usize::try_from(s).ok()), &layout.state) {
            let state = self.attribute(state, ty, path)?;
            let done = self.classes.set_state(&object, state);
            done.map_err(|message| Error::Call { class: class.to_owned(), message })?;
        }
        Ok(object)
    }

    /// An entry of the attribute table of a `model.json` archive.
    fn attribute(&mut self, id: usize, ty: &Type, path: &str) -> Result<IValue, Error> {
        let archive = self.archive;
        let item = archive.data().and_then(|p| Some((p, *p.root().as_items()?.get(id)?)));
        let (pickle, item) = item.ok_or_else(|| Error::Value {
            entry: "attributes.pkl".to_owned(),
            path: path.to_owned(),
            what: format!("there is no attribute {id}"),
        })?;
        let made = vec![None; pickle.len()];
        Walk { reader: self, entry: "attributes.pkl", pickle, made, path: path.to_owned() }.value(item, ty)
    }
}

/// One pickle on its way. Its depth is bounded, and it has no cycles: the archive's reader saw to that.
struct Walk<'w, 'a, 'c> {
    reader: &'w mut Reader<'a, 'c>,
    entry: &'w str,
    pickle: &'w Pickle,
    /// What has been made, so that what is shared stays one object.
    made: Vec<Option<IValue>>,
    path: String,
}

impl Walk<'_, '_, '_> {
    fn wrong(&self, what: impl Into<String>) -> Error {
        Error::Value { entry: self.entry.to_owned(), path: self.path.clone(), what: what.into() }
    }

    fn value(&mut self, id: ValueId, ty: &Type) -> Result<IValue, Error> {
        let value = &self.pickle[id];
        if let Some(Some(made)) = self.made.get(id.index()) {
            return Ok(made.clone());
        }
        let ty = narrowed(ty, value);
        let made = self.make(value, &ty)?;
        // Numbers are no objects, and a number may be read as an int here and a float there.
        let shared = matches!(
            made,
            IValue::Tensor(_)
                | IValue::List(_)
                | IValue::Dict(_)
                | IValue::Tuple(_)
                | IValue::Object(_)
                | IValue::Str(_)
        );
        if let Some(slot) = self.made.get_mut(id.index()).filter(|_| shared) {
            *slot = Some(made.clone());
        }
        Ok(made)
    }

    /// The value below a step of the path.
    fn below(&mut self, step: &str, id: ValueId, ty: &Type) -> Result<IValue, Error> {
        let length = self.path.len();
        self.path.push_str(step);
        let value = self.value(id, ty);
        self.path.truncate(length);
        value
    }

    fn make(&mut self, value: &Value, ty: &Type) -> Result<IValue, Error> {
        Ok(match value {
            Value::None => IValue::None,
            Value::Bool(b) => IValue::Bool(*b),
            Value::Int(n) if *ty == Type::Float => IValue::Double(*n as f64),
            Value::Int(n) if *ty == Type::Bool => IValue::Bool(*n != 0),
            Value::Int(n) => IValue::Int(*n),
            Value::Float(x) => IValue::Double(*x),
            Value::Complex(c) => IValue::complex(c[0], c[1]),
            // TorchScript's strings are bytes; what is not UTF-8 in them cannot be held and is replaced.
            Value::Str(bytes) if *ty == Type::Device => self.device(&String::from_utf8_lossy(bytes))?,
            Value::Str(bytes) => IValue::str(String::from_utf8_lossy(bytes).into_owned()),
            Value::Device(text) => self.device(text)?,
            Value::DType(dtype) => IValue::Int(dtype.number()),
            Value::Layout(layout) => IValue::Int(*layout as i64),
            Value::QScheme(scheme) => IValue::Int(*scheme as i64),
            Value::Tensor(tensor) => IValue::Tensor(self.reader.storages.tensor(self.entry, &self.path, tensor)?),
            Value::TensorId(n) => self.table_tensor(*n)?,
            Value::List(list) => {
                let element = element_type(ty, &list.tag);
                let items = self.items(&list.items, |_| element.clone())?;
                IValue::List(List::new(element.unshaped(), items))
            }
            Value::Tuple(items) => self.tuple(items, ty)?,
            Value::Dict(dict) => {
                let (key, item) = entry_types(ty, &dict.tag);
                let made = Dict::new(key.unshaped(), item.unshaped());
                for (k, v) in &dict.entries {
                    let k = self.below(" key", *k, &key)?;
                    let step = format!("[{k:?}]");
                    let k = DictKey::from_value(&k).ok_or_else(|| self.wrong(format!("{} as a key", k.kind())))?;
                    let v = self.below(&step, *v, &item)?;
                    made.write().insert(k, v);
                }
                IValue::Dict(made)
            }
            Value::Object(object) => self.object(&object.class, object.state)?,
            Value::Enum(member) => self.member(&member.class, member.value)?,
            Value::Sparse(_) => return Err(self.wrong("sparse tensors are not supported")),
            Value::BigInt(digits) => return Err(self.wrong(format!("the integer {digits} has more than 64 bits"))),
            other => return Err(self.wrong(format!("{} is no value of TorchScript", other.kind()))),
        })
    }

    fn device(&self, text: &str) -> Result<IValue, Error> {
        let (kind, index) = match text.split_once(':') {
            Some((kind, index)) => {
                (kind, Some(index.parse().map_err(|_| self.wrong(format!("{text:?} is no device")))?))
            }
            None => (text, None),
        };
        Ok(IValue::Device(Arc::new(Device { kind: kind.into(), index })))
    }

    fn table_tensor(&mut self, n: i64) -> Result<IValue, Error> {
        let archive = self.reader.archive;
        let table = archive.model_json().map_or(&[][..], |m| &m.tensors);
        let tensor = usize::try_from(n).ok().and_then(|n| table.get(n));
        let tensor = tensor.ok_or_else(|| self.wrong(format!("there is no tensor {n}")))?;
        Ok(IValue::Tensor(self.reader.storages.tensor("model.json", &self.path, tensor)?))
    }

    fn items(&mut self, items: &[ValueId], ty: impl Fn(usize) -> Type) -> Result<Vec<IValue>, Error> {
        items.iter().enumerate().map(|(i, id)| self.below(&format!("[{i}]"), *id, &ty(i))).collect()
    }

    fn tuple(&mut self, items: &[ValueId], ty: &Type) -> Result<IValue, Error> {
        let named = match ty {
            Type::NamedTuple(n) => Some(n.clone()),
            Type::Class(name) => self.reader.classes.named_tuple(name),
            _ => None,
        };
        let named = named.filter(|n| n.fields.len() == items.len());
        let types: Vec<Type> = match (&named, ty) {
            (Some(n), _) => n.fields.iter().map(|(_, t)| t.clone()).collect(),
            (None, Type::Tuple(types)) => types.to_vec(),
            _ => Vec::new(),
        };
        let items = self.items(items, |i| types.get(i).cloned().unwrap_or(Type::Any))?;
        Ok(IValue::Tuple(Arc::new(Tuple { items: items.into(), names: named })))
    }

    fn object(&mut self, class: &str, state: ValueId) -> Result<IValue, Error> {
        let layout = self.reader.classes.layout(class);
        let layout = layout.ok_or_else(|| self.wrong(format!("the archive has no class {class}")))?;
        let object = Object::new(layout.name.clone(), layout.names.clone());
        if let Some(ty) = &layout.state {
            let state = self.value(state, ty)?;
            let object = IValue::Object(object);
            let done = self.reader.classes.set_state(&object, state);
            done.map_err(|message| Error::Call { class: class.to_owned(), message })?;
            return Ok(object);
        }
        let Some(dict) = self.pickle[state].as_dict() else {
            return Err(
                self.wrong(format!("{} where the attributes of {class} are expected", self.pickle[state].kind()))
            );
        };
        for (slot, (name, ty)) in layout.names.iter().zip(layout.types.iter()).enumerate() {
            let value = match self.pickle.lookup(dict, name) {
                Some(id) => self.below(&format!(".{name}"), id, ty)?,
                None if matches!(ty, Type::None | Type::Optional(_)) => IValue::None,
                None => return Err(self.wrong(format!("nothing is stored for the attribute `{name}` of {class}"))),
            };
            object.set(slot, value);
        }
        Ok(IValue::Object(object))
    }

    fn member(&mut self, class: &str, value: ValueId) -> Result<IValue, Error> {
        let members = self.reader.classes.members(class);
        let members = members.ok_or_else(|| self.wrong(format!("the archive has no enumeration {class}")))?;
        let value = self.value(value, &Type::Any)?;
        let equal = |v: &IValue| v.is(&value) || matches!((v, &value), (IValue::Str(a), IValue::Str(b)) if a == b);
        match members.into_iter().find(|(_, v)| equal(v)) {
            Some((name, value)) => Ok(IValue::Enum(Arc::new(EnumValue { class: class.into(), name, value }))),
            None => Err(self.wrong(format!("{value:?} is the value of no member of {class}"))),
        }
    }
}

/// The member of an optional or union that a stored value can be of.
fn narrowed(ty: &Type, value: &Value) -> Type {
    match ty {
        Type::Optional(inner) if !matches!(value, Value::None) => narrowed(inner, value),
        Type::Union(members) => {
            let fits = |t: &&Type| match (t, value) {
                (Type::List(_), Value::List(_))
                | (Type::Dict(..), Value::Dict(_))
                | (Type::Tuple(_) | Type::NamedTuple(_), Value::Tuple(_))
                | (Type::Int, Value::Int(_))
                | (Type::Bool, Value::Bool(_)) => true,
                (Type::Class(name), Value::Object(o)) => **name == *o.class,
                _ => false,
            };
            // What decides between two lists is how the pickle built them.
            let tagged = match value {
                Value::List(l) => l.tag.type_name(),
                Value::Dict(d) => d.tag.type_name(),
                _ => None,
            };
            let tagged = tagged.and_then(|t| sconce_schema::types::parse(t).ok());
            let exact = members.iter().find(|t| Some(*t) == tagged.as_ref());
            exact.or(members.iter().find(fits)).cloned().unwrap_or(Type::Any)
        }
        other => other.clone(),
    }
}

fn element_type(ty: &Type, tag: &Tag) -> Type {
    let said = || tag.type_name().and_then(|t| sconce_schema::types::parse(t).ok());
    match ty {
        Type::List(element) => Type::clone(element),
        _ => match said() {
            Some(Type::List(element)) => Type::clone(&element),
            _ => Type::Any,
        },
    }
}

fn entry_types(ty: &Type, tag: &Tag) -> (Type, Type) {
    let said = || tag.type_name().and_then(|t| sconce_schema::types::parse(t).ok());
    match ty {
        Type::Dict(key, value) => (Type::clone(key), Type::clone(value)),
        _ => match said() {
            Some(Type::Dict(key, value)) => (Type::clone(&key), Type::clone(&value)),
            _ => (Type::Any, Type::Any),
        },
    }
}
