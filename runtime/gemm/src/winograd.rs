//! Convolutions by 3 x 3 elements with Winograd's minimal filtering F(4 x 4, 3 x 3): 36 products in place of 144 for sixteen results, with the same bits for every
//! number of threads and width of vectors.
//!
//! A tile of 6 x 6 pixels and a kernel are transformed, multiplied element by element and summed over channels (36 matrix products), and what comes out is
//! transformed to 4 x 4 results. The polynomials behind it are evaluated at 0, ±3/4, ±3/2 and infinity: all factors of pixels and results are exact in binary, and
//! the error against f64 stays about twice that of the direct sum, where the more usual 0, ±1, ±2 come to five times (`docs/decisions/winograd.md`).

use crate::padded::{Filters, Images, Layout, Ready, SLACK};
use crate::tiles::{Even, SPARE, Target, column_of_tiles, panel};
use crate::{Done, Finish, View};
use sconce_parallel::simd::{Job, Wide, run};
use sconce_parallel::{self as parallel, Sendable, scratch};
use sconce_schema::geometry::{Axis, Frame};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Results of a tile in one dimension, and pixels that they are made of.
const RESULTS: usize = 4;
const PIXELS: usize = RESULTS + 2;
/// Products of a tile.
const PLACES: usize = PIXELS * PIXELS;

/// The points beside 0 and infinity are ±`A` and ±`B`.
const A: f32 = 0.75;
const B: f32 = 1.5;
const AA: f32 = A * A;
const BB: f32 = B * B;

// What follows is inlined into code for one kind of vector, so nothing here is a closure: a closure may stay a function of its own, without the vectors.

/// The pixels of a line at a point and at its negative; `other` is the square of the other pair's point.
///
/// # Safety
/// The processor has this vector's features, here and below.
#[inline(always)]
unsafe fn pixels_at<W: Wide<E = f32>>(d: &[W; PIXELS], point: f32, other: f32) -> [W; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        let (even, odd) = (d[2].fma(W::splat(-other), d[4]), d[1].fma(W::splat(-other), d[3]));
        [odd.fma(W::splat(point), even), odd.fma(W::splat(-point), even)]
    }
}

/// Every second pixel at 0 or at infinity.
#[inline(always)]
unsafe fn pixels_at_end<W: Wide<E = f32>>(low: W, middle: W, high: W) -> W {
    // SAFETY: the caller's promise.
    unsafe { low.fma(W::splat(AA * BB), middle.fma(W::splat(-AA - BB), high)) }
}

/// Pixels of one line.
#[inline(always)]
unsafe fn pixels<W: Wide<E = f32>>(d: &[W; PIXELS]) -> [W; PIXELS] {
    // SAFETY: the caller's promise.
    unsafe {
        let ([a, minus_a], [b, minus_b]) = (pixels_at(d, A, BB), pixels_at(d, B, AA));
        [pixels_at_end(d[0], d[2], d[4]), a, minus_a, b, minus_b, pixels_at_end(d[1], d[3], d[5])]
    }
}

/// The elements of a kernel's line at a point and at its negative, times `share`.
#[inline(always)]
unsafe fn kernel_at<W: Wide<E = f32>>(g: &[W; 3], point: f32, share: f32) -> [W; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        let even = g[2].fma(W::splat(point * point), g[0]).mul(W::splat(share));
        [g[1].fma(W::splat(point * share), even), g[1].fma(W::splat(-point * share), even)]
    }
}

/// Elements of one line of a kernel.
#[inline(always)]
unsafe fn kernel<W: Wide<E = f32>>(g: &[W; 3]) -> [W; PIXELS] {
    // SAFETY: the caller's promise.
    unsafe {
        let [a, minus_a] = kernel_at(g, A, 0.5 / (AA * (AA - BB)));
        let [b, minus_b] = kernel_at(g, B, 0.5 / (BB * (BB - AA)));
        [g[0].mul(W::splat(1.0 / (AA * BB))), a, minus_a, b, minus_b, g[2]]
    }
}

