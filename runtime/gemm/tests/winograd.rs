//! Convolutions by Winograd's way are as exact as stated, have the same bits for every number of threads and width of vectors, and keep what is not finite in its
//! place.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use sconce_gemm::padded::Images;
use sconce_gemm::{implicit_gemm, winograd};
use sconce_parallel::vectorize::{Width, narrow};
use sconce_schema::geometry::{Axis, Frame};

/// A convolution, with its images and kernels.
#[derive(Debug)]
struct Case {
    frame: Frame,
    batch: usize,
    groups: usize,
    channels: usize,
    rows: usize,
    /// Channels that lie between an image's own and the next image's.
    gap: usize,
    x: Vec<f32>,
    w: Vec<f32>,
    bias: Option<Vec<f32>>,
}

fn numbers(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

impl Case {
    fn pixels(&self) -> usize {
        self.frame.pixels()
    }

    fn results(&self) -> usize {
        self.batch * self.groups * self.rows * self.frame.positions()
    }

    fn run(&self, direct: bool) -> Vec<f32> {
        let per_image = self.groups * self.channels + self.gap;
        let [_, height, width] = self.frame.each(|a| a.image);
        let strides = [per_image * height * width, height * width, 0, width, 1].map(|n| n as isize);
        let (batch, groups, channels) = (self.batch, self.groups, self.channels);
        let x = Images { data: self.x.as_ptr(), strides, batch, groups, channels };
        let bias = self.bias.as_ref().map(|b| b.as_ptr());
        let mut out = vec![f32::NAN; self.results()];
        let convolve = if direct { implicit_gemm::convolve } else { winograd::convolve };
        // SAFETY: the vectors have the sizes that the frame says.
        unsafe { convolve(&x, &self.frame, self.w.as_ptr(), bias, self.rows, out.as_mut_ptr()) };
        out
    }

    /// Every result in f64.
    fn exact(&self) -> Vec<f64> {
        let per_image = self.groups * self.channels + self.gap;
        let f = &self.frame;
        let mut out = Vec::new();
        for (b, row) in (0..self.batch).flat_map(|b| (0..self.groups * self.rows).map(move |row| (b, row))) {
            let first = b * per_image + row / self.rows * self.channels;
            for at in 0..f.positions() {
                let window = [at / f[2].windows, at % f[2].windows];
                let mut sum = self.bias.as_ref().map_or(0.0, |b| f64::from(b[row]));
                for (c, k) in (0..self.channels).flat_map(|c| (0..9).map(move |k| (c, k))) {
                    let places = (f[1].on_image(window[0], k / 3), f[2].on_image(window[1], k % 3));
                    if let (Some(y), Some(x)) = places {
                        let pixel = self.x[(first + c) * self.pixels() + y * f[2].image + x];
                        sum += f64::from(pixel) * f64::from(self.w[(row * self.channels + c) * 9 + k]);
                    }
                }
                out.push(sum);
            }
        }
        out
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let sizes = (1usize..4, 1usize..3, 12usize..150, 1usize..40, (3usize..24, 3usize..75), (0usize..3, 0usize..3));
    (sizes, 0usize..2, any::<bool>(), any::<u64>()).prop_map(|(sizes, gap, with_bias, seed)| {
        let (batch, groups, channels, rows, (height, width), (above, left)) = sizes;
        let axis = |image: usize, padding: usize| {
            let windows = image + 2 * padding - 2;
            Axis { image, kernel: 3, stride: 1, padding, dilation: 1, windows }
        };
        let frame = Frame([Axis::ONE, axis(height, above), axis(width, left)]);
        let x = numbers(seed, batch * (groups * channels + gap) * height * width);
        let w = numbers(seed ^ 1, groups * rows * channels * 9);
        let bias = with_bias.then(|| numbers(seed ^ 2, groups * rows));
        Case { frame, batch, groups, channels, rows, gap, x, w, bias }
    })
}

/// The root of the mean square.
fn error(got: &[f32], want: &[f64]) -> f64 {
    let squares = got.iter().zip(want).map(|(a, b)| (f64::from(*a) - b).powi(2));
    (squares.sum::<f64>() / got.len() as f64).sqrt()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn errors_stay_below_four_of_the_direct_sum(case in cases()) {
        let want = case.exact();
        let (direct, winograd) = (error(&case.run(true), &want), error(&case.run(false), &want));
        prop_assert!(winograd <= 4.0 * direct, "{winograd:e}, directly {direct:e}");
    }

    #[test]
    fn what_is_not_finite_stays_where_it_belongs(mut case in cases(), at in any::<prop::sample::Index>(), huge in any::<bool>()) {
        let at = at.index(case.x.len());
        case.x[at] = if huge { 3e38 } else { f32::INFINITY };
        let (direct, winograd) = (case.run(true), case.run(false));
        for (a, b) in direct.iter().zip(&winograd) {
            prop_assert_eq!(a.is_finite(), b.is_finite());
        }
    }
}

/// One test: threads and width are the process's.
#[test]
fn bits_do_not_depend_on_threads_and_vectors() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..12 {
        let case = cases().new_tree(&mut runner).unwrap().current();
        let run = |threads: usize, width: Width| {
            sconce_parallel::set_threads(threads);
            narrow(width);
            case.run(false).into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        let want = run(1, Width::Base);
        assert_eq!(want, run(3, Width::Base), "{:?}", case.frame);
        #[cfg(target_arch = "x86_64")]
        for (threads, width) in [(1, Width::V3), (2, Width::V3), (1, Width::V4), (8, Width::V4)] {
            assert_eq!(want, run(threads, width), "{:?}", case.frame);
        }
    }
}
