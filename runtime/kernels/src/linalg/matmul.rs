//! Matrix products and what is made of them; the products themselves are in [`crate::linalg::batched_gemm`].

use crate::engine::arguments::one;
use crate::engine::arguments::{arg, float_arg, int_arg, ints_arg, optional_tensor, result, result_dtype, tensor_arg};
use crate::engine::cast::{self, Value};
use crate::engine::compute::Compute;
use crate::engine::folds::norm_of;
use crate::engine::lanes::{Acc, Lanes, from_lanes, permute, reshape, transposed, with_acc, wrap};
use crate::linalg::batched_gemm::{Make, Sum, batched, batched_with, fresh, multiply, multiply_with};
use crate::{Call, Error, Outputs, pointwise};
use sconce_schema::geometry::einsum;
use sconce_schema::scalar::Binary;
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::smallvec;

/// `beta * bias + alpha * product`; a beta of 0 ignores the bias, NaN and all.
fn combine(product: &Tensor, bias: &Tensor, beta: &IValue, alpha: &IValue, dtype: DType) -> Result<Tensor, Error> {
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

pub fn mm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    one(batched_with(a, b, None, &|sizes| call.contiguous_output(0, sizes, a.dtype()))?)
}

/// `mm.dtype`, `bmm.dtype`, `_int_mm`: computed in the result's dtype.
pub fn mm_dtype(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    one(batched(&cast::convert(tensor_arg(args, 0)?, dtype)?, &cast::convert(tensor_arg(args, 1)?, dtype)?)?)
}

/// `addmm` and `baddbmm`: bias, factors, then beta and alpha. Products of half types are rounded once, at the end.
fn add_product(call: &Call<'_>, args: &[IValue], beta: usize) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    let (a, b) = (cast::convert(tensor_arg(args, 1)?, dtype)?, cast::convert(tensor_arg(args, 2)?, dtype)?);
    one(added(call, &a, &b, tensor_arg(args, 0)?, [arg(args, beta)?, arg(args, beta + 1)?])?)
}

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

pub fn addmm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    add_product(call, args, 3)
}

pub fn addmm_dtype(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    add_product(call, args, 4)
}

/// The batch is one long contraction.
pub fn addbmm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    let (a, b) = (tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let (batch, m, k, n) = (a.sizes()[0], a.sizes()[1], a.sizes()[2], b.sizes()[2]);
    let left = cast::convert(&reshape(&permute(a, &[1, 0, 2])?, &[m, batch * k])?, dtype)?;
    let right = cast::convert(&reshape(b, &[batch * k, n])?, dtype)?;
    one(added(call, &left, &right, tensor_arg(args, 0)?, [arg(args, 3)?, arg(args, 4)?])?)
}

