//! Convolutions with channels in the elements of vectors: every pixel is read where it lies and meets all channels of a panel of the weights, so that windows are
//! not gathered. The bits are those of the direct sum.

use crate::finish::unbounded;
use crate::implicit_gemm::{self, as_they_lie, distances, is_of_pixels, pixels_of};
use crate::padded::{Filters, Images, Layout, SLACK};
use crate::tiles::{columns_turned, panel};
use crate::{Done, LANES, NEAR, Panels, View, depth, lines};
use sconce_parallel::simd::{Job, Wide, prefetch, run};
use sconce_parallel::{self as parallel, Sendable, scratch};
use sconce_schema::geometry::Frame;
use std::ops::Range;

/// Windows side by side that are summed at once; the most leave registers for a panel's row and a pixel.
const PIXELS: [usize; 5] = [14, 10, 7, 5, 4];
/// The same of three vectors of channels.
const OF_THREE: [usize; 3] = [9, 7, 4];
/// The same where a panel's row takes more registers.
const FEWER: [usize; 1] = [4];
/// Fewer rows and elements of the depth are no panel.
const LEAST: usize = 9;
/// Windows whose sums wait for the next piece of the depth, about: a piece of a panel is read once for all of them.
const AT_ONCE: usize = 112;
/// Multiplications that a piece of work has at least.
const GRAIN: usize = 1 << 20;
/// Steps that it takes to turn a vector of results.
const TURN: usize = 20;

/// Whether it takes fewer steps than the other ways: products of a vector with a number. `channels` and `rows` are a group's; machines do not matter, since ways
/// differ in the last bits.
pub fn takes(f: &Frame, groups: usize, channels: usize, rows: usize) -> bool {
    let (cut, k) = (Cut::new(lines_of(f), true, rows), channels * f.area());
    if groups != 1 || k < LEAST || rows < LEAST || cut.columns < PIXELS[4] {
        return false;
    }
    // A last vector that is alone, which only the largest tile has code for, reads as many pixels as two would.
    let alone = cut.pixels == PIXELS[0] && (1..=LANES).contains(&(rows % (2 * LANES)));
    let tenths = match (cut.vectors, alone) {
        (2, true) => rows / (2 * LANES) * 20 + 12,
        (vectors, _) => rows.div_ceil(vectors * LANES) * vectors * 10,
    };
    let steps = cut.tiles * cut.pixels * (k + TURN) * tenths / 10;
    let others = implicit_gemm::steps(f, channels, rows).min(lines::steps(f, channels, rows));
    steps < others
}

/// Whether panels are as this machine reads them.
pub(crate) fn reads(panels: &Panels<f32>) -> bool {
    run(Columns) == Some(panels.columns())
}

/// Whether there is code for this machine.
pub(crate) fn has_code() -> bool {
    run(Columns).is_some()
}

/// Columns of a panel; where vectors are not in registers there is no code for them.
struct Columns;

impl Job<f32> for Columns {
    type Output = Option<usize>;
    #[inline(always)]
    unsafe fn run<W: Wide<E = f32>>(self) -> Option<usize> {
        W::IN_REGISTERS.then(panel::<W>)
    }
}

/// The layout of images in which all windows lie, elements of a line side by side: they are read where they are.
fn in_place(x: &Images<f32>, f: &Frame, padded: &Layout) -> Option<Layout> {
    let image = f.each(|a| a.image);
    let inside = [padded.planes, padded.lines, padded.line].iter().zip(image).all(|(needed, image)| *needed <= image);
    let plain = f[2].stride == 1 && f.0.iter().all(|a| a.padding == 0) && x.strides[4] == 1;
    let packed = [(2, image[0], image[1] * image[2]), (3, image[1], image[2])];
    let packed = packed.iter().all(|(d, many, step)| *many == 1 || x.strides[*d] == *step as isize);
    (inside && plain && packed).then_some(Layout { planes: image[0], lines: image[1], line: image[2], share: image[2] })
}

/// Lines of windows that follow one another in memory, and windows of a line. Windows of one pixel each are all one line.
fn lines_of(f: &Frame) -> [usize; 2] {
    if is_of_pixels(f) { [1, f.positions()] } else { [f[0].windows * f[1].windows, f[2].windows] }
}

