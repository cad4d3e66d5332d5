//! Lanes folded to one state each: leaves with accumulators side by side, joined as a tree, or many lanes at once where those are neighbours.

use super::{Change, GRAIN, Input, LEAF, Rows, SIDE, Work, grain};
use crate::Error;
use crate::engine::parallel;
use crate::engine::scratch::{self, Plain, Scratch};
use crate::engine::vectorize::vectorize;
use smallvec::SmallVec;
use std::ops::Range;

/// Lanes worked on at once where neighbours in memory belong to different lanes.
const BLOCK: usize = 512;
/// Elements of a lane that are added up before they join the lane's total.
const PIECE: usize = 256;

/// A lane folded to one state. States of parts are merged, so `merge` is as good as `step`s one after the other.
pub trait Fold<W>: Sync {
    type State: Plain + Send + Sync;
    /// The state of a long run as vectors find it, where there is a loop over them for such elements.
    fn in_vectors(&self, _run: &[W]) -> Option<Self::State> {
        None
    }
    fn start(&self) -> Self::State;
    fn step(&self, state: Self::State, x: W) -> Self::State;
    fn merge(&self, a: Self::State, b: Self::State) -> Self::State;
}

/// A run of elements: accumulators side by side, then in pairs. Long runs have more of them, so that additions do not wait for each other.
#[inline(always)]
fn fold_run<W: Work, F: Fold<W>>(f: &F, run: &[W]) -> F::State {
    if run.len() < SIDE / 2 {
        run.iter().fold(f.start(), |s, x| f.step(s, *x))
    } else if run.len() < 16 * SIDE {
        fold_side::<W, F, SIDE>(f, run)
    } else if size_of::<F::State>() <= 4 {
        fold_side::<W, F, { 4 * SIDE }>(f, run)
    } else {
        fold_side::<W, F, { 2 * SIDE }>(f, run)
    }
}

/// Accumulators on cache lines of their own: vectors of them that lay across two lines would be slow to store and load again.
#[repr(align(64))]
struct Accumulators<S, const N: usize>([S; N]);

#[inline(always)]
fn fold_side<W: Work, F: Fold<W>, const N: usize>(f: &F, run: &[W]) -> F::State {
    const ROWS: usize = 4;
    let Accumulators(states) = &mut Accumulators([f.start(); N]);
    // A width that the compiler does not know makes a loop over vectors; of a known one it makes single steps.
    let width = std::hint::black_box(N).min(N);
    let mut rest = run;
    while rest.len() >= ROWS * width {
        let (now, after) = rest.split_at(ROWS * width);
        let row = |k: usize| &now[k * width..(k + 1) * width];
        let (a, b, c, d) = (row(0), row(1), row(2), row(3));
        let states = &mut states[..width];
        for i in 0..width {
            states[i] = f.step(f.step(f.step(f.step(states[i], a[i]), b[i]), c[i]), d[i]);
        }
        rest = after;
    }
    while rest.len() >= width {
        let (now, after) = rest.split_at(width);
        states[..width].iter_mut().zip(now).for_each(|(s, x)| *s = f.step(*s, *x));
        rest = after;
    }
    states.iter_mut().zip(rest).for_each(|(s, x)| *s = f.step(*s, *x));
    let mut half = N / 2;
    while half > 0 {
        let (low, high) = states.split_at_mut(half);
        low.iter_mut().zip(high).for_each(|(a, b)| *a = f.merge(*a, *b));
        half /= 2;
    }
    states[0]
}

/// One leaf, compiled once for all that fold so: it is most of a reduction's code.
#[inline(never)]
fn fold_leaf<W: Work, F: Fold<W>>(f: &F, run: &[W]) -> F::State {
    if run.len() >= 16 * SIDE
        && let Some(state) = f.in_vectors(run)
    {
        return state;
    }
    vectorize(
        #[inline(always)]
        move || fold_run(f, run),
    )
}

/// A slice, as the tree of leaves that any lane is.
pub fn fold_slice<W: Work, F: Fold<W>>(f: &F, lane: &[W]) -> F::State {
    by_leaves(f, lane, &|leaf| fold_leaf(f, leaf))
}

/// The same where a leaf's state is found in another way.
pub fn by_leaves<W: Work, F: Fold<W>>(f: &F, lane: &[W], leaf: &impl Fn(&[W]) -> F::State) -> F::State {
    if lane.len() > LEAF {
        let (a, b) = lane.split_at((lane.len() / 2).next_multiple_of(LEAF));
        return f.merge(by_leaves(f, a, leaf), by_leaves(f, b, leaf));
    }
    leaf(lane)
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
    } else if input.has_runs() {
        // Each run where it lies: they are long enough to be worth a tree of their own.
        let mut state = f.start();
        input.for_each_slice(i, range, |run| state = f.merge(state, fold_slice(f, run)));
        return state;
    } else {
        let n = range.len();
        input.read(i, range, buffer);
        &buffer[..n]
    };
    fold_leaf(f, run)
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
    pub fn part(&self, range: Range<usize>) -> &mut [S] {
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
    let direct = input.rows.dtype == W::DTYPE && kept.step() == 1 && input.change.is_none();
    let mut at = 0;
    kept.for_each_run(lanes, |offset, step, n| {
        let states = &mut states[at..at + n];
        at += n;
        let line = |k: usize, buffer: &mut [W]| -> *const W {
            let at = offset + lane.offset(k);
            if direct {
                return input.rows.at(at).cast();
            }
            // SAFETY: a run of the tensor's elements.
            unsafe { input.load(at, step, &mut buffer[..n]) };
            buffer.as_ptr()
        };
        vectorize(
            #[inline(always)]
            || {
                // What the compiler must know to be the same in all turns.
                let (n, rows, states) = (n, rows.clone(), &mut states[..n]);
                // SAFETY: each points to `n` elements.
                let slice = |p: *const W| unsafe { std::slice::from_raw_parts(p, n) };
                let mut k = rows.start;
                while k + 4 <= rows.end {
                    // Four rows at a time: the states stay in registers for them.
                    let mut four = [std::ptr::null(); 4];
                    for (j, part) in buffer.chunks_mut(BLOCK).take(4).enumerate() {
                        four[j] = line(k + j, part);
                    }
                    let (a, b, c, d) = (slice(four[0]), slice(four[1]), slice(four[2]), slice(four[3]));
                    for i in 0..n {
                        states[i] = f.step(f.step(f.step(f.step(states[i], a[i]), b[i]), c[i]), d[i]);
                    }
                    k += 4;
                }
                for k in k..rows.end {
                    let a = slice(line(k, buffer));
                    states.iter_mut().zip(a).for_each(|(s, x)| *s = f.step(*s, *x));
                }
            },
        );
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
    Ok(fold_input(&Input::<W>::new(rows)?, f))
}

/// The same of what elements become by a change. It costs a copy of them, and needs no code of its own for each change.
pub fn fold_changed<W: Work, F: Fold<W>>(
    rows: &Rows,
    change: Change<'_, W>,
    f: &F,
) -> Result<Scratch<F::State>, Error> {
    Ok(fold_input(&Input::<W>::changed(rows, change)?, f))
}

#[inline(never)]
fn fold_input<W: Work, F: Fold<W>>(input: &Input<'_, W>, f: &F) -> Scratch<F::State> {
    let mut states = scratch::buffer::<F::State>(input.rows.count());
    let shared = Shared::new(&mut states);
    if input.rows.is_vertical() {
        fold_vertical(f, input, &shared)
    } else {
        fold_horizontal(f, input, &shared)
    }
    states
}
