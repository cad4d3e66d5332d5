//! Operators that compiled code calls by the runtime's kernels: what stands in a region without having code of its own, between what has.
//!
//! A kernel that fails, and code that finds an index out of range, make the whole call of the region void: its results are dropped, and the interpreter, which
//! says what is wrong, makes the call. A region computes and does nothing else, so nothing happens twice. A loop whose turns nobody counted asks whether it may
//! go on: where fuel or the caller's patience ends, its call is void as well.

use crate::spec::RegionSpec;
use sconce_interpreter::Fuel;
use sconce_kernels::{Bound, Destinations, Error};
use sconce_schema::{DType, Type};
use sconce_tensor::{IValue, Sizes, Storage, Tensor, TensorMetadata, contiguous_strides};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::Arc;

/// A call of an operator, as a region's code makes it.
#[derive(Clone, PartialEq, Debug)]
pub struct OperatorCall {
    /// The operator's full name.
    pub operator: String,
    /// In schema order, all of them.
    pub arguments: Vec<Argument>,
    /// dtype and rank of each result, all tensors.
    pub results: Vec<(DType, usize)>,
}

/// What an argument is: known when the code was made, or in the words that the code gives.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// An address, and a word for each size; the elements lie row by row.
    Tensor(DType, usize),
    /// An address, a word for each size, and one for each stride, in elements and not negative.
    Strided(DType, usize),
    /// One word.
    Int,
    /// One word: its bits.
    Float,
    /// One word.
    Bool,
    None,
    KnownBool(bool),
    KnownInt(i64),
    KnownFloat(f64),
    Str(String),
    Device(String),
    List(Vec<Argument>),
}

/// The name by which code calls the operator of a number: `void(i64 number, ptr words)`.
pub const CALL: &str = "sconce_call_operator";
/// The name by which code says that its call is void: `void()`.
pub const REFUSE: &str = "sconce_refuse";

/// The name by which code asks whether a loop may go on for turns that cost so much fuel: `i1(i64 cost)`.
pub const TURNS: &str = "sconce_turns";
/// After so many turns a loop of numbers asks again; each costs as much as an instruction.
pub const TURNS_AT_ONCE: i64 = 1 << 12;

pub use sconce_interpreter::cost::ELEMENTS;

/// Lists in lists, at most so deep.
const DEPTH: usize = 8;

impl Argument {
    /// Words that code gives for it.
    pub fn words(&self) -> usize {
        match self {
            Argument::Tensor(_, rank) => 1 + rank,
            Argument::Strided(_, rank) => 1 + 2 * rank,
            Argument::Int | Argument::Float | Argument::Bool => 1,
            Argument::List(items) => items.iter().map(Argument::words).sum(),
            _ => 0,
        }
    }

    fn write(&self, text: &mut String) {
        let bytes = |text: &mut String, s: &str| s.bytes().for_each(|b| *text += &format!("{b:02x}"));
        match self {
            Argument::Tensor(dtype, rank) => *text += &format!("t{rank}{dtype}"),
            Argument::Strided(dtype, rank) => *text += &format!("s{rank}{dtype}"),
            Argument::Int => *text += "i",
            Argument::Float => *text += "f",
            Argument::Bool => *text += "b",
            Argument::None => *text += "N",
            Argument::KnownBool(b) => *text += if *b { "B1" } else { "B0" },
            Argument::KnownInt(n) => *text += &format!("I{n}"),
            Argument::KnownFloat(x) => *text += &format!("F{:x}", x.to_bits()),
            Argument::Str(s) => {
                *text += "S";
                bytes(text, s);
            }
            Argument::Device(s) => {
                *text += "D";
                bytes(text, s);
            }
            Argument::List(items) => {
                *text += &format!("L{}", items.len());
                for item in items {
                    *text += " ";
                    item.write(text);
                }
            }
        }
    }

