//! The `math.*` functions and unary operators on numbers.
//!
//! PyTorch's `.Scalar` overloads round a float result to 32 bits (its C++ says `float` there); they are functions of their own, named `…_scalar`.

use crate::container::direct::{Row, form};
use crate::engine::calling::kernels;
use crate::engine::number::Number;
use crate::{Call, Error, Outputs, arg};
use num_complex::Complex;
use sconce_tensor::IValue;
use smallvec::smallvec;

/// Real functions with a complex counterpart.
macro_rules! transcendental {
    ($($name:ident $(, $narrow:ident)?: $real:expr, $complex:expr;)*) => {
        fn transcendental_rows() -> Vec<Row> {
            vec![$(Row::words($name, [form!(|x: f64| {
                let real: fn(f64) -> f64 = $real;
                real(x)
            })])),*]
        }
        $(
        pub fn $name(x: Number) -> Result<Number, Error> {
            unary(x, $real, $complex, false)
        }
        $(pub fn $narrow(x: Number) -> Result<Number, Error> {
            unary(x, $real, $complex, true)
        })?
        )*
    };
}

type OfComplex = fn(Complex<f64>) -> Complex<f64>;

fn unary(x: Number, real: fn(f64) -> f64, complex: Option<OfComplex>, narrow: bool) -> Result<Number, Error> {
    Ok(match (x, complex) {
        (Number::Complex(c), Some(f)) => Number::Complex(f(c)),
        (n, _) => {
            let r = real(n.to_f64()?);
            Number::Double(if narrow { f64::from(r as f32) } else { r })
        }
    })
}

transcendental! {
    exp, exp_scalar: f64::exp, Some(|c| c.exp());
    log, log_scalar: f64::ln, Some(|c| c.ln());
    log2: f64::log2, None;
    log10, log10_scalar: f64::log10, Some(|c| c.log10());
    log1p, log1p_scalar: f64::ln_1p, None;
    expm1, expm1_scalar: f64::exp_m1, None;
    sqrt, sqrt_scalar: f64::sqrt, Some(|c| c.sqrt());
    sin, sin_scalar: f64::sin, Some(|c| c.sin());
    cos, cos_scalar: f64::cos, Some(|c| c.cos());
    tan, tan_scalar: f64::tan, Some(|c| c.tan());
    asin, asin_scalar: f64::asin, Some(asin_complex);
    acos, acos_scalar: f64::acos, Some(acos_complex);
    atan, atan_scalar: f64::atan, Some(atan_complex);
    sinh, sinh_scalar: f64::sinh, Some(|c| c.sinh());
    cosh, cosh_scalar: f64::cosh, Some(|c| c.cosh());
    tanh, tanh_scalar: f64::tanh, Some(|c| c.tanh());
    asinh, asinh_scalar: libm::asinh, Some(|c| c.asinh());
    acosh, acosh_scalar: libm::acosh, Some(|c| c.acosh());
    atanh, atanh_scalar: libm::atanh, Some(atanh_complex);
    erf, erf_scalar: libm::erf, None;
    erfc, erfc_scalar: libm::erfc, None;
    gamma, gamma_scalar: libm::tgamma, None;
    lgamma, lgamma_scalar: libm::lgamma, None;
    fabs, fabs_scalar: f64::abs, None;
    degrees, degrees_scalar: |x| x * (180.0 / std::f64::consts::PI), None;
    radians, radians_scalar: |x| x * (std::f64::consts::PI / 180.0), None;
}

/// On the cuts beyond 1 and -1 the sign of the zero says from which side.
fn acos_complex(c: Complex<f64>) -> Complex<f64> {
    if c.im == 0.0 && c.re.abs() > 1.0 {
        let side = libm::acosh(c.re.abs()).copysign(-c.im);
        return Complex::new(if c.re > 0.0 { 0.0 } else { std::f64::consts::PI }, side);
    }
    c.acos()
}

fn atanh_complex(c: Complex<f64>) -> Complex<f64> {
    let on_cut = c.im == 0.0 && c.re.abs() > 1.0;
    let value = c.atanh();
    if on_cut { Complex::new(value.re, value.im.abs().copysign(c.im)) } else { value }
}

fn atan_complex(c: Complex<f64>) -> Complex<f64> {
    let on_cut = c.re == 0.0 && c.im.abs() > 1.0;
    let value = c.atan();
    if on_cut { Complex::new(value.re.abs().copysign(c.re), value.im) } else { value }
}

/// The branch cut's side follows the sign of the imaginary zero, as in C.
fn asin_complex(c: Complex<f64>) -> Complex<f64> {
    let r = c.asin();
    Complex::new(r.re.abs().copysign(c.re), r.im.abs().copysign(c.im))
}

