//! Images with their padding written out, the columns of equal remainder by the stride side by side: what an element of a kernel meets in a row of windows is a run
//! of memory then, whatever stride, padding and dilation are.

use crate::{Finish, Panels};
use sconce_parallel::simd::{Job, Real, Wide, run};
use sconce_parallel::vectorize::vectorize_widest;
use sconce_schema::geometry::{Axis, Frame};
use std::ops::Range;

/// What is convolved: batches of groups of channels.
#[derive(Clone, Copy)]
pub struct Images<E> {
    pub data: *const E,
    /// Distances of images, channels, and elements in the three dimensions.
    pub strides: [isize; 5],
    pub batch: usize,
    pub groups: usize,
    /// Channels of a group.
    pub channels: usize,
}

// SAFETY: a pointer to numbers that are only read.
unsafe impl<E: Send> Send for Images<E> {}
// SAFETY: as above.
unsafe impl<E: Sync> Sync for Images<E> {}

/// What convolves images, and what is done to results then.
#[derive(Clone, Copy)]
pub struct Filters<'a, E> {
    /// `[groups * rows, channels * kernel]`, row-major; of a transposed convolution `[groups * channels, rows * kernel]`.
    pub weights: *const E,
    /// An element for each result channel.
    pub bias: Option<*const E>,
    /// Result channels of a group.
    pub rows: usize,
    pub ready: Ready<E>,
    pub finish: Option<Finish<'a, E>>,
}

/// What was made of weights before, by a way that convolves by them again and again. Other ways do without.
#[derive(Clone, Copy)]
pub enum Ready<E> {
    Nothing,
    /// Of [`crate::direct`]: the weights, turned, as a second factor.
    Panels(Panels<E>),
    /// Of [`crate::winograd::transform`].
    Transformed(*const E),
}

// SAFETY: pointers to numbers that are only read.
unsafe impl<E: Send> Send for Ready<E> {}
// SAFETY: as above.
unsafe impl<E: Sync> Sync for Ready<E> {}

/// The layout of one padded channel.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    pub planes: usize,
    pub lines: usize,
    /// Elements of a line: columns of equal remainder together.
    pub line: usize,
    /// Columns of one remainder.
    pub share: usize,
}

impl Layout {
    pub fn new(f: &Frame) -> Option<Layout> {
        let need = |d: usize| {
            let windows = (f[d].windows - 1).checked_mul(f[d].stride)?;
            windows.checked_add((f[d].kernel - 1).checked_mul(f[d].dilation)?)?.checked_add(1)
        };
        let share = need(2)?.div_ceil(f[2].stride);
        let l = Layout { planes: need(0)?, lines: need(1)?, line: share.checked_mul(f[2].stride)?, share };
        l.planes.checked_mul(l.lines)?.checked_mul(l.line)?;
        Some(l)
    }
    /// The elements of a line's columns of one remainder that are pixels: element `i` is column `i * stride + phase - padding` of the image.
    pub fn pixels(&self, width: &Axis, phase: usize) -> Range<usize> {
        let first = width.padding.saturating_sub(phase).div_ceil(width.stride).min(self.share);
        first..(width.padding + width.image).saturating_sub(phase).div_ceil(width.stride).clamp(first, self.share)
    }

    /// Elements of a channel.
    pub fn channel(&self) -> usize {
        self.planes * self.lines * self.line
    }

    /// Where the first window of a line of windows begins.
    pub fn line_start(&self, f: &Frame, line: usize) -> usize {
        let (z, y) = (line / f[1].windows * f[0].stride, line % f[1].windows * f[1].stride);
        (z * self.lines + y) * self.line
    }
}

/// Elements that may be read behind a padded image.
pub(crate) const SLACK: usize = 64;

/// Whether the padded image is of reasonable size; padding can be made of nothing.
pub fn fits(f: &Frame, batch_channels: usize, results: usize) -> bool {
    Layout::new(f).is_some_and(|l| {
        let limit = f.pixels().saturating_add(results).saturating_mul(16).saturating_add(1 << 20);
        l.channel().checked_mul(batch_channels).is_some_and(|n| n <= limit)
    })
}

impl<E: Real> Images<E> {
    /// Where a channel, counted through all images, begins: its image, and it in there.
    pub(crate) fn channel(&self, index: usize) -> (isize, isize) {
        let channels = self.groups * self.channels;
        ((index / channels) as isize * self.strides[0], (index % channels) as isize * self.strides[1])
    }

    /// Writes lines of a padded channel, counted through all images: as many as the layout has, from the `first` of the channel on.
    ///
    /// # Safety
    /// There is such a channel, and `to` has room for the layout.
    pub(crate) unsafe fn pad(&self, index: usize, f: &Frame, l: &Layout, first: usize, to: &mut [E]) {
        let (image, channel) = self.channel(index);
        let [_, _, strides @ ..] = self.strides;
        // SAFETY: the caller's promise.
        unsafe {
            let lines = Lines { from: self.data.offset(image + channel), strides, f, l, first };
            match (f[2].stride, strides[2]) {
                // Of f64 it is not worth the code.
                (2, 1) if size_of::<E>() == 4 => run(Halves(lines, to)),
                _ => lines.write(to),
            }
        }
    }
}