    fn read<'t>(words: &mut impl Iterator<Item = &'t str>, depth: usize) -> Option<Argument> {
        let word = words.next()?;
        let (kind, rest) = word.split_at_checked(1)?;
        let string = || {
            let digits = rest.as_bytes().chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok());
            String::from_utf8(digits.collect::<Option<Vec<u8>>>()?).ok()
        };
        Some(match (kind, rest) {
            ("t", _) => {
                let (dtype, rank) = ranked(rest)?;
                Argument::Tensor(dtype, rank)
            }
            ("s", _) => {
                let (dtype, rank) = ranked(rest)?;
                Argument::Strided(dtype, rank)
            }
            ("i", "") => Argument::Int,
            ("f", "") => Argument::Float,
            ("b", "") => Argument::Bool,
            ("N", "") => Argument::None,
            ("B", "0") => Argument::KnownBool(false),
            ("B", "1") => Argument::KnownBool(true),
            ("I", n) => Argument::KnownInt(n.parse().ok()?),
            ("F", bits) => Argument::KnownFloat(f64::from_bits(u64::from_str_radix(bits, 16).ok()?)),
            ("S", _) => Argument::Str(string()?),
            ("D", _) => Argument::Device(string()?),
            ("L", n) if depth < DEPTH => {
                let n: usize = n.parse().ok()?;
                let mut items = Vec::new();
                for _ in 0..n {
                    items.push(Argument::read(words, depth + 1)?);
                }
                Argument::List(items)
            }
            _ => return None,
        })
    }
}

/// `2f32`: two dimensions of f32.
fn ranked(text: &str) -> Option<(DType, usize)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    Some((DType::from_short_name(&text[digits..])?, text[..digits].parse().ok().filter(|rank| *rank <= 64)?))
}

impl OperatorCall {
    /// Words that code gives: those of the arguments, then address and sizes of each result.
    pub fn words(&self) -> usize {
        let results: usize = self.results.iter().map(|(_, rank)| 1 + rank).sum();
        results + self.arguments.iter().map(Argument::words).sum::<usize>()
    }

    pub(crate) fn write(&self, text: &mut String) {
        *text += &self.operator;
        for (dtype, rank) in &self.results {
            *text += &format!(" r{rank}{dtype}");
        }
        for argument in &self.arguments {
            *text += " ";
            argument.write(text);
        }
    }

    pub(crate) fn read(text: &str) -> Option<OperatorCall> {
        let mut words = text.split(' ').peekable();
        let operator = words.next()?.to_owned();
        let mut results = Vec::new();
        while let Some(result) = words.next_if(|w| w.starts_with('r')) {
            results.push(ranked(&result[1..])?);
        }
        let mut arguments = Vec::new();
        while words.peek().is_some() {
            arguments.push(Argument::read(&mut words, 0)?);
        }
        Some(OperatorCall { operator, arguments, results })
    }
}

thread_local! {
    /// The regions whose code runs on this thread, the innermost last.
    static RUNNING: RefCell<Vec<Region>> = const { RefCell::new(Vec::new()) };
    /// Whether the innermost one's call is void.
    static VOID: Cell<bool> = const { Cell::new(false) };
}

/// Runs the code of a region; false when the call is void.
pub(crate) fn running(spec: &RegionSpec, fuel: &Fuel, code: impl FnOnce()) -> bool {
    Region { spec, fuel }.run(code)
}

/// A region whose code runs, and what its call may use.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    spec: *const RegionSpec,
    fuel: *const Fuel,
}

// SAFETY: it is only read, by threads that work for the call during which `running` keeps it.
unsafe impl Sync for Region {}

impl Region {
    /// The innermost one of this thread.
    pub(crate) fn current() -> Option<Region> {
        RUNNING.with_borrow(|regions| regions.last().copied())
    }

    /// Runs code of it, on this thread or on another one that works for it; false when the call is void.
    pub(crate) fn run(&self, code: impl FnOnce()) -> bool {
        RUNNING.with_borrow_mut(|regions| regions.push(*self));
        let before = VOID.replace(false);
        code();
        RUNNING.with_borrow_mut(|regions| regions.pop());
        !VOID.replace(before)
    }
}

