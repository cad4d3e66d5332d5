//! Convolutions of f32 and f64 as products of kernels and of windows, which are gathered from padded images ([`crate::padded`]) while they are packed.

use crate::padded::{Filters, Images, Layout, Ready, SLACK, strided};
use crate::tiles::in_tiles;
use crate::{Factor, Finish, LANES, Multiplied, Panels, Product, View, direct, lines, products};
use sconce_parallel::simd::{Real, Wide};
use sconce_parallel::{self as parallel, Sendable, scratch};
use sconce_schema::geometry::Frame;
use std::ops::Range;

/// Padded images that are made at once have about so many bytes.
const AT_ONCE: usize = 4 << 20;

/// For every kernel element of every channel its distance from a window's beginning.
pub(crate) fn distances(f: &Frame, l: &Layout, channels: usize) -> scratch::Scratch<usize> {
    let mut out = scratch::buffer::<usize>(channels * f.area());
    let mut next = out.iter_mut();
    for c in 0..channels {
        for z in 0..f[0].kernel {
            for y in 0..f[1].kernel {
                for x in 0..f[2].kernel {
                    let line = (c * l.planes + z * f[0].dilation) * l.lines + y * f[1].dilation;
                    let column = x * f[2].dilation;
                    if let Some(o) = next.next() {
                        *o = line * l.line + column % f[2].stride * l.share + column / f[2].stride;
                    }
                }
            }
        }
    }
    out
}

/// The windows of a padded image as the second factor of a product: a row per kernel element, a column per window.
#[derive(Clone, Copy)]
pub(crate) struct Windows<'a, E> {
    pub image: *const E,
    pub distances: &'a [usize],
    pub frame: &'a Frame,
    pub layout: Layout,
}

// SAFETY: a pointer to numbers that are only read.
unsafe impl<E: Send> Send for Windows<'_, E> {}
// SAFETY: as above.
unsafe impl<E: Sync> Sync for Windows<'_, E> {}

// SAFETY: runs of a panel follow one another; what a run writes too much is written again by the next, or lies in the row kept free.
unsafe impl<E: Real> Factor<E> for Windows<'_, E> {
    #[inline(always)]
    unsafe fn pack<W: Wide<E = E>>(&self, k: Range<usize>, j: usize, width: usize, panel: usize, to: *mut E) {
        // Runs: where they begin in the image and in the panel, and their vectors.
        let mut runs = [(0usize, 0usize, 0usize); 32];
        let (mut used, mut at) = (0, 0);
        while at < width {
            let (line, column) = ((j + at) / self.frame[2].windows, (j + at) % self.frame[2].windows);
            let n = (self.frame[2].windows - column).min(width - at);
            runs[used] = (self.layout.line_start(self.frame, line) + column, at, n.div_ceil(W::N));
            used += 1;
            at += n;
        }
        let distances = &self.distances[k];
        // SAFETY: windows lie in the padded image, behind which there is slack.
        unsafe {
            if let [(from, 0, n)] = runs[..used]
                && n * W::N == panel
            {
                for (i, d) in distances.iter().enumerate() {
                    let (from, to) = (self.image.add(from + d), to.add(i * panel));
                    for c in (0..panel).step_by(W::N) {
                        W::load(from.add(c)).store(to.add(c));
                    }
                }
                return;
            }
            for (i, d) in distances.iter().enumerate() {
                let (from, to) = (self.image.add(*d), to.add(i * panel));
                for (start, place, n) in &runs[..used] {
                    for c in 0..*n {
                        W::load(from.add(start + c * W::N)).store(to.add(place + c * W::N));
                    }
                }
            }
        }
    }
}

/// Whether every window is one pixel.
pub(crate) fn is_of_pixels(f: &Frame) -> bool {
    f.area() == 1 && f.0.iter().all(|a| a.padding == 0)
}

