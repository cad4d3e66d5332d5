//! The regularised incomplete gamma functions P(a, x) and Q(a, x) = 1 − P(a, x).
//!
//! Four expansions share the quarter plane: a power series left of x = a, a continued fraction right of it, near the
//! origin a series for Q that does not take it as 1 − P, and for large a and x alike an expansion about the normal
//! distribution. Section numbers are those of the NIST Digital Library of Mathematical Functions.

use sconce_kernels::engine::functions::{BERNOULLI, digamma};
use std::f64::consts::TAU;

/// P(a, x), the regularised lower incomplete gamma function.
pub fn gammainc(a: f64, x: f64) -> f64 {
    ratios(a, x).0
}

/// Q(a, x), the regularised upper incomplete gamma function.
pub fn gammaincc(a: f64, x: f64) -> f64 {
    ratios(a, x).1
}

/// P and Q, of which the smaller is found first wherever it is much smaller.
fn ratios(a: f64, x: f64) -> (f64, f64) {
    if let Some(limit) = limit(a, x) {
        return limit;
    }
    if a >= UNIFORM_FROM {
        let eta = eta(a, x);
        if eta.abs() <= 1.0 {
            return uniform(a, eta);
        }
    }
    // Where xᵃ > ½, P is so large that Q must not be taken from it.
    let q = if x < 1.5 && (x > a || a < 1.0 && a * x.ln() > -0.7) {
        near_origin(a, x)
    } else if x > a {
        fraction(a, x)
    } else {
        let p = power_series(a, x);
        return (p, 1.0 - p);
    };
    (1.0 - q, q)
}

/// What needs no computation: borders, and NaN outside.
fn limit(a: f64, x: f64) -> Option<(f64, f64)> {
    const NOWHERE: (f64, f64) = (f64::NAN, f64::NAN);
    const BELOW: (f64, f64) = (0.0, 1.0);
    const ABOVE: (f64, f64) = (1.0, 0.0);
    if a.is_nan() || x.is_nan() || a < 0.0 || x < 0.0 {
        return Some(NOWHERE);
    }
    match (a == 0.0 || x == f64::INFINITY, x == 0.0 || a == f64::INFINITY) {
        (true, true) => Some(NOWHERE),
        (true, false) => Some(ABOVE),
        (false, true) => Some(BELOW),
        (false, false) => None,
    }
}

/// ln Γ(x) − (x − ½) ln x + x − ½ ln 2π, for x ≥ 1 (DLMF 5.11.1).
pub(crate) fn stirling_remainder(x: f64) -> f64 {
    if x < STIRLING_FROM {
        return libm::lgamma(x) - ((x - 0.5) * x.ln() - x + 0.5 * TAU.ln());
    }
    let w = 1.0 / x;
    STIRLING.iter().rev().fold(0.0, |s, c| s * (w * w) + c) * w
}

/// From here seven terms of Stirling's series leave out less than 3e-17.
const STIRLING_FROM: f64 = 10.0;

/// B₂ₖ / (2k (2k − 1)).
const STIRLING: [f64; 7] = {
    let (mut out, mut k) = ([0.0; 7], 0);
    while k < out.len() {
        out[k] = BERNOULLI[k] / ((2 * k + 1) * (2 * k + 2)) as f64;
        k += 1;
    }
    out
};

/// λ − 1 − ln λ for λ = x / a: what of the logarithm of the density is left when that of its maximum is taken off.
fn descent(a: f64, x: f64) -> f64 {
    let mu = (x - a) / a;
    if mu.abs() > 0.3 {
        return mu - (x / a).ln();
    }
    // With s = μ / (2 + μ), ln(1 + μ) is 2 artanh s and μ − 2s is μs: no two terms nearly cancel.
    let s = mu / (2.0 + mu);
    let s2 = s * s;
    let tail = (1i32..=10).rev().fold(0.0, |t, k| t * s2 + 2.0 / f64::from(2 * k + 1));
    s * (mu - s2 * tail)
}

/// xᵃ e⁻ˣ / Γ(a + 1).
fn density(a: f64, x: f64) -> f64 {
    if a >= STIRLING_FROM {
        // Of ln Γ(a + 1) Stirling's formula takes off what would cancel.
        return (-a * descent(a, x) - stirling_remainder(a)).exp() / (TAU * a).sqrt();
    }
    if x > 1e3 {
        return 0.0;
    }
    // In two halves, as e⁻ˣ alone may be too small a number.
    let half = (-0.5 * x).exp();
    x.powf(a) * half * half / libm::tgamma(a + 1.0)
}

