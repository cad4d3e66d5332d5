//! A call of a library's operator: what the library sees lives until the call ends, and what it gives is looked at before anybody else has it.

use super::interface::{SconceKind, SconceOperatorCall, SconceOperatorData, SconceOperatorTensor, SconceOperatorValue};
use super::{Registered, text};
use sconce_kernels::{Error, Outputs};
use sconce_schema::{DType, OpEntry, Type};
use sconce_tensor::lent::MAX_RANK;
use sconce_tensor::{IValue, Memory, Tensor, dlpack};
use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};
use std::rc::Rc;

/// What operators give who says no more.
pub(super) const FAILED: i32 = -1;

/// Whether values of a type can be given to a library, and taken from it.
pub(super) fn crosses(ty: &Type) -> bool {
    match ty {
        Type::Optional(inner) | Type::List(inner) => crosses(inner),
        Type::Tuple(items) => items.iter().all(crosses),
        Type::Tensor(_) | Type::Int | Type::Float | Type::Complex | Type::Bool | Type::Str | Type::Number => true,
        Type::SymInt | Type::SymFloat | Type::SymBool | Type::Layout | Type::MemoryFormat | Type::ScalarType => true,
        _ => false,
    }
}

/// Calls an operator that a library registered.
///
/// # Errors
/// An argument is of another type than the schema says, the library says why it failed, or what it gave is not what its schema says. Each names library and operator.
pub(super) fn run(entry: &'static OpEntry, operator: &Registered, args: &[IValue]) -> Result<Outputs, Error> {
    let mut host = Host::default();
    let results = host.call(entry, operator, args);
    for write in &entry.effect().writes {
        written(&args[write.argument]);
    }
    results.map_err(|why| Error::runtime(format!("{} ({}): {why}", entry.name, operator.library)))
}

/// Tells who watches a tensor's elements that they may be others.
fn written(value: &IValue) {
    match value {
        IValue::Tensor(tensor) => tensor.bump_version(),
        IValue::List(list) => list.read().iter().for_each(written),
        _ => {}
    }
}

/// A tensor that the library sees.
#[repr(C)]
struct Known {
    /// First, so that its address is the tensor's.
    shown: SconceOperatorTensor,
    /// Holds the elements, sizes and strides.
    tensor: Tensor,
    origin: Origin,
}

enum Origin {
    Argument(usize),
    /// Whether it is a result already.
    Made(Cell<bool>),
}

/// What the process has of a call while it lasts.
#[derive(Default)]
struct Host {
    tensors: Vec<Rc<Known>>,
    /// Items of lists that are arguments, and the values that they show.
    items: Vec<(Vec<SconceOperatorValue>, Vec<IValue>)>,
    /// Memory that the library asked for.
    memory: Vec<Vec<u128>>,
    /// Why the call fails; what was said first.
    failure: Option<String>,
}

const NONE: SconceOperatorValue =
    SconceOperatorValue { kind: SconceKind::None as i32, count: 0, data: SconceOperatorData { integer: 0 } };

fn plain(kind: SconceKind, data: SconceOperatorData) -> SconceOperatorValue {
    SconceOperatorValue { kind: kind as i32, count: 0, data }
}

impl Host {
    fn call(&mut self, entry: &'static OpEntry, operator: &Registered, args: &[IValue]) -> Result<Outputs, String> {
        let schema = entry.schema();
        let mut arguments = Vec::with_capacity(args.len());
        for (i, (formal, value)) in schema.arguments.iter().zip(args).enumerate() {
            let shown = self.show(value, &formal.ty, i);
            arguments.push(shown.map_err(|why| format!("argument `{}`: {why}", formal.name))?);
        }
        let mut results = vec![NONE; schema.returns.len()];
        let mut call = SconceOperatorCall {
            context: operator.context,
            arguments: arguments.as_ptr(),
            argument_count: arguments.len(),
            results: results.as_mut_ptr(),
            result_count: results.len(),
            new_tensor: Some(new_tensor),
            allocate: Some(allocate),
            fail: Some(fail),
            host: (&raw mut *self).cast(),
        };
        // SAFETY: the library gave the function for calls like this, all of which lives until it returns.
        let status = unsafe { (operator.function)(&raw mut call) };
        if let Some(why) = self.failure.take() {
            return Err(why);
        }
        if status != 0 {
            return Err(format!("it failed with {status} and did not say why"));
        }
        let mut outputs = Outputs::new();
        for (i, (formal, value)) in schema.returns.iter().zip(&results).enumerate() {
            let name = |why| match formal.name.is_empty() {
                true => format!("result {i}: {why}"),
                false => format!("result {i}, `{}`: {why}", formal.name),
            };
            outputs.push(self.take(value, &formal.ty, entry, i).map_err(name)?);
        }
        Ok(outputs)
    }

