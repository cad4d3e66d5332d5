//! Regions compiled for this processor: inputs are made contiguous, results allocated, and the code called with one array of words.

use crate::calls;
use crate::checks::watched;
use crate::spec::RegionSpec;
use crate::temporaries::Temporaries;
use sconce_interpreter::program::Target;
use sconce_interpreter::{CompiledRegion, Fuel};
use sconce_kernels::{Error, Outputs};
use sconce_tensor::reserve::Run;
use sconce_tensor::{IValue, Tensor};
use smallvec::SmallVec;
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

/// Compiled code: reads its arguments from an array of words.
///
/// A tensor is its address twice (allocated, aligned), an offset of 0, its sizes, and its strides (row-major); an int, float, bool or device is one
/// word. Inputs come first, results after them.
pub type Entry = unsafe extern "C" fn(*const u64);

/// A region whose code is in this process.
pub struct NativeRegion {
    spec: RegionSpec,
    entry: Entry,
    /// Where its code and constants are, when it has each of its accesses checked.
    checked: Option<Range<usize>>,
    /// Keeps the code mapped.
    _code: Arc<dyn Any + Send + Sync>,
}

impl NativeRegion {
    /// # Safety
    /// `entry` is code that was compiled for exactly this `spec`, reads nothing but its inputs and writes nothing but its results; it stays
    /// mapped as long as `code` lives.
    pub unsafe fn new(spec: RegionSpec, entry: Entry, code: Arc<dyn Any + Send + Sync>) -> NativeRegion {
        NativeRegion { spec, entry, checked: None, _code: code }
    }

    /// The same for code that has its accesses checked, and whose constants are at these addresses.
    pub(crate) fn checked(self, constants: Range<usize>) -> NativeRegion {
        NativeRegion { checked: Some(constants), ..self }
    }

    pub fn spec(&self) -> &RegionSpec {
        &self.spec
    }
}

fn push_tensor(words: &mut SmallVec<[u64; 64]>, t: &Tensor) {
    let address = t.bytes_ptr() as u64;
    words.extend([address, address, 0]);
    words.extend(t.sizes().iter().map(|s| *s as u64));
    // Row-major from the sizes: a contiguous tensor may have other strides in dimensions of size 1, which code must not see.
    let first = words.len();
    let mut step: i64 = 1;
    for s in t.sizes().iter().rev() {
        words.push(step as u64);
        step = step.saturating_mul((*s).max(1));
    }
    words[first..].reverse();
}

/// The addresses of a tensor's elements.
fn bytes_of(t: &Tensor) -> Range<usize> {
    let at = t.bytes_ptr() as usize;
    at..at + t.numel() * t.dtype().size()
}

impl CompiledRegion for NativeRegion {
    fn target(&self) -> Target {
        Target::Cpu
    }

    fn run(&self, inputs: &[IValue], fuel: &Fuel) -> Result<Option<Outputs>, Error> {
        let Some(needs) = self.spec.check(inputs) else { return Ok(None) };
        // Blocks of one call serve the next.
        let _run = Run::begin();
        let Some(_temporaries) = Temporaries::reserve(needs.temporaries) else { return Ok(None) };
        let mut words: SmallVec<[u64; 64]> = SmallVec::new();
        // Copies live until the call is over.
        let mut copies: SmallVec<[Tensor; 4]> = SmallVec::new();
        for value in inputs {
            match value {
                IValue::Tensor(t) if t.is_contiguous() => push_tensor(&mut words, t),
                IValue::Tensor(t) => {
                    let copy = t.copy()?;
                    push_tensor(&mut words, &copy);
                    copies.push(copy);
                }
                IValue::Int(n) => words.push(*n as u64),
                IValue::Double(x) => words.push(x.to_bits()),
                IValue::Bool(b) => words.push(u64::from(*b)),
                IValue::Device(_) => words.push(0),
                _ => return Ok(None),
            }
        }
        let mut outputs = Outputs::new();
        for (spec, sizes) in self.spec.outputs.iter().zip(&needs.results) {
            // SAFETY: the code writes every element of its results.
            let t = unsafe { Tensor::uninit(sizes, spec.dtype) }?;
            push_tensor(&mut words, &t);
            outputs.push(IValue::Tensor(t));
        }
        // SAFETY: the words are what the code was compiled for: `check` compared dtypes, ranks and sizes, inputs are contiguous or copied to be, and
        // results are fresh, so nothing overlaps what is written.
        let call = || unsafe { (self.entry)(words.as_ptr()) };
        let made = match &self.checked {
            None => calls::running(&self.spec, fuel, call),
            Some(constants) => {
                let tensors = inputs.iter().chain(&outputs).filter_map(|v| v.as_tensor().ok());
                let given = tensors.filter(|t| t.is_contiguous());
                let mut allowed: Vec<_> = given.chain(&copies).map(bytes_of).collect();
                let at = words.as_ptr() as usize;
                allowed.extend([at..at + size_of_val(&words[..]), constants.clone()]);
                calls::running(&self.spec, fuel, || watched(&self.spec.name, allowed, call))
            }
        };
        Ok(if made { Some(self.spec.results(outputs)?) } else { None })
    }
}
