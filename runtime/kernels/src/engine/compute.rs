//! The types in which elementwise operators compute, and the vocabulary of scalar expressions in each of them.
//!
//! f16 and bf16 are computed in f32, integers and bool in i64 (wrapping, cut to the element type at the end) or, where that gives the same, in
//! their own type; complex numbers in their own width.

use crate::engine::cast::Value;
use crate::engine::scratch::Plain;
use crate::engine::slices::{Between, ByRows, Choose, Loops, Map, Zip, by_rows, map, zip};
use crate::engine::vectorize::vectorize_widest;
use crate::engine::{functions, transcendental as own};
use num_complex::Complex;
use num_traits::Float;
use sconce_polynomials::{wide, wide_binary, wide_unary};
use sconce_schema::scalar::{Binary, Unary};

/// A type that expressions are computed in. Truth values are 0 and 1 of the type.
pub trait Compute: Value + Plain {
    const ZERO: Self;
    const ONE: Self;
    fn truth(self) -> bool;
    #[inline(always)]
    fn of_bool(b: bool) -> Self {
        if b { Self::ONE } else { Self::ZERO }
    }
    /// A function of each element; `None` when the type does not have it.
    fn unary(op: Unary) -> Option<Map<Self>>;
    /// A function of two elements each.
    fn binary(op: Binary) -> Option<Zip<Self>>;
    /// The same of a tensor and what is broadcast over its rows.
    fn by_rows(_op: Binary) -> Option<ByRows<Self>> {
        None
    }
    /// A choice by a comparison.
    fn choice(_op: Binary) -> Option<Choose<Self>> {
        None
    }
    /// An operator of one tensor and two numbers in one step; of fewer numbers the others are not looked at.
    fn between(_operator: &str) -> Option<Between<Self>> {
        None
    }
    /// An operator of one tensor in one step.
    fn whole(_operator: &str) -> Option<Map<Self>> {
        None
    }
}

/// `out[i] = if c[i] { a[i] } else { b[i] }`.
pub fn select<T: Compute>(out: &mut [T], c: &[T], a: &[T], b: &[T]) {
    vectorize_widest(
        #[inline(always)]
        || {
            for (((o, c), a), b) in out.iter_mut().zip(c).zip(a).zip(b) {
                // Both are read, whichever is taken: then there is nothing to branch for.
                let (a, b) = (*a, *b);
                *o = if c.truth() { a } else { b };
            }
        },
    );
}

