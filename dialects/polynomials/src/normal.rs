//! erf, erfc, erfinv and the normal distribution's share that gelu is made of.

use crate::coefficients as c;
use crate::number::{Number, Single};
use crate::steps::{at_most, clamp, exp2_wide, log1p_wide, polynomial, power};
use std::f64::consts::LOG2_E;

/// Below 1 an odd polynomial; above, one less the complement, whose logarithm is nearly a parabola.
#[inline(always)]
pub fn erf<T: Single>(x: T) -> T {
    let (one, a) = (x.constant(1.0), x.abs());
    let near = x.mul_add(polynomial(x * x, &c::ERF_NEAR), x);
    let far = one - power(polynomial(clamp(a - one, 0.0, 3.0), &c::ERF_FAR));
    // The sign is put on last: a choice between that and `x` is one instruction of AVX-512's, which LLVM 22 makes wrong for bf16.
    let far = T::choose(one.at_most(a), far, a).copysign(x);
    T::choose(a.less(one), near, far)
}

/// `exp(-a²)` times a polynomial; of negative numbers 2 less that.
#[inline(always)]
pub fn erfc<T: Single>(x: T) -> T {
    let a = at_most(x.abs().wide(), 11.0);
    let centre = a.constant(2.5);
    let t = (a - centre) / (a + centre);
    let y = exp2_wide(a * a * a.constant(-LOG2_E)) * polynomial(t, &c::ERFC);
    let two = a.constant(2.0);
    T::of_wide(T::Wide::choose(x.less(x.constant(0.0)), two - y, y))
}

#[inline(always)]
pub fn erfinv<T: Single>(x: T) -> T {
    let wide = x.wide();
    // Exact in 64 bits.
    let log = log1p_wide(-(wide * wide));
    let t = log.mul_add(wide.constant(-0.125), wide.constant(-1.0));
    let y = x.abs();
    let one = x.constant(1.0);
    let inside = T::of_wide(wide * polynomial(t, &c::ERFINV));
    let end = T::choose(y.equal(one), x.constant(f64::INFINITY).copysign(x), x.constant(f64::NAN));
    T::choose(y.less(one), inside, end)
}

/// `x / 2 (1 + erf(x / √2))`, which is x times the normal distribution's share below it: of the smaller tail the logarithm is a polynomial, and nothing
/// cancels. Beyond 5.75 that tail is below the last place of 1.
#[inline(always)]
pub fn gelu<T: Single>(x: T) -> T {
    let (zero, one, a) = (x.constant(0.0), x.constant(1.0), x.abs());
    let log = a.mul_add(polynomial(a, &c::NORMAL_TAIL), -one);
    let tail = T::choose(a.less(x.constant(5.75)), power(log), zero);
    x * T::choose(x.less(zero), tail, one - tail)
}
