//! Tiles of a product, whose results stay in registers while their rows and columns are summed, and the packing of what they read.

use crate::View;
use sconce_parallel::simd::{Real, Wide, prefetch};
use std::mem::MaybeUninit;
use std::ops::Range;

/// Rows of the first factor are packed this many elements apart; so no more than these many (less one vector) are summed at once.
pub(crate) const PITCH: usize = 304;
/// Rows behind the last that a tile may read.
pub(crate) const SPARE: usize = 12;
/// Products that are summed at once for which it pays to ask for the results' memory before.
const ASKED_FOR: usize = 64;
/// Panels between the results of a short sum and those that are asked for meanwhile.
const BESIDE: usize = 3;

/// Where the rows of a panel of the second factor begin.
pub(crate) trait Rows<E>: Copy {
    /// # Safety
    /// The row exists.
    unsafe fn at(&self, i: usize) -> *const E;
    /// Told of what was read at a column of a row.
    ///
    /// # Safety
    /// As above; the processor has this vector's features.
    #[inline(always)]
    unsafe fn read<W: Wide<E = E>>(&self, _i: usize, _column: usize, _v: W) {}
}

#[derive(Clone, Copy)]
pub(crate) struct Even<E>(pub *const E, pub isize);
impl<E: Copy> Rows<E> for Even<E> {
    #[inline(always)]
    unsafe fn at(&self, i: usize) -> *const E {
        // SAFETY: the caller's promise.
        unsafe { self.0.offset(i as isize * self.1) }
    }
}

/// Rows that are in a cache; as each is read, a row of others is asked for, which are read next.
#[derive(Clone, Copy)]
pub(crate) struct Ahead<E> {
    pub rows: Even<E>,
    pub next: Even<E>,
}
impl<E: Real> Rows<E> for Ahead<E> {
    #[inline(always)]
    unsafe fn at(&self, i: usize) -> *const E {
        // SAFETY: the caller's promise.
        unsafe { self.rows.at(i) }
    }
    #[inline(always)]
    unsafe fn read<W: Wide<E = E>>(&self, i: usize, column: usize, _v: W) {
        if W::MANY {
            prefetch(self.next.0.wrapping_offset(i as isize * self.next.1 + column as isize));
        }
    }
}

/// Rows as they lie, packed by the first tile that reads them: its products hide the stores.
#[derive(Clone, Copy)]
pub(crate) struct Packing<E> {
    pub from: Even<E>,
    pub to: *mut E,
    pub panel: usize,
}
impl<E: Real> Rows<E> for Packing<E> {
    #[inline(always)]
    unsafe fn at(&self, i: usize) -> *const E {
        // SAFETY: the caller's promise.
        unsafe { self.from.at(i) }
    }
    #[inline(always)]
    unsafe fn read<W: Wide<E = E>>(&self, i: usize, column: usize, v: W) {
        // SAFETY: the panel has a place for each element of the rows.
        unsafe { v.store(self.to.add(i * self.panel + column)) };
    }
}

/// Where a tile's results go, and what they are added to.
#[derive(Clone, Copy)]
pub(crate) struct Target<E> {
    pub out: *mut E,
    pub out_row: usize,
    pub alpha: E,
    pub start: Option<View<E>>,
    /// Rows and columns that exist; the tile may be larger.
    pub rows: usize,
    pub columns: usize,
    /// Bounds of results that are complete with these products.
    pub bounds: [E; 2],
    /// The whole result is more than a second cache keeps.
    pub far: bool,
}

impl<E: Copy> Target<E> {
    /// Without the first rows.
    #[inline(always)]
    pub fn below(&self, rows: usize) -> Target<E> {
        let start = self.start.map(|s| s.from(rows, 0));
        Target { out: self.out.wrapping_add(rows * self.out_row), start, rows: self.rows - rows, ..*self }
    }
}

/// The first factor's rows are in a cache: they were packed just now.
pub(crate) const PACKED: bool = false;
/// They are in memory: those of the next tile are asked for while one is at work.
pub(crate) const STREAMED: bool = true;

/// Elements that [`STREAMED`] rows are asked for at once: a line of memory.
const LINE: usize = 16;

