//! exp, log, sin and their kin in f32, written so that they vectorise: one formula for every element, so the bits do not depend on the vector width.
//!
//! Errors are below one unit in the last place of the true value (`tests/transcendental.rs` measures them); NaN, infinities, denormals and the sign of
//! zero are those of IEEE 754. Most are computed in f64 and rounded once. Multiplications and additions are fused only where `mul_add` says so.

use crate::engine::compute::{Between, Choose, Map, Zip};
use crate::engine::vectorize::vectorize_widest;
use sconce_schema::scalar::{Binary, Unary};
use std::f64::consts::{LN_2, LOG2_E, LOG10_2, LOG10_E};

/// Adding it rounds an f32 below 2^22 to an integer, which stands in the low bits.
const ROUND32: f32 = 12582912.0;
/// The same for f64 below 2^51.
const ROUND64: f64 = 6755399441055744.0;

#[inline(always)]
fn polynomial32<const N: usize>(x: f32, c: [f32; N]) -> f32 {
    let mut sum = c[N - 1];
    for k in (0..N - 1).rev() {
        sum = sum.mul_add(x, c[k]);
    }
    sum
}

#[inline(always)]
fn polynomial64<const N: usize>(x: f64, c: [f64; N]) -> f64 {
    let mut sum = c[N - 1];
    for k in (0..N - 1).rev() {
        sum = sum.mul_add(x, c[k]);
    }
    sum
}

/// `low..=high`, and NaN as it is.
#[inline(always)]
fn clamp32(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

#[inline(always)]
fn clamp64(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// The nearest integer, as a number and as the low bits of an integer.
#[inline(always)]
fn nearest64(x: f64) -> (f64, i64) {
    let t = x + ROUND64;
    (t - ROUND64, t.to_bits() as i64)
}

/// 2^n for -1022 <= n <= 1023; of `n` only the low bits are looked at.
#[inline(always)]
fn power_of_two(n: i64) -> f64 {
    f64::from_bits((n.wrapping_add(1023) << 52) as u64)
}

/// `e^x = 2^n e^r`, where `r` is within half of ln 2. The power is applied in two halves, so that neither leaves the range of numbers where the
/// result does not.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let x = clamp32(x, -104.0, 89.0);
    let t = x.mul_add(std::f32::consts::LOG2_E, ROUND32);
    let n = t - ROUND32;
    let bits = (t.to_bits() as i32).wrapping_sub(ROUND32.to_bits() as i32);
    // The first is ln 2 rounded to f32, the second what is missing.
    let r = n.mul_add(1.904_654_2e-9, n.mul_add(-std::f32::consts::LN_2, x));
    let q = polynomial32(r, [0.5, 0.166_666_67, 0.041_666_273, 0.008_333_265, 0.001_394_585_5, 0.000_199_182_6]);
    let p = (r * r).mul_add(q, r) + 1.0;
    let half = bits >> 1;
    let scale = |n: i32| f32::from_bits((n.wrapping_add(127) << 23) as u32);
    p * scale(half) * scale(bits.wrapping_sub(half))
}

/// `1 / (1 + e^-x)`.
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// `e^x - 1` to about 2^-36, for x below 700.
#[inline(always)]
fn expm1_64(x: f64) -> f64 {
    let (n, bits) = nearest64(x * LOG2_E);
    let r = n.mul_add(-LN_2, x);
    let q = polynomial64(
        r,
        [
            0.49999999999736544,
            0.16666666754562548,
            0.04166666695532453,
            0.00833328893230918,
            0.0013888809239213616,
            0.00019904984114304578,
            2.488254432542197e-05,
        ],
    );
    let small = (r * r).mul_add(q, r);
    let scale = power_of_two(bits);
    scale.mul_add(small, scale - 1.0)
}

#[inline(always)]
pub fn expm1(x: f32) -> f32 {
    (expm1_64(clamp64(f64::from(x), -104.0, 89.0)) as f32).copysign(x)
}

#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let t = expm1_64(2.0 * clamp64(f64::from(x), -10.0, 10.0));
    ((t / (t + 2.0)) as f32).copysign(x)
}

#[inline(always)]
pub fn sinh(x: f32) -> f32 {
    let t = expm1_64(clamp64(f64::from(x.abs()), 0.0, 95.0));
    ((0.5 * (t + t / (t + 1.0))) as f32).copysign(x)
}

