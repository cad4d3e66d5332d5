//! Depthwise convolutions of f32: every channel has a kernel of its own, which stays in registers while windows are summed several vectors at once, from pixels
//! where they lie: masks put zeros around them. The bits are those of the direct sum ([`crate::implicit_gemm`]).

use crate::finish::unbounded;
use crate::padded::{Filters, Images};
use crate::{Done, Finish};
use sconce_parallel::scratch::List;
use sconce_parallel::simd::{Job, Wide, run};
use sconce_parallel::{self as parallel, Sendable, scratch};
use sconce_schema::geometry::convolution::has_depthwise_kernel;
use sconce_schema::geometry::{Axis, Frame};
use std::array::from_fn;
use std::ops::Range;

/// Vectors of windows that are summed at once: of as many lines, so that a line of pixels is loaded once for all that it is in.
const AT_ONCE: usize = 4;
/// Lines of pixels that windows of so many lines meet, at most.
const LINES: usize = 16;
/// Loads of a line of pixels, at most.
const MASKS: usize = 14;
/// Results that are finished at once, at least.
const FINISHED: usize = 4096;
/// Whether a convolution is done so: by 3 x 3 or 5 x 5 elements at a stride of 1 or 2, or by 7 x 7.
pub fn takes(f: &Frame, channels: usize, rows: usize) -> bool {
    let [depth, height, width] = &f.0;
    let side = |a: &Axis| [a.kernel, a.stride, a.dilation];
    channels == 1 && rows == 1 && *depth == Axis::ONE && has_depthwise_kernel([side(height), side(width)])
}

