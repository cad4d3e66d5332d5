//! What formulas have in common: polynomials, choices at the ends of the line, and the reductions that bring an argument to where a polynomial holds.
//!
//! All of it is free of branches, and `#[inline(always)]`, so that the loops around it become vectors.

use crate::coefficients as c;
use crate::number::{Bits, Number};
use std::f64::consts::{LN_2, LOG2_E};

/// `c0 + c1 x + …`, from the highest power down, each step rounded once.
#[inline(always)]
pub fn polynomial<N: Number, const COUNT: usize>(x: N, c: &[f64; COUNT]) -> N {
    let mut sum = x.constant(c[COUNT - 1]);
    for k in (0..COUNT - 1).rev() {
        sum = sum.mul_add(x, x.constant(c[k]));
    }
    sum
}

/// `low..=high`, and NaN as it is.
#[inline(always)]
pub fn clamp<N: Number>(x: N, low: f64, high: f64) -> N {
    let (low, high) = (x.constant(low), x.constant(high));
    let x = N::choose(x.less(low), low, x);
    N::choose(high.less(x), high, x)
}

/// At most `high`, and NaN as it is.
#[inline(always)]
pub fn at_most<N: Number>(x: N, high: f64) -> N {
    let high = x.constant(high);
    N::choose(high.less(x), high, x)
}

/// `x + ROUND`, in whose low bits the integer next to `x` stands, and that integer as a number.
#[inline(always)]
pub fn nearest<N: Number>(x: N) -> (N, N) {
    rounded(x + x.constant(N::ROUND))
}

/// As [`nearest`], of a sum that `ROUND` was already added to.
#[inline(always)]
pub fn rounded<N: Number>(sum: N) -> (N, N) {
    (sum, sum - sum.constant(N::ROUND))
}

/// The integer of a sum of [`nearest`].
#[inline(always)]
pub fn integer<N: Number>(sum: N) -> N::Bits {
    sum.bits().sub(sum.bits().constant(N::ROUND_BITS))
}

/// The number that an integer is, if it is small.
#[inline(always)]
pub fn number_of<N: Number>(n: N::Bits) -> N {
    let sum = N::of_bits(n.add(n.constant(N::ROUND_BITS)));
    sum - sum.constant(N::ROUND)
}

/// `2^n`, for exponents of normal numbers.
#[inline(always)]
pub fn power_of_two<N: Number>(n: N::Bits) -> N {
    N::of_bits(n.add(n.constant(N::BIAS)).shift_left(N::FRACTION))
}

/// `p · 2^n` in two steps, so that infinity and what is below the normal numbers come out.
#[inline(always)]
pub fn scale<N: Number>(p: N, n: N::Bits) -> N {
    let half = n.shift_right(1);
    p * power_of_two(half) * power_of_two(n.sub(half))
}

/// `x - n ln 2` in 32 bits: first with their own ln 2, then with what that has too much.
#[inline(always)]
pub fn less_multiple_of_ln2<N: Number>(x: N, n: N) -> N {
    const NEAR: f64 = std::f32::consts::LN_2 as f64;
    n.mul_add(x.constant(NEAR - LN_2), n.mul_add(x.constant(-NEAR), x))
}

/// The exponent `e` and `z` with `x = 2^e (1 + z)`, where `1 + z` is between the roots of 1/2 and 2. For normal positive numbers.
#[inline(always)]
pub fn exponent_and_rest<N: Number>(x: N) -> (N::Bits, N) {
    let bits = x.bits();
    let e = exponent(x);
    (e, N::of_bits(bits.sub(e.shift_left(N::FRACTION))) - x.constant(1.0))
}

/// The exponent of [`exponent_and_rest`].
#[inline(always)]
pub fn exponent<N: Number>(x: N) -> N::Bits {
    let bits = x.bits();
    bits.sub(bits.constant(N::HALF_ROOT_BITS)).shift_right(N::FRACTION)
}

/// What a logarithm of `x` is where the formula does not hold: NaN below zero, minus infinity there, infinity and NaN as they are.
#[inline(always)]
pub fn at_the_ends<N: Number>(x: N, log: N) -> N {
    let zero = x.constant(0.0);
    let log = N::choose(x.equal(zero), x.constant(f64::NEG_INFINITY), log);
    let log = N::choose(x.less(zero), x.constant(f64::NAN), log);
    N::choose(x.less(x.constant(f64::INFINITY)), log, x)
}

/// `2^x` for x between -126 and 0 in 32 bits.
#[inline(always)]
pub fn power<N: Number>(x: N) -> N {
    let (sum, n) = nearest(x);
    let f = x - n;
    polynomial(f, &c::EXP2).mul_add(f, x.constant(1.0)) * power_of_two(integer(sum))
}

/// `e^x - 1` in 64 bits, right to 36 of them, for x between -700 and 700.
#[inline(always)]
pub fn expm1_wide<W: Number>(x: W) -> W {
    let (sum, n) = nearest(x * x.constant(LOG2_E));
    let r = n.mul_add(x.constant(-LN_2), x);
    let small = (r * r).mul_add(polynomial(r, &c::EXP_WIDE), r);
    let scale = power_of_two::<W>(integer(sum));
    scale.mul_add(small, scale - x.constant(1.0))
}

/// `2^x` in 64 bits, right to 40 of them, for x between -1000 and 1000.
#[inline(always)]
pub fn exp2_wide<W: Number>(x: W) -> W {
    let (sum, n) = nearest(x);
    let f = x - n;
    let scale = power_of_two::<W>(integer(sum));
    (scale * f).mul_add(polynomial(f, &c::EXP2_WIDE), scale)
}

/// `log(1 + z)` for `z` of [`exponent_and_rest`] in 64 bits, right to 43 of them.
#[inline(always)]
pub fn log_of_rest_wide<W: Number>(z: W) -> W {
    (z * z).mul_add(polynomial(z, &c::LOG_WIDE), z)
}

/// `log(1 + s)` in 64 bits, right to 40 of them.
#[inline(always)]
pub fn log1p_wide<W: Number>(s: W) -> W {
    let one = s.constant(1.0);
    let sum = one + s;
    let e = exponent(sum);
    // 2^-e (1 + s) - 1, in which the digits are that the sum lost.
    let down = power_of_two::<W>(e.constant(0).sub(e));
    let z = s.mul_add(down, down - one);
    at_the_ends(sum, number_of::<W>(e).mul_add(s.constant(LN_2), log_of_rest_wide(z)))
}
