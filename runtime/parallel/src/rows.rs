//! What a row of f32 comes to, in the widest vectors: its largest number, and sums in f64. The bits are the same for every width.

use crate::simd::{Job, Wide, run};
use crate::vectorize::vectorize_widest;

/// The largest of some numbers, NaN left out; of none minus infinity, and of zeros either.
///
/// ```
/// assert_eq!(sconce_parallel::rows::largest(&[1.0, f32::NAN, 3.0]), 3.0);
/// ```
pub fn largest(values: &[f32]) -> f32 {
    /// Numbers side by side: four of the widest vectors, so that none waits for the one before.
    const LANES: usize = 64;
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    vectorize_widest(
        #[inline(always)]
        move || {
            let mut lanes = [f32::NEG_INFINITY; LANES];
            let whole = values.chunks_exact(LANES);
            let rest = whole.remainder();
            for chunk in whole {
                lanes.iter_mut().zip(chunk).for_each(|(lane, x)| *lane = larger(*lane, *x));
            }
            // Halves as vectors, down to one number; then those that fill no chunk.
            let mut half = LANES / 2;
            while half > 0 {
                let (low, high) = lanes.split_at_mut(half);
                low.iter_mut().zip(high).for_each(|(a, b)| *a = larger(*a, *b));
                half /= 2;
            }
            rest.iter().copied().fold(lanes[0], larger)
        },
    )
}

/// The sum of some numbers; with a mean, that of their squared distances from it.
///
/// ```
/// use sconce_parallel::rows::sum;
/// assert_eq!((sum(&[1.0, 2.0, 6.0], None), sum(&[1.0, 2.0, 6.0], Some(3.0))), (9.0, 14.0));
/// ```
pub fn sum(values: &[f32], mean: Option<f64>) -> f64 {
    match mean {
        None => run(Sum::<false> { values, from: 0.0 }),
        Some(from) => run(Sum::<true> { values, from }),
    }
}

/// Vectors of sums side by side, so that none waits for the one before.
const SIDE_BY_SIDE: usize = 4;

struct Sum<'a, const SQUARES: bool> {
    values: &'a [f32],
    from: f64,
}

impl<const SQUARES: bool> Job<f64> for Sum<'_, SQUARES> {
    type Output = f64;

    #[inline(always)]
    unsafe fn run<W: Wide<E = f64>>(self) -> f64 {
        let parts = self.values.chunks_exact(SIDE_BY_SIDE * W::N);
        let rest = parts.remainder().iter().fold(0.0, |sum, x| {
            let x = f64::from(*x) - self.from;
            if SQUARES { x.mul_add(x, sum) } else { sum + x }
        });
        let mut out = [0.0; 8];
        // SAFETY: the caller's promise; the vectors lie in the row, and none has more than eight numbers.
        unsafe {
            let mut sums = [W::splat(0.0); SIDE_BY_SIDE];
            let away = W::splat(-self.from);
            for part in parts {
                for (i, sum) in sums.iter_mut().enumerate() {
                    let x = W::load_f32(part.as_ptr().add(i * W::N));
                    *sum = if SQUARES { distance_squared(x, away, *sum) } else { sum.add(x) };
                }
            }
            sums[0].add(sums[1]).add(sums[2].add(sums[3])).store(out.as_mut_ptr());
        }
        let [a, b, c, d, e, f, g, h] = out;
        ((a + e) + (c + g)) + ((b + f) + (d + h)) + rest
    }
}

/// # Safety
/// The processor has this vector's features.
#[inline(always)]
unsafe fn distance_squared<W: Wide<E = f64>>(x: W, away: W, sum: W) -> W {
    // SAFETY: the caller's promise.
    unsafe {
        let x = x.add(away);
        x.fma(x, sum)
    }
}

/// A number as two f32, so that taking both away, or multiplying by both, loses nothing to speak of.
#[inline(always)]
pub fn in_two(x: f64) -> (f32, f32) {
    let high = x as f32;
    (high, if high.is_finite() { (x - f64::from(high)) as f32 } else { 0.0 })
}

/// Divides numbers by their sum.
///
/// ```
/// let mut numbers = [1.0, 2.0, 5.0];
/// sconce_parallel::rows::to_parts(&mut numbers);
/// assert_eq!(numbers, [0.125, 0.25, 0.625]);
/// ```
pub fn to_parts(numbers: &mut [f32]) {
    let (high, low) = in_two(1.0 / sum(numbers, None));
    vectorize_widest(
        #[inline(always)]
        move || numbers.iter_mut().for_each(|y| *y = y.mul_add(high, *y * low)),
    );
}