/// Lines of a channel, which are written with their padding.
struct Lines<'a, E> {
    from: *const E,
    strides: [isize; 3],
    f: &'a Frame,
    l: &'a Layout,
    first: usize,
}

impl<E: Real> Lines<'_, E> {
    /// Where a line begins in the image, if it lies on it.
    #[inline(always)]
    fn of_image(&self, z: usize, y: usize) -> Option<*const E> {
        let inside = |i: usize, d: usize| i.checked_sub(self.f[d].padding).filter(|i| *i < self.f[d].image);
        let (z, y) = (inside(z, 0)?, inside(y + self.first, 1)?);
        Some(self.from.wrapping_offset(z as isize * self.strides[0] + y as isize * self.strides[1]))
    }

    /// # Safety
    /// `from` is a channel with these strides; `to` has room for the layout.
    unsafe fn write(&self, to: &mut [E]) {
        let (l, s) = (self.l, self.f[2].stride);
        for phase in 0..s {
            let pixels = l.pixels(&self.f[2], phase);
            let column = (pixels.start * s + phase) as isize - self.f[2].padding as isize;
            for (i, line) in to.chunks_exact_mut(l.line).enumerate() {
                let part = &mut line[phase * l.share..][..l.share];
                let (Some(from), false) = (self.of_image(i / l.lines, i % l.lines), pixels.is_empty()) else {
                    part.fill(E::zero());
                    continue;
                };
                part[..pixels.start].fill(E::zero());
                part[pixels.end..].fill(E::zero());
                // SAFETY: columns from the first to the last lie in the image.
                unsafe {
                    strided(
                        from.offset(column * self.strides[2]),
                        s as isize * self.strides[2],
                        &mut part[pixels.clone()],
                    )
                };
            }
        }
    }
}

/// The same at a stride of 2, of pixels side by side: both remainders at once.
struct Halves<'a, E>(Lines<'a, E>, &'a mut [E]);

impl<E: Real> Job<E> for Halves<'_, E> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = E>>(self) {
        let Halves(lines, to) = self;
        if !W::IN_REGISTERS {
            // SAFETY: the caller's promise.
            return unsafe { lines.write(to) };
        }
        let (l, width) = (lines.l, lines.f[2]);
        // The share of the image's first column, then that of its second.
        let even = width.padding % 2;
        let shares = [even, 1 - even].map(|phase| (phase * l.share, l.pixels(&width, phase)));
        let longest = shares[0].1.len().max(shares[1].1.len());
        let whole = (width.image / 2).min(shares[0].1.len().min(shares[1].1.len())) / W::N * W::N;
        for (i, line) in to.chunks_exact_mut(l.line).enumerate() {
            let Some(from) = lines.of_image(i / l.lines, i % l.lines) else {
                line.fill(E::zero());
                continue;
            };
            for (at, pixels) in &shares {
                line[*at..][..pixels.start].fill(E::zero());
                line[*at..][pixels.end..l.share].fill(E::zero());
            }
            for done in (0..whole).step_by(W::N) {
                // SAFETY: these columns lie in the image, and the shares have places for them.
                unsafe {
                    let from = from.add(2 * done);
                    for ((at, pixels), v) in shares.iter().zip(W::unzip([W::load(from), W::load(from.add(W::N))])) {
                        v.store(line.as_mut_ptr().add(at + pixels.start + done));
                    }
                }
            }
            let mut done = whole;
            while done < longest {
                let left = [2 * done, 2 * done + W::N].map(|c| width.image.saturating_sub(c).min(W::N));
                // SAFETY: these columns lie in the image, and the shares have places for those that are kept.
                unsafe {
                    let from = from.add((2 * done).min(width.image));
                    let pair = [W::load_part(from, left[0]), W::load_part(from.wrapping_add(W::N), left[1])];
                    for ((at, pixels), v) in shares.iter().zip(W::unzip(pair)) {
                        let places = pixels.len().saturating_sub(done);
                        if places > 0 {
                            v.store_left(line.as_mut_ptr().add(at + pixels.start + done), places);
                        }
                    }
                }
                done += W::N;
            }
        }
    }
}

/// Copies elements that lie `step` apart.
///
/// # Safety
/// They can be read.
pub(crate) unsafe fn strided<E: Real>(from: *const E, step: isize, to: &mut [E]) {
    /// With a step that the compiler knows, so that it loads vectors.
    #[inline(always)]
    unsafe fn known<E: Real, const STEP: usize>(from: *const E, to: &mut [E]) {
        vectorize_widest(
            #[inline(always)]
            // SAFETY: the caller's promise.
            move || to.iter_mut().enumerate().for_each(|(i, v)| *v = unsafe { *from.add(STEP * i) }),
        );
    }
    // SAFETY: the caller's promise.
    unsafe {
        match step {
            1 => std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), to.len()),
            2 => known::<E, 2>(from, to),
            4 => known::<E, 4>(from, to),
            _ => to.iter_mut().enumerate().for_each(|(i, v)| *v = *from.offset(i as isize * step)),
        }
    }
}
