//! Products of stacks of matrices that lie in memory with any strides: floats by [`sconce_gemm`] (halves widened, and rounded once), integers by
//! loops that wrap around.

use crate::Error;
use crate::engine::cast::{self, Value};
use crate::engine::lanes::{Acc, count, with_acc};
use crate::engine::parallel::{self, Sendable};
use crate::engine::scratch::{self, Scratch};
use crate::engine::vectorize::vectorize_widest;
use crate::linalg::packed_factor::packed_factor;
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use num_traits::{WrappingAdd, WrappingMul, Zero};
use sconce_gemm::{Multiplied, Packed, Product, View, products, reads_panels};
use sconce_tensor::{DType, Element, Sizes, Tensor, contiguous_strides};

/// A stack of matrices in memory: where the first one begins, and strides.
#[derive(Clone)]
struct Stack {
    data: *const u8,
    /// Of the batch dimensions; 0 where one matrix serves all.
    batch: Sizes,
    row: i64,
    column: i64,
}

impl Stack {
    /// The last two dimensions of a tensor of at least that rank, its others broadcast to `batch`.
    fn new(data: *const u8, sizes: &[i64], strides: &[i64], batch: &[i64]) -> Stack {
        let own = sizes.len() - 2;
        let stride =
            |d: usize| (d + own).checked_sub(batch.len()).map_or(0, |d| if sizes[d] == 1 { 0 } else { strides[d] });
        Stack { data, batch: (0..batch.len()).map(stride).collect(), row: strides[own], column: strides[own + 1] }
    }
    /// Matrix `i` in row-major order of the batch.
    fn view<E: Element>(&self, mut i: usize, batch: &[i64]) -> View<E> {
        let mut offset = 0;
        for (n, stride) in batch.iter().zip(&self.batch).rev() {
            offset += i as i64 % n * stride;
            i /= *n as usize;
        }
        View::new(self.data.cast::<E>().wrapping_offset(offset as isize), self.row as isize, self.column as isize)
    }
}

/// A product of stacks, row-major: the batch, and rows, columns and depth of a matrix.
struct Shape<'a> {
    batch: &'a [i64],
    m: usize,
    n: usize,
    k: usize,
}

/// What a product is added to: `beta * bias + alpha * product`, with the bias broadcast to the result. A beta of 0 ignores it, NaN and all.
#[derive(Clone, Copy)]
pub(crate) struct Sum<'a> {
    pub bias: &'a Tensor,
    pub beta: f64,
    pub alpha: f64,
}

/// Writes a product of f32 or f64. `factor` is the tensor whose elements the second one's are.
///
/// # Safety
/// The stacks have these matrices, `out` is contiguous with room for all results and overlaps no factor.
unsafe fn real<E: Multiplied + Value>(
    s: &Shape<'_>,
    a: &Stack,
    b: &Stack,
    out: *mut E,
    sum: Option<Sum<'_>>,
    factor: Option<&Tensor>,
) -> Result<(), Error> {
    let mut start = None;
    let mut alpha = E::one();
    if let Some(sum) = sum {
        alpha = sum.alpha.to::<E>();
        if sum.beta != 0.0 {
            let mut sizes: Sizes = s.batch.into();
            sizes.extend([s.m as i64, s.n as i64]);
            if sum.bias.dim() > sizes.len() {
                return Err(Error::runtime("the bias has more dimensions than the product"));
            }
            let strides = crate::engine::elementwise::broadcast_strides(sum.bias, &sizes);
            let rank = sizes.len();
            let bias = Stack {
                data: sum.bias.bytes_ptr(),
                batch: strides[..rank - 2].into(),
                row: strides[rank - 2],
                column: strides[rank - 1],
            };
            if sum.beta == 1.0 && sum.bias.dtype() == E::DTYPE && matches!(bias.column, 0 | 1) {
                start = Some(bias);
            } else {
                // SAFETY: the caller's promise.
                let out = unsafe { std::slice::from_raw_parts_mut(out, count(&sizes)) };
                let beta = sum.beta.to::<E>();
                let wide = cast::convert(sum.bias, E::DTYPE)?;
                let base = wide.storage_ptr().cast::<E>();
                for (o, at) in out.iter_mut().zip(wide.expand(&sizes)?.offsets()) {
                    // SAFETY: offsets of a tensor lie in its storage.
                    *o = unsafe { *base.offset(at as isize) } * beta;
                }
                let step = contiguous_strides(&sizes);
                start = Some(Stack {
                    data: out.as_ptr().cast(),
                    batch: step[..rank - 2].into(),
                    row: s.n as i64,
                    column: 1,
                });
            }
        }
    }
    let count = count(s.batch);
    let out = Sendable(out);
    let one = factor.filter(|_| b.batch.iter().all(|stride| *stride == 0));
    let (a, b, start) = (Shared(a), Shared(b), start.as_ref().map(Shared));
    // SAFETY: the caller's promise.
    unsafe {
        let product = |i| {
            let (a, b, start, out) = (&a, &b, &start, &out);
            let p = Product {
                m: s.m,
                n: s.n,
                k: s.k,
                a: a.0.view(i, s.batch),
                out: out.0.add(i * s.m * s.n),
                out_row: s.n,
                alpha,
                start: start.as_ref().map(|v| v.0.view(i, s.batch)),
            };
            (p, b.0.view::<E>(i, s.batch))
        };
        let (first, view) = product(0);
        let packed = match one.filter(|_| reads_panels(&first, &view)) {
            Some(factor) => {
                let (sizes, strides) = ([s.k as i64, s.n as i64], [view.row as i64, view.column as i64]);
                packed_factor::<E>(&factor.as_strided(&sizes, &strides, factor.storage_offset())?)
            }
            None => None,
        };
        let panels = packed.as_ref().map(|p| p.panels);
        let factors = |i| {
            let (p, view) = product(i);
            (p, Packed { view, panels, in_tiles: false })
        };
        products(count, &factors, None);
    }
    Ok(())
}

