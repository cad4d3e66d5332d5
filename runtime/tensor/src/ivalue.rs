//! Sixteen-byte values that hold anything a TorchScript program can compute; containers are shared handles, as in PyTorch.

use crate::handle::{FEW, Handle, ROOM, Reused, Spare};
use crate::lock::{Lock, ReadGuard, WriteGuard};
use crate::mersenne::Generator;
use crate::watch::Version;
use crate::{DType, DictKey, Error, Sizes, Tensor};
use indexmap::IndexMap;
use num_complex::Complex;
use rustc_hash::FxBuildHasher;
use sconce_schema::Type;
use sconce_schema::types::Device;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// A value (`c10::IValue`). A clone of a container is the same container.
///
/// dtype, layout and memory format are `Int` here, with PyTorch's numbers.
#[derive(Default)]
pub enum IValue {
    /// Python's `None`.
    #[default]
    None,
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i64),
    /// `float`
    Double(f64),
    /// `complex`
    Complex(Box<Complex<f64>>),
    /// `Tensor`
    Tensor(Tensor),
    /// `str`
    Str(Handle<String>),
    /// `Device`
    Device(Arc<Device>),
    /// `List[T]`
    List(Handle<List>),
    /// `Dict[K, V]`
    Dict(Handle<Dict>),
    /// `Tuple[...]`, or a named tuple.
    Tuple(Handle<Tuple>),
    /// An instance of a class or module.
    Object(Arc<Object>),
    /// A member of an enumeration.
    Enum(Arc<EnumValue>),
    /// `Future[T]`
    Future(Arc<Future>),
    /// `Generator`
    Generator(Arc<Generator>),
    /// Read before it was written (`prim::Uninitialized`).
    Uninitialized,
}

const _: () = assert!(std::mem::size_of::<IValue>() == 16);

impl Clone for IValue {
    /// The same bits, counted once more. They are copied as one: halves that are stored apart are slow to load as a whole, and values are moved as wholes.
    #[inline]
    fn clone(&self) -> IValue {
        use std::mem::forget;
        match self {
            IValue::None | IValue::Bool(_) | IValue::Int(_) | IValue::Double(_) | IValue::Uninitialized => {}
            IValue::Complex(c) => return IValue::Complex(c.clone()),
            IValue::Tensor(t) => forget(t.clone()),
            IValue::Str(s) => forget(s.clone()),
            IValue::Device(d) => forget(d.clone()),
            IValue::List(l) => forget(l.clone()),
            IValue::Dict(d) => forget(d.clone()),
            IValue::Tuple(t) => forget(t.clone()),
            IValue::Object(o) => forget(o.clone()),
            IValue::Enum(e) => forget(e.clone()),
            IValue::Future(f) => forget(f.clone()),
            IValue::Generator(g) => forget(g.clone()),
        }
        // SAFETY: a plain value, or a handle that is counted already as the clone whose bits it has.
        unsafe { std::ptr::read(self) }
    }
}

/// A mutable list, with the element type its maker gave it.
pub struct List {
    /// The type of its elements.
    pub element: Type,
    items: Lock<Vec<IValue>>,
}

/// A mutable dictionary in insertion order.
pub struct Dict {
    /// The type of its keys.
    pub key: Type,
    /// The type of its values.
    pub value: Type,
    items: Lock<Items>,
}

/// The entries of a dictionary.
pub type Items = IndexMap<DictKey, IValue, FxBuildHasher>;

/// A tuple; `names` are a named tuple's type.
pub struct Tuple {
    /// Its elements.
    pub items: Box<[IValue]>,
    /// Of a named tuple: its type.
    pub names: Option<Arc<sconce_schema::types::NamedTuple>>,
}

/// An instance of a class or module: attribute slots in the order of the class.
pub struct Object {
    /// Qualified name: `__torch__.M`.
    pub class: Arc<str>,
    /// Attribute names, shared by all instances of the class.
    pub names: Arc<[Arc<str>]>,
    slots: Lock<Vec<IValue>>,
    /// Counts what was set.
    version: Version,
}

/// A member of an enumeration.
#[derive(Clone)]
pub struct EnumValue {
    /// The enumeration's qualified name.
    pub class: Arc<str>,
    /// The member's name.
    pub name: Arc<str>,
    /// What the member stands for.
    pub value: IValue,
}

