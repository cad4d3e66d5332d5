//! Scattering: elements written to, or combined with, the places that an index names.

use crate::engine::arguments::{arg, int_arg, one, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::cast::{Value, convert_into, with_element};
use crate::engine::elementwise::{like_strides, uninit_strided};
use crate::engine::lanes::dimension;
use crate::engine::number::Number;
use crate::tensor::gather_scatter::{Combine, Index, Side, carry};
use crate::tensor::index::{at_least_1d, check_reach, checked_indices, plain_indices};
use crate::{Call, Error, Outputs};
use num_complex::Complex;
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::smallvec;

/// A call of the scatter kind: the copy that is changed, the positions that elements come from, and for each the place it goes to.
pub struct Places {
    pub out: Tensor,
    sizes: Sizes,
    to: Side,
    index: Index,
}

impl Places {
    /// Combines the elements of `from`, which lie at these strides, into their places.
    ///
    /// # Safety
    /// They are elements of the result's dtype for every position.
    unsafe fn combine(&self, from: &Side, by: Combine) -> Result<(), Error> {
        // SAFETY: who made the places checked every index; the result is fresh, so nothing shares its memory.
        unsafe { carry(self.out.dtype(), &self.sizes, &self.to, from, &self.index, by) }
    }

    fn is_empty(&self) -> bool {
        self.sizes.contains(&0)
    }

    /// A number to all places.
    fn put(&self, number: Number, by: Combine) -> Result<(), Error> {
        let mut element = number_as(number, self.out.dtype())?;
        // SAFETY: one element of the dtype.
        unsafe { self.combine(&Side::same(&mut element, self.sizes.len()), by) }
    }

    /// A source's elements, position by position.
    fn take(&self, source: &Tensor, by: Combine) -> Result<(), Error> {
        if self.is_empty() {
            return Ok(());
        }
        let (source, out) = (at_least_1d(source)?, &self.out);
        if source.dtype() != out.dtype() {
            let (have, want) = (source.dtype().graph_name(), out.dtype().graph_name());
            return Err(Error::runtime(format!("the source has elements of type {have}, not {want}")));
        }
        // The source may have more than the index asks for; that it does not have less is looked at here.
        let source = source.as_strided(&self.sizes, source.strides(), source.storage_offset())?;
        // SAFETY: the source has an element of the dtype for each position.
        unsafe { self.combine(&Side::plain(&source), by) }
    }
}

/// A number as one element.
fn number_as(number: Number, dtype: DType) -> Result<u128, Error> {
    let mut element = 0u128;
    with_element!(dtype, "scatter", T => {
        let value = crate::engine::number::element::<T>(number)?;
        // SAFETY: no element is larger or more aligned.
        unsafe { std::ptr::from_mut(&mut element).cast::<T>().write(value) };
    });
    Ok(element)
}

/// Result 0: a copy that lies as `t` does.
fn copy_of(call: &Call<'_>, t: &Tensor) -> Result<Tensor, Error> {
    let out = call.output(0, t.sizes(), &like_strides(t), t.dtype())?;
    convert_into(&out, t)?;
    Ok(out)
}

/// Result 0: a row-major copy.
fn row_major_copy_of(call: &Call<'_>, t: &Tensor) -> Result<Tensor, Error> {
    let out = call.contiguous_output(0, t.sizes(), t.dtype())?;
    convert_into(&out, t)?;
    Ok(out)
}

fn places(call: &Call<'_>, t: &Tensor, dim: i64, index: &Tensor) -> Result<Places, Error> {
    let dim = dimension(dim, t.dim())?;
    let out = row_major_copy_of(call, t)?;
    let target = at_least_1d(&out)?;
    let to = Side::along(&target, dim);
    if index.numel() == 0 {
        return Ok(Places { sizes: smallvec![0; target.dim()], index: Index::none(target.dim()), out, to });
    }
    let size = target.sizes()[dim];
    let shape: Sizes = if index.dim() > 0 { index.sizes().into() } else { smallvec![1] };
    check_reach(&target, &shape, dim)?;
    let index = Index::new(index, size, |v| {
        Error::runtime(format!("index {v} is out of bounds for dimension {dim} with size {size}"))
    })?;
    Ok(Places { out, sizes: shape, to, index })
}

fn scattered(call: &Call<'_>, args: &[IValue], by: Combine) -> Result<Outputs, Error> {
    let places = places(call, tensor_arg(args, 0)?, int_arg(args, 1)?, tensor_arg(args, 2)?)?;
    match arg(args, 3)? {
        IValue::Tensor(src) if !src.is_wrapped_number() => places.take(src, by)?,
        // A number that goes nowhere may be any.
        _ if places.is_empty() => {}
        number => places.put(Number::from_value(number)?, by)?,
    }
    one(places.out)
}

kernels! {
    /// (self, dim, index, src or value).
    scatter = scattered, Combine::Assign; scatter_add = scattered, Combine::Add;
}

/// (self, dim, index, src or value, reduce), where reduce is `add` or `multiply`.
pub fn scatter_with(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    match arg(args, 4)?.as_str()? {
        "add" => scattered(call, args, Combine::Add),
        "multiply" => scattered(call, args, Combine::Mul),
        _ => Err(Error::runtime("reduce argument must be either add or multiply.")),
    }
}

/// How `sum`, `prod`, `mean`, `amax` and `amin` combine, from which start, and whether a count divides.
fn reduction(name: &str, dtype: DType) -> Result<(Combine, Number, bool), Error> {
    let (lowest, highest) = if dtype.is_float() {
        (Number::Double(f64::NEG_INFINITY), Number::Double(f64::INFINITY))
    } else {
        let bits = 8 * dtype.size() as u32;
        match dtype {
            DType::Bool => (Number::Bool(false), Number::Bool(true)),
            d if d.is_signed_int() => (Number::Int(i64::MIN >> (64 - bits)), Number::Int(i64::MAX >> (64 - bits))),
            DType::U64 => (Number::Int(0), Number::Int(-1)),
            _ => (Number::Int(0), Number::Int((1i64 << bits.min(62)) - 1)),
        }
    };
    Ok(match name {
        "sum" => (Combine::Add, Number::Int(0), false),
        "mean" => (Combine::Add, Number::Int(0), true),
        "prod" => (Combine::Mul, Number::Int(1), false),
        "amax" => (Combine::Max, lowest, false),
        "amin" => (Combine::Min, highest, false),
        other => {
            return Err(Error::runtime(format!(
                "reduce argument must be either sum, prod, mean, amax or amin, got {other}"
            )));
        }
    })
}

pub fn reduced(places: &Places, source: &Tensor, name: &str, include_self: bool) -> Result<(), Error> {
    let out = &places.out;
    let (by, start, mean) = reduction(name, out.dtype())?;
    if !include_self {
        places.put(start, Combine::Assign)?;
    }
    places.take(source, by)?;
    if !mean || places.sizes.contains(&0) {
        return Ok(());
    }
    // How many elements came to each place.
    let counts = uninit_strided(out.sizes(), out.strides(), DType::I64)?;
    counts.fill(i64::from(include_self));
    let (target, first) = (Side { first: counts.bytes_ptr(), ..places.to.clone() }, &mut 1u128);
    // SAFETY: the counts lie as the result does; one i64 for all positions.
    unsafe {
        let one = Side::same(first, places.sizes.len());
        carry(DType::I64, &places.sizes, &target, &one, &places.index, Combine::Add)?;
    }
    let (n, counts) = (out.numel(), counts.data_ptr::<i64>());
    with_element!(out.dtype(), "scatter_reduce", T => {
        let base = out.data_ptr::<T>();
        for i in 0..n {
            // SAFETY: both are dense, with `n` elements in one order.
            unsafe {
                let count = *counts.add(i);
                if count > 1 {
                    *base.add(i) = divided(*base.add(i), count);
                }
            }
        }
    });
    Ok(())
}

/// `v / n`, towards minus infinity for integers.
fn divided<T: Value>(v: T, n: i64) -> T {
    match T::DTYPE {
        DType::F64 => (v.to::<f64>() / n as f64).to(),
        d if d.is_float() => (v.to::<f32>() / n as f32).to(),
        d if d.is_complex() => (v.to::<Complex<f64>>() / n as f64).to(),
        _ => v.to::<i64>().div_euclid(n).to(),
    }
}

/// (self, dim, index, src, reduce, include_self).
pub fn scatter_reduce(
    call: &Call<'_>,
    t: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    reduce: &str,
    include_self: bool,
) -> Result<Tensor, Error> {
    let places = places(call, t, dim, index)?;
    reduced(&places, src, reduce, include_self)?;
    Ok(places.out)
}

/// Slices of the source go to the slices of a tensor that the index names along a dimension.
pub fn slices(
    call: &Call<'_>,
    op: &str,
    t: &Tensor,
    dim: i64,
    index: &Tensor,
    source: Option<&Tensor>,
) -> Result<Places, Error> {
    let dim = dimension(dim, t.dim())?;
    // The others give a row-major result whatever they are given.
    let out = if op == "index_fill" { copy_of(call, t)? } else { row_major_copy_of(call, t)? };
    let target = at_least_1d(&out)?;
    let size = target.sizes()[dim];
    let values = if op == "index_fill" || op == "index_copy" {
        checked_indices(index, size, |v| {
            Error::index(format!("index {v} is out of bounds for dimension {dim} with size {size}"))
        })?
    } else {
        plain_indices(index, size, |_| {
            Error::index(if op == "index_add" {
                "index out of range in self".to_owned()
            } else {
                format!("{op}(): index out of range in self")
            })
        })?
    };
    if let Some(given) = source {
        let source = at_least_1d(given)?;
        let matches = source.dim() == target.dim()
            && (0..target.dim()).all(|d| d == dim || source.sizes()[d] == target.sizes()[d]);
        if !matches {
            return Err(Error::runtime(format!(
                "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {:?} source.shape = {:?}",
                t.sizes(),
                given.sizes()
            )));
        }
        if source.sizes()[dim] != values.len() as i64 {
            return Err(Error::runtime(format!(
                "Number of indices ({}) should be equal to source.size(dim): ({}), for dim: {dim}",
                values.len(),
                source.sizes()[dim]
            )));
        }
    }
    let mut sizes: Sizes = target.sizes().into();
    sizes[dim] = values.len() as i64;
    let mut strides: Sizes = smallvec![0; sizes.len()];
    strides[dim] = 1;
    let to = Side::along(&target, dim);
    Ok(Places { out, sizes, to, index: Index::of(values, strides) })
}

/// (self, dim, index, source, alpha).
pub fn index_add(
    call: &Call<'_>,
    t: &Tensor,
    dim: i64,
    index: &Tensor,
    source: &Tensor,
    alpha: Number,
) -> Result<Tensor, Error> {
    let places = slices(call, "index_add", t, dim, index, Some(source))?;
    // PyTorch looks at the number row by row, or at once where there are none.
    if places.is_empty() && t.dim() > 1 {
        return Ok(places.out);
    }
    let mut factor = number_as(alpha, t.dtype())?;
    if factor == number_as(Number::Int(1), t.dtype())? {
        places.take(source, Combine::Add)?;
    } else {
        let scaled = source.copy()?;
        let one = Index::none(scaled.dim());
        // SAFETY: a copy of which every element is multiplied, by one number.
        unsafe {
            let by = Side::same(&mut factor, scaled.dim());
            carry(scaled.dtype(), scaled.sizes(), &Side::plain(&scaled), &by, &one, Combine::Mul)?;
        }
        places.take(&scaled, Combine::Add)?;
    }
    Ok(places.out)
}

/// (self, dim, index, source).
pub fn index_copy(call: &Call<'_>, t: &Tensor, dim: i64, index: &Tensor, source: &Tensor) -> Result<Tensor, Error> {
    if source.dtype() != t.dtype() {
        return Err(Error::runtime(format!(
            "index_copy_(): self and source expected to have the same dtype, but got (self) {} and (source) {}",
            t.dtype().scalar_type_name(),
            source.dtype().scalar_type_name()
        )));
    }
    let places = slices(call, "index_copy", t, dim, index, Some(source))?;
    places.take(source, Combine::Assign)?;
    Ok(places.out)
}

/// (self, dim, index, value).
pub fn index_fill(call: &Call<'_>, t: &Tensor, dim: i64, index: &Tensor, value: &IValue) -> Result<Tensor, Error> {
    if let IValue::Tensor(value) = value
        && value.dim() > 0
    {
        return Err(Error::runtime(format!(
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
            value.dim()
        )));
    }
    let value = Number::from_value(value)?;
    if matches!(value, Number::Complex(_)) && !t.dtype().is_complex() {
        return Err(Error::runtime("index_fill_(): Converting complex Scalar to non-complex type is not supported"));
    }
    if index.dtype() != DType::I64 {
        return Err(Error::index("index_fill_(): Expected dtype int64 for index."));
    }
    if index.dim() > 1 {
        return Err(Error::runtime("Index has to be a vector/scalar"));
    }
    let places = slices(call, "index_fill", t, dim, index, None)?;
    places.put(value, Combine::Assign)?;
    Ok(places.out)
}
