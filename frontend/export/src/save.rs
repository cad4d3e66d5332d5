//! A unit and its module become the parts of an archive: code with its places, data, constants; saving what was loaded gives the same parts again.
//!
//! ```no_run
//! use sconce_archive::{Limits, PtArchive};
//! use sconce_export::save;
//! use sconce_script::{importer, values::Copied};
//! let archive = PtArchive::open("model.pt", &Limits::default())?;
//! let loaded = importer::load(&archive, &mut Copied(&archive))?;
//! let bytes = save::save(&loaded.unit, &loaded.module, &mut save::no_state)?.write("model", Vec::new())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{mobile, printer};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_archive::pickle::{
    Builder, Dict, Enum, List, ListKind, Object, Pickle, Quantizer, StorageRef, Tag, TensorRef, Value, ValueId,
};
use sconce_archive::{DebugEntry, DebugRanges, PtWriter};
use sconce_graph::graph::{Loc, SourceText};
use sconce_graph::unit::{Class, Unit};
use sconce_schema::packed::PackedClass;
use sconce_schema::{DType, Type};
use sconce_source::Span;
use sconce_tensor::{IValue, Storage, Tensor, TensorMetadata};
use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;

/// Why a program cannot be saved.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Print(#[from] printer::Error),
    #[error(transparent)]
    Archive(#[from] sconce_archive::Error),
    #[error("{0} cannot be saved")]
    Unsupported(String),
    #[error("an object of class {0} holds itself, which pickles cannot")]
    Cycle(Arc<str>),
    #[error("class {class} is not defined, or has no attribute in slot {slot}")]
    Slot { class: Arc<str>, slot: usize },
    #[error("__getstate__ of {class}: {what}")]
    State { class: Arc<str>, what: String },
    #[error(transparent)]
    Mobile(#[from] mobile::Error),
    #[error(transparent)]
    Inline(#[from] sconce_script::passes::InlineError),
    #[error("values are nested deeper than {MAX_DEPTH}")]
    Depth,
}

/// How deep values may be nested in what is saved; readers have the same bound.
const MAX_DEPTH: usize = 500;

/// Calls `__getstate__` of an object whose class has it.
pub type GetState<'a> = dyn FnMut(&Arc<sconce_tensor::Object>) -> Result<IValue, String> + 'a;

/// For programs whose classes have no `__getstate__`.
pub fn no_state(object: &Arc<sconce_tensor::Object>) -> Result<IValue, String> {
    Err(format!("nothing can call it on an object of {}", object.class))
}

/// A file of code.
pub struct Code {
    /// `code/__torch__/mod.py`
    pub path: String,
    pub text: String,
    pub ranges: DebugRanges,
}

/// The parts of an archive.
pub struct Saved {
    pub code: Vec<Code>,
    pub data: Pickle,
    pub constants: Pickle,
    /// The instructions, in archives for PyTorch's mobile interpreter.
    pub bytecode: Option<Pickle>,
    /// The least operator version that readers must know.
    pub version: u32,
    /// Tensors' memory by pickle and key.
    storages: FxHashMap<(&'static str, Box<str>), Storage>,
}

/// Makes the parts of an archive of `module`, an object of a module class of `unit`.
pub fn save(unit: &Unit, module: &IValue, state: &mut GetState) -> Result<Saved, Error> {
    let mut storages = FxHashMap::default();
    let mut data = Pickler::new(unit, state);
    let root = data.value(module, 0)?;
    let mut classes = std::mem::take(&mut data.classes);
    classes.append(&mut data.enums);
    let data = data.finish("data.pkl", root, &mut storages);
    let printed = printer::print(unit, &classes)?;
    let mut constants = Pickler::new(unit, state);
    let items = printed.constants.iter().map(|c| constants.value(c, 0)).collect::<Result<Vec<_>, _>>()?;
    let root = constants.out.tuple(items);
    let constants = constants.finish("constants.pkl", root, &mut storages);
    let mut ranges = Ranges::new(&printed.places);
    let code = printed.files.iter().map(|file| Code {
        path: format!("code/{}", file.path),
        text: file.text.clone(),
        ranges: ranges.of(&file.tags),
    });
    Ok(Saved { code: code.collect(), data, constants, bytecode: None, version: printed.version, storages })
}

/// The version of bytecode that is written.
const BYTECODE_VERSION: i64 = 8;

/// The same for PyTorch's mobile interpreter: with the instructions of the methods of `module`'s class.
pub fn save_mobile(unit: &Unit, module: &IValue, state: &mut GetState) -> Result<Saved, Error> {
    let mut saved = save(unit, module, state)?;
    let IValue::Object(object) = module else { return Err(Error::Unsupported(module.kind().to_owned())) };
    let mut pickler = Pickler::new(unit, state);
    // Its tensors share the folder of the constants', whose keys are numbers.
    pickler.key_suffix = ".storage";
    let mut items = vec![pickler.out.int(BYTECODE_VERSION)];
    let submodules = module_classes(unit, object);
    let mut waiting: VecDeque<Arc<str>> = methods_of(unit, &object.class).map(|(_, name)| name).collect();
    let mut done: FxHashSet<Arc<str>> = FxHashSet::default();
    while let Some(name) = waiting.pop_front() {
        let Some(function) = unit.functions.get(&name) else { continue };
        if !done.insert(name.clone()) {
            continue;
        }
        let graph = sconce_script::passes::inline(unit, &name)?;
        // What an interface's method does, only the object says: every submodule's method of the name comes along.
        let called = mobile::interface_methods(unit, &graph);
        let targets = submodules.iter().flat_map(|class| methods_of(unit, class));
        waiting.extend(targets.filter(|(method, _)| called.contains(method)).map(|(_, name)| name));
        let code = mobile::emit(unit, &graph)?;
        let constants = code.constants.iter().map(|c| pickler.value(c, 0)).collect::<Result<Vec<_>, _>>()?;
        let defaults = function.params.iter().map(|p| p.default.as_ref().map(|d| pickler.value(d, 0)).transpose());
        let defaults = defaults.collect::<Result<Vec<_>, _>>()?;
        items.push(mobile::function_table(unit, function, &code, &mut pickler.out, constants, &defaults));
    }
    let root = pickler.out.tuple(items);
    saved.bytecode = Some(pickler.finish("bytecode.pkl", root, &mut saved.storages));
    Ok(saved)
}

/// The methods of a class: simple and qualified names.
fn methods_of<'a>(unit: &'a Unit, class: &'a str) -> impl Iterator<Item = (Arc<str>, Arc<str>)> + 'a {
    let methods = unit.classes.get(class).map(|c| &*c.methods).unwrap_or_default();
    methods.iter().map(move |m| (m.clone(), format!("{class}.{m}").into()))
}

/// The classes of a module and of all modules in it, each where it is met first.
fn module_classes(unit: &Unit, module: &Arc<sconce_tensor::Object>) -> Vec<Arc<str>> {
    let mut classes = Vec::new();
    let mut stack = vec![module.clone()];
    let mut seen = FxHashSet::default();
    while let Some(object) = stack.pop() {
        if !seen.insert(Arc::as_ptr(&object) as usize) {
            continue;
        }
        if !classes.contains(&object.class) {
            classes.push(object.class.clone());
        }
        let is_module = |o: &Arc<sconce_tensor::Object>| unit.classes.get(&o.class).is_some_and(Class::is_module);
        let children = (0..object.names.len()).rev().filter_map(|slot| match object.get(slot) {
            Some(IValue::Object(child)) if is_module(&child) => Some(child),
            _ => None,
        });
        stack.extend(children);
    }
    classes
}

impl Saved {
    /// Writes the archive; `name` is that of its folder.
    pub fn write<W: Write>(&self, name: &str, out: W) -> Result<W, Error> {
        let mut writer = PtWriter::new(name, out);
        self.write_members(&mut writer)?;
        Ok(writer.finish(u64::from(self.version))?)
    }

    /// Data, code and constants, for writers that add members of their own.
    pub fn write_members<W: Write>(&self, writer: &mut PtWriter<W>) -> Result<(), Error> {
        self.write_pickle(writer, "data.pkl", &self.data)?;
        for code in &self.code {
            writer.code(&code.path, &code.text, Some(&code.ranges))?;
        }
        self.write_pickle(writer, "constants.pkl", &self.constants)?;
        match &self.bytecode {
            Some(bytecode) => self.write_pickle(writer, "bytecode.pkl", bytecode),
            None => Ok(()),
        }
    }

    fn write_pickle<W: Write>(
        &self,
        writer: &mut PtWriter<W>,
        name: &'static str,
        pickle: &Pickle,
    ) -> Result<(), Error> {
        let missing = |key: &str| sconce_archive::Error::Missing { entry: format!("{name}: storage {key}") };
        writer.pickle(name, pickle, |storage| {
            let held = self.storages.get(&(name, storage.key.clone()));
            held.and_then(storage_bytes).ok_or_else(|| missing(&storage.key))
        })?;
        Ok(())
    }
}

fn storage_bytes(storage: &Storage) -> Option<Vec<u8>> {
    let bytes = i64::try_from(storage.bytes()).ok()?;
    let metadata = TensorMetadata {
        storage: storage.clone(),
        dtype: DType::U8,
        sizes: [bytes].as_slice().into(),
        strides: [1].as_slice().into(),
        offset: 0,
        quantizer: None,
    };
    Tensor::new(metadata).ok().map(|t| t.read_bytes())
}

/// Values of one pickle.
struct Pickler<'a, 's> {
    unit: &'a Unit,
    state: &'a mut GetState<'s>,
    out: Builder,
    /// By address: containers and objects that are reached twice are one. The values are held, so that no address is used twice.
    known: FxHashMap<usize, (ValueId, IValue)>,
    open: FxHashSet<usize>,
    storages: Vec<(Storage, StorageRef)>,
    /// Classes of objects in the order in which they are met.
    classes: Vec<Arc<str>>,
    /// Enumerations of members, which no attribute's type may name.
    enums: Vec<Arc<str>>,
    key_suffix: &'static str,
}

impl<'a, 's> Pickler<'a, 's> {
    fn new(unit: &'a Unit, state: &'a mut GetState<'s>) -> Pickler<'a, 's> {
        Pickler {
            unit,
            state,
            out: Pickle::builder(),
            known: FxHashMap::default(),
            open: FxHashSet::default(),
            storages: Vec::new(),
            classes: Vec::new(),
            enums: Vec::new(),
            key_suffix: "",
        }
    }

    fn finish(
        self,
        name: &'static str,
        root: ValueId,
        storages: &mut FxHashMap<(&'static str, Box<str>), Storage>,
    ) -> Pickle {
        storages.extend(self.storages.into_iter().map(|(storage, reference)| ((name, reference.key), storage)));
        self.out.finish(root)
    }

    fn value(&mut self, value: &IValue, depth: usize) -> Result<ValueId, Error> {
        if depth > MAX_DEPTH {
            return Err(Error::Depth);
        }
        let address = address(value);
        if let Some((id, _)) = address.and_then(|a| self.known.get(&a)) {
            return Ok(*id);
        }
        let id = self.new_value(value, depth)?;
        if let Some(address) = address {
            self.known.insert(address, (id, value.clone()));
        }
        Ok(id)
    }

    fn new_value(&mut self, value: &IValue, depth: usize) -> Result<ValueId, Error> {
        let simple = match value {
            IValue::None => Value::None,
            IValue::Bool(b) => Value::Bool(*b),
            IValue::Int(n) => Value::Int(*n),
            IValue::Double(x) => Value::Float(*x),
            IValue::Complex(c) => Value::Complex(Box::new([c.re, c.im])),
            IValue::Str(s) => Value::Str(s.as_bytes().into()),
            IValue::Device(d) => {
                let index = d.index.map(|i| format!(":{i}")).unwrap_or_default();
                Value::Device(format!("{}{index}", d.kind).into())
            }
            IValue::Tensor(t) => Value::Tensor(Box::new(self.tensor(t)?)),
            IValue::Tuple(tuple) => {
                let items = tuple.items.iter().map(|i| self.value(i, depth + 1)).collect::<Result<Vec<_>, _>>()?;
                Value::Tuple(items.into())
            }
            IValue::List(list) => {
                let tag = list_tag(&list.element);
                let items = list.to_vec().iter().map(|i| self.value(i, depth + 1)).collect::<Result<Vec<_>, _>>()?;
                Value::List(Box::new(List { items, tag }))
            }
            IValue::Dict(dict) => {
                let ty = Type::dict(dict.key.clone(), dict.value.clone());
                let pairs: Vec<_> = dict.read().iter().map(|(k, v)| (k.to_value(), v.clone())).collect();
                let mut entries = Vec::with_capacity(pairs.len());
                for (key, value) in pairs {
                    let key = self.value(&key, depth + 1)?;
                    entries.push((key, self.value(&value, depth + 1)?));
                }
                Value::Dict(Box::new(Dict { entries, tag: Tag::Type(ty.annotation_str().into()), ordered: false }))
            }
            IValue::Object(object) => return self.object(object, depth),
            IValue::Enum(member) => {
                if !self.enums.contains(&member.class) {
                    self.enums.push(member.class.clone());
                }
                let value = self.value(&member.value, depth + 1)?;
                Value::Enum(Box::new(Enum { class: member.class.as_ref().into(), value }))
            }
            other => return Err(Error::Unsupported(format!("a value of kind {}", other.kind()))),
        };
        Ok(self.out.add(simple))
    }

    fn note_class(&mut self, class: &Arc<str>) {
        if !self.classes.contains(class) {
            self.classes.push(class.clone());
        }
    }

    fn object(&mut self, object: &Arc<sconce_tensor::Object>, depth: usize) -> Result<ValueId, Error> {
        let address = Arc::as_ptr(object) as usize;
        if !self.open.insert(address) {
            return Err(Error::Cycle(object.class.clone()));
        }
        self.note_class(&object.class);
        let class = self.unit.classes.get(&object.class);
        let state = if PackedClass::named(&object.class).is_some() {
            let state = sconce_kernels::quantized::packed::to_state(object);
            let state = state.map_err(|e| Error::State { class: object.class.clone(), what: e.to_string() })?;
            self.value(&state, depth + 1)?
        } else if self.unit.method(&object.class, "__getstate__").is_some() {
            let state = (self.state)(object).map_err(|what| Error::State { class: object.class.clone(), what })?;
            self.value(&state, depth + 1)?
        } else {
            let class = class.ok_or_else(|| Error::Slot { class: object.class.clone(), slot: 0 })?;
            let mut entries = Vec::with_capacity(class.attributes.len());
            for (slot, attribute) in class.attributes.iter().enumerate() {
                let place = object.slot_of(&attribute.name);
                let value = place.and_then(|p| object.get(p));
                let value = value.ok_or_else(|| Error::Slot { class: object.class.clone(), slot })?;
                let name = self.out.str(&attribute.name);
                entries.push((name, self.value(&value, depth + 1)?));
            }
            self.out.add(Value::Dict(Box::new(Dict { entries, tag: Tag::None, ordered: false })))
        };
        self.open.remove(&address);
        Ok(self.out.add(Value::Object(Box::new(Object { class: object.class.as_ref().into(), state }))))
    }

    fn tensor(&mut self, tensor: &Tensor) -> Result<TensorRef, Error> {
        let metadata = tensor.metadata();
        let known = self.storages.iter().find(|(s, r)| s.is(&metadata.storage) && r.dtype == Some(metadata.dtype));
        let storage = match known {
            Some((_, reference)) => reference.clone(),
            None => {
                let size = metadata.dtype.size().max(1);
                let reference = StorageRef {
                    key: format!("{}{}", self.storages.len(), self.key_suffix).into(),
                    dtype: Some(metadata.dtype),
                    device: "cpu".into(),
                    numel: (metadata.storage.bytes() / size) as u64,
                };
                self.storages.push((metadata.storage.clone(), reference.clone()));
                reference
            }
        };
        Ok(TensorRef {
            storage,
            dtype: metadata.dtype,
            offset: metadata.offset,
            sizes: metadata.sizes.to_vec(),
            strides: metadata.strides.to_vec(),
            requires_grad: tensor.requires_grad(),
            parameter: false,
            quantizer: tensor.quantizer().map(|q| self.quantizer(q)).transpose()?,
        })
    }

    fn quantizer(&mut self, q: &sconce_tensor::Quantizer) -> Result<Quantizer, Error> {
        let scheme = q.scheme();
        if let Some((scale, zero_point)) = q.of_tensor() {
            return Ok(Quantizer::PerTensor { scheme, scale, zero_point });
        }
        let (scales, zero_points) = q.tensors();
        let (scales, zero_points) = (self.tensor(&scales)?, self.tensor(&zero_points)?);
        let mut add = |t| self.out.add(Value::Tensor(Box::new(t)));
        let (scales, zero_points) = (add(scales), add(zero_points));
        Ok(Quantizer::PerChannel { scheme, scales, zero_points, axis: q.axis().unwrap_or(0) as i64 })
    }
}

/// What makes two values the same one.
fn address(value: &IValue) -> Option<usize> {
    Some(match value {
        IValue::Tensor(t) => t.address(),
        IValue::List(l) => l.address() as usize,
        IValue::Dict(d) => d.address() as usize,
        IValue::Tuple(t) => t.address() as usize,
        IValue::Object(o) => Arc::as_ptr(o) as usize,
        _ => return None,
    })
}

fn list_tag(element: &Type) -> Tag {
    match element {
        Type::Int => Tag::Built(ListKind::Int),
        Type::Float => Tag::Built(ListKind::Float),
        Type::Bool => Tag::Built(ListKind::Bool),
        Type::Tensor(_) => Tag::Built(ListKind::Tensor),
        other => Tag::Type(Type::list(other.clone()).annotation_str().into()),
    }
}

/// Places as debug records have them; numbers count over all files.
struct Ranges<'a> {
    places: &'a [Loc],
    nowhere: Arc<SourceText>,
    numbers: FxHashMap<u32, i64>,
}

impl<'a> Ranges<'a> {
    fn new(places: &'a [Loc]) -> Ranges<'a> {
        Ranges { places, nowhere: SourceText::nameless(""), numbers: FxHashMap::default() }
    }

    fn of(&mut self, tags: &[printer::Tag]) -> DebugRanges {
        let entries = tags.iter().map(|tag| {
            let next = self.numbers.len() as i64;
            let number = *self.numbers.entry(tag.place).or_insert(next);
            DebugEntry { offset: tag.byte, range: self.range(tag.place), tag: number }
        });
        DebugRanges { entries: entries.collect() }
    }

    fn range(&self, place: u32) -> Loc {
        let loc = (place as usize).checked_sub(1).and_then(|i| self.places.get(i));
        // Of a text that is not known there is the line, and no column.
        let inside = |loc: &Loc| {
            let last = loc.source.text().len();
            Loc::new(&loc.source, Span::new((loc.span.start as usize).min(last), (loc.span.end as usize).min(last)))
        };
        loc.map_or_else(|| Loc::new(&self.nowhere, Span::default()), inside)
    }
}
