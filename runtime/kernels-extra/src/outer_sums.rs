//! Products with a vector, scaled and added to something scaled.

use sconce_kernels::engine::arguments::result;
use sconce_kernels::engine::cast;
use sconce_kernels::engine::compose::tensor as op;
use sconce_kernels::linalg::matmul::combine;
use sconce_kernels::{Call, Error};
use sconce_tensor::{IValue, Tensor};

pub fn addmv(
    call: &Call<'_>,
    t: &Tensor,
    mat: &Tensor,
    vec: &Tensor,
    beta: &IValue,
    alpha: &IValue,
) -> Result<Tensor, Error> {
    let (_, dtype) = result(call.metas, 0)?;
    let product = op("aten::matmul", &[mat.clone().into(), vec.clone().into()])?;
    combine(&product, t, beta, alpha, dtype)
}

pub fn addr(
    call: &Call<'_>,
    t: &Tensor,
    vec1: &Tensor,
    vec2: &Tensor,
    beta: &IValue,
    alpha: &IValue,
) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let a = cast::convert(vec1, dtype)?;
    let column = a.as_strided(&[sizes[0], 1], &[a.strides()[0], 0], a.storage_offset())?;
    let product = op("aten::mul.Tensor", &[column.into(), cast::convert(vec2, dtype)?.into()])?;
    combine(&product, t, beta, alpha, dtype)
}
