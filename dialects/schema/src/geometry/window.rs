//! Windows over the spatial dimensions of an image: how far each reaches, how many fit, which elements each reads, and how large an image they spread over.

use crate::dim::Dim;
use crate::shape::Sizes;
use smallvec::SmallVec;
use std::ops::Range;

/// Sizes beyond 64 bits are refused when memory is asked for.
fn narrow(n: i128) -> Dim {
    Dim::Known(n.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64)
}

/// A window and how it moves along one dimension. Whoever has one knows that stride and dilation are above 0, and the padding is not below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// How many elements of the image a window takes.
    pub kernel: Dim,
    /// From one window to the next.
    pub stride: i64,
    /// What the image is lengthened by, before and behind.
    pub padding: (i64, i64),
    /// From one element of a window to the next.
    pub dilation: i64,
    /// Windows that hang over the end count too, where they begin inside the image or before it.
    pub ceil: bool,
}

impl Window {
    /// A window that moves by one over an image as it is.
    pub fn plain(kernel: Dim) -> Window {
        Window { kernel, stride: 1, padding: (0, 0), dilation: 1, ceil: false }
    }

    /// From its first to its last element, both included.
    pub fn reach(&self) -> Dim {
        self.kernel.minus(1).times(self.dilation).plus(1)
    }

    /// What lies around the image, before and behind.
    fn around(&self) -> i64 {
        self.padding.0.saturating_add(self.padding.1)
    }

    /// How many windows fit an image: `(size + padding - reach) / stride + 1`.
    pub fn count(&self, size: Dim) -> Dim {
        let stride = i128::from(self.stride.max(1));
        let extra = if self.ceil { stride - 1 } else { 0 };
        if let (Dim::Known(size), Dim::Known(kernel)) = (size, self.kernel) {
            let (size, before, behind) = (i128::from(size), i128::from(self.padding.0), i128::from(self.padding.1));
            let span = size + before + behind - i128::from(self.dilation) * (i128::from(kernel) - 1) - 1 + extra;
            let count = span.div_euclid(stride) + 1;
            let beyond = self.ceil && (count - 1) * stride >= size + before;
            return narrow(count - i128::from(beyond));
        }
        let padded = size.plus(self.around()).minus(self.reach());
        let count = padded.plus(extra as i64).over(self.stride).plus(1);
        if self.ceil && self.stride > 1 {
            return count.least(size.plus(self.padding.0).minus(1).over(self.stride).plus(1));
        }
        count
    }

    /// The size of the image that so many windows are spread over, as a transposed convolution does it, and `extra` elements behind.
    pub fn spread(&self, windows: Dim, extra: i64) -> Dim {
        if let (Dim::Known(n), Dim::Known(kernel)) = (windows, self.kernel) {
            let (before, behind) = (i128::from(self.padding.0), i128::from(self.padding.1));
            let moved = (i128::from(n) - 1) * i128::from(self.stride) - before - behind;
            return narrow(moved + i128::from(self.dilation) * (i128::from(kernel) - 1) + i128::from(extra) + 1);
        }
        let moved = windows.minus(1).times(self.stride).minus(self.around());
        moved.plus(self.reach()).plus(extra)
    }

    /// The same windows without rounding up: what the last ones lack is padding behind. `None` where it takes sizes to know.
    pub fn whole(&self, size: Dim) -> Option<Window> {
        if !self.ceil {
            return Some(*self);
        }
        let end = (self.count(size).known()? - 1).checked_mul(self.stride)?.checked_add(self.reach().known()?)?;
        let lacks = end.checked_sub(size.known()?)?.checked_sub(self.padding.0)?;
        Some(Window { padding: (self.padding.0, self.padding.1.max(lacks)), ceil: false, ..*self })
    }

    /// Over an image of this size with so many windows. What is below 0 is 0.
    pub fn axis(&self, image: i64, windows: i64) -> Axis {
        let size = |n: i64| usize::try_from(n).unwrap_or(0);
        Axis {
            image: size(image),
            kernel: size(self.kernel.known().unwrap_or(0)),
            stride: size(self.stride),
            padding: size(self.padding.0),
            dilation: size(self.dilation),
            windows: size(windows),
        }
    }
}

/// The windows of a call, one for each spatial dimension, the last dimension last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Windows(pub SmallVec<[Window; 3]>);

impl Windows {
    /// How many fit each of the last dimensions.
    pub fn counts(&self, sizes: &[Dim]) -> Sizes {
        let first = sizes.len().saturating_sub(self.0.len());
        self.0.iter().zip(&sizes[first..]).map(|(w, s)| w.count(*s)).collect()
    }

    /// Lists of one value for each dimension, of all windows.
    pub fn list(&self, of: impl Fn(&Window) -> Dim) -> Sizes {
        self.0.iter().map(of).collect()
    }

    /// Over the last dimensions of an image, so many in each of the result's last dimensions. Of more than three dimensions the last three count.
    pub fn frame(&self, image: &[i64], windows: &[i64]) -> Frame {
        let mut axes = [Axis::ONE; 3];
        let sizes = image.iter().rev().zip(windows.iter().rev());
        for (axis, (window, (image, windows))) in axes.iter_mut().rev().zip(self.0.iter().rev().zip(sizes)) {
            *axis = window.axis(*image, *windows);
        }
        Frame(axes)
    }
}

/// Windows along one dimension of an image, all of whose numbers are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axis {
    pub image: usize,
    /// Elements of a window.
    pub kernel: usize,
    pub stride: usize,
    /// What lies before the image.
    pub padding: usize,
    pub dilation: usize,
    /// How many windows there are.
    pub windows: usize,
}

