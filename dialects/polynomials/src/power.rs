//! x^y of every pair of numbers, and the length of a pair.

use crate::number::{Number, Single, Truth};
use crate::steps::{clamp, exp2_wide, exponent_and_rest, log_of_rest_wide, nearest, number_of};
use std::f64::consts::LOG2_E;

/// `2^(y log2 |x|)`, with the sign of x where y is odd; what C's `pow` says of zeros, ones, infinities, NaN and roots of negative numbers.
#[inline(always)]
pub fn pow<T: Single>(x: T, y: T) -> T {
    let (zero, one, infinity) = (x.constant(0.0), x.constant(1.0), x.constant(f64::INFINITY));
    let a = x.abs();
    let (wide, factor) = (a.wide(), y.wide());
    let (e, z) = exponent_and_rest(wide);
    let log = log_of_rest_wide(z).mul_add(wide.constant(LOG2_E), number_of(e));
    let log = T::Wide::choose(a.equal(zero), wide.constant(f64::NEG_INFINITY), log);
    let log = T::Wide::choose(a.less(infinity), log, wide);
    let size = T::of_wide(exp2_wide(clamp(factor * log, -200.0, 200.0)));
    // Of numbers with 24 bits the rounded sum is right however large they are.
    let is_whole = |n: T::Wide| nearest(n).1.equal(n);
    let whole = is_whole(factor);
    let odd = whole.and(is_whole(factor * factor.constant(0.5)).not());
    let power = T::choose(odd, size.copysign(x), size);
    // -1 to an infinite power, which multiplies its logarithm by 0.
    let power = T::choose(a.equal(one).and(y.abs().equal(infinity)), one, power);
    let no_root = x.less(zero).and(a.less(infinity)).and(whole.not());
    let power = T::choose(no_root, x.constant(f64::NAN), power);
    T::choose(y.equal(zero).or(x.equal(one)), one, power)
}

/// `√(x² + y²)`, in 64 bits, where no square overflows; infinite beside an infinity even if the other is NaN.
#[inline(always)]
pub fn hypot<T: Single>(x: T, y: T) -> T {
    let (a, b) = (x.wide(), y.wide());
    let infinity = x.constant(f64::INFINITY);
    let infinite = x.abs().equal(infinity).or(y.abs().equal(infinity));
    T::choose(infinite, infinity, T::of_wide((a * a + b * b).sqrt()))
}
