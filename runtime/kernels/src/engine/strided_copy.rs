//! Elements moved by tables: along each dimension of the result a table says where in the source's storage to look. What lies side by side in both
//! is copied at once.

use crate::engine::parallel;
use crate::engine::scratch::{self, Scratch};
use crate::{Call, Error};
use sconce_tensor::{Sizes, Tensor, contiguous_strides, numel};
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// No element: what the result held stays.
pub const NOTHING: i64 = i64::MIN;

/// Neighbours along a dimension of a result, whose offsets in the source's storage rise by one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    length: usize,
    /// [`NOTHING`], or where the first is.
    start: i64,
    step: i64,
}

/// Offsets in the source's storage along one dimension of a result.
pub enum Table {
    Runs(SmallVec<[Run; 4]>),
    /// One for each position.
    List(Scratch<i64>),
}

/// The tables of a result's dimensions.
pub type Tables = SmallVec<[Table; 6]>;

impl Table {
    pub fn length(&self) -> usize {
        match self {
            Table::Runs(runs) => runs.iter().map(|r| r.length).sum(),
            Table::List(list) => list.len(),
        }
    }

    /// `n` positions of a result, all from the same place.
    pub fn repeated(n: usize) -> Table {
        Table::Runs(smallvec![Run { length: n, start: 0, step: 0 }])
    }

    /// The only run, if it names elements.
    fn whole_run(&self) -> Option<Run> {
        match self {
            Table::Runs(runs) => match runs[..] {
                [run] if run.start != NOTHING => Some(run),
                _ => None,
            },
            Table::List(_) => None,
        }
    }

    /// Calls `f(position, run)` for the runs in a range of positions that name elements.
    #[inline(always)]
    fn each(&self, range: Range<usize>, mut f: impl FnMut(usize, Run)) {
        match self {
            Table::List(list) => {
                for (k, start) in list[range.clone()].iter().enumerate().filter(|(_, start)| **start != NOTHING) {
                    f(range.start + k, Run { length: 1, start: *start, step: 0 });
                }
            }
            Table::Runs(runs) => {
                let mut at = 0;
                for run in runs {
                    let (first, end) = (at.max(range.start), (at + run.length).min(range.end));
                    if first < end && run.start != NOTHING {
                        let start = run.start + (first - at) as i64 * run.step;
                        f(first, Run { length: end - first, start, step: run.step });
                    }
                    at += run.length;
                }
            }
        }
    }
}

/// Positions along a dimension of the source, in order; [`NOTHING`] stays.
pub fn along(source: &Tensor, dim: usize, indices: impl IntoIterator<Item = i64>) -> Table {
    let stride = source.strides()[dim];
    let mut runs: SmallVec<[Run; 4]> = SmallVec::new();
    for i in indices {
        let start = if i == NOTHING { NOTHING } else { i * stride };
        match runs.last_mut() {
            Some(r) if r.start == NOTHING && start == NOTHING => r.length += 1,
            Some(r) if r.start != NOTHING && start != NOTHING => {
                if r.length == 1 {
                    r.step = start - r.start;
                    r.length = 2;
                } else if r.start + r.length as i64 * r.step == start {
                    r.length += 1;
                } else {
                    runs.push(Run { length: 1, start, step: 0 });
                }
            }
            _ => runs.push(Run { length: 1, start, step: 0 }),
        }
    }
    Table::Runs(runs)
}

/// Parts of a dimension of the source one after the other: `(first, count)`, a first of [`NOTHING`] for a gap.
pub fn parts(source: &Tensor, dim: usize, parts: &[(i64, i64)]) -> Table {
    let step = source.strides()[dim];
    let run = |&(first, n): &(i64, i64)| {
        let start = if first == NOTHING { NOTHING } else { first * step };
        (n > 0).then_some(Run { length: n as usize, start, step })
    };
    Table::Runs(parts.iter().filter_map(run).collect())
}

/// The whole of a dimension, the last first.
pub fn reversed(source: &Tensor, dim: usize) -> Table {
    let (n, step) = (source.sizes()[dim], source.strides()[dim]);
    let run = Run { length: n as usize, start: (n - 1) * step, step: -step };
    Table::Runs(if n > 0 { smallvec![run] } else { smallvec![] })
}