pub fn matmul(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    one(multiply_with(a, b, false, None, &|sizes| call.contiguous_output(0, sizes, a.dtype()))?)
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

pub fn linear(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let x = tensor_arg(args, 0)?;
    let make = |sizes: &[i64]| call.contiguous_output(0, sizes, x.dtype());
    one(affine_with(x, tensor_arg(args, 1)?, optional_tensor(args, 2)?, &make)?)
}

pub fn outer(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let a = tensor_arg(args, 0)?;
    let column = a.as_strided(&[sizes[0], 1], &[a.strides()[0], 0], a.storage_offset())?;
    one(pointwise::binary(Binary::Mul, &column, tensor_arg(args, 1)?)?)
}

pub fn tensordot(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let (mut a, mut b) = (tensor_arg(args, 0)?.clone(), tensor_arg(args, 1)?.clone());
    let wrap = |list: Sizes, t: &Tensor| {
        list.into_iter().map(|d| crate::engine::lanes::wrap(d, t.dim())).collect::<Result<Vec<usize>, _>>()
    };
    let (da, db) = (wrap(ints_arg(args, 2)?, &a)?, wrap(ints_arg(args, 3)?, &b)?);
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
    one(reshape(&batched(&left, &right)?, &sizes)?)
}

/// Summed over a dimension, which stays with size 1.
fn sum_keep(t: &Tensor, dim: usize) -> Result<Tensor, Error> {
    let mut sizes: Sizes = t.sizes().into();
    sizes[dim] = 1;
    with_acc!(t.dtype(), T => {
        let lanes = crate::engine::lanes::Lanes::<T>::along(t, dim)?;
        let data: Vec<T> = lanes.iter().map(crate::tensor::reduce::total::<T>).collect();
        cast::from_vec(data, &sizes, t.dtype())
    })
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
pub fn einsum(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let tensors = arg(args, 1)?.as_tensor_list()?;
    let ranks: Vec<usize> = tensors.iter().map(Tensor::dim).collect();
    let equation = einsum::parse(arg(args, 0)?.as_str()?, &ranks)?;
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

/// Three factors, each with new dimensions of size 1 at its `expand` places, multiplied and summed over `sumdim`.
pub fn trilinear(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let mut factors = Vec::new();
    for i in 0..3 {
        let mut t = tensor_arg(args, i)?.clone();
        let rank = t.dim() + ints_arg(args, i + 3)?.len();
        let mut dims: Vec<usize> = ints_arg(args, i + 3)?
            .into_iter()
            .map(|d| crate::engine::lanes::wrap(d, rank))
            .collect::<Result<_, _>>()?;
        dims.sort_unstable();
        for d in dims {
            let (mut s, mut st): (Sizes, Sizes) = (t.sizes().into(), t.strides().into());
            s.insert(d, 1);
            st.insert(d, 0);
            t = t.as_strided(&s, &st, t.storage_offset())?;
        }
        factors.push(cast::convert(&t, if dtype.is_float() { DType::F64 } else { dtype })?);
    }
    let product =
        pointwise::binary(Binary::Mul, &pointwise::binary(Binary::Mul, &factors[0], &factors[1])?, &factors[2])?;
    let list = ints_arg(args, 6)?;
    let mask = if list.is_empty() {
        smallvec![false; product.dim()]
    } else {
        crate::engine::lanes::mask(&list, product.dim())?
    };
    with_acc!(dtype, T => {
        let lanes = crate::engine::lanes::Lanes::<T>::over(&product, &mask)?;
        let data: Vec<T> = lanes.iter().map(crate::tensor::reduce::total::<T>).collect();
        one(cast::from_vec(data, &sizes, dtype)?)
    })
}

/// `out[.., o] = sum_ij x[.., i] w[o, i, j] y[.., j] + bias[o]`.
pub fn bilinear(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (x, y, w) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let bias = optional_tensor(args, 3)?;
    let (o, i, j) = (w.sizes()[0] as usize, w.sizes()[1] as usize, w.sizes()[2] as usize);
    with_acc!(dtype, T => {
        let (x, y, w) = (cast::to_vec::<T>(x)?, cast::to_vec::<T>(y)?, cast::to_vec::<T>(w)?);
        let bias = bias.map(cast::to_vec::<T>).transpose()?;
        let rows = crate::engine::lanes::count(&sizes[..sizes.len() - 1]);
        if x.len() != rows * i || y.len() != rows * j || bias.as_ref().is_some_and(|b| b.len() != o) {
            return Err(Error::runtime("bilinear(): the inputs do not fit the weight"));
        }
        let mut data = Vec::new();
        for row in 0..rows {
            for c in 0..o {
                let mut sum = bias.as_ref().map_or(T::ZERO, |b| b[c]);
                for p in 0..i {
                    for q in 0..j {
                        sum = sum.add(x[row * i + p].mul(w[(c * i + p) * j + q]).mul(y[row * j + q]));
                    }
                }
                data.push(sum);
            }
        }
        one(cast::from_vec(data, &sizes, dtype)?)
    })
}

fn distance(a: &[f64], b: &[f64], p: f64) -> f64 {
    let difference: Vec<f64> = a.iter().zip(b).map(|(x, y)| x - y).collect();
    norm_of(&difference, p)
}

pub fn cdist(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let p = float_arg(args, 2)?;
    let rank = sizes.len();
    let rows = |t: &Tensor, n: i64| -> Result<Vec<f64>, Error> {
        let mut s: Sizes = sizes[..rank - 2].into();
        s.extend([n, t.sizes()[t.dim() - 1]]);
        cast::to_vec::<f64>(&t.expand(&s)?)
    };
    let (m, n) = (sizes[rank - 2], sizes[rank - 1]);
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let k = a.sizes()[a.dim() - 1] as usize;
    if k == 0 {
        return one(Tensor::zeros(&sizes, dtype)?);
    }
    let (a, b) = (rows(a, m)?, rows(b, n)?);
    let mut data = Vec::new();
    for batch in 0..crate::engine::lanes::count(&sizes[..rank - 2]) {
        for i in 0..m as usize {
            for j in 0..n as usize {
                let (x, y) = ((batch * m as usize + i) * k, (batch * n as usize + j) * k);
                data.push(distance(&a[x..x + k], &b[y..y + k], p));
            }
        }
    }
    one(cast::from_vec(data, &sizes, dtype)?)
}

pub fn pdist(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let p = float_arg(args, 1)?;
    let (n, k) = (t.sizes()[0] as usize, t.sizes()[1] as usize);
    let x = cast::to_vec::<f64>(t)?;
    let mut data = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            data.push(distance(&x[i * k..(i + 1) * k], &x[j * k..(j + 1) * k], p));
        }
    }
    one(cast::from_vec(data, &sizes, dtype)?)
}

pub fn inner(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    if a.dim() == 0 || b.dim() == 0 {
        return one(pointwise::binary(Binary::Mul, a, b)?);
    }
    let k = a.sizes()[a.dim() - 1];
    let rows = |t: &Tensor| crate::engine::lanes::count(&t.sizes()[..t.dim() - 1]) as i64;
    let (left, right) = (reshape(a, &[rows(a), k])?, reshape(b, &[rows(b), k])?);
    one(reshape(&batched(&left, &transposed(&right)?)?, &sizes)?)
}

/// Products with the conjugate of the first factor, summed along a dimension.
fn conjugate_dot(call: &Call<'_>, a: &Tensor, b: &Tensor, dim: i64) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let all = sconce_tensor::broadcast_sizes(a.sizes(), b.sizes())?;
    let dim = crate::engine::lanes::wrap(dim, all.len())?;
    let (a, b) = (a.expand(&all)?, b.expand(&all)?);
    if dtype.is_complex() {
        type C = num_complex::Complex<f64>;
        let (x, y) =
            (crate::engine::lanes::Lanes::<C>::along(&a, dim)?, crate::engine::lanes::Lanes::<C>::along(&b, dim)?);
        let data: Vec<C> =
            x.iter().zip(y.iter()).map(|(x, y)| x.iter().zip(y).map(|(x, y)| x.conj() * y).sum()).collect();
        return one(cast::from_vec(data, &sizes, dtype)?);
    }
    with_acc!(dtype, T => {
        let (x, y) = (crate::engine::lanes::Lanes::<T>::along(&a, dim)?, crate::engine::lanes::Lanes::<T>::along(&b, dim)?);
        let data: Vec<T> = x
            .iter()
            .zip(y.iter())
            .map(|(x, y)| x.iter().zip(y).fold(T::ZERO, |s, (x, y)| s.add(x.mul(*y))))
            .collect();
        one(cast::from_vec(data, &sizes, dtype)?)
    })
}

pub fn vdot(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    conjugate_dot(call, tensor_arg(args, 0)?, tensor_arg(args, 1)?, -1)
}

pub fn vecdot(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    conjugate_dot(call, tensor_arg(args, 0)?, tensor_arg(args, 1)?, int_arg(args, 2)?)
}

pub fn addmv(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (_, dtype) = result(call.metas, 0)?;
    let product = multiply(tensor_arg(args, 1)?, tensor_arg(args, 2)?)?;
    one(combine(&product, tensor_arg(args, 0)?, arg(args, 3)?, arg(args, 4)?, dtype)?)
}

pub fn addr(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let a = cast::convert(tensor_arg(args, 1)?, dtype)?;
    let column = a.as_strided(&[sizes[0], 1], &[a.strides()[0], 0], a.storage_offset())?;
    let product = pointwise::binary(Binary::Mul, &column, &cast::convert(tensor_arg(args, 2)?, dtype)?)?;
    one(combine(&product, tensor_arg(args, 0)?, arg(args, 3)?, arg(args, 4)?, dtype)?)
}

pub fn multi_dot(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let list = arg(args, 0)?.as_tensor_list()?;
    let mut rest = list.into_iter();
    let Some(mut product) = rest.next() else { return Err(Error::runtime("multi_dot(): no tensors")) };
    for t in rest {
        product = multiply(&product, &t)?;
    }
    one(product)
}

/// The same; of one matrix a copy.
pub fn chain_matmul(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    match arg(args, 0)?.as_tensor_list()?.as_slice() {
        [only] => one(only.copy()?),
        _ => multi_dot(call, args),
    }
}

pub fn kron(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let n = sizes.len();
    // Each dimension is split in two: the first factor's, then the second's.
    let lift = |t: &Tensor, first: bool| -> Result<Tensor, Error> {
        let (mut s, mut st) = (Sizes::new(), Sizes::new());
        for d in 0..n {
            let (size, stride) = match (d + t.dim()).checked_sub(n) {
                Some(i) => (t.sizes()[i], t.strides()[i]),
                None => (1, 0),
            };
            s.extend(if first { [size, 1] } else { [1, size] });
            st.extend(if first { [stride, 0] } else { [0, stride] });
        }
        Ok(t.as_strided(&s, &st, t.storage_offset())?)
    };
    let product =
        pointwise::binary(Binary::Mul, &lift(tensor_arg(args, 0)?, true)?, &lift(tensor_arg(args, 1)?, false)?)?;
    // A view where the product's order allows one: columns stay columns.
    one(crate::engine::compose::tensor("aten::reshape", &[product.into(), IValue::int_list(&sizes)])?)
}

pub fn dist(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let p = float_arg(args, 2)?;
    let difference = pointwise::binary(Binary::Sub, tensor_arg(args, 0)?, tensor_arg(args, 1)?)?;
    let norm = if difference.dtype().is_complex() {
        norm_of(&cast::elements::<num_complex::Complex<f64>>(&difference)?, p)
    } else {
        norm_of(&cast::elements::<f64>(&difference)?, p)
    };
    let out = call.contiguous_output(0, &sizes, dtype)?;
    cast::convert_into(&out, &Tensor::scalar(norm).expand(&sizes)?)?;
    one(out)
}

pub fn cross(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let dim = wrap(int_arg(args, 2)?, sizes.len())?;
    let (a, b) = (tensor_arg(args, 0)?.expand(&sizes)?, tensor_arg(args, 1)?.expand(&sizes)?);
    with_acc!(dtype, T => {
        let (x, y) = (Lanes::<T>::along(&a, dim)?, Lanes::<T>::along(&b, dim)?);
        let mut data: Vec<T> = Vec::new();
        for (x, y) in x.iter().zip(y.iter()) {
            for i in 0..3 {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                data.push(x[j].mul(y[k]).sub(x[k].mul(y[j])));
            }
        }
        one(from_lanes(data, &sizes, dim, dtype)?)
    })
}

pub fn cross_default(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    if arg(args, 2)?.is_none() {
        let d = tensor_arg(args, 0)?.sizes().iter().position(|s| *s == 3);
        args[2] = IValue::Int(d.ok_or_else(|| Error::runtime("no dimension of size 3 in input"))? as i64);
    }
    cross(call, args)
}
