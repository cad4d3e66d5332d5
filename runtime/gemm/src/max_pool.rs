//! The largest element of each window of an image: lines of the image first, from which lines of windows are then taken, so that an element is compared once
//! for every line of windows instead of once for every window. NaN wins; of equals (zeros of either sign) the first in row-major order stays.

use crate::window_vectors::{borders, has_own_code, inside, windows};
use sconce_parallel::simd::{Job, Real, Wide, run};
use sconce_parallel::{self as parallel, Sendable, scratch};
use sconce_schema::geometry::{Axis, Frame};
use std::ops::Range;

/// Writes the largest element of each window (the values of `torch.nn.functional.max_pool1d`, `2d`, `3d`): `x` is channels one behind the other, each row-major of
/// [`Frame::pixels`] elements, `out` the same of [`Frame::positions`]. Where a window has no element it is the lowest number.
///
/// # Panics
/// When there are not as many elements as the frame asks for.
pub fn max_pool<E: Real>(x: &[E], f: &Frame, out: &mut [E]) {
    let (pixels, positions) = (f.pixels(), f.positions());
    assert!(x.len() * positions == out.len() * pixels, "a frame of other images");
    let channels = out.len() / positions.max(1);
    let out = Sendable(out.as_mut_ptr());
    let grain = (1usize << 18).div_ceil(positions.saturating_mul(f.area()).max(1));
    parallel::split(channels, grain, |channels| {
        let out = &out;
        // SAFETY: every channel is its own piece of the results.
        let out = unsafe { out.0.add(channels.start * positions) };
        run(Channels { x: &x[channels.start * pixels..channels.end * pixels], f, out });
    });
}

/// Channels one after the other, and where their results go.
struct Channels<'a, E> {
    x: &'a [E],
    f: &'a Frame,
    out: *mut E,
}

impl<E: Real> Job<E> for Channels<'_, E> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = E>>(self) {
        let Channels { x, f, out } = self;
        let [depth, height, width] = &f.0;
        let columns = width.windows;
        let (lines, results) = (depth.image * height.image, depth.windows * height.windows);
        // A line of the lowest number behind the others, and as many more as a vector.
        let lowest = num_traits::Float::neg_infinity();
        let mut best = scratch::buffer::<E>((lines + 1) * columns + W::N);
        best[lines * columns..].fill(lowest);
        // Where the lines begin that each line of windows meets; where it meets fewer than the others, the last of them again, which changes nothing.
        let kernel = depth.kernel * height.kernel;
        let mut met = scratch::buffer::<usize>(results * kernel);
        for (line, met) in met.chunks_exact_mut(kernel).enumerate() {
            let (z, y) = (line / height.windows, line % height.windows);
            let (mut n, mut last) = (0, lines);
            for kz in depth.elements(z) {
                for ky in height.elements(y) {
                    last = depth.place(z, kz) * height.image + height.place(y, ky);
                    met[n] = last * columns;
                    n += 1;
                }
            }
            met[n..].fill(last * columns);
        }
        let (inside, borders) = (inside(width), borders(width));
        for i in 0..x.len() / f.pixels() {
            // SAFETY: lines of the image and of windows have these elements, of which the first lines may be read beyond: of the next ones; the caller's
            // promise of features.
            unsafe {
                along_lines::<W>(&x[i * f.pixels()..], lines, width, (&inside, &borders), &mut best);
                let to = out.add(i * results * columns);
                match kernel {
                    2 if has_own_code::<W>() => across_lines::<W>(best.as_ptr(), &met, 2, to, columns),
                    3 if has_own_code::<W>() => across_lines::<W>(best.as_ptr(), &met, 3, to, columns),
                    _ => across_lines::<W>(best.as_ptr(), &met, kernel, to, columns),
                }
            }
        }
    }
}

/// The largest of each column of so many lines, which begin at these places, for each line of windows.
///
/// # Safety
/// A vector can be read behind the last column of each; `to` has room for the columns of each line of windows.
#[inline(always)]
unsafe fn across_lines<W: Wide>(from: *const W::E, met: &[usize], kernel: usize, to: *mut W::E, columns: usize) {
    for (line, met) in met.chunks_exact(kernel).enumerate() {
        let to = to.wrapping_add(line * columns);
        for c in (0..columns).step_by(W::N) {
            // SAFETY: the caller's promise.
            unsafe {
                let mut largest = W::load(from.add(met[0] + c));
                for line in &met[1..] {
                    largest = largest.larger(W::load(from.add(line + c)));
                }
                largest.store_left(to.add(c), columns - c);
            }
        }
    }
}

/// The windows that lie in a line, and the others.
type Parts<'a> = (&'a Range<usize>, &'a [[usize; 3]]);

/// The largest element in each window of so many lines of pixels. Usual kernels are known to the compiler.
///
/// # Safety
/// The processor has this vector's features; `best` has a line of windows for each and a vector behind them.
#[inline(always)]
unsafe fn along_lines<W: Wide>(x: &[W::E], lines: usize, width: &Axis, parts: Parts<'_>, best: &mut [W::E]) {
    let window = [width.kernel, width.dilation, width.stride];
    // SAFETY: the caller's promise.
    unsafe {
        match window {
            _ if !has_own_code::<W>() => each_line::<W>(x, lines, width, parts, window, best),
            [2, 1, 1] => each_line::<W>(x, lines, width, parts, [2, 1, 1], best),
            [2, 1, 2] => each_line::<W>(x, lines, width, parts, [2, 1, 2], best),
            [3, 1, 1] => each_line::<W>(x, lines, width, parts, [3, 1, 1], best),
            [3, 1, 2] => each_line::<W>(x, lines, width, parts, [3, 1, 2], best),
            _ => each_line::<W>(x, lines, width, parts, window, best),
        }
    }
}

/// [`along_lines`] of this kernel, dilation and stride.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn each_line<W: Wide>(
    x: &[W::E],
    lines: usize,
    width: &Axis,
    (inside, borders): Parts<'_>,
    window: [usize; 3],
    best: &mut [W::E],
) {
    let [kernel, _, stride] = window;
    let first = if inside.is_empty() { 0 } else { width.place(inside.start, 0) };
    // Pixels behind the first that vectors of windows reach, the last of them past the line.
    let span = inside.len().next_multiple_of(W::N) * stride + kernel * width.dilation + W::N;
    for line in 0..lines {
        let (pixels, best) = (&x[line * width.image..], &mut best[line * width.windows..]);
        // SAFETY: these windows lie in the line; vectors lie in the lines that follow where there are such.
        unsafe {
            let larger = |a: W, b: W| a.larger(b);
            let (from, to) = (pixels.as_ptr().add(first), best.as_mut_ptr().add(inside.start));
            if stride <= 2 && first + span <= pixels.len() {
                for at in (0..inside.len()).step_by(W::N) {
                    windows::<W>(from.add(at * stride), window, None, None, larger).store(to.add(at));
                }
            } else {
                for at in (0..inside.len()).step_by(W::N) {
                    let n = (inside.len() - at).min(W::N);
                    windows::<W>(from.add(at * stride), window, Some(n), None, larger).store_part(to.add(at), n);
                }
            }
        }
        // What a vector wrote past the line's windows is written again, by these or by the next line.
        for [w, first, n] in borders {
            let elements = (0..*n).map(|k| pixels[first + k * width.dilation]);
            best[*w] = elements.fold(num_traits::Float::neg_infinity(), larger);
        }
    }
}

/// [`Wide::larger`] of two elements.
fn larger<E: Real>(a: E, b: E) -> E {
    if b > a || b.is_nan() { b } else { a }
}
