//! Windows over the spatial dimensions of an image: how far each reaches, how many fit, and how large an image they spread over.

use crate::dim::Dim;
use crate::shape::Sizes;

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
    /// What the image is lengthened by on each side.
    pub padding: i64,
    /// From one element of a window to the next.
    pub dilation: i64,
    /// Windows that hang over the end count too, where they begin inside the image or before it.
    pub ceil: bool,
}

impl Window {
    /// A window that moves by one over an image as it is.
    pub fn plain(kernel: Dim) -> Window {
        Window { kernel, stride: 1, padding: 0, dilation: 1, ceil: false }
    }

    /// From its first to its last element, both included.
    pub fn reach(&self) -> Dim {
        self.kernel.minus(1).times(self.dilation).plus(1)
    }

    /// How many windows fit an image: `(size + 2 padding - reach) / stride + 1`.
    pub fn count(&self, size: Dim) -> Dim {
        let (stride, padding) = (i128::from(self.stride.max(1)), i128::from(self.padding));
        let extra = if self.ceil { stride - 1 } else { 0 };
        if let (Dim::Known(size), Dim::Known(kernel)) = (size, self.kernel) {
            let size = i128::from(size);
            let span = size + 2 * padding - i128::from(self.dilation) * (i128::from(kernel) - 1) - 1 + extra;
            let count = span.div_euclid(stride) + 1;
            let beyond = self.ceil && (count - 1) * stride >= size + padding;
            return narrow(count - i128::from(beyond));
        }
        let padded = size.plus(self.padding.saturating_mul(2)).minus(self.reach());
        let count = padded.plus(extra as i64).over(self.stride).plus(1);
        if self.ceil && self.stride > 1 {
            return count.least(size.plus(self.padding).minus(1).over(self.stride).plus(1));
        }
        count
    }

    /// The size of the image that so many windows are spread over, as a transposed convolution does it, and `extra` elements behind.
    pub fn spread(&self, windows: Dim, extra: i64) -> Dim {
        if let (Dim::Known(n), Dim::Known(kernel)) = (windows, self.kernel) {
            let moved = (i128::from(n) - 1) * i128::from(self.stride) - 2 * i128::from(self.padding);
            return narrow(moved + i128::from(self.dilation) * (i128::from(kernel) - 1) + i128::from(extra) + 1);
        }
        let moved = windows.minus(1).times(self.stride).minus(self.padding.saturating_mul(2));
        moved.plus(self.reach()).plus(extra)
    }
}

/// The windows of a call, one for each spatial dimension, the last dimension last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Windows(pub Vec<Window>);

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
}