/// Whether windows are pixels, which lie side by side.
pub(crate) fn as_they_lie<E>(x: &Images<E>, f: &Frame) -> bool {
    let pixels = f.each(|a| a.image);
    let plain = is_of_pixels(f) && f.0.iter().all(|a| a.stride == 1 && a.windows == a.image);
    let packed = [(pixels[1] * pixels[2]) as isize, pixels[2] as isize, 1];
    plain && (0..3).all(|d| pixels[d] == 1 || x.strides[d + 2] == packed[d])
}

/// Steps that it takes by a product: of a vector with a number, and to gather the windows.
pub(crate) fn steps(f: &Frame, channels: usize, rows: usize) -> usize {
    let (vectors, k) = (f.positions().div_ceil(LANES), channels * f.area());
    let gathered = if f.area() == 1 { 0 } else { GATHER * vectors * k };
    in_tiles(rows) * vectors * (k + STORE) + gathered
}

/// Steps that it takes to gather a vector of windows, and to write one of results.
const GATHER: usize = 15;
pub(crate) const STORE: usize = 4;

/// Convolves: `out` has the filters' rows as channels, row-major.
///
/// # Safety
/// The pointers reach what the sizes say, no size is 0, and [`fits`](crate::padded::fits) has been asked.
pub unsafe fn convolve(x: &Images<f32>, f: &Frame, filters: &Filters<'_, f32>, out: *mut f32) {
    // SAFETY: the caller's promise.
    unsafe {
        if !direct::takes(f, x.groups, x.channels, filters.rows) {
            return by_windows(x, f, filters, out);
        }
        match filters.ready {
            Ready::Panels(panels) if direct::reads(&panels) => direct::convolve(x, f, filters, panels, out),
            _ if direct::has_code() => {
                let (k, n) = (x.channels * f.area(), filters.rows);
                let mut memory = scratch::buffer::<f32>(Panels::<f32>::elements(k, n).unwrap_or(0));
                let panels = Panels::pack(View::new(filters.weights, 1, k as isize), k, n, memory.as_mut_ptr());
                direct::convolve(x, f, filters, panels, out);
            }
            // The same bits.
            _ => by_product(x, f, filters, out, false),
        }
    }
}

/// The same in f64.
///
/// # Safety
/// As for [`convolve`].
pub unsafe fn convolve_f64(x: &Images<f64>, f: &Frame, filters: &Filters<'_, f64>, out: *mut f64) {
    // SAFETY: the caller's promise.
    unsafe { by_windows(x, f, filters, out) };
}

/// The same in either type, without [`direct`].
///
/// # Safety
/// As for [`convolve`].
pub unsafe fn by_windows<E: Multiplied>(x: &Images<E>, f: &Frame, filters: &Filters<'_, E>, out: *mut E) {
    // SAFETY: the caller's promise.
    unsafe { by_product(x, f, filters, out, true) };
}

