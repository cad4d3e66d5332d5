//! Scattering: elements written to, or combined with, the places that an index names.

use crate::cast::{Value, convert_into, to_vec, with_element};
use crate::copy::empty_for;
use crate::index::{at_least_1d, check_reach, checked_indices, plain_indices};
use crate::number::Number;
use crate::{Call, Error, Outputs, arg};
use num_complex::Complex;
use sconce_tensor::{Bool, DType, IValue, Offsets, Sizes, Tensor};
use smallvec::smallvec;

/// What becomes of an element and the one that comes to its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combine {
    Assign,
    Add,
    Mul,
    Max,
    Min,
}

/// The combination in the dtype's own arithmetic; a NaN wins a maximum and a minimum.
pub fn combine<T: Value>(by: Combine, a: T, b: T) -> T {
    fn real<F: PartialOrd + Copy>(by: Combine, a: F, b: F, nan: impl Fn(F) -> bool, add: F, mul: F) -> F {
        match by {
            Combine::Assign => b,
            Combine::Add => add,
            Combine::Mul => mul,
            Combine::Max => {
                if nan(a) || a >= b {
                    a
                } else {
                    b
                }
            }
            Combine::Min => {
                if nan(a) || a <= b {
                    a
                } else {
                    b
                }
            }
        }
    }
    match T::DTYPE {
        DType::F64 => {
            let (a, b) = (a.to::<f64>(), b.to::<f64>());
            real(by, a, b, f64::is_nan, a + b, a * b).to()
        }
        d if d.is_float() => {
            let (a, b) = (a.to::<f32>(), b.to::<f32>());
            real(by, a, b, f32::is_nan, a + b, a * b).to()
        }
        d if d.is_complex() => {
            let (x, y) = (a.to::<Complex<f64>>(), b.to::<Complex<f64>>());
            match by {
                Combine::Add => (x + y).to(),
                Combine::Mul => (x * y).to(),
                _ => b,
            }
        }
        _ => {
            let (a, b) = (a.to::<i64>(), b.to::<i64>());
            real(by, a, b, |_| false, a.wrapping_add(b), a.wrapping_mul(b)).to()
        }
    }
}

/// A call of the scatter kind: the copy that is changed, and for each element of the index the offset it names in it.
struct Places {
    out: Tensor,
    offsets: Vec<i64>,
}

fn copy_of(t: &Tensor) -> Result<Tensor, Error> {
    let out = empty_for(t, t.dtype(), None)?;
    convert_into(&out, t)?;
    Ok(out)
}

fn places(args: &[IValue]) -> Result<Places, Error> {
    let t = arg(args, 0)?.as_tensor()?;
    let dim = crate::tensor_info::dimension(arg(args, 1)?.as_int()?, t.dim())?;
    let index = arg(args, 2)?.as_tensor()?;
    let out = t.copy()?;
    if index.numel() == 0 {
        return Ok(Places { out, offsets: Vec::new() });
    }
    let (target, shape) = (at_least_1d(&out)?, at_least_1d(index)?);
    check_reach(&target, &shape, dim)?;
    let size = target.sizes()[dim];
    let values = plain_indices(index, size, |v| {
        Error::runtime(format!("index {v} is out of bounds for dimension {dim} with size {size}"))
    })?;
    let mut strides: Sizes = target.strides().into();
    let step = std::mem::replace(&mut strides[dim], 0);
    let starts = Offsets::new(shape.sizes(), &strides, target.storage_offset());
    let offsets = starts.zip(values.iter()).map(|(start, v)| start + v * step).collect();
    Ok(Places { out, offsets })
}

/// The source's elements at the positions of the index.
fn source_values<T: Value>(src: &Tensor, index: &Tensor) -> Result<Vec<T>, Error> {
    let (src, shape) = (at_least_1d(src)?, at_least_1d(index)?);
    if index.numel() == 0 {
        return Ok(Vec::new());
    }
    Ok(src.as_strided(shape.sizes(), src.strides(), src.storage_offset())?.to_vec::<T>())
}

fn apply<T: Value>(places: &Places, values: impl IntoIterator<Item = T>, by: Combine) {
    let base = places.out.storage().data_ptr().cast::<T>();
    for (o, v) in places.offsets.iter().zip(values) {
        // SAFETY: offsets of elements of `out`, whose indices were checked; T is its element type (callers dispatch on it).
        unsafe {
            let p = base.offset(*o as isize);
            *p = combine(by, *p, v);
        }
    }
}

