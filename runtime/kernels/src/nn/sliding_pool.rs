//! Maxima and averages over sliding windows of contiguous channels, a line of windows at a time: each window meets its elements in row-major order.

use crate::engine::parallel::Sendable;
use crate::engine::vectorize::vectorize_widest;
use crate::engine::{parallel, scratch};
use std::ops::Range;

/// Windows over a channel, always in three dimensions: missing ones have one element and one window.
#[derive(Clone, Copy)]
pub(crate) struct Windows {
    pub image: [usize; 3],
    pub kernel: [usize; 3],
    pub stride: [usize; 3],
    pub padding: [usize; 3],
    pub dilation: [usize; 3],
    pub windows: [usize; 3],
}

impl Windows {
    /// The kernel elements of window `w` that meet the image.
    #[inline(always)]
    fn elements(&self, d: usize, w: usize) -> Range<usize> {
        let (start, step) = (w * self.stride[d], self.dilation[d]);
        let first = self.padding[d].saturating_sub(start).div_ceil(step);
        let last = (self.image[d] + self.padding[d]).saturating_sub(start).div_ceil(step).min(self.kernel[d]);
        first..last.max(first)
    }
    /// The windows of a line that kernel element `k` meets the image with.
    #[inline(always)]
    fn line(&self, k: usize) -> Range<usize> {
        let (ahead, step) = (k * self.dilation[2], self.stride[2]);
        let first = self.padding[2].saturating_sub(ahead).div_ceil(step).min(self.windows[2]);
        let last = (self.image[2] + self.padding[2]).saturating_sub(ahead).div_ceil(step).min(self.windows[2]);
        first..last.max(first)
    }
    fn pixels(&self) -> usize {
        self.image.iter().product()
    }
    fn positions(&self) -> usize {
        self.windows.iter().product()
    }
    /// Calls `f` with each line of windows: its number, and its two outer windows.
    #[inline(always)]
    fn for_each_line(&self, mut f: impl FnMut(usize, usize, usize)) {
        for z in 0..self.windows[0] {
            for y in 0..self.windows[1] {
                f(z * self.windows[1] + y, z, y);
            }
        }
    }
    /// Calls `f` for every kernel element with the windows of the line that it meets, and where the first of them meets it.
    #[inline(always)]
    fn for_each_element(&self, z: usize, y: usize, mut f: impl FnMut(Range<usize>, usize)) {
        for kz in self.elements(0, z) {
            for ky in self.elements(1, y) {
                let plane = z * self.stride[0] + kz * self.dilation[0] - self.padding[0];
                let row = plane * self.image[1] + y * self.stride[1] + ky * self.dilation[1] - self.padding[1];
                for kx in 0..self.kernel[2] {
                    let line = self.line(kx);
                    if !line.is_empty() {
                        let column = line.start * self.stride[2] + kx * self.dilation[2] - self.padding[2];
                        f(line, row * self.image[2] + column);
                    }
                }
            }
        }
    }
    /// Pieces of work by channel, about 20 µs each.
    fn grain(&self) -> usize {
        (1usize << 17).div_ceil((self.positions() * self.kernel.iter().product::<usize>()).max(1))
    }
}

/// Element `i` of every `step`, with the usual steps known to the compiler.
macro_rules! stepped {
    ($step:expr, $s:ident => $body:expr) => {
        match $step {
            1 => {
                let $s = 1usize;
                $body
            }
            2 => {
                let $s = 2usize;
                $body
            }
            $s => $body,
        }
    };
}

