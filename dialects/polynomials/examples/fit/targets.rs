//! What each polynomial of the table approximates: the function, where, how its error counts, how many coefficients of which type.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, LN_2, PI, SQRT_2};

/// The type that coefficients are rounded to.
#[derive(Clone, Copy, PartialEq)]
pub enum Kept {
    F32,
    F64,
}

/// One polynomial.
pub struct Target {
    pub name: &'static str,
    /// What it is, in the words of a comment.
    pub says: &'static str,
    pub low: f64,
    pub high: f64,
    pub count: usize,
    /// The first coefficients, where they must be these.
    pub given: &'static [f64],
    pub kept: Kept,
    pub f: fn(f64) -> f64,
    /// How much an error of the polynomial is one of the function that it serves.
    pub weight: fn(f64) -> f64,
}

/// A power series whose terms follow from each other.
fn series(x: f64, first: f64, next: impl Fn(f64) -> f64) -> f64 {
    let (mut sum, mut term) = (0.0, first);
    for k in 0..400 {
        sum += term;
        term *= x * next(f64::from(k));
        if term.abs() < sum.abs() * 1e-19 {
            break;
        }
    }
    sum
}

/// `(exp(r) - 1 - r) / r²`
fn exp_rest(r: f64) -> f64 {
    series(r, 0.5, |k| 1.0 / (k + 3.0))
}

/// `(2^f - 1) / f`
fn exp2_rest(f: f64) -> f64 {
    LN_2 * series(f * LN_2, 1.0, |k| 1.0 / (k + 2.0))
}

/// `(log(1 + u) - u) / u²`
fn log_rest(u: f64) -> f64 {
    series(u, -0.5, |k| -(k + 2.0) / (k + 3.0))
}

/// `(erf(√u) - √u) / √u`
fn erf_rest(u: f64) -> f64 {
    libm::erf(u.sqrt()) / u.sqrt() - 1.0
}

/// log2 of what is beyond `a` of the normal distribution.
fn log2_tail(a: f64) -> f64 {
    libm::log2(0.5 * libm::erfc(a * FRAC_1_SQRT_2))
}

/// `(tanh(√u) - √u) / (√u u)`
fn tanh_rest(u: f64) -> f64 {
    // tanh = sinh / cosh; the first terms of sinh(x) - x cosh(x) cancel by hand.
    let cosh = series(u, 1.0, |k| 1.0 / ((2.0 * k + 1.0) * (2.0 * k + 2.0)));
    let (mut difference, mut odd, mut even) = (0.0, 1.0, 1.0);
    for k in 1..40 {
        let k = f64::from(k);
        even /= (2.0 * k - 1.0) * 2.0 * k;
        odd /= 2.0 * k * (2.0 * k + 1.0);
        difference += (odd - even) * libm::pow(u, k - 1.0);
    }
    difference / cosh
}

/// `(atan(√v) - √v) / (√v v)`
fn atan_rest(v: f64) -> f64 {
    series(v, -1.0 / 3.0, |k| -(2.0 * k + 3.0) / (2.0 * k + 5.0))
}

/// `(asin(√v) - √v) / (√v v)`
fn asin_rest(v: f64) -> f64 {
    series(v, 1.0 / 6.0, |k| (2.0 * k + 3.0) * (2.0 * k + 3.0) / ((2.0 * k + 4.0) * (2.0 * k + 5.0)))
}

/// `sin(π √u / 2) / √u`
fn sine(u: f64) -> f64 {
    FRAC_PI_2 * series(u * FRAC_PI_2 * FRAC_PI_2, 1.0, |k| -1.0 / ((2.0 * k + 2.0) * (2.0 * k + 3.0)))
}

/// `cos(π √u / 2)`
fn cosine(u: f64) -> f64 {
    series(u * FRAC_PI_2 * FRAC_PI_2, 1.0, |k| -1.0 / ((2.0 * k + 1.0) * (2.0 * k + 2.0)))
}

/// What [`ERFC_CENTRE`] and the formula call `t`, turned back.
fn erfc_argument(t: f64) -> f64 {
    ERFC_CENTRE * (1.0 + t) / (1.0 - t)
}

/// `a` for which `t = (a - centre) / (a + centre)` is 0.
const ERFC_CENTRE: f64 = 2.5;

/// `exp(a²) erfc(a)` over `t`.
fn erfc_scaled(t: f64) -> f64 {
    let a = erfc_argument(t);
    libm::exp(a * a) * libm::erfc(a)
}

/// `erfinv(x) / x` where `log(1 - x²) = -8 (1 + t)`.
fn erfinv_ratio(t: f64) -> f64 {
    let w = 8.0 * (1.0 + t);
    let x = (-libm::expm1(-w)).sqrt();
    // 1 - x without the digits that the difference loses.
    let beyond = libm::exp(-w) / (1.0 + x);
    if x < 1e-6 {
        return PI.sqrt() / 2.0 * (1.0 + PI / 12.0 * x * x);
    }
    let near = 2.0 / (PI * 0.147) - w / 2.0;
    let mut y = ((near * near + w / 0.147).sqrt() - near).sqrt();
    for _ in 0..60 {
        let residual = if x < 0.5 { libm::erf(y) - x } else { beyond - libm::erfc(y) };
        let slope = 2.0 / PI.sqrt() * libm::exp(-y * y);
        let step = residual / slope;
        y -= step / (1.0 + y * step);
        if step.abs() < 1e-16 * y {
            break;
        }
    }
    y / x
}

