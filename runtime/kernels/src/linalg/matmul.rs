//! Matrix products and what is made of them; the products themselves are in [`crate::linalg::batched_gemm`].

use crate::engine::arguments::{arg, one, result, result_dtype, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::cast::{self, Value};
use crate::engine::compose;
use crate::engine::compute::Compute;
use crate::engine::lanes::{Acc, permute, reshape, with_acc};
use crate::linalg::batched_gemm::{Make, Sum, batched, batched_with, fresh, multiply_with};
use crate::{Call, Error, Outputs, pointwise};
use sconce_schema::geometry::einsum;
use sconce_schema::scalar::Binary;
use sconce_tensor::{DType, IValue, Sizes, Tensor};

/// `beta * bias + alpha * product`; a beta of 0 ignores the bias, NaN and all.
pub fn combine(product: &Tensor, bias: &Tensor, beta: &IValue, alpha: &IValue, dtype: DType) -> Result<Tensor, Error> {
    with_acc!(dtype, T => {
        let number = |v: &IValue| -> Result<T, Error> {
            Ok(match v {
                IValue::Complex(c) => c.to::<T>(),
                IValue::Int(i) => i.to::<T>(),
                v => v.as_double()?.to::<T>(),
            })
        };
        let (alpha, beta) = (number(alpha)?, number(beta)?);
        let mut data = cast::to_vec::<T>(product)?;
        let ignore = beta == T::ZERO;
        let bias = if ignore { Vec::new() } else { cast::to_vec::<T>(&bias.expand(product.sizes())?)? };
        for (i, x) in data.iter_mut().enumerate() {
            *x = x.mul(alpha);
            if !ignore {
                *x = x.add(bias[i].mul(beta));
            }
        }
        cast::from_vec(data, product.sizes(), dtype)
    })
}

pub fn mm(call: &Call<'_>, a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    batched_with(a, b, None, &|sizes| call.contiguous_output(0, sizes, a.dtype()))
}

/// `mm.dtype`, `bmm.dtype`, `_int_mm`: computed in the result's dtype.
pub fn mm_dtype(call: &Call<'_>, t: &Tensor, mat2: &Tensor) -> Result<Tensor, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    batched(&cast::convert(t, dtype)?, &cast::convert(mat2, dtype)?)
}

/// `addmm` and `baddbmm`: bias, factors, then beta and alpha. Products of half types are rounded once, at the end.
fn add_product(call: &Call<'_>, args: &[IValue], beta: usize) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    let (a, b) = (cast::convert(tensor_arg(args, 1)?, dtype)?, cast::convert(tensor_arg(args, 2)?, dtype)?);
    one(added(call, &a, &b, tensor_arg(args, 0)?, [arg(args, beta)?, arg(args, beta + 1)?])?)
}

kernels! { addmm = add_product, 3; addmm_dtype = add_product, 4; }

/// `beta * bias + alpha * a b` as result 0; `factors` are beta and alpha.
fn added(call: &Call<'_>, a: &Tensor, b: &Tensor, bias: &Tensor, factors: [&IValue; 2]) -> Result<Tensor, Error> {
    let dtype = a.dtype();
    if a.numel() > 0 && b.numel() > 0 {
        let scaled = if dtype.is_float() && dtype.size() < 4 { DType::F32 } else { dtype };
        let factors = [
            crate::engine::number::number_in(factors[0], scaled)?,
            crate::engine::number::number_in(factors[1], scaled)?,
        ];
        return added_of(call, a, b, bias, [&factors[0], &factors[1]]);
    }
    added_of(call, a, b, bias, factors)
}

/// The same with factors that the dtype holds.
fn added_of(call: &Call<'_>, a: &Tensor, b: &Tensor, bias: &Tensor, factors: [&IValue; 2]) -> Result<Tensor, Error> {
    let dtype = a.dtype();
    if !dtype.is_float() {
        return combine(&batched(a, b)?, bias, factors[0], factors[1], dtype);
    }
    let number = |v: &IValue| match v {
        IValue::Int(i) => Ok(*i as f64),
        v => v.as_double(),
    };
    if number(factors[1])? == 0.0 {
        // Nobody looks at what is not added.
        let (a, b) = (Tensor::zeros(a.sizes(), dtype)?, Tensor::zeros(b.sizes(), dtype)?);
        let sum = Sum { bias, beta: number(factors[0])?, alpha: 1.0 };
        return batched_with(&a, &b, Some(sum), &|sizes| call.contiguous_output(0, sizes, dtype));
    }
    let sum = Sum { bias, beta: number(factors[0])?, alpha: number(factors[1])? };
    batched_with(a, b, Some(sum), &|sizes| call.contiguous_output(0, sizes, dtype))
}

pub fn matmul(call: &Call<'_>, a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    multiply_with(a, b, false, None, &|sizes| call.contiguous_output(0, sizes, a.dtype()))
}

/// `x @ w.T + bias`; half types are rounded once.
pub fn affine(x: &Tensor, w: &Tensor, bias: Option<&Tensor>) -> Result<Tensor, Error> {
    affine_with(x, w, bias, &|sizes| fresh(sizes, x.dtype()))
}

fn affine_with(x: &Tensor, w: &Tensor, bias: Option<&Tensor>, make: Make<'_>) -> Result<Tensor, Error> {
    let dtype = x.dtype();
    // Of a batch of matrices the last two dimensions are exchanged, as `mT` does.
    match bias {
        Some(bias) if !dtype.is_float() => {
            let product = multiply_with(x, w, true, None, &|sizes| fresh(sizes, dtype))?;
            combine(&product, bias, &IValue::Int(1), &IValue::Int(1), dtype)
        }
        // A result that is a vector has no column that a bias could stand in.
        Some(bias) if w.dim() == 1 => {
            let product = multiply_with(x, w, true, None, &|sizes| fresh(sizes, dtype))?;
            combine(&product, bias, &IValue::Int(1), &IValue::Int(1), dtype)
        }
        _ => multiply_with(x, w, true, bias.map(|bias| Sum { bias, beta: 1.0, alpha: 1.0 }), make),
    }
}

pub fn linear(call: &Call<'_>, x: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor, Error> {
    let make = |sizes: &[i64]| call.contiguous_output(0, sizes, x.dtype());
    affine_with(x, weight, bias, &make)
}

pub fn outer(call: &Call<'_>, a: &Tensor, vec2: &Tensor) -> Result<Tensor, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let column = a.as_strided(&[sizes[0], 1], &[a.strides()[0], 0], a.storage_offset())?;
    pointwise::binary(Binary::Mul, &column, vec2)
}

pub fn tensordot(
    call: &Call<'_>,
    given: &Tensor,
    other: &Tensor,
    dims_self: Sizes,
    dims_other: Sizes,
) -> Result<Tensor, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let (mut a, mut b) = (given.clone(), other.clone());
    let wrap = |list: Sizes, t: &Tensor| {
        list.into_iter().map(|d| crate::engine::lanes::wrap(d, t.dim())).collect::<Result<Vec<usize>, _>>()
    };
    let (da, db) = (wrap(dims_self, &a)?, wrap(dims_other, &b)?);
    // A dimension that meets one of size 1 is summed away.
    for (&i, &j) in da.iter().zip(&db) {
        if a.dim() > i && b.dim() > j {
            if a.sizes()[i] != 1 && b.sizes()[j] == 1 {
                a = sum_keep(&a, i)?;
            } else if b.sizes()[j] != 1 && a.sizes()[i] == 1 {
                b = sum_keep(&b, j)?;
            }
        }
    }
    let rest = |t: &Tensor, gone: &[usize]| (0..t.dim()).filter(|d| !gone.contains(d)).collect::<Vec<usize>>();
    let (ra, rb) = (rest(&a, &da), rest(&b, &db));
    let count = |t: &Tensor, dims: &[usize]| dims.iter().map(|&d| t.sizes()[d]).product::<i64>();
    let order_a: Vec<usize> = ra.iter().chain(&da).copied().filter(|&d| d < a.dim()).collect();
    let order_b: Vec<usize> = db.iter().chain(&rb).copied().filter(|&d| d < b.dim()).collect();
    let k = order_a[ra.len()..].iter().map(|&d| a.sizes()[d]).product::<i64>();
    let left = reshape(&permute(&a, &order_a)?, &[count(&a, &ra), k])?;
    let right = reshape(&permute(&b, &order_b)?, &[k, count(&b, &rb)])?;
    reshape(&batched(&left, &right)?, &sizes)
}

