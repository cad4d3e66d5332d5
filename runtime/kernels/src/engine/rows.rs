//! Tensors of any strides worked on lane by lane, in a type that the work is done in. How work is cut depends on sizes alone, so a result has the
//! same bits with any number of threads and any width of vectors.

mod folding;

pub(crate) use folding::Shared;
pub use folding::{Fold, by_leaves, fold, fold_changed, fold_slice};

use crate::Error;
use crate::engine::cast::{Conversion, Value};
use crate::engine::lanes::Acc;
use crate::engine::parallel;
use crate::engine::scratch::{self, Plain, Scratch};
use crate::engine::sums::Term;
use num_complex::Complex;
use sconce_tensor::{DType, Tensor};
use smallvec::SmallVec;
use std::marker::PhantomData;
use std::ops::Range;

/// A type that elements are worked on in: f32 also stands for the half types, i64 for all integers and bool.
pub trait Work: Value + Plain + Default {
    /// What sums are kept in.
    type Sum: Acc + Work;
    /// The sum of a long run's terms by loops over vectors, if there are such for this type.
    fn sum_in_vectors<T: Term<Self::Sum>>(_run: &[Self], _term: T) -> Option<T::Sum> {
        None
    }
}
impl Work for f32 {
    type Sum = f64;
    fn sum_in_vectors<T: Term<f64>>(run: &[f32], term: T) -> Option<T::Sum> {
        term.in_vectors(run)
    }
}
impl Work for f64 {
    type Sum = f64;
}
impl Work for i64 {
    type Sum = i64;
}
/// Only where an order matters.
impl Work for u64 {
    type Sum = i64;
}
impl Work for Complex<f64> {
    type Sum = Complex<f64>;
}

/// Runs a body with `$t` bound to the type that a real dtype is worked on in.
macro_rules! with_real_work {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            sconce_tensor::DType::F64 => {
                type $t = f64;
                $body
            }
            d if d.is_float() => {
                type $t = f32;
                $body
            }
            _ => {
                type $t = i64;
                $body
            }
        }
    };
}
pub(crate) use with_real_work;

/// The same for every dtype.
macro_rules! with_work {
    ($dtype:expr, $t:ident => $body:expr) => {{
        let dtype: sconce_tensor::DType = $dtype;
        if dtype.is_complex() {
            type $t = num_complex::Complex<f64>;
            $body
        } else {
            $crate::engine::rows::with_real_work!(dtype, $t => $body)
        }
    }};
}
pub(crate) use with_work;

/// Some dimensions of a tensor, row-major, merged where their strides allow.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Size and stride (in elements), outermost first; sizes of 1 are left out.
    dims: SmallVec<[(usize, isize); 4]>,
    length: usize,
}

impl Nest {
    pub fn new(t: &Tensor, take: impl Fn(usize) -> bool) -> Nest {
        let mut nest = Nest { dims: SmallVec::new(), length: 1 };
        for d in (0..t.dim()).filter(|d| take(*d)) {
            let (n, stride) = (t.sizes()[d] as usize, t.strides()[d] as isize);
            nest.length = nest.length.saturating_mul(n);
            match nest.dims.last_mut() {
                _ if n == 1 => {}
                Some((have, outer)) if *outer == stride * n as isize => (*have, *outer) = (*have * n, stride),
                _ => nest.dims.push((n, stride)),
            }
        }
        nest
    }

    /// The innermost stride.
    fn step(&self) -> isize {
        self.dims.last().map_or(1, |d| d.1)
    }

    /// All of it lies side by side.
    fn is_run(&self) -> bool {
        matches!(self.dims[..], [] | [(_, 1)])
    }

    /// Where position `i` lies, in elements from the first.
    #[inline]
    pub fn offset(&self, i: usize) -> isize {
        if let [(_, stride)] = self.dims[..] {
            return i as isize * stride;
        }
        let (mut rest, mut at) = (i, 0);
        for &(n, stride) in self.dims.iter().rev() {
            at += (rest % n) as isize * stride;
            rest /= n;
        }
        at
    }

    /// Calls `f(offset, step, n)` for the runs of equal steps that make up a range of positions.
    #[inline(always)]
    pub fn for_each_run(&self, range: Range<usize>, mut f: impl FnMut(isize, isize, usize)) {
        let (n, step) = self.dims.last().copied().unwrap_or((1, 1));
        let mut i = range.start;
        while i < range.end {
            let run = (n - i % n).min(range.end - i);
            f(self.offset(i), step, run);
            i += run;
        }
    }
}

