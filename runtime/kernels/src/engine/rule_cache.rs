//! What rules said: a thread remembers it for the arguments of late, so that a call like an earlier one is neither described nor judged again.
//!
//! A rule sees dtypes, sizes and plain values only; where those are the same, so is what it says. Errors are found anew each time.

use crate::engine::calling::{Call, Error, Reading};
use crate::engine::derived::meta_of;
use sconce_schema::shape::view::Views;
use sconce_schema::shape::{Meta, ShapeError, Size, TensorMeta};
use sconce_tensor::{IValue, Tensor};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;
use std::thread::LocalKey;

/// Calls that a thread remembers; a power of two.
const PLACES: usize = 2048;
/// Places at which one call may stand.
const WAYS: usize = 4;
/// Values of one call, those in lists too, that are compared; a call with more is judged each time.
const VALUES: usize = 4096;
/// Values that a thread remembers; with more it begins anew.
const MOST: usize = 1 << 15;

/// A rule's results, and what the kernel has read of the arguments since.
#[derive(Default)]
pub struct Results {
    pub metas: SmallVec<[Meta; 2]>,
    pub read: Reading,
}

impl Call<'_> {
    /// What a parser of `sconce_schema::geometry` reads of the arguments: once for all calls that their rule cannot tell from one another.
    pub fn parsed<T: 'static>(
        &self,
        args: &[IValue],
        parse: impl FnOnce(&[Meta]) -> Result<Option<T>, ShapeError>,
    ) -> Result<Rc<T>, Error> {
        if let Some(known) = self.read.and_then(|read| read.0.get()?.clone().downcast::<T>().ok()) {
            return Ok(known);
        }
        let metas: SmallVec<[Meta; 8]> = args.iter().map(meta_of).collect();
        let parsed = parse(&metas)?.ok_or_else(|| Error::runtime("the arguments do not determine the operator"))?;
        let parsed = Rc::new(parsed);
        if let Some(read) = self.read {
            let _ = read.0.set(parsed.clone());
        }
        Ok(parsed)
    }
}

/// What a thread remembers of one kind.
pub struct Memory<R> {
    places: Vec<Option<Box<Known<R>>>>,
    /// Values of all calls that it has.
    values: usize,
}

impl<R> Memory<R> {
    const NOTHING: Memory<R> = Memory { places: Vec::new(), values: 0 };
}

/// What is remembered of a rule.
pub trait Said: Sized + 'static {
    fn memory() -> &'static LocalKey<RefCell<Memory<Self>>>;
}

pub struct Known<R> {
    rule: usize,
    arguments: Box<[Meta]>,
    /// How many values the arguments are.
    values: usize,
    said: Rc<R>,
}

thread_local! {
    static RESULTS: RefCell<Memory<Results>> = const { RefCell::new(Memory::NOTHING) };
    static VIEWS: RefCell<Memory<Views>> = const { RefCell::new(Memory::NOTHING) };
}

impl Said for Results {
    fn memory() -> &'static LocalKey<RefCell<Memory<Results>>> {
        &RESULTS
    }
}

impl Said for Views {
    fn memory() -> &'static LocalKey<RefCell<Memory<Views>>> {
        &VIEWS
    }
}

/// What a rule says of these arguments, or said before. Rules have different numbers.
pub fn said<R: Said, E>(rule: usize, args: &[IValue], ask: impl FnOnce(&[Meta]) -> Result<R, E>) -> Result<Rc<R>, E> {
    let call = Asked::of(rule, args);
    if let Some(known) = call.and_then(|c| c.known(args)) {
        return Ok(known);
    }
    let metas: SmallVec<[Meta; 8]> = args.iter().map(meta_of).collect();
    let said = Rc::new(ask(&metas)?);
    if let Some(call) = call {
        call.keep(&metas, said.clone());
    }
    Ok(said)
}

/// A call as it is looked for.
#[derive(Clone, Copy)]
struct Asked {
    rule: usize,
    hash: u64,
    values: usize,
}

impl Asked {
    /// `None`: it has too much to compare, or what a rule cannot see by its value.
    fn of(rule: usize, args: &[IValue]) -> Option<Asked> {
        let mut hash = Hash { state: rule as u64, left: VALUES };
        args.iter().try_for_each(|a| hash.value(a, 0))?;
        Some(Asked { rule, hash: hash.state, values: VALUES - hash.left })
    }

    fn place(self) -> usize {
        (self.hash >> 32) as usize % (PLACES / WAYS) * WAYS
    }

    /// What the rule said of it before.
    fn known<R: Said>(self, args: &[IValue]) -> Option<Rc<R>> {
        R::memory()
            .try_with(|memory| {
                let memory = memory.borrow();
                let places = memory.places.get(self.place()..self.place() + WAYS)?;
                let is_it = |k: &&Known<R>| {
                    k.rule == self.rule
                        && k.arguments.len() == args.len()
                        && k.arguments.iter().zip(args).all(|(m, v)| is_like(m, v))
                };
                places.iter().flatten().map(|k| &**k).find(is_it).map(|k| k.said.clone())
            })
            .ok()
            .flatten()
    }

