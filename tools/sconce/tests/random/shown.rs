//! All that a call shows: what it prints, how it ends, its results and what is left of its arguments, which of their tensors share memory and how, and which
//! of their lists and dictionaries are one.

use super::SIZES;
use sconce::{IValue, Module};
use sconce_interpreter::Options as RunOptions;
use sconce_tensor::Tensor;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

/// The arguments of a call: tensors that are one, overlap, or lie apart, one that may require gradients, a list, a flag and a number of turns.
pub fn arguments(kind: usize, with_list: bool) -> Vec<IValue> {
    let all: Vec<f32> = (0..18).map(|n| (n as f32 - 7.0) * 0.75).collect();
    let whole = Tensor::from_vec(all, &[18]);
    let part = |t: &Tensor, at: i64| t.as_strided(&SIZES.map(|n| n as i64), &[3, 1], at).expect("inside");
    let apart = part(&whole.copy().expect("it fits"), 9);
    let first = part(&whole, 0);
    let second = match kind % 4 {
        0 => first.clone(),
        1 => part(&whole, 3),
        _ => apart.clone(),
    };
    let (flag, turns) = (IValue::Bool(kind.is_multiple_of(2)), IValue::Int((kind % 3) as i64));
    if !with_list {
        return vec![first.into(), second.into(), flag, turns];
    }
    let leaf = Tensor::from_vec((0..9).map(|n| n as f32 * 0.5 - 1.0).collect(), &[3, 3]);
    leaf.set_requires_grad(kind % 4 < 2);
    let held = if kind % 4 == 3 { part(&whole, 6) } else { apart };
    let list = IValue::tensor_list([held]);
    vec![first.into(), second.into(), leaf.into(), list, flag, turns]
}

/// See the module's page; `kind` says with which arguments.
pub fn shown(module: &Module, kind: usize, with_list: bool) -> String {
    let (arguments, printed) = (arguments(kind, with_list), Arc::new(Mutex::new(Vec::new())));
    let options = RunOptions { output: Some(printed.clone()), ..RunOptions::default() };
    let result = module.call_with("f", &arguments, &[], &options);
    let mut out = String::from_utf8_lossy(&printed.lock().expect("nobody panicked")).into_owned();
    let mut seen = Seen::default();
    match result {
        Ok(results) => results.iter().for_each(|r| seen.value(&mut out, r)),
        Err(e) => {
            _ = writeln!(out, "error: {}", e.to_string().lines().rfind(|line| !line.is_empty()).unwrap_or_default())
        }
    }
    out.push_str("\narguments: ");
    arguments.iter().for_each(|a| seen.value(&mut out, a));
    out
}

/// What was met before, by number.
#[derive(Default)]
struct Seen {
    tensors: Vec<Tensor>,
    containers: Vec<IValue>,
    /// By memory, which is the number of the first tensor in it, and place there: the first tensor with an element in that place, and which it is.
    elements: BTreeMap<(usize, i64), (usize, usize)>,
}

/// Where the elements of a tensor lie in its memory, in row-major order.
fn places(t: &Tensor) -> Vec<i64> {
    let mut places = vec![t.storage_offset()];
    for (size, stride) in t.sizes().iter().zip(t.strides()) {
        places = places.iter().flat_map(|place| (0..*size).map(move |i| place + i * stride)).collect();
    }
    places
}

impl Seen {
    fn value(&mut self, out: &mut String, value: &IValue) {
        match value {
            IValue::Tensor(t) => self.tensor(out, t),
            IValue::List(list) if self.is_new(out, value) => {
                list.to_vec().iter().for_each(|v| self.value(out, v));
                out.push(']');
            }
            IValue::Dict(dict) if self.is_new(out, value) => {
                for (key, held) in dict.read().iter() {
                    let _ = write!(out, "{:?}: ", key.to_value());
                    self.value(out, held);
                }
                out.push(']');
            }
            IValue::List(_) | IValue::Dict(_) => {}
            // A pass may make a tuple several results.
            IValue::Tuple(tuple) => tuple.items.iter().for_each(|v| self.value(out, v)),
            other => _ = write!(out, "{other:?} "),
        }
    }

    fn is_new(&mut self, out: &mut String, value: &IValue) -> bool {
        let known = self.containers.iter().position(|c| c.is(value));
        let number = known.unwrap_or(self.containers.len());
        let _ = write!(out, "\ncontainer {number}");
        if known.is_none() {
            self.containers.push(value.clone());
            out.push_str(" [");
        }
        known.is_none()
    }

    fn tensor(&mut self, out: &mut String, t: &Tensor) {
        let values = t.contiguous().ok().map(|t| t.to_vec::<f32>());
        let gradient = if t.requires_grad() { " grad" } else { "" };
        let _ = write!(out, "\n#{} {:?}{gradient} {values:?}", self.tensors.len(), t.sizes());
        let number = self.tensors.len();
        let memory = self.tensors.iter().position(|o| o.shares_storage(t)).unwrap_or(number);
        // Where and in which order its elements lie in memory of its own does not matter, but which are those of others.
        let places = places(t).into_iter().enumerate();
        let elements =
            places.map(|(element, place)| *self.elements.entry((memory, place)).or_insert((number, element)));
        let shared: Vec<(usize, usize)> = elements.filter(|(tensor, _)| *tensor != number).collect();
        if memory != number {
            let _ = write!(out, " shares memory with #{memory}, elements {shared:?}");
        }
        self.tensors.push(t.clone());
    }
}