/// As products; of few channels line by line instead, where that may be.
///
/// # Safety
/// As for [`convolve`].
unsafe fn by_product<E: Multiplied>(
    x: &Images<E>,
    f: &Frame,
    filters: &Filters<'_, E>,
    out: *mut E,
    line_by_line: bool,
) {
    let &Filters { weights, bias, rows, finish, .. } = filters;
    let (area, positions) = (f.area(), f.positions());
    let k = x.channels * area;
    let (weights, out) = (View::new(weights, k as isize, 1), View::new(out.cast_const(), positions as isize, 1));
    let units = x.batch * x.groups;
    let bias = bias.map(|b| View::new(b, 1, 0));
    let product = |unit: usize| {
        let group = unit % x.groups;
        Product {
            m: rows,
            n: positions,
            k,
            a: weights.from(group * rows, 0),
            out: out.from(unit * rows, 0).data.cast_mut(),
            out_row: positions,
            alpha: E::one(),
            start: bias.map(|b| b.from(group * rows, 0)),
        }
    };
    if rows > 4 && as_they_lie(x, f) {
        // Pixels side by side are the second factor as they lie.
        // SAFETY: the caller's promise.
        unsafe {
            products(
                units,
                &|unit| {
                    let (b, g) = (unit / x.groups, unit % x.groups);
                    let at = b as isize * x.strides[0] + (g * x.channels) as isize * x.strides[1];
                    (product(unit), View::new(x.data.offset(at), x.strides[1], 1))
                },
                finish,
            );
        }
        return;
    }
    if is_of_pixels(f) {
        // SAFETY: the caller's promise.
        unsafe { one_pixel(x, f, &product, finish) };
        return;
    }
    let Some(layout) = Layout::new(f) else { return };
    let distances = distances(f, &layout, x.channels);
    let channel = layout.channel();
    // SAFETY: the channel exists.
    let pad = |index: usize, to: &mut [E]| unsafe { x.pad(index, f, &layout, 0, to) };
    if line_by_line && lines::steps(f, x.channels, rows) <= steps(f, x.channels, rows) {
        // SAFETY: the caller's promise.
        return unsafe { lines::convolve(x, f, &product, finish) };
    }
    let size = x.channels * channel;
    let at_once = (AT_ONCE / (size * size_of::<E>()).max(1)).clamp(1, units);
    let mut images = scratch::buffer::<E>(at_once * size + SLACK);
    for first in (0..units).step_by(at_once) {
        let n = at_once.min(units - first);
        let base = Sendable(images.as_mut_ptr());
        parallel::split(n * x.channels, (1usize << 17).div_ceil(channel), |range| {
            let base = &base;
            for c in range {
                // SAFETY: every channel has its own part of the buffer.
                pad(first * x.channels + c, unsafe {
                    std::slice::from_raw_parts_mut(base.0.add(c * channel), channel)
                });
            }
        });
        let (base, distances) = (Sendable(images.as_mut_ptr()), &*distances);
        // SAFETY: the padded images are complete.
        unsafe {
            products(
                n,
                &|i| {
                    let base = &base;
                    (
                        product(first + i),
                        Windows { image: base.0.add(i * size).cast_const(), distances, frame: f, layout },
                    )
                },
                finish,
            );
        }
    }
}

/// Windows of one pixel each: those pixels are gathered, and are a factor as they lie then.
///
/// # Safety
/// As for [`convolve`]; there is no padding.
unsafe fn one_pixel<E: Multiplied>(
    x: &Images<E>,
    f: &Frame,
    product: &(impl Fn(usize) -> Product<E> + Sync),
    finish: Option<Finish<'_, E>>,
) {
    let (units, positions) = (x.batch * x.groups, f.positions());
    let size = x.channels * positions;
    let at_once = (AT_ONCE / (size * size_of::<E>()).max(1)).clamp(1, units);
    let mut gathered = scratch::buffer::<E>(at_once * size);
    let base = Sendable(gathered.as_mut_ptr());
    for first in (0..units).step_by(at_once) {
        let n = at_once.min(units - first);
        parallel::split(n * x.channels, (1usize << 16).div_ceil(positions), |range| {
            let base = &base;
            for c in range {
                // SAFETY: every channel has its own part of the buffer.
                unsafe {
                    let to = std::slice::from_raw_parts_mut(base.0.add(c * positions), positions);
                    pixels_of(x, first * x.channels + c, f, to);
                }
            }
        });
        // SAFETY: the pixels are complete.
        unsafe {
            products(
                n,
                &|i| {
                    let base = &base;
                    let from = base.0.add(i * size).cast_const();
                    (product(first + i), View::new(from, positions as isize, 1))
                },
                finish,
            );
        }
    }
}

/// Writes the pixels of a channel, counted through all images, that windows of one pixel each meet.
///
/// # Safety
/// There is such a channel, and `to` has a place for each window; there is no padding.
pub(crate) unsafe fn pixels_of<E: Real>(x: &Images<E>, index: usize, f: &Frame, to: &mut [E]) {
    let (image, channel) = x.channel(index);
    for (line, to) in to.chunks_exact_mut(f[2].windows).enumerate() {
        let places = [line / f[1].windows * f[0].stride, line % f[1].windows * f[1].stride];
        let at = places[0] as isize * x.strides[2] + places[1] as isize * x.strides[3];
        // SAFETY: windows lie in the image.
        unsafe { strided(x.data.offset(image + channel + at), f[2].stride as isize * x.strides[4], to) };
    }
}