/// A value that is computed elsewhere.
pub struct Future {
    state: Mutex<FutureState>,
    ready: Condvar,
}

/// What became of a task so far.
pub enum FutureState {
    /// It has not ended.
    Pending,
    /// It gave this.
    Done(IValue),
    /// The message of the exception that ended the task.
    Failed(String),
}

/// Values that are to be dropped, while some container of this thread is.
struct Grave {
    open: bool,
    values: Vec<IValue>,
}

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static GRAVE: RefCell<Grave> = const { RefCell::new(Grave { open: false, values: Vec::new() }) };
    static STRINGS: RefCell<Vec<triomphe::Arc<String>>> = const { RefCell::new(Vec::new()) };
    static LISTS: RefCell<Vec<triomphe::Arc<List>>> = const { RefCell::new(Vec::new()) };
    static DICTS: RefCell<Vec<triomphe::Arc<Dict>>> = const { RefCell::new(Vec::new()) };
    static TUPLES: RefCell<Vec<triomphe::Arc<Tuple>>> = const { RefCell::new(Vec::new()) };
}

impl IValue {
    /// Dropping it may drop further values.
    fn holds_values(&self) -> bool {
        matches!(self, IValue::List(_) | IValue::Dict(_) | IValue::Tuple(_) | IValue::Object(_))
    }
    /// Its bits are all there is of it: nothing is counted when it is copied or dropped.
    #[inline]
    fn is_plain(&self) -> bool {
        matches!(self, IValue::None | IValue::Bool(_) | IValue::Int(_) | IValue::Double(_) | IValue::Uninitialized)
    }
}

/// Clones of these behind what a vector has; plain values go as one piece of memory.
fn extend_cloned(values: &mut Vec<IValue>, more: &[IValue]) {
    if !more.iter().all(IValue::is_plain) {
        values.extend_from_slice(more);
        return;
    }
    values.reserve(more.len());
    let length = values.len();
    // SAFETY: there is room for them, a vector that is written to overlaps with no slice, and the bits of plain values are copies of them.
    unsafe {
        std::ptr::copy_nonoverlapping(more.as_ptr(), values.as_mut_ptr().add(length), more.len());
        values.set_len(length + more.len());
    }
}

/// Containers in each other that are dropped by recursion; what lies deeper waits in the grave.
const SHALLOW: u32 = 16;

/// Drops values: a linked list of a million objects needs little stack.
fn bury(values: impl Iterator<Item = IValue>) {
    let depth = DEPTH.get();
    if depth < SHALLOW {
        DEPTH.set(depth + 1);
        values.for_each(drop);
        DEPTH.set(depth);
    } else {
        bury_deep(values);
    }
}

/// Drops values one after the other.
fn bury_deep(values: impl Iterator<Item = IValue>) {
    let mut rest = Some(values);
    // While a thread ends its own cells may be gone; what is left then is dropped as any value.
    let _ = GRAVE.try_with(|grave| {
        {
            let mut grave = grave.borrow_mut();
            grave.values.extend(rest.take().into_iter().flatten());
            if std::mem::replace(&mut grave.open, true) {
                return;
            }
        }
        loop {
            let next = grave.borrow_mut().values.pop();
            match next {
                Some(value) => drop(value),
                None => break,
            }
        }
        let mut grave = grave.borrow_mut();
        grave.open = false;
        grave.values.shrink_to(ROOM);
    });
    rest.into_iter().flatten().for_each(drop);
}

/// Empties a vector; its room stays.
fn bury_all(values: &mut Vec<IValue>) {
    if values.iter().all(IValue::is_plain) {
        // SAFETY: plain values need not be dropped.
        unsafe { values.set_len(0) };
    } else if values.iter().any(IValue::holds_values) {
        bury(values.drain(..));
    } else {
        values.clear();
    }
}

impl Drop for List {
    fn drop(&mut self) {
        bury_all(self.items.get_mut());
    }
}
impl Drop for Dict {
    fn drop(&mut self) {
        self.empty();
    }
}
impl Drop for Tuple {
    fn drop(&mut self) {
        self.empty();
    }
}
impl Drop for Object {
    fn drop(&mut self) {
        bury_all(self.slots.get_mut());
    }
}

impl Reused for String {
    fn spare() -> &'static Spare<String> {
        &STRINGS
    }
    fn empty(&mut self) {
        self.clear();
        if self.capacity() > ROOM {
            *self = String::new();
        }
        self.reserve(4 * FEW);
    }
}

