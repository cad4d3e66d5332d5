//! Convolutions by Winograd's way are as exact as stated, have the same bits for every number of threads and width of vectors, and keep what is not finite in its
//! place.

mod cases;

use cases::{Case, numbers};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use sconce_gemm::padded::{Filters, Images, Ready};
use sconce_gemm::{implicit_gemm, winograd};
use sconce_parallel::vectorize::Width;
use sconce_schema::geometry::{Axis, Frame};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Threads and width are the process's: while one test changes them, no other may be in the middle of a convolution, which asks for them more than once.
fn alone() -> MutexGuard<'static, ()> {
    static WIDTH: Mutex<()> = Mutex::new(());
    WIDTH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Every result in f64.
fn exact(case: &Case) -> Vec<f64> {
    let per_image = case.groups * case.channels + case.gap;
    let f = &case.frame;
    let mut out = Vec::new();
    for (b, row) in (0..case.batch).flat_map(|b| (0..case.groups * case.rows).map(move |row| (b, row))) {
        let first = b * per_image + row / case.rows * case.channels;
        for at in 0..f.positions() {
            let window = [at / f[2].windows, at % f[2].windows];
            let mut sum = case.bias.as_ref().map_or(0.0, |b| f64::from(b[row]));
            for (c, k) in (0..case.channels).flat_map(|c| (0..9).map(move |k| (c, k))) {
                let places = (f[1].on_image(window[0], k / 3), f[2].on_image(window[1], k % 3));
                if let (Some(y), Some(x)) = places {
                    let pixel = case.x[(first + c) * f.pixels() + y * f[2].image + x];
                    sum += f64::from(pixel) * f64::from(case.w[(row * case.channels + c) * 9 + k]);
                }
            }
            out.push(sum);
        }
    }
    out
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

fn direct(case: &Case) -> Vec<f32> {
    // SAFETY: every convolution can be summed directly.
    unsafe { case.run(implicit_gemm::convolve) }
}

fn winograd(case: &Case) -> Vec<f32> {
    // SAFETY: kernels have 3 x 3 elements, at a stride of 1.
    unsafe { case.run(winograd::convolve) }
}

/// By kernels that were transformed before.
fn transformed_before(case: &Case) -> Vec<f32> {
    unsafe fn way(x: &Images<f32>, f: &Frame, filters: &Filters<'_, f32>, out: *mut f32) {
        let mut memory = vec![0f32; winograd::transformed(f, x.groups, x.channels, filters.rows).unwrap()];
        // SAFETY: weights are of these channels and rows; the caller's promise.
        unsafe {
            winograd::transform(f, x.groups, [x.channels, filters.rows], filters.weights, memory.as_mut_ptr());
            winograd::convolve(x, f, &Filters { ready: Ready::Transformed(memory.as_ptr()), ..*filters }, out);
        }
    }
    // SAFETY: kernels have 3 x 3 elements, at a stride of 1.
    unsafe { case.run(way) }
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
        let _width = alone();
        let want = exact(&case);
        let (direct, winograd) = (error(&direct(&case), &want), error(&winograd(&case), &want));
        prop_assert!(winograd <= 4.0 * direct, "{winograd:e}, directly {direct:e}");
    }

    #[test]
    fn what_is_not_finite_stays_where_it_belongs(mut case in cases(), at in any::<prop::sample::Index>(), huge in any::<bool>()) {
        let _width = alone();
        let at = at.index(case.x.len());
        case.x[at] = if huge { 3e38 } else { f32::INFINITY };
        let (direct, winograd) = (direct(&case), winograd(&case));
        for (a, b) in direct.iter().zip(&winograd) {
            prop_assert_eq!(a.is_finite(), b.is_finite());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_result_is_finished_once(mut case in cases(), infinite in any::<bool>()) {
        let _width = alone();
        if infinite {
            case.x[0] = f32::INFINITY;
        }
        let bits = |v: Vec<f32>| v.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        for way in [implicit_gemm::convolve, winograd::convolve] {
            // SAFETY: kernels have 3 x 3 elements, at a stride of 1.
            let (plain, turned) = unsafe { (case.run(way), case.turned(way)) };
            prop_assert_eq!(bits(plain.into_iter().map(|v| v * -2.0).collect()), bits(turned));
        }
    }
}

#[test]
fn bits_do_not_depend_on_threads_and_vectors() {
    let _width = alone();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..12 {
        let case = cases().new_tree(&mut runner).unwrap().current();
        // SAFETY: kernels have 3 x 3 elements, at a stride of 1.
        let run = |threads: usize, width: Width| unsafe { case.bits(winograd::convolve, threads, width) };
        let want = run(1, Width::Base);
        let ready = transformed_before(&case).into_iter().map(f32::to_bits).collect::<Vec<_>>();
        assert_eq!(want, ready, "{:?}", case.frame);
        assert_eq!(want, run(3, Width::Base), "{:?}", case.frame);
        #[cfg(target_arch = "x86_64")]
        for (threads, width) in [(1, Width::V3), (2, Width::V3), (1, Width::V4), (8, Width::V4)] {
            assert_eq!(want, run(threads, width), "{:?}", case.frame);
        }
    }
}