/// Convolves: as [`crate::implicit_gemm::convolve`], with one channel and one row in each group.
///
/// # Safety
/// As there; [`takes`] has been asked too.
pub unsafe fn convolve(x: &Images<f32>, f: &Frame, filters: &Filters<'_, f32>, out: *mut f32) {
    let &Filters { weights, bias, finish, .. } = filters;
    // Pixels that do not lie side by side have no code of their own.
    if !run(Registers(f[2].kernel)) || x.strides[4] != 1 {
        // SAFETY: the caller's promise.
        return unsafe { crate::implicit_gemm::convolve(x, f, filters, out) };
    }
    let (weights, bias) = (Sendable(weights.cast_mut()), bias.map(|b| Sendable(b.cast_mut())));
    let out = Sendable(out);
    parallel::split(x.batch * x.groups, (1usize << 17).div_ceil(f.positions() * f.area()), |planes| {
        let (weights, bias, out) = (&weights, &bias, &out);
        let (weights, bias, out) = (weights.0.cast_const(), bias.as_ref().map(|b| b.0.cast_const()), out.0);
        let job = Planes { x, f, planes, weights, bias, out, finish };
        match (f[2].kernel, f[2].stride) {
            (3, 1) => run(Elements::<'_, 3, 1>(job)),
            (3, _) => run(Elements::<'_, 3, 2>(job)),
            (5, 1) => run(Elements::<'_, 5, 1>(job)),
            (5, _) => run(Elements::<'_, 5, 2>(job)),
            _ => run(Elements::<'_, 7, 1>(job)),
        }
    });
}

/// Whether there are registers for windows of so many columns: where there are not, there is no code for them.
struct Registers(usize);

impl Job<f32> for Registers {
    type Output = bool;
    #[inline(always)]
    unsafe fn run<W: Wide<E = f32>>(self) -> bool {
        has_registers::<W>(self.0)
    }
}

#[inline(always)]
const fn has_registers<W: Wide<E = f32>>(columns: usize) -> bool {
    W::MANY || W::IN_REGISTERS && columns <= 5
}

/// Channels, counted through all images, that are convolved one after the other.
struct Planes<'a> {
    x: &'a Images<f32>,
    f: &'a Frame,
    planes: Range<usize>,
    weights: *const f32,
    bias: Option<*const f32>,
    out: *mut f32,
    finish: Option<Finish<'a, f32>>,
}

/// Planes that are convolved by `K` times `K` elements at a stride of `S`.
struct Elements<'a, const K: usize, const S: usize>(Planes<'a>);

impl<const K: usize, const S: usize> Job<f32> for Elements<'_, K, S> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = f32>>(self) {
        if has_registers::<W>(K) {
            // SAFETY: the caller's promise.
            unsafe { self.0.convolve::<W, K, S>() }
        }
    }
}

impl Planes<'_> {
    /// # Safety
    /// The processor has this vector's features, and the planes are there.
    #[inline(always)]
    unsafe fn convolve<W: Wide<E = f32>, const K: usize, const S: usize>(&self) {
        // Copies: the compiler cannot know that results are not written over what is behind a reference.
        let [_, height, width] = self.f.0;
        let [lines, columns] = [height.windows, width.windows];
        let [images, channels, _, line_of_pixels, _] = self.x.strides;
        // A kernel that does not stay in registers is worth more windows for each time that it is loaded.
        let side = if K == 7 && columns > W::N { 2 } else { 1 };
        // Short lines that follow one another as their windows do are one line.
        let whole =
            S == 1 && K == 3 && columns == width.image && columns <= W::N / 2 && line_of_pixels == columns as isize;
        let masks = if whole { self.masks_of_plane(W::N) } else { self.masks_of_line(W::N, side) };
        let zeros = scratch::zeros::<f32>(width.image);
        let bounds = self.finish.and_then(|f| f.bounds());
        let in_place = self.finish.filter(|_| bounds.is_none());
        // Small planes are finished several at once.
        let together = FINISHED.div_ceil(lines * columns);
        let mut unfinished = 0;
        let (mut image, mut channel) = (self.planes.start / self.x.groups, self.planes.start % self.x.groups);
        for index in self.planes.clone() {
            let pixels = self.x.data.wrapping_offset(image as isize * images + channel as isize * channels);
            let out = self.out.wrapping_add(index * lines * columns);
            // SAFETY: the channel, its kernel and its bias exist; so do the windows.
            unsafe {
                let w = self.weights.add(channel * K * K);
                let w: [[W; K]; K] = from_fn(|y| from_fn(|x| W::splat(*w.add(y * K + x))));
                let bias = W::splat(self.bias.map_or(0.0, |b| *b.add(channel)));
                let end = (bias, bounds.unwrap_or(unbounded()));
                if whole {
                    let first = pixels.wrapping_sub(height.padding * columns + width.padding);
                    in_one::<W, K>(first, columns, &masks, &w, end, out, lines * columns);
                } else {
                    for line in (0..lines).step_by(AT_ONCE) {
                        let from: [*const f32; LINES] =
                            from_fn(|y| match (line * S + y).wrapping_sub(height.padding) {
                                y if y < height.image => pixels.wrapping_offset(y as isize * line_of_pixels),
                                _ => zeros.as_ptr(),
                            });
                        let to = out.add(line * columns);
                        let size = [lines - line, columns];
                        if K == 7 && side == 2 {
                            in_lines::<W, K, S, 2>(&from, width.padding, &masks, &w, end, to, size);
                        } else {
                            in_lines::<W, K, S, 1>(&from, width.padding, &masks, &w, end, to, size);
                        }
                    }
                }
            }
            channel += 1;
            if channel == self.x.groups {
                (image, channel) = (image + 1, 0);
            }
            unfinished += 1;
            if let Some(finish) = in_place.filter(|_| unfinished == together || index + 1 == self.planes.end) {
                let size = unfinished * lines * columns;
                let out = out.wrapping_add(lines * columns).wrapping_sub(size);
                finish.run(Done { out, out_row: size, rows: 1, columns: size });
                unfinished = 0;
            }
        }
    }

    /// Which pixels exist that each vector of `n` windows of a line loads, of which `side` lie side by side, in the order of [`in_lines`].
    fn masks_of_line(&self, n: usize, side: usize) -> List<u16> {
        let width = &self.f[2];
        let mut masks = scratch::list();
        for column in (0..width.windows).step_by(side * n) {
            for x in (0..width.kernel).step_by(width.stride) {
                for vector in 0..side * width.stride {
                    let first = column * width.stride + x + vector * n;
                    masks.push(bits(n, |i| (first + i).wrapping_sub(width.padding) < width.image));
                }
            }
        }
        masks
    }

    /// The same for vectors of a plane's windows, in the order of [`in_one`].
    fn masks_of_plane(&self, n: usize) -> List<u16> {
        let [_, height, width] = &self.f.0;
        let mut masks = scratch::list();
        for first in (0..self.f.positions().next_multiple_of(AT_ONCE * n)).step_by(n) {
            let places: [_; 16] = from_fn(|i| ((first + i) / width.windows, (first + i) % width.windows));
            for (ky, kx) in (0..height.kernel).flat_map(|y| (0..width.kernel).map(move |x| (y, x))) {
                masks.push(bits(n, |i| {
                    let (y, x) = places[i];
                    let inside = [(y + ky).wrapping_sub(height.padding), (x + kx).wrapping_sub(width.padding)];
                    y < height.windows && inside[0] < height.image && inside[1] < width.image
                }));
            }
        }
        masks
    }
}

