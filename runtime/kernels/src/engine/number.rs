//! Python's numbers as operators see them: bool, int, float or complex, and which dtype each brings into a tensor.

use crate::Error;
use num_complex::Complex;
use sconce_tensor::{DType, IValue};

/// A number argument (`Scalar`).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    Bool(bool),
    Int(i64),
    Double(f64),
    Complex(Complex<f64>),
}

impl Number {
    /// A number, or a tensor of one element, which stands for its number wherever a `Scalar` is asked for.
    pub fn from_value(v: &IValue) -> Result<Number, Error> {
        Ok(match v {
            IValue::Bool(b) => Number::Bool(*b),
            IValue::Int(i) => Number::Int(*i),
            IValue::Double(d) => Number::Double(*d),
            IValue::Complex(c) => Number::Complex(**c),
            IValue::Tensor(t) => crate::tensor::tensor_info::item_of(t)?,
            other => return Err(sconce_tensor::Error::Kind { expected: "number", got: other.kind() }.into()),
        })
    }

    pub fn to_value(self) -> IValue {
        match self {
            Number::Bool(b) => IValue::Bool(b),
            Number::Int(i) => IValue::Int(i),
            Number::Double(d) => IValue::Double(d),
            Number::Complex(c) => IValue::complex(c.re, c.im),
        }
    }

    /// The dtype of a tensor made from it when nothing else decides; the default dtype is `f32`.
    pub fn default_dtype(self) -> DType {
        match self {
            Number::Bool(_) => DType::Bool,
            Number::Int(_) => DType::I64,
            Number::Double(_) => DType::F32,
            Number::Complex(_) => DType::C64,
        }
    }

    /// As a float; a complex number with an imaginary part does not fit.
    pub fn to_f64(self) -> Result<f64, Error> {
        match self {
            Number::Bool(b) => Ok(f64::from(u8::from(b))),
            Number::Int(i) => Ok(i as f64),
            Number::Double(d) => Ok(d),
            Number::Complex(c) if c.im == 0.0 => Ok(c.re),
            Number::Complex(_) => Err(Error::runtime("value cannot be converted to type double without overflow")),
        }
    }

    /// As an integer, cut towards zero; what does not fit is refused.
    pub fn to_i64(self) -> Result<i64, Error> {
        let overflow = || Error::runtime("value cannot be converted to type int64_t without overflow");
        match self {
            Number::Bool(b) => Ok(i64::from(b)),
            Number::Int(i) => Ok(i),
            Number::Complex(c) if c.im != 0.0 => Err(overflow()),
            Number::Double(d) | Number::Complex(Complex { re: d, .. }) => {
                if !(-9223372036854775808.0..9223372036854775808.0).contains(&d) {
                    return Err(overflow());
                }
                Ok(d as i64)
            }
        }
    }

    pub fn to_complex(self) -> Complex<f64> {
        match self {
            Number::Bool(b) => Complex::new(f64::from(u8::from(b)), 0.0),
            Number::Int(i) => Complex::new(i as f64, 0.0),
            Number::Double(d) => Complex::new(d, 0.0),
            Number::Complex(c) => c,
        }
    }

    pub fn to_bool(self) -> bool {
        match self {
            Number::Bool(b) => b,
            Number::Int(i) => i != 0,
            Number::Double(d) => d != 0.0,
            Number::Complex(c) => c.re != 0.0 || c.im != 0.0,
        }
    }
}

/// Two numbers brought to a common kind: int (bools count), float, or complex.
pub enum Pair {
    Int(i64, i64),
    Double(f64, f64),
    Complex(Complex<f64>, Complex<f64>),
}

impl Pair {
    pub fn new(a: &IValue, b: &IValue) -> Result<Pair, Error> {
        let int = |n: Number| match n {
            Number::Bool(b) => Some(i64::from(b)),
            Number::Int(i) => Some(i),
            _ => None,
        };
        let (a, b) = (Number::from_value(a)?, Number::from_value(b)?);
        if let (Some(x), Some(y)) = (int(a), int(b)) {
            return Ok(Pair::Int(x, y));
        }
        if matches!(a, Number::Complex(_)) || matches!(b, Number::Complex(_)) {
            return Ok(Pair::Complex(a.to_complex(), b.to_complex()));
        }
        Ok(Pair::Double(a.to_f64()?, b.to_f64()?))
    }
}
