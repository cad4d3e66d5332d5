//! Maxima over sliding windows with their places, a line of windows at a time, and averages and maxima of parts: each window meets its elements in row-major order.

use sconce_parallel::simd::Real;
use sconce_parallel::vectorize::vectorize_widest;
use sconce_parallel::{self as parallel, Sendable};
use sconce_schema::geometry::{Frame, part};
use std::ops::Range;

/// Calls `f` with each line of windows: its number, and its two outer windows.
#[inline(always)]
fn for_each_line(w: &Frame, mut f: impl FnMut(usize, usize, usize)) {
    for z in 0..w[0].windows {
        for y in 0..w[1].windows {
            f(z * w[1].windows + y, z, y);
        }
    }
}

/// Calls `f` for every kernel element with the windows of the line that it meets, and where the first of them meets it.
#[inline(always)]
fn for_each_element(w: &Frame, z: usize, y: usize, mut f: impl FnMut(Range<usize>, usize)) {
    for kz in w[0].elements(z) {
        for ky in w[1].elements(y) {
            let row = w[0].place(z, kz) * w[1].image + w[1].place(y, ky);
            for kx in w[2].met() {
                let line = w[2].windows_of(kx);
                if !line.is_empty() {
                    let column = w[2].place(line.start, kx);
                    f(line, row * w[2].image + column);
                }
            }
        }
    }
}

/// Pieces of work by channel, about 20 µs each.
fn grain(w: &Frame) -> usize {
    (1usize << 17).div_ceil(w.positions().saturating_mul(w.area()).max(1))
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

/// The largest element of each window, and where it stands in its channel: the first of equals; NaN wins (`torch.nn.functional.max_pool2d` and its siblings with
/// `return_indices`). `x` is channels one behind the other, each row-major of [`Frame::pixels`] elements; `out` and `at` are the same of [`Frame::positions`].
/// A window that meets nothing has `lowest`.
///
/// # Panics
/// When there are not as many elements as the frame asks for.
pub fn largest<T>(x: &[T], w: &Frame, lowest: T, out: &mut [T], at: &mut [i64])
where
    T: Copy + PartialOrd + Send + Sync,
{
    let (pixels, positions) = (w.pixels(), w.positions());
    assert!(x.len() * positions == out.len() * pixels && at.len() == out.len());
    let channels = out.len() / positions.max(1);
    let (out, at) = (Sendable(out.as_mut_ptr()), Sendable(at.as_mut_ptr()));
    parallel::split(channels, grain(w), |range| {
        let (out, at) = (&out, &at);
        vectorize_widest(
            #[inline(always)]
            || {
                for c in range {
                    let channel = &x[c * pixels..(c + 1) * pixels];
                    for_each_line(w, |line, z, y| {
                        let begin = c * positions + line * w[2].windows;
                        // SAFETY: every line of every channel is its own piece of the results.
                        let best = unsafe { std::slice::from_raw_parts_mut(out.0.add(begin), w[2].windows) };
                        best.fill(lowest);
                        // SAFETY: as above.
                        let places = unsafe { std::slice::from_raw_parts_mut(at.0.add(begin), w[2].windows) };
                        let first = |d: usize, i: usize| {
                            (i * w[d].stride + w[d].elements(i).start * w[d].dilation).saturating_sub(w[d].padding)
                        };
                        let row = (first(0, z) * w[1].image + first(1, y)) * w[2].image;
                        places.iter_mut().enumerate().for_each(|(i, p)| *p = (row + first(2, i)) as i64);
                        for_each_element(w, z, y, |line, first| {
                            let (best, places) = (&mut best[line.clone()], &mut places[line]);
                            stepped!(w[2].stride, s => {
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

/// The sum of a run in f64, in one fixed order.
#[inline(always)]
fn total<T: Real>(x: &[T]) -> f64 {
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

/// Calls `f` with the number of each window, and what it takes of the image in each dimension, where its elements are neighbours.
#[inline(always)]
pub fn for_each_part(
    windows: [usize; 3],
    span: impl Fn(usize, usize) -> Range<usize>,
    mut f: impl FnMut(usize, [Range<usize>; 3]),
) {
    for i in 0..windows.iter().product() {
        f(i, [span(0, i / windows[2] / windows[1]), span(1, i / windows[2] % windows[1]), span(2, i % windows[2])]);
    }
}

/// The average of each part of an image that is cut evenly into `windows` parts, which may overlap by one (`torch.nn.functional.adaptive_avg_pool2d` and its
/// siblings). `x` is channels one behind the other, each row-major with the sizes of `image`; `out` is the same with those of `windows`.
pub fn even_averages<T: Real>(x: &[T], image: [usize; 3], windows: [usize; 3], out: &mut [T]) {
    let (pixels, positions): (usize, usize) = (image.iter().product(), windows.iter().product());
    assert!(x.len() * positions == out.len() * pixels);
    let channels = out.len() / positions.max(1);
    let out = Sendable(out.as_mut_ptr());
    parallel::split(channels, (1usize << 16).div_ceil(pixels.max(1)), |range| {
        let out = &out;
        vectorize_widest(
            #[inline(always)]
            || {
                for c in range {
                    let channel = &x[c * pixels..(c + 1) * pixels];
                    let span = |d: usize, i: usize| part(image[d], windows[d], i);
                    for_each_part(
                        windows,
                        span,
                        #[inline(always)]
                        |i, [zs, ys, xs]| {
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
                        },
                    );
                }
            },
        );
    });
}

/// The largest element of each such part and where it stands in its channel; NaN wins (`torch.nn.functional.adaptive_max_pool2d` and its siblings). `x`, `out` and
/// `at` as for [`even_averages`].
pub fn even_maxima<T: Real>(x: &[T], image: [usize; 3], windows: [usize; 3], out: &mut [T], at: &mut [i64]) {
    let (pixels, positions): (usize, usize) = (image.iter().product(), windows.iter().product());
    let results = out.chunks_exact_mut(positions.max(1)).zip(at.chunks_exact_mut(positions.max(1)));
    for (channel, (out, at)) in x.chunks_exact(pixels.max(1)).zip(results) {
        for_each_part(
            windows,
            |d, i| part(image[d], windows[d], i),
            |i, [zs, ys, xs]| {
                let line = |z: usize, y: usize| (z * image[1] + y) * image[2];
                let (mut best, mut place) = (T::neg_infinity(), line(zs.start, ys.start) + xs.start);
                for z in zs {
                    for y in ys.clone() {
                        for x in xs.clone() {
                            let v = channel[line(z, y) + x];
                            if v > best || v.is_nan() {
                                (best, place) = (v, line(z, y) + x);
                            }
                        }
                    }
                }
                (out[i], at[i]) = (best, place as i64);
            },
        );
    }
}
