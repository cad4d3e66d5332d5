//! Transposed convolutions add the values of windows in the order of the kernel's elements, with the same bits for every number of threads and width of vectors.

mod numbers;

use numbers::numbers;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use sconce_gemm::padded::{Filters, Images, Ready};
use sconce_gemm::transposed::convolve_transposed;
use sconce_gemm::{Product, View, product};
use sconce_parallel::set_threads;
use sconce_parallel::vectorize::{Width, narrow};
use sconce_schema::geometry::{Axis, Frame};

#[derive(Debug)]
struct Case {
    frame: Frame,
    units: [usize; 2],
    channels: usize,
    rows: usize,
    x: Vec<f32>,
    w: Vec<f32>,
    bias: Option<Vec<f32>>,
}

fn cases() -> impl Strategy<Value = Case> {
    let kernels =
        [(2usize, 2usize, 1usize), (3, 1, 1), (3, 2, 1), (4, 2, 1), (3, 2, 2), (3, 3, 1), (1, 2, 1), (5, 2, 1)];
    let sizes = (1usize..3, 1usize..3, 1usize..9, 1usize..9, (1usize..12, 1usize..40), (0usize..3, 0usize..3));
    (sizes, prop::sample::select(kernels.to_vec()), any::<bool>(), any::<u64>()).prop_map(
        |(sizes, (kernel, stride, dilation), with_bias, seed)| {
            let (batch, groups, channels, rows, (height, width), (above, left)) = sizes;
            let axis = |windows: usize, padding: usize| {
                let whole = (windows - 1) * stride + (kernel - 1) * dilation + 1;
                let padding = padding.min((whole - 1) / 2);
                Axis { image: whole - 2 * padding, kernel, stride, padding, dilation, windows }
            };
            let frame = Frame([Axis::ONE, axis(height, above), axis(width, left)]);
            let x = numbers(seed, batch * groups * channels * frame.positions());
            let w = numbers(seed ^ 1, groups * channels * rows * kernel * kernel);
            let bias = with_bias.then(|| numbers(seed ^ 2, groups * rows));
            Case { frame, units: [batch, groups], channels, rows, x, w, bias }
        },
    )
}

impl Case {
    /// The bits of the results on so many threads, by vectors so wide.
    fn bits(&self, threads: usize, width: Width) -> Vec<u32> {
        set_threads(threads);
        narrow(width);
        let ([batch, groups], [_, height, columns]) = (self.units, self.frame.each(|a| a.windows));
        let strides = [groups * self.channels * height * columns, height * columns, 0, columns, 1].map(|n| n as isize);
        let x = Images { data: self.x.as_ptr(), strides, batch, groups, channels: self.channels };
        let bias = self.bias.as_ref().map(|b| b.as_ptr());
        let filters = Filters { weights: self.w.as_ptr(), bias, rows: self.rows, ready: Ready::Nothing, finish: None };
        let mut out = vec![f32::NAN; batch * groups * self.rows * self.frame.pixels()];
        // SAFETY: the vectors have the sizes that the frame says.
        unsafe { convolve_transposed(&x, &self.frame, &filters, out.as_mut_ptr()) };
        out.into_iter().map(f32::to_bits).collect()
    }

    /// The same, window by window.
    fn one_by_one(&self) -> Vec<u32> {
        let (f, [batch, groups]) = (&self.frame, self.units);
        let (area, positions, pixels, width) = (f.area(), f.positions(), f.pixels(), self.rows * f.area());
        let mut out = Vec::new();
        for unit in 0..batch * groups {
            let group = unit % groups;
            let mut values = vec![0f32; width * positions];
            let p = Product {
                m: width,
                n: positions,
                k: self.channels,
                a: View::new(self.w[group * self.channels * width..].as_ptr(), 1, width as isize),
                out: values.as_mut_ptr(),
                out_row: positions,
                alpha: 1.0,
                start: None,
            };
            // SAFETY: the vectors have these rows and columns.
            unsafe {
                product(&p, &View::new(self.x[unit * self.channels * positions..].as_ptr(), positions as isize, 1));
            }
            for (row, values) in values.chunks_exact(area * positions).enumerate() {
                let mut image = vec![0f32; pixels];
                for (i, value) in values.iter().enumerate() {
                    let (element, window) = (i / positions, i % positions);
                    let y = f[1].on_image(window / f[2].windows, element / f[2].kernel);
                    let x = f[2].on_image(window % f[2].windows, element % f[2].kernel);
                    if let (Some(y), Some(x)) = (y, x) {
                        image[y * f[2].image + x] += value;
                    }
                }
                let bias = self.bias.as_ref().map_or(0.0, |b| b[group * self.rows + row]);
                out.extend(image.iter().map(|v| (v + bias).to_bits()));
            }
        }
        out
    }
}

/// One test: threads and width are the process's.
#[test]
fn values_are_added_in_order_for_any_threads_and_vectors() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..400 {
        let case = cases().new_tree(&mut runner).unwrap().current();
        narrow(Width::Base);
        let want = case.one_by_one();
        assert_eq!(want, case.bits(3, Width::Base), "{:?}", case.frame);
        #[cfg(target_arch = "x86_64")]
        for (threads, width) in [(1, Width::V3), (2, Width::V3), (1, Width::V4), (8, Width::V4)] {
            assert_eq!(want, case.bits(threads, width), "{:?}", case.frame);
        }
    }
}