/// A tensor cut into lanes: the elements along some dimensions, one lane for each position in the others, in row-major order.
pub struct Rows {
    base: Base,
    dtype: DType,
    kept: Nest,
    lane: Nest,
}

/// The first element of a tensor, shared by threads that touch different elements of results, or only read.
struct Base(*mut u8);
// SAFETY: see above; who makes `Rows` keeps the tensor alive while it works.
unsafe impl Send for Base {}
// SAFETY: as above.
unsafe impl Sync for Base {}

/// Elements in a leaf of a lane's work; longer lanes are a tree of leaves.
pub const LEAF: usize = 4096;
/// Accumulators side by side.
const SIDE: usize = 32;
/// Elements worth a thread in a simple fold.
const GRAIN: usize = 1 << 16;

impl Rows {
    /// Lanes over the marked dimensions.
    pub fn new(t: &Tensor, mask: &[bool]) -> Rows {
        let lane = Nest::new(t, |d| mask[d]);
        Rows { base: Base(t.bytes_ptr()), dtype: t.dtype(), kept: Nest::new(t, |d| !mask[d]), lane }
    }

    /// Lanes along one dimension; a tensor of rank 0 is one lane of one element.
    pub fn along(t: &Tensor, dim: usize) -> Rows {
        let lane = Nest::new(t, |d| d == dim);
        Rows { base: Base(t.bytes_ptr()), dtype: t.dtype(), kept: Nest::new(t, |d| d != dim), lane }
    }

    /// Every element a lane, row-major.
    pub fn elements(t: &Tensor) -> Rows {
        let lane = Nest { dims: SmallVec::new(), length: 1 };
        Rows { base: Base(t.bytes_ptr()), dtype: t.dtype(), kept: Nest::new(t, |_| true), lane }
    }

    /// All elements in one lane.
    fn one_lane(t: &Tensor) -> Rows {
        let kept = Nest { dims: SmallVec::new(), length: 1 };
        Rows { base: Base(t.bytes_ptr()), dtype: t.dtype(), kept, lane: Nest::new(t, |_| true) }
    }

    /// Elements of one lane; 0 is possible.
    pub fn length(&self) -> usize {
        self.lane.length
    }

    pub fn count(&self) -> usize {
        self.kept.length
    }

    /// One of the lanes.
    pub fn only(&self, i: usize) -> Rows {
        let kept = Nest { dims: SmallVec::new(), length: 1 };
        Rows { base: Base(self.at(self.kept.offset(i))), dtype: self.dtype, kept, lane: self.lane.clone() }
    }

    /// Whether [`columns`] reads them.
    pub fn has_columns<W: Work>(&self) -> bool {
        self.dtype == W::DTYPE && matches!(self.kept.dims.last(), Some((SIDE.., 1))) && self.is_vertical()
    }

    /// Few and long: worth a thread each part of a lane.
    pub fn is_long(&self) -> bool {
        self.kept.length < 8 && self.lane.length > GRAIN
    }

    fn at(&self, offset: isize) -> *mut u8 {
        self.base.0.wrapping_offset(offset * self.dtype.size() as isize)
    }

    /// Lanes side by side in memory, each with one stride, of elements of this type: copying them is turning a matrix.
    fn turns<W: Work>(&self) -> bool {
        self.dtype == W::DTYPE && self.kept.step() == 1 && self.lane.dims.len() == 1 && self.lane.length > 0
    }

    /// Neighbours in memory belong to different lanes.
    fn is_vertical(&self) -> bool {
        let (across, along) = (self.kept.step().unsigned_abs(), self.lane.step().unsigned_abs());
        self.kept.length > 1
            && self.lane.length > 1
            && (across < along || (self.lane.length < SIDE / 2 && self.kept.length > SIDE))
    }
}

/// How elements of `rows` become `W`.
struct Input<'a, W> {
    rows: &'a Rows,
    conversion: Conversion,
    /// What is done to elements that were read.
    change: Option<Change<'a, W>>,
    /// The elements are `W` already, side by side in each lane.
    direct: bool,
}

/// What elements become before they are worked on.
pub type Change<'a, W> = &'a (dyn Fn(&mut [W]) + Sync);