impl Reused for List {
    fn spare() -> &'static Spare<List> {
        &LISTS
    }
    fn empty(&mut self) {
        let items = self.items.get_mut();
        bury_all(items);
        if items.capacity() > ROOM {
            *items = Vec::new();
        }
        items.reserve(FEW);
    }
}

impl Reused for Dict {
    fn spare() -> &'static Spare<Dict> {
        &DICTS
    }
    fn empty(&mut self) {
        let items = self.items.get_mut();
        if items.values().any(IValue::holds_values) {
            bury(items.values_mut().map(std::mem::take));
        }
        items.clear();
        if items.capacity() > ROOM {
            *items = Items::default();
        }
    }
}

impl Reused for Tuple {
    fn spare() -> &'static Spare<Tuple> {
        &TUPLES
    }
    fn empty(&mut self) {
        if self.names.is_some() {
            self.names = None;
        }
        if self.items.iter().any(IValue::holds_values) {
            bury(self.items.iter_mut().map(std::mem::take));
        } else {
            self.items.fill(IValue::None);
        }
    }
}

impl List {
    /// A list of these elements.
    pub fn new(element: Type, items: impl IntoIterator<Item = IValue>) -> Handle<List> {
        let items = items.into_iter();
        Handle::renewed(
            |_: &List| true,
            |spare| match spare {
                Some(list) => {
                    list.element = element;
                    let room = list.items.get_mut();
                    // Many are not copied to where there is little room.
                    if items.size_hint().0 > ROOM {
                        *room = items.collect()
                    } else {
                        room.extend(items)
                    }
                    None
                }
                None => Some(List { element, items: Lock::new(items.collect()) }),
            },
        )
    }
    /// A list of the elements of these, one behind the other (handles, not deep).
    pub fn joined(element: Type, parts: &[&[IValue]]) -> Handle<List> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let mut list = List::new(element, std::iter::empty());
        let mut items = List::write_by(&mut list);
        // No more room than a list has that is made of them at once.
        items.reserve_exact(length);
        parts.iter().for_each(|part| extend_cloned(&mut items, part));
        drop(items);
        list
    }
    /// Do not call back into the program while holding it.
    #[inline]
    pub fn read(&self) -> ReadGuard<'_, Vec<IValue>> {
        self.items.read()
    }
    /// The same to write.
    #[inline]
    pub fn write(&self) -> WriteGuard<'_, Vec<IValue>> {
        self.items.write()
    }
    /// The same by a handle: where there is no other nobody is waited for.
    #[inline]
    pub fn write_by(handle: &mut Handle<List>) -> WriteGuard<'_, Vec<IValue>> {
        handle.alone().map_or_else(|shared| shared.items.write(), |own| own.items.write_alone())
    }
    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.read().len()
    }
    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// A copy of the elements (handles, not deep).
    pub fn to_vec(&self) -> Vec<IValue> {
        let mut copy = Vec::new();
        extend_cloned(&mut copy, &self.read());
        copy
    }
}

impl Tuple {
    /// A tuple of these elements, a named one where `names` says so.
    pub fn new(
        items: impl IntoIterator<Item = IValue, IntoIter: ExactSizeIterator>,
        names: Option<Arc<sconce_schema::types::NamedTuple>>,
    ) -> Handle<Tuple> {
        let items = items.into_iter();
        let length = items.len();
        Handle::renewed(
            |tuple: &Tuple| tuple.items.len() == length,
            |spare| match spare {
                Some(tuple) => {
                    tuple.items.iter_mut().zip(items).for_each(|(place, item)| *place = item);
                    tuple.names = names;
                    None
                }
                None => Some(Tuple { items: items.collect(), names }),
            },
        )
    }
}

impl Dict {
    /// An empty dictionary.
    pub fn new(key: Type, value: Type) -> Handle<Dict> {
        Handle::renewed(
            |_: &Dict| true,
            |spare| match spare {
                Some(dict) => {
                    (dict.key, dict.value) = (key, value);
                    None
                }
                None => Some(Dict { key, value, items: Lock::new(Items::default()) }),
            },
        )
    }
    /// Its entries. Do not call back into the program while holding them.
    #[inline]
    pub fn read(&self) -> ReadGuard<'_, Items> {
        self.items.read()
    }
    /// The same to write.
    #[inline]
    pub fn write(&self) -> WriteGuard<'_, Items> {
        self.items.write()
    }
    /// The same by a handle: where there is no other nobody is waited for.
    #[inline]
    pub fn write_by(handle: &mut Handle<Dict>) -> WriteGuard<'_, Items> {
        handle.alone().map_or_else(|shared| shared.items.write(), |own| own.items.write_alone())
    }
}