macro_rules! unary_fns {
    ($t:ty, $loops:ident, $op:expr, { $($name:ident => $f:expr,)* }) => {
        match $op {
            $(Unary::$name => Some(|out: &mut [$t], a: &[$t]| map(Loops::$loops, out, a, #[inline(always)] |x| ($f)(x))),)*
            #[allow(unreachable_patterns, reason = "some types have every function")]
            _ => None,
        }
    };
}

macro_rules! binary_fns {
    ($t:ty, $loops:ident, $op:expr, { $($name:ident => $f:expr,)* }) => {
        match $op {
            $(Binary::$name => Some(|out: &mut [$t], a: &[$t], b: &[$t]| zip(Loops::$loops, out, a, b, #[inline(always)] |x, y| ($f)(x, y))),)*
            #[allow(unreachable_patterns, reason = "some types have every function")]
            _ => None,
        }
    };
}

/// The functions of an integer type, and those that every such type has.
macro_rules! integer_unary_fns {
    ($t:ty, $loops:ident, $op:expr, { $($rows:tt)* }) => {
        unary_fns!($t, $loops, $op, {
            $($rows)*
            Neg => <$t>::wrapping_neg,
            BitNot => |x: $t| !x,
            Floor => |x| x,
            Ceil => |x| x,
            Trunc => |x| x,
            Round => |x| x,
            Not => |x| <$t>::of_bool(x == 0),
            Truth => |x| <$t>::of_bool(x != 0),
            ToNumber => |x| x,
        })
    };
}

/// The functions of a type whose elements have an order, and those that every such type has.
macro_rules! ordered_fns {
    ($t:ty, $loops:ident, $op:expr, { $($rows:tt)* }) => {
        binary_fns!($t, $loops, $op, {
            $($rows)*
            Eq => |a, b| <$t>::of_bool(a == b),
            Ne => |a, b| <$t>::of_bool(a != b),
            Lt => |a, b| <$t>::of_bool(a < b),
            Le => |a, b| <$t>::of_bool(a <= b),
            Gt => |a, b| <$t>::of_bool(a > b),
            Ge => |a, b| <$t>::of_bool(a >= b),
            And => |a: $t, b: $t| <$t>::of_bool(a.truth() && b.truth()),
            Or => |a: $t, b: $t| <$t>::of_bool(a.truth() || b.truth()),
            Xor => |a: $t, b: $t| <$t>::of_bool(a.truth() != b.truth()),
        })
    };
}

/// Python's `//` on floats, as PyTorch computes it.
fn floor_div<T: Float>(a: T, b: T) -> T {
    if b == T::zero() {
        return a / b;
    }
    let rest = a % b;
    let mut div = (a - rest) / b;
    if rest != T::zero() && (b < T::zero()) != (rest < T::zero()) {
        div = div - T::one();
    }
    if div == T::zero() {
        return T::zero().copysign_of(a / b);
    }
    let floor = div.floor();
    let half = T::one() / (T::one() + T::one());
    if div - floor > half { floor + T::one() } else { floor }
}

/// Python's `%` on floats.
fn remainder<T: Float>(a: T, b: T) -> T {
    let rest = a % b;
    if rest != T::zero() && (b < T::zero()) != (rest < T::zero()) { rest + b } else { rest }
}

trait CopySign {
    fn copysign_of(self, sign: Self) -> Self;
}
impl<T: Float> CopySign for T {
    fn copysign_of(self, sign: T) -> T {
        if self.is_sign_negative() == sign.is_sign_negative() { self } else { -self }
    }
}

/// The greatest common divisor.
pub fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as i64
}

/// The operators of the two float types. `$unary` and those after it have what is no single operation of the processor.
macro_rules! float_compute {
    ($t:ident, $unary:expr, $binary:expr, $by_rows:expr, $choice:expr, $between:expr, $whole:expr) => {
        impl Compute for $t {
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            #[inline(always)]
            fn truth(self) -> bool {
                self != 0.0
            }
            fn by_rows(op: Binary) -> Option<ByRows<$t>> {
                ($by_rows)(op)
            }
            fn choice(op: Binary) -> Option<Choose<$t>> {
                ($choice)(op)
            }
            fn between(operator: &str) -> Option<Between<$t>> {
                ($between)(operator)
            }
            fn whole(operator: &str) -> Option<Map<$t>> {
                ($whole)(operator)
            }
            fn unary(op: Unary) -> Option<Map<$t>> {
                if let Some(f) = ($unary)(op) {
                    return Some(f);
                }
                macro_rules! wide {
                    ($f:path) => {
                        |x: $t| $f(x as f64) as $t
                    };
                }
                unary_fns!($t, Widest, op, {
                    Neg => |x: $t| -x,
                    Abs => |x: $t| x.abs(),
                    Sign => |x: $t| $t::of_bool(x > 0.0) - $t::of_bool(x < 0.0),
                    Sqrt => |x: $t| x.sqrt(),
                    Rsqrt => |x: $t| 1.0 / x.sqrt(),
                    Reciprocal => |x: $t| 1.0 / x,
                    Lgamma => wide!(functions::lgamma),
                    Digamma => wide!(functions::digamma),
                    Floor => |x: $t| x.floor(),
                    Ceil => |x: $t| x.ceil(),
                    Trunc => |x: $t| x.trunc(),
                    Round => |x: $t| x.round_ties_even(),
                    Not => |x: $t| $t::of_bool(x == 0.0),
                    IsNan => |x: $t| $t::of_bool(x.is_nan()),
                    IsInf => |x: $t| $t::of_bool(x.is_infinite()),
                    IsFinite => |x: $t| $t::of_bool(x.is_finite()),
                    SignBit => |x: $t| $t::of_bool(x.is_sign_negative()),
                    Truth => |x: $t| $t::of_bool(x != 0.0),
                    ToNumber => |x: $t| x,
                })
            }
            fn binary(op: Binary) -> Option<Zip<$t>> {
                if let Some(f) = ($binary)(op) {
                    return Some(f);
                }
                ordered_fns!($t, Widest, op, {
                    Add => |a: $t, b: $t| a + b,
                    Sub => |a: $t, b: $t| a - b,
                    Mul => |a: $t, b: $t| a * b,
                    Div => |a: $t, b: $t| a / b,
                    FloorDiv => floor_div::<$t>,
                    TruncDiv => |a: $t, b: $t| (a / b).trunc(),
                    Fmod => |a: $t, b: $t| a % b,
                    Remainder => remainder::<$t>,
                    Max => |a: $t, b: $t| {
                        // One instruction, that lets a NaN of `b` through, and one more for those of `a`.
                        let most = if a > b { a } else { b };
                        if a.is_nan() { a } else { most }
                    },
                    Min => |a: $t, b: $t| {
                        let least = if a < b { a } else { b };
                        if a.is_nan() { a } else { least }
                    },
                    Fmax => |a: $t, b: $t| if b.is_nan() || a > b { a } else { b },
                    Fmin => |a: $t, b: $t| if b.is_nan() || a < b { a } else { b },
                    CopySign => |a: $t, b: $t| a.copysign(b),
                    Shl => |a: $t, b: $t| a * b.exp2(),
                    Shr => |a: $t, b: $t| a / b.exp2(),
                })
            }
        }
    };
}
float_compute!(f32, own::unary, own::binary, by_rows_of, own::choice, own::between, own::whole);
float_compute!(f64, wide_unary_of, wide_binary_of, |_| None, |_| None, |_| None, |_| None);

/// The arithmetic that models broadcast.
fn by_rows_of(op: Binary) -> Option<ByRows<f32>> {
    macro_rules! rows {
        ($($name:ident $op:tt),*) => {
            match op {
                $(Binary::$name => Some(|out, a, b, length, column| by_rows(out, a, b, (length, column), |x, y| x $op y)),)*
                _ => None,
            }
        };
    }
    rows!(Add +, Sub -, Mul *, Div /)
}

fn wide_unary_of(op: Unary) -> Option<Map<f64>> {
    macro_rules! rows {
        ($($name:ident, $f:ident;)*) => { unary_fns!(f64, Widest, op, { $($name => wide::$f,)* }) };
    }
    wide_unary!(rows)
}

fn wide_binary_of(op: Binary) -> Option<Zip<f64>> {
    macro_rules! rows {
        ($($name:ident, $f:ident;)*) => { binary_fns!(f64, Widest, op, { $($name => wide::$f,)* }) };
    }
    wide_binary!(rows)
}

impl Compute for i64 {
    const ZERO: i64 = 0;
    const ONE: i64 = 1;
    #[inline(always)]
    fn truth(self) -> bool {
        self != 0
    }
    fn unary(op: Unary) -> Option<Map<i64>> {
        integer_unary_fns!(i64, Widest, op, {
            Abs => i64::wrapping_abs,
            Sign => i64::signum,
            IsNan => |_| 0,
            IsInf => |_| 0,
            IsFinite => |_| 1,
            SignBit => |x| i64::from(x < 0),
            Reciprocal => |x: i64| if x == 0 { 0 } else { 1 / x },
        })
    }
    // Division by zero gives 0 here; the evaluator looks for zero divisors before it calls.
    fn binary(op: Binary) -> Option<Zip<i64>> {
        ordered_fns!(i64, Widest, op, {
            Add => i64::wrapping_add,
            Sub => i64::wrapping_sub,
            Mul => i64::wrapping_mul,
            FloorDiv => |a: i64, b: i64| match b {
                0 => 0,
                _ => {
                    let q = a.wrapping_div(b);
                    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { q - 1 } else { q }
                }
            },
            TruncDiv => |a: i64, b: i64| if b == 0 { 0 } else { a.wrapping_div(b) },
            Div => |a: i64, b: i64| if b == 0 { 0 } else { a.wrapping_div(b) },
            Fmod => |a: i64, b: i64| if b == 0 { 0 } else { a.wrapping_rem(b) },
            Remainder => |a: i64, b: i64| match b {
                0 => 0,
                _ => {
                    let r = a.wrapping_rem(b);
                    if r != 0 && (r < 0) != (b < 0) { r + b } else { r }
                }
            },
            Pow => int_pow,
            Max => |a: i64, b: i64| a.max(b),
            Min => |a: i64, b: i64| a.min(b),
            Fmax => |a: i64, b: i64| a.max(b),
            Fmin => |a: i64, b: i64| a.min(b),
            Gcd => gcd,
            BitAnd => |a: i64, b: i64| a & b,
            BitOr => |a: i64, b: i64| a | b,
            BitXor => |a: i64, b: i64| a ^ b,
            Shl => |a: i64, b: i64| if (0..64).contains(&b) { a << b } else { 0 },
            Shr => |a: i64, b: i64| if (0..64).contains(&b) { a >> b } else { a >> 63 },
        })
    }
}

/// Integers in their own type: the functions that give the same there as in i64, cut at the end, whatever the operands were cut from, and those
/// that give the same for operands that were not cut.
macro_rules! narrow_compute {
    ($($t:ident),*) => { $(
        impl Compute for $t {
            const ZERO: $t = 0;
            const ONE: $t = 1;
            #[inline(always)]
            fn truth(self) -> bool {
                self != 0
            }
            fn unary(op: Unary) -> Option<Map<$t>> {
                integer_unary_fns!($t, Wide, op, {})
            }
            fn binary(op: Binary) -> Option<Zip<$t>> {
                ordered_fns!($t, Wide, op, {
                    Add => $t::wrapping_add,
                    Sub => $t::wrapping_sub,
                    Mul => $t::wrapping_mul,
                    Max => |a: $t, b: $t| a.max(b),
                    Min => |a: $t, b: $t| a.min(b),
                    BitAnd => |a: $t, b: $t| a & b,
                    BitOr => |a: $t, b: $t| a | b,
                    BitXor => |a: $t, b: $t| a ^ b,
                })
            }
        }
    )* };
}
narrow_compute!(u8, i8, i16, i32);

/// Wrapping power; a negative exponent leaves only 1 and -1 in the integers.
pub fn int_pow(a: i64, b: i64) -> i64 {
    if b < 0 {
        return match a {
            1 => 1,
            -1 if b % 2 == 0 => 1,
            -1 => -1,
            _ => 0,
        };
    }
    let (mut base, mut exponent, mut result) = (a, b, 1i64);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result
}

macro_rules! complex_compute {
    ($t:ident) => {
        impl Compute for Complex<$t> {
            const ZERO: Self = Complex::new(0.0, 0.0);
            const ONE: Self = Complex::new(1.0, 0.0);
            #[inline(always)]
            fn truth(self) -> bool {
                self.re != 0.0 || self.im != 0.0
            }
            fn unary(op: Unary) -> Option<Map<Self>> {
                type C = Complex<$t>;
                fn both(f: impl Fn($t) -> $t) -> impl Fn(C) -> C {
                    move |x| C::new(f(x.re), f(x.im))
                }
                unary_fns!(C, Plain, op, {
                    Neg => |x: C| -x,
                    Abs => |x: C| C::new(x.re.hypot(x.im), 0.0),
                    Sign => |x: C| {
                        let n = x.re.hypot(x.im);
                        if n == 0.0 { C::ZERO } else { x / n }
                    },
                    Exp => functions::exp::<$t>,
                    Exp2 => |x: C| functions::exp(x * std::f64::consts::LN_2 as $t),
                    Expm1 => |x: C| {
                        let (a, b) = (x.re.exp_m1(), (x.im / 2.0).sin());
                        C::new(a - 2.0 * b * b * (a + 1.0), x.re.exp() * x.im.sin())
                    },
                    Log => |x: C| C::new(x.re.hypot(x.im).ln(), x.im.atan2(x.re)),
                    Log2 => |x: C| C::new(x.re.hypot(x.im).log2(), x.im.atan2(x.re) / (2.0 as $t).ln()),
                    Log10 => |x: C| C::new(x.re.hypot(x.im).log10(), x.im.atan2(x.re) / (10.0 as $t).ln()),
                    Log1p => |x: C| {
                        let y = x + C::ONE;
                        C::new(y.re.hypot(y.im).ln(), y.im.atan2(y.re))
                    },
                    Sqrt => functions::sqrt::<$t>,
                    Rsqrt => |x: C| C::ONE / functions::sqrt(x),
                    Reciprocal => |x: C| functions::div(C::ONE, x),
                    Sin => |x: C| x.sin(),
                    Cos => |x: C| x.cos(),
                    Tan => |x: C| x.tan(),
                    Asin => |x: C| x.asin(),
                    Acos => |x: C| x.acos(),
                    Atan => |x: C| x.atan(),
                    Sinh => |x: C| x.sinh(),
                    Cosh => |x: C| x.cosh(),
                    Tanh => |x: C| x.tanh(),
                    Asinh => |x: C| x.asinh(),
                    Acosh => |x: C| x.acosh(),
                    Atanh => |x: C| x.atanh(),
                    Sigmoid => |x: C| functions::div(C::ONE, C::ONE + functions::exp(-x)),
                    Floor => both($t::floor),
                    Ceil => both($t::ceil),
                    Trunc => both($t::trunc),
                    Round => both($t::round_ties_even),
                    Not => |x: C| C::of_bool(!x.truth()),
                    IsNan => |x: C| C::of_bool(x.re.is_nan() || x.im.is_nan()),
                    IsInf => |x: C| C::of_bool(x.re.is_infinite() || x.im.is_infinite()),
                    IsFinite => |x: C| C::of_bool(x.re.is_finite() && x.im.is_finite()),
                    Truth => |x: C| C::of_bool(x.truth()),
                    ToNumber => |x: C| x,
                })
            }
            fn binary(op: Binary) -> Option<Zip<Self>> {
                type C = Complex<$t>;
                binary_fns!(C, Wide, op, {
                    Add => |a: C, b: C| a + b,
                    Sub => |a: C, b: C| a - b,
                    Mul => |a: C, b: C| a * b,
                    Div => functions::div::<$t>,
                    Pow => functions::pow::<$t>,
                    Eq => |a: C, b: C| C::of_bool(a == b),
                    Ne => |a: C, b: C| C::of_bool(a != b),
                    And => |a: C, b: C| C::of_bool(a.truth() && b.truth()),
                    Or => |a: C, b: C| C::of_bool(a.truth() || b.truth()),
                    Xor => |a: C, b: C| C::of_bool(a.truth() != b.truth()),
                })
            }
        }
    };
}
complex_compute!(f32);
complex_compute!(f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floor_division_is_pythons() {
        let f = |a: f64, b: f64| {
            let mut x = [0.0];
            f64::binary(Binary::FloorDiv).unwrap()(&mut x, &[a], &[b]);
            x[0]
        };
        assert_eq!(f(-7.0, 2.0), -4.0);
        assert_eq!(f(7.0, -2.0), -4.0);
        assert_eq!(f(1.0, 0.0), f64::INFINITY);
        assert!(f(-0.0, 3.0).is_sign_negative());
        let mut x = [0i64; 3];
        i64::binary(Binary::FloorDiv).unwrap()(&mut x, &[-7, 7, i64::MIN], &[2, -2, -1]);
        assert_eq!(x, [-4, -4, i64::MIN]);
    }

    #[test]
    fn integer_powers_wrap() {
        assert_eq!(int_pow(3, 4), 81);
        assert_eq!(int_pow(2, 64), 0);
        assert_eq!(int_pow(-1, -3), -1);
        assert_eq!(int_pow(5, -1), 0);
    }
}