impl<'a, W: Work> Input<'a, W> {
    fn new(rows: &'a Rows) -> Result<Input<'a, W>, Error> {
        let conversion = Conversion::between(rows.dtype, W::DTYPE, "copy_")?;
        Ok(Input { rows, conversion, change: None, direct: rows.dtype == W::DTYPE && rows.lane.is_run() })
    }

    /// Elements that are changed when they are read, for which they are copied.
    fn changed(rows: &'a Rows, change: Change<'a, W>) -> Result<Input<'a, W>, Error> {
        Ok(Input { change: Some(change), direct: false, ..Input::new(rows)? })
    }

    /// Reads `to.len()` elements that lie at multiples of `step` from an offset, both in elements.
    ///
    /// # Safety
    /// They are elements of the tensor.
    unsafe fn load(&self, offset: isize, step: isize, to: &mut [W]) {
        let (bytes, step) = (size_of::<W>() as isize, step * self.rows.dtype.size() as isize);
        // SAFETY: the caller's promise; the conversion is that of the tensor's dtype to `W`.
        unsafe { self.conversion.run(to.as_mut_ptr().cast(), bytes, self.rows.at(offset), step, to.len()) };
        if let Some(change) = self.change {
            change(to);
        }
    }

    /// A lane that is `direct`.
    #[inline(always)]
    fn slice(&self, i: usize) -> &[W] {
        debug_assert!(self.direct);
        if self.rows.lane.length == 0 {
            return &[];
        }
        let at = self.rows.at(self.rows.kept.offset(i)).cast::<W>();
        // SAFETY: the lane's elements, side by side and of this type.
        unsafe { std::slice::from_raw_parts(at, self.rows.lane.length) }
    }

    /// Lanes are made of runs that need not be copied.
    fn has_runs(&self) -> bool {
        let long = self.rows.lane.dims.last().is_some_and(|d| d.0 >= 2 * SIDE && d.1 == 1);
        self.rows.dtype == W::DTYPE && self.change.is_none() && long
    }

    /// Calls `f` with the runs of positions `range` of lane `i`; there are such.
    fn for_each_slice(&self, i: usize, range: Range<usize>, mut f: impl FnMut(&[W])) {
        assert!(self.has_runs(), "elements that must be copied");
        let start = self.rows.kept.offset(i);
        self.rows.lane.for_each_run(range, |offset, _, n| {
            // SAFETY: a run of the tensor's elements, side by side and of this type.
            f(unsafe { std::slice::from_raw_parts(self.rows.at(start + offset).cast::<W>(), n) });
        });
    }

    /// Copies positions `range` of lane `i` to `to`.
    fn read(&self, i: usize, range: Range<usize>, to: &mut [W]) {
        let start = self.rows.kept.offset(i);
        let mut to = &mut to[..range.len()];
        self.rows.lane.for_each_run(range, |offset, step, n| {
            let (now, rest) = std::mem::take(&mut to).split_at_mut(n);
            // SAFETY: a run of the tensor's elements.
            unsafe { self.load(start + offset, step, now) };
            to = rest;
        });
    }

    /// Copies whole lanes, `pitch` apart.
    fn read_block(&self, lanes: Range<usize>, to: &mut [W], pitch: usize) {
        let length = self.rows.lane.length;
        if lanes.len() == 1 || !self.rows.is_vertical() {
            for (i, to) in lanes.zip(to.chunks_mut(pitch)) {
                self.read(i, 0..length, to);
            }
            return;
        }
        if self.rows.turns::<W>() {
            let step = self.rows.lane.step() as usize;
            let mut j = 0;
            self.rows.kept.for_each_run(lanes, |offset, _, n| {
                let to = &mut to[j * pitch..(j + n - 1) * pitch + length];
                // SAFETY: `n` lanes lie side by side, `length` elements each, of this type; they have so much room.
                unsafe {
                    let from = self.rows.at(offset);
                    sconce_tensor::transpose(size_of::<W>(), from, step, to.as_mut_ptr().cast(), pitch, length, n);
                }
                j += n;
            });
            return;
        }
        // Line by line of memory, then turned.
        let mut line = [W::default(); SIDE];
        for k in 0..length {
            let down = self.rows.lane.offset(k);
            let mut j = 0;
            self.rows.kept.for_each_run(lanes.clone(), |offset, step, n| {
                // SAFETY: a run of the tensor's elements; a block has at most `SIDE` lanes.
                unsafe { self.load(down + offset, step, &mut line[j..j + n]) };
                j += n;
            });
            for (j, v) in line[..j].iter().enumerate() {
                to[j * pitch + k] = *v;
            }
        }
    }
}

