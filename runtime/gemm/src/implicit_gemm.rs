//! Convolutions of f32 and f64 as products of kernels and of windows, which are gathered from padded images ([`crate::padded`]) while they are packed.

use crate::padded::{Filters, Images, Layout, Ready, SLACK, strided};
use crate::{Done, Factor, Finish, Multiplied, Product, View, few_pixels, products};
use sconce_parallel::simd::{Job, Real, Wide, run};
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

/// Whether windows are pixels, which lie side by side.
pub(crate) fn as_they_lie<E>(x: &Images<E>, f: &Frame) -> bool {
    let pixels = f.each(|a| a.image);
    let plain = f.area() == 1 && f.0.iter().all(|a| a.stride == 1 && a.padding == 0 && a.windows == a.image);
    let packed = [(pixels[1] * pixels[2]) as isize, pixels[2] as isize, 1];
    plain && (0..3).all(|d| pixels[d] == 1 || x.strides[d + 2] == packed[d])
}

/// Groups with at most so many results a channel are computed without packing.
const FEW: usize = 8;

/// Convolves: `out` has the filters' rows as channels, row-major.
///
/// # Safety
/// The pointers reach what the sizes say, no size is 0, and [`fits`](crate::padded::fits) has been asked.
pub unsafe fn convolve(x: &Images<f32>, f: &Frame, filters: &Filters<'_, f32>, out: *mut f32) {
    // SAFETY: the caller's promise.
    unsafe {
        match filters.ready {
            Ready::Panels(panels) => few_pixels::convolve(x, f, filters, panels, out),
            _ => convolve_any(x, f, filters, out),
        }
    }
}

/// The same in f64.
///
/// # Safety
/// As for [`convolve`].
pub unsafe fn convolve_f64(x: &Images<f64>, f: &Frame, filters: &Filters<'_, f64>, out: *mut f64) {
    // SAFETY: the caller's promise.
    unsafe { convolve_any(x, f, filters, out) };
}

