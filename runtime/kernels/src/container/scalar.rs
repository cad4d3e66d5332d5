//! Numbers of TorchScript: 64-bit integers that wrap, floor division and modulo with a checked zero, comparisons and conversions.
//!
//! One function serves all overloads of a name: the kinds of the values say which one is meant, as Python's do.

use crate::container::direct::{Outcome, Plain, Row, form};
use crate::engine::compute;
use crate::engine::number::{Number, Pair, item_of};
use crate::{Call, Error, Outputs, arg};
use num_complex::Complex;
use sconce_tensor::{Bool, IValue, Tensor};
use smallvec::smallvec;

fn zero_division(what: &str) -> Error {
    Error::runtime(format!("ZeroDivisionError: {what}"))
}

/// Python's `//` on integers.
pub fn floor_div_int(a: i64, b: i64) -> Result<i64, Error> {
    if b == 0 {
        // The text of the exception that PyTorch's interpreter has; its other divisions end the process.
        return Err(Error::runtime("division by 0"));
    }
    let quotient = a.wrapping_div(b);
    Ok(if a.wrapping_rem(b) != 0 && ((a < 0) != (b < 0)) { quotient - 1 } else { quotient })
}

/// Python's `%` on integers: the sign is the divisor's.
pub fn modulo_int(a: i64, b: i64) -> Result<i64, Error> {
    if b == 0 {
        return Err(zero_division("integer division or modulo by zero"));
    }
    let rest = a.wrapping_rem(b);
    Ok(if rest != 0 && ((rest < 0) != (b < 0)) { rest + b } else { rest })
}

/// TorchScript's `%` on floats: by zero it is NaN, and a zero rest has C's sign added to the divisor.
fn modulo_double(a: f64, b: f64) -> f64 {
    // (b + a % b) % b, as PyTorch writes it; the formula shows in the sign of zero.
    (b + a % b) % b
}

type ComplexOp = fn(Complex<f64>, Complex<f64>) -> Result<Number, Error>;

fn binary<I: Outcome, D: Outcome>(
    args: &[IValue],
    int: fn(i64, i64) -> I,
    double: fn(f64, f64) -> D,
    complex: ComplexOp,
) -> Result<Outputs, Error> {
    let result = match Pair::new(arg(args, 0)?, arg(args, 1)?)? {
        Pair::Int(a, b) => int(a, b).result()?.into_number(),
        Pair::Double(a, b) => double(a, b).result()?.into_number(),
        Pair::Complex(a, b) => complex(a, b)?,
    };
    Ok(smallvec![result.to_value()])
}

fn no_complex(_: Complex<f64>, _: Complex<f64>) -> Result<Number, Error> {
    Err(Error::runtime("complex numbers are not ordered and have no remainder"))
}

fn bool_value(b: bool) -> Result<Number, Error> {
    Ok(Number::Bool(b))
}

/// A kernel on two numbers, by an expression for each kind.
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident: |$a:ident, $b:ident| int $int:expr, double $double:expr, complex $complex:expr;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
                binary(args, |$a, $b| $int, |$a, $b| $double, $complex)
            }
        )*
        fn binary_rows() -> Vec<Row> {
            vec![$(Row::words($name, [form!(|$a: i64, $b: i64| $int), form!(|$a: f64, $b: f64| $double)])),*]
        }
    };
}

