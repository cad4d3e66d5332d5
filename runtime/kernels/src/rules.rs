//! What rules said: a thread remembers it for the arguments of late, so that a call like an earlier one is neither described nor judged again.
//!
//! A rule sees dtypes, sizes and plain values only; where those are the same, so is what it says. Errors are found anew each time.

use sconce_schema::OpEntry;
use sconce_schema::shape::{Meta, Size, TensorMeta};
use sconce_tensor::{IValue, Tensor};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;

/// Calls that a thread remembers; a power of two.
const PLACES: usize = 2048;
/// Places at which one call may stand.
const WAYS: usize = 4;
/// Values in lists that are compared; a call with more is judged each time.
const VALUES: usize = 512;

/// A rule's results.
pub type Results = SmallVec<[Meta; 2]>;

struct Known {
    operator: u32,
    arguments: SmallVec<[Meta; 8]>,
    results: Rc<Results>,
}

thread_local! {
    static MEMORY: RefCell<Vec<Option<Known>>> = const { RefCell::new(Vec::new()) };
}

/// A call as it is looked for: where it would stand.
#[derive(Clone, Copy)]
pub struct Call(u64);

impl Call {
    /// `None`: it has too much to compare, or what a rule cannot see by its value.
    pub fn of(entry: &OpEntry, args: &[IValue]) -> Option<Call> {
        let mut hash = Hash { state: u64::from(entry.id), left: VALUES };
        args.iter().try_for_each(|a| hash.value(a, 0))?;
        Some(Call(hash.state))
    }

    fn place(self) -> usize {
        (self.0 >> 32) as usize % (PLACES / WAYS) * WAYS
    }

    /// What the rule said of it before.
    pub fn known(self, entry: &OpEntry, args: &[IValue]) -> Option<Rc<Results>> {
        MEMORY
            .try_with(|memory| {
                let memory = memory.borrow();
                let places = memory.get(self.place()..self.place() + WAYS)?;
                let is_it = |k: &&Known| {
                    k.operator == entry.id
                        && k.arguments.len() == args.len()
                        && k.arguments.iter().zip(args).all(|(m, v)| is_like(m, v))
                };
                places.iter().flatten().find(is_it).map(|k| k.results.clone())
            })
            .ok()
            .flatten()
    }

    /// Remembers it.
    pub fn keep(self, entry: &OpEntry, arguments: SmallVec<[Meta; 8]>, results: Results) -> Rc<Results> {
        let results = Rc::new(results);
        let known = Known { operator: entry.id, arguments, results: results.clone() };
        let _ = MEMORY.try_with(|memory| {
            let mut memory = memory.borrow_mut();
            if memory.is_empty() {
                memory.resize_with(PLACES, || None);
            }
            let places = &mut memory[self.place()..self.place() + WAYS];
            // The one that has stood longest gives way.
            places.rotate_right(1);
            places[0] = Some(known);
        });
        results
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
    use crate::derived::meta_of;

    #[test]
    fn a_call_is_known_by_everything_that_its_rule_sees() {
        let entry = sconce_schema::lookup("aten::sum.dim_IntList").unwrap();
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
        let about = |i: usize| -> Results { [Meta::Int(Size::Known(i as i64))].into_iter().collect() };
        for (i, args) in calls.iter().enumerate() {
            let place = Call::of(entry, args).unwrap();
            assert!(place.known(entry, args).is_none(), "{i}");
            place.keep(entry, args.iter().map(meta_of).collect(), about(i));
        }
        for (i, args) in calls.iter().enumerate() {
            assert_eq!(*Call::of(entry, args).unwrap().known(entry, args).unwrap(), about(i));
        }
        let other = sconce_schema::lookup("aten::mean.dim").unwrap();
        assert!(Call::of(other, &calls[0]).unwrap().known(other, &calls[0]).is_none());
    }
}
