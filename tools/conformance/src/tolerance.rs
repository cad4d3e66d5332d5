//! When a computed number counts as the recorded one: bit for bit, or within bounds that depend on the dtype.

use sconce_tensor::{Bool, Complex, DType, Tensor, bf16, dispatch, f16};

/// A tolerance class of the recordings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tolerance {
    /// The same bits; NaN equals NaN.
    Exact,
    /// Class `t` of the vectors.
    Close,
    /// Class `l` of the vectors.
    Loose,
    /// Only sizes, dtype and strides count (class `m`).
    MetadataOnly,
    /// Recorded programs: rtol 1e-4, atol 1e-5; 1e-2 for the 16-bit floats.
    Program,
}

impl Tolerance {
    /// The class a vector names; absent means exact.
    pub fn of_letter(letter: Option<&str>) -> Option<Tolerance> {
        Some(match letter {
            None | Some("x") => Tolerance::Exact,
            Some("t") => Tolerance::Close,
            Some("l") => Tolerance::Loose,
            Some("m") => Tolerance::MetadataOnly,
            Some(_) => return None,
        })
    }

    /// (rtol, atol) for a dtype; `None` asks for equality.
    pub fn bounds(self, dtype: DType) -> Option<(f64, f64)> {
        let real = dtype.to_real();
        if !real.is_float() {
            return None;
        }
        match (self, real) {
            (Tolerance::Exact | Tolerance::MetadataOnly, _) => None,
            (Tolerance::Close, DType::F64) => Some((1e-12, 1e-13)),
            (Tolerance::Close, DType::F32) => Some((4e-6, 1e-6)),
            (Tolerance::Close, DType::F16) => Some((2e-3, 1e-3)),
            (Tolerance::Close, _) => Some((1.6e-2, 1e-2)),
            (Tolerance::Loose, DType::F64) => Some((1e-7, 1e-9)),
            (Tolerance::Loose, DType::F32) => Some((2e-4, 1e-4)),
            (Tolerance::Loose, DType::F16) => Some((2e-2, 1e-2)),
            (Tolerance::Loose, _) => Some((6e-2, 5e-2)),
            (Tolerance::Program, DType::F64 | DType::F32) => Some((1e-4, 1e-5)),
            (Tolerance::Program, _) => Some((1e-2, 1e-2)),
        }
    }

    /// Two floats of TorchScript (`f64`).
    pub fn close(self, want: f64, got: f64) -> bool {
        near(want, got, self.bounds(DType::F64))
    }
}

fn near(want: f64, got: f64, bounds: Option<(f64, f64)>) -> bool {
    if want.is_nan() || got.is_nan() {
        return want.is_nan() && got.is_nan();
    }
    match bounds {
        None => want.to_bits() == got.to_bits(),
        Some((rtol, atol)) => want == got || (want.is_finite() && (want - got).abs() <= atol + rtol * want.abs()),
    }
}

fn near_complex(want: Complex<f64>, got: Complex<f64>, bounds: Option<(f64, f64)>) -> bool {
    match bounds {
        None => near(want.re, got.re, None) && near(want.im, got.im, None),
        Some((rtol, atol)) => {
            if want.is_nan() || got.is_nan() {
                return want.is_nan() && got.is_nan();
            }
            want == got || (want.is_finite() && got.is_finite() && (want - got).norm() <= atol + rtol * want.norm())
        }
    }
}

/// An element as the widest number of its kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    Integer(i128),
    Real(f64),
    Complex(Complex<f64>),
}

/// Element types as the widest number that holds them exactly.
trait Widen {
    fn widen(self) -> Number;
}
macro_rules! widen {
    ($($t:ty => |$v:ident| $e:expr;)*) => { $( impl Widen for $t { fn widen(self) -> Number { let $v = self; $e } } )* };
}
widen! {
    u8 => |v| Number::Integer(v.into());
    i8 => |v| Number::Integer(v.into());
    i16 => |v| Number::Integer(v.into());
    i32 => |v| Number::Integer(v.into());
    i64 => |v| Number::Integer(v.into());
    u16 => |v| Number::Integer(v.into());
    u32 => |v| Number::Integer(v.into());
    u64 => |v| Number::Integer(v.into());
    Bool => |v| Number::Integer(v.get().into());
    f16 => |v| Number::Real(v.into());
    bf16 => |v| Number::Real(v.into());
    f32 => |v| Number::Real(v.into());
    f64 => |v| Number::Real(v);
    Complex<f16> => |v| Number::Complex(Complex::new(v.re.into(), v.im.into()));
    Complex<f32> => |v| Number::Complex(Complex::new(v.re.into(), v.im.into()));
    Complex<f64> => |v| Number::Complex(v);
}

/// The elements of a tensor in row-major order, widened; empty for dtypes without an element type.
pub fn numbers(t: &Tensor) -> Vec<Number> {
    dispatch!(t.dtype(), T => t.to_vec::<T>().into_iter().map(Widen::widen).collect(), _other => Vec::new())
}

/// Compares the elements of two tensors of one dtype and one size; the first difference as text.
pub fn compare_elements(want: &Tensor, got: &Tensor, tolerance: Tolerance) -> Result<(), String> {
    let bounds = tolerance.bounds(want.dtype());
    let (w, g) = (numbers(want), numbers(got));
    for (i, (&a, &b)) in w.iter().zip(&g).enumerate() {
        let equal = match (a, b) {
            (Number::Integer(a), Number::Integer(b)) => a == b,
            (Number::Real(a), Number::Real(b)) => near(a, b, bounds),
            (Number::Complex(a), Number::Complex(b)) => near_complex(a, b, bounds),
            _ => false,
        };
        if !equal {
            return Err(format!("element {i} of {}: expected {}, got {}", w.len(), show(a), show(b)));
        }
    }
    Ok(())
}

fn show(n: Number) -> String {
    match n {
        Number::Integer(v) => v.to_string(),
        Number::Real(v) => format!("{v:?}"),
        Number::Complex(v) => format!("{:?}+{:?}j", v.re, v.im),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_is_by_bits_and_close_by_value() {
        let t = |v: f32| Tensor::from_vec(vec![v], &[1]);
        assert!(compare_elements(&t(0.0), &t(-0.0), Tolerance::Exact).is_err());
        assert!(compare_elements(&t(0.0), &t(-0.0), Tolerance::Close).is_ok());
        assert!(compare_elements(&t(f32::NAN), &t(-f32::NAN), Tolerance::Exact).is_ok());
        assert!(compare_elements(&t(1.0), &t(f32::NAN), Tolerance::Loose).is_err());
        assert!(compare_elements(&t(f32::INFINITY), &t(f32::MAX), Tolerance::Loose).is_err());
        assert!(compare_elements(&t(1.0), &t(1.0 + 1e-6), Tolerance::Close).is_ok());
        assert!(compare_elements(&t(1.0), &t(1.00001), Tolerance::Close).is_err());
    }
}