binary! {
    /// `a - b`, but for complex numbers less real ones.
    difference: |a, b| int a.wrapping_sub(b), double a - b, complex |a, b| Ok(Number::Complex(a - b));
    add: |a, b| int a.wrapping_add(b), double a + b,
        complex |a, b| Ok(Number::Complex(a + b));
    mul: |a, b| int a.wrapping_mul(b), double a * b,
        complex |a, b| Ok(Number::Complex(a * b));
    /// `/` is a float for integers too; by zero it is an infinity or NaN.
    div: |a, b| int a as f64 / b as f64, double a / b,
        complex |a, b| Ok(Number::Complex(a / b));
    /// `//`; only integers refuse a zero.
    floordiv: |a, b| int floor_div_int(a, b), double (a / b).floor(), complex no_complex;
    /// `%` as Python has it.
    remainder: |a, b| int modulo_int(a, b), double modulo_double(a, b), complex no_complex;
    /// C's `fmod`, always a float.
    fmod: |a, b| int a as f64 % b as f64, double a % b, complex no_complex;
    /// IEEE's remainder, always a float (`math.remainder`).
    mathremainder: |a, b| int libm::remainder(a as f64, b as f64),
        double libm::remainder(a, b), complex no_complex;
    /// `**`: a float also for two integers.
    pow: |a, b| int real_pow(a as f64, b as f64), double real_pow(a, b),
        complex |a, b| Ok(Number::Complex(complex_pow(a, b)));
    /// The same where the schema says that a float comes of it.
    pow_real: |a, b| int real_pow(a as f64, b as f64), double real_pow(a, b), complex no_complex;
    atan2: |a, b| int (a as f64).atan2(b as f64), double a.atan2(b), complex no_complex;
    copysign: |a, b| int (a as f64).copysign(b as f64), double a.copysign(b),
        complex no_complex;
    eq: |a, b| int a == b, double a == b, complex |a, b| bool_value(a == b);
    ne: |a, b| int a != b, double a != b, complex |a, b| bool_value(a != b);
    lt: |a, b| int a < b, double a < b, complex no_complex;
    le: |a, b| int a <= b, double a <= b, complex no_complex;
    gt: |a, b| int a > b, double a > b, complex no_complex;
    ge: |a, b| int a >= b, double a >= b, complex no_complex;
    /// C++'s `a > b ? a : b`: of equal or unordered values the second.
    max: |a, b| int a.max(b), double if a > b { a } else { b }, complex no_complex;
    min: |a, b| int a.min(b), double if a < b { a } else { b }, complex no_complex;
}

/// `a - b`; a real `a` has no imaginary zero of its own, which shows in the sign.
pub fn sub(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    match (Number::from_value(arg(args, 0)?)?, Number::from_value(arg(args, 1)?)?) {
        (Number::Bool(_) | Number::Int(_) | Number::Double(_), Number::Complex(y)) => {
            let x = Number::from_value(&args[0])?.to_complex();
            Ok(smallvec![IValue::complex(x.re - y.re, -y.im)])
        }
        _ => difference(call, args),
    }
}

/// `cmath.rect(r, phi)`.
pub fn polar(modulus: Number, angle: Number) -> Result<IValue, Error> {
    let (modulus, angle) = (modulus.to_f64()?, angle.to_f64()?);
    Ok(IValue::complex(modulus * angle.cos(), modulus * angle.sin()))
}

/// `math.log(a, b)`: each logarithm real or complex as its number is, so that a negative real is NaN.
pub fn log_base(x: Number, base: Number) -> Result<Number, Error> {
    let log = |n| -> Result<Number, Error> {
        Ok(match n {
            Number::Complex(c) => Number::Complex(c.ln()),
            other => Number::Double(other.to_f64()?.ln()),
        })
    };
    Ok(match (log(x)?, log(base)?) {
        (Number::Complex(a), Number::Double(b)) => Number::Complex(Complex::new(a.re / b, a.im / b)),
        (Number::Double(a), Number::Double(b)) => Number::Double(a / b),
        (a, b) => Number::Complex(crate::engine::functions::div(a.to_complex(), b.to_complex())),
    })
}

fn complex_pow(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
    if a.re == 0.0 && a.im == 0.0 && b.im == 0.0 && b.re > 0.0 {
        return Complex::new(0.0, 0.0);
    }
    (b * a.ln()).exp()
}

