//! The digamma function, Hurwitz's zeta function and, from the two, the derivatives of digamma.
//!
//! All three come from one idea: far from the origin a short series in Bernoulli numbers is exact to the last bit, and
//! a recurrence leads there. Section numbers are those of the NIST Digital Library of Mathematical Functions.

use sconce_kernels::engine::functions::{BERNOULLI, digamma};

/// Terms of the Euler-Maclaurin series in [`zeta_positive`].
const TERMS: usize = BERNOULLI.len();

/// B₂ₖ / (2k)!.
const EULER_MACLAURIN: [f64; TERMS] = {
    let (mut out, mut factorial, mut k) = (BERNOULLI, 1.0, 0);
    while k < TERMS {
        factorial *= ((2 * k + 1) * (2 * k + 2)) as f64;
        out[k] /= factorial;
        k += 1;
    }
    out
};

/// Hurwitz's zeta function Σ (q + k)⁻ˢ for s > 1. At its poles, q = 0, −1, …, it is infinite, and where a negative
/// number would be raised to a power that is not whole it is NaN.
pub fn zeta(s: f64, q: f64) -> f64 {
    if s == 1.0 {
        return f64::INFINITY;
    }
    if s < 1.0 || s.is_nan() || q.is_nan() {
        return f64::NAN;
    }
    if q > 0.0 {
        return zeta_positive(s, q);
    }
    if q == q.floor() {
        return f64::INFINITY;
    }
    if s != s.floor() { f64::NAN } else { zeta_negative(s, q) }
}

/// Zeta for negative q that is no pole, and whole s. The bases are q, …, −rest and from 1 − rest on the positive ones.
///
/// Each negative base is taken together with a positive one: in odd powers the two may cancel, exactly where rest is ½.
fn zeta_negative(s: f64, q: f64) -> f64 {
    let (rest, count) = (q.ceil() - q, -q.floor());
    let first = 1.0 - rest;
    let sign = if s % 2.0 == 0.0 { 1.0 } else { -1.0 };
    if count > 16.0 {
        return zeta_positive(s, first) + sign * zeta_positive(s, rest) - sign * zeta_positive(s, 1.0 - q);
    }
    let mut sum = zeta_positive(s, first + count);
    let mut k = count;
    while k > 0.0 {
        k -= 1.0;
        sum += power(first + k, s) + sign * power(rest + k, s);
    }
    sum
}

/// x⁻ˢ. Most callers want small whole powers, which need no logarithm.
fn power(x: f64, s: f64) -> f64 {
    if s <= 8.0 && s == s.floor() { x.powi(-(s as i32)) } else { x.powf(-s) }
}

/// Zeta for positive q, by Euler-Maclaurin (DLMF 25.11.5 to 25.11.7, 2.10.1).
///
/// From z on the sum is z¹⁻ˢ (1/(s−1) + 1/(2z) + Σ B₂ₖ/(2k)! · s(s+1)…(s+2k−2) / z²ᵏ). As B₂ₖ/(2k)! is about 2/(2π)²ᵏ,
/// the first term left out after n is below 2 ((s+n) / (2πz))²ⁿ⁺² of the tail's leading z¹⁻ˢ/(s−1): with n = 12 and z ≥
/// 0.7 (s + 12) below 4e-17.
fn zeta_positive(s: f64, q: f64) -> f64 {
    let (mut z, mut sum) = (q, 0.0);
    while z < 0.7 * (s + TERMS as f64) {
        let term = power(z, s);
        sum += term;
        // All later terms together are less than the integral from here.
        if term * (z / (s - 1.0)) <= f64::EPSILON / 4.0 * sum {
            return sum;
        }
        z += 1.0;
    }
    let w = 1.0 / z;
    let series = EULER_MACLAURIN.iter().enumerate().rev().fold(0.0, |inner, (k, c)| {
        let i = 2.0 * k as f64;
        c + (s + i + 1.0) * w * ((s + i + 2.0) * w) * inner
    });
    sum + z.powf(1.0 - s) * (1.0 / (s - 1.0) + w * (0.5 + s * w * series))
}

