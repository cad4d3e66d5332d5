//! The average of each window of an image: windows side by side in the elements of vectors, the elements of each added in row-major order.

use crate::window_vectors::{borders, inside, windows};
use sconce_parallel::simd::{Job, Real, Wide, run};
use sconce_parallel::{self as parallel, Sendable, scratch};
use sconce_schema::geometry::Frame;
use sconce_schema::geometry::pool::Divisor;
use std::ops::Range;

/// Writes the average of each window (`torch.nn.functional.avg_pool1d`, `2d`, `3d`): `x` is channels one behind the other, each row-major of [`Frame::pixels`]
/// elements, `out` the same of [`Frame::positions`]. Where a window has no element it is 0.
///
/// # Panics
/// When there are not as many elements as the frame asks for.
pub fn avg_pool<E: Real>(x: &[E], f: &Frame, divisor: Divisor, out: &mut [E]) {
    let (pixels, positions) = (f.pixels(), f.positions());
    assert!(x.len() * positions == out.len() * pixels, "a frame of other images");
    let channels = out.len() / positions.max(1);
    let out = Sendable(out.as_mut_ptr());
    let grain = (1usize << 18).div_ceil(positions.saturating_mul(f.area()).max(1));
    let lines = Lines::new(f, divisor);
    parallel::split(channels, grain, |channels| {
        let (out, lines) = (&out, &lines);
        // SAFETY: every channel is its own piece of the results.
        let out = unsafe { out.0.add(channels.start * positions) };
        run(Channels { x: &x[channels.start * pixels..channels.end * pixels], f, lines, divisor, out });
    });
}

/// What is the same for all channels.
struct Lines {
    /// Where the lines of pixels begin that each line of windows meets.
    met: scratch::Scratch<usize>,
    /// Of each line of windows, those of its places above that count, and the divisor's factor.
    of_line: scratch::Scratch<[usize; 2]>,
    inside: Range<usize>,
    borders: scratch::Scratch<[usize; 3]>,
    /// The divisor's factor of each window of a line.
    factors: scratch::Scratch<usize>,
}

impl Lines {
    fn new(f: &Frame, divisor: Divisor) -> Lines {
        let [depth, height, width] = &f.0;
        let (results, kernel) = (depth.windows * height.windows, depth.kernel * height.kernel);
        let mut met = scratch::buffer::<usize>(results * kernel);
        let mut of_line = scratch::buffer::<[usize; 2]>(results);
        for (line, (met, of_line)) in met.chunks_exact_mut(kernel).zip(of_line.iter_mut()).enumerate() {
            let (z, y) = (line / height.windows, line % height.windows);
            let mut n = 0;
            for kz in depth.elements(z) {
                for ky in height.elements(y) {
                    met[n] = (depth.place(z, kz) * height.image + height.place(y, ky)) * width.image;
                    n += 1;
                }
            }
            *of_line = [n, divisor.factor(depth, z) * divisor.factor(height, y)];
        }
        let mut factors = scratch::buffer::<usize>(width.windows);
        factors.iter_mut().enumerate().for_each(|(w, factor)| *factor = divisor.factor(width, w));
        Lines { met, of_line, inside: inside(width), borders: borders(width), factors }
    }
}

/// Channels one after the other, and where their results go.
struct Channels<'a, E> {
    x: &'a [E],
    f: &'a Frame,
    lines: &'a Lines,
    divisor: Divisor,
    out: *mut E,
}

impl<E: Real> Job<E> for Channels<'_, E> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = E>>(self) {
        let Channels { x, f, lines, divisor, out } = self;
        let (width, inside) = (&f[2], &lines.inside);
        let window = [width.kernel, width.dilation, width.stride];
        let [_, dilation, stride] = window;
        let first = if inside.is_empty() { 0 } else { width.place(inside.start, 0) };
        // Pixels behind a line's beginning that vectors of windows reach, the last of them past the line.
        let span = first + inside.len().next_multiple_of(W::N) * stride + window[0] * dilation + W::N;
        let kernel = f[0].kernel * f[1].kernel;
        let divided =
            |sum: E, factors: usize| sum / <E as num_traits::NumCast>::from(divisor.whole(factors)).unwrap_or(E::one());
        for c in 0..x.len() / f.pixels() {
            let image = &x[c * f.pixels()..];
            for (line, ([n, outer], met)) in lines.of_line.iter().zip(lines.met.chunks_exact(kernel)).enumerate() {
                let met = &met[..*n];
                let whole = stride <= 2 && met.last().is_none_or(|last| last + span <= image.len());
                let to = (c * lines.of_line.len() + line) * width.windows;
                // SAFETY: every line of every channel is its own piece of the results.
                let results = unsafe { std::slice::from_raw_parts_mut(out.add(to), width.windows) };
                for at in (0..inside.len()).step_by(W::N) {
                    let left = (inside.len() - at).min(W::N);
                    let left_to_read = if whole { None } else { Some(left) };
                    // SAFETY: these windows lie in the lines; vectors lie in the lines that follow where there are such.
                    unsafe {
                        let mut sum = W::splat(E::zero());
                        for line in met {
                            let from = image.as_ptr().add(line + first + at * stride);
                            sum = windows::<W>(from, window, left_to_read, Some(sum), |a, b| a.add(b));
                        }
                        sum.store_part(results.as_mut_ptr().add(inside.start + at), left);
                    }
                }
                let factor = lines.factors.get(inside.start).copied().unwrap_or(1);
                results[inside.clone()].iter_mut().for_each(|sum| *sum = divided(*sum, outer * factor));
                for [w, first, n] in lines.borders.iter() {
                    let mut sum = E::zero();
                    for line in met {
                        for k in 0..*n {
                            sum = sum + image[line + first + k * dilation];
                        }
                    }
                    results[*w] = divided(sum, outer * lines.factors[*w]);
                }
            }
        }
    }
}
