//! Conversion between element types, the same everywhere: C++'s conversions as PyTorch's x86 build computes them, defined for every input.

use crate::Error;
use num_complex::Complex;
use sconce_tensor::{DType, Element, Tensor, bf16, dispatch, f16};

/// An element's value in the widest type of its kind. The variant is fixed by the element type, so a conversion through it costs nothing.
#[derive(Clone, Copy, Debug)]
pub enum Wide {
    Int(i64),
    Unsigned(u64),
    Float(f32),
    Double(f64),
    Complex(Complex<f32>),
    ComplexDouble(Complex<f64>),
}

/// An element type that converts to and from every other.
pub trait Value: Element {
    fn wide(self) -> Wide;
    fn from_wide(w: Wide) -> Self;
    /// This value as an element of another type.
    #[inline(always)]
    fn to<B: Value>(self) -> B {
        B::from_wide(self.wide())
    }
}

/// `cvttsd2si`: cut towards zero; what does not fit, and NaN, gives the smallest integer.
#[inline(always)]
fn f64_to_i64(x: f64) -> i64 {
    if (-9223372036854775808.0..9223372036854775808.0).contains(&x) { x as i64 } else { i64::MIN }
}

/// The same for 32 bits.
#[inline(always)]
fn f64_to_i32(x: f64) -> i32 {
    if x > -2147483649.0 && x < 2147483648.0 { x as i32 } else { i32::MIN }
}

macro_rules! small_ints {
    ($($t:ty),*) => { $(
        impl Value for $t {
            #[inline(always)]
            fn wide(self) -> Wide { Wide::Int(i64::from(self)) }
            #[inline(always)]
            fn from_wide(w: Wide) -> $t {
                match w {
                    Wide::Int(v) => v as $t,
                    Wide::Unsigned(v) => v as $t,
                    // Narrow integers are cut from a 32-bit conversion, as the machine does it.
                    Wide::Float(v) => f64_to_i32(f64::from(v)) as $t,
                    Wide::Double(v) => f64_to_i32(v) as $t,
                    Wide::Complex(v) => f64_to_i32(f64::from(v.re)) as $t,
                    Wide::ComplexDouble(v) => f64_to_i32(v.re) as $t,
                }
            }
        }
    )* };
}
small_ints!(u8, i8, i16, i32, u16);

macro_rules! large_ints {
    ($($t:ty, $variant:ident, $wide:ty);*) => { $(
        impl Value for $t {
            #[inline(always)]
            fn wide(self) -> Wide { Wide::$variant(self as $wide) }
            #[inline(always)]
            fn from_wide(w: Wide) -> $t {
                match w {
                    Wide::Int(v) => v as $t,
                    Wide::Unsigned(v) => v as $t,
                    Wide::Float(v) => f64_to_large(f64::from(v), <$t>::MIN == 0) as $t,
                    Wide::Double(v) => f64_to_large(v, <$t>::MIN == 0) as $t,
                    Wide::Complex(v) => f64_to_large(f64::from(v.re), <$t>::MIN == 0) as $t,
                    Wide::ComplexDouble(v) => f64_to_large(v.re, <$t>::MIN == 0) as $t,
                }
            }
        }
    )* };
}
large_ints!(i64, Int, i64; u32, Int, i64; u64, Unsigned, u64);

#[inline(always)]
fn f64_to_large(x: f64, unsigned: bool) -> i64 {
    if unsigned && x >= 9223372036854775808.0 { x as u64 as i64 } else { f64_to_i64(x) }
}

macro_rules! floats {
    ($($t:ty, $variant:ident, $wide:ty, $narrow:expr);*) => { $(
        impl Value for $t {
            #[inline(always)]
            fn wide(self) -> Wide { Wide::$variant(<$wide>::from(self)) }
            #[inline(always)]
            fn from_wide(w: Wide) -> $t {
                let narrow: fn($wide) -> $t = $narrow;
                narrow(match w {
                    Wide::Int(v) => v as $wide,
                    Wide::Unsigned(v) => v as $wide,
                    Wide::Float(v) => v as $wide,
                    Wide::Double(v) => v as $wide,
                    Wide::Complex(v) => v.re as $wide,
                    Wide::ComplexDouble(v) => v.re as $wide,
                })
            }
        }
    )* };
}
// Half types go through f32, also from f64: PyTorch's constructors round twice.
floats!(f32, Float, f32, |v| v; f64, Double, f64, |v| v; f16, Float, f32, f16::from_f32; bf16, Float, f32, bf16::from_f32);

macro_rules! complexes {
    ($($t:ty, $variant:ident, $wide:ty, $narrow:expr, $widen:expr);*) => { $(
        impl Value for Complex<$t> {
            #[inline(always)]
            fn wide(self) -> Wide {
                let widen: fn($t) -> $wide = $widen;
                Wide::$variant(Complex::new(widen(self.re), widen(self.im)))
            }
            #[inline(always)]
            fn from_wide(w: Wide) -> Self {
                let narrow: fn($wide) -> $t = $narrow;
                let (re, im) = match w {
                    Wide::Int(v) => (v as $wide, 0.0),
                    Wide::Unsigned(v) => (v as $wide, 0.0),
                    Wide::Float(v) => (v as $wide, 0.0),
                    Wide::Double(v) => (v as $wide, 0.0),
                    Wide::Complex(v) => (v.re as $wide, v.im as $wide),
                    Wide::ComplexDouble(v) => (v.re as $wide, v.im as $wide),
                };
                Complex::new(narrow(re), narrow(im))
            }
        }
    )* };
}
complexes!(
    f16, Complex, f32, f16::from_f32, f16::to_f32;
    f32, Complex, f32, |v| v, |v| v;
    f64, ComplexDouble, f64, |v| v, |v| v
);