/// The n-th derivative of digamma (DLMF 5.15.2, 25.11.12): (−1)ⁿ⁺¹ n! ζ(n + 1, x).
pub fn polygamma(n: i64, x: f64) -> f64 {
    if n == 0 {
        return digamma(x);
    }
    // PyTorch reflects the first derivative, with a sine that minus infinity has not.
    if n == 1 && x == f64::NEG_INFINITY {
        return f64::NAN;
    }
    // 171! overflows.
    let factorial: f64 = (1..=n.min(171)).map(|k| k as f64).product();
    let value = factorial * zeta(n as f64 + 1.0, x);
    if n % 2 == 0 { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sconce_kernels::engine::functions::digamma;
    use std::f64::consts::PI;

    /// Equal to a few units in the last place of the largest number that went into the comparison.
    fn close(a: f64, b: f64, scale: f64) {
        assert!((a - b).abs() <= 1e-14 * scale.abs().max(b.abs()), "{a} {b}");
    }

    /// Points of a lattice that hits no pole, and on which adding 1 rounds nothing.
    fn points() -> impl Iterator<Item = f64> {
        (-400..400).map(|i| f64::from(i) / 16.0 + 1.0 / 64.0)
    }

    #[test]
    fn known_constants() {
        const EULER: f64 = 0.577_215_664_901_532_9;
        close(digamma(1.0), -EULER, 1.0);
        close(digamma(0.5), -EULER - 4f64.ln(), 1.0);
        close(digamma(0.25), -EULER - PI / 2.0 - 8f64.ln(), 1.0);
        close(zeta(2.0, 1.0), PI.powi(2) / 6.0, 1.0);
        close(zeta(4.0, 1.0), PI.powi(4) / 90.0, 1.0);
        close(zeta(2.0, 0.5), PI.powi(2) / 2.0, 1.0);
        close(zeta(6.0, 2.0), PI.powi(6) / 945.0 - 1.0, 1.0);
        close(polygamma(1, 1.0), PI.powi(2) / 6.0, 1.0);
        close(polygamma(3, 0.5), PI.powi(4), 1.0);
    }

    #[test]
    fn digamma_steps_and_reflects() {
        for x in points() {
            close(digamma(x + 1.0), digamma(x) + 1.0 / x, digamma(x).abs() + (1.0 / x).abs());
            let cotangent = PI / (PI * x).tan();
            let slack = 1.0 + cotangent * cotangent * x.abs();
            close(digamma(1.0 - x) - digamma(x), cotangent, 10.0 * slack);
        }
    }

    #[test]
    fn digamma_doubles() {
        // DLMF 5.5.8.
        for x in points().filter(|x| *x > 0.0) {
            let halves = (digamma(x) + digamma(x + 0.5)) / 2.0;
            close(digamma(2.0 * x), halves + 2f64.ln(), digamma(x).abs() + 1.0);
        }
    }

    #[test]
    fn zeta_steps() {
        for s in [1.001, 1.5, 2.0, 3.0, 4.75, 9.0, 20.0, 57.0, 150.0] {
            for q in points().filter(|q| *q > 0.0 || s % 1.0 == 0.0) {
                let size = q.abs().powf(-s);
                let first = if q > 0.0 || s % 2.0 == 0.0 { size } else { -size };
                // Left of the origin the terms next to it may cancel.
                let largest = if q < 0.0 { (q - q.round()).abs().powf(-s) } else { size };
                close(zeta(s, q), zeta(s, q + 1.0) + first, largest);
            }
        }
    }

    #[test]
    fn zeta_of_thirds_is_riemanns() {
        // DLMF 25.11.15: Σ ζ(s, q + k/3) = 3ˢ ζ(s, 3q).
        for s in [1.01, 1.7, 2.0, 5.0, 11.3, 40.0] {
            for q in [0.01, 0.3, 1.0, 2.2, 7.7, 31.0, 1e4] {
                let sum: f64 = (0..3).map(|k| zeta(s, q + f64::from(k) / 3.0)).sum();
                close(sum, 3f64.powf(s) * zeta(s, 3.0 * q), s * sum);
            }
        }
    }

    #[test]
    fn polygamma_reflects() {
        // The derivative of DLMF 5.5.4: ψ′(1 − x) + ψ′(x) = π² / sin² πx.
        for x in points() {
            let sine = (PI * x).sin();
            let right = (PI / sine).powi(2);
            close(polygamma(1, 1.0 - x) + polygamma(1, x), right, right * (1.0 + x.abs() * 10.0 / sine.abs()));
        }
    }

    #[test]
    fn poles_and_what_is_no_number() {
        assert_eq!(digamma(0.0), f64::NEG_INFINITY);
        assert_eq!(digamma(-0.0), f64::INFINITY);
        assert!(digamma(-3.0).is_nan() && digamma(f64::NEG_INFINITY).is_nan() && digamma(f64::NAN).is_nan());
        assert_eq!(digamma(f64::INFINITY), f64::INFINITY);
        assert_eq!(zeta(1.0, 3.0), f64::INFINITY);
        assert_eq!(zeta(2.5, -4.0), f64::INFINITY);
        assert!(zeta(0.5, 1.0).is_nan() && zeta(2.5, -0.5).is_nan() && zeta(f64::NAN, 1.0).is_nan());
        assert_eq!(zeta(2.0, f64::INFINITY), 0.0);
        assert_eq!(zeta(1e300, 1.0), 1.0);
        assert_eq!(zeta(1e300, 5.0), 0.0);
        assert_eq!(polygamma(2, -3.0), f64::NEG_INFINITY);
        assert_eq!(polygamma(3, 0.0), f64::INFINITY);
        // Far left of the origin the sum is not taken term by term.
        close(polygamma(1, -1e9 - 0.5), PI * PI - polygamma(1, 1e9 + 1.5), 1.0);
    }
}