/// P for x ≤ a, by positive terms (DLMF 8.11.4).
fn power_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut k) = (1.0, 1.0, a);
    while term > sum * (f64::EPSILON / 4.0) {
        k += 1.0;
        term *= x / k;
        sum += term;
    }
    density(a, x) * sum
}

/// Q for small x (DLMF 8.7.3): 1 − xᵃ/Γ(a + 1) · (1 + a Σ (−x)ᵏ / ((a + k) k!)), where nothing is taken from 1 that
/// is close to it.
fn near_origin(a: f64, x: f64) -> f64 {
    // Γ at a + 1 as it is rounded, and the slope there times what rounding took off.
    let rounded = 1.0 + a;
    let lost = a - (rounded - 1.0);
    let less_one = (a * x.ln() - libm::lgamma(rounded) - lost * digamma(rounded)).exp_m1();
    let (mut power, mut sum, mut k) = (1.0, 0.0, 0.0);
    loop {
        k += 1.0;
        power *= -x / k;
        let term = power / (a + k);
        sum += term;
        if term.abs() <= f64::EPSILON / 4.0 * x {
            return -less_one - (1.0 + less_one) * a * sum;
        }
    }
}

/// Q for x > a (the even part of DLMF 8.9.2): a continued fraction, from the inside out.
fn fraction(a: f64, x: f64) -> f64 {
    let front = a * density(a, x);
    if front == 0.0 {
        return 0.0;
    }
    // For small a the error falls like exp(−4 √(k x)); that ten more are enough for all a was found by measuring.
    let mut k = (85.0 / x).ceil() + 10.0;
    let base = x - a + 1.0;
    let mut value = base + 2.0 * k;
    while k > 0.0 {
        value = base + 2.0 * (k - 1.0) + k * (a - k) / value;
        k -= 1.0;
    }
    front / value
}

/// From here the expansion of [`uniform`] is used.
const UNIFORM_FROM: f64 = 12.0;

/// ±√(2 (λ − 1 − ln λ)), positive right of λ = 1 (DLMF 8.12.1).
fn eta(a: f64, x: f64) -> f64 {
    (2.0 * descent(a, x)).sqrt().copysign(x - a)
}

const ORDER: usize = 30;

/// Power series in η of η / (λ − 1).
///
/// With μ = λ − 1 the definition of η gives μ dμ/dη = η (1 + μ); comparing powers in it yields μ = Σ αₙ ηⁿ, and η/μ is
/// the reciprocal of μ/η.
const SLOPES: [f64; ORDER + 1] = {
    let mut alpha = [0.0; ORDER + 2];
    alpha[1] = 1.0;
    let mut n = 2;
    while n <= ORDER + 1 {
        let (mut products, mut i) = (0.0, 2);
        while i < n {
            products += alpha[i] * alpha[n + 1 - i];
            i += 1;
        }
        alpha[n] = alpha[n - 1] / (n + 1) as f64 - products / 2.0;
        n += 1;
    }
    let mut out = [0.0; ORDER + 1];
    out[0] = 1.0;
    n = 1;
    while n <= ORDER {
        let mut k = 1;
        while k <= n {
            out[n] -= alpha[k + 1] * out[n - k];
            k += 1;
        }
        n += 1;
    }
    out
};

