//! Products of f32 and f64 matrices that lie in memory with any strides, on all threads and in the widest vectors of the machine; and convolutions, which are such
//! products over windows ([`implicit_gemm`]) or over transformed tiles ([`winograd`]); maxima and averages over windows stand beside them ([`max_pool`],
//! [`avg_pool`], [`sliding_pool`]).
//!
//! An element of a result is the same whatever the number of threads, the width of vectors and the place of the tile that computes it: work is cut over rows and
//! columns only, and what is summed at once depends on the sizes alone. That is why this is here and no library is: a library chooses its blocks by threads and
//! processor, and sums in their order, so that what is interpreted, planned and compiled could only be close. `docs/decisions/matrix-products.md` weighs it.
//!
//! A product is done in one of four ways, chosen by its sizes and strides: tiles of packed panels; sums of products of rows, where the second factor stands turned
//! (as weights do); one row streamed through a matrix as it lies; and plain loops for what is smaller than any packing is worth. The second factor may be one that
//! is gathered while it is packed ([`Factor`]), as windows of a convolution are.
//!
//! `cargo run --release -p sconce-gemm --example speed` prints what each way reaches on one thread and on all.

pub mod avg_pool;
pub mod depthwise;
pub mod direct;
mod finish;
pub mod implicit_gemm;
mod lines;
pub mod max_pool;
pub mod padded;
mod panels;
pub mod sliding_pool;
mod tiles;
pub mod transposed;
mod window_vectors;
pub mod winograd;

use finish::unbounded;
pub use finish::{Added, Done, Epilogue, Finish};
pub use panels::{Packed, Panels};

use sconce_parallel::simd::{Job, Real, Wide, prefetch, run};
use sconce_parallel::{self as parallel, scratch};
use sconce_schema::geometry::product::ROWS_OF_DOTS;
use std::mem::MaybeUninit;
use std::ops::Range;
use tiles::{
    Ahead, Even, PACKED, PITCH, Packing, SPARE, Target, column_of_tiles, columns_turned, first_tile, pack_rows, panel,
    tallest,
};

/// A matrix in memory: element `(i, j)` lies at `data + i * row + j * column`.
#[derive(Clone, Copy)]
pub struct View<E> {
    pub data: *const E,
    pub row: isize,
    pub column: isize,
}

impl<E> View<E> {
    pub fn new(data: *const E, row: isize, column: isize) -> View<E> {
        View { data, row, column }
    }
    fn turned(self) -> View<E> {
        View { row: self.column, column: self.row, ..self }
    }
    /// The part that begins at an element.
    pub fn from(self, i: usize, j: usize) -> View<E> {
        View { data: self.data.wrapping_offset(i as isize * self.row + j as isize * self.column), ..self }
    }
}

/// `out = alpha * a b + start`, where `out` is `m` rows of `n` elements side by side, `out_row` apart, and `a` is `m` by `k`.
#[derive(Clone, Copy)]
pub struct Product<E> {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub a: View<E>,
    pub out: *mut E,
    pub out_row: usize,
    pub alpha: E,
    /// What the products are added to; it may be `out` itself. Its columns are side by side, or all the same.
    pub start: Option<View<E>>,
}

/// Elements of a vector of f32.
pub(crate) const LANES: usize = 16;
/// Results of about so many bytes are finished at once.
const NEAR: usize = 256 << 10;
/// Results of more bytes are written to memory that no second cache holds.
const FAR: usize = 1 << 20;

// SAFETY: pointers to numbers, which the creator of a product vouches for on every thread.
unsafe impl<E: Send> Send for Product<E> {}
// SAFETY: as above.
unsafe impl<E: Sync> Sync for Product<E> {}
// SAFETY: as above.
unsafe impl<E: Send> Send for View<E> {}
// SAFETY: as above.
unsafe impl<E: Sync> Sync for View<E> {}