/// Positions that follow no pattern.
pub fn listed(source: &Tensor, dim: usize, indices: &[i64]) -> Table {
    let stride = source.strides()[dim];
    let mut list = scratch::buffer::<i64>(indices.len());
    list.iter_mut().zip(indices).for_each(|(to, i)| *to = i * stride);
    Table::List(list)
}

/// The whole of a dimension.
pub fn whole(source: &Tensor, dim: usize) -> Table {
    parts(source, dim, &[(0, source.sizes()[dim])])
}

/// Runs `f(result offset, source offset)` for every element of a result with these strides whose tables all name an element.
///
/// Offsets are in elements from each storage's start; the tables' lengths are the result's sizes.
pub fn for_each(tables: &[Table], strides: &[i64], start: i64, source_start: i64, mut f: impl FnMut(i64, i64)) {
    if tables.iter().any(|t| t.length() == 0) {
        return;
    }
    walk(tables, strides, None, (start, source_start), &mut |at, run, step| {
        for k in 0..run.length as i64 {
            f(at + k * step, run.start + k * run.step);
        }
    });
}

/// Calls `f(result offset, run, the result's step)` for the innermost runs; `range` is of the outermost dimension.
fn walk(
    tables: &[Table],
    strides: &[i64],
    range: Option<Range<usize>>,
    (to, from): (i64, i64),
    f: &mut impl FnMut(i64, Run, i64),
) {
    match tables {
        [] => f(to, Run { length: 1, start: from, step: 0 }, 0),
        [last] => last.each(range.unwrap_or(0..last.length()), |at, run| {
            f(to + at as i64 * strides[0], Run { start: from + run.start, ..run }, strides[0]);
        }),
        [first, rest @ ..] => first.each(range.unwrap_or(0..first.length()), |at, run| {
            for k in 0..run.length {
                let to = to + (at + k) as i64 * strides[0];
                walk(rest, &strides[1..], None, (to, from + run.start + k as i64 * run.step), f);
            }
        }),
    }
}

/// Bytes worth a thread.
const GRAIN: usize = 1 << 18;

/// Copies elements into `out`, whose dimensions have these strides, as the tables say. `out` has as many elements as the tables.
///
/// # Panics
/// When the dtypes differ or the elements are not as many: the caller made both.
fn move_elements(out: &Tensor, strides: &[i64], source: &Tensor, tables: &[Table]) {
    assert_eq!(out.dtype(), source.dtype(), "elements of two dtypes");
    let count = tables.iter().map(Table::length).product::<usize>();
    assert!(out.numel() == count && strides.len() == tables.len(), "tables of other sizes than the result's");
    if count == 0 {
        return;
    }
    // Innermost dimensions that lie side by side in both are one element.
    let (mut unit, mut first, mut rank) = (1i64, 0, tables.len());
    while let Some(run) = tables[..rank].last().and_then(Table::whole_run) {
        let one = run.length == 1;
        if !one && (run.step != unit || strides[rank - 1] != unit) {
            break;
        }
        unit *= run.length as i64;
        first += run.start;
        rank -= 1;
    }
    let tables = &tables[..rank];
    let size = out.dtype().size();
    let (to, from) = (Address(out.bytes_ptr()), Address(source.storage_ptr()));
    let work = |range: Option<Range<usize>>| {
        let (to, from) = (&to, &from);
        let start = source.storage_offset() + first;
        walk(tables, strides, range, (0, start), &mut |at, run, step| {
            let to = to.0.wrapping_offset(at as isize * size as isize);
            let from = from.0.wrapping_offset(run.start as isize * size as isize).cast_const();
            // SAFETY: the tables hold offsets of the source's elements (callers check every index), `at` runs over the result's; both lie in
            // their storages, and the result is fresh.
            unsafe { copy_run(to, from, run, step, unit, size) };
        });
    };
    match tables.first() {
        Some(outer) if count * size >= GRAIN / 4 => {
            let n = outer.length();
            parallel::split(n, (n * GRAIN / (count * size)).max(1), |range| work(Some(range)));
        }
        _ => work(None),
    }
}

