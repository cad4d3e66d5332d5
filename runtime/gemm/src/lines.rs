//! Convolutions of few channels: a line of windows of a padded image meets every kernel element in a run of memory, and is summed as it lies. The bits are the same
//! for every number of threads and width of vectors.

use crate::finish::unbounded;
use crate::implicit_gemm::{STORE, distances};
use crate::padded::{Images, Layout, SLACK};
use crate::{Done, Finish, LANES, Multiplied, Product};
use sconce_parallel::simd::{Job, Real, Wide, run};
use sconce_parallel::{self as parallel, scratch};
use sconce_schema::geometry::Frame;

/// Images of no more channels stay in the nearest cache while their lines are read for all results.
const CHANNELS: usize = 16;
/// A part of a padded image has about so many elements.
const NEAR: usize = 16 << 10;

/// Steps that it takes: products of a vector with a number; more than there are for what is not done so.
pub(crate) fn steps(f: &Frame, channels: usize, rows: usize) -> usize {
    if channels > CHANNELS {
        return usize::MAX;
    }
    let vectors = f[0].windows * f[1].windows * f[2].windows.div_ceil(LANES);
    let steps = rows * vectors * (channels * f.area() + STORE);
    steps + steps / 10
}

/// Lines of windows that are computed from one part of the image.
fn height(f: &Frame, channels: usize) -> Option<usize> {
    let all = f[1].windows;
    if f[0].windows * f[0].kernel != 1 {
        return Some(all);
    }
    let line = Layout::new(f)?.line * channels;
    let spread = (f[1].kernel - 1) * f[1].dilation + 1;
    Some((NEAR / line).saturating_sub(spread) / f[1].stride).map(|n| n.clamp(4, all.max(4)).min(all))
}

/// Convolves: as [`crate::implicit_gemm::convolve`]; `product` is that of a group of an image.
///
/// # Safety
/// As there.
pub(crate) unsafe fn convolve<E: Multiplied>(
    x: &Images<E>,
    f: &Frame,
    product: &(impl Fn(usize) -> Product<E> + Sync),
    finish: Option<Finish<'_, E>>,
) {
    let Some(height) = height(f, x.channels) else { return };
    let mut part = *f;
    part.0[1].windows = height;
    let Some(layout) = Layout::new(&part) else { return };
    let (distances, channel) = (distances(&part, &layout, x.channels), layout.channel());
    let (all, columns) = (f[1].windows, f[2].windows);
    let (parts, first) = (all.div_ceil(height), product(0));
    let work = first.m * first.n * first.k / parts + channel * x.channels;
    let starts = |line: usize| layout.line_start(&part, line);
    let bounds = finish.and_then(|f| f.bounds());
    let finish = finish.filter(|_| bounds.is_none());
    parallel::split(x.batch * x.groups * parts, (1usize << 20).div_ceil(work), |range| {
        let mut image = scratch::buffer::<E>(x.channels * channel + SLACK);
        for i in range {
            let (unit, line) = (i / parts, i % parts * height);
            for (c, to) in image[..x.channels * channel].chunks_exact_mut(channel).enumerate() {
                // SAFETY: the channel exists.
                unsafe { x.pad(unit * x.channels + c, f, &layout, line * f[1].stride, to) };
            }
            let (p, lines) = (product(unit), height.min(all - line));
            let p = Product { out: p.out.wrapping_add(line * columns), ..p };
            let done = Done { out: p.out, out_row: p.out_row, rows: p.m, columns: f[0].windows * lines * columns };
            // SAFETY: the padded part and the result have these windows.
            run(Lines {
                p,
                image: image.as_ptr(),
                distances: &distances,
                starts: &starts,
                lines,
                planes: f[0].windows,
                columns,
                line: f[1].stride * layout.line,
                bounds: bounds.unwrap_or(unbounded()),
            });
            finish.inspect(|f| f.run(done));
        }
    });
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
    /// Of results.
    bounds: [E; 2],
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
    /// As for [`convolve`].
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
                    (4.., 4..) if W::MANY => (self.spread::<W, 4, 4>(row, t), 4).1,
                    (3, 8..) if W::MANY && W::N == LANES => (self.spread::<W, 8, 3>(row, t), 8).1,
                    (3, 4..) if W::MANY => (self.spread::<W, 4, 4>(row, t), 4).1,
                    (3.., _) => (self.spread::<W, 1, 4>(row, t), 1).1,
                    // A single vector is read twice: loads take as long as the sums then.
                    (_, 4..) => (self.spread::<W, 4, 2>(row, t), 4).1,
                    _ => (self.spread::<W, 1, 2>(row, t), 1).1,
                };
            }
        }
    }

    /// `R` channels of `C` vectors.
    ///
    /// # Safety
    /// As for [`convolve`].
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
            let [low, high] = [W::splat(self.bounds[0]), W::splat(self.bounds[1])];
            for (r, sum) in sum.iter().enumerate() {
                let start = self.p.start.map_or(E::zero(), |s| *s.from(row + r, 0).data);
                for (c, sum) in sum.iter().enumerate().take(t.n) {
                    let width = if t.to < W::N || c + 1 == t.n { t.last } else { W::N };
                    let out = self.p.out.add((row + r) * self.p.out_row + t.at + c * t.to);
                    let value = sum.add(W::splat(start));
                    // Of f64 nobody bounds them.
                    let value = if size_of::<E>() == 4 { value.clamp(low, high) } else { value };
                    value.store_left(out, width);
                }
            }
        }
    }
}
