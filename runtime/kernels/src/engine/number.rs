//! Python's numbers as operators see them: bool, int, float or complex, which dtype each brings into a tensor, and between them and elements: an element as
//! the number Python would see, and a number as an element, refused where it does not fit.

use crate::Error;
use crate::engine::cast::{Value, Wide};
use num_complex::Complex;
use sconce_tensor::{DType, IValue, Tensor, dispatch};

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
            IValue::Tensor(t) => item_of(t)?,
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

/// The number that an element is.
pub fn number<T: Value>(v: T) -> Number {
    match v.wide() {
        Wide::Int(i) if T::DTYPE == DType::Bool => Number::Bool(i != 0),
        Wide::Int(i) => Number::Int(i),
        Wide::Unsigned(u) => Number::Int(u as i64),
        Wide::Float(f) => Number::Double(f64::from(f)),
        Wide::Double(d) => Number::Double(d),
        Wide::Complex(c) => Number::Complex(Complex::new(f64::from(c.re), f64::from(c.im))),
        Wide::ComplexDouble(c) => Number::Complex(c),
    }
}

fn wide(n: Number) -> Wide {
    match n {
        Number::Bool(b) => Wide::Int(i64::from(b)),
        Number::Int(i) => Wide::Int(i),
        Number::Double(d) => Wide::Double(d),
        Number::Complex(c) => Wide::ComplexDouble(c),
    }
}

/// A number as an element (`Scalar::to<T>()`): an integer that the dtype cannot hold is refused, where unsigned dtypes hold the two's complement of
/// negative ones; so is a float that is no number of the dtype's range once cut towards zero, and an imaginary part in a real dtype.
pub fn element<T: Value>(n: Number) -> Result<T, Error> {
    if fits(n, T::DTYPE) {
        return Ok(T::from_wide(wide(n)));
    }
    Err(Error::runtime(format!("value cannot be converted to type {} without overflow", cpp_name(T::DTYPE))))
}

/// The number that is left of a number, or of the element of a tensor of rank 0, in a dtype that can hold it.
pub fn number_in(v: &IValue, dtype: DType) -> Result<IValue, Error> {
    let n = Number::from_value(v)?;
    Ok(crate::engine::cast::with_element!(dtype, "masked_fill", T => number(element::<T>(n)?)).to_value())
}

fn fits(n: Number, dtype: DType) -> bool {
    let real = match n {
        Number::Bool(_) => return true,
        Number::Complex(c) => {
            if dtype.is_complex() {
                return fits(Number::Double(c.re), dtype.to_real()) && fits(Number::Double(c.im), dtype.to_real());
            }
            if c.im != 0.0 && dtype != DType::Bool {
                return false;
            }
            Number::Double(c.re)
        }
        other => other,
    };
    match (dtype.to_real(), real) {
        (DType::Bool, _) => true,
        (d, Number::Int(i)) if d.is_int() => {
            let (low, high) = d.int_range();
            let wraps = !d.is_signed_int() && i < 0 && i128::from(i).abs() <= high;
            (low..=high).contains(&i128::from(i)) || wraps
        }
        (d, Number::Double(x)) if d.is_int() => {
            let (low, high) = d.int_range();
            x >= low as f64 && x < (high + 1) as f64
        }
        (DType::F16, Number::Double(x)) => !x.is_finite() || x.abs() <= 65504.0,
        (DType::F32 | DType::BF16, Number::Double(x)) => !x.is_finite() || x.abs() <= f64::from(f32::MAX),
        (DType::F16, Number::Int(i)) => i.unsigned_abs() <= 65504,
        _ => true,
    }
}

/// C++'s name of a dtype, for messages.
pub fn cpp_name(d: DType) -> &'static str {
    match d {
        DType::U8 => "uint8_t",
        DType::I8 => "int8_t",
        DType::I16 => "int16_t",
        DType::I32 => "int",
        DType::I64 => "int64_t",
        DType::U16 => "uint16_t",
        DType::U32 => "uint32_t",
        DType::U64 => "uint64_t",
        DType::F16 => "at::Half",
        DType::BF16 => "at::BFloat16",
        DType::F32 => "float",
        DType::F64 => "double",
        DType::C32 => "c10::complex<at::Half>",
        DType::C64 => "c10::complex<float>",
        DType::C128 => "c10::complex<double>",
        DType::Bool => "bool",
        other => other.torch_name(),
    }
}

/// The value of a tensor with one element.
pub fn item_of(t: &Tensor) -> Result<Number, Error> {
    match t.numel() {
        1 => first_element(t),
        n => Err(Error::runtime(format!("a Tensor with {n} elements cannot be converted to Scalar"))),
    }
}

pub fn first_element(t: &Tensor) -> Result<Number, Error> {
    dispatch!(
        t.dtype(),
        // SAFETY: the caller saw that there is an element, and every element lies in the storage.
        T => Ok(number(unsafe { *t.data_ptr::<T>() })),
        other => Err(Error::runtime(format!("an element of a {other} tensor is not a number")))
    )
}

/// `bool(t)`: of one element only.
pub fn truth_of(t: &Tensor) -> Result<bool, Error> {
    match t.numel() {
        0 => Err(Error::runtime("Boolean value of Tensor with no values is ambiguous")),
        1 => Ok(first_element(t)?.to_bool()),
        _ => Err(Error::runtime("Boolean value of Tensor with more than one value is ambiguous")),
    }
}

/// `bool(a == b)`.
pub fn tensors_equal(a: &Tensor, b: &Tensor) -> Result<bool, Error> {
    let sizes = sconce_tensor::broadcast_sizes(a.sizes(), b.sizes())?;
    match sconce_tensor::numel(&sizes) {
        Some(1) => Ok(match (item_of(a)?, item_of(b)?) {
            (Number::Int(x), Number::Int(y)) => x == y,
            (x, y) => x.to_complex() == y.to_complex(),
        }),
        Some(0) => Err(Error::runtime("Boolean value of Tensor with no values is ambiguous")),
        _ => Err(Error::runtime("Boolean value of Tensor with more than one value is ambiguous")),
    }
}