/// A bit for each of `n` elements of a vector.
fn bits(n: usize, exists: impl Fn(usize) -> bool) -> u16 {
    (0..n).filter(|i| exists(*i)).fold(0, |bits, i| bits | 1 << i)
}

/// Windows of a plane whose lines follow one another as those of its pixels do, of which `first` is where the first window begins.
///
/// # Safety
/// The pixels that masks have exist; `to` has room for the windows.
#[inline(always)]
unsafe fn in_one<W: Wide<E = f32>, const K: usize>(
    first: *const f32,
    line: usize,
    masks: &[u16],
    w: &[[W; K]; K],
    (bias, bounds): (W, [f32; 2]),
    to: *mut f32,
    windows: usize,
) {
    for (i, masks) in masks.chunks_exact(AT_ONCE * K * K).enumerate() {
        let done = i * AT_ONCE * W::N;
        // SAFETY: the caller's promise.
        unsafe {
            let mut sum = [W::splat(0.0); AT_ONCE];
            for y in 0..K {
                let from = first.wrapping_add(done + y * line);
                for x in 0..K {
                    for (r, sum) in sum.iter_mut().enumerate() {
                        let mask = W::mask(masks[(r * K + y) * K + x].into());
                        let pixels = W::load_masked(from.wrapping_add(r * W::N + x), mask);
                        *sum = w[y][x].fma(pixels, *sum);
                    }
                }
            }
            for (r, sum) in sum.into_iter().enumerate() {
                let at = done + r * W::N;
                if let Some(left) = windows.checked_sub(at).filter(|n| *n > 0) {
                    finished(sum, bias, bounds).store_left(to.add(at), left);
                }
            }
        }
    }
}

/// Lines of windows, whose lines of pixels begin at `from`: so many, or as many as are left; of each, `C` vectors at once.
///
/// # Safety
/// The pixels that masks have exist in each line; `to` has room for the windows.
#[inline(always)]
unsafe fn in_lines<W: Wide<E = f32>, const K: usize, const S: usize, const C: usize>(
    from: &[*const f32; LINES],
    padding: usize,
    masks: &[u16],
    w: &[[W; K]; K],
    (bias, bounds): (W, [f32; 2]),
    to: *mut f32,
    [left, columns]: [usize; 2],
) {
    for (i, masks) in masks.chunks_exact(K.div_ceil(S) * S * C).enumerate() {
        let column = i * C * W::N;
        // SAFETY: the caller's promise.
        unsafe {
            let mask: [W::Mask; MASKS] = from_fn(|i| W::mask(masks.get(i).copied().unwrap_or(0).into()));
            let mut sum = [[W::splat(0.0); C]; AT_ONCE];
            for (y, line) in from.iter().enumerate().take((AT_ONCE - 1) * S + K) {
                let line = line.wrapping_add(column * S).wrapping_sub(padding);
                for x in (0..K).step_by(S) {
                    let load = |v: usize| W::load_masked(line.wrapping_add(x + v * W::N), mask[x * C + v]);
                    // What this element of the kernel meets, and the next one.
                    let pixels: [[W; C]; 2] = match S {
                        1 => [from_fn(load); 2],
                        _ => {
                            let both: [[W; 2]; C] = from_fn(|c| W::unzip([load(2 * c), load(2 * c + 1)]));
                            from_fn(|next| from_fn(|c| both[c][next]))
                        }
                    };
                    for (x, pixels) in pixels.into_iter().enumerate().take(S).map(|(i, v)| (x + i, v)) {
                        for (r, sum) in sum.iter_mut().enumerate() {
                            if let Some(w) = y.checked_sub(r * S).and_then(|y| w.get(y)?.get(x)) {
                                sum.iter_mut().zip(pixels).for_each(|(sum, pixels)| *sum = w.fma(pixels, *sum));
                            }
                        }
                    }
                }
            }
            for (r, sum) in sum.into_iter().enumerate().take(left) {
                for (at, sum) in sum.into_iter().enumerate().map(|(c, sum)| (column + c * W::N, sum)) {
                    let Some(rest) = columns.checked_sub(at).filter(|n| *n > 0) else { break };
                    finished(sum, bias, bounds).store_left(to.add(r * columns + at), rest);
                }
            }
        }
    }
}

/// # Safety
/// The processor has this vector's features.
#[inline(always)]
unsafe fn finished<W: Wide<E = f32>>(sum: W, bias: W, bounds: [f32; 2]) -> W {
    // SAFETY: the caller's promise.
    unsafe { sum.add(bias).clamp(W::splat(bounds[0]), W::splat(bounds[1])) }
}