macro_rules! on_ints {
    ($($(#[$doc:meta])* $name:ident: |$a:ident, $b:ident| $e:expr;)*) => {
        $(
            $(#[$doc])*
            pub fn $name($a: i64, $b: i64) -> Result<Number, Error> {
                Ok($e.result()?.into_number())
            }
        )*
        fn int_rows() -> Vec<Row> {
            vec![$(Row::words($name, [form!(|$a: i64, $b: i64| $e)])),*]
        }
    };
}

on_ints! {
    /// As the processor shifts: by the low six bits of the count.
    lshift: |a, b| a.wrapping_shl(b as u32);
    /// Arithmetic, by the low six bits of the count.
    rshift: |a, b| a.wrapping_shr(b as u32);
    gcd: |a, b| compute::gcd(a, b);
    /// Division towards zero.
    round_to_zero_floordiv: |a, b| divided_to_zero(a, b);
    /// `a ** b` that stays an integer.
    pow_int_to_int: |a, b| real_pow(a as f64, b as f64);
}

fn divided_to_zero(a: i64, b: i64) -> Result<i64, Error> {
    if b == 0 {
        return Err(zero_division("integer division or modulo by zero"));
    }
    Ok(a.wrapping_div(b))
}

/// Python's `**` of real numbers.
fn real_pow(a: f64, b: f64) -> Result<f64, Error> {
    if a == 0.0 && b < 0.0 {
        return Err(Error::runtime("0.0 cannot be raised to a negative power"));
    }
    Ok(a.powf(b))
}

/// Bitwise operators that are logical ones on bools.
macro_rules! bitwise {
    ($($name:ident: $op:tt;)*) => {
        $(
            pub fn $name(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
                Ok(smallvec![match (arg(args, 0)?, arg(args, 1)?) {
                    (IValue::Bool(a), IValue::Bool(b)) => IValue::Bool(a $op b),
                    (a, b) => IValue::Int(a.as_int_or_bool()? $op b.as_int_or_bool()?),
                }])
            }
        )*
        fn bitwise_rows() -> Vec<Row> {
            vec![$(Row::words($name, [form!(|a: bool, b: bool| a $op b), form!(|a: i64, b: i64| a $op b)])),*]
        }
    };
}

bitwise! { and: &; or: |; xor: ^; }

/// `not`.
pub fn not(x: bool) -> bool {
    !x
}

/// The direct forms of this family.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = vec![
        Row::words(not, [form!(|a: bool| !a)]),
        Row::words(range_length, [form!(|lo: i64, hi: i64, step: i64| range_length(lo, hi, step))]),
        Row::words(derive_index, [form!(|i: i64, start: i64, step: i64| derive_index(i, start, step))]),
        Row::words(int, [form!(|a: i64| a), form!(|a: f64| double_to_int(a))]),
        Row::words(float, [form!(|a: i64| a as f64), form!(|a: f64| a)]),
        Row::words(bool, [form!(|a: i64| a != 0), form!(|a: f64| a != 0.0)]),
    ];
    let binary = binary_rows();
    let difference = binary.iter().find(|r| std::ptr::fn_addr_eq(r.kernel, crate::kernel(difference)));
    rows.extend(difference.map(|r| Row::words(sub, r.forms.iter().copied())));
    rows.extend(binary);
    rows.extend(int_rows());
    rows.extend(bitwise_rows());
    rows
}

/// `is`: the same object, or an equal plain value.
pub fn is(x: &IValue, obj: &IValue) -> bool {
    x.is(obj)
}

/// `is not`.
pub fn isnot(x: &IValue, obj: &IValue) -> bool {
    !x.is(obj)
}

/// Equality of values without parts; members of an enumeration are equal by name, whatever object holds them.
pub fn eq_plain(a: &IValue, b: &IValue) -> bool {
    match (a, b) {
        (IValue::Enum(a), IValue::Enum(b)) => a.class == b.class && a.name == b.name,
        _ => a.is(b),
    }
}

pub fn ne_plain(a: &IValue, b: &IValue) -> bool {
    !eq_plain(a, b)
}

/// `divmod`. On two floats, or two integers, Python's; a mixed pair goes through 32 bits, as recorded.
pub fn divmod(x: &IValue, y: &IValue) -> Result<Outputs, Error> {
    let (quotient, rest) = match (x, y) {
        (IValue::Int(a), IValue::Int(b)) => {
            if *b == 0 {
                return Err(zero_division("integer division or modulo by zero"));
            }
            let quotient = floor_div_int(*a, *b)?;
            return Ok(smallvec![IValue::Int(quotient), IValue::Int(modulo_int(*a, *b)?)]);
        }
        (IValue::Double(a), IValue::Double(b)) => {
            if *b == 0.0 {
                return Err(zero_division("float divmod()"));
            }
            let mut rest = a % b;
            if rest != 0.0 && ((*b < 0.0) != (rest < 0.0)) {
                rest += b;
            }
            ((a / b).floor(), rest)
        }
        (a, b) => {
            let narrow = |v: &IValue| -> Result<f32, Error> {
                Ok(match v {
                    IValue::Int(i) => *i as i32 as f32,
                    other => other.as_double()? as f32,
                })
            };
            let (a, b) = (narrow(a)?, narrow(b)?);
            if b == 0.0 {
                return Err(zero_division("float divmod()"));
            }
            let quotient = f64::from((a / b).floor());
            (quotient, f64::from(a) - quotient * f64::from(b))
        }
    };
    Ok(smallvec![IValue::Double(quotient), IValue::Double(rest)])
}

/// Length of `range(lo, hi, step)`.
pub fn range_length(lo: i64, hi: i64, step: i64) -> Result<i64, Error> {
    if step == 0 {
        return Err(Error::runtime("range() arg 3 must not be zero"));
    }
    // The distance of two i64 and a count of steps fit i128; a count beyond i64 cannot be run to its end anyway.
    let (lo, hi, step) = (i128::from(lo), i128::from(hi), i128::from(step));
    let count = if step > 0 && lo < hi {
        1 + (hi - 1 - lo) / step
    } else if step < 0 && lo > hi {
        1 + (lo - 1 - hi) / -step
    } else {
        0
    };
    Ok(i64::try_from(count).unwrap_or(i64::MAX))
}

/// Element `index` of `range(start, …, step)`.
pub fn derive_index(index: i64, start: i64, step: i64) -> i64 {
    start.wrapping_add(index.wrapping_mul(step))
}

/// `int(x)`: cut towards zero; what a 64-bit integer cannot hold becomes its smallest value, as on x86.
pub fn int(v: &IValue) -> Result<i64, Error> {
    Ok(match Number::from_value(v)? {
        Number::Double(d) if !matches!(v, IValue::Tensor(_)) => double_to_int(d),
        other => other.to_i64()?,
    })
}

fn double_to_int(d: f64) -> i64 {
    if d.is_nan() || !(-9223372036854775808.0..9223372036854775808.0).contains(&d) { i64::MIN } else { d as i64 }
}

/// `float(x)`.
pub fn float(x: Number) -> Result<f64, Error> {
    x.to_f64()
}

/// `bool(x)`.
pub fn bool(v: &IValue) -> Result<bool, Error> {
    Ok(match v {
        IValue::Tensor(t) => crate::engine::number::truth_of(t)?,
        other => Number::from_value(other)?.to_bool(),
    })
}

/// `complex(x)` and `complex(re, im)`.
pub fn complex(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    if args.len() == 1 {
        let c = Number::from_value(&args[0])?.to_complex();
        return Ok(smallvec![IValue::complex(c.re, c.im)]);
    }
    // Two numbers go through C++'s int where they are integers, as recorded.
    let part = |i| match arg(args, i)? {
        IValue::Int(n) => Ok(f64::from(*n as i32)),
        other => Number::from_value(other)?.to_f64(),
    };
    Ok(smallvec![IValue::complex(part(0)?, part(1)?)])
}

fn implicit(t: &Tensor) -> Result<Number, Error> {
    if t.dim() != 0 {
        return Err(Error::runtime("Cannot input a tensor of dimension other than 0 as a scalar argument"));
    }
    if t.requires_grad() {
        return Err(Error::runtime("Cannot input a tensor that requires grad as a scalar argument"));
    }
    item_of(t)
}

/// A tensor given for an `int` parameter.
pub fn int_implicit(t: &Tensor) -> Result<i64, Error> {
    let n = implicit(t)?;
    if !t.dtype().is_int() {
        let name = t.dtype().graph_name();
        return Err(Error::runtime(format!("Cannot input a tensor of type {name} as an integral argument")));
    }
    n.to_i64()
}

/// A tensor given for a `float` parameter.
pub fn float_implicit(a: &Tensor) -> Result<f64, Error> {
    implicit(a)?.to_f64()
}

/// A tensor given for a `Scalar` parameter.
pub fn scalar_implicit(a: &Tensor) -> Result<IValue, Error> {
    Ok(implicit(a)?.to_value())
}

/// A complex tensor given for a `complex` parameter.
pub fn complex_implicit(a: &Tensor) -> Result<IValue, Error> {
    let c = implicit(a)?.to_complex();
    Ok(IValue::complex(c.re, c.im))
}

/// A tensor of rank 0 from a number (`prim::NumToTensor`), with the dtype that holds every such number: `f64` for a float.
pub fn num_to_tensor(a: Number) -> Tensor {
    match a {
        Number::Bool(b) => Tensor::scalar(Bool::new(b)),
        Number::Int(i) => Tensor::scalar(i),
        Number::Double(d) => Tensor::scalar(d),
        Number::Complex(c) => Tensor::scalar(c),
    }
}