impl Value for bool {
    #[inline(always)]
    fn wide(self) -> Wide {
        Wide::Int(i64::from(self))
    }
    #[inline(always)]
    fn from_wide(w: Wide) -> bool {
        match w {
            Wide::Int(v) => v != 0,
            Wide::Unsigned(v) => v != 0,
            Wide::Float(v) => v != 0.0,
            Wide::Double(v) => v != 0.0,
            Wide::Complex(v) => v.re != 0.0 || v.im != 0.0,
            Wide::ComplexDouble(v) => v.re != 0.0 || v.im != 0.0,
        }
    }
}

/// Runs a body with `$t` bound to the element type of a dtype; dtypes without arithmetic (quantised, 8-bit floats, bit types) return an error
/// that names `$what`.
macro_rules! with_element {
    ($dtype:expr, $what:expr, $t:ident => $body:expr) => {
        sconce_tensor::dispatch!($dtype, $t => $body, other => return Err(crate::not_implemented($what, other)))
    };
}
pub(crate) use with_element;

/// Writes `from`, converted, into the elements of `to`. Sizes are equal; the storages may overlap.
pub fn convert_into(to: &Tensor, from: &Tensor) -> Result<(), Error> {
    if to.dtype() == from.dtype() {
        return Ok(to.copy_bytes_from(from)?);
    }
    assert_eq!(to.sizes(), from.sizes(), "conversion between different sizes");
    if to.shares_storage(from) {
        return convert_into(to, &from.copy()?);
    }
    fn run<A: Value, B: Value>(to: &Tensor, from: &Tensor) {
        let (t, f) = (to.storage().data_ptr().cast::<B>(), from.storage().data_ptr().cast::<A>());
        if to.is_contiguous() && from.is_contiguous() {
            let (t, f) = (to.data_ptr::<B>(), from.data_ptr::<A>());
            for i in 0..from.numel() {
                // SAFETY: both are contiguous with this many elements.
                unsafe { *t.add(i) = (*f.add(i)).to::<B>() };
            }
            return;
        }
        for (i, o) in to.offsets().zip(from.offsets()) {
            // SAFETY: offsets of a tensor lie in its storage.
            unsafe { *t.offset(i as isize) = (*f.offset(o as isize)).to::<B>() };
        }
    }
    with_element!(from.dtype(), "copy_", A => with_element!(to.dtype(), "copy_", B => run::<A, B>(to, from)));
    Ok(())
}

/// The tensor with this dtype: itself if it has it already, else a copy with the same strides where it is dense.
pub fn convert(t: &Tensor, dtype: DType) -> Result<Tensor, Error> {
    if t.dtype() == dtype {
        return Ok(t.clone());
    }
    let out = crate::elementwise::empty_like(t, dtype)?;
    convert_into(&out, t)?;
    Ok(out)
}

/// The elements in row-major order, converted.
pub fn to_vec<T: Value>(t: &Tensor) -> Result<Vec<T>, Error> {
    if t.dtype() == T::DTYPE {
        return Ok(t.to_vec::<T>());
    }
    fn run<A: Value, B: Value>(t: &Tensor) -> Vec<B> {
        let base = t.storage().data_ptr().cast::<A>();
        // SAFETY: every offset of a tensor lies in its storage.
        t.offsets().map(|o| unsafe { (*base.offset(o as isize)).to::<B>() }).collect()
    }
    Ok(with_element!(t.dtype(), "copy_", A => run::<A, T>(t)))
}

/// A contiguous tensor of a dtype with these elements, converted.
pub fn from_vec<T: Value>(data: Vec<T>, sizes: &[i64], dtype: DType) -> Result<Tensor, Error> {
    if sconce_tensor::numel(sizes) != Some(data.len()) {
        return Err(Error::runtime(format!(
            "the arguments do not fit one another: {} elements for sizes {sizes:?}",
            data.len()
        )));
    }
    if T::DTYPE == dtype {
        return Ok(Tensor::from_vec(data, sizes));
    }
    Ok(
        with_element!(dtype, "copy_", B => Tensor::from_vec(data.into_iter().map(|v| v.to::<B>()).collect::<Vec<B>>(), sizes)),
    )
}

/// Whether `dispatch!` knows the dtype.
pub fn has_elements(dtype: DType) -> bool {
    dispatch!(dtype, _T => true, _other => false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_the_machines() {
        assert_eq!(300i64.to::<u8>(), 44);
        assert_eq!((-1i8).to::<u64>(), u64::MAX);
        assert_eq!(f32::NAN.to::<i64>(), i64::MIN);
        assert_eq!(3e9f32.to::<u8>(), 0);
        assert_eq!((-1.5f32).to::<u8>(), 255);
        assert!(f64::NAN.to::<bool>());
        assert_eq!(i64::MAX.to::<f32>(), 9.223372e18);
        assert_eq!(u64::MAX.to::<f64>(), 18446744073709551615.0);
        assert_eq!(Complex::new(2.5f32, 1.0).to::<i32>(), 2);
        assert_eq!(65504.0f64.to::<f16>().to::<Complex<f64>>(), Complex::new(65504.0, 0.0));
    }
}