/// Convolves: as [`implicit_gemm::convolve`].
///
/// # Safety
/// As there, and [`takes`] and [`reads`] say so; the panels are those of the weights, turned, of the only group.
pub(crate) unsafe fn convolve(
    x: &Images<f32>,
    f: &Frame,
    filters: &Filters<'_, f32>,
    panels: Panels<f32>,
    out: *mut f32,
) {
    let Some(padded) = Layout::new(f) else { return };
    let (positions, rows, k) = (f.positions(), filters.rows, x.channels * f.area());
    let [lines, columns] = lines_of(f);
    let (one, within) = (is_of_pixels(f), in_place(x, f, &padded));
    let (lies, layout) = (as_they_lie(x, f) || within.is_some(), within.unwrap_or(padded));
    // Pixels of a channel, where they are copied, and from one channel to the next.
    let copied = if lies {
        0
    } else if one {
        positions
    } else {
        layout.channel()
    };
    let channel = if lies { x.strides[1] } else { copied as isize };
    let of_channel = distances(f, &layout, 1);
    let of = |c: usize| of_channel.iter().map(move |d| c as isize * channel + *d as isize);
    let distances: Vec<_> = (0..x.channels).flat_map(of).collect();
    let cut = Cut::new([lines, columns], panels.columns() > LANES, rows);
    let width = cut.vectors * LANES;
    let start = |line: usize| if one { 0 } else { layout.line_start(f, line) };
    let mut image = scratch::buffer::<f32>(x.channels * copied + SLACK);
    let bias = filters.bias.map(|b| View::new(b, 0, 1));
    let bounds = filters.finish.and_then(|f| f.bounds());
    let finish = filters.finish.filter(|_| bounds.is_none());
    let across = rows.div_ceil(width);
    let pieces = cut.pieces();
    let results = cut.tiles.div_ceil(pieces) * cut.pixels * width;
    let (each, near) = (results * k, (NEAR / size_of::<f32>()).div_ceil(results));
    for batch in 0..x.batch {
        let base = Sendable(image.as_mut_ptr());
        let pad = |range: Range<usize>| {
            let base = &base;
            for c in range {
                // SAFETY: every channel has its own part of the buffer.
                unsafe {
                    let to = std::slice::from_raw_parts_mut(base.0.add(c * copied), copied);
                    match one {
                        true => pixels_of(x, batch * x.channels + c, f, to),
                        false => x.pad(batch * x.channels + c, f, &layout, 0, to),
                    }
                }
            }
        };
        let image = if lies {
            Sendable(x.data.wrapping_offset(batch as isize * x.strides[0]).cast_mut())
        } else {
            parallel::split(x.channels, (1usize << 17).div_ceil(copied), pad);
            Sendable(base.0)
        };
        let to = Sendable(out.wrapping_add(batch * rows * positions));
        // Pieces of the same channels follow one another, so that many results are finished at once.
        parallel::split(pieces * across, GRAIN.div_ceil(each), |range| {
            let (image, to) = (&image, &to);
            let mut i = range.start;
            while i < range.end {
                let (first, piece) = (i / pieces * width, i % pieces);
                let channels = first..rows.min(first + width);
                let done = |tiles: Range<usize>| {
                    let windows = cut.first(tiles.start)..cut.first(tiles.end);
                    let out = to.0.wrapping_add(first * positions + windows.start);
                    Done { out, out_row: positions, rows: channels.len(), columns: windows.len() }
                };
                let together = (range.end - i).min(pieces - piece).min(near);
                for tiles in (piece..piece + together).map(|piece| cut.piece(piece)) {
                    run(Part {
                        cut: &cut,
                        done: done(tiles.clone()),
                        tiles,
                        first,
                        k,
                        image: image.0,
                        distances: &distances,
                        start: &start,
                        panels,
                        bias,
                        bounds: bounds.unwrap_or(unbounded()),
                    });
                }
                finish.inspect(|f| f.run(done(cut.piece(piece).start..cut.piece(piece + together - 1).end)));
                i += together;
            }
        });
    }
}

/// How lines of windows are cut into tiles: a line's last tile ends where the line does, and repeats some of the tile before.
struct Cut {
    columns: usize,
    /// Of a tile.
    pixels: usize,
    of_line: usize,
    tiles: usize,
    /// Vectors of channels that are summed at once.
    vectors: usize,
}