/// The second factor: a matrix in memory, or one that is gathered while it is packed.
///
/// # Safety
/// `pack` writes what it says.
pub unsafe trait Factor<E>: Copy + Send + Sync {
    /// Writes rows `k` of columns `j..j + width` (at most one panel's) to rows of `panel` elements, zeros after the width. Elements after the last
    /// row may be written too, up to one panel.
    ///
    /// # Safety
    /// The columns and rows exist, and `to` has room for one row more.
    unsafe fn pack<W: Wide<E = E>>(&self, k: Range<usize>, j: usize, width: usize, panel: usize, to: *mut E);
    /// The matrix, when it lies in memory.
    fn view(&self) -> Option<View<E>> {
        None
    }
    /// The same matrix packed before, when it is.
    fn panels(&self) -> Option<Panels<E>> {
        None
    }
    /// Whether products are done in tiles, whatever their sizes.
    fn in_tiles(&self) -> bool {
        false
    }
}

/// No more is summed at once; [`tiles::PITCH`] has room for it.
const DEEPEST: usize = 288;
/// Rows of the first factor that are packed at once.
const TALL: usize = 96;
/// Columns that are packed at once, about.
const BROAD: usize = 512;
/// No more rows of the first factor are worth packing the second, when it lies row by row.
const LENT: usize = 24;

/// How `k` is cut: the same for everything that multiplies these matrices.
fn depth(k: usize) -> usize {
    let pieces = k.div_ceil(DEEPEST).max(1);
    k.div_ceil(pieces).next_multiple_of(8).min(DEEPEST)
}

// SAFETY: every element of the panel is written below.
unsafe impl<E: Real> Factor<E> for View<E> {
    #[inline(always)]
    unsafe fn pack<W: Wide<E = E>>(&self, k: Range<usize>, j: usize, width: usize, panel: usize, to: *mut E) {
        // SAFETY: the caller's promise.
        unsafe {
            let from = self.from(k.start, j);
            let depth = k.len();
            if self.column == 1 {
                for i in 0..depth {
                    let (row, to) = (from.data.offset(i as isize * from.row), to.add(i * panel));
                    if width == panel {
                        for c in (0..panel).step_by(W::N) {
                            W::load(row.add(c)).store(to.add(c));
                        }
                    } else {
                        for c in (0..panel).step_by(W::N) {
                            W::load_part(row.add(c.min(width)), width.saturating_sub(c).min(W::N)).store(to.add(c));
                        }
                    }
                }
                return;
            }
            columns_turned::<W>(from, depth, width, to, panel);
            for i in 0..depth {
                for c in width..panel {
                    *to.add(i * panel + c) = E::zero();
                }
            }
        }
    }
    fn view(&self) -> Option<View<E>> {
        Some(*self)
    }
}

/// Some rows and columns of a product, on one thread.
struct Part<'a, E, B> {
    p: &'a Product<E>,
    b: &'a B,
    packed: Option<Panels<E>>,
    rows: Range<usize>,
    columns: Range<usize>,
    /// Of the results.
    bounds: [E; 2],
}