/// What compiled code calls when the program is wrong: an index is out of range.
pub(crate) extern "C" fn refuse() {
    VOID.set(true);
}

/// What compiled code calls before the next turns of a loop; false when the call is void, because there is no fuel for them or nobody waits any more.
pub(crate) extern "C" fn turns(n: i64) -> bool {
    // SAFETY: `running` keeps it as long as the code runs.
    let fuel = Region::current().map(|region| unsafe { &*region.fuel });
    // A loop may have no end of its own when what it computes with was refused.
    let more = !VOID.get() && fuel.is_some_and(|fuel| fuel.spend(|| n.unsigned_abs()).is_ok());
    if !more {
        refuse();
    }
    more
}

/// What compiled code calls for the region's call of an operator by number, with its words.
///
/// # Safety
/// The code of a region whose specification has this call runs on this thread, and gives as many words as the call has, which describe buffers as the call says.
pub(crate) unsafe extern "C" fn call(number: u64, words: *const u64) {
    let run = || {
        let region = Region::current()?;
        // SAFETY: `running` keeps it as long as the code runs.
        let call = usize::try_from(number).ok().and_then(|n| unsafe { &*region.spec }.calls.get(n))?;
        // SAFETY: the caller's promise.
        unsafe { perform(call, std::slice::from_raw_parts(words, call.words())) }.ok()
    };
    if !matches!(catch_unwind(AssertUnwindSafe(run)), Ok(Some(()))) {
        VOID.set(true);
    }
}

/// Makes values of words.
struct Reader<'w> {
    words: std::slice::Iter<'w, u64>,
}

impl Reader<'_> {
    fn word(&mut self) -> u64 {
        self.words.next().copied().unwrap_or_default()
    }

    /// # Safety
    /// The words are an address of elements, their sizes and, unless they lie row by row, their strides.
    unsafe fn tensor(&mut self, dtype: DType, rank: usize, is_strided: bool) -> Result<Tensor, Error> {
        let at = self.word() as *mut u8;
        let sizes: Sizes = (0..rank).map(|_| self.word() as i64).collect();
        let strides =
            if is_strided { sizes.iter().map(|_| self.word() as i64).collect() } else { contiguous_strides(&sizes) };
        let last = sizes.iter().zip(&strides).try_fold(0i64, |at, (n, s)| at.checked_add((n - 1).checked_mul(*s)?));
        let elements = if sizes.contains(&0) { 0 } else { last.map_or(0, |last| last + 1) };
        let bytes = usize::try_from(elements).unwrap_or_default() * dtype.size();
        // SAFETY: the caller's promise; whoever has the tensor drops it before the code goes on.
        let storage =
            unsafe { Storage::borrowed(NonNull::new(at).unwrap_or(NonNull::dangling()), bytes, Box::new(())) };
        Ok(Tensor::new(TensorMetadata { storage, dtype, sizes, strides, offset: 0, quantizer: None })?)
    }

    /// # Safety
    /// The words are those of the argument.
    unsafe fn value(&mut self, argument: &Argument, ty: &Type) -> Result<IValue, Error> {
        let ty = if let Type::Optional(inner) = ty { inner } else { ty };
        Ok(match argument {
            // SAFETY: the caller's promise.
            Argument::Tensor(dtype, rank) => IValue::Tensor(unsafe { self.tensor(*dtype, *rank, false) }?),
            // SAFETY: the same.
            Argument::Strided(dtype, rank) => IValue::Tensor(unsafe { self.tensor(*dtype, *rank, true) }?),
            Argument::Int => IValue::Int(self.word() as i64),
            Argument::Float => IValue::Double(f64::from_bits(self.word())),
            Argument::Bool => IValue::Bool(self.word() & 1 != 0),
            Argument::None => IValue::None,
            Argument::KnownBool(b) => IValue::Bool(*b),
            Argument::KnownInt(n) if *ty == Type::Float => IValue::Double(*n as f64),
            Argument::KnownInt(n) => IValue::Int(*n),
            Argument::KnownFloat(x) => IValue::Double(*x),
            Argument::Str(s) => IValue::str(s),
            Argument::Device(s) => {
                IValue::Device(Arc::new(s.parse().map_err(|_| Error::runtime(format!("no device: {s}")))?))
            }
            Argument::List(items) => {
                // SAFETY: the caller's promise.
                let element = if let Type::List(element) = ty { Type::clone(element) } else { Type::Any };
                let items = items.iter().map(|item| unsafe { self.value(item, &element) });
                let items = items.collect::<Result<Vec<_>, _>>()?;
                IValue::list(element, items)
            }
        })
    }
}

