//! All that a call shows to whoever made it: results, what is left of the arguments, which tensors share memory, what was printed, and what was raised.

use crate::RunError;
use sconce_kernels::Outputs;
use sconce_tensor::{DType, IValue, Tensor};
use std::collections::HashSet;
use std::fmt::Write;
use std::sync::Arc;

/// What a call showed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub leaves: Vec<Leaf>,
    pub printed: String,
    /// What it raised, without tracebacks.
    pub raised: Option<String>,
}

/// A value that holds no others.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// `result 0`, `argument 1.weight`.
    pub name: String,
    /// The number of the result that it is, or that holds it and has no name beside.
    pub result: Option<usize>,
    pub content: Content,
}

/// A leaf's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Tensor {
        dtype: DType,
        sizes: Vec<i64>,
        bytes: Vec<u8>,
        /// The number of the first tensor with the same storage.
        storage: usize,
    },
    Number(Number),
    Other(String),
}

/// A number that is no tensor; NaN is NaN.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    Bool(bool),
    Int(i64),
    Float(f64),
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (self, other) {
            (Number::Bool(a), Number::Bool(b)) => a == b,
            (Number::Int(a), Number::Int(b)) => a == b,
            (Number::Float(a), Number::Float(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            _ => false,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Number::Bool(b) => write!(f, "{:?}", IValue::Bool(b)),
            Number::Int(n) => write!(f, "{:?}", IValue::Int(n)),
            Number::Float(x) => write!(f, "{:?}", IValue::Double(x)),
        }
    }
}

/// How close results must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closeness {
    /// The same bits; NaN is NaN.
    Bits,
    /// What another order of sums explains, relative to the largest element. Of operands that are `special` (NaN, infinities), another order may be finite where
    /// this is not.
    Rounding { special: bool },
}

/// Takes values apart.
#[derive(Default)]
pub struct Leaves {
    out: Vec<Leaf>,
    tensors: Vec<Tensor>,
    open: HashSet<usize>,
}

impl Leaves {
    /// Adds what a value holds.
    pub fn add(&mut self, name: &str, value: &IValue) {
        let address = match value {
            IValue::Tensor(t) => return self.tensor(name, t),
            IValue::Object(o) => Arc::as_ptr(o) as usize,
            IValue::List(l) => l.address() as usize,
            IValue::Dict(d) => d.address() as usize,
            IValue::Tuple(t) => t.address() as usize,
            IValue::Future(f) => match f.poll() {
                Some(Ok(value)) => return self.add(&format!("{name}.value"), &value),
                other => return self.other(name, format!("{other:?}")),
            },
            IValue::Bool(b) => return self.leaf(name, Content::Number(Number::Bool(*b))),
            IValue::Int(n) => return self.leaf(name, Content::Number(Number::Int(*n))),
            IValue::Double(x) => return self.leaf(name, Content::Number(Number::Float(*x))),
            other => return self.other(name, format!("{other:?}")),
        };
        if !self.open.insert(address) {
            return self.other(name, "itself".into());
        }
        let one = |this: &mut Self, part: &dyn std::fmt::Display, v: &IValue| this.add(&format!("{name}.{part}"), v);
        match value {
            IValue::Object(o) => {
                for (slot, field) in o.names.iter().enumerate() {
                    one(self, field, &o.get(slot).unwrap_or_default());
                }
            }
            IValue::List(l) => {
                self.other(name, format!("list of {}", l.len()));
                l.to_vec().iter().enumerate().for_each(|(i, v)| one(self, &i, v));
            }
            IValue::Tuple(t) => t.items.iter().enumerate().for_each(|(i, v)| one(self, &i, v)),
            IValue::Dict(d) => {
                let items: Vec<_> = d.read().iter().map(|(k, v)| (k.to_value(), v.clone())).collect();
                self.other(name, format!("dictionary of {}", items.len()));
                for (i, (key, item)) in items.iter().enumerate() {
                    one(self, &format!("key{i}"), key);
                    one(self, &i, item);
                }
            }
            _ => {}
        }
        self.open.remove(&address);
    }

    fn other(&mut self, name: &str, text: String) {
        self.leaf(name, Content::Other(text));
    }

    fn leaf(&mut self, name: &str, content: Content) {
        self.out.push(Leaf { name: name.to_owned(), result: None, content });
    }

    fn tensor(&mut self, name: &str, t: &Tensor) {
        // One without elements shares nothing that could be seen.
        let same = |known: &Tensor| known.shares_storage(t) && known.numel() > 0;
        let storage = self.tensors.iter().position(same).filter(|_| t.numel() > 0).unwrap_or(self.tensors.len());
        self.tensors.push(t.clone());
        let plain = t.reread(t.dtype().underlying(), None);
        let bytes = plain.contiguous().map(|t| t.read_bytes()).unwrap_or_default();
        self.leaf(name, Content::Tensor { dtype: t.dtype(), sizes: t.sizes().to_vec(), bytes, storage });
    }

    pub fn finish(self) -> Vec<Leaf> {
        self.out
    }
}

impl Outcome {
    /// Of a call that ended so, with what is now left of its arguments.
    pub fn of(result: &Result<Outputs, RunError>, arguments: &[IValue]) -> Outcome {
        let mut leaves = Leaves::default();
        for (i, v) in result.iter().flatten().enumerate() {
            let (name, first) = (format!("result {i}"), leaves.out.len());
            leaves.add(&name, v);
            leaves.out[first..].iter_mut().filter(|leaf| leaf.name == name).for_each(|leaf| leaf.result = Some(i));
        }
        arguments.iter().enumerate().for_each(|(i, v)| leaves.add(&format!("argument {i}"), v));
        let raised = result.as_ref().err().map(RunError::without_traces);
        Outcome { leaves: leaves.finish(), printed: String::new(), raised }
    }