/// How `W` become elements of a result.
pub struct Output<'a, W> {
    rows: &'a Rows,
    conversion: Conversion,
    direct: bool,
    element: PhantomData<W>,
}

impl<'a, W: Work> Output<'a, W> {
    /// The result is fresh; each lane is written by one thread.
    pub fn new(rows: &'a Rows) -> Result<Output<'a, W>, Error> {
        let conversion = Conversion::between(W::DTYPE, rows.dtype, "copy_")?;
        Ok(Output { rows, conversion, direct: rows.dtype == W::DTYPE && rows.lane.is_run(), element: PhantomData })
    }

    /// Writes elements to multiples of `step` from an offset, both in elements.
    ///
    /// # Safety
    /// They are elements of the result that no other thread uses.
    unsafe fn store(&self, from: &[W], offset: isize, step: isize) {
        let (bytes, step) = (size_of::<W>() as isize, step * self.rows.dtype.size() as isize);
        // SAFETY: the caller's promise; the conversion is that of `W` to the result's dtype.
        unsafe { self.conversion.run(self.rows.at(offset), step, from.as_ptr().cast(), bytes, from.len()) }
    }

    /// A lane that is `direct`.
    #[inline(always)]
    #[allow(clippy::mut_from_ref, reason = "lanes of a fresh result, each handed to one thread")]
    fn slice(&self, i: usize) -> &mut [W] {
        debug_assert!(self.direct);
        if self.rows.lane.length == 0 {
            return &mut [];
        }
        let at = self.rows.at(self.rows.kept.offset(i)).cast::<W>();
        // SAFETY: the lane's elements, side by side and of this type, touched by nobody else.
        unsafe { std::slice::from_raw_parts_mut(at, self.rows.lane.length) }
    }

    /// Writes lane `i`.
    pub fn write(&self, i: usize, from: &[W]) {
        let (start, mut from) = (self.rows.kept.offset(i), &from[..self.rows.lane.length]);
        self.rows.lane.for_each_run(0..from.len(), |offset, step, n| {
            let (now, rest) = from.split_at(n);
            // SAFETY: a run of the result's elements; the lane is this thread's.
            unsafe { self.store(now, start + offset, step) };
            from = rest;
        });
    }

    /// Writes whole lanes that lie `pitch` apart.
    fn write_block(&self, lanes: Range<usize>, from: &[W], pitch: usize) {
        if lanes.len() == 1 || !self.rows.is_vertical() {
            for (i, from) in lanes.zip(from.chunks(pitch)) {
                self.write(i, from);
            }
            return;
        }
        let length = self.rows.lane.length;
        if self.rows.turns::<W>() {
            let step = self.rows.lane.step() as usize;
            let mut j = 0;
            self.rows.kept.for_each_run(lanes, |offset, _, n| {
                let from = &from[j * pitch..(j + n - 1) * pitch + length];
                // SAFETY: as in `read_block`, the other way round; the lanes are this thread's.
                unsafe {
                    let to = self.rows.at(offset);
                    sconce_tensor::transpose(size_of::<W>(), from.as_ptr().cast(), pitch, to, step, n, length);
                }
                j += n;
            });
            return;
        }
        let mut line = [W::default(); SIDE];
        for k in 0..length {
            let down = self.rows.lane.offset(k);
            for (j, v) in line[..lanes.len()].iter_mut().enumerate() {
                *v = from[j * pitch + k];
            }
            let mut j = 0;
            self.rows.kept.for_each_run(lanes.clone(), |offset, step, n| {
                // SAFETY: a run of the result's elements; the lanes are this thread's.
                unsafe { self.store(&line[j..j + n], down + offset, step) };
                j += n;
            });
        }
    }
}

/// Lanes in a block that is copied before it is worked on, and how far apart the copies lie (never a whole number of pages, so that
/// neighbours do not push each other out of the cache).
fn block(rows: &Rows, length: usize) -> (usize, usize) {
    let lanes = if rows.is_vertical() && length <= 1 << 20 { SIDE } else { 1 };
    (lanes, if lanes > 1 { length.next_multiple_of(16) + 16 } else { length.max(1) })
}

fn grain(length: usize, elements: usize) -> usize {
    (elements / length.max(1)).max(1)
}

/// Calls `f(i, lane)` for every lane, its elements side by side. `elements` is how many are worth a thread.
pub fn each<W: Work>(rows: &Rows, elements: usize, f: impl Fn(usize, &[W]) + Sync) -> Result<(), Error> {
    let input = Input::<W>::new(rows)?;
    let (lanes, pitch) = block(rows, rows.length());
    parallel::split(rows.count(), grain(rows.length(), elements).next_multiple_of(lanes), |range| {
        if input.direct {
            return range.for_each(|i| f(i, input.slice(i)));
        }
        let mut buffer = scratch::buffer::<W>(lanes * pitch);
        for start in range.clone().step_by(lanes) {
            let now = start..range.end.min(start + lanes);
            input.read_block(now.clone(), &mut buffer, pitch);
            now.zip(buffer.chunks(pitch)).for_each(|(i, lane)| f(i, &lane[..rows.length()]));
        }
    });
    Ok(())
}

/// Calls `f(i, lane, result lane)` for every lane; both have their elements side by side. Lanes of the result may have another length.
pub fn map<W: Work>(
    from: &Rows,
    to: &Rows,
    elements: usize,
    f: impl Fn(usize, &[W], &mut [W]) + Sync,
) -> Result<(), Error> {
    let (input, output) = (Input::<W>::new(from)?, Output::<W>::new(to)?);
    let (lanes, pitch) = block(from, from.length());
    let (out_lanes, out_pitch) = block(to, to.length());
    let lanes = lanes.max(out_lanes);
    let direct = input.direct && output.direct;
    parallel::split(from.count(), grain(from.length(), elements).next_multiple_of(lanes), |range| {
        if direct {
            return range.for_each(|i| f(i, input.slice(i), output.slice(i)));
        }
        let mut read = scratch::buffer::<W>(if input.direct { 0 } else { lanes * pitch });
        let mut written = scratch::buffer::<W>(if output.direct { 0 } else { lanes * out_pitch });
        for start in range.clone().step_by(lanes) {
            let now = start..range.end.min(start + lanes);
            if !input.direct {
                input.read_block(now.clone(), &mut read, pitch);
            }
            for (j, i) in now.clone().enumerate() {
                let lane = if input.direct { input.slice(i) } else { &read[j * pitch..][..from.length()] };
                let result = if output.direct { output.slice(i) } else { &mut written[j * out_pitch..][..to.length()] };
                f(i, lane, result);
            }
            if !output.direct {
                output.write_block(now, &written, out_pitch);
            }
        }
    });
    Ok(())
}

/// Lanes side by side in memory, of a tensor and of a result: the elements at one position of all of them are a line.
pub struct Columns<'a, W> {
    from: &'a Rows,
    to: &'a Rows,
    /// The first of the lanes, and where it begins in both.
    first: usize,
    starts: (isize, isize),
    lanes: usize,
    element: PhantomData<W>,
}