impl Object {
    /// An instance whose attributes are not set yet.
    pub fn new(class: Arc<str>, names: Arc<[Arc<str>]>) -> Arc<Object> {
        let slots = vec![IValue::Uninitialized; names.len()];
        Arc::new(Object { class, names, slots: Lock::new(slots), version: Version::new() })
    }
    /// Which slot has the attribute of this name.
    pub fn slot_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| &**n == name)
    }
    /// The value in a slot; `None` where there is no such slot.
    #[inline]
    pub fn get(&self, slot: usize) -> Option<IValue> {
        self.slots.read().get(slot).cloned()
    }
    /// Another one whenever an attribute was set. Who finds the version unchanged finds the attributes unchanged.
    #[inline]
    pub fn version(&self) -> u64 {
        self.version.get()
    }
    /// From now on what is set counts for [`crate::watch::writes`].
    pub fn watch(&self) {
        self.version.watch();
    }
    /// False when there is no such slot.
    pub fn set(&self, slot: usize, value: IValue) -> bool {
        match self.slots.write().get_mut(slot) {
            Some(s) => {
                *s = value;
                self.version.bump();
                true
            }
            None => false,
        }
    }
}

impl Future {
    /// A future whose task has not ended.
    pub fn pending() -> Arc<Future> {
        Arc::new(Future { state: Mutex::new(FutureState::Pending), ready: Condvar::new() })
    }
    /// A future that has its result.
    pub fn done(value: IValue) -> Arc<Future> {
        Arc::new(Future { state: Mutex::new(FutureState::Done(value)), ready: Condvar::new() })
    }
    /// Says what the task came to, and wakes those who wait.
    pub fn complete(&self, result: Result<IValue, String>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = match result {
            Ok(v) => FutureState::Done(v),
            Err(e) => FutureState::Failed(e),
        };
        self.ready.notify_all();
    }
    /// The result if it is there.
    pub fn poll(&self) -> Option<Result<IValue, String>> {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            FutureState::Pending => None,
            FutureState::Done(v) => Some(Ok(v.clone())),
            FutureState::Failed(e) => Some(Err(e.clone())),
        }
    }
    /// Blocks until the result is there.
    pub fn wait(&self) -> Result<IValue, String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &*state {
                FutureState::Pending => state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner),
                FutureState::Done(v) => return Ok(v.clone()),
                FutureState::Failed(e) => return Err(e.clone()),
            }
        }
    }
}