impl Cut {
    /// By as few tiles and windows as it takes. Three vectors of channels, if there are no more, are summed at once.
    fn new([lines, columns]: [usize; 2], many: bool, channels: usize) -> Cut {
        let (choice, vectors): (&[usize], _) = match many {
            true if channels.div_ceil(LANES) == 3 => (&OF_THREE, 3),
            true => (&PIXELS, 2),
            false => (&FEWER, 1),
        };
        let steps = |n: &usize| columns.div_ceil(*n) * (n + 1);
        let pixels = choice.iter().copied().filter(|n| *n <= columns).min_by_key(steps).unwrap_or(columns);
        let of_line = columns.div_ceil(pixels);
        Cut { columns, pixels, of_line, tiles: lines * of_line, vectors }
    }

    /// Pieces of neighbouring tiles.
    fn pieces(&self) -> usize {
        (self.tiles * self.pixels).div_ceil(AT_ONCE)
    }

    fn piece(&self, i: usize) -> Range<usize> {
        let pieces = self.pieces();
        i * self.tiles / pieces..(i + 1) * self.tiles / pieces
    }

    /// The first window of a tile that no tile before has.
    fn first(&self, tile: usize) -> usize {
        tile / self.of_line * self.columns + (tile % self.of_line * self.pixels).min(self.columns)
    }
}

/// Some windows of some channels, on one thread.
struct Part<'a, S> {
    cut: &'a Cut,
    tiles: Range<usize>,
    /// The first channel, with which a panel begins.
    first: usize,
    k: usize,
    image: *const f32,
    /// From a window's beginning to what each element of the depth meets.
    distances: &'a [isize],
    /// Where a line of windows begins in the image.
    start: &'a S,
    panels: Panels<f32>,
    bias: Option<View<f32>>,
    done: Done<f32>,
    bounds: [f32; 2],
}

impl<S: Fn(usize) -> usize> Job<f32> for Part<'_, S> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = f32>>(self) {
        if !W::IN_REGISTERS {
            return;
        }
        let (panel, cut) = (panel::<W>(), self.cut);
        let width = cut.vectors * W::N;
        let (begin, depth) = (cut.first(self.tiles.start), depth(self.k));
        let mut sums = scratch::buffer::<f32>((self.done.columns + LANES) * width);
        let piece = |first: usize| first..self.k.min(first + depth);
        for first in (0..self.k).step_by(depth) {
            let k = piece(first);
            // Each tile asks for its share of the panel that is read next, while this one is in a cache.
            let next = match piece(k.end) {
                next if next.is_empty() => self.panels.at(piece(0), self.first + panel),
                next => self.panels.at(next, self.first),
            };
            let ahead = panel / self.tiles.len();
            for (i, tile) in self.tiles.clone().enumerate() {
                let (line, at) = (tile / cut.of_line, tile % cut.of_line * cut.pixels);
                let column = at.min(cut.columns - cut.pixels);
                let to = (cut.first(tile) - begin) * width;
                // SAFETY: the windows lie in the image, the channels in the panel, whose rows are whole; sums have a place for each window.
                unsafe {
                    let t = Tile {
                        from: self.image.add((self.start)(line) + column),
                        distances: &self.distances[k.clone()],
                        panels: [0, panel].map(|more| self.panels.at(k.clone(), self.first + more)),
                        next: next.wrapping_add(i * k.len() * ahead),
                        ahead,
                        bias: self.bias.map(|b| b.from(0, self.first).data),
                        channels: self.done.rows,
                        is_first: first == 0,
                        bounds: if k.end == self.k { self.bounds } else { unbounded() },
                        again: at - column,
                        width,
                        sums: sums[to..].as_mut_ptr(),
                    };
                    match cut.pixels {
                        9 if W::MANY => t.sum::<W, 9, 3>(),
                        7 if W::MANY && cut.vectors == 3 => t.sum::<W, 7, 3>(),
                        4 if W::MANY && cut.vectors == 3 => t.sum::<W, 4, 3>(),
                        14 if W::MANY && self.done.rows > W::N => t.sum::<W, 14, 2>(),
                        14 if W::MANY => t.sum::<W, 14, 1>(),
                        10 if W::MANY => t.sum::<W, 10, 2>(),
                        7 if W::MANY => t.sum::<W, 7, 2>(),
                        5 if W::MANY => t.sum::<W, 5, 2>(),
                        4 if W::MANY => t.sum::<W, 4, 2>(),
                        4 => t.sum::<W, 4, 1>(),
                        _ => {}
                    }
                }
            }
        }
        // SAFETY: the sums are complete; the result has these channels and windows.
        unsafe { self.turn::<W>(sums.as_ptr()) };
    }
}