impl Axis {
    /// One element, one window.
    pub const ONE: Axis = Axis { image: 1, kernel: 1, stride: 1, padding: 0, dilation: 1, windows: 1 };

    /// The elements of window `w` that lie on the image.
    #[inline(always)]
    pub fn elements(&self, w: usize) -> Range<usize> {
        let start = w.saturating_mul(self.stride);
        let first = self.padding.saturating_sub(start).div_ceil(self.dilation);
        let last = (self.image + self.padding).saturating_sub(start).div_ceil(self.dilation).min(self.kernel);
        first..last.max(first)
    }

    /// The windows whose element `k` lies on the image.
    #[inline(always)]
    pub fn windows_of(&self, k: usize) -> Range<usize> {
        let ahead = k.saturating_mul(self.dilation);
        let first = self.padding.saturating_sub(ahead).div_ceil(self.stride).min(self.windows);
        let last = (self.image + self.padding).saturating_sub(ahead).div_ceil(self.stride).min(self.windows);
        first..last.max(first)
    }

    /// The elements that lie on the image in some window.
    #[inline(always)]
    pub fn met(&self) -> Range<usize> {
        let last = self.windows.saturating_sub(1).saturating_mul(self.stride);
        let first = self.padding.saturating_sub(last).div_ceil(self.dilation);
        first..(self.image + self.padding).div_ceil(self.dilation).min(self.kernel).max(first)
    }

    /// Where element `k` of window `w` lies, which is on the image.
    #[inline(always)]
    pub fn place(&self, w: usize, k: usize) -> usize {
        w * self.stride + k * self.dilation - self.padding
    }

    /// Where element `k` of window `w` lies, if on the image.
    #[inline(always)]
    pub fn on_image(&self, w: usize, k: usize) -> Option<usize> {
        let at = w.saturating_mul(self.stride).saturating_add(k.saturating_mul(self.dilation));
        at.checked_sub(self.padding).filter(|at| *at < self.image)
    }

    /// What window `w` takes of the image, where its elements are neighbours.
    #[inline(always)]
    pub fn span(&self, w: usize) -> Range<usize> {
        let elements = self.elements(w);
        if elements.is_empty() { 0..0 } else { self.place(w, elements.start)..self.place(w, elements.end - 1) + 1 }
    }

    /// How many elements window `w` takes of the image and of as much padding on each side of it, where they are neighbours.
    #[inline(always)]
    pub fn with_padding(&self, w: usize) -> usize {
        let start = w * self.stride;
        (start + self.kernel).min(self.image + 2 * self.padding).saturating_sub(start)
    }
}

/// Windows over an image, in three dimensions: those that are missing come first and have one element and one window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame(pub [Axis; 3]);

impl Frame {
    fn product(&self, of: impl Fn(&Axis) -> usize) -> usize {
        self.0.iter().map(of).fold(1, usize::saturating_mul)
    }

    /// Elements of the image.
    pub fn pixels(&self) -> usize {
        self.product(|a| a.image)
    }

    /// Windows.
    pub fn positions(&self) -> usize {
        self.product(|a| a.windows)
    }

    /// Elements of a window.
    pub fn area(&self) -> usize {
        self.product(|a| a.kernel)
    }

    /// One number of each dimension.
    pub fn each(&self, of: impl Fn(&Axis) -> usize) -> [usize; 3] {
        [of(&self.0[0]), of(&self.0[1]), of(&self.0[2])]
    }
}

impl std::ops::Index<usize> for Frame {
    type Output = Axis;
    #[inline(always)]
    fn index(&self, d: usize) -> &Axis {
        &self.0[d]
    }
}

/// What part `i` of `parts` takes of an image that is divided evenly: neighbours may overlap by one.
#[inline(always)]
pub fn part(image: usize, parts: usize, i: usize) -> Range<usize> {
    i * image / parts..((i + 1) * image).div_ceil(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to ask which element of which window lies where says the same.
    #[test]
    fn windows_are_read_alike_from_either_side() {
        for n in 0..3usize.pow(6) {
            let at = |i: u32| n / 3usize.pow(i) % 3;
            let (kernel, stride, padding, dilation, ceil) = (at(0) + 1, at(1) + 1, at(2), at(3) + 1, at(4) == 0);
            let image = [1, 4, 7][at(5)];
            let padding = padding.min(kernel / 2) as i64;
            let (stride, dilation, kernel) = (stride as i64, dilation as i64, Dim::Known(kernel as i64));
            let window = Window { kernel, stride, padding: (padding, padding), dilation, ceil };
            let Dim::Known(count @ 1..) = window.count(Dim::Known(image)) else { continue };
            let axis = window.axis(image, count);
            let mut met = 0..0;
            for k in 0..axis.kernel {
                for w in 0..axis.windows {
                    let on = axis.on_image(w, k);
                    assert_eq!(axis.elements(w).contains(&k), on.is_some());
                    assert_eq!(axis.windows_of(k).contains(&w), on.is_some());
                    if let Some(place) = on {
                        assert_eq!(axis.place(w, k), place);
                        met = if met.is_empty() { k..k + 1 } else { met.start..k + 1 };
                    }
                }
            }
            assert!(met.is_empty() || axis.met().start <= met.start && met.end <= axis.met().end);
            let whole = window.whole(Dim::Known(image)).unwrap();
            assert_eq!(whole.count(Dim::Known(image)), Dim::Known(count));
            assert!(axis.dilation > 1 || (0..axis.windows).all(|w| axis.span(w).len() == axis.elements(w).len()));
        }
    }
}