/// Results of one line.
#[inline(always)]
unsafe fn results<W: Wide<E = f32>>(m: &[W; PIXELS]) -> [W; RESULTS] {
    // SAFETY: the caller's promise.
    unsafe {
        let minus = W::splat(-1.0);
        let (even_a, odd_a) = (m[1].add(m[2]), m[2].fma(minus, m[1]));
        let (even_b, odd_b) = (m[3].add(m[4]), m[4].fma(minus, m[3]));
        [
            m[0].add(even_a).add(even_b),
            odd_a.fma(W::splat(A), odd_b.mul(W::splat(B))),
            even_a.fma(W::splat(AA), even_b.mul(W::splat(BB))),
            odd_a.fma(W::splat(A * AA), odd_b.fma(W::splat(B * BB), m[5])),
        ]
    }
}

/// What stands at a place of each line.
#[inline(always)]
fn column<W: Copy, const N: usize>(lines: &[[W; PIXELS]; N], x: usize) -> [W; N] {
    let mut column = [lines[0][x]; N];
    for (v, line) in column.iter_mut().zip(lines) {
        *v = line[x];
    }
    column
}

/// A convolution cut into tiles.
struct Tiling {
    /// Tiles as windows of 6 x 6 pixels.
    frame: Frame,
    layout: Layout,
    /// Results in a column and in a line.
    sizes: [usize; 2],
    /// Channels of a group, and results of it.
    channels: usize,
    rows: usize,
    /// Elements of a row of a transformed kernel.
    pitch: usize,
    /// Channels that are summed at once.
    depth: usize,
    /// Lines of tiles that are computed at once.
    lines: usize,
    /// Columns of the matrices of so many lines.
    columns: usize,
}

/// Bytes of transformed pixels and results that are at work at once, at least: they are written and read again, and all kernels are read meanwhile.
const AT_ONCE: usize = 1 << 20;
/// Padded images that are made at once have about so many bytes.
const IMAGES: usize = 4 << 20;
/// Fewer channels than this are no matrix worth the transforms.
const LEAST_CHANNELS: usize = 12;
/// No more channels are summed at once: sums of sums lose less, which makes up for what the transforms lose.
const DEEPEST: usize = 64;
/// Steps for every product of a place that it takes to transform the pixels or results of a tile, of which a line's are in vectors of [`LANES`].
const TRANSFORM: f64 = 15.0;
/// The same of a kernel, which is written to as many places in memory.
const KERNEL: f64 = 20.0;
/// Tiles in a vector.
const LANES: usize = 16;

impl Tiling {
    fn new(f: &Frame, channels: usize, rows: usize) -> Option<Tiling> {
        let tiles = |a: &Axis| {
            let plain = a.kernel == 3 && a.stride == 1 && a.dilation == 1;
            let windows = a.windows.div_ceil(RESULTS);
            plain.then_some(Axis { kernel: PIXELS, stride: RESULTS, windows, ..*a })
        };
        let [depth, height, width] = &f.0;
        if *depth != Axis::ONE {
            return None;
        }
        let frame = Frame([Axis::ONE, tiles(height)?, tiles(width)?]);
        let layout = Layout::new(&frame)?;
        let across = frame[2].windows;
        let bytes = PLACES * (channels + rows) * across * size_of::<f32>();
        // At least a panel of columns.
        let kernels = PLACES * channels * rows * size_of::<f32>();
        let lines = (AT_ONCE.max(kernels / 2) / bytes.max(1)).max(LANES.div_ceil(across));
        Some(Tiling {
            layout,
            sizes: [height.windows, width.windows],
            channels,
            rows,
            pitch: channels.next_multiple_of(16),
            depth: channels.div_ceil(channels.div_ceil(DEEPEST)),
            lines,
            // Vectors of the last line reach beyond it.
            columns: (lines * across).next_multiple_of(64) + 16,
            frame,
        })
    }

    /// Whether it takes fewer steps than the direct sum: whole tiles are computed at the edges, and kernels are transformed in each call.
    fn pays(&self, batch: usize) -> bool {
        let n = |x: usize| x as f64;
        let (channels, rows, tiles) = (n(self.channels), n(self.rows), n(batch) * n(self.frame.positions()));
        let direct = 9.0 * n(batch) * n(self.sizes[0]) * n(self.sizes[1]) * channels * rows;
        let lanes = n(batch) * n(self.frame[1].windows) * n(self.frame[2].windows.next_multiple_of(LANES));
        let transforms = TRANSFORM * lanes * (channels + rows) + KERNEL * channels * rows;
        let products = tiles * channels * rows;
        self.channels.min(self.rows) >= LEAST_CHANNELS && n(PLACES) * (products + transforms) < 0.75 * direct
    }