    /// The tensor as the library sees it.
    fn known(&mut self, tensor: Tensor, origin: Origin) -> *const SconceOperatorTensor {
        let shown = SconceOperatorTensor {
            dtype: tensor.dtype() as i32,
            rank: tensor.dim(),
            sizes: tensor.sizes().as_ptr(),
            strides: tensor.strides().as_ptr(),
            data: tensor.bytes_ptr().cast(),
        };
        let known = Rc::new(Known { shown, tensor, origin });
        let address = Rc::as_ptr(&known).cast();
        self.tensors.push(known);
        address
    }

    /// A value of argument `at`, which is of a type.
    fn show(&mut self, value: &IValue, ty: &Type, at: usize) -> Result<SconceOperatorValue, String> {
        Ok(match (value, ty) {
            (IValue::None, Type::Optional(_)) => NONE,
            (_, Type::Optional(inner)) => self.show(value, inner, at)?,
            (IValue::Bool(b), Type::Bool | Type::SymBool | Type::Number) => {
                plain(SconceKind::Bool, SconceOperatorData { integer: i64::from(*b) })
            }
            (IValue::Int(n), Type::Int | Type::SymInt | Type::Number)
            | (IValue::Int(n), Type::Layout | Type::MemoryFormat | Type::ScalarType) => {
                plain(SconceKind::Int, SconceOperatorData { integer: *n })
            }
            (IValue::Double(x), Type::Float | Type::SymFloat | Type::Number) => {
                plain(SconceKind::Double, SconceOperatorData { number: *x })
            }
            (IValue::Complex(z), Type::Complex | Type::Number) => {
                plain(SconceKind::Complex, SconceOperatorData { parts: [z.re, z.im] })
            }
            (IValue::Str(s), Type::Str) => SconceOperatorValue {
                kind: SconceKind::String as i32,
                count: s.len(),
                data: SconceOperatorData { text: s.as_ptr().cast() },
            },
            (IValue::Tensor(tensor), Type::Tensor(_)) => {
                if dlpack::code(tensor.dtype()).is_none() {
                    return Err(format!("a tensor of {} is not given to libraries", tensor.dtype().torch_name()));
                }
                let tensor = self.known(tensor.clone(), Origin::Argument(at));
                plain(SconceKind::Tensor, SconceOperatorData { tensor })
            }
            (IValue::List(list), Type::List(inner)) => {
                self.show_all(SconceKind::List, list.to_vec(), |_| Some(inner), at)?
            }
            (IValue::Tuple(tuple), Type::Tuple(types)) if tuple.items.len() == types.len() => {
                self.show_all(SconceKind::Tuple, tuple.items.to_vec(), |i| types.get(i), at)?
            }
            _ => return Err(format!("a value of type {ty} is expected, and it is of type {}", value.kind())),
        })
    }