macro_rules! access {
    ($($(#[$doc:meta])* $name:ident: $variant:ident($bind:ident) => $ty:ty, $value:expr;)*) => {
        impl IValue { $(
            $(#[$doc])*
            /// The value, if it is of this kind; else an error that names both kinds.
            #[inline]
            pub fn $name(&self) -> Result<$ty, Error> {
                match self {
                    IValue::$variant($bind) => Ok($value),
                    other => Err(Error::Kind { expected: stringify!($variant), got: other.kind() }),
                }
            }
        )* }
    };
}

access! {
    as_bool: Bool(v) => bool, *v;
    as_int: Int(v) => i64, *v;
    as_tensor: Tensor(v) => &Tensor, v;
    as_str: Str(v) => &str, v;
    as_device: Device(v) => &Device, v;
    as_list: List(v) => &Handle<List>, v;
    as_dict: Dict(v) => &Handle<Dict>, v;
    as_tuple: Tuple(v) => &Handle<Tuple>, v;
    as_object: Object(v) => &Arc<Object>, v;
    as_enum: Enum(v) => &Arc<EnumValue>, v;
    as_future: Future(v) => &Arc<Future>, v;
    as_generator: Generator(v) => &Arc<Generator>, v;
}

impl IValue {
    /// Can it stand in a program as a constant? Nothing that may be told from an equal value, and nothing nested deeper than 64.
    pub fn is_insertable(&self) -> bool {
        fn within(value: &IValue, depth: usize) -> bool {
            let all = |items: &[IValue]| depth < 64 && items.iter().all(|i| within(i, depth + 1));
            match value {
                IValue::Tensor(t) => !t.requires_grad(),
                IValue::List(list) => all(&list.to_vec()),
                IValue::Tuple(tuple) => all(&tuple.items),
                IValue::Dict(dict) => dict.read().values().all(|v| within(v, depth + 1)),
                IValue::Object(_) | IValue::Future(_) | IValue::Generator(_) | IValue::Uninitialized => false,
                _ => true,
            }
        }
        within(self, 0)
    }

    /// The variant's name, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            IValue::None => "None",
            IValue::Bool(_) => "bool",
            IValue::Int(_) => "int",
            IValue::Double(_) => "float",
            IValue::Complex(_) => "complex",
            IValue::Tensor(_) => "Tensor",
            IValue::Str(_) => "str",
            IValue::Device(_) => "Device",
            IValue::List(_) => "list",
            IValue::Dict(_) => "dict",
            IValue::Tuple(_) => "tuple",
            IValue::Object(_) => "object",
            IValue::Enum(_) => "enum",
            IValue::Future(_) => "Future",
            IValue::Generator(_) => "Generator",
            IValue::Uninitialized => "an uninitialised value",
        }
    }
    /// A string that is moved.
    pub fn str(s: impl Into<String>) -> IValue {
        IValue::Str(Handle::new(s.into()))
    }
    /// The text of these parts, one after the other.
    pub fn text<'a>(parts: impl IntoIterator<Item = &'a str>) -> IValue {
        IValue::Str(Handle::renewed(
            |_: &String| true,
            |spare| match spare {
                Some(text) => {
                    text.extend(parts);
                    None
                }
                None => Some(parts.into_iter().collect()),
            },
        ))
    }
    /// A complex number of its parts.
    pub fn complex(re: f64, im: f64) -> IValue {
        IValue::Complex(Box::new(Complex::new(re, im)))
    }
    /// A list of these elements.
    pub fn list(element: Type, items: impl IntoIterator<Item = IValue>) -> IValue {
        IValue::List(List::new(element, items))
    }
    /// A `List[int]`.
    pub fn int_list(items: &[i64]) -> IValue {
        IValue::list(Type::Int, items.iter().map(|&i| IValue::Int(i)))
    }
    /// A `List[Tensor]`.
    pub fn tensor_list(items: impl IntoIterator<Item = Tensor>) -> IValue {
        IValue::list(Type::tensor(), items.into_iter().map(IValue::Tensor))
    }
    /// A tuple without names.
    pub fn tuple(items: impl IntoIterator<Item = IValue, IntoIter: ExactSizeIterator>) -> IValue {
        IValue::Tuple(Tuple::new(items, None))
    }
    /// Lets go of the value: the place reads as one that was never written. Of one that holds nothing only the kind is written, not a whole value.
    #[inline(always)]
    pub fn clear(&mut self) {
        match self {
            IValue::None | IValue::Bool(_) | IValue::Int(_) | IValue::Double(_) | IValue::Uninitialized => {
                *self = IValue::Uninitialized;
            }
            held => drop(std::mem::replace(held, IValue::Uninitialized)),
        }
    }
    /// Whether it is Python's `None`.
    pub fn is_none(&self) -> bool {
        matches!(self, IValue::None)
    }
    /// `None` as `Option::None`.
    pub fn optional(&self) -> Option<&IValue> {
        (!self.is_none()).then_some(self)
    }
    /// A float argument: an int or bool is converted, as TorchScript does for `float` parameters given a number.
    pub fn as_double(&self) -> Result<f64, Error> {
        match self {
            IValue::Double(v) => Ok(*v),
            IValue::Int(v) => Ok(*v as f64),
            IValue::Bool(v) => Ok(f64::from(u8::from(*v))),
            other => Err(Error::Kind { expected: "float", got: other.kind() }),
        }
    }
    /// An `int` parameter; a bool counts as one, as in Python.
    pub fn as_int_or_bool(&self) -> Result<i64, Error> {
        match self {
            IValue::Int(v) => Ok(*v),
            IValue::Bool(v) => Ok(i64::from(*v)),
            other => Err(Error::Kind { expected: "int", got: other.kind() }),
        }
    }
    /// The dtype whose number it is.
    pub fn as_dtype(&self) -> Result<DType, Error> {
        DType::from_number(self.as_int()?).ok_or(Error::Kind { expected: "dtype", got: "a number that is none" })
    }
    /// The elements of a `List[int]`; a bool counts as one.
    pub fn as_int_list(&self) -> Result<Sizes, Error> {
        self.as_list()?.read().iter().map(IValue::as_int_or_bool).collect()
    }
    /// The elements of a `List[Tensor]`.
    pub fn as_tensor_list(&self) -> Result<SmallVec<[Tensor; 16]>, Error> {
        self.as_list()?.read().iter().map(|v| v.as_tensor().cloned()).collect()
    }
    /// Same object (containers, tensors, strings by handle), or equal plain value: what `is` asks.
    pub fn is(&self, other: &IValue) -> bool {
        match (self, other) {
            (IValue::None, IValue::None) => true,
            (IValue::Bool(a), IValue::Bool(b)) => a == b,
            (IValue::Int(a), IValue::Int(b)) => a == b,
            (IValue::Double(a), IValue::Double(b)) => a == b,
            (IValue::Complex(a), IValue::Complex(b)) => a == b,
            (IValue::Tensor(a), IValue::Tensor(b)) => a.is(b),
            (IValue::Str(a), IValue::Str(b)) => a.is(b),
            (IValue::Device(a), IValue::Device(b)) => a == b,
            (IValue::List(a), IValue::List(b)) => a.is(b),
            (IValue::Dict(a), IValue::Dict(b)) => a.is(b),
            (IValue::Tuple(a), IValue::Tuple(b)) => a.is(b),
            (IValue::Object(a), IValue::Object(b)) => Arc::ptr_eq(a, b),
            // Of the wrappers: two constants of one member are two, as PyTorch has it.
            (IValue::Enum(a), IValue::Enum(b)) => Arc::ptr_eq(a, b),
            (IValue::Future(a), IValue::Future(b)) => Arc::ptr_eq(a, b),
            (IValue::Generator(a), IValue::Generator(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

macro_rules! from {
    ($($t:ty => |$v:ident| $e:expr),* $(,)?) => { $( impl From<$t> for IValue { fn from($v: $t) -> IValue { $e } } )* };
}
from! {
    bool => |v| IValue::Bool(v),
    i64 => |v| IValue::Int(v),
    f64 => |v| IValue::Double(v),
    Tensor => |v| IValue::Tensor(v),
    String => |v| IValue::str(v),
    &str => |v| IValue::text([v]),
    DType => |v| IValue::Int(v.number()),
}

impl std::fmt::Debug for IValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            IValue::None => f.write_str("None"),
            IValue::Bool(v) => write!(f, "{v}"),
            IValue::Int(v) => write!(f, "{v}"),
            IValue::Double(v) => write!(f, "{v:?}"),
            IValue::Complex(v) => write!(f, "({:?}+{:?}j)", v.re, v.im),
            IValue::Tensor(v) => write!(f, "{v:?}"),
            IValue::Str(v) => write!(f, "{v:?}"),
            IValue::Device(v) => write!(f, "{v:?}"),
            IValue::List(v) => f.debug_list().entries(v.read().iter()).finish(),
            IValue::Dict(v) => f.debug_map().entries(v.read().iter().map(|(k, v)| (k.to_value(), v))).finish(),
            IValue::Tuple(v) => {
                f.write_str("(")?;
                for (i, x) in v.items.iter().enumerate() {
                    write!(f, "{}{x:?}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
            IValue::Object(v) => write!(f, "<{}>", v.class),
            IValue::Enum(v) => write!(f, "{}.{}", v.class, v.name),
            other => write!(f, "<{}>", other.kind()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_chain_of_objects_is_dropped_without_a_stack() {
        let names: Arc<[Arc<str>]> = ["next".into()].into();
        let mut head = IValue::None;
        for i in 0..if cfg!(miri) { 1_000 } else { 1_000_000 } {
            let link = match i % 4 {
                0 => {
                    let o = Object::new("Node".into(), names.clone());
                    o.set(0, head);
                    IValue::Object(o)
                }
                1 => IValue::list(Type::Any, vec![head]),
                2 => IValue::tuple(vec![head, IValue::Int(1)]),
                _ => {
                    let d = Dict::new(Type::Int, Type::Any);
                    d.write().insert(DictKey::Int(1), head);
                    IValue::Dict(d)
                }
            };
            head = link;
        }
        drop(head);
    }
}