impl<E: Real, B: Factor<E>> Job<E> for Part<'_, E, B> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = E>>(self) {
        let (p, panel) = (self.p, panel::<W>());
        let (rows, columns) = (self.rows.len(), self.columns.len());
        let depth = depth(p.k);
        let kept = self.packed.filter(|b| b.columns() == panel);
        // A matrix whose rows are read once or twice stays where it is, but for its last, partial panel.
        let near = self.b.view().filter(|v| v.column == 1 && rows <= LENT).map(|v| v.from(0, self.columns.start));
        let panels = columns.div_ceil(panel);
        let packed = match (kept, near) {
            (Some(_), _) => 0,
            (None, Some(_)) => usize::from(columns % panel != 0),
            (None, None) => panels,
        };
        // A whole panel that lies row by row is packed by the first tile which reads it.
        let as_it_lies = self.b.view().filter(|v| packed > 0 && near.is_none() && v.column == 1);
        let as_it_lies = as_it_lies.filter(|_| rows >= tallest::<W>()).map(|v| v.from(0, self.columns.start));
        let mut right = scratch::buffer::<E>(packed * depth * panel + panel);
        let mut left = scratch::buffer::<E>((rows.min(TALL) + SPARE) * PITCH);
        for first in (0..p.k).step_by(depth) {
            let k = first..p.k.min(first + depth);
            for q in panels - packed..panels {
                let width = (columns - q * panel).min(panel);
                if as_it_lies.is_some() && width == panel {
                    continue;
                }
                let to = right[(q - (panels - packed)) * depth * panel..].as_mut_ptr();
                // SAFETY: the buffer has a row more than the panels.
                unsafe { self.b.pack::<W>(k.clone(), self.columns.start + q * panel, width, panel, to) };
            }
            let far = p.m.saturating_mul(p.n).saturating_mul(size_of::<W::E>()) > FAR;
            for i in (0..rows).step_by(TALL) {
                let at = self.rows.start + i;
                let tall = (rows - i).min(TALL);
                // SAFETY: the views and `out` have these rows and columns by the product's promise.
                unsafe {
                    pack_rows::<W>(p.a.from(at, 0), tall, k.clone(), left.as_mut_ptr());
                    for q in 0..panels {
                        let j = self.columns.start + q * panel;
                        let out = p.out.add(at * p.out_row + j);
                        let before = View::new(out.cast_const(), p.out_row as isize, 1);
                        let mut t = Target {
                            out,
                            out_row: p.out_row,
                            alpha: p.alpha,
                            start: if first == 0 { p.start.map(|s| s.from(at, j)) } else { Some(before) },
                            rows: tall,
                            columns: columns - q * panel,
                            bounds: if k.end == p.k { self.bounds } else { unbounded() },
                            far,
                        };
                        let mut a = left.as_ptr();
                        if let Some(v) = as_it_lies.filter(|_| i == 0 && t.columns >= panel) {
                            let from = Even(v.from(k.start, q * panel).data, v.row);
                            let to = right[q * depth * panel..].as_mut_ptr();
                            first_tile::<W>(k.len(), a, Packing { from, to, panel }, &t);
                            let done = tallest::<W>();
                            a = a.add(done * PITCH);
                            t = t.below(done);
                        }
                        let b = match (kept, near) {
                            (Some(b), _) => Even(b.at(k.clone(), j), panel as isize),
                            (_, Some(v)) if q < panels - packed => Even(v.from(k.start, q * panel).data, v.row),
                            _ => {
                                let b = right[(q - (panels - packed)) * depth * panel..].as_ptr();
                                Even(b, panel as isize)
                            }
                        };
                        let next = match (kept, self.b.view()) {
                            (Some(kept), _) => Even(kept.at(k.clone(), j + panel), panel as isize),
                            (None, Some(v)) => Even(v.from(k.start, j + panel).data, v.row),
                            _ => b,
                        };
                        let b = Ahead { rows: b, next };
                        column_of_tiles::<W, PACKED>(k.len(), a, PITCH, b, t);
                    }
                }
            }
        }
    }
}

/// Few rows against the rows of a turned matrix: sums of products of rows.
struct Dots<'a, E> {
    p: &'a Product<E>,
    /// The second factor's columns, as rows.
    b: View<E>,
    columns: Range<usize>,
}

/// Elements of rows that are multiplied at once when there are several rows.
const STRETCH: usize = 1024;

