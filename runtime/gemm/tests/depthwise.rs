//! Depthwise convolutions have the bits of the direct sum, for every number of threads and width of vectors.

mod cases;

use cases::{Case, numbers};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use sconce_gemm::{depthwise, implicit_gemm};
use sconce_parallel::vectorize::Width;
use sconce_schema::geometry::{Axis, Frame};

fn cases() -> impl Strategy<Value = Case> {
    let kernels = prop::sample::select(vec![(3usize, 1usize), (3, 2), (5, 1), (5, 2), (7, 1)]);
    let sizes = (1usize..3, 1usize..5, (1usize..40, 1usize..75), (0usize..5, 0usize..5), 0usize..3);
    (sizes, kernels, 0usize..2, any::<bool>(), any::<u64>()).prop_map(|(sizes, kernel, gap, with_bias, seed)| {
        let (batch, groups, (height, width), (above, left), left_out) = sizes;
        let (kernel, stride) = kernel;
        // Windows may end before the image does, as those that pad below otherwise than above.
        let axis = |image: usize, padding: usize| {
            let padding = padding.max(kernel.saturating_sub(image).div_ceil(2));
            let windows = ((image + 2 * padding - kernel) / stride + 1).saturating_sub(left_out).max(1);
            Axis { image, kernel, stride, padding, dilation: 1, windows }
        };
        let frame = Frame([Axis::ONE, axis(height, above), axis(width, left)]);
        let x = numbers(seed, batch * (groups + gap) * height * width);
        let w = numbers(seed ^ 1, groups * kernel * kernel);
        let bias = with_bias.then(|| numbers(seed ^ 2, groups));
        Case { frame, batch, groups, channels: 1, rows: 1, gap, x, w, bias }
    })
}

/// One test: threads and width are the process's.
#[test]
fn bits_are_those_of_the_direct_sum_for_any_threads_and_vectors() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..200 {
        let case = cases().new_tree(&mut runner).unwrap().current();
        assert!(depthwise::takes(&case.frame, case.channels, case.rows));
        // SAFETY: both take it.
        let run = |way: cases::Way, threads: usize, width: Width| unsafe { case.bits(way, threads, width) };
        let want = run(implicit_gemm::convolve, 1, Width::Base);
        assert_eq!(want, run(depthwise::convolve, 3, Width::Base), "{:?}", case.frame);
        #[cfg(target_arch = "x86_64")]
        for (threads, width) in [(1, Width::V3), (2, Width::V3), (1, Width::V4), (8, Width::V4)] {
            assert_eq!(want, run(depthwise::convolve, threads, width), "{:?}", case.frame);
        }
    }
}