    /// Elements of the transformed kernels of a group.
    fn kernels(&self) -> usize {
        PLACES * self.place()
    }

    /// Transforms the kernels of so many groups.
    ///
    /// # Safety
    /// The weights are theirs, and `to` has room for [`Tiling::kernels`] of each group.
    unsafe fn transform(&self, groups: usize, weights: *const f32, to: *mut f32) {
        let (to, weights) = (Sendable(to), Sendable(weights.cast_mut()));
        parallel::split(groups * self.rows, (1usize << 15).div_ceil(self.channels * PLACES), |rows| {
            let (to, weights) = (&to, &weights);
            // SAFETY: each row has its own places.
            run(Kernels { t: self, rows, weights: weights.0, to: to.0 });
        });
    }

    /// Elements of one place's kernels.
    fn place(&self) -> usize {
        apart((self.rows + SPARE) * self.pitch)
    }

    /// Elements of one place's pixels.
    fn pixels(&self) -> usize {
        apart(self.channels * self.columns)
    }

    /// Elements of one place's results.
    fn results(&self) -> usize {
        apart(self.rows * self.columns)
    }
}

/// So many elements and a few, so that what is written to all places at once does not meet in one set of the cache.
fn apart(elements: usize) -> usize {
    elements.next_multiple_of(1024) + 16
}

/// Whether a convolution is done so.
pub fn takes(f: &Frame, batch: usize, channels: usize, rows: usize) -> bool {
    Tiling::new(f, channels, rows).is_some_and(|t| t.pays(batch))
}

/// Elements of the kernels of such a convolution, transformed; they do not depend on the image.
pub fn transformed(f: &Frame, groups: usize, channels: usize, rows: usize) -> Option<usize> {
    Tiling::new(f, channels, rows)?.kernels().checked_mul(groups)
}

/// Transforms kernels, for [`Ready::Transformed`].
///
/// # Safety
/// The weights are those of so many groups, and `to` has room for [`transformed`] elements.
pub unsafe fn transform(f: &Frame, groups: usize, [channels, rows]: [usize; 2], weights: *const f32, to: *mut f32) {
    if let Some(t) = Tiling::new(f, channels, rows) {
        // SAFETY: the caller's promise.
        unsafe { t.transform(groups, weights, to) };
    }
}

/// Convolves: as [`crate::implicit_gemm::convolve`].
///
/// # Safety
/// As there; [`takes`] has been asked too.
pub unsafe fn convolve(x: &Images<f32>, f: &Frame, filters: &Filters<'_, f32>, out: *mut f32) {
    // SAFETY: the caller's promise.
    if !unsafe { finite(x, f, filters, out) } {
        // SAFETY: as above.
        unsafe { crate::implicit_gemm::convolve(x, f, filters, out) };
    }
}