/// Stacks that several threads read.
struct Shared<'a>(&'a Stack);
// SAFETY: nobody writes the matrices meanwhile.
unsafe impl Sync for Shared<'_> {}

/// The elements of a tensor of halves, widened, in row-major order.
fn widened(t: &Tensor) -> Scratch<f32> {
    let mut out = scratch::buffer::<f32>(t.numel());
    // SAFETY: of both: what is written is a buffer that no tensor has.
    if let Some(data) = unsafe { t.as_slice::<f16>() } {
        data.convert_to_f32_slice(&mut out);
    } else if let Some(data) = unsafe { t.as_slice::<bf16>() } {
        vectorize_widest(
            #[inline(always)]
            || out.iter_mut().zip(data).for_each(|(o, v)| *o = f32::from_bits(u32::from(v.to_bits()) << 16)),
        );
    } else {
        let base = t.storage_ptr();
        for (o, at) in out.iter_mut().zip(t.offsets()) {
            // SAFETY: offsets of a tensor lie in its storage.
            *o = unsafe {
                match t.dtype() {
                    DType::F16 => (*base.cast::<f16>().offset(at as isize)).to_f32(),
                    _ => (*base.cast::<bf16>().offset(at as isize)).to_f32(),
                }
            };
        }
    }
    out
}

/// Rows of integers by loops over the second factor's rows; sums wrap around.
///
/// # Safety
/// As for [`real`].
unsafe fn integers<T: Element + WrappingAdd + WrappingMul + Zero>(s: &Shape<'_>, a: &Stack, b: &Stack, out: *mut T) {
    let count = count(s.batch);
    let (out, a, b) = (Sendable(out), Shared(a), Shared(b));
    parallel::split(count * s.m, (1usize << 15).div_ceil((s.n * s.k).max(1)), |range| {
        let (out, a, b) = (&out, &a, &b);
        for i in range {
            let (x, y) = (a.0.view::<T>(i / s.m, s.batch).from(i % s.m, 0), b.0.view::<T>(i / s.m, s.batch));
            // SAFETY: the caller's promise; rows do not overlap.
            unsafe {
                let row = std::slice::from_raw_parts_mut(out.0.add(i * s.n), s.n);
                row.fill(T::zero());
                vectorize_widest(
                    #[inline(always)]
                    || {
                        // Rows side by side are taken four at once, so that the result's row is read and written less often.
                        let four = if y.column == 1 { s.k / 4 * 4 } else { 0 };
                        for k in (0..four).step_by(4) {
                            let v: [T; 4] = std::array::from_fn(|i| *x.from(0, k + i).data);
                            let w: [&[T]; 4] =
                                std::array::from_fn(|i| std::slice::from_raw_parts(y.from(k + i, 0).data, s.n));
                            for (j, o) in row.iter_mut().enumerate() {
                                let part = |i: usize| v[i].wrapping_mul(&w[i][j]);
                                let (a, b) = (part(0).wrapping_add(&part(1)), part(2).wrapping_add(&part(3)));
                                *o = o.wrapping_add(&a.wrapping_add(&b));
                            }
                        }
                        for k in four..s.k {
                            let v = *x.from(0, k).data;
                            for (j, o) in row.iter_mut().enumerate() {
                                *o = o.wrapping_add(&v.wrapping_mul(&*y.from(k, j).data));
                            }
                        }
                    },
                );
            }
        }
    });
}

