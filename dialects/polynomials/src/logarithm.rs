//! log, log2, log10, log1p, and the inverse hyperbolic functions that are made of it.

use crate::coefficients as c;
use crate::number::{Bits, Number, Single};
use crate::steps::{at_the_ends, exponent, exponent_and_rest, log1p_wide, number_of, polynomial, power_of_two};
use std::f64::consts::{LN_2, LOG2_E, LOG10_2, LOG10_E};

/// The exponent as a number, and `z` and `log(1 + z) - z`, of [`exponent_and_rest`]; also of numbers below the normal ones.
#[inline(always)]
fn parts<T: Single>(x: T) -> (T, T, T) {
    let tiny = x.less(x.constant(f64::from(f32::MIN_POSITIVE)));
    let (e, z) = exponent_and_rest(T::choose(tiny, x * x.constant(8388608.0), x));
    let e = number_of::<T>(e) - T::choose(tiny, x.constant(23.0), x.constant(0.0));
    (e, z, z * z * polynomial(z, &c::LOG))
}

/// The 12 highest bits of a constant, whose products with exponents are exact, and the rest.
const fn split(constant: f64) -> (f64, f64) {
    let high = f64::from_bits(constant.to_bits() & !((1 << 41) - 1));
    (high, constant - high)
}

#[inline(always)]
pub fn log<T: Single>(x: T) -> T {
    const LN2: (f64, f64) = split(LN_2);
    let (e, z, q) = parts(x);
    let low = e.mul_add(x.constant(LN2.1), q);
    at_the_ends(x, e.mul_add(x.constant(LN2.0), z + low))
}

/// `e b + c log(1 + z)` for the constant `c` that makes another logarithm of the natural one.
#[inline(always)]
fn to_base<T: Single>(x: T, b: (f64, f64), c: f64) -> T {
    let near = f64::from(c as f32);
    let (e, z, q) = parts(x);
    let low = z.mul_add(x.constant(c - near), e.mul_add(x.constant(b.1), q * x.constant(c)));
    at_the_ends(x, e.mul_add(x.constant(b.0), z.mul_add(x.constant(near), low)))
}

#[inline(always)]
pub fn log2<T: Single>(x: T) -> T {
    to_base(x, (1.0, 0.0), LOG2_E)
}

#[inline(always)]
pub fn log10<T: Single>(x: T) -> T {
    to_base(x, split(LOG10_2), LOG10_E)
}

/// `log(1 + x)`: the sum only says the exponent.
#[inline(always)]
pub fn log1p<T: Single>(x: T) -> T {
    const LN2: (f64, f64) = split(LN_2);
    let one = x.constant(1.0);
    let sum = one + x;
    let e = exponent(sum);
    // 2^-e (1 + x) - 1, by a quarter of x: 2^-128 is no normal number.
    let four_down = power_of_two::<T>(e.constant(2).sub(e));
    let z = (x * x.constant(0.25)).mul_add(four_down, four_down * x.constant(0.25) - one);
    let low = number_of::<T>(e).mul_add(x.constant(LN2.1), z * z * polynomial(z, &c::LOG));
    let log = number_of::<T>(e).mul_add(x.constant(LN2.0), z + low);
    // A quarter of the least numbers is not exact, and a sum forgets the sign of zero.
    T::choose(x.abs().less(x.constant(1e-10)), x, at_the_ends(sum, log))
}

#[inline(always)]
pub fn asinh<T: Single>(x: T) -> T {
    let a = x.abs().wide();
    let one = a.constant(1.0);
    let root = a.mul_add(a, one).sqrt();
    let y = T::of_wide(log1p_wide(a + a * a / (one + root)));
    let size = x.abs();
    // The sign last, as in [`crate::normal::erf`].
    T::choose(size.less(x.constant(f64::INFINITY)), y, size).copysign(x)
}

#[inline(always)]
pub fn acosh<T: Single>(x: T) -> T {
    let wide = x.wide();
    let one = wide.constant(1.0);
    let t = wide - one;
    let log = log1p_wide(t + t.mul_add(t, t + t).sqrt());
    T::of_wide(T::Wide::choose(wide.less(one), wide.constant(f64::NAN), log))
}

#[inline(always)]
pub fn atanh<T: Single>(x: T) -> T {
    let a = x.abs().wide();
    let quotient = (a + a) / (a.constant(1.0) - a);
    T::of_wide(a.constant(0.5) * log1p_wide(quotient)).copysign(x)
}
