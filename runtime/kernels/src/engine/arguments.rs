//! Arguments read as what a kernel takes them for, and results as the caller takes them. The caller has checked arguments against the schema: a missing or
//! other one is an error of the program's text.

use crate::engine::scratch;
use crate::{Error, Outputs};
use sconce_schema::shape::Meta;
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::smallvec;

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

/// An optional memory format argument.
pub fn format_at(args: &[IValue], i: usize) -> Result<Option<i64>, Error> {
    match args.get(i).and_then(IValue::optional) {
        Some(v) => Ok(Some(v.as_int()?)),
        None => Ok(None),
    }
}

/// An optional dtype argument.
pub fn dtype_at(args: &[IValue], i: usize) -> Result<Option<DType>, Error> {
    match args.get(i).and_then(IValue::optional) {
        Some(v) => Ok(Some(v.as_dtype()?)),
        None => Ok(None),
    }
}

/// A tensor as the only result.
pub fn one(t: Tensor) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(t)])
}
