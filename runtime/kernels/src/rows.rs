//! Tensors of any strides worked on lane by lane, in a type that the work is done in. How work is cut depends on sizes alone, so a result has the
//! same bits with any number of threads and any width of vectors.

use crate::Error;
use crate::cast::{Value, with_element};
use crate::compute::Compute;
use crate::lanes::Acc;
use crate::parallel;
use crate::scratch::{self, Plain, Scratch};
use crate::vectorize::vectorize;
use num_complex::Complex;
use sconce_tensor::{DType, Tensor};
use smallvec::SmallVec;
use std::ops::Range;

/// A type that elements are worked on in: f32 also stands for the half types, i64 for all integers and bool.
pub trait Work: Compute + Plain {
    /// What sums are kept in.
    type Sum: Acc + Work;
}
impl Work for f32 {
    type Sum = f64;
}
impl Work for f64 {
    type Sum = f64;
}
impl Work for i64 {
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
            $crate::rows::with_real_work!(dtype, $t => $body)
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

    pub fn length(&self) -> usize {
        self.length
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
const LEAF: usize = 4096;
/// Accumulators side by side.
const SIDE: usize = 32;
/// Lanes worked on at once where neighbours in memory belong to different lanes.
const BLOCK: usize = 512;
/// Elements of a lane that are added up before they join the lane's total.
const PIECE: usize = 256;
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

    /// Few and long: worth a thread each part of a lane.
    pub fn is_long(&self) -> bool {
        self.kept.length < 8 && self.lane.length > GRAIN
    }

    fn at(&self, offset: isize) -> *mut u8 {
        self.base.0.wrapping_offset(offset * self.dtype.size() as isize)
    }

    /// Neighbours in memory belong to different lanes.
    fn is_vertical(&self) -> bool {
        let (across, along) = (self.kept.step().unsigned_abs(), self.lane.step().unsigned_abs());
        self.kept.length > 1 && self.lane.length > 1 && (across < along || (self.lane.length < SIDE / 2 && self.kept.length > SIDE))
    }
}

/// Reads `n` elements of a dtype as `W`.
type Load<W> = unsafe fn(*const u8, isize, usize, *mut W);
/// Writes `n` elements of a dtype from `W`.
type Store<W> = unsafe fn(*const W, usize, *mut u8, isize);

/// # Safety
/// `n` elements of type `E` lie at multiples of `step` from `from`, and `to` has room for `n`.
unsafe fn load<E: Value, W: Work>(from: *const u8, step: isize, n: usize, to: *mut W) {
    let from = from.cast::<E>();
    vectorize(
        #[inline(always)]
        || {
            if step == 1 {
                for i in 0..n {
                    // SAFETY: the caller's promise.
                    unsafe { *to.add(i) = (*from.add(i)).to::<W>() };
                }
            } else {
                for i in 0..n {
                    // SAFETY: as above.
                    unsafe { *to.add(i) = (*from.wrapping_offset(i as isize * step)).to::<W>() };
                }
            }
        },
    );
}

/// # Safety
/// As [`load`], the other way round.
unsafe fn store<E: Value, W: Work>(from: *const W, n: usize, to: *mut u8, step: isize) {
    let to = to.cast::<E>();
    vectorize(
        #[inline(always)]
        || {
            if step == 1 {
                for i in 0..n {
                    // SAFETY: the caller's promise.
                    unsafe { *to.add(i) = (*from.add(i)).to::<E>() };
                }
            } else {
                for i in 0..n {
                    // SAFETY: as above.
                    unsafe { *to.wrapping_offset(i as isize * step) = (*from.add(i)).to::<E>() };
                }
            }
        },
    );
}

/// How elements of `rows` become `W`.
struct Input<'a, W> {
    rows: &'a Rows,
    load: Load<W>,
    /// The elements are `W` already, side by side in each lane.
    direct: bool,
}

