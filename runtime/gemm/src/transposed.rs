//! Transposed convolutions: the adjoint of [`crate::implicit_gemm`]. Every kernel element of every window is added to where it came from, in the order of elements.

use crate::padded::{Filters, Images};
use crate::{Done, Multiplied, Product, View};
use sconce_parallel::simd::{Job, Real, Wide, run};
use sconce_parallel::{self as parallel, Sendable, scratch};
use sconce_schema::geometry::Frame;
use std::ops::Range;

/// Convolves transposed: `x` holds the windows' values.
///
/// # Safety
/// As for [`crate::implicit_gemm::convolve`]; the pixels of `x` are side by side.
pub unsafe fn convolve_transposed<E: Multiplied>(x: &Images<E>, f: &Frame, filters: &Filters<'_, E>, out: *mut E) {
    let &Filters { weights, bias, rows, finish, .. } = filters;
    let (area, positions, pixels) = (f.area(), f.positions(), f.pixels());
    let mut columns = scratch::buffer::<E>(rows * area * positions);
    let (out, bias) = (Sendable(out), bias.map(|b| View::new(b, 1, 0)));
    for unit in 0..x.batch * x.groups {
        let (b, g) = (unit / x.groups, unit % x.groups);
        let at = b as isize * x.strides[0] + (g * x.channels) as isize * x.strides[1];
        let width = (rows * area) as isize;
        // SAFETY: the caller's promise.
        unsafe {
            let p = Product {
                m: rows * area,
                n: positions,
                k: x.channels,
                a: View::new(weights.add(g * x.channels * rows * area), 1, width),
                out: columns.as_mut_ptr(),
                out_row: positions,
                alpha: E::one(),
                start: None,
            };
            crate::product(&p, &View::new(x.data.offset(at), x.strides[1], 1));
        }
        let columns = &*columns;
        parallel::split(rows, (1usize << 16).div_ceil(area * positions), |range| {
            let out = &out;
            for c in range {
                // SAFETY: every channel of the result is its own piece of it; the bias has an element for it.
                let (image, first) = unsafe {
                    let image = std::slice::from_raw_parts_mut(out.0.add((unit * rows + c) * pixels), pixels);
                    (image, bias.map_or(E::zero(), |b| *b.from(g * rows + c, 0).data))
                };
                let out = image.as_mut_ptr();
                Fold { values: &columns[c * area * positions..][..area * positions], f, image, first }.add();
                finish.inspect(|f| f.run(Done { out, out_row: pixels, rows: 1, columns: pixels }));
            }
        });
    }
}

/// The values of all windows' elements, a row an element, are added to the pixels that they stand over, and a number to each pixel then.
struct Fold<'a, E> {
    values: &'a [E],
    f: &'a Frame,
    image: &'a mut [E],
    first: E,
}

impl<E: Real> Fold<'_, E> {
    fn add(self) {
        match self.f[2].stride {
            // Of f64 it is not worth the code.
            2 if size_of::<E>() == 4 => run(Halves(self)),
            _ => self.one_by_one(),
        }
    }

    fn one_by_one(self) {
        let Fold { values, f, image, first } = self;
        let (positions, stride) = (f.positions(), f[2].stride);
        image.fill(E::zero());
        for (element, values) in values.chunks_exact(positions).enumerate() {
            for met in runs(f, element) {
                let values = &values[met.windows];
                let pixels = &mut image[met.line * f[2].image + met.column..];
                if stride == 1 {
                    pixels.iter_mut().zip(values).for_each(|(p, v)| *p = *p + *v);
                } else {
                    pixels.iter_mut().step_by(stride).zip(values).for_each(|(p, v)| *p = *p + *v);
                }
            }
        }
        image.iter_mut().for_each(|v| *v = *v + first);
    }
}

/// The same at a stride of 2: even and odd columns are summed apart, where windows' pixels are side by side.
struct Halves<'a, E>(Fold<'a, E>);

impl<E: Real> Job<E> for Halves<'_, E> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = E>>(self) {
        if !W::IN_REGISTERS {
            return self.0.one_by_one();
        }
        let Fold { values, f, image, first } = self.0;
        let (positions, width) = (f.positions(), f[2].image);
        let half = width.div_ceil(2);
        let lines = image.len() / width;
        // Even columns of all lines, then odd ones; behind them is a vector's room.
        let mut sums = scratch::zeros::<E>(2 * lines * half + W::N);
        for (element, values) in values.chunks_exact(positions).enumerate() {
            for met in runs(f, element) {
                let values = &values[met.windows];
                let at = (met.column % 2 * lines + met.line) * half + met.column / 2;
                for c in (0..values.len()).step_by(W::N) {
                    // SAFETY: the run lies in its line; zeros are added to what lies behind it.
                    unsafe {
                        let to = sums.as_mut_ptr().add(at + c);
                        W::load(to).add(W::load_left(values.as_ptr().add(c), values.len() - c)).store(to);
                    }
                }
            }
        }
        let (even, odd) = sums.split_at(lines * half);
        for ((line, even), odd) in
            image.chunks_exact_mut(width).zip(even.chunks_exact(half)).zip(odd.chunks_exact(half))
        {
            let mut pairs = line.chunks_exact_mut(2);
            for ((pair, even), odd) in (&mut pairs).zip(even).zip(odd) {
                pair[0] = *even + first;
                pair[1] = *odd + first;
            }
            if let ([last], [.., even]) = (pairs.into_remainder(), even) {
                *last = *even + first;
            }
        }
    }
}

/// Windows of a line whose element lies on the image.
pub struct Met {
    pub windows: Range<usize>,
    /// The line of the image, and the column that the first of them has there: the next ones are a stride apart.
    pub line: usize,
    pub column: usize,
}

/// The windows whose element of this number lies on the image, line after line.
#[inline(always)]
pub fn runs(f: &Frame, element: usize) -> impl Iterator<Item = Met> {
    let [_, rows, columns] = f.each(|a| a.kernel);
    let k = [element / (rows * columns), element / columns % rows, element % columns];
    let [planes, lines, run] = [0, 1, 2].map(|d| f[d].windows_of(k[d]));
    let (planes, column) = if run.is_empty() { (0..0, 0) } else { (planes, f[2].place(run.start, k[2])) };
    planes.flat_map(move |z| {
        let (plane, run) = (f[0].place(z, k[0]) * f[1].image, run.clone());
        lines.clone().map(move |y| {
            let at = (z * f[1].windows + y) * f[2].windows;
            Met { windows: at + run.start..at + run.end, line: plane + f[1].place(y, k[1]), column }
        })
    })
}