/// `a` times `b`, or `a` times `b` turned, into a contiguous `out`, whose sizes end in those of a matrix even where a factor is a vector.
/// `sum` is for floats only.
fn multiply_into(
    out: &mut Tensor,
    s: &Shape<'_>,
    a: [&Tensor; 2],
    turn: bool,
    sum: Option<Sum<'_>>,
) -> Result<(), Error> {
    let [x, y] = a;
    if out.numel() == 0 {
        return Ok(());
    }
    // Vectors are matrices of one row, or of one column.
    let stack = |t: &Tensor, data: *const u8, strides: &[i64], second: bool| {
        let mut stack = match (t.dim(), second) {
            (1, false) => Stack::new(data, &[1, t.sizes()[0]], &[0, strides[0]], s.batch),
            (1, true) => Stack::new(data, &[t.sizes()[0], 1], &[strides[0], 1], s.batch),
            // Rows of all batches at once.
            (rank, false) if s.batch.is_empty() => {
                Stack { data, batch: Sizes::new(), row: strides[rank - 2], column: strides[rank - 1] }
            }
            _ => Stack::new(data, t.sizes(), strides, s.batch),
        };
        if second && turn && t.dim() > 1 {
            std::mem::swap(&mut stack.row, &mut stack.column);
        }
        stack
    };
    let plain = |t: &Tensor, second: bool| stack(t, t.bytes_ptr(), t.strides(), second);
    macro_rules! integer {
        // SAFETY: the views' elements lie in their storages, `out` is a fresh result of this many matrices.
        ($t:ty) => {
            unsafe { integers::<$t>(s, &plain(x, false), &plain(y, true), out.data_ptr()) }
        };
    }
    match x.dtype() {
        // SAFETY: as above.
        DType::F32 => unsafe { real::<f32>(s, &plain(x, false), &plain(y, true), out.data_ptr(), sum, Some(y))? },
        // SAFETY: as above.
        DType::F64 => unsafe { real::<f64>(s, &plain(x, false), &plain(y, true), out.data_ptr(), sum, Some(y))? },
        dtype @ (DType::F16 | DType::BF16) => {
            let (a, b) = (widened(x), widened(y));
            let mut wide = scratch::buffer::<f32>(out.numel());
            let a = stack(x, a.as_ptr().cast(), &contiguous_strides(x.sizes()), false);
            let b = stack(y, b.as_ptr().cast(), &contiguous_strides(y.sizes()), true);
            // SAFETY: the buffers hold the factors' elements.
            unsafe { real::<f32>(s, &a, &b, wide.as_mut_ptr(), sum, None)? };
            // SAFETY: `out` is fresh.
            unsafe {
                if dtype == DType::F16 {
                    if let Some(out) = out.as_mut_slice::<f16>() {
                        out.convert_from_f32_slice(&wide);
                    }
                } else if let Some(out) = out.as_mut_slice::<bf16>() {
                    out.convert_from_f32_slice(&wide);
                }
            }
        }
        DType::I64 => integer!(i64),
        DType::I32 => integer!(i32),
        DType::I16 => integer!(i16),
        DType::I8 => integer!(i8),
        DType::U8 => integer!(u8),
        dtype => {
            // Complex numbers, and what has no arithmetic of its own.
            let full = |t: &Tensor, stack: Stack, rows: usize, columns: usize| -> Result<Tensor, Error> {
                let mut sizes: Sizes = s.batch.into();
                sizes.extend([rows as i64, columns as i64]);
                let mut strides = stack.batch;
                strides.extend([stack.row, stack.column]);
                Ok(t.as_strided(&sizes, &strides, t.storage_offset())?)
            };
            let a = full(x, plain(x, false), s.m, s.k)?;
            let b = full(y, plain(y, true), s.k, s.n)?;
            with_acc!(dtype, T => {
                let data = products_of::<T>(&cast::to_vec(&a)?, &cast::to_vec(&b)?, s);
                cast::convert_into(out, &cast::from_vec(data, out.sizes(), dtype)?)?;
            })
        }
    }
    Ok(())
}