/// Convolves, and says whether all results are finite. What is not finite, or too large for the transforms, spoils all results of a tile, while a direct sum only
/// has it where it belongs.
///
/// # Safety
/// As for [`convolve`].
unsafe fn finite(x: &Images<f32>, f: &Frame, filters: &Filters<'_, f32>, out: *mut f32) -> bool {
    let &Filters { weights, bias, rows, ready, finish } = filters;
    let Some(t) = Tiling::new(f, x.channels, rows) else { return false };
    let spoilt = AtomicBool::new(false);
    let all = x.groups * rows;
    let transformed;
    let kernels = if let Ready::Transformed(kernels) = ready {
        kernels
    } else {
        let mut made = scratch::buffer::<f32>(x.groups * t.kernels());
        // SAFETY: the filters' weights, and a buffer for their transforms.
        unsafe { t.transform(x.groups, weights, made.as_mut_ptr()) };
        transformed = made;
        transformed.as_ptr()
    };
    let channel = t.layout.channel();
    let size = x.channels * x.groups * channel;
    let at_once = (IMAGES / (size * size_of::<f32>())).clamp(1, x.batch);
    let mut padded = scratch::buffer::<f32>(at_once * size + SLACK);
    let image = Sendable(padded.as_mut_ptr());
    let (kernels, out) = (Sendable(kernels.cast_mut()), Sendable(out));
    let bias = bias.map(|b| Sendable(b.cast_mut()));
    for first in (0..x.batch).step_by(at_once) {
        let images = at_once.min(x.batch - first);
        let channels = x.channels * x.groups;
        parallel::split(images * channels, (1usize << 16).div_ceil(channel), |range| {
            let image = &image;
            for c in range {
                // SAFETY: every channel has its own part of the buffer.
                unsafe {
                    let to = std::slice::from_raw_parts_mut(image.0.add(c * channel), channel);
                    x.pad(first * channels + c, &t.frame, &t.layout, to);
                }
            }
        });
        let lines = images * t.frame[1].windows;
        let blocks = lines.div_ceil(t.lines);
        // Too few blocks for all threads are each done by all of them.
        let together = x.groups * blocks < parallel::threads();
        let block = |i: usize| {
            let (image, kernels, out) = (&image, &kernels, &out);
            let (group, block) = (i / blocks, i % blocks);
            // SAFETY: the padded images have these channels, the result these rows, of which every block writes its own lines.
            let block = unsafe {
                Block {
                    t: &t,
                    // As few blocks as fit, but of equal heights.
                    lines: block * lines / blocks..(block + 1) * lines / blocks,
                    image: Sendable(image.0.add(group * x.channels * channel)),
                    from_image: size,
                    kernels: Sendable(kernels.0.add(group * t.kernels())),
                    bias: bias.as_ref().map(|b| Sendable(b.0.add(group * rows))),
                    out: Sendable(out.0.add((first * all + group * rows) * t.sizes[0] * t.sizes[1])),
                    from_result: all * t.sizes[0] * t.sizes[1],
                    spoilt: &spoilt,
                    finish,
                }
            };
            block.compute(together);
        };
        if together {
            (0..x.groups * blocks).for_each(block);
        } else {
            parallel::split(x.groups * blocks, 1, |range| range.for_each(&block));
        }
    }
    !spoilt.into_inner()
}

/// Kernels of some rows, transformed: a matrix of rows by channels for every place.
struct Kernels<'a> {
    t: &'a Tiling,
    /// Rows, counted through all groups.
    rows: Range<usize>,
    weights: *const f32,
    to: *mut f32,
}

impl Job<f32> for Kernels<'_> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = f32>>(self) {
        let t = self.t;
        // Elements of as many kernels as a vector holds, side by side.
        let mut g = [[0f32; 16]; 9];
        for row in self.rows {
            let (group, of_group) = (row / t.rows, row % t.rows);
            for first in (0..t.channels).step_by(W::N) {
                // SAFETY: the row has these channels; rows of places are multiples of a vector.
                unsafe {
                    let from = self.weights.add((row * t.channels + first) * 9);
                    for c in 0..(t.channels - first).min(W::N) {
                        for (i, g) in g.iter_mut().enumerate() {
                            g[c] = *from.add(c * 9 + i);
                        }
                    }
                    let to = self.to.add(group * t.kernels() + of_group * t.pitch + first);
                    let mut lines = [[W::splat(0.0); PIXELS]; 3];
                    for (line, g) in lines.iter_mut().zip(g.chunks_exact(3)) {
                        *line = kernel(&[W::load(g[0].as_ptr()), W::load(g[1].as_ptr()), W::load(g[2].as_ptr())]);
                    }
                    for x in 0..PIXELS {
                        for (y, v) in kernel(&column(&lines, x)).iter().enumerate() {
                            v.store(to.add((y * PIXELS + x) * t.place()));
                        }
                    }
                }
            }
        }
    }
}

/// Lines of tiles of one group, counted through images.
struct Block<'a> {
    t: &'a Tiling,
    lines: Range<usize>,
    image: Sendable<f32>,
    /// From one image to the next.
    from_image: usize,
    kernels: Sendable<f32>,
    bias: Option<Sendable<f32>>,
    out: Sendable<f32>,
    /// From one image's results to the next's.
    from_result: usize,
    /// Set where a result is not finite.
    spoilt: &'a AtomicBool,
    finish: Option<Finish<'a, f32>>,
}