impl<E: Real> Job<E> for Dots<'_, E> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = E>>(self) {
        let p = self.p;
        let stretch = if p.m == 1 { p.k } else { STRETCH };
        for first in (0..p.k).step_by(stretch) {
            let k = (p.k - first).min(stretch);
            let mut j = self.columns.start;
            while j < self.columns.end {
                let columns = self.columns.end - j;
                let mut i = 0;
                let wide = p.m == 1 && W::IN_REGISTERS;
                let step = if wide { 8 } else { 4 };
                // While rows are met again, those behind them come from a cache that is further away.
                let ahead = if p.m > 4 { step as isize * self.b.row } else { 0 };
                while i < p.m {
                    // SAFETY: the product's promise; places that do not exist are read from the last that does.
                    unsafe {
                        let a = p.a.from(i, first);
                        let b = self.b.from(j, first);
                        let t = Target {
                            out: p.out.add(i * p.out_row + j),
                            out_row: p.out_row,
                            alpha: p.alpha,
                            start: match first {
                                0 => p.start.map(|s| s.from(i, j)),
                                _ => Some(View::new(p.out.add(i * p.out_row + j), p.out_row as isize, 1)),
                            },
                            rows: p.m - i,
                            columns,
                            bounds: unbounded(),
                            far: false,
                        };
                        if wide {
                            dots::<W, 1, 8>(k, a, b, ahead, &t);
                            i += 1;
                        } else if !W::MANY {
                            dots::<W, 1, 4>(k, a, b, ahead, &t);
                            i += 1;
                        } else if matches!(t.rows, 1..=3 | 5 | 6 | 9 | 10 | 13) {
                            // One or two rows more than fours have no good company: threes do.
                            dots::<W, 3, 4>(k, a, b, ahead, &t);
                            i += 3;
                        } else {
                            dots::<W, 4, 4>(k, a, b, ahead, &t);
                            i += 4;
                        }
                    }
                }
                j += step;
            }
        }
    }
}

/// `R` rows of `a` with `C` rows of `b`, each pair multiplied and summed; of `b`, what lies so many elements ahead is fetched.
///
/// # Safety
/// The rows that the target says exist have `k` elements side by side.
#[inline(always)]
unsafe fn dots<W: Wide, const R: usize, const C: usize>(
    k: usize,
    a: View<W::E>,
    b: View<W::E>,
    ahead: isize,
    t: &Target<W::E>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let zero = W::splat(<W::E as num_traits::Zero>::zero());
        let x: [*const W::E; R] = std::array::from_fn(|r| a.from(r.min(t.rows - 1), 0).data);
        let y: [*const W::E; C] = std::array::from_fn(|c| b.from(c.min(t.columns - 1), 0).data);
        let mut sum = [[zero; C]; R];
        let whole = k / W::N * W::N;
        for i in (0..whole).step_by(W::N) {
            let x: [W; R] = std::array::from_fn(|r| W::load(x[r].add(i)));
            for c in 0..C {
                if R > 1 {
                    prefetch(y[c].wrapping_offset(ahead).wrapping_add(i));
                }
                let y = W::load(y[c].add(i));
                for r in 0..R {
                    sum[r][c] = x[r].fma(y, sum[r][c]);
                }
            }
        }
        if whole < k {
            let x: [W; R] = std::array::from_fn(|r| W::load_part(x[r].add(whole), k - whole));
            for c in 0..C {
                let y = W::load_part(y[c].add(whole), k - whole);
                for r in 0..R {
                    sum[r][c] = x[r].fma(y, sum[r][c]);
                }
            }
        }
        let one = <W::E as num_traits::One>::one();
        for (r, sum) in sum.iter().enumerate().take(t.rows) {
            for c in (0..C).step_by(4) {
                let mut totals = W::totals(std::array::from_fn(|i| sum[c + i]));
                let out = t.out.add(r * t.out_row + c);
                let start = t.start.map(|s| s.from(r, c));
                if c + 4 <= t.columns && t.alpha == one && start.is_none_or(|s| s.column == 1) {
                    // Side by side, as four at once.
                    if let Some(s) = start {
                        let start = s.data.cast::<[W::E; 4]>().read_unaligned();
                        for (total, start) in totals.iter_mut().zip(start) {
                            *total = *total + start;
                        }
                    }
                    out.cast::<[W::E; 4]>().write_unaligned(totals);
                    continue;
                }
                for (i, total) in totals.into_iter().enumerate().take(t.columns.saturating_sub(c)) {
                    let start =
                        start.map_or(<W::E as num_traits::Zero>::zero(), |s| *s.data.offset(i as isize * s.column));
                    *out.add(i) = total * t.alpha + start;
                }
            }
        }
    }
}