impl<'a, W: Work> Input<'a, W> {
    fn new(rows: &'a Rows) -> Result<Input<'a, W>, Error> {
        let load: Load<W> = with_element!(rows.dtype, "copy_", E => load::<E, W>);
        Ok(Input { rows, load, direct: rows.dtype == W::DTYPE && rows.lane.is_run() })
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

    /// Copies positions `range` of lane `i` to `to`.
    fn read(&self, i: usize, range: Range<usize>, to: &mut [W]) {
        let start = self.rows.kept.offset(i);
        let mut to = &mut to[..range.len()];
        self.rows.lane.for_each_run(range, |offset, step, n| {
            let (now, rest) = std::mem::take(&mut to).split_at_mut(n);
            // SAFETY: a run of the tensor's elements, of the dtype that `load` was chosen for.
            unsafe { (self.load)(self.rows.at(start + offset), step, n, now.as_mut_ptr()) };
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
        // Line by line of memory, then turned.
        let mut line = [W::ZERO; SIDE];
        for k in 0..length {
            let down = self.rows.lane.offset(k);
            let mut j = 0;
            self.rows.kept.for_each_run(lanes.clone(), |offset, step, n| {
                // SAFETY: a run of the tensor's elements; a block has at most `SIDE` lanes.
                unsafe { (self.load)(self.rows.at(down + offset), step, n, line[j..j + n].as_mut_ptr()) };
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
    store: Store<W>,
    direct: bool,
}

impl<'a, W: Work> Output<'a, W> {
    /// The result is fresh; each lane is written by one thread.
    pub fn new(rows: &'a Rows) -> Result<Output<'a, W>, Error> {
        let store: Store<W> = with_element!(rows.dtype, "copy_", E => store::<E, W>);
        Ok(Output { rows, store, direct: rows.dtype == W::DTYPE && rows.lane.is_run() })
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
            // SAFETY: a run of the result's elements, of the dtype that `store` was chosen for.
            unsafe { (self.store)(now.as_ptr(), n, self.rows.at(start + offset), step) };
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
        let mut line = [W::ZERO; SIDE];
        for k in 0..self.rows.lane.length {
            let down = self.rows.lane.offset(k);
            for (j, v) in line[..lanes.len()].iter_mut().enumerate() {
                *v = from[j * pitch + k];
            }
            let mut j = 0;
            self.rows.kept.for_each_run(lanes.clone(), |offset, step, n| {
                // SAFETY: a run of the result's elements.
                unsafe { (self.store)(line[j..j + n].as_ptr(), n, self.rows.at(down + offset), step) };
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
                let result =
                    if output.direct { output.slice(i) } else { &mut written[j * out_pitch..][..to.length()] };
                f(i, lane, result);
            }
            if !output.direct {
                output.write_block(now, &written, out_pitch);
            }
        }
    });
    Ok(())
}

/// A lane folded to one state. States of parts are merged, so `merge` is as good as `step`s one after the other.
pub trait Fold<W>: Sync {
    type State: Plain + Send + Sync;
    fn start(&self) -> Self::State;
    fn step(&self, state: Self::State, x: W) -> Self::State;
    fn merge(&self, a: Self::State, b: Self::State) -> Self::State;
}

/// A run of elements: accumulators side by side, then in pairs.
#[inline(always)]
fn fold_run<W: Work, F: Fold<W>>(f: &F, run: &[W]) -> F::State {
    if run.len() < SIDE / 2 {
        return run.iter().fold(f.start(), |s, x| f.step(s, *x));
    }
    const ROWS: usize = 8;
    let mut states = [f.start(); SIDE];
    // A width that the compiler does not know makes a loop over vectors; of a known one it makes single steps.
    let width = std::hint::black_box(SIDE).min(SIDE);
    let mut rest = run;
    while rest.len() >= ROWS * width {
        let (now, after) = rest.split_at(ROWS * width);
        let row = |k: usize| &now[k * width..(k + 1) * width];
        let (a, b, c, d) = (row(0), row(1), row(2), row(3));
        let (e, g, h, l) = (row(4), row(5), row(6), row(7));
        let states = &mut states[..width];
        for i in 0..width {
            let s = f.step(f.step(f.step(f.step(states[i], a[i]), b[i]), c[i]), d[i]);
            states[i] = f.step(f.step(f.step(f.step(s, e[i]), g[i]), h[i]), l[i]);
        }
        rest = after;
    }
    while rest.len() >= width {
        let (now, after) = rest.split_at(width);
        states[..width].iter_mut().zip(now).for_each(|(s, x)| *s = f.step(*s, *x));
        rest = after;
    }
    states.iter_mut().zip(rest).for_each(|(s, x)| *s = f.step(*s, *x));
    let mut half = SIDE / 2;
    while half > 0 {
        let (low, high) = states.split_at_mut(half);
        low.iter_mut().zip(high).for_each(|(a, b)| *a = f.merge(*a, *b));
        half /= 2;
    }
    states[0]
}

/// A slice, as the tree of leaves that any lane is.
pub fn fold_slice<W: Work, F: Fold<W>>(f: &F, lane: &[W]) -> F::State {
    if lane.len() > LEAF {
        let (a, b) = lane.split_at((lane.len() / 2).next_multiple_of(LEAF));
        return f.merge(fold_slice(f, a), fold_slice(f, b));
    }
    vectorize(
        #[inline(always)]
        || fold_run(f, lane),
    )
}

/// Positions `range` of lane `i`, as a tree of leaves.
fn fold_range<W: Work, F: Fold<W>>(
    f: &F,
    input: &Input<'_, W>,
    i: usize,
    range: Range<usize>,
    buffer: &mut [W],
) -> F::State {
    if range.len() > LEAF {
        let middle = range.start + (range.len() / 2).next_multiple_of(LEAF);
        let first = fold_range(f, input, i, range.start..middle, buffer);
        return f.merge(first, fold_range(f, input, i, middle..range.end, buffer));
    }
    let run = if input.direct {
        &input.slice(i)[range]
    } else {
        let n = range.len();
        input.read(i, range, buffer);
        &buffer[..n]
    };
    vectorize(
        #[inline(always)]
        || fold_run(f, run),
    )
}

fn fold_horizontal<W: Work, F: Fold<W>>(f: &F, input: &Input<'_, W>, states: &Shared<'_, F::State>) {
    let (count, length) = (input.rows.count(), input.rows.length());
    let space = || scratch::buffer::<W>(if input.direct { 0 } else { length.min(LEAF) });
    // A few long lanes are cut where the tree of leaves branches, so that the result is the tree's.
    let mut parts = 1;
    while length / parts > GRAIN && count * parts < 64 {
        parts *= 2;
    }
    if parts == 1 {
        return parallel::split(count, grain(length, GRAIN), |range| {
            let mut buffer = space();
            for i in range {
                states.set(i, fold_range(f, input, i, 0..length, &mut buffer));
            }
        });
    }
    let mut bounds: SmallVec<[Range<usize>; 64]> = SmallVec::new();
    branches(0..length, parts, &mut bounds);
    let mut partial = scratch::buffer::<F::State>(count * parts);
    let shared = Shared::new(&mut partial);
    parallel::split(count * parts, 1, |range| {
        let mut buffer = space();
        for at in range {
            let (i, part) = (at / parts, at % parts);
            shared.set(at, fold_range(f, input, i, bounds[part].clone(), &mut buffer));
        }
    });
    for i in 0..count {
        let lane = &mut partial[i * parts..][..parts];
        let mut width = 1;
        while width < parts {
            for at in (0..parts).step_by(2 * width) {
                lane[at] = f.merge(lane[at], lane[at + width]);
            }
            width *= 2;
        }
        states.set(i, lane[0]);
    }
}

/// The `parts` (a power of two) that the tree of leaves has some levels down.
fn branches(range: Range<usize>, parts: usize, out: &mut SmallVec<[Range<usize>; 64]>) {
    if parts == 1 {
        return out.push(range);
    }
    let middle = range.start + (range.len() / 2).next_multiple_of(LEAF);
    branches(range.start..middle, parts / 2, out);
    branches(middle..range.end, parts / 2, out);
}

/// A slice that threads write different elements of.
pub(crate) struct Shared<'a, S>(*mut S, usize, std::marker::PhantomData<&'a mut [S]>);
// SAFETY: each element is written by one thread.
unsafe impl<S: Send> Sync for Shared<'_, S> {}
impl<S: Copy> Shared<'_, S> {
    pub fn new(slice: &mut [S]) -> Shared<'_, S> {
        Shared(slice.as_mut_ptr(), slice.len(), std::marker::PhantomData)
    }
    /// Each element is set by one thread.
    #[inline(always)]
    pub fn set(&self, i: usize, value: S) {
        assert!(i < self.1, "an element of another slice");
        // SAFETY: inside the slice.
        unsafe { *self.0.add(i) = value }
    }
    /// Each part is written by one thread.
    #[allow(clippy::mut_from_ref, reason = "parts of a slice, each handed to one thread")]
    fn part(&self, range: Range<usize>) -> &mut [S] {
        assert!(range.start <= range.end && range.end <= self.1, "a part of another slice");
        // SAFETY: inside the slice.
        unsafe { std::slice::from_raw_parts_mut(self.0.add(range.start), range.len()) }
    }
}

/// Some lanes side by side: positions `rows` of each.
fn fold_columns<W: Work, F: Fold<W>>(
    f: &F,
    input: &Input<'_, W>,
    lanes: Range<usize>,
    rows: Range<usize>,
    buffer: &mut [W],
    states: &mut [F::State],
) {
    states.fill(f.start());
    let (kept, lane) = (&input.rows.kept, &input.rows.lane);
    let direct = input.rows.dtype == W::DTYPE && kept.step() == 1;
    let mut at = 0;
    kept.for_each_run(lanes, |offset, step, n| {
        let states = &mut states[at..at + n];
        at += n;
        let line = |k: usize, buffer: &mut [W]| -> *const W {
            let from = input.rows.at(offset + lane.offset(k));
            if direct {
                return from.cast();
            }
            // SAFETY: a run of the tensor's elements.
            unsafe { (input.load)(from, step, n, buffer[..n].as_mut_ptr()) };
            buffer.as_ptr()
        };
        let mut k = rows.start;
        while k < rows.end {
            // Four rows at a time: the states stay in registers for them.
            let four = k + 4 <= rows.end;
            let (mut a, mut rest) = (std::ptr::null(), [std::ptr::null(); 3]);
            for (j, part) in buffer.chunks_mut(BLOCK).take(if four { 4 } else { 1 }).enumerate() {
                let p = line(k + j, part);
                if j == 0 { a = p } else { rest[j - 1] = p }
            }
            vectorize(
                #[inline(always)]
                || {
                    // SAFETY: each points to `n` elements.
                    let slice = |p: *const W| unsafe { std::slice::from_raw_parts(p, n) };
                    let states = &mut states[..n];
                    if four {
                        let (a, b, c, d) = (slice(a), slice(rest[0]), slice(rest[1]), slice(rest[2]));
                        for i in 0..n {
                            states[i] = f.step(f.step(f.step(f.step(states[i], a[i]), b[i]), c[i]), d[i]);
                        }
                    } else {
                        for (s, x) in states.iter_mut().zip(slice(a)) {
                            *s = f.step(*s, *x);
                        }
                    }
                },
            );
            k += if four { 4 } else { 1 };
        }
    });
}

fn fold_vertical<W: Work, F: Fold<W>>(f: &F, input: &Input<'_, W>, states: &Shared<'_, F::State>) {
    let (count, length) = (input.rows.count(), input.rows.length());
    let (blocks, pieces) = (count.div_ceil(BLOCK), length.div_ceil(PIECE));
    let lanes = |b: usize| b * BLOCK..count.min((b + 1) * BLOCK);
    let rows = |p: usize| p * PIECE..length.min((p + 1) * PIECE);
    let merge = |into: &mut [F::State], from: &[F::State]| {
        into.iter_mut().zip(from).for_each(|(a, b)| *a = f.merge(*a, *b));
    };
    let width = count.min(BLOCK);
    if blocks >= 16 || pieces == 1 {
        return parallel::split(blocks, grain(width * length, GRAIN), |range| {
            let (mut buffer, mut part) = (scratch::buffer::<W>(4 * BLOCK), scratch::buffer::<F::State>(BLOCK));
            for b in range {
                let total = states.part(lanes(b));
                total.fill(f.start());
                for p in 0..pieces {
                    let part = &mut part[..total.len()];
                    fold_columns(f, input, lanes(b), rows(p), &mut buffer, part);
                    merge(total, part);
                }
            }
        });
    }
    let mut partial = scratch::buffer::<F::State>(pieces * count);
    let shared = Shared::new(&mut partial);
    parallel::split(blocks * pieces, grain(width * PIECE, GRAIN), |range| {
        let mut buffer = scratch::buffer::<W>(4 * BLOCK);
        for at in range {
            let (p, b) = (at / blocks, at % blocks);
            let part = shared.part(p * count + lanes(b).start..p * count + lanes(b).end);
            fold_columns(f, input, lanes(b), rows(p), &mut buffer, part);
        }
    });
    let total = states.part(0..count);
    total.fill(f.start());
    partial.chunks(count).for_each(|part| merge(total, part));
}

/// Folds every lane.
pub fn fold<W: Work, F: Fold<W>>(rows: &Rows, f: &F) -> Result<Scratch<F::State>, Error> {
    let mut states = scratch::buffer::<F::State>(rows.count());
    let input = Input::<W>::new(rows)?;
    let shared = Shared::new(&mut states);
    if rows.is_vertical() { fold_vertical(f, &input, &shared) } else { fold_horizontal(f, &input, &shared) }
    Ok(states)
}

/// Writes values, converted, to a contiguous result.
pub fn write<W: Work>(out: &Tensor, values: &[W]) -> Result<(), Error> {
    let store: Store<W> = with_element!(out.dtype(), "copy_", E => store::<E, W>);
    assert!(out.is_contiguous() && out.numel() == values.len(), "values for another result");
    // SAFETY: contiguous, with as many elements.
    unsafe { store(values.as_ptr(), values.len(), out.bytes_ptr(), 1) };
    Ok(())
}

/// A tensor's elements in row-major order, converted.
pub fn read<W: Work>(t: &Tensor) -> Result<Scratch<W>, Error> {
    let mut out = scratch::buffer::<W>(t.numel());
    let rows = Rows { base: Base(t.bytes_ptr()), dtype: t.dtype(), kept: Nest { dims: SmallVec::new(), length: 1 }, lane: Nest::new(t, |_| true) };
    Input::<W>::new(&rows)?.read(0, 0..t.numel(), &mut out);
    Ok(out)
}