/// The first byte of a storage, shared by threads that read it or write different elements.
struct Address(*mut u8);
// SAFETY: as above.
unsafe impl Sync for Address {}

/// Copies the elements of a run, each of `unit` elements of `size` bytes side by side.
///
/// # Safety
/// All of them may be read or written, and do not overlap.
#[inline(always)]
unsafe fn copy_run(to: *mut u8, from: *const u8, run: Run, step: i64, unit: i64, size: usize) {
    /// # Safety
    /// As for `copy_run`.
    #[inline(always)]
    unsafe fn single<const N: usize>(to: *mut [u8; N], from: *const [u8; N], run: Run, step: i64) {
        for k in 0..run.length as isize {
            // SAFETY: the caller's promise; byte arrays have no alignment.
            unsafe { *to.wrapping_offset(k * step as isize) = *from.wrapping_offset(k * run.step as isize) };
        }
    }
    /// From the last to the first, in a loop that vectorises.
    ///
    /// # Safety
    /// As for `copy_run`.
    unsafe fn reversed<T: Copy>(to: *mut T, from: *const T, n: usize) {
        for k in 0..n {
            // SAFETY: the caller's promise.
            unsafe { to.add(k).write_unaligned(from.sub(k).read_unaligned()) };
        }
    }
    let bytes = unit as usize * size;
    // SAFETY: the caller's promise.
    unsafe {
        if (step == unit && run.step == unit) || run.length == 1 {
            std::ptr::copy_nonoverlapping(from, to, run.length * bytes);
        } else if unit == 1 {
            let turned = step == 1 && run.step == -1;
            match size {
                4 if turned => reversed::<u32>(to.cast(), from.cast(), run.length),
                8 if turned => reversed::<u64>(to.cast(), from.cast(), run.length),
                1 => single::<1>(to.cast(), from.cast(), run, step),
                2 => single::<2>(to.cast(), from.cast(), run, step),
                4 => single::<4>(to.cast(), from.cast(), run, step),
                8 => single::<8>(to.cast(), from.cast(), run, step),
                _ => single::<16>(to.cast(), from.cast(), run, step),
            }
        } else {
            for k in 0..run.length as isize {
                let to = to.wrapping_offset(k * step as isize * size as isize);
                std::ptr::copy_nonoverlapping(from.wrapping_offset(k * run.step as isize * size as isize), to, bytes);
            }
        }
    }
}

/// Copies elements into `out` as the tables say; both have one dtype.
pub fn move_into(out: &Tensor, source: &Tensor, tables: &[Table]) {
    assert!(
        out.dim() == tables.len() && out.sizes().iter().zip(tables).all(|(n, t)| *n as usize == t.length()),
        "tables of other sizes than the result's"
    );
    move_elements(out, out.strides(), source, tables);
}

/// A call's result: the elements that the tables name, row-major, in a tensor of these sizes.
pub fn moved_as(call: &Call<'_>, source: &Tensor, tables: &[Table], sizes: &[i64]) -> Result<Tensor, Error> {
    let out = call.contiguous_output(0, sizes, source.dtype())?;
    let lengths: Sizes = tables.iter().map(|t| t.length() as i64).collect();
    move_elements(&out, &contiguous_strides(&lengths), source, tables);
    Ok(out)
}

/// The same with the tables' own sizes.
pub fn moved(call: &Call<'_>, source: &Tensor, tables: &[Table]) -> Result<Tensor, Error> {
    let sizes: Sizes = tables.iter().map(|t| t.length() as i64).collect();
    moved_as(call, source, tables, &sizes)
}

/// The single result of a call.
/// A table's length, refused where it is beyond memory before it is made.
pub fn bounded(lengths: &[i64]) -> Result<(), Error> {
    match numel(lengths) {
        Some(_) if lengths.iter().all(|n| *n <= 1 << 40) => Ok(()),
        _ => Err(sconce_tensor::Error::TooLarge { sizes: lengths.to_vec(), bytes_per_element: 8 }.into()),
    }
}
