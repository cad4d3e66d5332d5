//! Elements and slices put to places that an index names, as programs hardly ask for it.

use sconce_kernels::engine::arguments::arg;
use sconce_kernels::engine::cast;
use sconce_kernels::engine::compose::tensor as op;
use sconce_kernels::engine::elementwise::like_strides;
use sconce_kernels::engine::lanes::reshape;
use sconce_kernels::tensor::index::checked_indices;
use sconce_kernels::tensor::scatter::{reduced, slices};
use sconce_kernels::{Call, Error, Outputs, not_implemented};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::smallvec;

/// (self, dim, index, source, reduce, include_self).
pub fn index_reduce(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let source = arg(args, 3)?.as_tensor()?;
    let index = arg(args, 2)?.as_tensor()?;
    if !matches!(index.dtype(), DType::I32 | DType::I64) {
        return Err(Error::runtime(format!(
            "index_reduce_(): Expected dtype int32/int64 for index but got: {}",
            index.dtype().scalar_type_name()
        )));
    }
    let places = slices(call, args, "index_reduce", Some(source))?;
    let (name, include_self) = (arg(args, 4)?.as_str()?, arg(args, 5)?.as_bool()?);
    if !matches!(name, "prod" | "mean" | "amax" | "amin") {
        return Err(Error::runtime(format!(
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {name}."
        )));
    }
    reduced(&places, source, name, include_self)?;
    Ok(smallvec![IValue::Tensor(places.out)])
}

/// (self, index, source, accumulate): as if self were a vector.
pub fn put(call: &Call<'_>, t: &Tensor, index: &Tensor, source: &Tensor, accumulate: bool) -> Result<Tensor, Error> {
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
    if t.dtype() == DType::C32 {
        return Err(not_implemented("take_put_cpu", DType::C32));
    }
    if index.numel() != source.numel() {
        return Err(Error::runtime(format!(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = {}, index.numel() = {}",
            source.numel(),
            index.numel()
        )));
    }
    let n = t.numel() as i64;
    let positions = checked_indices(index, n, |v| {
        Error::index(format!("out of range: tried to access index {v} on a tensor of {n} elements."))
    })?;
    let out = call.output(0, t.sizes(), &like_strides(t), t.dtype())?;
    let positions = Tensor::from_vec(positions.to_vec(), &[positions.len() as i64]);
    let all =
        [reshape(t, &[n])?.into(), IValue::tensor_list([positions]), reshape(source, &[source.numel() as i64])?.into()];
    let flat = op("aten::index_put", &[&all[..], &[IValue::Bool(accumulate)]].concat())?;
    cast::convert_into(&out, &reshape(&flat, t.sizes())?)?;
    Ok(out)
}
