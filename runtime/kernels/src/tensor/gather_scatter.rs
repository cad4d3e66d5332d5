//! Elements carried between two tensors, to or from the places that an index names: each in the order of the index, so that of several elements
//! that come to one place the last one stays, and sums have one order whatever the layout and the number of threads.

use crate::Error;
use crate::engine::cast::{Value, with_element};
use crate::engine::elementwise::{Walk, is_apart};
use crate::engine::folds::first;
use crate::engine::scratch::{self, Scratch};
use crate::engine::vectorize::vectorize;
use crate::engine::{parallel, rows};
use num_complex::Complex;
use sconce_tensor::{DType, Sizes, Tensor, contiguous_strides};
use smallvec::{SmallVec, smallvec};

/// What becomes of an element and the one that comes to its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combine {
    Assign,
    Add,
    Mul,
    Max,
    Min,
}

/// The combination in the dtype's own arithmetic; a NaN wins a maximum and a minimum.
pub fn combine<T: Value>(by: Combine, a: T, b: T) -> T {
    fn real<F: PartialOrd + Copy>(by: Combine, a: F, b: F, nan: impl Fn(F) -> bool, add: F, mul: F) -> F {
        match by {
            Combine::Assign => b,
            Combine::Add => add,
            Combine::Mul => mul,
            Combine::Max => {
                if nan(a) || a >= b {
                    a
                } else {
                    b
                }
            }
            Combine::Min => {
                if nan(a) || a <= b {
                    a
                } else {
                    b
                }
            }
        }
    }
    match T::DTYPE {
        DType::F64 => {
            let (a, b) = (a.to::<f64>(), b.to::<f64>());
            real(by, a, b, f64::is_nan, a + b, a * b).to()
        }
        d if d.is_float() => {
            let (a, b) = (a.to::<f32>(), b.to::<f32>());
            real(by, a, b, f32::is_nan, a + b, a * b).to()
        }
        d if d.is_complex() => {
            let (x, y) = (a.to::<Complex<f64>>(), b.to::<Complex<f64>>());
            match by {
                Combine::Add => (x + y).to(),
                Combine::Mul => (x * y).to(),
                _ => b,
            }
        }
        _ => {
            let (a, b) = (a.to::<i64>(), b.to::<i64>());
            real(by, a, b, |_| false, a.wrapping_add(b), a.wrapping_mul(b)).to()
        }
    }
}

/// Checked values of an index, each once: where the index repeats its strides are 0. They are the index's own: the tensor they come from may be
/// written while they are used, by this operator or by another task, and then name places that are nowhere.
pub struct Index {
    values: Scratch<i64>,
    pub strides: Sizes,
}

impl Index {
    /// Values from 0 to below `size`; another one is an error. An index without dimensions is one of one value.
    pub fn new(index: &Tensor, size: i64, out_of_range: impl Fn(i64) -> Error) -> Result<Index, Error> {
        let repeats = |d: usize| index.strides()[d] == 0 || index.sizes()[d] == 1;
        let sizes: Sizes = (0..index.dim()).map(|d| if repeats(d) { 1 } else { index.sizes()[d] }).collect();
        let mut strides = contiguous_strides(&sizes);
        let values = match index.numel() {
            0 => scratch::buffer(0),
            _ => rows::read::<i64>(&index.as_strided(&sizes, index.strides(), index.storage_offset())?)?,
        };
        (0..index.dim()).filter(|d| repeats(*d)).for_each(|d| strides[d] = 0);
        if strides.is_empty() {
            strides.push(0);
        }
        match first(&values, |v| v < 0 || v >= size) {
            Some(at) => Err(out_of_range(values[at])),
            None => Ok(Index { values, strides }),
        }
    }

    /// Nowhere to go: every position stays where it is.
    pub fn none(rank: usize) -> Index {
        Index { values: scratch::zeros(1), strides: smallvec![0; rank] }
    }

    /// Values that somebody else has checked.
    pub fn of(values: Scratch<i64>, strides: Sizes) -> Index {
        Index { values, strides }
    }

    pub fn values(&self) -> &[i64] {
        &self.values
    }
}

/// One of the two tensors.
#[derive(Clone)]
pub struct Side {
    pub first: *mut u8,
    /// In elements; 0 where all elements are the same, or where the index says which it is.
    pub strides: Sizes,
    /// How many elements further an index of 1 more leads.
    pub step: i64,
    /// Positions that differ where there is a stride are different elements.
    pub apart: bool,
}

impl Side {
    /// A tensor that the index does not lead through.
    pub fn plain(t: &Tensor) -> Side {
        Side { first: t.bytes_ptr(), strides: t.strides().into(), step: 0, apart: is_apart(t) }
    }

    /// A tensor whose dimension `dim` the index names places of.
    pub fn along(t: &Tensor, dim: usize) -> Side {
        let mut strides: Sizes = t.strides().into();
        let step = std::mem::replace(&mut strides[dim], 0);
        Side { first: t.bytes_ptr(), strides, step, apart: is_apart(t) }
    }

    /// One element for all.
    pub fn same(element: &mut u128, rank: usize) -> Side {
        Side { first: std::ptr::from_mut(element).cast(), strides: smallvec![0; rank], step: 0, apart: true }
    }
}

/// The innermost strides of both sides and the index, and the sides' steps.
#[derive(Clone, Copy)]
struct Steps {
    to: isize,
    from: isize,
    index: isize,
    to_step: isize,
    from_step: isize,
    by: Combine,
}

/// Carries `n` elements.
type Carry = unsafe fn(*mut u8, *const u8, *const i64, Steps, usize);

