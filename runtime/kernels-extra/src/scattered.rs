//! Elements and slices put to places that an index names, as programs hardly ask for it.

use sconce_kernels::engine::cast;
use sconce_kernels::engine::compose::tensor as op;
use sconce_kernels::engine::elementwise::like_strides;
use sconce_kernels::engine::lanes::reshape;
use sconce_kernels::tensor::index::checked_indices;
use sconce_kernels::tensor::scatter::{reduced, slices};
use sconce_kernels::{Call, Error, not_implemented};
use sconce_tensor::{DType, Handle, IValue, List, Tensor};

/// (self, dim, index, source, reduce, include_self).
pub fn index_reduce(
    call: &Call<'_>,
    t: &Tensor,
    dim: i64,
    index: &Tensor,
    source: &Tensor,
    reduce: &str,
    include_self: bool,
) -> Result<Tensor, Error> {
    if !matches!(index.dtype(), DType::I32 | DType::I64) {
        return Err(Error::runtime(format!(
            "index_reduce_(): Expected dtype int32/int64 for index but got: {}",
            index.dtype().scalar_type_name()
        )));
    }
    let places = slices(call, "index_reduce", t, dim, index, Some(source))?;
    if !matches!(reduce, "prod" | "mean" | "amax" | "amin") {
        return Err(Error::runtime(format!(
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}."
        )));
    }
    reduced(&places, source, reduce, include_self)?;
    Ok(places.out)
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

/// (self, mask, indices, fill): an element, or the fill where the mask is not set.
pub fn masked_index(t: &Tensor, mask: &Tensor, indices: &Handle<List>, fill: &IValue) -> Result<Tensor, Error> {
    let mut safe = indices.to_vec();
    // Where the mask is not set the index may be anything.
    for (d, index) in safe.iter_mut().enumerate() {
        if let IValue::Tensor(i) = index {
            let limit = t.sizes().get(d).copied().unwrap_or(1).max(1);
            let inside = cast::to_vec::<i64>(i)?.into_iter().map(|v| v.clamp(-limit, limit - 1)).collect();
            *index = Tensor::from_vec(inside, i.sizes()).into();
        }
    }
    let picked = op("aten::index.Tensor", &[t.clone().into(), IValue::list(indices.element.clone(), safe)])?;
    let hidden = op("aten::logical_not", &[mask.expand(picked.sizes())?.into()])?;
    op("aten::masked_fill.Scalar", &[picked.into(), hidden.into(), fill.clone()])
}