impl Block<'_> {
    fn compute(&self, on_all_threads: bool) {
        let t = self.t;
        let mut pixels = scratch::buffer::<f32>(PLACES * t.pixels());
        let mut results = scratch::buffer::<f32>(PLACES * t.results());
        let (pixels, results) = (Sendable(pixels.as_mut_ptr()), Sendable(results.as_mut_ptr()));
        let step = |step: Step, parts: usize| {
            let job = |parts: Range<usize>| {
                let (pixels, results) = (&pixels, &results);
                run(Part { block: self, step, parts, pixels: pixels.0, results: results.0 });
            };
            if on_all_threads { parallel::split(parts, 1, job) } else { job(0..parts) }
        };
        step(Step::Pixels, t.channels);
        step(Step::Products, PLACES);
        step(Step::Results, t.rows);
    }
}

/// What is computed of a block, one after another: pixels of each channel, products of each place, results of each row.
#[derive(Clone, Copy)]
enum Step {
    Pixels,
    Products,
    Results,
}

/// Some channels, places or rows of a block.
struct Part<'a> {
    block: &'a Block<'a>,
    step: Step,
    parts: Range<usize>,
    pixels: *mut f32,
    results: *mut f32,
}

impl Job<f32> for Part<'_> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = f32>>(self) {
        for part in self.parts {
            // SAFETY: the buffers hold what is written and read.
            unsafe {
                match self.step {
                    Step::Pixels => self.block.pixels::<W>(part, self.pixels),
                    Step::Products => self.block.products::<W>(part, self.pixels, self.results),
                    Step::Results => {
                        self.block.results::<W>(part, self.results);
                        self.block.finish(part);
                    }
                }
            }
        }
    }
}

