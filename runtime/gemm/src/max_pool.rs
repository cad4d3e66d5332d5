//! The largest element of each window of an image: lines of the image first, from which lines of windows are then taken, so that an element is compared once
//! for every line of windows instead of once for every window. NaN wins; of equals (zeros of either sign) the first in row-major order stays.

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
        let lines = depth.image * height.image;
        let inside = inside(width);
        // As many more as a vector.
        let mut best = scratch::zeros::<E>(lines * columns + W::N);
        // Where the lines begin that a line of windows meets.
        let mut met = scratch::buffer::<usize>(depth.kernel * height.kernel);
        for (i, channel) in x.chunks_exact(f.pixels()).enumerate() {
            // SAFETY: lines of the image and of windows have these elements; the caller's promise of features.
            unsafe {
                for (line, best) in channel.chunks_exact(width.image).zip(best.chunks_exact_mut(columns)) {
                    along_line::<W>(line, width, &inside, best);
                }
                for z in 0..depth.windows {
                    for y in 0..height.windows {
                        let to = out.add((i * depth.windows + z) * height.windows * columns + y * columns);
                        let mut n = 0;
                        for kz in depth.elements(z) {
                            let plane = depth.place(z, kz) * height.image;
                            for ky in height.elements(y) {
                                met[n] = (plane + height.place(y, ky)) * columns;
                                n += 1;
                            }
                        }
                        across_lines::<W>(best.as_ptr(), &met[..n], to, columns);
                    }
                }
            }
        }
    }
}

/// The largest of each column of lines, which begin at these places.
///
/// # Safety
/// A vector can be read behind the last column of each; `to` has room for the columns.
#[inline(always)]
unsafe fn across_lines<W: Wide>(from: *const W::E, lines: &[usize], to: *mut W::E, columns: usize) {
    for c in (0..columns).step_by(W::N) {
        // SAFETY: the caller's promise.
        unsafe {
            let mut largest = W::splat(num_traits::Float::neg_infinity());
            for line in lines {
                largest = largest.larger(W::load(from.add(line + c)));
            }
            largest.store_left(to.add(c), columns - c);
        }
    }
}

/// The largest element of a line in each window, of which `inside` lie in the line. Usual kernels are known to the compiler.
///
/// # Safety
/// The processor has this vector's features.
#[inline(always)]
unsafe fn along_line<W: Wide>(line: &[W::E], width: &Axis, inside: &Range<usize>, best: &mut [W::E]) {
    for windows in [0..inside.start, inside.end..width.windows] {
        for w in windows {
            let mut largest = num_traits::Float::neg_infinity();
            let met = width.elements(w);
            let first = if met.is_empty() { 0 } else { width.place(w, met.start) };
            for k in 0..met.len() {
                largest = larger(largest, line[first + k * width.dilation]);
            }
            best[w] = largest;
        }
    }
    let Some(last) = inside.end.checked_sub(1) else { return };
    let (first, n) = (inside.start, inside.len());
    if n == 0 {
        return;
    }
    let span = width.place(last, width.kernel - 1) + 1;
    let from = line[width.place(first, 0)..span].as_ptr();
    let to = best[first..inside.end].as_mut_ptr();
    // SAFETY: so many windows lie in the line from here on, with all of their elements.
    unsafe {
        match (width.kernel, width.dilation, width.stride) {
            // Of f64, and where vectors are in no registers, it is not worth the code.
            (kernel, dilation, stride) if !W::IN_REGISTERS || size_of::<W::E>() > 4 => {
                windows::<W>(from, to, n, [kernel, dilation, stride]);
            }
            (2, 1, 1) => windows::<W>(from, to, n, [2, 1, 1]),
            (2, 1, 2) => windows::<W>(from, to, n, [2, 1, 2]),
            (3, 1, 1) => windows::<W>(from, to, n, [3, 1, 1]),
            (3, 1, 2) => windows::<W>(from, to, n, [3, 1, 2]),
            (kernel, dilation, stride) => windows::<W>(from, to, n, [kernel, dilation, stride]),
        }
    }
}

/// Windows that lie in a line.
///
/// # Safety
/// There are so many, with all of their elements.
#[inline(always)]
unsafe fn windows<W: Wide>(from: *const W::E, to: *mut W::E, n: usize, [kernel, dilation, stride]: [usize; 3]) {
    // SAFETY: the caller's promise.
    unsafe {
        let most = n.min(W::N);
        let mut at = 0;
        loop {
            let mut largest = W::splat(num_traits::Float::neg_infinity());
            let mut k = 0;
            while k < kernel {
                let from = from.add(at * stride + k * dilation);
                largest = match stride {
                    1 => largest.larger(W::load_left(from, most)),
                    2 => {
                        // The next element of the kernel is between those of this one.
                        let is_next_too = dilation == 1 && k + 1 < kernel;
                        let pixels = 2 * most - usize::from(!is_next_too);
                        let second = W::load_left(from.wrapping_add(W::N), pixels.saturating_sub(W::N));
                        let [even, odd] = W::unzip([W::load_left(from, pixels), second]);
                        let largest = largest.larger(even);
                        k += usize::from(is_next_too);
                        if is_next_too { largest.larger(odd) } else { largest }
                    }
                    stride => largest.larger(W::every(from, stride, most)),
                };
                k += 1;
            }
            largest.store_left(to.add(at), most);
            // The last ones are some that were done already, rather than fewer.
            match at + most {
                next if next == n => return,
                next => at = next.min(n - most),
            }
        }
    }
}

/// The windows of which every element lies in the line.
fn inside(a: &Axis) -> Range<usize> {
    let span = (a.kernel - 1) * a.dilation + 1;
    let first = a.padding.div_ceil(a.stride);
    let end = (a.padding + a.image).checked_sub(span).map_or(0, |last| last / a.stride + 1);
    first.min(a.windows)..end.clamp(first.min(a.windows), a.windows)
}

/// [`Wide::larger`] of two elements.
fn larger<E: Real>(a: E, b: E) -> E {
    if b > a || b.is_nan() { b } else { a }
}