#[inline(always)]
pub fn cosh(x: f32) -> f32 {
    let e = expm1_64(clamp64(f64::from(x.abs()), 0.0, 95.0)) + 1.0;
    (0.5 * (e + 1.0 / e)) as f32
}

/// 2^x for |x| below 1000, to about 2^-40.
#[inline(always)]
fn exp2_64(x: f64) -> f64 {
    let (n, bits) = nearest64(x);
    let f = x - n;
    let q = polynomial64(
        f,
        [
            0.6931471805461137,
            0.24022650695552217,
            0.05550410940964856,
            0.009618129219968859,
            0.0013333450605493226,
            0.00015403415079150062,
            1.531009779292218e-05,
            1.326358289907889e-06,
        ],
    );
    let scale = power_of_two(bits);
    (scale * f).mul_add(q, scale)
}

#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    exp2_64(clamp64(f64::from(x), -151.0, 129.0)) as f32
}

/// The exponent `e` and `z` with `x = 2^e (1 + z)`, where `1 + z` is between the roots of 1/2 and 2. For normal positive numbers.
#[inline(always)]
fn exponent_and_rest(x: f64) -> (f64, f64) {
    const ROOT: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    let e = (x.to_bits().wrapping_sub(ROOT) as i64) >> 52;
    let z = f64::from_bits(x.to_bits().wrapping_sub((e << 52) as u64)) - 1.0;
    // An integer to a number, by the bits: AVX2 has no instruction for it.
    let number = f64::from_bits((e as u64).wrapping_add(ROUND64.to_bits())) - ROUND64;
    (number, z)
}

/// log(1 + z) for `z` of [`exponent_and_rest`], to about 2^-43.
#[inline(always)]
fn log_of_rest(z: f64) -> f64 {
    let q = polynomial64(
        z,
        [
            -0.5000000000015027,
            0.3333333332952505,
            -0.249999999359742,
            0.20000000747980895,
            -0.16666674226926173,
            0.14285667744529387,
            -0.12499602738942017,
            0.11112310018900841,
            -0.1001078965494578,
            0.09079848627581492,
            -0.08178094593942856,
            0.07642313498955558,
            -0.08217799502272198,
            0.08107695418280893,
            -0.0410384257238658,
        ],
    );
    (z * z).mul_add(q, z)
}

/// What a logarithm of `x` is where the formula does not hold: below, at and above the ends of the positive numbers, and for NaN.
#[inline(always)]
fn at_the_ends(x: f64, log: f64) -> f32 {
    let log = if x > 0.0 { log } else { f64::NEG_INFINITY };
    let log = if x < 0.0 { f64::NAN } else { log };
    (if x < f64::INFINITY { log } else { x }) as f32
}

#[inline(always)]
pub fn log(x: f32) -> f32 {
    let x = f64::from(x);
    let (e, z) = exponent_and_rest(x);
    at_the_ends(x, e.mul_add(LN_2, log_of_rest(z)))
}

#[inline(always)]
pub fn log2(x: f32) -> f32 {
    let x = f64::from(x);
    let (e, z) = exponent_and_rest(x);
    at_the_ends(x, log_of_rest(z).mul_add(LOG2_E, e))
}

#[inline(always)]
pub fn log10(x: f32) -> f32 {
    let x = f64::from(x);
    let (e, z) = exponent_and_rest(x);
    at_the_ends(x, e.mul_add(LOG10_2, log_of_rest(z) * LOG10_E))
}

#[inline(always)]
pub fn log1p(x: f32) -> f32 {
    let wide = f64::from(x);
    let (e, z) = exponent_and_rest(1.0 + wide);
    // Near zero the sum has lost digits that x has.
    let z = if e == 0.0 { wide } else { z };
    at_the_ends(1.0 + wide, e.mul_add(LN_2, log_of_rest(z))).copysign(if x <= 0.0 { x } else { 1.0 })
}

/// Beyond it an angle is left to libm.
const LARGE_ANGLE: f32 = 1e9;