impl Block<'_> {
    /// Finishes the lines of a channel's results.
    fn finish(&self, row: usize) {
        let Some(finish) = self.finish else { return };
        let [height, width] = self.t.sizes;
        let tiles = self.t.frame[1].windows;
        let mut lines = self.lines.clone();
        while !lines.is_empty() {
            // Those of one image.
            let (image, first) = (lines.start / tiles, lines.start % tiles);
            let n = (tiles - first).min(lines.len());
            let (first, end) = (first * RESULTS, ((first + n) * RESULTS).min(height));
            let out = self.out.0.wrapping_add(image * self.from_result + (row * height + first) * width);
            finish(Done { out, out_row: width, rows: 1, columns: (end - first) * width });
            lines.start += n;
        }
    }

    /// A channel's tiles to its row of every place's matrix.
    ///
    /// # Safety
    /// `to` holds the matrices.
    #[inline(always)]
    unsafe fn pixels<W: Wide<E = f32>>(&self, channel: usize, to: *mut f32) {
        let (t, l) = (self.t, &self.t.layout);
        let across = t.frame[2].windows;
        for (i, line) in self.lines.clone().enumerate() {
            let (image, line) = (line / t.frame[1].windows, line % t.frame[1].windows);
            for first in (0..across).step_by(W::N) {
                // SAFETY: the images have these lines and slack behind them; what a vector writes beyond a line of tiles the next line writes again.
                unsafe {
                    let from = self
                        .image
                        .0
                        .add(image * self.from_image + channel * l.channel() + l.line_start(&t.frame, line) + first);
                    let to = to.add(channel * t.columns + i * across + first);
                    let mut lines = [[W::splat(0.0); PIXELS]; PIXELS];
                    for (y, line) in lines.iter_mut().enumerate() {
                        let from = from.add(y * l.line);
                        for (x, v) in line.iter_mut().enumerate() {
                            *v = W::load(from.add(x % RESULTS * l.share + x / RESULTS));
                        }
                        *line = pixels(line);
                    }
                    for x in 0..PIXELS {
                        for (y, v) in pixels(&column(&lines, x)).iter().enumerate() {
                            v.store(to.add((y * PIXELS + x) * t.pixels()));
                        }
                    }
                }
            }
        }
    }

    /// The product of a place's kernels and pixels.
    ///
    /// # Safety
    /// `pixels` and `out` hold the matrices.
    #[inline(always)]
    unsafe fn products<W: Wide<E = f32>>(&self, place: usize, pixels: *const f32, out: *mut f32) {
        let t = self.t;
        let used = self.lines.len() * t.frame[2].windows;
        for column in (0..used).step_by(panel::<W>()) {
            for first in (0..t.channels).step_by(t.depth) {
                // SAFETY: the matrices have these rows, and columns up to the end of a panel.
                unsafe {
                    let a = self.kernels.0.add(place * t.place() + first);
                    let b = pixels.add(place * t.pixels() + first * t.columns + column);
                    let out = out.add(place * t.results() + column);
                    let target = Target {
                        out,
                        out_row: t.columns,
                        alpha: 1.0,
                        start: if first > 0 { Some(View::new(out.cast_const(), t.columns as isize, 1)) } else { None },
                        rows: t.rows,
                        // Whole vectors: half a panel where the rest is no more.
                        columns: (used - column).next_multiple_of(W::N).min(panel::<W>()),
                    };
                    let depth = t.depth.min(t.channels - first);
                    column_of_tiles::<W>(depth, a, t.pitch, Even(b, t.columns as isize), target);
                }
            }
        }
    }

    /// A row of every place's matrix to results of a channel.
    ///
    /// # Safety
    /// `from` holds the matrices.
    #[inline(always)]
    unsafe fn results<W: Wide<E = f32>>(&self, row: usize, from: *const f32) {
        let t = self.t;
        let across = t.frame[2].windows;
        let [height, width] = t.sizes;
        // SAFETY: the bias has an element of each row.
        let bias = unsafe {
            W::splat(match &self.bias {
                Some(b) => *b.0.add(row),
                None => 0.0,
            })
        };
        for (i, line) in self.lines.clone().enumerate() {
            let (image, line) = (line / t.frame[1].windows, line % t.frame[1].windows);
            let out = self.out.0.wrapping_add(image * self.from_result);
            for first in (0..across).step_by(W::N) {
                // SAFETY: the matrices have these columns and as many behind them as a vector; the result has the lines and columns that are written.
                unsafe {
                    let from = from.add(row * t.columns + i * across + first);
                    let mut lines = [[W::splat(0.0); PIXELS]; RESULTS];
                    for x in 0..PIXELS {
                        let mut places = [W::splat(0.0); PIXELS];
                        for (y, v) in places.iter_mut().enumerate() {
                            *v = W::load(from.add((y * PIXELS + x) * t.results()));
                        }
                        for (line, v) in lines.iter_mut().zip(results(&places)) {
                            line[x] = v;
                        }
                    }
                    let left = (width - first * RESULTS).min(W::N * RESULTS);
                    // Zero times what is not finite is no number.
                    let mut check = W::splat(0.0);
                    for (y, values) in lines.iter().enumerate().take(height - line * RESULTS) {
                        let line = out.add((row * height + line * RESULTS + y) * width + first * RESULTS);
                        let mut apart = [[0f32; 16]; RESULTS];
                        for (v, apart) in results(values).iter().zip(&mut apart) {
                            let value = v.add(bias);
                            check = value.fma(W::splat(0.0), check);
                            value.store(apart.as_mut_ptr());
                        }
                        if left == 64 {
                            side_by_side(&apart, &mut *line.cast::<[f32; 64]>());
                        } else {
                            let mut together = [0f32; 64];
                            side_by_side(&apart, &mut together);
                            std::ptr::copy_nonoverlapping(together.as_ptr(), line, left);
                        }
                    }
                    let mut checks = [0f32; 16];
                    check.store(checks.as_mut_ptr());
                    let tiles = (across - first).min(W::N);
                    if checks[..tiles].iter().any(|c| c.is_nan()) {
                        self.spoilt.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }
}

/// Results of sixteen tiles in a line, in their order.
#[inline(always)]
fn side_by_side(apart: &[[f32; 16]; RESULTS], together: &mut [f32; 64]) {
    for (i, v) in together.iter_mut().enumerate() {
        *v = apart[i % RESULTS][i / RESULTS];
    }
}