/// `R` rows by `C` vectors of a result. `a` lies in rows `pitch` apart, of which even those that do not exist can be read.
///
/// # Safety
/// Pointers reach `k` elements of each row.
#[inline(always)]
unsafe fn tile<W: Wide, const STREAMED: bool, const R: usize, const C: usize>(
    k: usize,
    a: *const W::E,
    pitch: usize,
    b: impl Rows<W::E>,
    t: &Target<W::E>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        // The results' lines are far away, and needed when nothing is left to do meanwhile; with a short sum so soon that those of a later tile are asked for.
        let asked = if k >= ASKED_FOR { Some(0) } else { t.far.then_some(BESIDE * C * W::N) };
        if let Some(beside) = asked.filter(|_| W::IN_REGISTERS) {
            for r in 0..R.min(t.rows) {
                (0..C).for_each(|c| prefetch(t.out.wrapping_add(r * t.out_row + beside + c * W::N)));
            }
        }
        let mut sum = [[W::splat(<W::E as num_traits::Zero>::zero()); C]; R];
        for i in 0..k {
            if STREAMED && i % LINE == 0 {
                (R..2 * R).for_each(|r| prefetch(a.wrapping_add(r * pitch + i)));
            }
            let row = b.at(i);
            let v: [W; C] = std::array::from_fn(|c| W::load(row.add(c * W::N)));
            for (c, v) in v.iter().enumerate() {
                b.read(i, c * W::N, *v);
            }
            for (r, sum) in sum.iter_mut().enumerate() {
                let x = W::splat(*a.add(r * pitch + i));
                for (sum, v) in sum.iter_mut().zip(v) {
                    *sum = x.fma(v, *sum);
                }
            }
        }
        let mut done = [MaybeUninit::<[W; C]>::uninit(); R];
        for (done, sum) in done.iter_mut().zip(sum) {
            done.write(sum);
        }
        let alpha = W::splat(t.alpha);
        let [low, high] = [W::splat(t.bounds[0]), W::splat(t.bounds[1])];
        for (r, sum) in done.iter().enumerate().take(t.rows) {
            let sum = sum.assume_init_ref();
            for (c, sum) in sum.iter().enumerate() {
                let at = c * W::N;
                let Some(left) = t.columns.checked_sub(at).filter(|n| *n > 0) else { break };
                let out = t.out.add(r * t.out_row + at);
                let value = match &t.start {
                    None => sum.mul(alpha),
                    Some(s) => {
                        let from = s.data.offset(r as isize * s.row);
                        let start = match s.column {
                            0 => W::splat(*from),
                            _ => W::load_left(from.add(at), left),
                        };
                        sum.fma(alpha, start)
                    }
                };
                value.clamp(low, high).store_left(out, left);
            }
        }
    }
}

/// All rows of a block, which lie `pitch` apart, against one panel of columns.
///
/// # Safety
/// As for [`tile`]; [`SPARE`] rows behind the last can be read.
#[inline(always)]
pub(crate) unsafe fn column_of_tiles<W: Wide, const STREAMED: bool>(
    k: usize,
    a: *const W::E,
    pitch: usize,
    b: impl Rows<W::E>,
    t: Target<W::E>,
) {
    let mut i = 0;
    while i < t.rows {
        let left = t.rows - i;
        // SAFETY: the caller's promise; rows beyond the last are readable.
        unsafe {
            let t = t.below(i);
            let a = a.add(i * pitch);
            let narrow = t.columns <= W::N;
            i += if W::MANY {
                match (left, narrow) {
                    // Two tiles of eight are faster than one of twelve and one of four.
                    (13..=16, false) => (tile::<W, STREAMED, 8, 2>(k, a, pitch, b, &t), 8).1,
                    (13..=16, true) => (tile::<W, STREAMED, 8, 1>(k, a, pitch, b, &t), 8).1,
                    (9.., false) => (tile::<W, STREAMED, 12, 2>(k, a, pitch, b, &t), 12).1,
                    (9.., true) => (tile::<W, STREAMED, 12, 1>(k, a, pitch, b, &t), 12).1,
                    (5.., false) => (tile::<W, STREAMED, 8, 2>(k, a, pitch, b, &t), 8).1,
                    (5.., true) => (tile::<W, STREAMED, 8, 1>(k, a, pitch, b, &t), 8).1,
                    (_, false) => (tile::<W, STREAMED, 4, 2>(k, a, pitch, b, &t), 4).1,
                    (_, true) => (tile::<W, STREAMED, 4, 1>(k, a, pitch, b, &t), 4).1,
                }
            } else if left > 3 && W::IN_REGISTERS {
                (tile::<W, STREAMED, 6, 1>(k, a, pitch, b, &t), 6).1
            } else {
                (tile::<W, STREAMED, 3, 1>(k, a, pitch, b, &t), 3).1
            };
        }
    }
}

