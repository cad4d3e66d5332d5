//! The functions of f32 that have formulas (`sconce-polynomials`), applied to slices: one formula for every element, so the bits do not depend on the vector
//! width and are those of compiled code. And activations in one step.

use crate::engine::slices::{Between, Choose, Loops, Map, Zip, map, zip};
use crate::engine::vectorize::vectorize_widest;
pub use sconce_polynomials::exponential::{cosh, exp, exp2, expm1, sigmoid, sinh, tanh};
pub use sconce_polynomials::logarithm::{log, log1p, log2, log10};
use sconce_polynomials::{angle, binary_formulas, exponential, logarithm, normal, power, unary_formulas};
use sconce_schema::scalar::{Binary, Unary};

/// A formula for every angle, which takes fewer steps where all are small.
#[inline(always)]
fn map_angles(out: &mut [f32], a: &[f32], every: impl Fn(f32) -> f32, small: impl Fn(f32) -> f32) {
    let all_small = vectorize_widest(
        #[inline(always)]
        || a.iter().fold(true, |all, x| all & (x.abs() < angle::SMALL_ANGLE as f32)),
    );
    if all_small { map(Loops::Widest, out, a, small) } else { map(Loops::Widest, out, a, every) }
}

macro_rules! maps {
    ($($f:path),* $(,)?) => { ($( { const F: Map<f32> = |out, a| map(Loops::Widest, out, a, #[inline(always)] |x| $f(x)); F } ),*) };
}

/// The functions of one value, applied to slices.
pub fn unary(op: Unary) -> Option<Map<f32>> {
    angles(op).or_else(|| formula(op))
}

/// Functions of angles, which ask whether all are small.
fn angles(op: Unary) -> Option<Map<f32>> {
    match op {
        Unary::Sin => Some(|out, a| map_angles(out, a, angle::sin, angle::sin_small)),
        Unary::Cos => Some(|out, a| map_angles(out, a, angle::cos, angle::cos_small)),
        Unary::Tan => Some(|out, a| map_angles(out, a, angle::tan, angle::tan_small)),
        _ => None,
    }
}

fn formula(op: Unary) -> Option<Map<f32>> {
    macro_rules! rows {
        ($($name:ident, $module:ident::$formula:ident, $bound:literal;)*) => {
            match op {
                $(Unary::$name => Some(|out, a| map(Loops::Widest, out, a, $module::$formula)),)*
                _ => None,
            }
        };
    }
    unary_formulas!(rows)
}

/// The functions of two values.
pub fn binary(op: Binary) -> Option<Zip<f32>> {
    macro_rules! rows {
        ($($name:ident, $module:ident::$formula:ident, $bound:literal;)*) => {
            match op {
                $(Binary::$name => Some(|out, a, b| zip(Loops::Widest, out, a, b, $module::$formula)),)*
                _ => None,
            }
        };
    }
    binary_formulas!(rows)
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
    macro_rules! rows {
        ($($name:ident $holds:tt),*) => {
            match op {
                $(Binary::$name => Some(|out, a, b, x, y| choose(out, [a, b, x, y], #[inline(always)] |a, b| a $holds b)),)*
                _ => None,
            }
        };
    }
    rows!(Lt <, Le <=, Gt >, Ge >=)
}

/// Activations with numbers, in one step.
pub fn between(operator: &str) -> Option<Between<f32>> {
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
                map(Loops::Widest, out, a, cut)
            }
        }),
        "aten::leaky_relu" => Some(|out, a, slope, _| {
            map(
                Loops::Widest,
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
pub fn whole(operator: &str) -> Option<Map<f32>> {
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
    let (relu, silu, relu6, hardsigmoid, hardswish) = maps!(relu, silu, relu6, hardsigmoid, hardswish);
    match operator {
        "aten::relu" => Some(relu),
        "aten::relu6" => Some(relu6),
        "aten::hardsigmoid" => Some(hardsigmoid),
        "aten::hardswish" => Some(hardswish),
        "aten::silu" => Some(silu),
        _ => None,
    }
}