/// Calls `f(to, from)` for each of `n` elements.
///
/// # Safety
/// So many values of an index lie there, and the places they name are within both tensors.
#[inline(always)]
unsafe fn each<T>(to: *mut T, from: *const T, index: *const i64, s: Steps, n: usize, f: impl Fn(*mut T, *const T)) {
    for k in 0..n as isize {
        // SAFETY: the caller's promise.
        let i = unsafe { *index.wrapping_offset(k * s.index) } as isize;
        f(to.wrapping_offset(k * s.to + i * s.to_step), from.wrapping_offset(k * s.from + i * s.from_step));
    }
}

/// # Safety
/// As for [`each`]; the tensors share no memory, and elements have `N` bytes.
unsafe fn assign<const N: usize>(to: *mut u8, from: *const u8, index: *const i64, s: Steps, n: usize) {
    let (to, from) = (to.cast::<[u8; N]>(), from.cast::<[u8; N]>());
    // SAFETY: the caller's promise; byte arrays have no alignment.
    unsafe {
        if s.index == 0 && s.to == 1 && s.from == 1 {
            let i = *index as isize;
            return std::ptr::copy_nonoverlapping(
                from.wrapping_offset(i * s.from_step),
                to.wrapping_offset(i * s.to_step),
                n,
            );
        }
        each(to, from, index, s, n, |to, from| *to = *from);
    }
}

/// # Safety
/// As for [`assign`], for elements of type `T`.
unsafe fn combined<T: Value>(to: *mut u8, from: *const u8, index: *const i64, s: Steps, n: usize) {
    let by = s.by;
    // SAFETY: the caller's promise.
    unsafe { each(to.cast::<T>(), from.cast::<T>(), index, s, n, |to, from| *to = combine(by, *to, *from)) }
}

/// Sums of f32, which graphs and embeddings are made of.
///
/// # Safety
/// As for [`assign`], for elements of type f32.
unsafe fn add(to: *mut u8, from: *const u8, index: *const i64, s: Steps, n: usize) {
    let (to, from) = (to.cast::<f32>(), from.cast::<f32>());
    // SAFETY: the caller's promise.
    unsafe {
        if s.index == 0 && s.to == 1 && s.from == 1 {
            let i = *index as isize;
            let to = std::slice::from_raw_parts_mut(to.wrapping_offset(i * s.to_step), n);
            let from = std::slice::from_raw_parts(from.wrapping_offset(i * s.from_step), n);
            return vectorize(
                #[inline(always)]
                || to.iter_mut().zip(from).for_each(|(to, from)| *to += from),
            );
        }
        each(to, from, index, s, n, |to, from| *to += *from);
    }
}

/// The addresses that threads share.
struct Ends(*mut u8, *const u8, *const i64);
// SAFETY: threads write elements of `to` that no other touches and nobody writes the others; see `carry`.
unsafe impl Sync for Ends {}

/// Elements worth a thread.
const GRAIN: usize = 1 << 14;

/// Elements of a run that take about 20 µs in each of some thousand runs: what is left of it for a piece is as fast an element as the whole.
const LEAST_RUN: usize = 1 << 9;

/// Combines elements of `from` into elements of `to`, both of one dtype: for each position of `sizes` the elements at that position, `step` further for
/// each 1 of the index there.
///
/// # Safety
/// Every place that the index names at its position is an element of each side, and the sides share no memory.
pub unsafe fn carry(
    dtype: DType,
    sizes: &[i64],
    to: &Side,
    from: &Side,
    index: &Index,
    by: Combine,
) -> Result<(), Error> {
    let strides: SmallVec<[Sizes; 4]> =
        SmallVec::from_iter([to.strides.clone(), from.strides.clone(), index.strides.clone()]);
    if sizes.contains(&0) {
        return Ok(());
    }
    let walk = Walk::over(sizes, &strides);
    let run: Carry = match (by, dtype, dtype.size()) {
        (Combine::Assign, _, 1) => assign::<1>,
        (Combine::Assign, _, 2) => assign::<2>,
        (Combine::Assign, _, 4) => assign::<4>,
        (Combine::Assign, _, 8) => assign::<8>,
        (Combine::Assign, ..) => assign::<16>,
        (Combine::Add, DType::F32, _) => add,
        _ => with_element!(dtype, "scatter", T => combined::<T>),
    };
    let steps = Steps {
        to: walk.inner_stride(0),
        from: walk.inner_stride(1),
        index: walk.inner_stride(2),
        to_step: to.step as isize,
        from_step: from.step as isize,
        by,
    };
    let size = dtype.size() as isize;
    let ends = Ends(to.first, from.first, index.values().as_ptr());
    let work = |walk: &Walk, first: &[isize]| {
        let ends = &ends;
        let _ = walk.for_each_run(|at, n| {
            let to = ends.0.wrapping_offset((first[0] + at[0]) * size);
            let from = ends.1.wrapping_offset((first[1] + at[1]) * size);
            // SAFETY: the caller's promise; the walk stays within the sizes.
            unsafe { run(to, from, ends.2.wrapping_offset(first[2] + at[2]), steps, n) };
            Ok::<(), ()>(())
        });
    };
    // Threads share the work along a loop through which no two elements come to one place.
    let total: usize = (0..walk.rank()).map(|d| walk.size(d)).product();
    let apart = (0..walk.rank()).filter(|d| to.apart && walk.stride(0, *d) != 0).max_by_key(|d| walk.size(*d));
    match apart {
        Some(d) if total >= 2 * GRAIN => {
            let n = walk.size(d);
            // Along the innermost loop every piece goes through all runs, which are then shorter.
            let least = if d + 1 == walk.rank() { LEAST_RUN } else { 1 };
            parallel::split(n, (n * GRAIN / total).max(least), |range| {
                let (part, first) = walk.part(d, range);
                work(&part, &first);
            });
        }
        _ => work(&walk, &[0; 3]),
    }
    Ok(())
}
