//! Convolutions with channels in vectors have the bits of a product of windows, for every number of threads and width of vectors.

mod cases;
mod windows;

use cases::{Case, numbers};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use sconce_gemm::padded::{Filters, Images, Ready};
use sconce_gemm::{Panels, View, direct, implicit_gemm};
use sconce_parallel::vectorize::Width;
use sconce_schema::geometry::{Axis, Frame};

fn cases() -> impl Strategy<Value = Case> {
    let kernels =
        prop::sample::select(vec![(1usize, 1usize, 1usize), (1, 2, 1), (3, 1, 1), (3, 2, 1), (3, 1, 2), (5, 1, 1)]);
    let sizes = (1usize..3, 9usize..70, 16usize..150, (3usize..16, 3usize..24), (0usize..3, 0usize..3));
    (sizes, kernels, 0usize..2, any::<bool>(), any::<u64>()).prop_map(|(sizes, kernel, gap, with_bias, seed)| {
        let (batch, channels, rows, (height, width), (above, left)) = sizes;
        let (kernel, stride, dilation) = kernel;
        let spread = (kernel - 1) * dilation + 1;
        let axis = |image: usize, padding: usize| {
            let padding = padding.max(spread.saturating_sub(image).div_ceil(2));
            let windows = (image + 2 * padding - spread) / stride + 1;
            Axis { image, kernel, stride, padding, dilation, windows }
        };
        let frame = Frame([Axis::ONE, axis(height, above), axis(width, left)]);
        let x = numbers(seed, batch * (channels + gap) * height * width);
        let w = numbers(seed ^ 1, rows * channels * kernel * kernel);
        let bias = with_bias.then(|| numbers(seed ^ 2, rows));
        Case { frame, batch, groups: 1, channels, rows, gap, x, w, bias }
    })
}

/// Packs the weights, and convolves by them.
unsafe fn packed(x: &Images<f32>, f: &Frame, filters: &Filters<'_, f32>, out: *mut f32) {
    let (k, rows) = (x.channels * f.area(), filters.rows);
    let mut memory = vec![f32::NAN; Panels::<f32>::elements(k, rows).unwrap()];
    // SAFETY: weights are of these channels and rows; the caller's promise.
    unsafe {
        let panels = Panels::pack(View::new(filters.weights, 1, k as isize), k, rows, memory.as_mut_ptr());
        implicit_gemm::convolve(x, f, &Filters { ready: Ready::Panels(panels), ..*filters }, out);
    }
}

/// One test: threads and width are the process's.
#[test]
fn bits_are_those_of_a_product_for_any_threads_and_vectors() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut taken = 0;
    for _ in 0..400 {
        let case = cases().new_tree(&mut runner).unwrap().current();
        if !direct::takes(&case.frame, 1, case.channels, case.rows) {
            continue;
        }
        taken += 1;
        let want: Vec<u32> = windows::windows_multiplied(&case).into_iter().map(f32::to_bits).collect();
        // SAFETY: it takes the case.
        let run = |way: cases::Way, threads: usize, width: Width| unsafe { case.bits(way, threads, width) };
        assert_eq!(want, run(packed, 3, Width::Base), "{:?}", case.frame);
        assert_eq!(want, run(implicit_gemm::convolve, 1, Width::Base), "{:?}", case.frame);
        #[cfg(target_arch = "x86_64")]
        for (threads, width) in [(1, Width::V3), (2, Width::V3), (1, Width::V4), (8, Width::V4)] {
            assert_eq!(want, run(packed, threads, width), "{:?}", case.frame);
        }
    }
    assert!(taken > 50, "{taken} of 400 are taken");
}
