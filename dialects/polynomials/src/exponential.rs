//! exp and what is made of it: exp2, expm1, sigmoid, the hyperbolic functions.

use crate::coefficients as c;
use crate::number::{Bits, Number, Single};
use crate::steps::{
    at_most, clamp, expm1_wide, integer, less_multiple_of_ln2, nearest, polynomial, power_of_two, rounded, scale,
};
use std::f64::consts::LOG2_E;

/// `e^x = 2^n e^r`, where `r` is within half of ln 2.
#[inline(always)]
pub fn exp<T: Single>(x: T) -> T {
    let x = clamp(x, -104.0, 89.0);
    let (sum, n) = rounded(x.mul_add(x.constant(LOG2_E), x.constant(T::ROUND)));
    let r = less_multiple_of_ln2(x, n);
    let p = (r * r).mul_add(polynomial(r, &c::EXP), r) + x.constant(1.0);
    scale(p, integer(sum))
}

#[inline(always)]
pub fn exp2<T: Single>(x: T) -> T {
    let x = clamp(x, -151.0, 129.0);
    let (sum, n) = nearest(x);
    let f = x - n;
    scale(polynomial(f, &c::EXP2).mul_add(f, x.constant(1.0)), integer(sum))
}

/// `e^x - 1`. Multiples of ln 2 are taken from x only where 0.85 of one is there, so that `2^n (e^r - 1)` and `2^n - 1` do not cancel.
#[inline(always)]
pub fn expm1<T: Single>(x: T) -> T {
    let a = clamp(x, -20.0, 89.0);
    let (sum, n) = nearest(a.mul_add(a.constant(LOG2_E), a.constant(-0.35).copysign(-a)));
    let r = less_multiple_of_ln2(a, n);
    let p = (r * r).mul_add(polynomial(r, &c::EXPM1), r);
    // Half of it, because 2^128 is no number.
    let n = integer(sum);
    let half = power_of_two::<T>(n.sub(n.constant(1)));
    let y = p.mul_add(half, half - x.constant(0.5));
    // Halves of the least numbers are not exact, and a sum forgets the sign of zero.
    T::choose(x.abs().less(x.constant(1e-10)), x, y + y)
}

/// `1 / (1 + e^-x)`, which is 0 where `e^-x` is no number of this type, as is the record's expression.
#[inline(always)]
pub fn sigmoid<T: Single>(x: T) -> T {
    let one = x.constant(1.0);
    one / (one + exp(-x))
}

/// Below 1 an odd polynomial; above, 1 less a quotient that is small there.
#[inline(always)]
pub fn tanh<T: Single>(x: T) -> T {
    let (one, a) = (x.constant(1.0), x.abs());
    let u = x * x;
    let near = (x * u).mul_add(polynomial(u, &c::TANH), x);
    let double = at_most(a + a, 20.0);
    let (sum, n) = rounded(double.mul_add(x.constant(LOG2_E), x.constant(T::ROUND)));
    let r = less_multiple_of_ln2(double, n);
    let scale = power_of_two::<T>(integer(sum));
    let power = (r * r).mul_add(polynomial(r, &c::EXP), r).mul_add(scale, scale);
    let far = one - x.constant(2.0) / (power + one);
    // Near zero too: a sum forgets the sign of zero.
    T::choose(a.less(one), near, far).copysign(x)
}

#[inline(always)]
pub fn sinh<T: Single>(x: T) -> T {
    let t = expm1_wide(at_most(x.abs().wide(), 95.0));
    let sum = t + t / (t + t.constant(1.0));
    T::of_wide(sum * t.constant(0.5)).copysign(x)
}

#[inline(always)]
pub fn cosh<T: Single>(x: T) -> T {
    let t = expm1_wide(at_most(x.abs().wide(), 95.0));
    let (one, half) = (t.constant(1.0), t.constant(0.5));
    let e = t + one;
    T::of_wide(half * (e + one / e))
}
