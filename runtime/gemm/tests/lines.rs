//! Convolutions of few channels, which are summed line by line, are products of windows, with the same bits for every number of threads and width of vectors.

mod cases;
mod windows;

use cases::{Case, numbers};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use sconce_gemm::implicit_gemm;
use sconce_parallel::vectorize::Width;
use sconce_schema::geometry::{Axis, Frame};

fn cases() -> impl Strategy<Value = Case> {
    let kernels = prop::sample::select(vec![
        (2usize, 1usize, 1usize),
        (3, 1, 1),
        (3, 2, 1),
        (3, 3, 1),
        (3, 1, 2),
        (3, 2, 3),
        (4, 2, 1),
        (5, 1, 1),
        (7, 2, 1),
    ]);
    let sizes = (1usize..3, 1usize..3, 1usize..5, 1usize..40, (7usize..40, 7usize..150), (0usize..4, 0usize..4));
    (sizes, kernels, 0usize..2, any::<bool>(), any::<u64>()).prop_map(|(sizes, kernel, gap, with_bias, seed)| {
        let (batch, groups, channels, rows, (height, width), (above, left)) = sizes;
        let (kernel, stride, dilation) = kernel;
        let spread = (kernel - 1) * dilation + 1;
        let axis = |image: usize, padding: usize| {
            let windows = (image + 2 * padding - spread) / stride + 1;
            Axis { image, kernel, stride, padding, dilation, windows }
        };
        let frame = Frame([Axis::ONE, axis(height, above), axis(width, left)]);
        let x = numbers(seed, batch * (groups * channels + gap) * height * width);
        let w = numbers(seed ^ 1, groups * rows * channels * kernel * kernel);
        let bias = with_bias.then(|| numbers(seed ^ 2, groups * rows));
        Case { frame, batch, groups, channels, rows, gap, x, w, bias }
    })
}

/// One test: threads and width are the process's.
#[test]
fn they_are_products_with_the_same_bits_for_any_threads_and_vectors() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..300 {
        let case = cases().new_tree(&mut runner).unwrap().current();
        // SAFETY: every convolution can be done so.
        let run = |threads: usize, width: Width| unsafe { case.bits(implicit_gemm::by_windows, threads, width) };
        let want = run(3, Width::Base);
        for (product, got) in windows::windows_multiplied(&case).into_iter().zip(&want) {
            let got = f32::from_bits(*got);
            assert!((product - got).abs() < 1e-4 * (1.0 + product.abs()), "{:?}: {got} for {product}", case.frame);
        }
        #[cfg(target_arch = "x86_64")]
        for (threads, width) in [(1, Width::V3), (2, Width::V3), (1, Width::V4), (8, Width::V4)] {
            assert_eq!(want, run(threads, width), "{:?}", case.frame);
        }
    }
}