/// P and Q where x/a is between about 0.3 and 2.3 and a is large (N. M. Temme, "The asymptotic expansion of the
/// incomplete gamma functions", SIAM J. Math. Anal. 10, 1979; DLMF 8.12.3 and 8.12.4).
///
/// Q = ½ erfc(η √(a/2)) + e^(−aη²/2) / √(2πa) · S(η). Differentiated, this says S′ − aηS = a (1 − η / (Γ*(a) (λ − 1))),
/// Γ* being what Stirling's formula lacks. So for S = Σ Tₙ ηⁿ / Γ* the coefficients obey Tₙ₋₁ = (n + 1)/a · Tₙ₊₁ +
/// [coefficient n of η / (λ − 1)], which is run downwards, and the constant terms give Γ* = 1 + T₁/a.
fn uniform(a: f64, eta: f64) -> (f64, f64) {
    let inverse = 1.0 / a;
    let (mut above, mut here, mut sum) = (0.0, 0.0, 0.0);
    for n in (1..=ORDER).rev() {
        let below = (n + 1) as f64 * inverse * above + SLOPES[n];
        (above, here) = (here, below);
        sum = sum * eta + below;
    }
    // The last two are T₁ and T₀.
    let gamma_star = 1.0 + above * inverse;
    let exponent = 0.5 * a * eta * eta;
    let rest = (-exponent).exp() / (TAU * a).sqrt() * sum / gamma_star;
    let z = exponent.sqrt().copysign(eta);
    (0.5 * libm::erfc(-z) - rest, 0.5 * libm::erfc(z) + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, want: f64, bound: f64) {
        assert!((got - want).abs() <= bound * want.abs() + 1e-300, "{got} {want}");
    }

    /// Pairs on both sides of every border between expansions.
    fn pairs() -> impl Iterator<Item = (f64, f64)> {
        let shapes =
            [1e-8, 0.003, 0.2, 0.5, 0.97, 1.0, 1.49, 2.5, 6.0, 9.99, 10.01, 11.99, 12.01, 20.0, 75.0, 430.0, 8000.0];
        let ratios =
            [1e-6, 0.01, 0.29, 0.3, 0.5, 0.69, 0.71, 0.9, 0.999, 1.0, 1.001, 1.1, 1.29, 1.31, 1.8, 2.3, 2.4, 6.0, 50.0];
        shapes.into_iter().flat_map(move |a| ratios.into_iter().map(move |r| (a, a * r)))
    }

    #[test]
    fn whole_and_half_shapes() {
        for x in [1e-9, 0.01, 0.4, 1.0, 1.4, 1.6, 3.0, 8.0, 11.5, 13.0, 29.0, 80.0, 300.0] {
            close(gammaincc(1.0, x), (-x).exp(), 1e-14);
            close(gammaincc(0.5, x), libm::erfc(x.sqrt()), 2e-13);
            close(gammainc(0.5, x), libm::erf(x.sqrt()), 1e-14);
            // DLMF 8.4.10.
            for n in [2, 5, 9, 12, 13, 40] {
                let mut term = (-x).exp();
                let mut sum = term;
                for k in 1..n {
                    term *= x / f64::from(k);
                    sum += term;
                }
                close(gammaincc(f64::from(n), x), sum, 5e-13);
            }
        }
    }

    #[test]
    fn the_recurrence_holds_across_all_borders() {
        // DLMF 8.8.5 and 8.8.6.
        for (a, x) in pairs().filter(|(a, _)| *a < 1000.0) {
            let step = density(a, x);
            let bound = 1e-12;
            if gammainc(a, x) < 0.5 {
                close(gammainc(a + 1.0, x) + step, gammainc(a, x), bound);
            } else {
                close(gammaincc(a, x) + step, gammaincc(a + 1.0, x), bound);
            }
        }
    }

    #[test]
    fn both_add_up_and_run_one_way() {
        let mut before = (0.0, 0.0);
        for (a, x) in pairs() {
            let (p, q) = (gammainc(a, x), gammaincc(a, x));
            close(p + q, 1.0, 1e-15);
            assert!((0.0..=1.0).contains(&p) && (0.0..=1.0).contains(&q), "{a} {x}: {p} {q}");
            assert!(before.0 != a || before.1 <= p, "{a} {x}: {p} after {}", before.1);
            before = (a, p);
        }
    }

    #[test]
    fn q_of_little_shapes_is_the_exponential_integral() {
        // Q(a, x) / a tends to E₁(x).
        close(gammaincc(1e-300, 1.0) / 1e-300, 0.219_383_934_395_520_3, 1e-14);
        close(gammaincc(1e-12, 0.5) / 1e-12, 0.559_773_594_776_160_8, 1e-11);
    }

    #[test]
    fn the_largest_shapes_are_normal() {
        for a in [1e8, 1e14, 1e200] {
            close(gammainc(a, a), 0.5, 1e-4);
        }
        // One standard deviation off.
        close(gammaincc(1e16, 1e16 + 1e8), 0.158_655_253_931_457, 1e-7);
    }

    #[test]
    fn stirlings_remainder_is_what_lgamma_says() {
        for x in [1.0, 2.5, 9.9, 10.1, 15.0, 30.0] {
            let main = (x - 0.5) * f64::ln(x) - x + 0.5 * TAU.ln();
            assert!((stirling_remainder(x) + main - libm::lgamma(x)).abs() < 3e-14);
        }
    }

    #[test]
    fn borders() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        for (a, x, p) in [(0.0, 2.0, 1.0), (3.0, 0.0, 0.0), (inf, 5.0, 0.0), (3.0, inf, 1.0), (-0.0, inf, 1.0)] {
            assert_eq!((gammainc(a, x), gammaincc(a, x)), (p, 1.0 - p));
        }
        for (a, x) in [(0.0, 0.0), (inf, inf), (-1.0, 2.0), (1.0, -2.0), (nan, 1.0), (1.0, nan), (-0.5, inf)] {
            assert!(gammainc(a, x).is_nan() && gammaincc(a, x).is_nan());
        }
        assert_eq!(gammaincc(1.0, 5e-324), 1.0);
    }
}