/// Lanes in [`Columns`] at most.
pub const ACROSS: usize = 256;

impl<W: Work> Columns<'_, W> {
    /// Which lane the first of them is.
    pub fn first(&self) -> usize {
        self.first
    }
    pub fn lanes(&self) -> usize {
        self.lanes
    }
    pub fn length(&self) -> usize {
        self.from.length()
    }
    /// What is read at a position.
    #[inline(always)]
    pub fn line(&self, k: usize) -> &[W] {
        let at = self.from.at(self.starts.0 + self.from.lane.offset(k)).cast::<W>();
        // SAFETY: a run of the tensor's elements, of this type.
        unsafe { std::slice::from_raw_parts(at, self.lanes) }
    }
    /// What is written there.
    #[inline(always)]
    #[allow(
        clippy::mut_from_ref,
        reason = "lines of a fresh result, each handed to one thread, which holds one at a time"
    )]
    pub fn result(&self, k: usize) -> &mut [W] {
        let at = self.to.at(self.starts.1 + self.to.lane.offset(k)).cast::<W>();
        // SAFETY: a run of the result's elements, of this type, touched by nobody else.
        unsafe { std::slice::from_raw_parts_mut(at, self.lanes) }
    }
}

/// Calls `f` for all lanes, many at once, where neighbours in memory belong to different lanes of both tensors and nothing need be converted; else does
/// nothing and is false. `elements` is how many are worth a thread.
pub fn columns<W: Work>(from: &Rows, to: &Rows, elements: usize, f: impl Fn(&Columns<'_, W>) + Sync) -> bool {
    if !from.has_columns::<W>() || !to.has_columns::<W>() || from.length() != to.length() || from.count() != to.count()
    {
        return false;
    }
    let count = from.count();
    parallel::split(count.div_ceil(ACROSS), grain(ACROSS * from.length(), elements), |blocks| {
        for first in blocks.map(|b| b * ACROSS) {
            let mut at = first;
            from.kept.for_each_run(first..count.min(first + ACROSS), |read, _, n| {
                let mut read = read;
                to.kept.for_each_run(at..at + n, |written, _, lanes| {
                    f(&Columns { from, to, first: at, starts: (read, written), lanes, element: PhantomData });
                    read += lanes as isize;
                    at += lanes;
                });
            });
        }
    });
    true
}

/// Writes values, converted, to a contiguous result.
pub fn write<W: Work>(out: &Tensor, values: &[W]) -> Result<(), Error> {
    assert!(out.numel() == values.len(), "values for another result");
    Writer::new(out)?.write(0, values);
    Ok(())
}

/// Calls `f(start, elements)` for pieces of tensors of equal sizes, read side by side in row-major order. [`pieces`] says how many.
pub fn zip<W: Work, const N: usize>(tensors: [&Tensor; N], f: impl Fn(usize, [&[W]; N]) + Sync) -> Result<(), Error> {
    let all = tensors.map(Rows::one_lane);
    let inputs: SmallVec<[Input<'_, W>; 4]> = all.iter().map(Input::new).collect::<Result<_, _>>()?;
    let n = all.iter().map(Rows::length).min().unwrap_or(0);
    parallel::split(pieces(n), GRAIN / LEAF / 2, |range| {
        let mut buffers: [Scratch<W>; N] = std::array::from_fn(|_| scratch::buffer(LEAF.min(n)));
        for piece in range {
            let now = piece * LEAF..n.min((piece + 1) * LEAF);
            for (buffer, input) in buffers.iter_mut().zip(&inputs) {
                if !input.direct {
                    input.read(0, now.clone(), buffer);
                }
            }
            let slices = std::array::from_fn(|k| {
                if inputs[k].direct { &inputs[k].slice(0)[now.clone()] } else { &buffers[k][..now.len()] }
            });
            f(now.start, slices);
        }
    });
    Ok(())
}

/// In how many pieces [`zip`] reads `n` elements.
pub fn pieces(n: usize) -> usize {
    n.div_ceil(LEAF)
}

/// A contiguous result that threads write different elements of.
pub struct Writer<W> {
    base: Base,
    elements: usize,
    size: usize,
    conversion: Conversion,
    element: PhantomData<W>,
}

impl<W: Work> Writer<W> {
    /// # Panics
    /// When the tensor is not contiguous: the caller made it.
    pub fn new(out: &Tensor) -> Result<Writer<W>, Error> {
        assert!(out.is_contiguous(), "a result with gaps");
        let conversion = Conversion::between(W::DTYPE, out.dtype(), "copy_")?;
        let (base, elements, size) = (Base(out.bytes_ptr()), out.numel(), out.dtype().size());
        Ok(Writer { base, elements, size, conversion, element: PhantomData })
    }

    /// Writes values, converted, from element `start` on.
    pub fn write(&self, start: usize, values: &[W]) {
        assert!(start + values.len() <= self.elements, "values for another result");
        let (to, from) = (self.base.0.wrapping_add(start * self.size), values.as_ptr().cast());
        // SAFETY: contiguous, with enough elements, of the dtype that the conversion is to.
        unsafe { self.conversion.run(to, self.size as isize, from, size_of::<W>() as isize, values.len()) };
    }
}

/// A tensor's elements in row-major order, converted.
pub fn read<W: Work>(t: &Tensor) -> Result<Scratch<W>, Error> {
    let mut out = scratch::buffer::<W>(t.numel());
    let rows = Rows::one_lane(t);
    Input::<W>::new(&rows)?.read(0, 0..t.numel(), &mut out);
    Ok(out)
}
