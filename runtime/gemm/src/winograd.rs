//! Convolutions by 3 x 3 elements with Winograd's minimal filtering F(4 x 4, 3 x 3): 36 products in place of 144 for sixteen results, with the same bits for every
//! number of threads and width of vectors.
//!
//! A tile of 6 x 6 pixels and a kernel are transformed, multiplied element by element and summed over channels (36 matrix products), and what comes out is
//! transformed to 4 x 4 results. The polynomials behind it are evaluated at 0, ±3/4, ±3/2 and infinity: all factors of pixels and results are exact in binary, and
//! the error against f64 stays about twice that of the direct sum, where the more usual 0, ±1, ±2 come to five times (`docs/decisions/winograd.md`).

use crate::finish::unbounded;
use crate::padded::{Filters, Images, Ready, strided};
use crate::tiles::{Even, SPARE, STREAMED, Target, column_of_tiles, panel};
use crate::{Done, Finish, LANES, View};
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
/// Fewer channels than this are no matrix worth the transforms.
const LEAST_CHANNELS: usize = 12;
/// No more channels are summed at once: sums of sums lose less, which makes up for what the transforms lose.
const DEEPEST: usize = 64;
/// Steps of a direct sum that a product of a place takes: these matrices have few columns.
const PRODUCT: f64 = 1.3;
/// Steps for every place that it takes to transform the pixels or results of a tile, of which an image's are in vectors of [`LANES`].
const TRANSFORM: f64 = 15.0;
/// The same of a kernel, which is written to as many places in memory.
const KERNEL: f64 = 9.0;

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
        let across = frame[2].windows;
        let bytes = PLACES * (channels + rows) * across * size_of::<f32>();
        // At least a panel of columns.
        let kernels = PLACES * channels * rows * size_of::<f32>();
        let lines = (AT_ONCE.max(kernels / 2) / bytes.max(1)).max(LANES.div_ceil(across));
        Some(Tiling {
            sizes: [height.windows, width.windows],
            channels,
            rows,
            pitch: channels.next_multiple_of(LANES),
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
        let lanes = n(batch) * n(self.frame.positions().next_multiple_of(LANES));
        let transforms = TRANSFORM * lanes * (channels + rows) + KERNEL * channels * rows;
        let products = PRODUCT * tiles * channels * rows;
        self.channels.min(self.rows) >= LEAST_CHANNELS && n(PLACES) * (products + transforms) < 0.87 * direct
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
    let (kernels, out) = (Sendable(kernels.cast_mut()), Sendable(out));
    let bias = bias.map(|b| Sendable(b.cast_mut()));
    let lines = x.batch * t.frame[1].windows;
    let blocks = lines.div_ceil(t.lines);
    // Too few blocks for all threads are each done by all of them.
    let together = x.groups * blocks < parallel::threads();
    let block = |i: usize| {
        let (kernels, out) = (&kernels, &out);
        let (group, block) = (i / blocks, i % blocks);
        // SAFETY: the images have these channels, the result these rows, of which every block writes its own lines.
        let block = unsafe {
            Block {
                t: &t,
                // As few blocks as fit, but of equal heights.
                lines: block * lines / blocks..(block + 1) * lines / blocks,
                images: x,
                group,
                kernels: Sendable(kernels.0.add(group * t.kernels())),
                bias: bias.as_ref().map(|b| Sendable(b.0.add(group * rows))),
                out: Sendable(out.0.add(group * rows * t.sizes[0] * t.sizes[1])),
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
    images: &'a Images<f32>,
    group: usize,
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
        let mut room = Room::new(self.block.t, matches!(self.step, Step::Pixels));
        for part in self.parts {
            // SAFETY: the buffers hold what is written and read.
            unsafe {
                match self.step {
                    Step::Pixels => self.block.pixels::<W>(part, &mut room, self.pixels),
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

/// Lines of tiles of one image.
struct OfImage {
    image: usize,
    lines: Range<usize>,
    /// Tiles of the block before them.
    before: usize,
}

/// Where the pixels of a channel are brought in order.
struct Room {
    /// Lines with their padding: those of the tiles, and two more.
    padded: scratch::Scratch<f32>,
    pitch: usize,
    /// For each of a tile's lines by its remainder, and each of its columns, those pixels of all tiles side by side, line after line of tiles: a vector of tiles is
    /// then a run of memory, however few of them a line has.
    by_place: scratch::Scratch<f32>,
    from_place: usize,
}

impl Room {
    fn new(t: &Tiling, is_used: bool) -> Room {
        let [_, height, width] = &t.frame.0;
        let lines = if is_used { t.lines.min(height.windows) } else { 0 };
        let pitch = (width.windows * RESULTS + 2).next_multiple_of(LANES);
        let from_place = (lines + 1) * width.windows;
        Room {
            // What a vector reads beyond the last ones is of tiles that do not exist.
            padded: scratch::zeros((lines * RESULTS + 2) * pitch + 5 * LANES),
            pitch,
            by_place: scratch::zeros(RESULTS * PIXELS * from_place + LANES),
            from_place,
        }
    }

    /// The pixels of a channel at a place of a tile, for the tile at this number and those that follow it.
    #[inline(always)]
    fn at(&self, y: usize, x: usize, across: usize, tile: usize) -> *const f32 {
        let place = (y % RESULTS * PIXELS + x) * self.from_place;
        self.by_place.as_ptr().wrapping_add(place + y / RESULTS * across + tile)
    }
}

impl Block<'_> {
    /// The block's lines of tiles, image by image.
    fn parts(&self) -> impl Iterator<Item = OfImage> {
        let (down, across) = (self.t.frame[1].windows, self.t.frame[2].windows);
        let Range { start, end } = self.lines;
        (start / down..end.div_ceil(down)).map(move |image| {
            let first = image * down;
            let lines = start.max(first) - first..end.min(first + down) - first;
            OfImage { image, before: (first + lines.start - start) * across, lines }
        })
    }

    /// Finishes the lines of a channel's results.
    fn finish(&self, row: usize) {
        let Some(finish) = self.finish.filter(|f| f.bounds().is_none()) else { return };
        let [height, width] = self.t.sizes;
        for part in self.parts() {
            let (first, end) = (part.lines.start * RESULTS, (part.lines.end * RESULTS).min(height));
            let out = self.out.0.wrapping_add(part.image * self.from_result + (row * height + first) * width);
            finish.run(Done { out, out_row: width, rows: 1, columns: (end - first) * width });
        }
    }

    /// Brings a channel's pixels of some lines of tiles in order.
    ///
    /// # Safety
    /// The image has this channel; the processor has this vector's features.
    #[inline(always)]
    unsafe fn bring<W: Wide<E = f32>>(&self, channel: usize, part: &OfImage, room: &mut Room) {
        let [_, height, width] = &self.t.frame.0;
        let x = self.images;
        let (image, channel) = x.channel((part.image * x.groups + self.group) * x.channels + channel);
        let needed = part.lines.len() * RESULTS + 2;
        for line in 0..needed {
            let to = &mut room.padded[line * room.pitch..][..room.pitch];
            match (part.lines.start * RESULTS + line).checked_sub(height.padding).filter(|y| *y < height.image) {
                // SAFETY: the image has this line.
                Some(y) => unsafe {
                    let from = x.data.offset(image + channel + y as isize * x.strides[3]);
                    let wide = width.image.min(room.pitch - width.padding);
                    strided(from, x.strides[4], &mut to[width.padding..][..wide]);
                },
                None => to.fill(0.0),
            }
        }
        let across = width.windows;
        for line in 0..needed {
            for first in (0..across).step_by(W::N) {
                // SAFETY: the buffers have these lines, and a few vectors behind them.
                unsafe {
                    let from = room.padded.as_ptr().add(line * room.pitch + first * RESULTS);
                    let to = room.by_place.as_mut_ptr();
                    let to = to.add(line % RESULTS * PIXELS * room.from_place + line / RESULTS * across + first);
                    let [a, b, c, d] = every_fourth::<W>(from);
                    let [e, f, ..] = every_fourth::<W>(from.add(RESULTS));
                    for (place, v) in [a, b, c, d, e, f].into_iter().enumerate() {
                        v.store_left(to.add(place * room.from_place), across - first);
                    }
                }
            }
        }
    }

    /// A channel's tiles to its row of every place's matrix.
    ///
    /// # Safety
    /// `to` holds the matrices.
    #[inline(always)]
    unsafe fn pixels<W: Wide<E = f32>>(&self, channel: usize, room: &mut Room, to: *mut f32) {
        let t = self.t;
        let across = t.frame[2].windows;
        for part in self.parts() {
            // SAFETY: the block is of these images.
            unsafe { self.bring::<W>(channel, &part, room) };
            for tile in (0..part.lines.len() * across).step_by(W::N) {
                // SAFETY: what a vector writes beyond the last tile of an image the next image's write again.
                unsafe {
                    let to = to.add(channel * t.columns + part.before + tile);
                    let mut lines = [[W::splat(0.0); PIXELS]; PIXELS];
                    for (y, line) in lines.iter_mut().enumerate() {
                        for (x, v) in line.iter_mut().enumerate() {
                            *v = W::load(room.at(y, x, across, tile));
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
                        bounds: unbounded(),
                        far: false,
                    };
                    let depth = t.depth.min(t.channels - first);
                    column_of_tiles::<W, STREAMED>(depth, a, t.pitch, Even(b, t.columns as isize), target);
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
        // SAFETY: the bias has an element of each row.
        let bias = unsafe {
            W::splat(match &self.bias {
                Some(b) => *b.0.add(row),
                None => 0.0,
            })
        };
        let bounds = self.finish.and_then(|f| f.bounds());
        let [low, high] = bounds.unwrap_or(unbounded());
        for part in self.parts() {
            let tiles = part.lines.len() * across;
            for tile in (0..tiles).step_by(W::N) {
                // SAFETY: the matrices have these columns and as many behind them as a vector; the result has the lines and columns that are written.
                unsafe {
                    let from = from.add(row * t.columns + part.before + tile);
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
                    // Zero times what is not finite is no number.
                    let mut check = W::splat(0.0);
                    let mut together = [[0f32; RESULTS * LANES]; RESULTS];
                    for (values, together) in lines.iter().zip(&mut together) {
                        let mut apart = [[0f32; LANES]; RESULTS];
                        for (v, apart) in results(values).iter().zip(&mut apart) {
                            let value = v.add(bias);
                            check = value.fma(W::splat(0.0), check);
                            value.clamp(W::splat(low), W::splat(high)).store(apart.as_mut_ptr());
                        }
                        side_by_side(&apart, together);
                    }
                    let n = (tiles - tile).min(W::N);
                    self.write(row, &part, tile..tile + n, &together);
                    let mut checks = [0f32; LANES];
                    check.store(checks.as_mut_ptr());
                    if checks[..n].iter().any(|c| c.is_nan()) {
                        self.spoilt.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// Writes the results of tiles that follow one another, of each of their lines those of all tiles side by side.
    ///
    /// # Safety
    /// The channel has room for them.
    #[inline(always)]
    unsafe fn write(&self, row: usize, part: &OfImage, tiles: Range<usize>, lines: &[[f32; RESULTS * LANES]; RESULTS]) {
        let across = self.t.frame[2].windows;
        let [height, width] = self.t.sizes;
        let out = self.out.0.wrapping_add(part.image * self.from_result + row * height * width);
        let mut tile = tiles.start;
        while tile < tiles.end {
            let (line, column) = (tile / across, tile % across);
            let n = (across - column).min(tiles.end - tile);
            let (first, column) = ((part.lines.start + line) * RESULTS, column * RESULTS);
            let left = (width - column).min(n * RESULTS);
            for (y, values) in lines.iter().enumerate().take(height - first) {
                let to = out.wrapping_add((first + y) * width + column);
                let from = values[(tile - tiles.start) * RESULTS..].as_ptr();
                // SAFETY: the caller's promise; a run of tiles is no longer than the values.
                unsafe {
                    if left == RESULTS * LANES {
                        *to.cast::<[f32; RESULTS * LANES]>() = *values;
                    } else {
                        std::ptr::copy_nonoverlapping(from, to, left);
                    }
                }
            }
            tile += n;
        }
    }
}

/// Every fourth of 64 elements, beginning at each of the first four.
///
/// # Safety
/// There are so many; the processor has this vector's features.
#[inline(always)]
unsafe fn every_fourth<W: Wide<E = f32>>(from: *const f32) -> [W; RESULTS] {
    // SAFETY: the caller's promise.
    unsafe {
        let load = |i: usize| W::load(from.add(i * W::N));
        let [even, odd] = W::unzip([load(0), load(1)]);
        let [later_even, later_odd] = W::unzip([load(2), load(3)]);
        let [[a, c], [b, d]] = [W::unzip([even, later_even]), W::unzip([odd, later_odd])];
        [a, b, c, d]
    }
}

/// Results of sixteen tiles, in their order.
#[inline(always)]
fn side_by_side(apart: &[[f32; LANES]; RESULTS], together: &mut [f32; RESULTS * LANES]) {
    for (i, v) in together.iter_mut().enumerate() {
        *v = apart[i % RESULTS][i / RESULTS];
    }
}
