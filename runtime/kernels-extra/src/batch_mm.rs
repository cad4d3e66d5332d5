//! Several products of matrices as one: what `batch-mm` makes of programs. Factors that do not fit together are multiplied one by one.

use sconce_kernels::engine::arguments::{arg, int_arg, tensor_arg};
use sconce_kernels::engine::compose::tensor as op;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

fn matrices(args: &[IValue]) -> Result<Vec<Tensor>, Error> {
    args.iter().map(|t| Ok(t.as_tensor()?.clone())).collect()
}

fn multiply(a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    op("aten::mm", &[a.clone().into(), b.clone().into()])
}

fn joined(parts: &[Tensor], dim: i64) -> Result<Tensor, Error> {
    op("aten::cat", &[IValue::tensor_list(parts.to_vec()), IValue::Int(dim)])
}

/// Are all of them matrices of one dtype, with the same size of a dimension?
fn fit(parts: &[Tensor], dim: usize) -> bool {
    let Some(first) = parts.first() else { return false };
    parts.iter().all(|t| t.dim() == 2 && t.dtype() == first.dtype() && t.sizes()[dim] == first.sizes()[dim])
}

/// `prim::MMTreeReduce`: the left factors of products, then the right ones; the sum of the products.
pub fn tree_reduce(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    if args.is_empty() || !args.len().is_multiple_of(2) {
        return Err(Error::runtime("prim::MMTreeReduce needs as many left factors as right ones"));
    }
    let (left, right) = args.split_at(args.len() / 2);
    let (left, right) = (matrices(left)?, matrices(right)?);
    let meet = || left.iter().zip(&right).all(|(a, b)| a.dtype() == b.dtype() && a.sizes()[1] == b.sizes()[0]);
    if fit(&left, 0) && fit(&right, 1) && meet() {
        return Ok(smallvec![multiply(&joined(&left, 1)?, &joined(&right, 0)?)?.into()]);
    }
    let mut sum: Option<Tensor> = None;
    for (a, b) in left.iter().zip(&right) {
        let product = multiply(a, b)?;
        sum = Some(match sum {
            Some(sum) => op("aten::add.Tensor", &[sum.into(), product.into()])?,
            None => product,
        });
    }
    Ok(sum.into_iter().map(IValue::Tensor).collect())
}

/// `prim::MMBatchSide`: the side of the shared factor (0: left), that factor, and what it is multiplied with, each time. The products are tensors of their own.
pub fn batch_side(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let shared_is_right = int_arg(args, 0)? != 0;
    arg(args, 2)?;
    let (shared, others) = (tensor_arg(args, 1)?, matrices(&args[2..])?);
    // They are stacked along what is left of them in the products.
    let (along, inner) = if shared_is_right { (0, 1) } else { (1, 0) };
    if fit(&others, inner) {
        let stacked = joined(&others, along)?;
        let product = if shared_is_right { multiply(&stacked, shared)? } else { multiply(shared, &stacked)? };
        let mut start = 0;
        return others
            .iter()
            .map(|other| {
                let length = other.sizes()[along as usize];
                let part = [product.clone().into(), IValue::Int(along), IValue::Int(start), IValue::Int(length)];
                start += length;
                Ok(op("aten::narrow", &part)?.copy()?.into())
            })
            .collect();
    }
    let one = |other: &Tensor| if shared_is_right { multiply(other, shared) } else { multiply(shared, other) };
    others.iter().map(|other| Ok(one(other)?.into())).collect()
}