    fn show_all<'t>(
        &mut self,
        kind: SconceKind,
        values: Vec<IValue>,
        ty: impl Fn(usize) -> Option<&'t Type>,
        at: usize,
    ) -> Result<SconceOperatorValue, String> {
        let mut items = Vec::with_capacity(values.len());
        for (i, value) in values.iter().enumerate() {
            let shown = self.show(value, ty(i).unwrap_or(&Type::Any), at);
            items.push(shown.map_err(|why| format!("item {i}: {why}"))?);
        }
        let data = SconceOperatorData { items: items.as_ptr().cast() };
        let count = items.len();
        self.items.push((items, values));
        Ok(SconceOperatorValue { kind: kind as i32, count, data })
    }

    /// The value of result `at`, which is to be of a type.
    fn take(&self, value: &SconceOperatorValue, ty: &Type, entry: &OpEntry, at: usize) -> Result<IValue, String> {
        let is = |kind: SconceKind| value.kind == kind as i32;
        let data = &value.data;
        // SAFETY: of each the library says by its kind what it holds, all of whose bits are a number or an address.
        unsafe {
            Ok(match ty {
                Type::Optional(_) if is(SconceKind::None) => IValue::None,
                Type::Optional(inner) => self.take(value, inner, entry, at)?,
                Type::Bool | Type::SymBool | Type::Number if is(SconceKind::Bool) => IValue::Bool(data.integer != 0),
                Type::Int | Type::SymInt | Type::Number if is(SconceKind::Int) => IValue::Int(data.integer),
                Type::Layout | Type::MemoryFormat | Type::ScalarType if is(SconceKind::Int) => {
                    IValue::Int(data.integer)
                }
                Type::Float | Type::SymFloat | Type::Number if is(SconceKind::Double) => IValue::Double(data.number),
                Type::Complex | Type::Number if is(SconceKind::Complex) => {
                    let [real, imaginary] = data.parts;
                    IValue::complex(real, imaginary)
                }
                Type::Str if is(SconceKind::String) => {
                    let bytes = taken(data.text.cast::<u8>(), value.count)?;
                    let text = std::str::from_utf8(bytes)
                        .map_err(|e| format!("the string is not UTF-8 from byte {} on", e.valid_up_to()))?;
                    IValue::text([text])
                }
                Type::Tensor(_) if is(SconceKind::Tensor) => self.taken_tensor(data.tensor, entry, at)?,
                Type::List(inner) if is(SconceKind::List) => {
                    IValue::list((**inner).clone(), self.taken_items(value, |_| Some(inner), entry, at)?)
                }
                Type::Tuple(types) if is(SconceKind::Tuple) && value.count == types.len() => {
                    IValue::tuple(self.taken_items(value, |i| types.get(i), entry, at)?)
                }
                _ => return Err(format!("a value of type {ty} is expected, and it is {}", described(value))),
            })
        }
    }

    /// # Safety
    /// The value is a list or tuple.
    unsafe fn taken_items<'t>(
        &self,
        value: &SconceOperatorValue,
        ty: impl Fn(usize) -> Option<&'t Type>,
        entry: &OpEntry,
        at: usize,
    ) -> Result<Vec<IValue>, String> {
        // SAFETY: the library says so many items, and that they are there.
        let items = unsafe { taken(value.data.items.cast::<SconceOperatorValue>(), value.count) }?;
        let one = |(i, item): (usize, &SconceOperatorValue)| {
            let ty = ty(i).unwrap_or(&Type::Any);
            self.take(item, ty, entry, at).map_err(|why| format!("item {i}: {why}"))
        };
        items.iter().enumerate().map(one).collect()
    }

    /// The tensor that is at an address: one of this call's, looked for by the address alone.
    fn taken_tensor(&self, at: *const SconceOperatorTensor, entry: &OpEntry, result: usize) -> Result<IValue, String> {
        let found = self.tensors.iter().find(|known| std::ptr::eq(&known.shown, at));
        let known = found.ok_or("it is no tensor of this call: one of new_tensor or of the arguments is expected")?;
        match &known.origin {
            Origin::Made(is_taken) if is_taken.replace(true) => {
                return Err("its tensor is a result already: each has one of its own".to_owned());
            }
            Origin::Argument(i)
                if !entry.effect().may_return.iter().any(|r| r.argument == *i && r.result == result) =>
            {
                let name = &entry.schema().arguments[*i].name;
                return Err(format!(
                    "it is the argument `{name}`, and the schema does not say that it may be: `Tensor(a)` of both, or \
                     a copy, is expected"
                ));
            }
            _ => {}
        }
        Ok(known.tensor.clone().into())
    }
}

/// What lies at an address that the library gave.
///
/// # Safety
/// There are as many, and they stay what they are until the call ends.
unsafe fn taken<'a, T>(at: *const T, count: usize) -> Result<&'a [T], String> {
    if count == 0 {
        return Ok(&[]);
    }
    if at.is_null() || !at.is_aligned() {
        return Err(format!("its address is NULL or not aligned, and {count} items are expected there"));
    }
    if count.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(format!("{count} items fit no memory"));
    }
    // SAFETY: the caller's promise, and the length was checked.
    Ok(unsafe { std::slice::from_raw_parts(at, count) })
}

