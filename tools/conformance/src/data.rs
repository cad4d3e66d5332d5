//! Tensor data as recordings spell it: hexadecimal bit patterns for floats, JSON lists for integers, a string of digits for bools.

use crate::Error;
use sconce_tensor::{Bool, Complex, DType, Tensor, bf16, f16};
use serde_json::Value;

/// A contiguous one-dimensional tensor from the `v` or `sv` of a vector.
pub fn from_bits(json: &Value, dtype: DType) -> Result<Tensor, Error> {
    let bad = || Error::malformed(&format!("data of {dtype}"), json);
    if dtype == DType::Bool {
        let text = json.as_str().ok_or_else(bad)?;
        let bools = text.bytes().map(|b| match b {
            b'0' => Ok(Bool::new(false)),
            b'1' => Ok(Bool::new(true)),
            _ => Err(bad()),
        });
        return Ok(vector(bools.collect::<Result<Vec<Bool>, Error>>()?));
    }
    macro_rules! integers {
        ($t:ty) => {{
            let items = json.as_array().ok_or_else(bad)?;
            let narrow = |v: &Value| {
                v.as_i64()
                    .and_then(|i| <$t>::try_from(i).ok())
                    .or_else(|| v.as_u64().and_then(|u| <$t>::try_from(u).ok()))
                    .ok_or_else(bad)
            };
            vector(items.iter().map(narrow).collect::<Result<Vec<$t>, Error>>()?)
        }};
    }
    let hex = |width: usize| -> Result<Vec<u64>, Error> {
        let text = json.as_str().ok_or_else(bad)?;
        if !text.is_ascii() || text.len() % width != 0 {
            return Err(bad());
        }
        (0..text.len() / width)
            .map(|i| u64::from_str_radix(&text[i * width..(i + 1) * width], 16).map_err(|_| bad()))
            .collect()
    };
    macro_rules! floats {
        ($width:literal, $bits:ty, $f:expr) => {
            vector(hex($width)?.into_iter().map(|b| $f(b as $bits)).collect::<Vec<_>>())
        };
    }
    macro_rules! complexes {
        ($width:literal, $bits:ty, $f:expr) => {{
            let parts: Vec<_> = hex($width)?.into_iter().map(|b| $f(b as $bits)).collect();
            if parts.len() % 2 != 0 {
                return Err(bad());
            }
            vector(parts.chunks_exact(2).map(|p| Complex::new(p[0], p[1])).collect::<Vec<_>>())
        }};
    }
    Ok(match dtype {
        DType::U8 => integers!(u8),
        DType::I8 => integers!(i8),
        DType::I16 => integers!(i16),
        DType::I32 => integers!(i32),
        DType::I64 => integers!(i64),
        DType::U16 => integers!(u16),
        DType::U32 => integers!(u32),
        DType::U64 => integers!(u64),
        DType::F16 => floats!(4, u16, f16::from_bits),
        DType::BF16 => floats!(4, u16, bf16::from_bits),
        DType::F32 => floats!(8, u32, f32::from_bits),
        DType::F64 => floats!(16, u64, f64::from_bits),
        DType::C32 => complexes!(4, u16, f16::from_bits),
        DType::C64 => complexes!(8, u32, f32::from_bits),
        DType::C128 => complexes!(16, u64, f64::from_bits),
        other => return Err(Error::Unsupported(format!("data of dtype {other}"))),
    })
}

/// The `v` of a vector with these numbers, as far as the dtype has them.
pub fn to_bits(numbers: &[Complex<f64>], dtype: DType) -> Value {
    let part = dtype.to_real();
    let hex = |v: f64| match part {
        DType::F16 => format!("{:04x}", f16::from_f64(v).to_bits()),
        DType::BF16 => format!("{:04x}", bf16::from_f64(v).to_bits()),
        DType::F32 => format!("{:08x}", (v as f32).to_bits()),
        _ => format!("{:016x}", v.to_bits()),
    };
    if dtype == DType::Bool {
        return numbers.iter().map(|z| if *z == Complex::new(0.0, 0.0) { '0' } else { '1' }).collect::<String>().into();
    }
    if dtype.is_int() {
        let (least, most) = dtype.int_range();
        let most = most.min(i128::from(i64::MAX));
        return numbers.iter().map(|z| Value::from((z.re as i128).clamp(least, most) as i64)).collect();
    }
    let both = |z: &Complex<f64>| if dtype.is_complex() { hex(z.re) + &hex(z.im) } else { hex(z.re) };
    numbers.iter().map(both).collect::<String>().into()
}

fn vector<T: sconce_tensor::Element>(data: Vec<T>) -> Tensor {
    let n = data.len() as i64;
    let tensor = Tensor::from_vec(data, &[n]);
    // PyTorch was given floats as a buffer of Python's, whose size is fixed; integers and bools as lists.
    if T::DTYPE.is_float() || T::DTYPE.is_complex() {
        tensor.storage().fix_size();
    }
    tensor
}

/// `[2, 3]` as sizes, strides or dimensions.
pub fn integers(json: &Value) -> Result<Vec<i64>, Error> {
    let bad = || Error::malformed("a list of integers", json);
    json.as_array().ok_or_else(bad)?.iter().map(|v| v.as_i64().ok_or_else(bad)).collect()
}