/// The same for contiguous data, by loops.
fn products_of<T: Acc>(a: &[T], b: &[T], s: &Shape<'_>) -> Vec<T> {
    let (m, k, n) = (s.m, s.k, s.n);
    if k == 0 {
        return vec![T::ZERO; count(s.batch) * m * n];
    }
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

/// Where results come from: their sizes to a contiguous tensor.
pub(crate) type Make<'a> = &'a dyn Fn(&[i64]) -> Result<Tensor, Error>;

pub(crate) fn fresh(sizes: &[i64], dtype: DType) -> Result<Tensor, Error> {
    // SAFETY: a product writes every element.
    Ok(unsafe { Tensor::uninit(sizes, dtype) }?)
}

/// `[..., m, k]` times `[..., k, n]` with equal batch dimensions and dtypes, into a contiguous `[..., m, n]`.
pub fn batched(a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    batched_with(a, b, None, &|sizes| fresh(sizes, a.dtype()))
}

pub(crate) fn batched_with(a: &Tensor, b: &Tensor, sum: Option<Sum<'_>>, make: Make<'_>) -> Result<Tensor, Error> {
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
    let mut out = make(&sizes)?;
    multiply_into(&mut out, &Shape { batch, m: m as usize, n: n as usize, k: k as usize }, [a, b], false, sum)?;
    Ok(out)
}

/// `torch.matmul`, whose rule has checked the sizes.
pub fn multiply(a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    multiply_with(a, b, false, None, &|sizes| fresh(sizes, a.dtype()))
}

/// The same; with `turn` the second factor is a matrix, or a vector, that stands turned.
pub(crate) fn multiply_with(
    a: &Tensor,
    b: &Tensor,
    turn: bool,
    sum: Option<Sum<'_>>,
    make: Make<'_>,
) -> Result<Tensor, Error> {
    if a.dim() == 0 || b.dim() == 0 {
        return Err(Error::runtime(format!(
            "both arguments to matmul need to be at least 1D, but they are {}D and {}D",
            a.dim(),
            b.dim()
        )));
    }
    let (p, q) = (a.dim(), b.dim());
    let (mut m, k) = (if p == 1 { 1 } else { a.sizes()[p - 2] }, a.sizes()[p - 1]);
    let (depth, n) = match (q, turn) {
        (1, _) => (b.sizes()[0], 1),
        (_, false) => (b.sizes()[q - 2], b.sizes()[q - 1]),
        (_, true) => (b.sizes()[q - 1], b.sizes()[q - 2]),
    };
    if depth != k || a.dtype() != b.dtype() {
        return Err(Error::runtime(format!("cannot multiply {a:?} and {b:?}")));
    }
    let batch = sconce_tensor::broadcast_sizes(&a.sizes()[..p.max(2) - 2], &b.sizes()[..q.max(2) - 2])?;
    let mut sizes = batch.clone();
    if p > 1 {
        sizes.push(m);
    }
    if q > 1 {
        sizes.push(n);
    }
    let mut out = make(&sizes)?;
    // Rows of all batches against one matrix, when they are evenly apart.
    let even = || {
        let mut step = a.strides()[p - 2];
        (0..p - 2).rev().all(|d| {
            step *= a.sizes()[d + 1];
            a.sizes()[d] == 1 || a.strides()[d] == step
        })
    };
    let mut batch: &[i64] = &batch;
    if q <= 2 && p > 2 && sum.is_none_or(|s| s.bias.dim() <= 1) && even() {
        m = a.sizes()[..p - 1].iter().product();
        batch = &[];
    }
    multiply_into(&mut out, &Shape { batch, m: m as usize, n: n as usize, k: k as usize }, [a, b], turn, sum)?;
    Ok(out)
}