/// One row against a large matrix: rows of the matrix are read as they lie, eight at once.
struct Streamed<'a, E> {
    p: &'a Product<E>,
    b: View<E>,
    columns: Range<usize>,
}

impl<E: Real> Job<E> for Streamed<'_, E> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = E>>(self) {
        let p = self.p;
        let n = self.columns.len();
        // SAFETY: the product's promise.
        unsafe {
            let a = |i: usize| *p.a.from(0, i).data * p.alpha;
            let out = p.out.add(self.columns.start);
            let sums = |k: usize, rows: usize| {
                let b = self.b.from(k, self.columns.start);
                for j in (0..n).step_by(W::N) {
                    let left = n - j;
                    let part = |p: *const E| W::load_left(p, left);
                    let mut sum = match (k, &p.start) {
                        (0, None) => W::splat(E::zero()),
                        (0, Some(s)) if s.column == 0 => W::splat(*s.data),
                        (0, Some(s)) => part(s.data.add(self.columns.start + j)),
                        _ => part(out.add(j)),
                    };
                    if rows == 8 {
                        for r in 0..8 {
                            sum = W::splat(a(k + r)).fma(part(b.data.offset(r as isize * b.row).add(j)), sum);
                        }
                    } else {
                        for r in 0..rows {
                            sum = W::splat(a(k + r)).fma(part(b.data.offset(r as isize * b.row).add(j)), sum);
                        }
                    }
                    sum.store_left(out.add(j), left);
                }
            };
            for k in (0..p.k).step_by(8) {
                sums(k, (p.k - k).min(8));
            }
        }
    }
}

/// Multiplications of a product that is too small to be cut or packed.
const MOST_SMALL: usize = 512;

/// A product too small for anything but its own loops.
struct Small<'a, E> {
    p: &'a Product<E>,
    b: View<E>,
}

impl<E: Real> Job<E> for Small<'_, E> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = E>>(self) {
        let p = self.p;
        let mut rows = [MaybeUninit::<E>::uninit(); MOST_SMALL];
        // SAFETY: the product's promise; the second factor has no more elements than there are multiplications.
        unsafe {
            let b = match self.b.column {
                1 => self.b,
                // Once for all rows of the first factor.
                _ => {
                    for (k, row) in rows.chunks_exact_mut(p.n).take(p.k).enumerate() {
                        for (j, element) in row.iter_mut().enumerate() {
                            element.write(*self.b.from(k, j).data);
                        }
                    }
                    View::new(rows.as_ptr().cast::<E>(), p.n as isize, 1)
                }
            };
            for i in 0..p.m {
                for j in (0..p.n).step_by(W::N) {
                    let width = (p.n - j).min(W::N);
                    let mut sum = W::splat(E::zero());
                    for k in 0..p.k {
                        let v = W::load_part(b.from(k, j).data, width);
                        sum = W::splat(*p.a.from(i, k).data).fma(v, sum);
                    }
                    let alpha = W::splat(p.alpha);
                    let value = match &p.start {
                        None => sum.mul(alpha),
                        Some(s) if s.column == 0 => sum.fma(alpha, W::splat(*s.from(i, 0).data)),
                        Some(s) => sum.fma(alpha, W::load_part(s.from(i, j).data, width)),
                    };
                    value.store_part(p.out.add(i * p.out_row + j), width);
                }
            }
        }
    }
}

/// How much work is worth a thread: multiplications, about 20 µs of them.
const GRAIN: usize = 1 << 20;

/// How much is worth a piece of its own, cut for whoever comes to take it.
const PIECE: usize = GRAIN / 4;

