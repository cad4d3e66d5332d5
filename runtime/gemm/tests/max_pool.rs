//! Maxima of windows are those that a plain loop in row-major order finds, with the same bits.

use sconce_gemm::max_pool::max_pool;
use sconce_parallel::simd::Real;
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

/// The largest of each window, one after the other.
fn plain<E: Real>(x: &[E], f: &Frame) -> Vec<E> {
    let mut out = Vec::new();
    for channel in x.chunks_exact(f.pixels()) {
        for i in 0..f.positions() {
            let window = [i / f[2].windows / f[1].windows, i / f[2].windows % f[1].windows, i % f[2].windows];
            let mut best = E::neg_infinity();
            for k in 0..f.area() {
                let element = [k / f[2].kernel / f[1].kernel, k / f[2].kernel % f[1].kernel, k % f[2].kernel];
                let at = |d: usize| f[d].on_image(window[d], element[d]);
                if let (Some(z), Some(y), Some(x_)) = (at(0), at(1), at(2)) {
                    let v = channel[(z * f[1].image + y) * f[2].image + x_];
                    if v > best || v.is_nan() {
                        best = v;
                    }
                }
            }
            out.push(best);
        }
    }
    out
}

fn axis(image: usize, [kernel, stride, padding, dilation]: [usize; 4]) -> Option<Axis> {
    let windows = (image + 2 * padding).checked_sub((kernel - 1) * dilation + 1)? / stride + 1;
    Some(Axis { image, windows, kernel, stride, padding, dilation })
}

fn check<E: Real>(f: &Frame) {
    let x = numbers::<E>(3 * f.pixels());
    let mut out = vec![E::one(); 3 * f.positions()];
    max_pool(&x, f, &mut out);
    let bits = |v: &E| v.integer_decode();
    for (got, wanted) in out.iter().zip(plain(&x, f)) {
        assert!(got.is_nan() && wanted.is_nan() || bits(got) == bits(&wanted), "{f:?}");
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
