//! Between elements and numbers: an element as the number Python would see, and a number as an element, refused where it does not fit.

use crate::Error;
use crate::engine::cast::{Value, Wide};
use crate::engine::number::Number;
use num_complex::Complex;
use sconce_tensor::{DType, IValue};

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