impl<S> Part<'_, S> {
    /// Writes sums, in which channels are side by side, to the result, in which windows are.
    ///
    /// # Safety
    /// The processor has this vector's features; the result has these channels and windows, and a vector of windows can be read behind the last.
    #[inline(always)]
    unsafe fn turn<W: Wide<E = f32>>(&self, sums: *const f32) {
        let (width, Done { out, out_row, rows, columns }) = (self.cut.vectors * W::N, &self.done);
        // SAFETY: the caller's promise.
        unsafe {
            if !W::MANY {
                return columns_turned::<W>(View::new(sums, 1, width as isize), *rows, *columns, *out, *out_row);
            }
            // Few rows at once, and of them whole lines of memory: they may be so far apart that few lines stay in a cache.
            for c in (0..*rows).step_by(4) {
                for p in (0..*columns).step_by(W::N) {
                    let out = out.add(c * out_row + p);
                    for (j, v) in W::fours(sums.add(p * width + c), width).into_iter().enumerate().take(rows - c) {
                        v.store_left(out.add(j * out_row), columns - p);
                    }
                }
            }
        }
    }
}

/// Windows side by side, and a piece of the depth.
struct Tile<'a> {
    from: *const f32,
    distances: &'a [isize],
    /// A row of channels for each element of the depth, and those that follow where a panel's are too few.
    panels: [*const f32; 2],
    /// What is asked for in the meantime, and how many elements of it for each element of the depth.
    next: *const f32,
    ahead: usize,
    bias: Option<*const f32>,
    channels: usize,
    is_first: bool,
    /// Of what is summed then.
    bounds: [f32; 2],
    /// Windows that the tile before has too.
    again: usize,
    /// From the sums of a window to those of the next.
    width: usize,
    sums: *mut f32,
}

impl Tile<'_> {
    /// `P` windows of `C` vectors of channels.
    ///
    /// # Safety
    /// All can be read and written; the processor has this vector's features.
    #[inline(always)]
    unsafe fn sum<W: Wide<E = f32>, const P: usize, const C: usize>(&self) {
        let panel = panel::<W>();
        // SAFETY: the caller's promise.
        unsafe {
            let mut sum = [[W::splat(0.0); C]; P];
            for (i, d) in self.distances.iter().enumerate() {
                let of_panel = panel / W::N;
                let row = |c: usize| self.panels[c / of_panel].add(i * panel + c % of_panel * W::N);
                let v: [W; C] = std::array::from_fn(|c| W::load(row(c)));
                prefetch(self.next.wrapping_add(i * self.ahead));
                let pixel = self.from.offset(*d);
                for (p, sum) in sum.iter_mut().enumerate() {
                    let x = W::splat(*pixel.add(p));
                    for (sum, v) in sum.iter_mut().zip(v) {
                        *sum = x.fma(v, *sum);
                    }
                }
            }
            let bias: [W; C] = std::array::from_fn(|c| match (self.bias, self.channels.checked_sub(c * W::N)) {
                (Some(b), Some(left)) if left > 0 => W::load_left(b.add(c * W::N), left),
                _ => W::splat(0.0),
            });
            let [low, high] = [W::splat(self.bounds[0]), W::splat(self.bounds[1])];
            let with_bias = self.bias.is_some();
            for (p, sum) in sum.iter().enumerate() {
                let Some(at) = p.checked_sub(self.again) else { continue };
                for (c, sum) in sum.iter().enumerate() {
                    let to = self.sums.add(at * self.width + c * W::N);
                    let sum = match (self.is_first, with_bias) {
                        (true, false) => *sum,
                        (true, true) => sum.add(bias[c]),
                        (false, _) => sum.add(W::load(to)),
                    };
                    sum.clamp(low, high).store(to);
                }
            }
        }
    }
}