/// Rows that a piece has at least where its columns are packed, which costs each piece as much however many rows it has.
const ROWS: usize = 128;

/// How a product is done.
enum Way<E> {
    Small(View<E>),
    Dots(View<E>),
    Streamed(View<E>),
    Tiled,
}

fn way<E: Real, B: Factor<E>>(p: &Product<E>, b: &B) -> Way<E> {
    let Some(v) = b.view().filter(|_| !b.in_tiles()) else { return Way::Tiled };
    if p.m.saturating_mul(p.n).saturating_mul(p.k) <= MOST_SMALL {
        return Way::Small(v);
    }
    if v.row == 1 && (p.a.column == 1 || p.m == 1 && p.k == 1) && p.k >= 48 && p.m <= ROWS_OF_DOTS {
        return Way::Dots(v.turned());
    }
    if p.m == 1 && v.column == 1 {
        return Way::Streamed(v);
    }
    Way::Tiled
}

/// Whether the product reads its second factor in panels, so that it gains by one that was packed before.
pub fn reads_panels<E: Real>(p: &Product<E>, b: &View<E>) -> bool {
    p.m > LENT && p.n > 1 && matches!(way(p, b), Way::Tiled)
}

/// Floats whose products are compiled here, once for all crates that multiply.
pub trait Multiplied: Real {
    /// Some rows and columns of a product whose second factor lies in memory, in one of the ways; where that is by tiles, between bounds.
    ///
    /// # Safety
    /// As for [`product`]; the rows and columns exist, and what is packed is the same factor.
    unsafe fn part(p: &Product<Self>, b: &Packed<Self>, rows: Range<usize>, columns: Range<usize>, bounds: [Self; 2]);
}

macro_rules! multiplied {
    ($($t:ty),*) => { $(
        impl Multiplied for $t {
            unsafe fn part(
                p: &Product<$t>,
                b: &Packed<$t>,
                rows: Range<usize>,
                columns: Range<usize>,
                bounds: [$t; 2],
            ) {
                match way(p, b) {
                    Way::Small(b) => run(Small { p, b }),
                    Way::Dots(b) => run(Dots { p, b, columns }),
                    Way::Streamed(b) => run(Streamed { p, b, columns }),
                    Way::Tiled => run(Part { p, b: &b.view, packed: b.panels, rows, columns, bounds }),
                }
            }
        }
    )* };
}
multiplied!(f32, f64);

/// `out = alpha * a b + start` on as many threads as it is worth.
///
/// # Safety
/// The pointers and strides of the product and of `b` reach what they say, `out` is written by nobody else, and it overlaps neither factor.
pub unsafe fn product<E: Multiplied, B: Factor<E>>(p: &Product<E>, b: &B) {
    // SAFETY: one product, that of the caller.
    unsafe { products(1, &|_| (*p, *b), None) }
}