/// The buffers of the results, for a kernel that can write there.
struct Places(SmallVec<[Tensor; 4]>);

impl Destinations for Places {
    fn place(&self, i: usize, sizes: &[i64], strides: &[i64], dtype: DType) -> Option<Tensor> {
        let place = self.0.get(i)?;
        (place.sizes() == sizes && place.strides() == strides && place.dtype() == dtype).then(|| place.clone())
    }
}

/// # Safety
/// As [`call`].
unsafe fn perform(call: &OperatorCall, words: &[u64]) -> Result<(), Error> {
    let missing = || Error::Missing { op: call.operator.clone(), needs: None };
    let bound = Bound::new(sconce_schema::lookup(&call.operator).ok_or_else(missing)?)?;
    let schema = bound.entry().schema();
    let mut reader = Reader { words: words.iter() };
    let mut arguments: SmallVec<[IValue; 8]> = SmallVec::new();
    for (argument, declared) in call.arguments.iter().zip(&schema.arguments) {
        // SAFETY: the caller's promise.
        arguments.push(unsafe { reader.value(argument, &declared.ty) }?);
    }
    let mut places = Places(SmallVec::new());
    for (dtype, rank) in &call.results {
        // SAFETY: the caller's promise.
        places.0.push(unsafe { reader.tensor(*dtype, *rank, false) }?);
    }
    // A kernel may reuse a tensor that nobody else holds; these are the region's.
    let held = arguments.clone();
    let outputs = bound.call_into(&mut arguments, Some(&places))?;
    for (place, output) in places.0.iter().zip(&outputs) {
        let output = output.as_tensor()?;
        if output.sizes() != place.sizes() || output.dtype() != place.dtype() {
            return Err(Error::runtime("a result of another size"));
        }
        if output.bytes_ptr() != place.bytes_ptr() {
            sconce_kernels::cast::convert_into(place, output)?;
        }
    }
    drop(held);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_read_back() {
        let call = OperatorCall {
            operator: "aten::topk".into(),
            arguments: vec![
                Argument::Tensor(DType::F32, 2),
                Argument::Strided(DType::I8, 3),
                Argument::KnownInt(-3),
                Argument::KnownFloat(f64::NAN),
                Argument::Str("a b".into()),
                Argument::List(vec![Argument::Int, Argument::None, Argument::List(vec![])]),
                Argument::KnownBool(true),
            ],
            results: vec![(DType::F32, 2), (DType::I64, 0)],
        };
        let mut text = String::new();
        call.write(&mut text);
        let read = OperatorCall::read(&text).expect("it reads back");
        let mut again = String::new();
        read.write(&mut again);
        assert_eq!((text, call.words()), (again, 3 + 7 + 1 + 3 + 1));
        for bad in ["", "aten::f q", "aten::f t2", "aten::f tf32", "aten::f L2 i", "aten::f Sx", "aten::f t99f32"] {
            assert!(OperatorCall::read(bad).is_none_or(|c| c.operator.is_empty()), "{bad}");
        }
        let deep = format!("aten::f {}i", "L1 ".repeat(100_000));
        assert!(OperatorCall::read(&deep).is_none());
    }
}