/// The same in either type. Not for other crates: each would compile its own.
///
/// # Safety
/// As for [`convolve`].
unsafe fn convolve_any<E: Multiplied>(x: &Images<E>, f: &Frame, filters: &Filters<'_, E>, out: *mut E) {
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
    if area == 1 && f.0.iter().all(|a| a.padding == 0) {
        // SAFETY: the caller's promise.
        unsafe { one_pixel(x, f, &product, finish) };
        return;
    }
    let Some(layout) = Layout::new(f) else { return };
    let distances = distances(f, &layout, x.channels);
    let channel = layout.channel();
    // SAFETY: the channel exists.
    let pad = |index: usize, to: &mut [E]| unsafe { x.pad(index, f, &layout, to) };
    if rows <= FEW && x.channels <= 16 {
        let (work, distances) = (rows * positions * k + channel * x.channels, &*distances);
        parallel::split(units, (1usize << 20).div_ceil(work.max(1)), |range| {
            let mut image = scratch::buffer::<E>(x.channels * channel + SLACK);
            for unit in range {
                for (c, to) in image[..x.channels * channel].chunks_exact_mut(channel).enumerate() {
                    pad(unit * x.channels + c, to);
                }
                let starts = |line: usize| layout.line_start(f, line);
                let job = Lines {
                    p: product(unit),
                    image: image.as_ptr(),
                    distances,
                    starts: &starts,
                    lines: f[1].windows,
                    planes: f[0].windows,
                    columns: f[2].windows,
                    line: f[1].stride * layout.line,
                };
                let done = Done { out: job.p.out, out_row: positions, rows, columns: positions };
                // SAFETY: the padded image and the result have these windows.
                unsafe { lines(job) };
                finish.inspect(|f| f.run(done));
            }
        });
        return;
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
    let step = f[2].stride as isize * x.strides[4];
    for first in (0..units).step_by(at_once) {
        let n = at_once.min(units - first);
        parallel::split(n * x.channels, (1usize << 16).div_ceil(positions), |range| {
            let base = &base;
            for c in range {
                let (image, channel) = x.channel(first * x.channels + c);
                // SAFETY: every channel has its own part of the buffer; windows lie in the image.
                unsafe {
                    let to = std::slice::from_raw_parts_mut(base.0.add(c * positions), positions);
                    for (line, to) in to.chunks_exact_mut(f[2].windows).enumerate() {
                        let places = [line / f[1].windows * f[0].stride, line % f[1].windows * f[1].stride];
                        let at = places[0] as isize * x.strides[2] + places[1] as isize * x.strides[3];
                        strided(x.data.offset(image + channel + at), step, to);
                    }
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

/// A few channels of a convolution: lines of windows of a padded image, of which every kernel element meets a run.
struct Lines<'a, E, S> {
    /// The first factor has a row per channel, without gaps between rows; the result's rows are channels.
    p: Product<E>,
    image: *const E,
    /// Where kernel elements stand from a window's beginning.
    distances: &'a [usize],
    /// Where a line of windows begins.
    starts: &'a S,
    lines: usize,
    planes: usize,
    /// Windows of a line.
    columns: usize,
    /// From one line to the next.
    line: usize,
}

/// # Safety
/// The image has these windows, and may be read a vector beyond them; the result has a row of them per channel.
unsafe fn lines<E: Real, S: Fn(usize) -> usize>(job: Lines<'_, E, S>) {
    run(job);
}

impl<E: Real, S: Fn(usize) -> usize> Job<E> for Lines<'_, E, S> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = E>>(self) {
        for plane in 0..self.planes {
            let mut line = 0;
            while line < self.lines {
                let at = plane * self.lines + line;
                let start = (self.starts)(at);
                // Short lines are done several at once.
                if self.columns <= W::N {
                    let n = (self.lines - line).min(4);
                    let t = Spread {
                        at: at * self.columns,
                        start,
                        step: self.line,
                        to: self.columns,
                        n,
                        last: self.columns,
                    };
                    // SAFETY: the caller's promise.
                    unsafe { self.channels::<W>(&t) };
                    line += n;
                    continue;
                }
                for column in (0..self.columns).step_by(4 * W::N) {
                    let left = self.columns - column;
                    let t = Spread {
                        at: at * self.columns + column,
                        start: start + column,
                        step: W::N,
                        to: W::N,
                        n: left.div_ceil(W::N).min(4),
                        last: if left >= 4 * W::N { W::N } else { (left - 1) % W::N + 1 },
                    };
                    // SAFETY: the caller's promise.
                    unsafe { self.channels::<W>(&t) };
                }
                line += 1;
            }
        }
    }
}

/// Up to four vectors of windows: where they begin in the result and in the image, and how far apart they are in both.
struct Spread {
    at: usize,
    start: usize,
    step: usize,
    to: usize,
    n: usize,
    /// Elements of the last; short lines have as many in each.
    last: usize,
}

impl<E: Real, S: Fn(usize) -> usize> Lines<'_, E, S> {
    /// # Safety
    /// As for [`lines`].
    #[inline(always)]
    unsafe fn channels<W: Wide<E = E>>(&self, t: &Spread) {
        let mut row = 0;
        while row < self.p.m {
            let left = self.p.m - row;
            // SAFETY: the caller's promise.
            unsafe {
                row += match (t.n, left) {
                    // More code makes nothing faster.
                    _ if !W::IN_REGISTERS => (self.spread::<W, 1, 4>(row, t), 1).1,
                    (3.., 4..) if W::MANY => (self.spread::<W, 4, 4>(row, t), 4).1,
                    (3.., _) => (self.spread::<W, 1, 4>(row, t), 1).1,
                    (2, 4..) => (self.spread::<W, 4, 2>(row, t), 4).1,
                    (1, 4..) => (self.spread::<W, 4, 1>(row, t), 4).1,
                    _ => (self.spread::<W, 1, 2>(row, t), 1).1,
                };
            }
        }
    }

    /// `R` channels of `C` vectors.
    ///
    /// # Safety
    /// As for [`lines`].
    #[inline(always)]
    unsafe fn spread<W: Wide<E = E>, const R: usize, const C: usize>(&self, row: usize, t: &Spread) {
        // SAFETY: the caller's promise; a vector that does not exist is read where the last one is.
        unsafe {
            let (k, a) = (self.p.k, self.p.a.from(row, 0).data);
            let from: [*const E; C] = std::array::from_fn(|c| self.image.add(t.start + c.min(t.n - 1) * t.step));
            let mut sum = [[W::splat(E::zero()); C]; R];
            for (i, d) in self.distances.iter().enumerate() {
                let v: [W; C] = std::array::from_fn(|c| W::load(from[c].add(*d)));
                for (r, sum) in sum.iter_mut().enumerate() {
                    let x = W::splat(*a.add(r * k + i));
                    for (sum, v) in sum.iter_mut().zip(v) {
                        *sum = x.fma(v, *sum);
                    }
                }
            }
            for (r, sum) in sum.iter().enumerate() {
                let start = self.p.start.map_or(E::zero(), |s| *s.from(row + r, 0).data);
                for (c, sum) in sum.iter().enumerate().take(t.n) {
                    let width = if t.to < W::N || c + 1 == t.n { t.last } else { W::N };
                    let out = self.p.out.add((row + r) * self.p.out_row + t.at + c * t.to);
                    let value = sum.add(W::splat(start));
                    value.store_left(out, width);
                }
            }
        }
    }
}

/// The adjoint: every kernel element of every window is added to where it came from. `x` holds the windows' values.
///
/// # Safety
/// As for [`convolve`]; the pixels of `x` are side by side.
pub unsafe fn convolve_transposed<E: Multiplied>(x: &Images<E>, f: &Frame, filters: &Filters<'_, E>, out: *mut E) {
    let &Filters { weights, bias, rows, finish, .. } = filters;
    let (area, positions, pixels) = (f.area(), f.positions(), f.pixels());
    let mut columns = scratch::buffer::<E>(rows * area * positions);
    let (out, bias) = (Sendable(out), bias.map(|b| View::new(b, 1, 0)));
    for unit in 0..x.batch * x.groups {
        let (b, g) = (unit / x.groups, unit % x.groups);
        let at = b as isize * x.strides[0] + (g * x.channels) as isize * x.strides[1];
        let width = (rows * area) as isize;
        // SAFETY: the caller's promise.
        unsafe {
            let p = Product {
                m: rows * area,
                n: positions,
                k: x.channels,
                a: View::new(weights.add(g * x.channels * rows * area), 1, width),
                out: columns.as_mut_ptr(),
                out_row: positions,
                alpha: E::one(),
                start: None,
            };
            crate::product(&p, &View::new(x.data.offset(at), x.strides[1], 1));
        }
        let columns = &*columns;
        parallel::split(rows, (1usize << 16).div_ceil(area * positions), |range| {
            let out = &out;
            for c in range {
                // SAFETY: every channel of the result is its own piece of it; the bias has an element for it.
                let (image, first) = unsafe {
                    let image = std::slice::from_raw_parts_mut(out.0.add((unit * rows + c) * pixels), pixels);
                    (image, bias.map_or(E::zero(), |b| *b.from(g * rows + c, 0).data))
                };
                image.fill(E::zero());
                for (element, values) in
                    columns[c * area * positions..][..area * positions].chunks_exact(positions).enumerate()
                {
                    fold(image, values, f, element);
                }
                if first != E::zero() {
                    image.iter_mut().for_each(|v| *v = *v + first);
                }
                let out = image.as_mut_ptr();
                finish.inspect(|f| f.run(Done { out, out_row: pixels, rows: 1, columns: pixels }));
            }
        });
    }
}

/// Adds the values of all windows' element to the pixels they stand over.
fn fold<E: Real>(image: &mut [E], values: &[E], f: &Frame, element: usize) {
    let s = f[2].stride;
    for_each_run(f, element, |windows, first| {
        let values = &values[windows];
        if s == 1 {
            image[first..first + values.len()].iter_mut().zip(values).for_each(|(p, v)| *p = *p + *v);
        } else {
            image[first..].iter_mut().step_by(s).zip(values).for_each(|(p, v)| *p = *p + *v);
        }
    });
}

/// Calls `visit` with the windows whose element of this number lies on the image, as runs within lines, and with the pixel that the first of them has there: the
/// next ones are a stride apart.
#[inline(always)]
pub fn for_each_run(f: &Frame, element: usize, mut visit: impl FnMut(Range<usize>, usize)) {
    let [_, rows, columns] = f.each(|a| a.kernel);
    let k = [element / (rows * columns), element / columns % rows, element % columns];
    let run = f[2].windows_of(k[2]);
    if run.is_empty() {
        return;
    }
    for line in 0..f[0].windows * f[1].windows {
        let places = (f[0].on_image(line / f[1].windows, k[0]), f[1].on_image(line % f[1].windows, k[1]));
        let (Some(z), Some(y)) = places else { continue };
        let at = line * f[2].windows;
        visit(at + run.start..at + run.end, (z * f[1].image + y) * f[2].image + f[2].place(run.start, k[2]));
    }
}
