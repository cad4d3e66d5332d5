//! Depthwise convolutions of f32: every channel has a kernel of its own, which stays in registers while lines of windows are summed several at once. The bits are
//! those of the direct sum ([`crate::implicit_gemm`]).

use crate::finish::unbounded;
use crate::padded::{Filters, Images, Layout};
use crate::{Done, Finish};
use sconce_parallel::simd::{Job, Wide, run};
use sconce_parallel::{self as parallel, Sendable, scratch};
use sconce_schema::geometry::convolution::has_depthwise_kernel;
use sconce_schema::geometry::{Axis, Frame};
use std::array::from_fn;
use std::ops::Range;

/// Lines of windows that are summed at once, so that a line of pixels is loaded once for all that it is in.
const AT_ONCE: usize = 4;
/// Lines of pixels that windows of so many lines meet, at most.
const LINES: usize = 16;
/// Lines of pixels that are kept: those for the lines of windows at work, the ones before that the last lines go back to, and the next ones, which are copied
/// long before they are read: a load waits for the stores that it spans.
const KEPT: usize = 32;
/// Results that are finished at once, at least.
const FINISHED: usize = 4096;
/// Elements of the widest vectors, which lines of pixels are aligned to.
const ALIGNED: usize = 16;

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
    let Some(layout) = Layout::new(f) else { return };
    // Few lines, and pixels that do not lie side by side, have no code of their own.
    if !run(Registers(f[2].kernel)) || f[1].windows < AT_ONCE || x.strides[4] != 1 {
        // SAFETY: the caller's promise.
        return unsafe { crate::implicit_gemm::convolve(x, f, filters, out) };
    }
    let (weights, bias) = (Sendable(weights.cast_mut()), bias.map(|b| Sendable(b.cast_mut())));
    let out = Sendable(out);
    parallel::split(x.batch * x.groups, (1usize << 17).div_ceil(f.positions() * f.area()), |planes| {
        let (weights, bias, out) = (&weights, &bias, &out);
        let (weights, bias, out) = (weights.0.cast_const(), bias.as_ref().map(|b| b.0.cast_const()), out.0);
        let job = Planes { x, f, layout, planes, weights, bias, out, finish };
        match (f[2].kernel, f[2].stride) {
            (3, 1) => run(Elements::<'_, 3, 1, 1>(job)),
            (3, _) => run(Elements::<'_, 3, 2, 1>(job)),
            (5, 1) => run(Elements::<'_, 5, 1, 1>(job)),
            (5, _) => run(Elements::<'_, 5, 2, 1>(job)),
            _ => run(Elements::<'_, 7, 1, 2>(job)),
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
    layout: Layout,
    planes: Range<usize>,
    weights: *const f32,
    bias: Option<*const f32>,
    out: *mut f32,
    finish: Option<Finish<'a, f32>>,
}

/// Lines of pixels between zeros, the columns of equal remainder by the stride side by side, in the order of all planes' lines.
struct Ring<'a> {
    p: &'a Planes<'a>,
    /// Where windows begin in the lines that are kept, and in one of zeros.
    kept: [*mut f32; KEPT],
    zeros: *mut f32,
    /// From the columns of one remainder to the next.
    share: usize,
    /// Lines that were copied, and the next one: its plane, its place in there, and its pixels.
    copied: usize,
    plane: usize,
    line: usize,
    from: *const f32,
}

impl<'a> Ring<'a> {
    /// Elements of a line's columns of one remainder, of which the first pixel is aligned, with as many before it as windows may begin before, and how many those
    /// are. The last may be read with as many behind it as `beyond`.
    fn share(p: &Planes<'_>, stride: usize, beyond: usize) -> (usize, usize) {
        let width = &p.f[2];
        let before = width.padding.next_multiple_of(stride * ALIGNED) / stride - width.padding / stride;
        let pixels = (width.padding + width.image).div_ceil(stride) + ALIGNED;
        ((before + pixels.max(p.layout.share + beyond)).next_multiple_of(ALIGNED), before)
    }

    fn new(p: &'a Planes<'a>, lines: &'a mut [f32], (share, before): (usize, usize)) -> Ring<'a> {
        let line = lines.len() / (KEPT + 1);
        let at = lines.as_mut_ptr().wrapping_add(before);
        let kept = from_fn(|slot| at.wrapping_add(slot * line));
        let plane = p.planes.start;
        Ring { p, kept, zeros: at.wrapping_add(KEPT * line), share, copied: 0, plane, line: 0, from: p.plane(plane) }
    }

    /// Copies lines until there are so many.
    ///
    /// # Safety
    /// There are so many lines in the planes; those they replace are not needed any more.
    #[inline(always)]
    unsafe fn copy<W: Wide<E = f32>, const S: usize>(&mut self, lines: usize) {
        let line = self.p.x.strides[3];
        let (height, padding) = (self.p.f[1].image, self.p.f[2].padding);
        // Pixels of even and of odd columns.
        let first = [0, 1].map(|pixel| (pixel + padding) % S * self.share + (pixel + padding) / S);
        while self.copied < lines {
            if self.line == height {
                (self.plane, self.line) = (self.plane + 1, 0);
                self.from = self.p.plane(self.plane);
            }
            let (from, to, n) = (self.from, self.kept[self.copied % KEPT], self.p.f[2].image);
            // SAFETY: the line is there; behind its pixels there is room for a vector, which zeros are in.
            unsafe {
                if S == 1 {
                    let to = to.add(padding);
                    for c in (0..n).step_by(W::N) {
                        W::load_left(from.add(c), n - c).store(to.add(c));
                    }
                } else {
                    for c in (0..n).step_by(2 * W::N) {
                        let next = from.add(n.min(c + W::N));
                        let [even, odd] = W::unzip([
                            W::load_left(from.add(c), n - c),
                            W::load_left(next, n.saturating_sub(c + W::N)),
                        ]);
                        even.store(to.add(first[0] + c / 2));
                        odd.store(to.add(first[1] + c / 2));
                    }
                }
            }
            self.from = self.from.wrapping_offset(line);
            self.line += 1;
            self.copied += 1;
        }
    }
}

impl Planes<'_> {
    /// The first pixel of a channel, counted through all images.
    fn plane(&self, index: usize) -> *const f32 {
        let (image, channel) = self.x.channel(index);
        self.x.data.wrapping_offset(image + channel)
    }
}

/// Planes that are convolved by `K` times `K` elements at a stride of `S`, `C` vectors at once.
struct Elements<'a, const K: usize, const S: usize, const C: usize>(Planes<'a>);

impl<const K: usize, const S: usize, const C: usize> Job<f32> for Elements<'_, K, S, C> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = f32>>(self) {
        let Elements(p) = self;
        if !has_registers::<W>(K) {
            return;
        }
        let (image, above) = (p.f[1].image, p.f[1].padding);
        let (lines, columns) = (p.f[1].windows, p.f[2].windows);
        let share = Ring::share(&p, S, C * W::N);
        let mut buffer = scratch::zeros::<f32>((KEPT + 1) * S * share.0);
        let mut ring = Ring::new(&p, &mut buffer, share);
        // Small planes are finished several at once.
        let together = FINISHED.div_ceil(lines * columns);
        let bounds = p.finish.and_then(|f| f.bounds());
        let in_place = p.finish.filter(|_| bounds.is_none());
        for (plane, index) in p.planes.clone().enumerate() {
            let channel = index % p.x.groups;
            let mut line = 0;
            // SAFETY: the channel, its kernel and its bias exist; so do the windows.
            unsafe {
                let w: [[W; K]; K] = from_fn(|y| from_fn(|x| W::splat(*p.weights.add((channel * K + y) * K + x))));
                let bias = W::splat(p.bias.map_or(0.0, |b| *b.add(channel)));
                let out = p.out.add(index * lines * columns);
                while line < lines {
                    // Those that follow the lines at work, too.
                    let wanted = plane * image + ((line + AT_ONCE - 1) * S + K).saturating_sub(above).min(image);
                    ring.copy::<W, S>((wanted + AT_ONCE * S).min(p.planes.len() * image));
                    let from: [*const f32; LINES] = from_fn(|y| match (line * S + y).wrapping_sub(above) {
                        y if y < image => ring.kept[(plane * image + y) % KEPT].cast_const(),
                        _ => ring.zeros,
                    });
                    let to = out.add(line * columns);
                    windows::<W, K, S, C>(&from, ring.share, &w, (bias, bounds.unwrap_or(unbounded())), to, columns);
                    // The last lines are some that were done already, rather than fewer.
                    let next = line + AT_ONCE;
                    line = if next == lines { lines } else { next.min(lines - AT_ONCE) };
                }
            }
            let n = plane % together + 1;
            if let Some(finish) = in_place.filter(|_| n == together || plane + 1 == p.planes.len()) {
                let size = n * lines * columns;
                let out = p.out.wrapping_add((index + 1) * lines * columns - size);
                finish.run(Done { out, out_row: size, rows: 1, columns: size });
            }
        }
    }
}

/// Lines of windows.
///
/// # Safety
/// The lines exist, and `C` vectors can be read behind the last windows; `to` has room for them.
#[inline(always)]
unsafe fn windows<W: Wide<E = f32>, const K: usize, const S: usize, const C: usize>(
    from: &[*const f32; LINES],
    share: usize,
    w: &[[W; K]; K],
    (bias, bounds): (W, [f32; 2]),
    to: *mut f32,
    columns: usize,
) {
    let places: [usize; K] = from_fn(|x| x % S * share + x / S);
    for column in (0..columns).step_by(C * W::N) {
        // SAFETY: the caller's promise.
        unsafe {
            let [low, high] = [W::splat(bounds[0]), W::splat(bounds[1])];
            let mut sum = [[W::splat(0.0); C]; AT_ONCE];
            for (y, line) in from.iter().enumerate().take((AT_ONCE - 1) * S + K) {
                for (x, place) in places.iter().enumerate() {
                    let at = line.add(column + place);
                    let pixels: [W; C] = from_fn(|c| W::load(at.add(c * W::N)));
                    for (r, sum) in sum.iter_mut().enumerate() {
                        if (r * S..r * S + K).contains(&y) {
                            sum.iter_mut()
                                .zip(pixels)
                                .for_each(|(sum, pixels)| *sum = w[y - r * S][x].fma(pixels, *sum));
                        }
                    }
                }
            }
            for (r, sum) in sum.into_iter().enumerate() {
                for (c, sum) in sum.into_iter().enumerate() {
                    let at = column + c * W::N;
                    let Some(left) = columns.checked_sub(at).filter(|n| *n > 0) else { break };
                    sum.add(bias).clamp(low, high).store_left(to.add(r * columns + at), left);
                }
            }
        }
    }
}
