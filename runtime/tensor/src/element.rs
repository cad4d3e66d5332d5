//! Which Rust type is the element of which dtype: exactly one each.

use crate::DType;
use half::{bf16, f16};
use num_complex::Complex;

/// A Rust type that is the element of a tensor.
///
/// # Safety
/// `DTYPE.size()` is `size_of::<Self>()`, and every bit pattern is a valid value.
pub unsafe trait Element: Copy + Send + Sync + PartialEq + std::fmt::Debug + 'static {
    /// The dtype whose element it is.
    const DTYPE: DType;
    /// The number; the real part of a complex one.
    fn to_f64(self) -> f64;
    /// Saturating for integers; 1 for a bool that is not 0.
    fn from_f64(v: f64) -> Self;
}

/// The element of a bool tensor: a byte, true where it is not 0. Such bytes come from views of other dtypes and from files, so Rust's `bool`,
/// which may be 0 or 1 only, would not do. What is made here is 0 or 1.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct Bool(u8);

impl Bool {
    /// 1 for true, 0 for false.
    #[inline(always)]
    pub const fn new(truth: bool) -> Bool {
        Bool(truth as u8)
    }
    /// Whether the byte is not 0.
    #[inline(always)]
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Bool {
    #[inline(always)]
    fn from(truth: bool) -> Bool {
        Bool::new(truth)
    }
}

impl From<Bool> for bool {
    #[inline(always)]
    fn from(b: Bool) -> bool {
        b.get()
    }
}

impl PartialEq for Bool {
    #[inline(always)]
    fn eq(&self, other: &Bool) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Bool {}

impl PartialOrd for Bool {
    #[inline(always)]
    fn partial_cmp(&self, other: &Bool) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bool {
    #[inline(always)]
    fn cmp(&self, other: &Bool) -> std::cmp::Ordering {
        self.get().cmp(&other.get())
    }
}

impl std::hash::Hash for Bool {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.get().hash(state);
    }
}

impl std::fmt::Debug for Bool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

macro_rules! elements {
    ($($t:ty => $d:ident, |$x:ident| $to:expr, |$v:ident| $from:expr;)*) => { $(
        // SAFETY: the sizes agree (checked by the test below), and each type is plain data.
        unsafe impl Element for $t {
            const DTYPE: DType = DType::$d;
            #[inline]
            fn to_f64(self) -> f64 {
                let $x = self;
                $to
            }
            #[inline]
            fn from_f64($v: f64) -> $t {
                $from
            }
        }
    )* };
}

elements! {
    u8 => U8, |x| f64::from(x), |v| v as u8;
    i8 => I8, |x| f64::from(x), |v| v as i8;
    i16 => I16, |x| f64::from(x), |v| v as i16;
    i32 => I32, |x| f64::from(x), |v| v as i32;
    i64 => I64, |x| x as f64, |v| v as i64;
    u16 => U16, |x| f64::from(x), |v| v as u16;
    u32 => U32, |x| f64::from(x), |v| v as u32;
    u64 => U64, |x| x as f64, |v| v as u64;
    f16 => F16, |x| x.to_f64(), |v| f16::from_f64(v);
    bf16 => BF16, |x| x.to_f64(), |v| bf16::from_f64(v);
    f32 => F32, |x| f64::from(x), |v| v as f32;
    f64 => F64, |x| x, |v| v;
    Bool => Bool, |x| f64::from(u8::from(x.get())), |v| Bool::new(v != 0.0);
    Complex<f16> => C32, |x| x.re.to_f64(), |v| Complex::new(f16::from_f64(v), f16::ZERO);
    Complex<f32> => C64, |x| f64::from(x.re), |v| Complex::new(v as f32, 0.0);
    Complex<f64> => C128, |x| x.re, |v| Complex::new(v, 0.0);
}

/// Runs a body with `$t` bound to the element type of a dtype; the last arm is for dtypes without one (quantised, 8-bit floats, bit types).
///
/// ```
/// use sconce_tensor::{dispatch, DType};
/// let bytes = dispatch!(DType::F64, T => std::mem::size_of::<T>(), other => panic!("{other}"));
/// assert_eq!(bytes, 8);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($dtype:expr, $t:ident => $body:expr, $other:ident => $else:expr) => {
        match $dtype {
            $crate::DType::U8 => {
                type $t = u8;
                $body
            }
            $crate::DType::I8 => {
                type $t = i8;
                $body
            }
            $crate::DType::I16 => {
                type $t = i16;
                $body
            }
            $crate::DType::I32 => {
                type $t = i32;
                $body
            }
            $crate::DType::I64 => {
                type $t = i64;
                $body
            }
            $crate::DType::U16 => {
                type $t = u16;
                $body
            }
            $crate::DType::U32 => {
                type $t = u32;
                $body
            }
            $crate::DType::U64 => {
                type $t = u64;
                $body
            }
            $crate::DType::F16 => {
                type $t = $crate::f16;
                $body
            }
            $crate::DType::BF16 => {
                type $t = $crate::bf16;
                $body
            }
            $crate::DType::F32 => {
                type $t = f32;
                $body
            }
            $crate::DType::F64 => {
                type $t = f64;
                $body
            }
            $crate::DType::C32 => {
                type $t = $crate::Complex<$crate::f16>;
                $body
            }
            $crate::DType::C64 => {
                type $t = $crate::Complex<f32>;
                $body
            }
            $crate::DType::C128 => {
                type $t = $crate::Complex<f64>;
                $body
            }
            $crate::DType::Bool => {
                type $t = $crate::Bool;
                $body
            }
            $other => $else,
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn element_sizes_agree_with_dtypes() {
        for d in DType::all() {
            let size = dispatch!(d, T => std::mem::size_of::<T>(), other => other.size());
            assert_eq!(size, d.size(), "{d}");
            let back = dispatch!(d, T => <T as Element>::DTYPE, other => other);
            assert_eq!(back, d);
        }
    }
}
