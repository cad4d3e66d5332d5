//! Convolutions over few pixels by weights that were packed before: pixels are rows of the product and channels its columns, of which there are whole panels. The
//! bits are those of the direct sum.

use crate::implicit_gemm::{Windows, as_they_lie, distances};
use crate::padded::{Filters, Images, Layout, SLACK};
use crate::tiles::columns_turned;
use crate::{Done, Factor, Finish, Packed, Panels, Product, View, products};
use sconce_parallel::simd::{Job, Wide, run};
use sconce_parallel::{self as parallel, Sendable, scratch};
use sconce_schema::geometry::Frame;
use std::ops::Range;

/// Lines of windows that can be gathered at once.
const LINES: usize = 32;
/// Fewer rows are no matrix, and fewer columns no panels.
const LEAST: usize = 9;
/// Multiplications that it takes to turn an element of the windows or of the results.
const TURN: usize = 6;

/// Rows of tiles that so many rows are done by.
fn in_tiles(rows: usize) -> usize {
    rows / 12 * 12
        + match rows % 12 {
            0 => 0,
            1..=4 => 4,
            5..=8 => 8,
            _ => 12,
        }
}

/// Whether it pays, with weights that are packed, over channels in rows and pixels in panels.
pub fn takes(f: &Frame, groups: usize, channels: usize, rows: usize) -> bool {
    let (positions, k) = (f.positions(), channels * f.area());
    let lines = f[0].windows * f[1].windows;
    if groups != 1 || lines > LINES || positions < LEAST || rows < LEAST || k < LEAST {
        return false;
    }
    let direct = in_tiles(rows) * positions.next_multiple_of(16) * k;
    let turned = in_tiles(positions) * rows.next_multiple_of(16) * k + TURN * (k + rows) * positions;
    turned < direct
}

/// Convolves: as [`crate::implicit_gemm::convolve`], where [`takes`] was asked.
///
/// # Safety
/// As there; the panels are those of the weights, turned.
pub(crate) unsafe fn convolve(
    x: &Images<f32>,
    f: &Frame,
    filters: &Filters<'_, f32>,
    panels: Panels<f32>,
    out: *mut f32,
) {
    let Some(layout) = Layout::new(f) else { return };
    let (positions, k, rows) = (f.positions(), x.channels * f.area(), filters.rows);
    let plain = as_they_lie(x, f);
    // What a vector writes too much lies behind a row.
    let pitch = (positions + SLACK).next_multiple_of(16);
    let distances = distances(f, &layout, if plain { 0 } else { x.channels });
    let mut image = scratch::buffer::<f32>(if plain { 0 } else { x.channels * layout.channel() + SLACK });
    let mut windows = scratch::buffer::<f32>(if plain { 0 } else { k * pitch });
    let mut results = scratch::buffer::<f32>(positions * rows);
    let weights = Packed { view: View::new(filters.weights, 1, k as isize), panels: Some(panels) };
    let (start, finish) = (filters.bias.map(|b| View::new(b, 0, 1)), filters.finish);
    for batch in 0..x.batch {
        let a = if plain {
            View::new(x.data.wrapping_offset(batch as isize * x.strides[0]), 1, x.strides[1])
        } else {
            for (c, to) in image[..x.channels * layout.channel()].chunks_exact_mut(layout.channel()).enumerate() {
                // SAFETY: the channel exists.
                unsafe { x.pad(batch * x.channels + c, f, &layout, to) };
            }
            let to = Sendable(windows.as_mut_ptr());
            let from = Windows { image: image.as_ptr(), distances: &distances, frame: f, layout };
            parallel::split(k, (1usize << 16).div_ceil(positions), |k| {
                // SAFETY: the windows lie in the padded image; every element of a kernel has its own row.
                let to = unsafe { { &to }.0.add(k.start * pitch) };
                run(Gather { from, k, positions, pitch, to });
            });
            View::new(windows.as_ptr(), 1, pitch as isize)
        };
        let to = Sendable(out.wrapping_add(batch * rows * positions));
        let result = Sendable(results.as_mut_ptr());
        let turn = |done: Done<f32>| {
            let (to, at) = (&to, (done.out.addr() - { &result }.0.addr()) / size_of::<f32>());
            // Pixels are rows here, and columns of the result.
            let out = to.0.wrapping_add(at % rows * positions + at / rows);
            let turned = Done { out, out_row: positions, rows: done.columns, columns: done.rows };
            run(Turn { from: View::new(done.out.cast_const(), 1, done.out_row as isize), to: &turned });
            finish.inspect(|f| f.run(turned));
        };
        let product = |_: usize| {
            let p = Product { m: positions, n: rows, k, a, out: { &result }.0, out_row: rows, alpha: 1.0, start };
            (p, weights)
        };
        // SAFETY: the caller's promise; the results are written once before they are turned.
        unsafe { products(1, &product, Some(Finish::InPlace(&turn))) };
    }
}

/// Some elements of kernels, of which the pixels are gathered: a row for each.
struct Gather<'a> {
    from: Windows<'a, f32>,
    k: Range<usize>,
    positions: usize,
    pitch: usize,
    to: *mut f32,
}

impl Job<f32> for Gather<'_> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = f32>>(self) {
        // SAFETY: the caller's promise.
        unsafe { self.from.pack::<W>(self.k, 0, self.positions, self.pitch, self.to) };
    }
}

/// Results whose rows are pixels, to where channels are rows.
struct Turn<'a> {
    /// Channels are its rows.
    from: View<f32>,
    to: &'a Done<f32>,
}

impl Job<f32> for Turn<'_> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = f32>>(self) {
        let Done { out, out_row, rows, columns } = *self.to;
        // SAFETY: both have these rows and columns.
        unsafe { columns_turned::<W>(self.from, rows, columns, out, out_row) };
    }
}