/// Argument of a number; of a negative real (also -0.0) it is π.
pub fn angle(a: Number) -> f64 {
    match a {
        Number::Complex(c) => c.arg(),
        other if other.to_complex().re.is_sign_negative() => std::f64::consts::PI,
        _ => 0.0,
    }
}

pub fn angle_scalar(a: Number) -> f64 {
    f64::from(angle(a) as f32)
}

/// `-x`.
pub fn neg(a: Number) -> IValue {
    match a {
        Number::Bool(b) => IValue::Int(-i64::from(b)),
        Number::Int(i) => IValue::Int(i.wrapping_neg()),
        Number::Double(d) => IValue::Double(-d),
        Number::Complex(c) => IValue::complex(-c.re, -c.im),
    }
}

/// `abs(x)`; of a complex number its modulus.
pub fn abs(a: Number) -> IValue {
    match a {
        Number::Bool(b) => IValue::Int(i64::from(b)),
        Number::Int(i) => IValue::Int(i.wrapping_abs()),
        Number::Double(d) => IValue::Double(d.abs()),
        Number::Complex(c) => IValue::Double(c.norm()),
    }
}

/// `floor`, `ceil`: an integer, which NaN and the infinities have none of.
fn to_integer(_: &Call<'_>, args: &[IValue], round: fn(f64) -> f64) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Int(match Number::from_value(arg(args, 0)?)? {
        Number::Double(d) => rounded(d, round)?,
        other => other.to_i64()?,
    })])
}

#[inline]
fn rounded(d: f64, round: fn(f64) -> f64) -> Result<i64, Error> {
    if !d.is_finite() {
        return Err(Error::runtime(format!(
            "Cannot convert float {} to integer",
            crate::container::text::double_text(d)
        )));
    }
    let r = round(d);
    Ok(if (-9223372036854775808.0..9223372036854775808.0).contains(&r) { r as i64 } else { i64::MIN })
}

/// The direct forms of this family.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = vec![
        Row::words(neg, [form!(|a: i64| a.wrapping_neg()), form!(|a: f64| -a)]),
        Row::words(abs, [form!(|a: i64| a.wrapping_abs()), form!(|a: f64| a.abs())]),
        Row::words(floor, [form!(|a: i64| a), form!(|a: f64| rounded(a, f64::floor))]),
        Row::words(ceil, [form!(|a: i64| a), form!(|a: f64| rounded(a, f64::ceil))]),
        Row::words(round, [form!(|a: f64| a.round_ties_even())]),
        Row::words(isnan, [form!(|a: f64| a.is_nan())]),
        Row::words(isinf, [form!(|a: f64| a.is_infinite())]),
        Row::words(isfinite, [form!(|a: f64| a.is_finite())]),
    ];
    rows.extend(transcendental_rows());
    rows
}

kernels! { floor = to_integer, f64::floor; ceil = to_integer, f64::ceil; }

/// To the nearest even integer, as a float.
pub fn round(a: Number) -> Result<f64, Error> {
    Ok(a.to_f64()?.round_ties_even())
}

/// `math.factorial`; wraps at 64 bits.
pub fn factorial(n: i64) -> Result<i64, Error> {
    if n < 0 {
        return Err(Error::runtime("factorial() not defined for negative values"));
    }
    // From 66 on every product holds 64 factors of two.
    Ok(if n >= 66 { 0 } else { (1..=n).fold(1i64, i64::wrapping_mul) })
}

/// Mantissa and exponent.
pub fn frexp(x: f64) -> (f64, i64) {
    let (mantissa, exponent) = if x.is_finite() { libm::frexp(x) } else { (x, 0) };
    (mantissa, i64::from(exponent))
}

/// `x * 2**i`.
pub fn ldexp(x: f64, i: i64) -> f64 {
    let i = i.clamp(-5000, 5000) as i32;
    libm::ldexp(x, i)
}

/// Fractional and integral part, both with the sign of the number.
pub fn modf(x: f64) -> (f64, f64) {
    libm::modf(x)
}

fn predicate(_: &Call<'_>, args: &[IValue], holds: fn(f64) -> bool, any: bool) -> Result<Outputs, Error> {
    let c = Number::from_value(arg(args, 0)?)?.to_complex();
    let (re, im) = (holds(c.re), holds(c.im));
    Ok(smallvec![IValue::Bool(if any { re || im } else { re && im })])
}

kernels! {
    isnan = predicate, f64::is_nan, true; isinf = predicate, f64::is_infinite, true;
    isfinite = predicate, f64::is_finite, false;
}
