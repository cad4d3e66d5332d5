//! Pickles become values by a stack machine that knows a fixed list of names and executes nothing.
//!
//! A [`Pickle`] holds its values in one list; a [`ValueId`] is a value's place in it. What a pickle shares (a tensor in two attributes, a module reached twice) has
//! one id, so identity survives. A pickle that was read has no cycles, at most [`crate::Limits::depth`] values inside each other, and at most
//! [`crate::Limits::expanded`] values when everything shared is written out: readers may recurse over it.
//!
//! ```
//! use sconce_archive::{Limits, pickle::{Pickle, Value}};
//! // (1, "ab") as PyTorch writes it
//! let bytes = b"\x80\x02K\x01X\x02\x00\x00\x00abq\x00\x86q\x01.";
//! let pickle = Pickle::read("data.pkl", bytes, &Limits::default())?;
//! let Value::Tuple(items) = pickle.root() else { panic!() };
//! assert_eq!(pickle[items[0]], Value::Int(1));
//! assert_eq!(pickle[items[1]].as_str(), Some("ab"));
//! # Ok::<(), sconce_archive::Error>(())
//! ```

mod call;
mod check;
mod disassemble;
mod equal;
mod global;
mod machine;
mod opcode;
mod show;
mod tensor;
mod write;

pub use disassemble::disassemble;
pub use tensor::{Quantizer, SparseTensor, StorageRef, TensorRef};

use crate::{Error, Limits};
pub use sconce_schema::dtype::QScheme;
use sconce_schema::{DType, Layout};
use std::collections::HashMap;
use std::ops::Index;

/// The place of a value in its [`Pickle`]; equal ids are the same object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ValueId(u32);

impl ValueId {
    /// The place as a number below [`Pickle::len`], for tables beside the pickle.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is pickled. TorchScript objects keep their class's qualified name and state; nothing is instantiated.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    None,
    Bool(bool),
    Int(i64),
    /// An integer beyond 64 bits, in decimal digits.
    BigInt(Box<str>),
    Float(f64),
    Complex(Box<[f64; 2]>),
    /// TorchScript's strings are bytes, mostly UTF-8.
    Str(Box<[u8]>),
    /// Python's `bytes`.
    Bytes(Box<[u8]>),
    List(Box<List>),
    Tuple(Box<[ValueId]>),
    Dict(Box<Dict>),
    /// An instance of a TorchScript class with its state: a [`Value::Dict`] of attributes, or what `__getstate__` gave.
    Object(Box<Object>),
    /// A member of a TorchScript enum, given by its value.
    Enum(Box<Enum>),
    Tensor(Box<TensorRef>),
    /// A sparse tensor over the tensors that hold its indices and values.
    Sparse(Box<SparseTensor>),
    /// An entry of the tensor table of a `model.json` archive.
    TensorId(i64),
    /// A storage that no tensor wraps.
    Storage(Box<StorageRef>),
    /// `torch.device`.
    Device(Box<str>),
    /// `torch.float32` and the like.
    DType(DType),
    /// `torch.strided` and the like.
    Layout(Layout),
    /// `torch.per_tensor_affine` and the like.
    QScheme(QScheme),
    /// A name that calls refer to; none is left in a pickle that was read.
    #[doc(hidden)]
    Global(Box<global::Global>),
}

/// A list, with the element type where the pickle says it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct List {
    pub items: Vec<ValueId>,
    pub tag: Tag,
}

/// A dictionary in the order of insertion, with its type where the pickle says it. Keys are distinct.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Dict {
    pub entries: Vec<(ValueId, ValueId)>,
    pub tag: Tag,
    /// A `collections.OrderedDict`.
    pub ordered: bool,
}

/// How a container's type is written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Tag {
    /// Not at all: in pickles of version 2 and before, of eager PyTorch, and in debug records.
    #[default]
    None,
    /// By the function that builds lists of this element type, such as `torch.jit._pickle.build_intlist`.
    Built(ListKind),
    /// By `torch.jit._pickle.restore_type_tag`: the whole type, such as `Dict[str, List[int]]`.
    Type(Box<str>),
}