/// The same for many products of equal sizes, whose results are finished.
///
/// # Safety
/// As for [`product`], for each of them; results do not overlap.
pub unsafe fn products<E: Multiplied, B: Factor<E>>(
    count: usize,
    f: &(dyn Fn(usize) -> (Product<E>, B) + Sync),
    finish: Option<Finish<'_, E>>,
) {
    if count == 0 {
        return;
    }
    let (p, b) = turned(f(0));
    if p.m == 0 || p.n == 0 {
        return;
    }
    if p.k == 0 {
        for i in 0..count {
            let (p, _) = f(i);
            // SAFETY: the caller's promise.
            unsafe { untouched(&p) };
            finish.inspect(|f| f.run(Done { out: p.out, out_row: p.out_row, rows: p.m, columns: p.n }));
        }
        return;
    }
    let work = p.m.saturating_mul(p.n).saturating_mul(p.k);
    // A matrix that is only streamed through is worth more threads than its products are.
    let work = if p.m <= 2 { work.saturating_mul(8) } else { work };
    let way_of = |p: &Product<E>, b: &Either<E, B>| match b {
        Either::Turned(v) => way(p, v),
        Either::Given(b) => way(p, b),
    };
    let threads = parallel::threads();
    let wanted = if threads < 2 { 1 } else { (4 * threads).div_ceil(count).min(work.div_ceil(PIECE)) };
    let tiled = matches!(way_of(&p, &b), Way::Tiled);
    // Columns come in whole panels of every width of vector.
    let pieces = wanted.max(if tiled { p.n.div_ceil(BROAD) } else { 1 });
    // Tiles finish their results themselves, where they can.
    let bounds = finish.filter(|_| tiled).and_then(|f| f.bounds());
    let finish = finish.filter(|_| bounds.is_none());
    let bounds = bounds.unwrap_or(unbounded());
    let near = if finish.is_some() { p.m.saturating_mul(p.n).saturating_mul(size_of::<E>()).div_ceil(NEAR) } else { 1 };
    let pieces = pieces.max(near);
    let wide_from = |least: usize| p.n.div_ceil(pieces).next_multiple_of(32).max(least);
    let wide = wide_from(if p.m > 48 { 128 } else { 32 });
    // Pieces of the same columns each pack them, so that few rows are rather cut into narrow columns.
    let wide = if p.n.div_ceil(wide) * (p.m / ROWS).max(1) < wanted { wide_from(32) } else { wide };
    let across = p.n.div_ceil(wide);
    let tall = match across {
        n if tiled && n < wanted => p.m.div_ceil(wanted / n).max(ROWS).next_multiple_of(12),
        _ => p.m,
    };
    let down = p.m.div_ceil(tall);
    let each = across * down;
    parallel::split(count * each, GRAIN.div_ceil((work / each).max(1)), |range| {
        for i in range {
            let (p, b) = turned(f(i / each));
            let (down, across) = (i % each / across * tall, i % across * wide);
            let (rows, columns) = (down..p.m.min(down + tall), across..p.n.min(across + wide));
            let out = p.out.wrapping_add(rows.start * p.out_row + columns.start);
            let done = Done { out, out_row: p.out_row, rows: rows.len(), columns: columns.len() };
            // SAFETY: the caller's promise; parts do not overlap.
            unsafe {
                match &b {
                    Either::Turned(view) => {
                        E::part(&p, &Packed { view: *view, panels: None, in_tiles: false }, rows, columns, bounds)
                    }
                    Either::Given(b) => match b.view() {
                        Some(view) => {
                            let b = Packed { view, panels: b.panels(), in_tiles: b.in_tiles() };
                            E::part(&p, &b, rows, columns, bounds)
                        }
                        None => run(Part { p: &p, b, packed: None, rows, columns, bounds }),
                    },
                }
            }
            finish.inspect(|f| f.run(done));
        }
    });
}

/// The second factor, or the first one in its place.
enum Either<E, B> {
    Turned(View<E>),
    Given(B),
}

/// A product with a single column is one with a single row.
fn turned<E: Real, B: Factor<E>>((p, b): (Product<E>, B)) -> (Product<E>, Either<E, B>) {
    match b.view() {
        Some(v)
            if p.n == 1
                && p.m > 1
                && !b.in_tiles()
                && p.out_row == 1
                && p.start.is_none_or(|s| s.row == 0 || s.row == 1) =>
        {
            let start = p.start.map(View::turned);
            (Product { m: 1, n: p.m, a: v.turned(), start, ..p }, Either::Turned(p.a.turned()))
        }
        _ => (p, Either::Given(b)),
    }
}

/// A product over nothing.
unsafe fn untouched<E: Real>(p: &Product<E>) {
    for i in 0..p.m {
        for j in 0..p.n {
            // SAFETY: the caller's promise.
            unsafe {
                *p.out.add(i * p.out_row + j) = p.start.map_or(E::zero(), |s| *s.from(i, j).data);
            }
        }
    }
}