/// What a value of a library is, for a message.
fn described(value: &SconceOperatorValue) -> String {
    let kinds = [
        (SconceKind::None, "None, or was not set"),
        (SconceKind::Bool, "a bool"),
        (SconceKind::Int, "an int"),
        (SconceKind::Double, "a float"),
        (SconceKind::Complex, "a complex number"),
        (SconceKind::Tensor, "a tensor"),
        (SconceKind::String, "a string"),
    ];
    match kinds.iter().find(|(kind, _)| *kind as i32 == value.kind) {
        Some((_, text)) => (*text).to_owned(),
        None if value.kind == SconceKind::List as i32 => format!("a list of {}", value.count),
        None if value.kind == SconceKind::Tuple as i32 => format!("a tuple of {}", value.count),
        None => format!("of the kind {}, which results are not of", value.kind),
    }
}

/// What the library asks of a call: a failure is noted, and a panic ends here.
///
/// # Safety
/// `host` is NULL, or of the call of an operator that has not returned.
unsafe fn asked<T>(host: *mut c_void, otherwise: T, answer: impl FnOnce(&mut Host) -> Result<T, String>) -> T {
    // SAFETY: the caller's promise; nobody else uses it while the operator runs.
    let Some(host) = (unsafe { host.cast::<Host>().as_mut() }) else { return otherwise };
    let done = catch_unwind(AssertUnwindSafe(|| answer(host)));
    let why = match done {
        Ok(Ok(value)) => return value,
        Ok(Err(why)) => why,
        Err(_) => "a mistake in Sconce: what the operator asked for ended in a panic".to_owned(),
    };
    host.failure.get_or_insert(why);
    otherwise
}

unsafe extern "C" fn new_tensor(
    host: *mut c_void,
    dtype: i32,
    rank: usize,
    sizes: *const i64,
) -> *const SconceOperatorTensor {
    let made = |host: &mut Host| {
        let known = DType::from_number(dtype.into()).filter(|d| dlpack::code(*d).is_some());
        let dtype = known.ok_or_else(|| format!("new_tensor: a tensor of dtype {dtype} cannot be made"))?;
        if rank > MAX_RANK {
            return Err(format!("new_tensor: {rank} dimensions: at most {MAX_RANK} are expected"));
        }
        // SAFETY: the library says so many sizes.
        let sizes = unsafe { taken(sizes, rank) }.map_err(|why| format!("new_tensor: sizes: {why}"))?;
        if let Some(n) = sizes.iter().find(|n| **n < 0) {
            return Err(format!("new_tensor: a size of {n}"));
        }
        let tensor = Tensor::zeros(sizes, dtype).map_err(|e| format!("new_tensor: {e}"))?;
        Ok(host.known(tensor, Origin::Made(Cell::new(false))))
    };
    // SAFETY: the library gives what its call has.
    unsafe { asked(host, null(), made) }
}

unsafe extern "C" fn allocate(host: *mut c_void, bytes: usize) -> *mut c_void {
    let made = |host: &mut Host| {
        let too_much = || format!("allocate: there is no memory for {bytes} bytes");
        let units = bytes.div_ceil(size_of::<u128>());
        let mut memory: Vec<u128> = Vec::new();
        if !Memory::has_room(bytes) || memory.try_reserve_exact(units).is_err() {
            return Err(too_much());
        }
        memory.resize(units, 0);
        let address = memory.as_mut_ptr();
        host.memory.push(memory);
        Ok(address.cast())
    };
    // SAFETY: the library gives what its call has.
    unsafe { asked(host, null_mut(), made) }
}

unsafe extern "C" fn fail(host: *mut c_void, message: *const c_char) -> i32 {
    // SAFETY: the library gives what its call has, and a text that ends.
    unsafe {
        asked(host, FAILED, |_| match text(message) {
            Ok(message) => Err(message.to_owned()),
            Err(why) => Err(format!("it failed, and its message {why}")),
        })
    }
}