/// An angle less multiples of a right angle: sine and cosine of what is left, and how many right angles were taken, in the low bits.
#[inline(always)]
fn sine_and_cosine(x: f64) -> (f64, f64, i64) {
    use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};
    let (n, bits) = nearest64(x * FRAC_2_PI);
    let r = n.mul_add(-6.123233995736766e-17, n.mul_add(-FRAC_PI_2, x));
    let u = r * r;
    let s = polynomial64(
        u,
        [
            -0.16666666666631325,
            0.008333333325219522,
            -0.00019841263792757442,
            2.755535106139651e-06,
            -2.476115076498219e-08,
        ],
    );
    let c =
        polynomial64(u, [0.04166666662261626, -0.0013888883732336439, 2.479951392075907e-05, -2.7209701806452013e-07]);
    ((r * u).mul_add(s, r), (u * u).mul_add(c, (-0.5f64).mul_add(u, 1.0)), bits)
}

/// The sign of `x` turned where bit 1 of `n` is set.
#[inline(always)]
fn turned(x: f64, n: i64) -> f64 {
    f64::from_bits(x.to_bits() ^ (((n as u64) & 2) << 62))
}

/// For |x| below [`LARGE_ANGLE`].
#[inline(always)]
fn sin_small(x: f32) -> f32 {
    let (s, c, n) = sine_and_cosine(f64::from(x));
    let y = turned(if n & 1 == 0 { s } else { c }, n) as f32;
    if x == 0.0 { x } else { y }
}

/// For |x| below [`LARGE_ANGLE`].
#[inline(always)]
fn cos_small(x: f32) -> f32 {
    let (s, c, n) = sine_and_cosine(f64::from(x));
    turned(if n & 1 == 0 { c } else { s }, n.wrapping_add(1)) as f32
}

/// For |x| below [`LARGE_ANGLE`].
#[inline(always)]
fn tan_small(x: f32) -> f32 {
    let (s, c, n) = sine_and_cosine(f64::from(x));
    let (above, below) = if n & 1 == 0 { (s, c) } else { (-c, s) };
    let y = (above / below) as f32;
    if x == 0.0 { x } else { y }
}

#[inline(always)]
fn is_small_angle(x: f32) -> bool {
    x.abs() < LARGE_ANGLE
}

/// A function of a large angle, rounded once.
fn large(x: f32, f: fn(f64) -> f64) -> f32 {
    f(f64::from(x)) as f32
}

pub fn sin(x: f32) -> f32 {
    if is_small_angle(x) { sin_small(x) } else { large(x, f64::sin) }
}
pub fn cos(x: f32) -> f32 {
    if is_small_angle(x) { cos_small(x) } else { large(x, f64::cos) }
}
pub fn tan(x: f32) -> f32 {
    if is_small_angle(x) { tan_small(x) } else { large(x, f64::tan) }
}

/// Below 1 an odd polynomial; above, one less the complement, whose logarithm is nearly a parabola.
#[inline(always)]
pub fn erf(x: f32) -> f32 {
    let a = x.abs();
    let near = x.mul_add(
        polynomial32(
            x * x,
            [
                0.128_379_17,
                -0.376_126_26,
                0.112_835_996,
                -0.026_854_401,
                0.005_189_444,
                -0.000_801_994_35,
                7.885_849e-5,
            ],
        ),
        x,
    );
    let u = clamp32(a - 1.0, 0.0, 3.0);
    let log = polynomial32(
        u,
        [
            -2.668_416_7,
            -3.807_225_2,
            -1.216_346_4,
            -0.059_963_427,
            0.014_493_966_5,
            -0.002_902_653_5,
            0.000_417_700_3,
            -3.128_733_4e-5,
        ],
    );
    let far = (1.0 - power(log)).copysign(x);
    if a < 1.0 {
        near
    } else if a >= 1.0 {
        far
    } else {
        x
    }
}

/// Neither has the formula of [`pow_positive`] a case for these.
#[inline(always)]
fn is_ordinary_power(x: f32, y: f32) -> bool {
    x > 0.0 && x < f32::INFINITY && y.abs() < f32::INFINITY
}

/// `2^(y log2 x)` in f64.
#[inline(always)]
fn pow_positive(x: f32, y: f32) -> f32 {
    let (e, z) = exponent_and_rest(f64::from(x));
    let log = log_of_rest(z).mul_add(LOG2_E, e);
    exp2_64(clamp64(f64::from(y) * log, -200.0, 200.0)) as f32
}

pub fn pow(x: f32, y: f32) -> f32 {
    if is_ordinary_power(x, y) { pow_positive(x, y) } else { x.powf(y) }
}