/// The element types whose lists have a function that builds them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListKind {
    Int,
    Float,
    Bool,
    Tensor,
}

impl ListKind {
    const TABLE: [(ListKind, &str, &str); 4] = [
        (ListKind::Int, "build_intlist", "List[int]"),
        (ListKind::Float, "build_doublelist", "List[float]"),
        (ListKind::Bool, "build_boollist", "List[bool]"),
        (ListKind::Tensor, "build_tensorlist", "List[Tensor]"),
    ];
    fn from_function(name: &str) -> Option<ListKind> {
        ListKind::TABLE.iter().find(|r| r.1 == name).map(|r| r.0)
    }
    /// The function's name in `torch.jit._pickle`.
    pub fn function(self) -> &'static str {
        ListKind::TABLE[self as usize].1
    }
    /// The list's type, such as `List[int]`.
    pub fn type_name(self) -> &'static str {
        ListKind::TABLE[self as usize].2
    }
}

impl Tag {
    /// The container's type in Python's spelling, if the pickle says it.
    pub fn type_name(&self) -> Option<&str> {
        match self {
            Tag::None => None,
            Tag::Built(kind) => Some(kind.type_name()),
            Tag::Type(text) => Some(text),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    /// The qualified name, such as `__torch__.model.Net`.
    pub class: Box<str>,
    pub state: ValueId,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Enum {
    /// The qualified name of the enum.
    pub class: Box<str>,
    pub value: ValueId,
}

/// The values of one pickle. Two are equal if they hold the same values with the same sharing.
#[derive(Clone, Debug)]
pub struct Pickle {
    values: Vec<Value>,
    root: ValueId,
}

impl Pickle {
    /// Reads a pickle that fills `bytes`. `entry` is for messages.
    pub fn read(entry: &str, bytes: &[u8], limits: &Limits) -> Result<Pickle, Error> {
        let (pickle, used) = Pickle::read_prefix(entry, bytes, limits)?;
        if used != bytes.len() {
            let what = format!("{} bytes follow the end of the pickle", bytes.len() - used);
            return Err(Error::format(entry, used, what));
        }
        Ok(pickle)
    }

    /// Reads the pickle at the start of `bytes`, and says how many bytes it has.
    pub fn read_prefix(entry: &str, bytes: &[u8], limits: &Limits) -> Result<(Pickle, usize), Error> {
        let (values, root, used) = machine::run(entry, bytes, limits)?;
        let pickle = Pickle { values, root };
        check::check(&pickle, entry, used, limits)?;
        Ok((pickle, used))
    }

    /// Puts a pickle together: `values` may refer to earlier ones only.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// `()`, such as the constants of code that needs none.
    pub fn empty_tuple() -> Pickle {
        Pickle { values: vec![Value::Tuple(Box::default())], root: ValueId(0) }
    }

    pub fn root(&self) -> &Value {
        &self[self.root]
    }
    pub fn root_id(&self) -> ValueId {
        self.root
    }
    /// The number of values; ids are below it.
    pub fn len(&self) -> usize {
        self.values.len()
    }
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
    pub fn get(&self, id: ValueId) -> &Value {
        &self[id]
    }
    /// All values with their ids, also those that the root does not reach.
    pub fn values(&self) -> impl Iterator<Item = (ValueId, &Value)> {
        self.values.iter().enumerate().map(|(i, v)| (ValueId(i as u32), v))
    }
    /// The value of a string key of a dictionary. Who asks for many keys takes the [`fields`](Self::fields).
    pub fn lookup(&self, dict: &Dict, key: &str) -> Option<ValueId> {
        dict.entries.iter().find(|(k, _)| self[*k].as_str() == Some(key)).map(|(_, v)| *v)
    }
    /// The values of all string keys of a dictionary.
    pub fn fields(&self, dict: &Dict) -> HashMap<&str, ValueId> {
        dict.entries.iter().filter_map(|(k, v)| Some((self[*k].as_str()?, *v))).collect()
    }
}

impl Index<ValueId> for Pickle {
    type Output = Value;
    fn index(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }
}

impl Value {
    /// A string that is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }
    /// The elements of a list or tuple.
    pub fn as_items(&self) -> Option<&[ValueId]> {
        match self {
            Value::List(list) => Some(&list.items),
            Value::Tuple(items) => Some(items),
            _ => None,
        }
    }
    pub fn as_dict(&self) -> Option<&Dict> {
        match self {
            Value::Dict(dict) => Some(dict),
            _ => None,
        }
    }
    /// The kind of value in a word, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::None => "None",
            Value::Bool(_) => "a bool",
            Value::Int(_) | Value::BigInt(_) => "an int",
            Value::Float(_) => "a float",
            Value::Complex(_) => "a complex number",
            Value::Str(_) => "a string",
            Value::Bytes(_) => "bytes",
            Value::List(_) => "a list",
            Value::Tuple(_) => "a tuple",
            Value::Dict(_) => "a dict",
            Value::Object(_) => "an object",
            Value::Enum(_) => "a member of an enum",
            Value::Tensor(_) | Value::Sparse(_) | Value::TensorId(_) => "a tensor",
            Value::Storage(_) => "a storage",
            Value::Device(_) => "a device",
            Value::DType(_) => "a dtype",
            Value::Layout(_) => "a layout",
            Value::QScheme(_) => "a quantization scheme",
            Value::Global(_) => "a global name",
        }
    }
    /// Whether a second reference to the value must lead to the same object.
    pub fn has_identity(&self) -> bool {
        match self {
            Value::Tuple(items) => !items.is_empty(),
            Value::List(_) | Value::Dict(_) | Value::Object(_) | Value::Tensor(_) | Value::Sparse(_) => true,
            Value::Enum(_) | Value::TensorId(_) | Value::Complex(_) => true,
            _ => false,
        }
    }
    /// Calls `visit` with every value directly inside.
    pub fn for_each_child(&self, mut visit: impl FnMut(ValueId)) {
        match self {
            Value::List(list) => list.items.iter().copied().for_each(visit),
            Value::Tuple(items) => items.iter().copied().for_each(visit),
            Value::Dict(dict) => dict.entries.iter().for_each(|(k, v)| {
                visit(*k);
                visit(*v);
            }),
            Value::Object(object) => visit(object.state),
            Value::Enum(member) => visit(member.value),
            Value::Sparse(sparse) => sparse.parts.iter().copied().for_each(visit),
            Value::Tensor(tensor) => {
                if let Some(Quantizer::PerChannel { scales, zero_points, .. }) = &tensor.quantizer {
                    visit(*scales);
                    visit(*zero_points);
                }
            }
            _ => {}
        }
    }
}

/// Collects the values of a pickle that is to be written; parts come before the whole, so there are no cycles.
#[derive(Default, Debug)]
pub struct Builder {
    values: Vec<Value>,
}

impl Builder {
    /// Adds a value whose parts were added before.
    ///
    /// # Panics
    /// If a part is missing, or after 2^32 values.
    pub fn add(&mut self, value: Value) -> ValueId {
        let next = u32::try_from(self.values.len()).expect("a pickle has fewer than 2^32 values");
        value.for_each_child(|part| assert!(part.0 < next, "a part comes before the whole"));
        self.values.push(value);
        ValueId(next)
    }
    pub fn str(&mut self, text: &str) -> ValueId {
        self.add(Value::Str(text.as_bytes().into()))
    }
    pub fn int(&mut self, n: i64) -> ValueId {
        self.add(Value::Int(n))
    }
    pub fn tuple(&mut self, items: Vec<ValueId>) -> ValueId {
        self.add(Value::Tuple(items.into()))
    }
    pub fn list(&mut self, items: Vec<ValueId>) -> ValueId {
        self.add(Value::List(Box::new(List { items, tag: Tag::None })))
    }
    /// The value added under this id.
    pub fn get(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }
    pub fn finish(self, root: ValueId) -> Pickle {
        Pickle { values: self.values, root }
    }
}
