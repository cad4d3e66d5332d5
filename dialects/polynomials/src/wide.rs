//! The same functions of numbers of 64 bits: calls, of the C library's where it has them. Kernels and compiled code call these and no others, so they agree.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI};

/// Calls a macro with a row for each function of one value: its name in the vocabulary and the function.
#[macro_export]
macro_rules! wide_unary {
    ($with:ident) => {
        $with! {
            Exp, exp; Exp2, exp2; Expm1, expm1;
            Log, log; Log2, log2; Log10, log10; Log1p, log1p;
            Sin, sin; Cos, cos; Tan, tan; Asin, asin; Acos, acos; Atan, atan;
            Sinh, sinh; Cosh, cosh; Tanh, tanh; Asinh, asinh; Acosh, acosh; Atanh, atanh;
            Sigmoid, sigmoid; Erf, erf; Erfc, erfc; Erfinv, erfinv; Gelu, gelu;
        }
    };
}

/// The same for functions of two values.
#[macro_export]
macro_rules! wide_binary {
    ($with:ident) => {
        $with! { Pow, pow; Atan2, atan2; Hypot, hypot; }
    };
}

macro_rules! functions {
    ($($name:ident = $f:expr;)*) => { $(
        #[inline]
        pub fn $name(x: f64) -> f64 {
            ($f)(x)
        }
    )* };
}

functions! {
    exp = f64::exp;
    exp2 = f64::exp2;
    expm1 = f64::exp_m1;
    log = f64::ln;
    log2 = f64::log2;
    log10 = f64::log10;
    log1p = f64::ln_1p;
    sin = f64::sin;
    cos = f64::cos;
    tan = f64::tan;
    asin = f64::asin;
    acos = f64::acos;
    atan = f64::atan;
    sinh = f64::sinh;
    cosh = f64::cosh;
    tanh = f64::tanh;
    asinh = libm::asinh;
    // The library's has values for some numbers below -1.
    acosh = |x: f64| if x < 1.0 { f64::NAN } else { libm::acosh(x) };
    atanh = libm::atanh;
    sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    erf = libm::erf;
    erfc = libm::erfc;
    gelu = |x: f64| 0.5 * x * (1.0 + libm::erf(x * FRAC_1_SQRT_2));
}

#[inline]
pub fn pow(x: f64, y: f64) -> f64 {
    x.powf(y)
}

#[inline]
pub fn atan2(y: f64, x: f64) -> f64 {
    y.atan2(x)
}

#[inline]
pub fn hypot(x: f64, y: f64) -> f64 {
    x.hypot(y)
}

pub fn erfinv(y: f64) -> f64 {
    if y.is_nan() || y.abs() > 1.0 {
        return f64::NAN;
    }
    if y.abs() == 1.0 {
        return y * f64::INFINITY;
    }
    if y == 0.0 {
        return y;
    }
    // A start value by a formula, then Newton's steps; near the ends the residual is taken from erfc, which keeps its digits there.
    let w = -((1.0 - y) * (1.0 + y)).ln();
    let mut x = y.signum() * {
        let a = 0.147;
        let t = 2.0 / (PI * a) - w / 2.0;
        ((t * t + w / a).sqrt() - t).sqrt()
    };
    for _ in 0..4 {
        let residual = if y.abs() < 0.5 {
            libm::erf(x) - y
        } else if y > 0.0 {
            (1.0 - y) - libm::erfc(x)
        } else {
            libm::erfc(-x) - (1.0 + y)
        };
        let slope = FRAC_2_SQRT_PI * (-x * x).exp();
        if slope == 0.0 {
            break;
        }
        let step = residual / slope;
        // Halley's correction: third order.
        x -= step / (1.0 + x * step);
    }
    x
}

/// What compiled code calls a function by, in front of its name in the vocabulary.
pub const PREFIX: &str = "sconce_f64_";

/// Where the function is that compiled code calls by this name: C's calling convention, one or two numbers.
pub fn address(symbol: &str) -> Option<u64> {
    use sconce_schema::scalar::{Binary, Unary};
    let name = symbol.strip_prefix(PREFIX)?;
    macro_rules! unary {
        ($($variant:ident, $f:ident;)*) => {
            match Unary::from_name(name) {
                $(Some(Unary::$variant) => {
                    extern "C" fn call(x: f64) -> f64 {
                        $f(x)
                    }
                    return Some(call as *const () as u64);
                })*
                _ => {}
            }
        };
    }
    macro_rules! binary {
        ($($variant:ident, $f:ident;)*) => {
            match Binary::from_name(name) {
                $(Some(Binary::$variant) => {
                    extern "C" fn call(x: f64, y: f64) -> f64 {
                        $f(x, y)
                    }
                    return Some(call as *const () as u64);
                })*
                _ => {}
            }
        };
    }
    wide_unary!(unary);
    wide_binary!(binary);
    None
}
