//! An argument spec is all that plans of the traditional executor may depend on: of each tensor its dtype, rank, device, need of gradients and whether it is
//! there, also inside tuples; never a size, a stride or a value.

use crate::types::{self, gradient_of};
use rustc_hash::FxHasher;
use sconce_schema::Type;
use sconce_tensor::{IValue, Tensor};
use std::fmt;
use std::hash::Hasher;

/// What a word of a spec begins with.
const OTHER: u64 = 0;
const NONE: u64 = 1;
const TENSOR: u64 = 2;
const TUPLE: u64 = 3;
const DEVICE: u64 = 4;

/// Tuples deeper than this are not looked into.
const MAX_DEPTH: u32 = 16;

/// The arguments of a call as a key. Hashing and comparing take no memory: [`ArgumentSpec::hash_of`], [`ArgumentSpec::describes`].
///
/// ```
/// use sconce_executor::ArgumentSpec;
/// use sconce_tensor::{IValue, Tensor};
/// let call = |sizes: &[i64]| [IValue::Tensor(Tensor::from_vec(vec![0f32; 6], sizes)), IValue::Int(1)];
/// let spec = ArgumentSpec::new(&call(&[2, 3]));
/// assert!(spec.describes(&call(&[3, 2])) && !spec.describes(&call(&[6])));
/// assert_eq!(spec.to_string(), "Float(*, *, requires_grad=0, device=cpu), int");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgumentSpec {
    words: Box<[u64]>,
    types: Box<[Type]>,
}

impl ArgumentSpec {
    pub fn new(inputs: &[IValue]) -> ArgumentSpec {
        let mut words = Vec::new();
        walk(inputs, &mut |w| {
            words.push(w);
            true
        });
        ArgumentSpec { words: words.into(), types: inputs.iter().map(types::ranked).collect() }
    }

    /// The hash of the spec that these arguments have.
    #[inline]
    pub fn hash_of(inputs: &[IValue]) -> u64 {
        let mut hasher = FxHasher::default();
        walk(inputs, &mut |w| {
            hasher.write_u64(w);
            true
        });
        hasher.finish()
    }

    /// Whether it is the spec of these arguments.
    #[inline]
    pub fn describes(&self, inputs: &[IValue]) -> bool {
        let mut words = self.words.iter();
        walk(inputs, &mut |w| words.next() == Some(&w)) && words.next().is_none()
    }

    /// What is known of the arguments of such a call.
    pub fn types(&self) -> &[Type] {
        &self.types
    }
}

/// Hands the words of the arguments to `f`, until it has enough; whether it took all.
#[inline]
fn walk(inputs: &[IValue], f: &mut impl FnMut(u64) -> bool) -> bool {
    inputs.iter().all(|v| value(v, MAX_DEPTH, f))
}

fn value(v: &IValue, depth: u32, f: &mut impl FnMut(u64) -> bool) -> bool {
    match v {
        IValue::Tensor(t) => tensor(t, f),
        IValue::None => f(NONE),
        IValue::Tuple(t) if depth > 0 => {
            f(TUPLE | (t.items.len() as u64) << 8) && t.items.iter().all(|v| value(v, depth - 1, f))
        }
        _ => f(OTHER),
    }
}

#[inline]
fn tensor(t: &Tensor, f: &mut impl FnMut(u64) -> bool) -> bool {
    let elsewhere = t.device_beside_cpu();
    let word = TENSOR
        | (t.dtype().number() as u64 & 0xff) << 8
        | u64::from(gradient_of(t)) << 16
        | u64::from(elsewhere.is_some()) << 17
        | (t.dim() as u64) << 18;
    f(word)
        && elsewhere.is_none_or(|device| {
            let index = device.index.map_or(0, |i| u64::from(i as u32) + 1);
            f(DEVICE | index << 8)
                && f(device.kind.len() as u64)
                && device.kind.as_bytes().chunks(8).all(|chunk| {
                    let mut word = [0; 8];
                    word[..chunk.len()].copy_from_slice(chunk);
                    f(u64::from_le_bytes(word))
                })
        })
}

impl fmt::Display for ArgumentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&types::listed(&self.types))
    }
}