fn scattered(args: &[IValue], by: Combine) -> Result<Outputs, Error> {
    let places = places(args)?;
    let index = arg(args, 2)?.as_tensor()?;
    with_element!(places.out.dtype(), "scatter", T => match arg(args, 3)? {
        IValue::Tensor(src) if !src.is_wrapped_number() => apply(&places, source_values::<T>(src, index)?, by),
        number => {
            let v = crate::convert::element::<T>(Number::from_value(number)?)?;
            apply(&places, std::iter::repeat_n(v, places.offsets.len()), by);
        }
    });
    Ok(smallvec![IValue::Tensor(places.out)])
}

/// (self, dim, index, src or value).
pub fn scatter(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    scattered(args, Combine::Assign)
}

/// (self, dim, index, src).
pub fn scatter_add(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    scattered(args, Combine::Add)
}

/// (self, dim, index, src or value, reduce), where reduce is `add` or `multiply`.
pub fn scatter_with(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    match arg(args, 4)?.as_str()? {
        "add" => scattered(args, Combine::Add),
        "multiply" => scattered(args, Combine::Mul),
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

fn reduced<T: Value>(places: &Places, values: Vec<T>, name: &str, include_self: bool) -> Result<(), Error> {
    let (by, start, mean) = reduction(name, T::DTYPE)?;
    let base = places.out.storage().data_ptr().cast::<T>();
    if !include_self {
        let start = match start {
            Number::Double(d) => d.to::<T>(),
            Number::Bool(b) => Bool::new(b).to::<T>(),
            other => other.to_i64()?.to::<T>(),
        };
        for o in &places.offsets {
            // SAFETY: offsets of elements of `out`; T is its element type.
            unsafe { *base.offset(*o as isize) = start };
        }
    }
    apply(places, values, by);
    if mean {
        let mut counts = std::collections::BTreeMap::new();
        for o in &places.offsets {
            *counts.entry(*o).or_insert(i64::from(include_self)) += 1;
        }
        for (o, n) in counts {
            // SAFETY: as above.
            unsafe {
                let p = base.offset(o as isize);
                *p = divided(*p, n);
            }
        }
    }
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
pub fn scatter_reduce(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let places = places(args)?;
    let (index, src) = (arg(args, 2)?.as_tensor()?, arg(args, 3)?.as_tensor()?);
    let (name, include_self) = (arg(args, 4)?.as_str()?, arg(args, 5)?.as_bool()?);
    with_element!(places.out.dtype(), "scatter_reduce", T => reduced(&places, source_values::<T>(src, index)?, name, include_self)?);
    Ok(smallvec![IValue::Tensor(places.out)])
}

/// (self, dim, index, source, …): slices of the source go to the slices of self that the index names. Places and values element by element.
fn slices(args: &[IValue], op: &str, source: Option<&Tensor>) -> Result<Places, Error> {
    let t = arg(args, 0)?.as_tensor()?;
    let dim = crate::tensor_info::dimension(arg(args, 1)?.as_int()?, t.dim())?;
    let index = arg(args, 2)?.as_tensor()?;
    // The others give a row-major result whatever they are given.
    let out = if op == "index_fill" { copy_of(t)? } else { t.copy()? };
    let target = at_least_1d(&out)?;
    let size = target.sizes()[dim];
    let out_of_range = |_| {
        Error::index(if op == "index_add" {
            "index out of range in self".to_owned()
        } else {
            format!("{op}(): index out of range in self")
        })
    };
    let values = if op == "index_fill" || op == "index_copy" {
        checked_indices(index, size, |v| {
            Error::index(format!("index {v} is out of bounds for dimension {dim} with size {size}"))
        })?
    } else {
        plain_indices(index, size, out_of_range)?
    };
    if let Some(source) = source {
        let source = at_least_1d(source)?;
        let matches = source.dim() == target.dim()
            && (0..target.dim()).all(|d| d == dim || source.sizes()[d] == target.sizes()[d]);
        if !matches {
            return Err(Error::runtime(format!(
                "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {:?} source.shape = {:?}",
                t.sizes(),
                args[3].as_tensor()?.sizes()
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
    let mut strides: Sizes = target.strides().into();
    sizes[dim] = values.len() as i64;
    let step = std::mem::replace(&mut strides[dim], 0);
    // The position along `dim` of each element, in row-major order.
    let inner: i64 = sizes[dim + 1..].iter().product();
    let starts = Offsets::new(&sizes, &strides, target.storage_offset());
    let offsets = starts
        .enumerate()
        .map(|(i, start)| start + values[(i as i64 / inner.max(1)) as usize % values.len().max(1)] * step)
        .collect();
    Ok(Places { out, offsets })
}

/// (self, dim, index, source, alpha).
pub fn index_add(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let source = arg(args, 3)?.as_tensor()?;
    let places = slices(args, "index_add", Some(source))?;
    let alpha = Number::from_value(arg(args, 4)?)?;
    with_element!(places.out.dtype(), "index_add", T => {
        let alpha = crate::convert::element::<T>(alpha)?;
        let values = source.to_vec::<T>().into_iter().map(|v| combine(Combine::Mul, v, alpha));
        apply(&places, values, Combine::Add);
    });
    Ok(smallvec![IValue::Tensor(places.out)])
}

/// (self, dim, index, source).
pub fn index_copy(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let source = arg(args, 3)?.as_tensor()?;
    let t = arg(args, 0)?.as_tensor()?;
    if source.dtype() != t.dtype() {
        return Err(Error::runtime(format!(
            "index_copy_(): self and source expected to have the same dtype, but got (self) {} and (source) {}",
            t.dtype().scalar_type_name(),
            source.dtype().scalar_type_name()
        )));
    }
    let places = slices(args, "index_copy", Some(source))?;
    with_element!(places.out.dtype(), "index_copy", T => apply(&places, to_vec::<T>(source)?, Combine::Assign));
    Ok(smallvec![IValue::Tensor(places.out)])
}

/// (self, dim, index, value).
pub fn index_fill(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let value = Number::from_value(arg(args, 3)?)?;
    let index = arg(args, 2)?.as_tensor()?;
    if index.dtype() != DType::I64 {
        return Err(Error::index("index_fill_(): Expected dtype int64 for index."));
    }
    if index.dim() > 1 {
        return Err(Error::runtime("Index has to be a vector/scalar"));
    }
    let places = slices(args, "index_fill", None)?;
    with_element!(places.out.dtype(), "index_fill", T => {
        let v = crate::convert::element::<T>(value)?;
        apply(&places, std::iter::repeat_n(v, places.offsets.len()), Combine::Assign);
    });
    Ok(smallvec![IValue::Tensor(places.out)])
}

/// (self, dim, index, source, reduce, include_self).
pub fn index_reduce(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let source = arg(args, 3)?.as_tensor()?;
    let index = arg(args, 2)?.as_tensor()?;
    if !matches!(index.dtype(), DType::I32 | DType::I64) {
        return Err(Error::runtime(format!(
            "index_reduce_(): Expected dtype int32/int64 for index but got: {}",
            index.dtype().scalar_type_name()
        )));
    }
    let places = slices(args, "index_reduce", Some(source))?;
    let (name, include_self) = (arg(args, 4)?.as_str()?, arg(args, 5)?.as_bool()?);
    if !matches!(name, "prod" | "mean" | "amax" | "amin") {
        return Err(Error::runtime(format!(
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {name}."
        )));
    }
    with_element!(places.out.dtype(), "index_reduce", T => reduced(&places, source.to_vec::<T>(), name, include_self)?);
    Ok(smallvec![IValue::Tensor(places.out)])
}

/// (self, index, source, accumulate): as if self were a vector.
pub fn put(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (t, index, source) = (arg(args, 0)?.as_tensor()?, arg(args, 1)?.as_tensor()?, arg(args, 2)?.as_tensor()?);
    if index.dtype() != DType::I64 {
        return Err(Error::runtime(format!(
            "put_(): Expected a long tensor for index, but got {}",
            index.dtype().scalar_type_name()
        )));
    }
    if source.dtype() != t.dtype() {
        return Err(Error::runtime(format!(
            "put_(): self and source expected to have the same dtype, but got self.dtype = {} and source.dtype = {}",
            t.dtype().graph_name(),
            source.dtype().graph_name()
        )));
    }
    if index.numel() != source.numel() {
        return Err(Error::runtime(format!(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = {}, index.numel() = {}",
            source.numel(),
            index.numel()
        )));
    }
    let out = copy_of(t)?;
    let n = t.numel() as i64;
    let values = checked_indices(index, n, |v| {
        Error::index(format!("out of range: tried to access index {v} on a tensor of {n} elements."))
    })?;
    let all: Vec<i64> = out.offsets().collect();
    let by = if arg(args, 3)?.as_bool()? { Combine::Add } else { Combine::Assign };
    let places = Places { offsets: values.iter().map(|v| all[*v as usize]).collect(), out };
    with_element!(places.out.dtype(), "put_", T => apply(&places, source.to_vec::<T>(), by));
    Ok(smallvec![IValue::Tensor(places.out)])
}
