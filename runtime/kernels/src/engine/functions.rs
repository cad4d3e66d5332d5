//! Functions of scalar expressions that are no short formula: lgamma and digamma, and complex functions where the textbook formula
//! overflows or loses the sign of zero. Section numbers are those of the NIST Digital Library of Mathematical Functions.

use num_complex::Complex;
use num_traits::{Float, FloatConst};
use std::f64::consts::PI;

/// Logarithm of |gamma|.
pub fn lgamma(x: f64) -> f64 {
    if x.is_infinite() { f64::INFINITY } else { libm::lgamma(x) }
}

/// The Bernoulli numbers B₂, B₄, … (DLMF 24.2).
pub const BERNOULLI: [f64; 12] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
    43867.0 / 798.0,
    -174611.0 / 330.0,
    854513.0 / 138.0,
    -236364091.0 / 2730.0,
];

/// From here the seven terms that digamma takes leave out less than B₁₆ / (16 · 10¹⁶) < 5e-17.
const DIGAMMA_FAR: f64 = 10.0;

/// B₂ₖ / 2k.
const DIGAMMA: [f64; 7] = {
    let (mut out, mut k) = ([0.0; 7], 0);
    while k < out.len() {
        out[k] = BERNOULLI[k] / (2 * k + 2) as f64;
        k += 1;
    }
    out
};

/// Derivative of lgamma. At 0 it has the infinity of the side that the sign of zero names; at the other poles it is
/// NaN.
pub fn digamma(x: f64) -> f64 {
    if x == 0.0 {
        return f64::INFINITY.copysign(-x);
    }
    if x > 0.0 {
        return digamma_positive(x);
    }
    // DLMF 5.5.4. The tangent has period 1 in x, and its argument is exact once whole periods are taken off.
    let part = x - x.round();
    if part == 0.0 { f64::NAN } else { digamma_positive(1.0 - x) - PI / (PI * part).tan() }
}

fn digamma_positive(x: f64) -> f64 {
    // DLMF 5.5.2: ψ(x) = ψ(x + n) − Σ 1/(x + k). The sum is kept as one fraction, so that it takes one division.
    let (mut z, mut above, mut below) = (x, 0.0, 1.0);
    while z < DIGAMMA_FAR {
        above = above * z + below;
        below *= z;
        z += 1.0;
    }
    // DLMF 5.11.2: ln z − 1/(2z) − Σ B₂ₖ/(2k z²ᵏ).
    let w = 1.0 / z;
    let w2 = if z < f64::INFINITY { w * w } else { 0.0 };
    let series = DIGAMMA.iter().rev().fold(0.0, |s, c| (s + c) * w2);
    z.ln() - 0.5 * w - series - above / below
}

/// Complex exponential; a zero imaginary part stays zero also when the real part overflows.
pub fn exp<T: Float>(z: Complex<T>) -> Complex<T> {
    let r = z.re.exp();
    if z.im == T::zero() {
        return Complex::new(r, z.im);
    }
    if z.re == T::neg_infinity() && !z.im.is_finite() {
        return Complex::new(T::zero(), T::zero());
    }
    Complex::new(r * z.im.cos(), r * z.im.sin())
}

/// Principal square root, without overflow, with C's signs of zero.
pub fn sqrt<T: Float>(z: Complex<T>) -> Complex<T> {
    if z.re == T::zero() && z.im == T::zero() {
        return Complex::new(T::zero(), z.im);
    }
    if z.im.is_infinite() {
        return Complex::new(T::infinity(), z.im);
    }
    let two = T::one() + T::one();
    let m = z.re.hypot(z.im);
    if z.re >= T::zero() {
        let t = ((m + z.re) / two).sqrt();
        Complex::new(t, z.im / (two * t))
    } else {
        let t = ((m - z.re) / two).sqrt();
        let t = if z.im.is_sign_negative() { -t } else { t };
        Complex::new(z.im.abs() / (two * t.abs()), t)
    }
}

/// Quotient, scaled by the larger component of the divisor (Smith).
pub fn div<T: Float>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    if b.re.abs() >= b.im.abs() {
        if b.re == T::zero() && b.im == T::zero() {
            return Complex::new(a.re / b.re.abs(), a.im / b.im.abs());
        }
        let r = b.im / b.re;
        let s = T::one() / (b.re + b.im * r);
        Complex::new((a.re + a.im * r) * s, (a.im - a.re * r) * s)
    } else {
        let r = b.re / b.im;
        let s = T::one() / (b.im + b.re * r);
        Complex::new((a.re * r + a.im) * s, (a.im * r - a.re) * s)
    }
}

/// Power; anything to the 0 is 1.
pub fn pow<T: Float + FloatConst>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    if b.re == T::zero() && b.im == T::zero() {
        return Complex::new(T::one(), T::zero());
    }
    if a.re == T::zero() && a.im == T::zero() {
        return if b.im == T::zero() && b.re > T::zero() {
            Complex::new(T::zero(), T::zero())
        } else if b.im == T::zero() && b.re < T::zero() {
            Complex::new(T::infinity(), T::nan())
        } else {
            Complex::new(T::nan(), T::nan())
        };
    }
    let log = Complex::new(a.re.hypot(a.im).ln(), a.im.atan2(a.re));
    exp(log * b)
}