/// Summed over a dimension, which stays with size 1.
fn sum_keep(t: &Tensor, dim: usize) -> Result<Tensor, Error> {
    let args = [IValue::Tensor(t.clone()), IValue::int_list(&[dim as i64]), true.into()];
    cast::convert(&compose::tensor("aten::sum.dim_IntList", &args)?, t.dtype())
}

/// An operand of an einsum: a tensor whose dimensions have labels.
struct Labelled {
    tensor: Tensor,
    labels: Vec<u32>,
}

impl Labelled {
    /// Repeated labels are diagonals.
    fn new(tensor: &Tensor, labels: &[u32]) -> Result<Labelled, Error> {
        let (mut sizes, mut strides, mut seen) = (Sizes::new(), Sizes::new(), Vec::new());
        for (d, l) in labels.iter().enumerate() {
            match seen.iter().position(|s| s == l) {
                Some(at) => {
                    strides[at] += tensor.strides()[d];
                    sizes[at] = sizes[at].min(tensor.sizes()[d]);
                }
                None => {
                    seen.push(*l);
                    sizes.push(tensor.sizes()[d]);
                    strides.push(tensor.strides()[d]);
                }
            }
        }
        Ok(Labelled { tensor: tensor.as_strided(&sizes, &strides, tensor.storage_offset())?, labels: seen })
    }
    fn size(&self, label: u32) -> Option<i64> {
        self.labels.iter().position(|l| *l == label).map(|d| self.tensor.sizes()[d])
    }
    /// Sums away the labels that nobody needs any more.
    fn reduce(self, needed: impl Fn(u32) -> bool) -> Result<Labelled, Error> {
        let mut out = self;
        for d in (0..out.labels.len()).rev() {
            if !needed(out.labels[d]) {
                let summed = sum_keep(&out.tensor, d)?;
                let mut sizes: Sizes = summed.sizes().into();
                sizes.remove(d);
                out.tensor = reshape(&summed, &sizes)?;
                out.labels.remove(d);
            }
        }
        Ok(out)
    }
    /// As `[groups..]`, one dimension per group of labels; labels it lacks count 1, and are repeated to `sizes`.
    fn grouped(&self, groups: [&[u32]; 3], size: impl Fn(u32) -> i64) -> Result<Tensor, Error> {
        let mut sizes = Sizes::new();
        let mut strides = Sizes::new();
        let mut flat = Sizes::new();
        for group in groups {
            let mut count = 1;
            for l in group {
                let n = size(*l);
                let at = self.labels.iter().position(|m| m == l);
                let stride = at.map_or(0, |d| if self.tensor.sizes()[d] == 1 { 0 } else { self.tensor.strides()[d] });
                sizes.push(n);
                strides.push(stride);
                count *= n;
            }
            flat.push(count);
        }
        reshape(&self.tensor.as_strided(&sizes, &strides, self.tensor.storage_offset())?, &flat)
    }
}