/// Rows of tiles that so many rows are done by, in the widest vectors.
pub(crate) fn in_tiles(rows: usize) -> usize {
    rows / 12 * 12
        + match rows % 12 {
            0 => 0,
            1..=4 => 4,
            5..=8 => 8,
            _ => 12,
        }
}

/// Rows of the largest tile.
#[inline(always)]
pub(crate) fn tallest<W: Wide>() -> usize {
    match (W::MANY, W::IN_REGISTERS) {
        (true, _) => 12,
        (_, true) => 6,
        _ => 3,
    }
}

/// The first rows of a block by the largest tile, which does more with the panel than to read it.
///
/// # Safety
/// As for [`tile`]; the panel is whole, and there are rows enough.
#[inline(always)]
pub(crate) unsafe fn first_tile<W: Wide>(k: usize, a: *const W::E, b: impl Rows<W::E>, t: &Target<W::E>) {
    // SAFETY: the caller's promise.
    unsafe {
        match (W::MANY, W::IN_REGISTERS) {
            (true, _) => tile::<W, PACKED, 12, 2>(k, a, PITCH, b, t),
            (_, true) => tile::<W, PACKED, 6, 1>(k, a, PITCH, b, t),
            _ => tile::<W, PACKED, 3, 1>(k, a, PITCH, b, t),
        }
    }
}

/// Columns of one panel.
#[inline(always)]
pub(crate) fn panel<W: Wide>() -> usize {
    if W::MANY { 2 * W::N } else { W::N }
}

/// The first factor's rows side by side, `PITCH` apart.
///
/// # Safety
/// The rows and columns exist; `to` has room for them.
#[inline(always)]
pub(crate) unsafe fn pack_rows<W: Wide>(a: View<W::E>, rows: usize, k: Range<usize>, to: *mut W::E) {
    // SAFETY: the caller's promise.
    unsafe {
        let from = a.from(0, k.start);
        let depth = k.len();
        if a.column == 1 {
            for i in 0..rows {
                let (from, to) = (from.data.offset(i as isize * a.row), to.add(i * PITCH));
                let whole = depth / W::N * W::N;
                for c in (0..whole).step_by(W::N) {
                    W::load(from.add(c)).store(to.add(c));
                }
                if whole < depth {
                    W::load_part(from.add(whole), depth - whole).store(to.add(whole));
                }
            }
            return;
        }
        columns_turned::<W>(from, rows, depth, to, PITCH);
    }
}

/// Copies a part of a matrix to rows `pitch` apart. Where its columns are in memory order, blocks are turned.
///
/// # Safety
/// The rows and columns exist; `to` has room for them; the processor has this vector's features.
#[inline(always)]
pub(crate) unsafe fn columns_turned<W: Wide>(
    from: View<W::E>,
    rows: usize,
    columns: usize,
    to: *mut W::E,
    pitch: usize,
) {
    let (tall, wide) = match from.row {
        1 => (rows / W::BLOCK * W::BLOCK, columns / W::BLOCK * W::BLOCK),
        _ => (0, 0),
    };
    // SAFETY: the caller's promise.
    unsafe {
        for c in (0..wide).step_by(W::BLOCK) {
            for i in (0..tall).step_by(W::BLOCK) {
                let at = from.data.offset(i as isize + c as isize * from.column);
                W::transpose(at, from.column as usize, to.add(i * pitch + c), pitch);
            }
        }
        for i in 0..rows {
            for c in if i < tall { wide } else { 0 }..columns {
                *to.add(i * pitch + c) = *from.data.offset(i as isize * from.row + c as isize * from.column);
            }
        }
    }
}
