//! Accumulation types, and tensors cut into lanes along the dimensions that an operator works over.

use crate::Error;
use crate::engine::cast::{self, Value};
use crate::engine::compute::Compute;
use num_complex::Complex;
use sconce_tensor::{Sizes, Tensor};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// A type that sums are kept in: f64 for floats, wrapping i64 for integers and bool, `Complex<f64>`.
pub trait Acc: Compute {
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// The absolute value.
    fn magnitude(self) -> f64;
    fn scale(self, by: f64) -> Self;
    /// The square of the absolute value.
    #[inline(always)]
    fn square(self) -> f64 {
        let m = self.magnitude();
        m * m
    }
}

impl Acc for f64 {
    #[inline(always)]
    fn add(self, other: f64) -> f64 {
        self + other
    }
    #[inline(always)]
    fn sub(self, other: f64) -> f64 {
        self - other
    }
    #[inline(always)]
    fn mul(self, other: f64) -> f64 {
        self * other
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        self.abs()
    }
    #[inline(always)]
    fn scale(self, by: f64) -> f64 {
        self * by
    }
}

impl Acc for i64 {
    #[inline(always)]
    fn add(self, other: i64) -> i64 {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn sub(self, other: i64) -> i64 {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn mul(self, other: i64) -> i64 {
        self.wrapping_mul(other)
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        self.unsigned_abs() as f64
    }
    #[inline(always)]
    fn scale(self, by: f64) -> i64 {
        (self as f64 * by).to::<i64>()
    }
}

impl Acc for Complex<f64> {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        self.re.hypot(self.im)
    }
    #[inline(always)]
    fn scale(self, by: f64) -> Self {
        self * by
    }
    #[inline(always)]
    fn square(self) -> f64 {
        self.norm_sqr()
    }
}

/// Runs a body with `$t` bound to the accumulation type of a dtype.
#[macro_export]
macro_rules! with_acc {
    ($dtype:expr, $t:ident => $body:expr) => {{
        let dtype: sconce_tensor::DType = $dtype;
        if dtype.is_complex() {
            type $t = num_complex::Complex<f64>;
            $body
        } else if dtype.is_float() {
            type $t = f64;
            $body
        } else {
            type $t = i64;
            $body
        }
    }};
}
pub use with_acc;

/// How many elements these sizes have. What does not fit memory is refused before it is counted; here it is cut.
pub fn count(sizes: &[i64]) -> usize {
    sconce_tensor::numel(sizes).unwrap_or(usize::MAX)
}

/// A dimension counted from the end when negative; rank 0 counts as rank 1.
pub fn wrap(dim: i64, rank: usize) -> Result<usize, Error> {
    Ok(sconce_schema::shape::args::wrap_dim(dim, rank)?)
}

pub use self::wrap as dimension;

/// Which dimensions a list names (none: all).
pub fn mask(dims: &[i64], rank: usize) -> Result<SmallVec<[bool; 6]>, Error> {
    Ok(sconce_schema::shape::args::reduced_dims(dims, rank)?)
}

/// The same tensor with its dimensions in another order.
pub fn permute(t: &Tensor, order: &[usize]) -> Result<Tensor, Error> {
    let sizes: Sizes = order.iter().map(|&d| t.sizes()[d]).collect();
    let strides: Sizes = order.iter().map(|&d| t.strides()[d]).collect();
    Ok(t.as_strided(&sizes, &strides, t.storage_offset())?)
}

/// The same elements in row-major order with other sizes.
pub fn reshape(t: &Tensor, sizes: &[i64]) -> Result<Tensor, Error> {
    let t = t.contiguous()?;
    Ok(t.as_strided(sizes, &sconce_tensor::contiguous_strides(sizes), t.storage_offset())?)
}

/// The last two dimensions exchanged.
pub fn transposed(t: &Tensor) -> Result<Tensor, Error> {
    let mut order: Vec<usize> = (0..t.dim()).collect();
    if order.len() >= 2 {
        let n = order.len();
        order.swap(n - 1, n - 2);
    }
    permute(t, &order)
}

/// A tensor's elements, converted, with the elements of each lane side by side.
pub struct Lanes<T> {
    pub data: Vec<T>,
    /// Elements of one lane; 0 is possible.
    pub length: usize,
    pub count: usize,
}

impl<T: Value> Lanes<T> {
    /// Lanes over the marked dimensions, in the row-major order of the others.
    pub fn over(t: &Tensor, mask: &[bool]) -> Result<Lanes<T>, Error> {
        let kept = (0..t.dim()).filter(|&d| !mask[d]);
        let order: SmallVec<[usize; 6]> = kept.chain((0..t.dim()).filter(|&d| mask[d])).collect();
        let count = |marked: bool| -> usize {
            (0..t.dim()).filter(|&d| mask[d] == marked).map(|d| t.sizes()[d] as usize).product()
        };
        Ok(Lanes { data: cast::to_vec::<T>(&permute(t, &order)?)?, length: count(true), count: count(false) })
    }

    /// Lanes along one dimension; a tensor of rank 0 is one lane of one element.
    pub fn along(t: &Tensor, dim: usize) -> Result<Lanes<T>, Error> {
        let mask: SmallVec<[bool; 6]> = (0..t.dim()).map(|d| d == dim).collect();
        Lanes::over(t, &mask)
    }

    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.count).map(|i| &self.data[i * self.length..(i + 1) * self.length])
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        // A length of 0 cannot be chunked; there is nothing to change then.
        self.data.chunks_exact_mut(self.length.max(1))
    }
}

/// The numbers of `n` items in the order of a comparison, equal ones as they come. Sorting is much code: it is there once for all types.
pub fn in_order(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}