/// The largest element of each window, and with `at` where it stands in its channel: the first of equals; NaN wins.
pub(crate) fn largest<T>(x: &[T], w: &Windows, lowest: T, out: &mut [T], mut at: Option<&mut [i64]>)
where
    T: Copy + PartialOrd + Send + Sync,
{
    let (pixels, positions) = (w.pixels(), w.positions());
    assert!(x.len() * positions == out.len() * pixels && at.as_ref().is_none_or(|a| a.len() == out.len()));
    let channels = out.len() / positions.max(1);
    let (out, at) = (Sendable(out.as_mut_ptr()), at.as_mut().map(|a| Sendable(a.as_mut_ptr())));
    parallel::split(channels, w.grain(), |range| {
        let (out, at) = (&out, &at);
        vectorize_widest(
            #[inline(always)]
            || {
                for c in range {
                    let channel = &x[c * pixels..(c + 1) * pixels];
                    w.for_each_line(|line, z, y| {
                        let begin = c * positions + line * w.windows[2];
                        // SAFETY: every line of every channel is its own piece of the results.
                        let best = unsafe { std::slice::from_raw_parts_mut(out.0.add(begin), w.windows[2]) };
                        best.fill(lowest);
                        let Some(at) = at else {
                            w.for_each_element(z, y, |line, first| {
                                let best = &mut best[line];
                                stepped!(w.stride[2], s => {
                                    let from = &channel[first..first + (best.len() - 1) * s + 1];
                                    for (i, b) in best.iter_mut().enumerate() {
                                        // SAFETY: the slice was cut for these.
                                        let v = unsafe { *from.get_unchecked(i * s) };
                                        #[allow(clippy::eq_op, reason = "NaN is what differs from itself")]
                                        let wins = v > *b || v != v;
                                        *b = if wins { v } else { *b };
                                    }
                                });
                            });
                            return;
                        };
                        // SAFETY: as above.
                        let places = unsafe { std::slice::from_raw_parts_mut(at.0.add(begin), w.windows[2]) };
                        let first = |d: usize, i: usize| {
                            (i * w.stride[d] + w.elements(d, i).start * w.dilation[d]).saturating_sub(w.padding[d])
                        };
                        let row = (first(0, z) * w.image[1] + first(1, y)) * w.image[2];
                        places.iter_mut().enumerate().for_each(|(i, p)| *p = (row + first(2, i)) as i64);
                        w.for_each_element(z, y, |line, first| {
                            let (best, places) = (&mut best[line.clone()], &mut places[line]);
                            stepped!(w.stride[2], s => {
                                let from = &channel[first..first + (best.len() - 1) * s + 1];
                                for (i, (b, p)) in best.iter_mut().zip(places).enumerate() {
                                    // SAFETY: the slice was cut for these.
                                    let v = unsafe { *from.get_unchecked(i * s) };
                                    #[allow(clippy::eq_op, reason = "NaN is what differs from itself")]
                                    let wins = v > *b || v != v;
                                    *b = if wins { v } else { *b };
                                    *p = if wins { (first + i * s) as i64 } else { *p };
                                }
                            });
                        });
                    });
                }
            },
        );
    });
}

/// Divisors of averages.
#[derive(Clone, Copy)]
pub(crate) enum Divisor {
    Given(i64),
    WithPadding,
    Inside,
}

