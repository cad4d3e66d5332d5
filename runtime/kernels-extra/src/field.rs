//! Numbers that can be divided: real and complex ones in f64, as decompositions and slopes compute with them.

use num_complex::Complex;
use sconce_kernels::Error;
use sconce_kernels::engine::cast;
use sconce_kernels::engine::folds::total_by;
use sconce_kernels::engine::lanes::{Acc, transposed};
use sconce_tensor::{DType, IValue, Tensor};

/// What the factorizations need of a number.
pub trait Field:
    Acc
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
    + std::ops::Neg<Output = Self>
{
    fn conjugate(self) -> Self;
    fn real(self) -> f64;
    fn of(x: f64) -> Self;
    /// LAPACK's measure of a pivot: the parts' absolute values, added.
    fn one_norm(self) -> f64;
}
impl Field for f64 {
    fn conjugate(self) -> f64 {
        self
    }
    fn real(self) -> f64 {
        self
    }
    fn of(x: f64) -> f64 {
        x
    }
    fn one_norm(self) -> f64 {
        self.abs()
    }
}
impl Field for Complex<f64> {
    fn conjugate(self) -> Self {
        self.conj()
    }
    fn real(self) -> f64 {
        self.re
    }
    fn of(x: f64) -> Self {
        Complex::new(x, 0.0)
    }
    fn one_norm(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
}

/// Runs a body with `$t` bound to the type that a floating or complex dtype is computed in.
macro_rules! with_float_acc {
    ($dtype:expr, $t:ident => $body:expr) => {
        if $dtype.is_complex() {
            type $t = num_complex::Complex<f64>;
            $body
        } else {
            type $t = f64;
            $body
        }
    };
}
pub(crate) use with_float_acc;

/// Each matrix of a batch, row-major.
pub fn matrices<T: Field>(t: &Tensor) -> Result<(Vec<Vec<T>>, usize, usize), Error> {
    let (m, n) = (t.sizes()[t.dim() - 2] as usize, t.sizes()[t.dim() - 1] as usize);
    let data = cast::to_vec::<T>(t)?;
    let count: usize = sconce_kernels::engine::lanes::count(&t.sizes()[..t.dim() - 2]);
    Ok(((0..count).map(|i| data[i * m * n..(i + 1) * m * n].to_vec()).collect(), m, n))
}

/// A batch laid out as LAPACK leaves it: each matrix column by column.
pub fn column_major(t: &Tensor) -> Result<Tensor, Error> {
    transposed(&transposed(t)?.copy()?)
}

pub fn infos(sizes: &[i64], values: Vec<i64>) -> Result<IValue, Error> {
    Ok(IValue::Tensor(cast::from_vec(values, sizes, DType::I32)?))
}

/// The p-norm of the magnitudes.
pub fn norm_of<T: Acc>(lane: &[T], p: f64) -> f64 {
    let sizes = lane.iter().map(|x| x.magnitude());
    if p == 0.0 {
        sizes.filter(|x| *x != 0.0).count() as f64
    } else if p == 1.0 {
        total_by(lane, T::magnitude)
    } else if p == 2.0 {
        total_by(lane, T::square).sqrt()
    } else if p == f64::INFINITY {
        sizes.fold(0.0, |a, b| if a.is_nan() || a > b { a } else { b })
    } else if p == f64::NEG_INFINITY {
        sizes.fold(f64::INFINITY, |a, b| if a.is_nan() || a < b { a } else { b })
    } else {
        total_by(lane, |x| x.magnitude().powf(p)).powf(1.0 / p)
    }
}