    /// What tells this from what was before, if anything does.
    pub fn difference(&self, before: &Outcome, closeness: Closeness) -> Option<String> {
        if self.raised != before.raised {
            let words = |raised: &Option<String>| raised.clone().unwrap_or_else(|| "nothing".into());
            return Some(format!("it raised {}, now {}", words(&before.raised), words(&self.raised)));
        }
        if self.printed != before.printed {
            return Some(format!("it printed {:?}, now {:?}", before.printed, self.printed));
        }
        if self.leaves.len() != before.leaves.len() {
            return Some(format!("it gave {} values, now {}", before.leaves.len(), self.leaves.len()));
        }
        self.leaves.iter().zip(&before.leaves).find_map(|(now, before)| leaf_difference(now, before, closeness))
    }
}

fn leaf_difference(now: &Leaf, before: &Leaf, closeness: Closeness) -> Option<String> {
    let name = &before.name;
    if now.name != *name {
        return Some(format!("{name} is {} now", now.name));
    }
    match (&now.content, &before.content) {
        (Content::Number(a), Content::Number(b)) => (a != b).then(|| format!("{name} was {b}, now {a}")),
        (Content::Other(a), Content::Other(b)) => (a != b).then(|| format!("{name} was {b}, now {a}")),
        (
            Content::Tensor { dtype, sizes, bytes, storage },
            Content::Tensor { dtype: d, sizes: s, bytes: b, storage: m },
        ) => {
            if (dtype, sizes) != (d, s) {
                return Some(format!("{name} was {s:?} of {d}, now {sizes:?} of {dtype}"));
            }
            if storage != m {
                return Some(format!("{name} shares its memory with other tensors than before"));
            }
            (bytes != b).then(|| elements(name, *dtype, bytes, b, closeness)).flatten()
        }
        _ => Some(format!("{name} is of another type now")),
    }
}

/// How far elements may be apart, relative to the largest.
fn tolerance(dtype: DType) -> f64 {
    match dtype.to_real() {
        DType::F64 => 1e-9,
        DType::F32 => 1e-4,
        dtype if dtype.is_float() => 3e-2,
        _ => 0.0,
    }
}

fn elements(name: &str, dtype: DType, now: &[u8], before: &[u8], closeness: Closeness) -> Option<String> {
    let numbers = |bytes: &[u8]| -> Vec<f64> {
        let part = if dtype.is_complex() { dtype.to_real() } else { dtype.underlying() };
        let count = (bytes.len() / part.size().max(1)) as i64;
        let made = Tensor::zeros(&[count], part);
        made.map(|t| {
            t.write_bytes(bytes);
            t.to_f64()
        })
        .unwrap_or_default()
    };
    let (now, before) = (numbers(now), numbers(before));
    let largest = before.iter().filter(|x| x.is_finite()).fold(0.0, |m: f64, x| m.max(x.abs()));
    let allowed = match closeness {
        Closeness::Bits => 0.0,
        Closeness::Rounding { .. } => tolerance(dtype) * largest.max(1e-3),
    };
    let is_same = |a: f64, b: f64| {
        let same_bits = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        let is_excused = closeness == (Closeness::Rounding { special: true }) && !(a.is_finite() && b.is_finite());
        same_bits || allowed > 0.0 && (a - b).abs() <= allowed || is_excused
    };
    let at = now.iter().zip(&before).position(|(a, b)| !is_same(*a, *b))?;
    let mut text = String::new();
    let _ = write!(text, "element {at} of {name} was {}, now {}", before[at], now[at]);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(values: &[IValue]) -> Outcome {
        let mut leaves = Leaves::default();
        values.iter().enumerate().for_each(|(i, v)| leaves.add(&i.to_string(), v));
        Outcome { leaves: leaves.finish(), ..Outcome::default() }
    }

    #[test]
    fn what_is_shared_is_part_of_an_outcome() {
        let t = Tensor::from_vec(vec![1f32, 2.], &[2]);
        let (one, two) =
            (outcome(&[t.clone().into(), t.clone().into()]), outcome(&[t.copy().expect("it fits").into(), t.into()]));
        let said = two.difference(&one, Closeness::Bits);
        assert_eq!(said.as_deref(), Some("1 shares its memory with other tensors than before"));
    }

    #[test]
    fn bits_and_rounding() {
        let of = |x: f32| outcome(&[Tensor::from_vec(vec![1f32, x], &[2]).into()]);
        assert_eq!(of(f32::NAN).difference(&of(-f32::NAN), Closeness::Bits), None);
        let zeros = of(0.0).difference(&of(-0.0), Closeness::Bits);
        assert_eq!(zeros.as_deref(), Some("element 1 of 0 was -0, now 0"));
        assert_eq!(of(1.000001).difference(&of(1.0), Closeness::Rounding { special: false }), None);
        let rounding = |special| Closeness::Rounding { special };
        assert!(of(1.01).difference(&of(1.0), rounding(true)).is_some());
        assert!(of(f32::NAN).difference(&of(1.0), rounding(false)).is_some());
        assert!(of(f32::NAN).difference(&of(1.0), rounding(true)).is_none());
    }
}