/// The average of each window; 0 where it meets nothing.
pub(crate) fn averages<T: crate::engine::simd::Real>(x: &[T], w: &Windows, divisor: Divisor, out: &mut [T]) {
    let (pixels, positions) = (w.pixels(), w.positions());
    assert!(x.len() * positions == out.len() * pixels);
    let channels = out.len() / positions.max(1);
    let out = Sendable(out.as_mut_ptr());
    // How many elements each window has in each dimension.
    let counts = |d: usize| {
        let mut list = scratch::buffer::<usize>(w.windows[d]);
        for (i, n) in list.iter_mut().enumerate() {
            *n = match divisor {
                Divisor::Given(_) => 1,
                Divisor::Inside => w.elements(d, i).len(),
                Divisor::WithPadding => {
                    let start = i * w.stride[d];
                    (start + w.kernel[d]).min(w.image[d] + 2 * w.padding[d]).saturating_sub(start)
                }
            };
        }
        list
    };
    let (planes, lines, columns) = (counts(0), counts(1), counts(2));
    let (planes, lines, columns) = (&*planes, &*lines, &*columns);
    parallel::split(channels, w.grain(), |range| {
        let out = &out;
        vectorize_widest(
            #[inline(always)]
            || {
                for c in range {
                    let channel = &x[c * pixels..(c + 1) * pixels];
                    w.for_each_line(|line, z, y| {
                        let begin = c * positions + line * w.windows[2];
                        // SAFETY: every line of every channel is its own piece of the result.
                        let sums = unsafe { std::slice::from_raw_parts_mut(out.0.add(begin), w.windows[2]) };
                        sums.fill(T::zero());
                        w.for_each_element(z, y, |line, first| {
                            let sums = &mut sums[line];
                            stepped!(w.stride[2], s => {
                                let from = &channel[first..first + (sums.len() - 1) * s + 1];
                                for (i, sum) in sums.iter_mut().enumerate() {
                                    // SAFETY: the slice was cut for these.
                                    *sum = *sum + unsafe { *from.get_unchecked(i * s) };
                                }
                            });
                        });
                        let outer = planes[z] * lines[y];
                        for (sum, n) in sums.iter_mut().zip(columns) {
                            let by = if let Divisor::Given(d) = divisor { d as f64 } else { (outer * n) as f64 };
                            // A window that meets nothing has the sum 0.
                            let by = if by == 0.0 && !matches!(divisor, Divisor::Given(_)) { 1.0 } else { by };
                            *sum = *sum / <T as num_traits::NumCast>::from(by).unwrap_or(T::one());
                        }
                    });
                }
            },
        );
    });
}

/// The sum of a run in f64, in one fixed order.
#[inline(always)]
fn total<T: crate::engine::simd::Real>(x: &[T]) -> f64 {
    let mut sums = [0f64; 8];
    let wide = |v: &T| <f64 as num_traits::NumCast>::from(*v).unwrap_or(f64::NAN);
    let mut chunks = x.chunks_exact(8);
    for chunk in &mut chunks {
        for (s, v) in sums.iter_mut().zip(chunk) {
            *s += wide(v);
        }
    }
    for (s, v) in sums.iter_mut().zip(chunks.remainder()) {
        *s += wide(v);
    }
    ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))
}

/// The average of each part of an image that is cut evenly into `windows` parts (which may overlap by one).
pub(crate) fn even_averages<T: crate::engine::simd::Real>(
    x: &[T],
    image: [usize; 3],
    windows: [usize; 3],
    out: &mut [T],
) {
    let (pixels, positions): (usize, usize) = (image.iter().product(), windows.iter().product());
    assert!(x.len() * positions == out.len() * pixels);
    let channels = out.len() / positions.max(1);
    let span = |d: usize, i: usize| i * image[d] / windows[d]..((i + 1) * image[d]).div_ceil(windows[d]);
    let out = Sendable(out.as_mut_ptr());
    parallel::split(channels, (1usize << 16).div_ceil(pixels.max(1)), |range| {
        let out = &out;
        vectorize_widest(
            #[inline(always)]
            || {
                for c in range {
                    let channel = &x[c * pixels..(c + 1) * pixels];
                    for i in 0..positions {
                        let (zs, ys) = (span(0, i / windows[2] / windows[1]), span(1, i / windows[2] % windows[1]));
                        let xs = span(2, i % windows[2]);
                        let mut sum = 0.0;
                        let n = zs.len() * ys.len() * xs.len();
                        for z in zs {
                            let line = |y: usize| (z * image[1] + y) * image[2];
                            if xs.len() == image[2] {
                                // Whole lines follow one another.
                                sum += total(&channel[line(ys.start)..line(ys.end)]);
                                continue;
                            }
                            for y in ys.clone() {
                                sum += total(&channel[line(y) + xs.start..line(y) + xs.end]);
                            }
                        }
                        // SAFETY: every window of every channel is its own element of the result.
                        unsafe {
                            *out.0.add(c * positions + i) =
                                <T as num_traits::NumCast>::from(sum / n as f64).unwrap_or(T::nan());
                        }
                    }
                }
            },
        );
    });
}
