//! Accumulation types, and tensors cut into lanes along the dimensions that an operator works over.

use crate::Error;
use crate::engine::cast::{self, Value};
use crate::engine::compute::Compute;
use crate::engine::scratch;
use num_complex::Complex;
use sconce_schema::shape::Meta;
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::{SmallVec, smallvec};

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
pub(crate) use with_acc;

/// The same for operators that have no integer form.
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

/// How many elements these sizes have. What does not fit memory is refused before it is counted; here it is cut.
pub fn count(sizes: &[i64]) -> usize {
    sconce_tensor::numel(sizes).unwrap_or(usize::MAX)
}

/// Result number `i` of a call's shape rule.
pub fn result(metas: &[Meta], i: usize) -> Result<(Sizes, DType), Error> {
    if let Some(Meta::Tensor(t)) = metas.get(i)
        && let (Some(sizes), Some(dtype)) = (&t.sizes, t.dtype)
        && let Some(sizes) = sizes.iter().map(|s| s.known()).collect::<Option<Sizes>>()
    {
        return Ok((sizes, dtype));
    }
    Err(Error::runtime("the operator's shape rule does not determine its result"))
}

/// Only the dtype of a result.
pub fn result_dtype(metas: &[Meta], i: usize) -> Result<DType, Error> {
    match metas.get(i) {
        Some(Meta::Tensor(t)) => t.dtype,
        _ => None,
    }
    .ok_or_else(|| Error::runtime("the operator's shape rule does not determine its result's dtype"))
}

/// A dimension counted from the end when negative; the rule has checked that it is in range.
pub fn wrap(dim: i64, rank: usize) -> Result<usize, Error> {
    Ok(sconce_schema::shape::args::wrap_dim(dim, rank)?)
}

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

/// The inverse of [`Lanes::along`]: a tensor of these sizes from lanes along a dimension, laid out contiguously.
pub fn from_lanes<T: Value>(data: Vec<T>, sizes: &[i64], dim: usize, dtype: DType) -> Result<Tensor, Error> {
    if sizes.is_empty() {
        return cast::from_vec(data, sizes, dtype);
    }
    let order: SmallVec<[usize; 6]> = (0..sizes.len()).filter(|&d| d != dim).chain([dim]).collect();
    let moved: Sizes = order.iter().map(|&d| sizes[d]).collect();
    let lanes = cast::from_vec(data, &moved, dtype)?;
    let mut back: SmallVec<[usize; 6]> = SmallVec::from_elem(0, sizes.len());
    for (i, &d) in order.iter().enumerate() {
        back[d] = i;
    }
    let out = permute(&lanes, &back)?.contiguous()?;
    // Where one is as good as the other, dimensions of size 1 have a row-major tensor's strides.
    Ok(out.as_strided(sizes, &sconce_tensor::contiguous_strides(sizes), out.storage_offset())?)
}

/// An argument, which the schema's defaults have filled in.
pub fn arg(args: &[IValue], i: usize) -> Result<&IValue, Error> {
    args.get(i).ok_or_else(|| Error::runtime(format!("argument {i} is missing")))
}

pub fn tensor_arg(args: &[IValue], i: usize) -> Result<&Tensor, Error> {
    Ok(arg(args, i)?.as_tensor()?)
}

/// A list of tensors.
pub fn tensors_arg(args: &[IValue], i: usize) -> Result<scratch::List<Tensor>, Error> {
    let mut tensors = scratch::list();
    for v in arg(args, i)?.as_list()?.read().iter() {
        tensors.push(v.as_tensor()?.clone());
    }
    Ok(tensors)
}

pub fn optional_tensor(args: &[IValue], i: usize) -> Result<Option<&Tensor>, Error> {
    arg(args, i)?.optional().map(|v| Ok(v.as_tensor()?)).transpose()
}

pub fn int_arg(args: &[IValue], i: usize) -> Result<i64, Error> {
    Ok(arg(args, i)?.as_int_or_bool()?)
}

pub fn bool_arg(args: &[IValue], i: usize) -> Result<bool, Error> {
    Ok(arg(args, i)?.as_int_or_bool()? != 0)
}

pub fn float_arg(args: &[IValue], i: usize) -> Result<f64, Error> {
    match arg(args, i)? {
        IValue::Complex(c) => Ok(c.re),
        v => Ok(v.as_double()?),
    }
}

/// A list of integers; None is the empty list, a single number a list of one.
pub fn ints_arg(args: &[IValue], i: usize) -> Result<Sizes, Error> {
    match arg(args, i)? {
        IValue::None => Ok(Sizes::new()),
        v @ (IValue::Int(_) | IValue::Bool(_)) => Ok(smallvec![v.as_int_or_bool()?]),
        v => Ok(v.as_list()?.read().iter().map(IValue::as_int_or_bool).collect::<Result<_, _>>()?),
    }
}