/// Contracted pairwise from the left; every contraction is a batched matrix product.
pub fn einsum(call: &Call<'_>, equation: &str, tensors: &IValue) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let tensors = tensors.as_tensor_list()?;
    let ranks: Vec<usize> = tensors.iter().map(Tensor::dim).collect();
    let equation = einsum::parse(equation, &ranks)?;
    let mut rest: Vec<Labelled> = Vec::new();
    for (t, labels) in tensors.iter().zip(&equation.operands) {
        rest.push(Labelled::new(t, labels)?);
    }
    rest.reverse();
    let Some(mut so_far) = rest.pop() else {
        return Err(Error::runtime("einsum(): must provide at least one operand"));
    };
    while let Some(next) = rest.pop() {
        let later = |l: u32| equation.result.contains(&l) || rest.iter().any(|o| o.labels.contains(&l));
        let a = so_far.reduce(|l| later(l) || next.labels.contains(&l))?;
        let b = next.reduce(|l| later(l) || a.labels.contains(&l))?;
        let size = |l: u32| {
            a.size(l).unwrap_or(1).max(b.size(l).unwrap_or(1)) * i64::from(a.size(l) != Some(0) && b.size(l) != Some(0))
        };
        let shared = |l: &u32| b.labels.contains(l);
        let batch: Vec<u32> = a.labels.iter().copied().filter(|l| shared(l) && later(*l)).collect();
        let summed: Vec<u32> = a.labels.iter().copied().filter(|l| shared(l) && !later(*l)).collect();
        let left: Vec<u32> = a.labels.iter().copied().filter(|l| !shared(l)).collect();
        let right: Vec<u32> = b.labels.iter().copied().filter(|l| !a.labels.contains(l)).collect();
        let product =
            batched(&a.grouped([&batch, &left, &summed], size)?, &b.grouped([&batch, &summed, &right], size)?)?;
        let labels: Vec<u32> = batch.iter().chain(&left).chain(&right).copied().collect();
        let sizes: Sizes = labels.iter().map(|l| size(*l)).collect();
        so_far = Labelled { tensor: reshape(&product, &sizes)?, labels };
    }
    let out = so_far.reduce(|l| equation.result.contains(&l))?;
    let order: Vec<usize> = equation.result.iter().filter_map(|l| out.labels.iter().position(|m| m == l)).collect();
    let permuted = permute(&out.tensor, &order)?;
    // What is only rearranged stays a view.
    if permuted.sizes() == &*sizes { one(permuted) } else { one(reshape(&permuted, &sizes)?) }
}
