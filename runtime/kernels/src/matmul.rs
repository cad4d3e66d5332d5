//! Matrix products: f32 and f64 by the `gemm` crate over any strides, other types by plain loops in their accumulation type.

use crate::cast::{self, Value};
use crate::compute::Compute;
use crate::lanes::{
    Acc, arg, bool_arg, float_arg, int_arg, ints_arg, optional_tensor, permute, result, result_dtype, tensor_arg,
    with_acc,
};
use crate::reduce::norm_of;
use crate::{Call, Error, Outputs, pointwise};
use sconce_schema::scalar::Binary;
use sconce_schema::shape::matmul::parse_einsum;
use sconce_tensor::{DType, Element, IValue, Sizes, Tensor, contiguous_strides};
use smallvec::smallvec;

fn one(t: Tensor) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(t)])
}

/// A matrix in memory: the offset of its first element, rows, columns, and the strides of both.
#[derive(Clone, Copy)]
struct Matrix {
    offset: isize,
    rows: usize,
    columns: usize,
    row_stride: isize,
    column_stride: isize,
}

/// One product into a contiguous destination, by the `gemm` crate.
///
/// # Safety
/// The matrices lie inside the storages that `a` and `b` point into; `out` has `rows * columns` elements.
unsafe fn gemm_into<T: Element + num_traits::One + num_traits::Zero>(
    out: *mut T,
    a: *const T,
    x: Matrix,
    b: *const T,
    y: Matrix,
) {
    // SAFETY: the caller's promise covers all elements that the routine touches.
    unsafe {
        gemm::gemm(
            x.rows,
            y.columns,
            x.columns,
            out,
            1,
            y.columns as isize,
            false,
            a.offset(x.offset),
            x.column_stride,
            x.row_stride,
            b.offset(y.offset),
            y.column_stride,
            y.row_stride,
            T::zero(),
            T::one(),
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

/// `[..., m, k]` times `[..., k, n]` with equal batch dimensions and dtypes, into a contiguous `[..., m, n]`.
pub fn batched(a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    let rank = a.dim();
    if rank < 2 || b.dim() != rank || a.sizes()[..rank - 2] != b.sizes()[..rank - 2] || a.dtype() != b.dtype() {
        return Err(Error::runtime(format!("cannot multiply matrices {a:?} and {b:?}")));
    }
    if a.sizes()[rank - 1] != b.sizes()[rank - 2] {
        let (x, y) = (&a.sizes()[rank - 2..], &b.sizes()[rank - 2..]);
        return Err(Error::runtime(format!(
            "mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})",
            x[0], x[1], y[0], y[1]
        )));
    }
    let (m, k, n) = (a.sizes()[rank - 2], a.sizes()[rank - 1], b.sizes()[rank - 1]);
    let batch: &[i64] = &a.sizes()[..rank - 2];
    let mut sizes: Sizes = batch.into();
    sizes.extend([m, n]);
    let out = Tensor::zeros(&sizes, a.dtype())?;
    if out.numel() == 0 || k == 0 {
        return Ok(out);
    }
    let offsets = |t: &Tensor| sconce_tensor::Offsets::new(batch, &t.strides()[..rank - 2], 0);
    let matrix = |t: &Tensor, offset: i64| Matrix {
        offset: offset as isize,
        rows: t.sizes()[rank - 2] as usize,
        columns: t.sizes()[rank - 1] as usize,
        row_stride: t.strides()[rank - 2] as isize,
        column_stride: t.strides()[rank - 1] as isize,
    };
    let step = (m * n) as usize;
    macro_rules! fast {
        ($t:ty) => {
            for (i, (p, q)) in offsets(a).zip(offsets(b)).enumerate() {
                let out = out.data_ptr::<$t>().wrapping_add(i * step);
                // SAFETY: the views' elements lie in their storages, and `out` holds one product per batch index.
                unsafe { gemm_into(out, a.data_ptr::<$t>(), matrix(a, p), b.data_ptr::<$t>(), matrix(b, q)) };
            }
        };
    }
    match a.dtype() {
        DType::F32 => fast!(f32),
        DType::F64 => fast!(f64),
        dtype => {
            return with_acc!(dtype, T => {
                let data = plain::<T>(&cast::to_vec(a)?, &cast::to_vec(b)?, m as usize, k as usize, n as usize);
                cast::from_vec(data, &sizes, dtype)
            });
        }
    }
    Ok(out)
}

/// The same for contiguous data, by loops.
fn plain<T: Acc>(a: &[T], b: &[T], m: usize, k: usize, n: usize) -> Vec<T> {
    let mut out = Vec::new();
    for (x, y) in a.chunks_exact(m * k).zip(b.chunks_exact(k * n)) {
        for row in x.chunks_exact(k) {
            let start = out.len();
            out.resize(start + n, T::ZERO);
            for (&v, other) in row.iter().zip(y.chunks_exact(n)) {
                for (o, &w) in out[start..].iter_mut().zip(other) {
                    *o = o.add(v.mul(w));
                }
            }
        }
    }
    out
}

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

pub fn mm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(batched(tensor_arg(args, 0)?, tensor_arg(args, 1)?)?)
}

/// `mm.dtype`, `bmm.dtype`, `_int_mm`: computed in the result's dtype.
pub fn mm_dtype(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    one(batched(&cast::convert(tensor_arg(args, 0)?, dtype)?, &cast::convert(tensor_arg(args, 1)?, dtype)?)?)
}

/// `addmm` and `baddbmm`: bias, factors, then beta and alpha. Products of half types are rounded once, at the end.
fn add_product(args: &[IValue], dtype: DType, beta: usize) -> Result<Outputs, Error> {
    let wide = if dtype.is_float() && dtype.size() < 4 { DType::F32 } else { dtype };
    let product = batched(&cast::convert(tensor_arg(args, 1)?, wide)?, &cast::convert(tensor_arg(args, 2)?, wide)?)?;
    one(combine(&product, tensor_arg(args, 0)?, arg(args, beta)?, arg(args, beta + 1)?, dtype)?)
}

pub fn addmm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    add_product(args, result_dtype(call.metas, 0)?, 3)
}

pub fn addmm_dtype(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    add_product(args, result_dtype(call.metas, 0)?, 4)
}

/// The batch is one long contraction.
pub fn addbmm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    let (a, b) = (tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let (batch, m, k, n) = (a.sizes()[0], a.sizes()[1], a.sizes()[2], b.sizes()[2]);
    let left = reshape(&permute(a, &[1, 0, 2])?, &[m, batch * k])?;
    let product = batched(&left, &reshape(b, &[batch * k, n])?)?;
    one(combine(&product, tensor_arg(args, 0)?, arg(args, 3)?, arg(args, 4)?, dtype)?)
}

/// The same elements in row-major order with other sizes.
pub fn reshape(t: &Tensor, sizes: &[i64]) -> Result<Tensor, Error> {
    let t = t.contiguous()?;
    Ok(t.as_strided(sizes, &contiguous_strides(sizes), t.storage_offset())?)
}

/// `torch.matmul`, whose rule has checked the sizes.
pub fn multiply(a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    if a.dim() == 0 || b.dim() == 0 {
        return Err(Error::runtime(format!(
            "both arguments to matmul need to be at least 1D, but they are {}D and {}D",
            a.dim(),
            b.dim()
        )));
    }
    let lift = |t: &Tensor, at: usize| {
        let mut sizes: Sizes = t.sizes().into();
        let mut strides: Sizes = t.strides().into();
        sizes.insert(at, 1);
        strides.insert(at, 0);
        t.as_strided(&sizes, &strides, t.storage_offset())
    };
    let x = if a.dim() == 1 { lift(a, 0)? } else { a.clone() };
    let y = if b.dim() == 1 { lift(b, 1)? } else { b.clone() };
    let (m, k) = (x.sizes()[x.dim() - 2], x.sizes()[x.dim() - 1]);
    let n = y.sizes()[y.dim() - 1];
    let product = if y.dim() == 2 && x.dim() > 2 && x.is_contiguous() {
        // Rows of all batches against one matrix.
        let rows = x.numel() as i64 / k.max(1);
        let rows = if k == 0 { x.sizes()[..x.dim() - 1].iter().product() } else { rows };
        let flat = batched(&reshape(&x, &[rows, k])?, &y)?;
        let mut sizes: Sizes = x.sizes()[..x.dim() - 1].into();
        sizes.push(n);
        reshape(&flat, &sizes)?
    } else {
        let batch = sconce_tensor::broadcast_sizes(&x.sizes()[..x.dim() - 2], &y.sizes()[..y.dim() - 2])?;
        let full = |rows: i64, columns: i64| {
            let mut s: Sizes = batch.clone();
            s.extend([rows, columns]);
            s
        };
        batched(&x.expand(&full(m, k))?, &y.expand(&full(k, n))?)?
    };
    let mut sizes: Sizes = product.sizes().into();
    if b.dim() == 1 {
        sizes.pop();
    }
    if a.dim() == 1 {
        let at = sizes.len() - if b.dim() == 1 { 1 } else { 2 };
        sizes.remove(at);
    }
    reshape(&product, &sizes)
}

pub fn matmul(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(multiply(tensor_arg(args, 0)?, tensor_arg(args, 1)?)?)
}

/// The last two dimensions exchanged.
pub fn transposed(t: &Tensor) -> Result<Tensor, Error> {
    let mut order: Vec<usize> = (0..t.dim()).collect();
    if order.len() >= 2 {
        let n = order.len();
        order.swap(n - 1, n - 2);
    }
    permute(t, &order)
}

/// `x @ w.T + bias`; half types are rounded once.
pub fn affine(x: &Tensor, w: &Tensor, bias: Option<&Tensor>) -> Result<Tensor, Error> {
    let dtype = x.dtype();
    let Some(bias) = bias else { return multiply(x, &transposed(w)?) };
    let wide = if dtype.is_float() && dtype.size() < 4 { DType::F32 } else { dtype };
    let product = multiply(&cast::convert(x, wide)?, &transposed(&cast::convert(w, wide)?)?)?;
    combine(&product, bias, &IValue::Int(1), &IValue::Int(1), dtype)
}

pub fn linear(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(affine(tensor_arg(args, 0)?, tensor_arg(args, 1)?, optional_tensor(args, 2)?)?)
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
    let wrap = |list: Vec<i64>, t: &Tensor| {
        list.into_iter().map(|d| crate::lanes::wrap(d, t.dim())).collect::<Result<Vec<usize>, _>>()
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
        let lanes = crate::lanes::Lanes::<T>::along(t, dim)?;
        let data: Vec<T> = lanes.iter().map(crate::reduce::total::<T>).collect();
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
    let equation = parse_einsum(arg(args, 0)?.as_str()?, &ranks)?;
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
        let mut dims: Vec<usize> =
            ints_arg(args, i + 3)?.into_iter().map(|d| crate::lanes::wrap(d, rank)).collect::<Result<_, _>>()?;
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
    let mask =
        if list.is_empty() { smallvec![false; product.dim()] } else { crate::lanes::mask(&list, product.dim())? };
    with_acc!(dtype, T => {
        let lanes = crate::lanes::Lanes::<T>::over(&product, &mask)?;
        let data: Vec<T> = lanes.iter().map(crate::reduce::total::<T>).collect();
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
        let rows = crate::lanes::count(&sizes[..sizes.len() - 1]);
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
    for batch in 0..crate::lanes::count(&sizes[..rank - 2]) {
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

pub fn linalg_matrix_power(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let n = int_arg(args, 1)?;
    let mut base = if n < 0 { crate::linalg::inverse(t, "linalg.inv")? } else { t.contiguous()? };
    let mut left = n.unsigned_abs();
    let mut power: Option<Tensor> = None;
    while left > 0 {
        if left & 1 == 1 {
            power = Some(match power {
                Some(p) => batched(&p, &base)?,
                None => base.copy()?,
            });
        }
        left >>= 1;
        if left > 0 {
            base = batched(&base, &base)?;
        }
    }
    one(match power {
        Some(p) => p,
        None => crate::linalg::identity(t.sizes(), t.dtype())?,
    })
}

/// Softmax of scaled, masked scores times the values.
pub fn scaled_dot_product_attention(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (q, k, v) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let mask = optional_tensor(args, 3)?;
    let scale =
        if arg(args, 6)?.is_none() { 1.0 / (q.sizes()[q.dim() - 1] as f64).sqrt() } else { float_arg(args, 6)? };
    if float_arg(args, 4)? != 0.0 {
        return Err(Error::runtime("scaled_dot_product_attention with dropout is not supported"));
    }
    let out = attention(q, k, v, mask, bool_arg(args, 5)?, scale, bool_arg(args, 7)?)?.0;
    let out = cast::convert(&out, dtype)?;
    // The result lies as the query does, as in PyTorch's fused kernel.
    let strides = crate::elementwise::result_strides(&sizes, &[q]);
    if q.sizes() == out.sizes() && crate::elementwise::is_dense(q) && strides.as_slice() != out.strides() {
        let laid = crate::elementwise::empty_strided(&sizes, &strides, dtype)?;
        laid.copy_bytes_from(&out)?;
        return one(laid);
    }
    one(out)
}

/// Attention in f64: the weighted values and the weights.
pub fn attention(
    q: &Tensor,
    k: &Tensor,
    v: &Tensor,
    mask: Option<&Tensor>,
    causal: bool,
    scale: f64,
    grouped: bool,
) -> Result<(Tensor, Tensor), Error> {
    let repeat = |t: &Tensor| -> Result<Tensor, Error> {
        let t = cast::convert(t, DType::F64)?;
        let heads = t.dim().checked_sub(3).map(|d| (d, q.sizes()[q.dim() - 3], t.sizes()[d]));
        match heads {
            Some((d, want, have)) if grouped && want != have && have > 0 && want % have == 0 => {
                let (mut s, mut st): (Sizes, Sizes) = (t.sizes().into(), t.strides().into());
                s.insert(d + 1, want / have);
                st.insert(d + 1, 0);
                let mut flat: Sizes = t.sizes().into();
                flat[d] = want;
                reshape(&t.as_strided(&s, &st, t.storage_offset())?, &flat)
            }
            _ => Ok(t),
        }
    };
    let (k, v) = (repeat(k)?, repeat(v)?);
    let scores = multiply(&cast::convert(q, DType::F64)?, &transposed(&k)?)?;
    let (rows, columns) = (scores.sizes()[scores.dim() - 2] as usize, scores.sizes()[scores.dim() - 1] as usize);
    let mut data = cast::to_vec::<f64>(&scores)?;
    let allowed = match mask {
        Some(m) if m.dtype() == DType::Bool => Some(cast::to_vec::<bool>(&m.expand(scores.sizes())?)?),
        _ => None,
    };
    let added = match mask {
        Some(m) if m.dtype() != DType::Bool => Some(cast::to_vec::<f64>(&m.expand(scores.sizes())?)?),
        _ => None,
    };
    for (i, x) in data.iter_mut().enumerate() {
        *x *= scale;
        if let Some(a) = &added {
            *x += a[i];
        }
        let hidden = causal && i % columns > (i / columns) % rows;
        if hidden || allowed.as_ref().is_some_and(|a| !a[i]) {
            *x = f64::NEG_INFINITY;
        }
    }
    if columns > 0 {
        for row in data.chunks_exact_mut(columns) {
            // A row in which everything is hidden gives zeros.
            if row.iter().all(|x| *x == f64::NEG_INFINITY) {
                row.fill(0.0);
            } else {
                crate::norm::softmax_lane(row, false);
            }
        }
    }
    let weights = Tensor::from_vec(data, scores.sizes());
    Ok((multiply(&weights, &v)?, weights))
}

pub fn inner(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    if a.dim() == 0 || b.dim() == 0 {
        return one(pointwise::binary(Binary::Mul, a, b)?);
    }
    let k = a.sizes()[a.dim() - 1];
    let rows = |t: &Tensor| crate::lanes::count(&t.sizes()[..t.dim() - 1]) as i64;
    let (left, right) = (reshape(a, &[rows(a), k])?, reshape(b, &[rows(b), k])?);
    one(reshape(&batched(&left, &transposed(&right)?)?, &sizes)?)
}

/// Products with the conjugate of the first factor, summed along a dimension.
fn conjugate_dot(call: &Call<'_>, a: &Tensor, b: &Tensor, dim: i64) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let all = sconce_tensor::broadcast_sizes(a.sizes(), b.sizes())?;
    let dim = crate::lanes::wrap(dim, all.len())?;
    let (a, b) = (a.expand(&all)?, b.expand(&all)?);
    if dtype.is_complex() {
        type C = num_complex::Complex<f64>;
        let (x, y) = (crate::lanes::Lanes::<C>::along(&a, dim)?, crate::lanes::Lanes::<C>::along(&b, dim)?);
        let data: Vec<C> =
            x.iter().zip(y.iter()).map(|(x, y)| x.iter().zip(y).map(|(x, y)| x.conj() * y).sum()).collect();
        return one(cast::from_vec(data, &sizes, dtype)?);
    }
    with_acc!(dtype, T => {
        let (x, y) = (crate::lanes::Lanes::<T>::along(&a, dim)?, crate::lanes::Lanes::<T>::along(&b, dim)?);
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
    one(reshape(&product, &sizes)?)
}

pub fn dist(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let p = float_arg(args, 2)?;
    let difference = pointwise::binary(Binary::Sub, tensor_arg(args, 0)?, tensor_arg(args, 1)?)?;
    let norm = if difference.dtype().is_complex() {
        norm_of(&cast::to_vec::<num_complex::Complex<f64>>(&difference)?, p)
    } else {
        norm_of(&cast::to_vec::<f64>(&difference)?, p)
    };
    one(cast::from_vec(vec![norm], &sizes, dtype)?)
}

/// Rows `from..from + n` of a weight or bias.
fn part(t: &Tensor, from: i64, n: i64) -> Result<Tensor, Error> {
    let mut sizes: Sizes = t.sizes().into();
    sizes[0] = n;
    Ok(t.as_strided(&sizes, t.strides(), t.storage_offset() + from * t.strides()[0])?)
}

/// The projections of a multi-head attention: weight and bias for query, key and value together, and for the output.
struct Projections<'a> {
    inward: &'a Tensor,
    inward_bias: &'a Tensor,
    outward: &'a Tensor,
    outward_bias: &'a Tensor,
    heads: i64,
}

/// Output and weights `[batch, heads, query, key]`, in f64. A true mask element is hidden.
fn multi_head(
    x: [&Tensor; 3],
    p: &Projections<'_>,
    mask: Option<&Tensor>,
    kind: Option<i64>,
) -> Result<(Tensor, Tensor), Error> {
    let wide = |t: &Tensor| cast::convert(t, DType::F64);
    let (w, b) = (wide(p.inward)?, wide(p.inward_bias)?);
    if w.dim() != 2 || b.dim() != 1 || p.outward.dim() != 2 || b.sizes()[0] != w.sizes()[0] {
        return Err(Error::runtime("multi-head attention: projections must be matrices with biases"));
    }
    let d = p.outward.sizes()[0];
    if x.iter().any(|t| t.dim() != 3) || p.heads <= 0 || d % p.heads != 0 || w.sizes()[0] != 3 * d {
        return Err(Error::runtime("multi-head attention: sizes of input, weights and heads do not fit"));
    }
    let mut split = Vec::new();
    for (i, t) in x.iter().enumerate() {
        let at = i as i64 * d;
        let y = affine(&wide(t)?, &part(&w, at, d)?, Some(&part(&b, at, d)?))?;
        let y = reshape(&y, &[t.sizes()[0], t.sizes()[1], p.heads, d / p.heads])?;
        split.push(permute(&y, &[0, 2, 1, 3])?.contiguous()?);
    }
    // A mask of rank 2 is over keys per batch (kind 1) or over queries and keys.
    let mask = match mask {
        Some(m) => {
            let allowed: Vec<bool> = cast::to_vec::<bool>(m)?.into_iter().map(|hidden| !hidden).collect();
            let flat = Tensor::from_vec(allowed, m.sizes());
            Some(match (kind, m.dim()) {
                (Some(1), 2) => reshape(&flat, &[m.sizes()[0], 1, 1, m.sizes()[1]])?,
                _ => flat,
            })
        }
        None => None,
    };
    let scale = 1.0 / ((d / p.heads) as f64).sqrt();
    let (out, weights) = attention(&split[0], &split[1], &split[2], mask.as_ref(), false, scale, false)?;
    let (batch, queries) = (x[0].sizes()[0], x[0].sizes()[1]);
    let joined = reshape(&permute(&out, &[0, 2, 1, 3])?, &[batch, queries, d])?;
    Ok((affine(&joined, &wide(p.outward)?, Some(&wide(p.outward_bias)?))?, weights))
}

pub fn multi_head_attention(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let x = [tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?];
    let dtype = x[0].dtype();
    let p = Projections {
        heads: int_arg(args, 4)?,
        inward: tensor_arg(args, 5)?,
        inward_bias: tensor_arg(args, 6)?,
        outward: tensor_arg(args, 7)?,
        outward_bias: tensor_arg(args, 8)?,
    };
    let kind = arg(args, 12)?.optional().map(IValue::as_int).transpose()?;
    let (out, weights) = multi_head(x, &p, optional_tensor(args, 9)?, kind)?;
    let out = cast::convert(&out, dtype)?;
    if !bool_arg(args, 10)? {
        return Ok(smallvec![IValue::Tensor(out), IValue::None]);
    }
    let weights = if bool_arg(args, 11)? {
        let s = weights.sizes();
        let mean = crate::lanes::Lanes::<f64>::along(&weights, 1)?;
        let data: Vec<f64> = mean.iter().map(|l| l.iter().sum::<f64>() / l.len() as f64).collect();
        Tensor::from_vec(data, &[s[0], s[2], s[3]])
    } else {
        weights
    };
    Ok(smallvec![IValue::Tensor(out), IValue::Tensor(cast::convert(&weights, dtype)?)])
}

/// Attention and a two-layer network, each with a residual connection and a normalisation before or after.
pub fn transformer_encoder_layer(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let wide = |i: usize| -> Result<Tensor, Error> { cast::convert(tensor_arg(args, i)?, DType::F64) };
    let source = tensor_arg(args, 0)?;
    let p = Projections {
        heads: int_arg(args, 2)?,
        inward: tensor_arg(args, 3)?,
        inward_bias: tensor_arg(args, 4)?,
        outward: tensor_arg(args, 5)?,
        outward_bias: tensor_arg(args, 6)?,
    };
    let (gelu, before, eps) = (bool_arg(args, 7)?, bool_arg(args, 8)?, float_arg(args, 9)?);
    let norms = [(wide(10)?, wide(11)?), (wide(12)?, wide(13)?)];
    let layers = [(wide(14)?, wide(15)?), (wide(16)?, wide(17)?)];
    let mask = optional_tensor(args, 18)?;
    let kind = arg(args, 19)?.optional().map(IValue::as_int).transpose()?;
    let normalize = |t: &Tensor, i: usize| crate::norm::layer_normalized(t, &norms[i].0, &norms[i].1, eps);
    let add = |a: &Tensor, b: &Tensor| pointwise::binary(Binary::Add, a, b);
    let x = cast::convert(source, DType::F64)?;
    let input = if before { normalize(&x, 0)? } else { x.clone() };
    let mut x = add(&x, &multi_head([&input, &input, &input], &p, mask, kind)?.0)?;
    if !before {
        x = normalize(&x, 0)?;
    }
    let input = if before { normalize(&x, 1)? } else { x.clone() };
    let hidden = affine(&input, &layers[0].0, Some(&layers[0].1))?;
    let active: Vec<f64> = hidden
        .to_vec::<f64>()
        .into_iter()
        .map(|v| if gelu { 0.5 * v * (1.0 + libm::erf(v * std::f64::consts::FRAC_1_SQRT_2)) } else { v.max(0.0) })
        .collect();
    let hidden = Tensor::from_vec(active, hidden.sizes());
    x = add(&x, &affine(&hidden, &layers[1].0, Some(&layers[1].1))?)?;
    if !before {
        x = normalize(&x, 1)?;
    }
    one(cast::convert(&x, source.dtype())?)
}
