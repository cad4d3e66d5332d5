//! Maxima and averages of windows are those that a plain loop in row-major order finds, with the same bits.

use sconce_gemm::avg_pool::avg_pool;
use sconce_gemm::max_pool::max_pool;
use sconce_parallel::simd::Real;
use sconce_schema::geometry::pool::Divisor;
use sconce_schema::geometry::{Axis, Frame};

/// Numbers of which many are equal, zeros of both signs and NaN among them.
fn numbers<E: Real>(count: usize) -> Vec<E> {
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        match state >> 60 {
            0 => E::nan(),
            1..=4 => E::zero(),
            5..=8 => -E::zero(),
            _ => E::from((state >> 40) % 9).expect("a small number") - E::from(7).expect("a small number"),
        }
    };
    (0..count).map(|_| next()).collect()
}

/// Calls `f` with the elements that each window meets, in row-major order, and the window.
fn each_window<E: Real>(x: &[E], f: &Frame, mut visit: impl FnMut(&[E], [usize; 3])) {
    for channel in x.chunks_exact(f.pixels()) {
        for i in 0..f.positions() {
            let window = [i / f[2].windows / f[1].windows, i / f[2].windows % f[1].windows, i % f[2].windows];
            let mut met = Vec::new();
            for k in 0..f.area() {
                let element = [k / f[2].kernel / f[1].kernel, k / f[2].kernel % f[1].kernel, k % f[2].kernel];
                let at = |d: usize| f[d].on_image(window[d], element[d]);
                if let (Some(z), Some(y), Some(x_)) = (at(0), at(1), at(2)) {
                    met.push(channel[(z * f[1].image + y) * f[2].image + x_]);
                }
            }
            visit(&met, window);
        }
    }
}

/// The largest of each window, one after the other.
fn plain<E: Real>(x: &[E], f: &Frame) -> Vec<E> {
    let mut out = Vec::new();
    let larger = |best: E, v: &E| if *v > best || v.is_nan() { *v } else { best };
    each_window(x, f, |met, _| out.push(met.iter().fold(E::neg_infinity(), larger)));
    out
}

/// The average of each window.
fn plain_averages<E: Real>(x: &[E], f: &Frame, divisor: Divisor) -> Vec<E> {
    let mut out = Vec::new();
    each_window(x, f, |met, window| {
        let factors = (0..3).map(|d| divisor.factor(&f[d], window[d])).product();
        let sum = met.iter().fold(E::zero(), |sum, v| sum + *v);
        out.push(sum / E::from(divisor.whole(factors)).expect("a number"));
    });
    out
}

fn axis(image: usize, [kernel, stride, padding, dilation]: [usize; 4]) -> Option<Axis> {
    let windows = (image + 2 * padding).checked_sub((kernel - 1) * dilation + 1)? / stride + 1;
    Some(Axis { image, windows, kernel, stride, padding, dilation })
}

fn check<E: Real>(f: &Frame) {
    let x = numbers::<E>(3 * f.pixels());
    let mut out = vec![E::one(); 3 * f.positions()];
    let bits = |v: &E| v.integer_decode();
    let compare = |out: &[E], wanted: Vec<E>| {
        for (got, wanted) in out.iter().zip(wanted) {
            assert!(got.is_nan() && wanted.is_nan() || bits(got) == bits(&wanted), "{f:?}");
        }
    };
    max_pool(&x, f, &mut out);
    compare(&out, plain(&x, f));
    // Sums of thirds are rounded, so that the order shows.
    let x: Vec<E> = x.iter().map(|v| *v / E::from(3).expect("a number")).collect();
    for divisor in [Divisor::Given(7), Divisor::WithPadding, Divisor::Inside] {
        avg_pool(&x, f, divisor, &mut out);
        compare(&out, plain_averages(&x, f, divisor));
    }
}

#[test]
fn windows_of_lines_and_planes_have_the_bits_of_a_plain_loop() {
    let shapes = [[2, 2, 0, 1], [3, 2, 1, 1], [3, 1, 1, 1], [2, 1, 1, 1], [3, 3, 0, 1], [3, 2, 1, 2], [5, 1, 2, 1]];
    for shape in shapes {
        for image in [1, 2, 7, 16, 17, 33, 35, 66] {
            let (Some(width), Some(height)) = (axis(image, shape), axis(9, shape)) else { continue };
            for depth in [Axis::ONE, axis(4, [2, 2, 0, 1]).expect("four planes")] {
                check::<f32>(&Frame([depth, height, width]));
                check::<f64>(&Frame([depth, height, width]));
            }
        }
    }
}