    fn keep<R: Said>(self, arguments: &[Meta], said: Rc<R>) {
        let known = Box::new(Known { rule: self.rule, arguments: arguments.into(), values: self.values, said });
        let _ = R::memory().try_with(|memory| {
            let mut memory = memory.borrow_mut();
            if memory.values + self.values > MOST {
                *memory = Memory::NOTHING;
            }
            if memory.places.is_empty() {
                memory.places.resize_with(PLACES, || None);
            }
            memory.values += self.values;
            let places = &mut memory.places[self.place()..self.place() + WAYS];
            // The one that has stood longest gives way.
            places.rotate_right(1);
            let gone = places[0].replace(known);
            memory.values -= gone.map_or(0, |known| known.values);
        });
    }
}

struct Hash {
    state: u64,
    /// Values that may still be looked at.
    left: usize,
}

impl Hash {
    fn add(&mut self, word: u64) {
        self.state = (self.state.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn tensor(&mut self, t: &Tensor) {
        self.add(t.dtype() as u64 + 8 * t.dim() as u64);
        t.sizes().iter().for_each(|&s| self.add(s as u64));
    }

    fn value(&mut self, v: &IValue, depth: usize) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        match v {
            IValue::None => self.add(1),
            IValue::Bool(b) => self.add(2 + u64::from(*b)),
            IValue::Int(i) => self.add(*i as u64),
            IValue::Double(d) => self.add(d.to_bits()),
            IValue::Complex(c) => {
                self.add(c.re.to_bits());
                self.add(c.im.to_bits());
            }
            IValue::Tensor(t) => self.tensor(t),
            IValue::Str(s) => {
                self.left = self.left.checked_sub(s.len())?;
                s.bytes().for_each(|b| self.add(u64::from(b)));
            }
            IValue::List(l) if depth == 0 => {
                let items = l.read();
                self.add(items.len() as u64);
                items.iter().try_for_each(|v| self.value(v, depth + 1))?;
            }
            IValue::Device(_) => self.add(5),
            // A rule is told nothing of a generator.
            IValue::Generator(_) => self.add(4),
            _ => return None,
        }
        Some(())
    }
}

/// Whether a value is described so; as `derived::meta_of` describes it.
fn is_like(meta: &Meta, v: &IValue) -> bool {
    match (meta, v) {
        (Meta::None, IValue::None) | (Meta::Unknown, IValue::Generator(_)) => true,
        (Meta::Bool(a), IValue::Bool(b)) => a == b,
        (Meta::Int(Size::Known(a)), IValue::Int(b)) => a == b,
        (Meta::Float(a), IValue::Double(b)) => a.to_bits() == b.to_bits(),
        (Meta::Complex(re, im), IValue::Complex(c)) => (re.to_bits(), im.to_bits()) == (c.re.to_bits(), c.im.to_bits()),
        (Meta::Str(a), IValue::Str(b)) => **a == ***b,
        (Meta::Device(a), IValue::Device(b)) => *a == **b,
        (Meta::Tensor(a), IValue::Tensor(b)) => is_tensor_like(a, b),
        (Meta::List(a), IValue::List(b)) => {
            let b = b.read();
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(m, v)| is_like(m, v))
        }
        _ => false,
    }
}

fn is_tensor_like(meta: &TensorMeta, t: &Tensor) -> bool {
    let Some(sizes) = &meta.sizes else { return false };
    meta.dtype == Some(t.dtype())
        && meta.wrapped_number == t.is_wrapped_number()
        && sizes.len() == t.dim()
        && sizes.iter().zip(t.sizes()).all(|(a, b)| *a == Size::Known(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_known_by_everything_that_its_rule_sees() {
        let t = |sizes: &[i64]| IValue::Tensor(Tensor::zeros(sizes, sconce_tensor::DType::F32).unwrap());
        let call = |a: IValue, dims: &[i64], keep: bool| [a, IValue::int_list(dims), keep.into(), IValue::None];
        let wrapped = t(&[]);
        wrapped.as_tensor().unwrap().set_wrapped_number(true);
        let calls = [
            call(t(&[2, 3]), &[1], true),
            call(t(&[3, 2]), &[1], true),
            call(t(&[2, 3]), &[0], true),
            call(t(&[2, 3]), &[1], false),
            call(t(&[2, 3]), &[1, 0], true),
            call(t(&[]), &[], true),
            call(wrapped, &[], true),
        ];
        let about = |i: usize| [Meta::Int(Size::Known(i as i64))].into_iter().collect::<SmallVec<[Meta; 2]>>();
        let results = |i: usize| Results { metas: about(i), ..Results::default() };
        let ask = |rule: usize, i: usize| said(rule, &calls[i], |_| Ok::<_, ()>(results(i))).unwrap();
        (0..calls.len()).for_each(|i| assert_eq!(ask(1, i).metas, about(i)));
        let known = |i: usize| said::<Results, _>(1, &calls[i], |_| Err("asked again"));
        (0..calls.len()).for_each(|i| assert_eq!(known(i).unwrap().metas, about(i)));
        assert_eq!(said::<Results, _>(2, &calls[0], |_| Err("another rule")).err(), Some("another rule"));
    }
}
