//! Windows side by side in a line of pixels, as many as a vector has elements: which of them lie in the line, and their elements folded one after the other.

use sconce_parallel::scratch::{self, Scratch};
use sconce_parallel::simd::Wide;
use sconce_schema::geometry::Axis;
use std::ops::Range;

/// Whether there is code for each of the usual kernels: of f64, and where vectors are in no registers, it is not worth it.
#[inline(always)]
pub(crate) const fn has_own_code<W: Wide>() -> bool {
    W::IN_REGISTERS && size_of::<W::E>() <= 4
}

/// The windows of which every element lies in the line.
pub(crate) fn inside(a: &Axis) -> Range<usize> {
    let span = (a.kernel - 1) * a.dilation + 1;
    let first = a.padding.div_ceil(a.stride);
    let end = (a.padding + a.image).checked_sub(span).map_or(0, |last| last / a.stride + 1);
    first.min(a.windows)..end.clamp(first.min(a.windows), a.windows)
}

/// The windows that are not [`inside`]: their number, the first pixel that they meet, and how many.
pub(crate) fn borders(a: &Axis) -> Scratch<[usize; 3]> {
    let inside = inside(a);
    let mut borders = scratch::buffer::<[usize; 3]>(a.windows - inside.len());
    for (w, border) in (0..inside.start).chain(inside.end..a.windows).zip(borders.iter_mut()) {
        let met = a.elements(w);
        *border = [w, if met.is_empty() { 0 } else { a.place(w, met.start) }, met.len()];
    }
    borders
}

/// The elements of a vector of windows folded in their order, from `start` on if there is one, of this kernel, dilation and stride. If so many windows are left, no
/// pixel but theirs is read.
///
/// # Safety
/// The processor has this vector's features; the pixels can be read: all that vectors hold where it is not said how many are left.
#[inline(always)]
pub(crate) unsafe fn windows<W: Wide>(
    from: *const W::E,
    [kernel, dilation, stride]: [usize; 3],
    left: Option<usize>,
    start: Option<W>,
    fold: impl Fn(W, W) -> W,
) -> W {
    let n = left.unwrap_or(W::N);
    let pairs = stride == 2 && dilation == 1;
    // SAFETY: the caller's promise.
    unsafe {
        let mut folded = start.unwrap_or(W::splat(num_traits::Zero::zero()));
        let mut k = 0;
        while k < kernel {
            let from = from.wrapping_add(k * dilation);
            let both = pairs && k + 1 < kernel;
            let [this, next] = match (stride, left) {
                (1, None) => [W::load(from); 2],
                (2, None) => W::unzip([W::load(from), W::load(from.wrapping_add(W::N))]),
                (1, _) => [W::load_left(from, n); 2],
                // The next element of the kernel is between those of this one.
                (2, _) => {
                    let pixels = 2 * n - usize::from(!both);
                    let second = W::load_left(from.wrapping_add(W::N), pixels.saturating_sub(W::N));
                    W::unzip([W::load_left(from, pixels), second])
                }
                _ => [W::every(from, stride, n); 2],
            };
            folded = if k == 0 && start.is_none() { this } else { fold(folded, this) };
            folded = if both { fold(folded, next) } else { folded };
            k += 1 + usize::from(both);
        }
        folded
    }
}
