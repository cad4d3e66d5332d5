//! Regions compiled for this processor: inputs are made contiguous, results allocated, and the code called with one array of words.

use crate::spec::RegionSpec;
use sconce_interpreter::CompiledRegion;
use sconce_kernels::{Error, Outputs};
use sconce_tensor::{IValue, Memory, Storage, Tensor};
use smallvec::SmallVec;
use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;

/// Compiled code: reads its arguments from an array of words.
///
/// A tensor is its address twice (allocated, aligned), an offset of 0, its sizes, and its strides (row-major); an int, float or bool is one
/// word. Inputs come first, results after them.
pub type Entry = unsafe extern "C" fn(*const u64);

/// A region whose code is in this process.
pub struct NativeRegion {
    spec: RegionSpec,
    entry: Entry,
    /// Keeps the code mapped.
    _code: Arc<dyn Any + Send + Sync>,
}

impl NativeRegion {
    /// # Safety
    /// `entry` is code that was compiled for exactly this `spec`, reads nothing but its inputs and writes nothing but its results; it stays
    /// mapped as long as `code` lives.
    pub unsafe fn new(spec: RegionSpec, entry: Entry, code: Arc<dyn Any + Send + Sync>) -> NativeRegion {
        NativeRegion { spec, entry, _code: code }
    }

    pub fn spec(&self) -> &RegionSpec {
        &self.spec
    }
}

/// From so many bytes on, an allocation is tried before the code makes its own: it has no way to say that it got none.
const TRIED: usize = 64 << 20;

/// Whether the code may make so many bytes. Where it may not, the interpreter says what does not fit.
fn has_room(bytes: i64) -> bool {
    let Ok(bytes) = usize::try_from(bytes) else { return false };
    // Apart from what waits for planned runs, and given back at once.
    Memory::has_room(bytes) && (bytes < TRIED || Storage::apart(bytes).is_some())
}

/// What compiled code allocates by, in place of C's: it writes to what it gets without a look.
///
/// # Safety
/// As C's `aligned_alloc`.
pub unsafe extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    unsafe extern "C" {
        #[link_name = "aligned_alloc"]
        fn allocate(alignment: usize, size: usize) -> *mut c_void;
    }
    // SAFETY: the caller's promise.
    let memory = unsafe { allocate(alignment, size) };
    if memory.is_null() && size > 0 {
        eprintln!("compiled code got no memory of {size} bytes");
        std::process::abort();
    }
    memory
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

impl CompiledRegion for NativeRegion {
    fn run(&self, inputs: &[IValue]) -> Result<Option<Outputs>, Error> {
        let Some(needs) = self.spec.check(inputs) else { return Ok(None) };
        if !has_room(needs.temporaries) {
            return Ok(None);
        }
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
        unsafe { (self.entry)(words.as_ptr()) };
        Ok(Some(outputs))
    }
}