#[inline(always)]
fn map(out: &mut [f32], a: &[f32], f: impl Fn(f32) -> f32) {
    vectorize_widest(
        #[inline(always)]
        || {
            for (o, x) in out.iter_mut().zip(a) {
                *o = f(*x);
            }
        },
    );
}

/// A formula for all elements, then another for the few that it does not hold for.
#[inline(always)]
fn map_but(out: &mut [f32], a: &[f32], holds: impl Fn(f32) -> bool, f: impl Fn(f32) -> f32, otherwise: fn(f32) -> f32) {
    map(out, a, f);
    let all = vectorize_widest(
        #[inline(always)]
        || a.iter().fold(true, |all, x| all & holds(*x)),
    );
    if !all {
        for (o, x) in out.iter_mut().zip(a).filter(|(_, x)| !holds(**x)) {
            *o = otherwise(*x);
        }
    }
}

macro_rules! maps {
    ($($f:path),* $(,)?) => { ($( { const F: Map<f32> = |out, a| map(out, a, #[inline(always)] |x| $f(x)); F } ),*) };
}

/// The functions of this module, applied to slices.
pub fn unary(op: Unary) -> Option<Map<f32>> {
    let (exp, exp2, expm1, log, log2, log10, log1p, tanh, sinh, cosh, sigmoid, erf) =
        maps!(exp, exp2, expm1, log, log2, log10, log1p, tanh, sinh, cosh, sigmoid, erf);
    Some(match op {
        Unary::Exp => exp,
        Unary::Exp2 => exp2,
        Unary::Expm1 => expm1,
        Unary::Log => log,
        Unary::Log2 => log2,
        Unary::Log10 => log10,
        Unary::Log1p => log1p,
        Unary::Tanh => tanh,
        Unary::Sinh => sinh,
        Unary::Cosh => cosh,
        Unary::Sigmoid => sigmoid,
        Unary::Erf => erf,
        Unary::Sin => |out, a| map_but(out, a, is_small_angle, sin_small, sin),
        Unary::Cos => |out, a| map_but(out, a, is_small_angle, cos_small, cos),
        Unary::Tan => |out, a| map_but(out, a, is_small_angle, tan_small, tan),
        _ => return None,
    })
}

/// `x / 2 (1 + erf(x / sqrt 2))`, which is x times the normal distribution's share below it: of the smaller tail the logarithm is a polynomial, and
/// nothing cancels. Beyond 5.75 that tail is below the last place of 1.
#[inline(always)]
fn gelu(x: f32) -> f32 {
    let a = x.abs();
    let log = a.mul_add(
        polynomial32(
            a,
            [
                -1.151_104_6,
                -0.459_218_8,
                -0.052_443_385,
                0.006_941_876_8,
                1.218_625_5e-5,
                -0.000_289_944_2,
                8.080_419e-5,
                -1.195_052_9e-5,
                9.722_597e-7,
                -3.407_546e-8,
            ],
        ),
        -1.0,
    );
    let tail = if a < 5.75 { power(log) } else { 0.0 };
    x * if x < 0.0 { tail } else { 1.0 - tail }
}

/// 2^x for x between -126 and 0, to about 2^-23.
#[inline(always)]
fn power(x: f32) -> f32 {
    let t = x + ROUND32;
    let p = polynomial32(
        x - (t - ROUND32),
        [1.0, std::f32::consts::LN_2, 0.240_226_51, 0.055_503_276, 0.009_618_003, 0.001_340_036_9, 0.000_154_764_28],
    );
    p * f32::from_bits(t.to_bits().wrapping_sub(ROUND32.to_bits()).wrapping_add(127) << 23)
}

/// Choices by the comparisons that activations are made of, without a pass for the truth values.
pub fn choice(op: Binary) -> Option<Choose<f32>> {
    #[inline(always)]
    fn choose(out: &mut [f32], [a, b, x, y]: [&[f32]; 4], holds: impl Fn(f32, f32) -> bool) {
        let n = out.len();
        let (a, b, x, y) = (&a[..n], &b[..n], &x[..n], &y[..n]);
        vectorize_widest(
            #[inline(always)]
            move || {
                for i in 0..n {
                    let (x, y) = (x[i], y[i]);
                    out[i] = if holds(a[i], b[i]) { x } else { y };
                }
            },
        );
    }
    match op {
        Binary::Lt => Some(|out, a, b, x, y| {
            choose(
                out,
                [a, b, x, y],
                #[inline(always)]
                |a, b| a < b,
            )
        }),
        Binary::Le => Some(|out, a, b, x, y| {
            choose(
                out,
                [a, b, x, y],
                #[inline(always)]
                |a, b| a <= b,
            )
        }),
        Binary::Gt => Some(|out, a, b, x, y| {
            choose(
                out,
                [a, b, x, y],
                #[inline(always)]
                |a, b| a > b,
            )
        }),
        Binary::Ge => Some(|out, a, b, x, y| {
            choose(
                out,
                [a, b, x, y],
                #[inline(always)]
                |a, b| a >= b,
            )
        }),
        _ => None,
    }
}

/// Activations with numbers, in one step.
pub fn between(operator: &str) -> Option<Between<f32>> {
    #[inline(always)]
    fn each(out: &mut [f32], a: &[f32], f: impl Fn(f32) -> f32) {
        vectorize_widest(
            #[inline(always)]
            move || out.iter_mut().zip(a).for_each(|(o, x)| *o = f(*x)),
        );
    }
    match operator {
        // As the maximum of a number and x, then the minimum: a NaN of either stays.
        "aten::clamp" | "aten::hardtanh" => Some(|out, a, low, high| {
            let cut = move |x: f32| {
                let x = if low > x { low } else { x };
                if high < x { high } else { x }
            };
            if low.is_nan() || high.is_nan() {
                out.fill(if low.is_nan() { low } else { high })
            } else {
                each(out, a, cut)
            }
        }),
        "aten::leaky_relu" => Some(|out, a, slope, _| {
            each(
                out,
                a,
                #[inline(always)]
                move |x| if x > 0.0 { x } else { x * slope },
            );
        }),
        _ => None,
    }
}

/// Activations in one step: what their records say, without a pass over memory for each of its operations.
pub fn whole(operator: &str, mode: Option<&str>) -> Option<Map<f32>> {
    #[inline(always)]
    fn relu(x: f32) -> f32 {
        if x < 0.0 { 0.0 } else { x }
    }
    #[inline(always)]
    fn silu(x: f32) -> f32 {
        x / (1.0 + exp(-x))
    }
    #[inline(always)]
    fn relu6(x: f32) -> f32 {
        let x = relu(x);
        if x > 6.0 { 6.0 } else { x }
    }
    #[inline(always)]
    fn hardsigmoid(x: f32) -> f32 {
        relu6(x + 3.0) / 6.0
    }
    #[inline(always)]
    fn hardswish(x: f32) -> f32 {
        x * relu6(x + 3.0) / 6.0
    }
    let (relu, silu, gelu, relu6, hardsigmoid, hardswish) = maps!(relu, silu, gelu, relu6, hardsigmoid, hardswish);
    match (operator, mode) {
        ("aten::relu", _) => Some(relu),
        ("aten::relu6", _) => Some(relu6),
        ("aten::hardsigmoid", _) => Some(hardsigmoid),
        ("aten::hardswish", _) => Some(hardswish),
        ("aten::silu", _) => Some(silu),
        ("aten::gelu", Some("none")) => Some(gelu),
        _ => None,
    }
}

/// The same for functions of two values.
pub fn binary(op: Binary) -> Option<Zip<f32>> {
    match op {
        Binary::Pow => Some(|out, a, b| {
            vectorize_widest(
                #[inline(always)]
                || {
                    for ((o, x), y) in out.iter_mut().zip(a).zip(b) {
                        *o = pow_positive(*x, *y);
                    }
                },
            );
            for ((o, x), y) in out.iter_mut().zip(a).zip(b).filter(|((_, x), y)| !is_ordinary_power(**x, **y)) {
                *o = x.powf(*y);
            }
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gelu_is_as_exact_as_its_formula() {
        for i in -40_000..=40_000 {
            let x = i as f32 / 4000.0;
            let wide = f64::from(x);
            let want = 0.5 * wide * libm::erfc(-wide * std::f64::consts::FRAC_1_SQRT_2);
            let difference = (f64::from(gelu(x)) - want).abs();
            assert!(difference <= 1.5e-7 * want.abs().max(0.5), "{x}: {} is not {want}", gelu(x));
        }
        assert_eq!(gelu(f32::INFINITY), f32::INFINITY);
        assert!(gelu(f32::NAN).is_nan());
        assert_eq!(gelu(-100.0), 0.0);
    }
}