const fn target(name: &'static str, says: &'static str) -> Target {
    Target { name, says, low: 0.0, high: 1.0, count: 1, given: &[], kept: Kept::F64, f: |x| x, weight: |_| 1.0 }
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target {
        low: -0.347,
        high: 0.347,
        count: 5,
        given: &[0.5],
        kept: Kept::F32,
        f: exp_rest,
        weight: |r| r * r / libm::exp(r),
        ..target("EXP", "`exp(r) = 1 + r + r² p(r)`, r within half of ln 2")
    },
    Target {
        low: -0.6,
        high: 0.6,
        count: 7,
        given: &[0.5],
        kept: Kept::F32,
        f: exp_rest,
        weight: |r| r * r / libm::expm1(r),
        ..target("EXPM1", "`exp(r) - 1 = r + r² p(r)`")
    },
    Target {
        low: -0.5,
        high: 0.5,
        count: 6,
        kept: Kept::F32,
        f: exp2_rest,
        weight: |f| f / libm::exp2(f),
        ..target("EXP2", "`2^f = 1 + f p(f)`")
    },
    Target {
        low: FRAC_1_SQRT_2 - 1.0,
        high: SQRT_2 - 1.0,
        count: 9,
        given: &[-0.5],
        kept: Kept::F32,
        f: log_rest,
        weight: |u| u * u / libm::log1p(u),
        ..target("LOG", "`log(1 + u) = u + u² p(u)`, 1 + u between the roots of 1/2 and 2")
    },
    Target {
        low: 0.0,
        high: 1.0,
        count: 7,
        kept: Kept::F32,
        f: tanh_rest,
        weight: |u| u * u.sqrt() / libm::tanh(u.sqrt()),
        ..target("TANH", "`tanh(x) = x + x³ p(x²)` for |x| below 1")
    },
    Target {
        low: 0.0,
        high: 1.0,
        count: 7,
        kept: Kept::F32,
        f: erf_rest,
        weight: |u| u.sqrt() / libm::erf(u.sqrt()),
        ..target("ERF_NEAR", "`erf(x) = x + x p(x²)` for |x| below 1")
    },
    Target {
        low: 0.0,
        high: 3.0,
        count: 8,
        kept: Kept::F32,
        f: |v| libm::log2(libm::erfc(1.0 + v)),
        weight: |v| libm::erfc(1.0 + v) * LN_2 / libm::erf(1.0 + v),
        ..target("ERF_FAR", "`erf(1 + v) = 1 - 2^p(v)`")
    },
    Target {
        low: 0.0,
        high: 5.75,
        count: 11,
        kept: Kept::F32,
        f: |a| (log2_tail(a) + 1.0) / a,
        weight: |a| a * LN_2,
        ..target("NORMAL_TAIL", "The normal distribution's share beyond a is `2^(a p(a) - 1)`")
    },
    Target {
        low: -0.347,
        high: 0.347,
        count: 7,
        given: &[0.5],
        f: exp_rest,
        weight: |r| r * r / libm::expm1(r),
        ..target("EXP_WIDE", "`exp(r) - 1 = r + r² p(r)`, r within half of ln 2")
    },
    Target {
        low: -0.5,
        high: 0.5,
        count: 8,
        f: exp2_rest,
        weight: |f| f / libm::exp2(f),
        ..target("EXP2_WIDE", "`2^f = 1 + f p(f)`")
    },
    Target {
        low: FRAC_1_SQRT_2 - 1.0,
        high: SQRT_2 - 1.0,
        count: 15,
        f: log_rest,
        weight: |u| u * u / libm::log1p(u),
        ..target("LOG_WIDE", "`log(1 + u) = u + u² p(u)`, 1 + u between the roots of 1/2 and 2")
    },
    Target {
        low: 0.0,
        high: 0.2501,
        count: 5,
        f: sine,
        weight: |u| 1.0 / sine(u),
        ..target("SINE", "The sine of f right angles, |f| at most a half: `f p(f²)`")
    },
    Target {
        low: 0.0,
        high: 0.2501,
        count: 6,
        given: &[1.0],
        f: cosine,
        weight: |u| 1.0 / cosine(u),
        ..target("COSINE", "The cosine of f right angles, |f| at most a half: `p(f²)`")
    },
    Target {
        low: 0.0,
        high: 0.1717,
        count: 7,
        f: atan_rest,
        weight: |v| v,
        ..target("ATAN", "`atan(t) = t + t³ p(t²)` for |t| below the tangent of π/8")
    },
    Target {
        low: 0.0,
        high: 0.2501,
        count: 8,
        f: asin_rest,
        weight: |v| v,
        ..target("ASIN", "`asin(x) = x + x³ p(x²)` for |x| at most a half")
    },
    Target {
        low: -1.0,
        high: 0.604,
        count: 13,
        f: erfc_scaled,
        weight: |t| 1.0 / erfc_scaled(t),
        ..target("ERFC", "`erfc(a) = exp(-a²) p(t)`, where t = (a - 2.5) / (a + 2.5) and a is between 0 and 10.1")
    },
    Target {
        low: -1.0,
        high: 1.0,
        count: 22,
        f: erfinv_ratio,
        weight: |t| 1.0 / erfinv_ratio(t),
        ..target("ERFINV", "`erfinv(x) = x p(t)`, where `log(1 - x²) = -8 (1 + t)`")
    },
];
