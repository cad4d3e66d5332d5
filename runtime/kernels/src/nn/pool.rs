//! Pooling: a maximum or an average over windows of each channel.

use crate::engine::arguments::{one, result, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::compose;
use crate::engine::elementwise::channels_last_strides;
use crate::engine::lanes::count;
use crate::engine::scratch;
use crate::{Call, Error, Outputs};
use sconce_gemm::avg_pool::avg_pool;
use sconce_gemm::max_pool::max_pool;
pub use sconce_gemm::sliding_pool::for_each_part;
use sconce_gemm::sliding_pool::{even_averages, even_maxima, largest};
use sconce_schema::geometry::Frame;
use sconce_schema::geometry::pool::{self, Divisor};
use sconce_tensor::{DType, Element, IValue, Tensor};
use smallvec::smallvec;

kernels! {
    avg_pool1d = average, 1; avg_pool2d = average, 2; avg_pool3d = average, 3;
    max_pool1d = max, 1, false; max_pool2d = max, 2, false; max_pool3d = max, 3, false;
    max_pool1d_with_indices = max, 1, true; max_pool2d_with_indices = max, 2, true;
    max_pool3d_with_indices = max, 3, true;
    adaptive_avg_pool1d = adaptive_average, 1; adaptive_avg_pool2d = adaptive_average, 2;
    adaptive_avg_pool3d = adaptive_average, 3;
    adaptive_max_pool1d = adaptive_max, 1; adaptive_max_pool2d = adaptive_max, 2; adaptive_max_pool3d = adaptive_max, 3;
}

/// The last `n` sizes.
pub fn last(sizes: &[i64], n: usize) -> &[i64] {
    &sizes[sizes.len() - n..]
}

/// The last `n` sizes in three dimensions.
pub fn three(sizes: &[i64], n: usize) -> [usize; 3] {
    std::array::from_fn(|d| (d + n).checked_sub(3).map_or(1, |d| last(sizes, n)[d] as usize))
}

/// Whether results are to lie with their channels last.
pub fn channels_last(like: &Tensor) -> bool {
    (4..=5).contains(&like.dim())
        && !like.is_contiguous()
        && like.strides() == channels_last_strides(like.sizes()).as_slice()
}

/// Computes results row-major by `f` (where the caller wants them, when they lie so) and gives them the input's memory format.
fn in_lines<T: Element>(
    call: &Call<'_>,
    i: usize,
    like: &Tensor,
    sizes: &[i64],
    f: impl FnOnce(&mut [T]),
) -> Result<Tensor, Error> {
    let last = channels_last(like);
    // SAFETY: every element is written.
    let mut out =
        if last { unsafe { Tensor::uninit(sizes, T::DTYPE) }? } else { call.contiguous_output(i, sizes, T::DTYPE)? };
    // SAFETY: the result is fresh.
    let lines = unsafe { out.as_mut_slice::<T>() };
    let lines = lines.ok_or_else(|| Error::runtime("a pooled result is not contiguous"))?;
    if !lines.is_empty() {
        f(lines);
    }
    if !last {
        return Ok(out);
    }
    let laid = call.output(i, sizes, &channels_last_strides(sizes), T::DTYPE)?;
    laid.copy_bytes_from(&out)?;
    Ok(laid)
}

/// Computes one result of the tensor's elements.
fn lines<T: Element>(
    call: &Call<'_>,
    t: &Tensor,
    sizes: &[i64],
    f: impl FnOnce(&[T], &mut [T]),
) -> Result<Outputs, Error> {
    let x = t.contiguous()?;
    // SAFETY: the kernel writes to its fresh results alone.
    one(in_lines(call, 0, t, sizes, |out| f(unsafe { x.as_slice() }.unwrap_or_default(), out))?)
}

/// Computes values and their places of the tensor's elements.
fn placed<T: Element>(
    call: &Call<'_>,
    t: &Tensor,
    sizes: &[i64],
    f: impl FnOnce(&[T], &mut [T], &mut [i64]),
) -> Result<Outputs, Error> {
    let x = t.contiguous()?;
    let mut places = Ok(None);
    let values = in_lines(call, 0, t, sizes, |out| {
        // SAFETY: the kernel writes to its fresh results alone.
        let x = unsafe { x.as_slice() }.unwrap_or_default();
        places = in_lines(call, 1, t, sizes, |at| f(x, out, at)).map(Some);
    })?;
    let places = places?.map_or_else(|| in_lines::<i64>(call, 1, t, sizes, |_| ()), Ok)?;
    Ok(smallvec![values.into(), places.into()])
}

/// Runs on the elements in a wider dtype.
fn by_way_of(
    call: &Call<'_>,
    t: &Tensor,
    dtype: DType,
    run: impl FnOnce(&Call<'_>, &Tensor) -> Result<Outputs, Error>,
) -> Result<Outputs, Error> {
    let rows = if channels_last(t) { t.clone() } else { t.contiguous()? };
    compose::by_way_of(call, &rows, dtype, run)
}

fn average(call: &Call<'_>, args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let parsed = call.parsed(args, |a| Ok(pool::average(a, n)?.zip(Divisor::of(a))))?;
    let (sizes, _) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    averaged(call, t, &parsed.0.frame(last(t.sizes(), n), last(&sizes, n)), parsed.1, &sizes)
}

fn averaged(call: &Call<'_>, t: &Tensor, f: &Frame, divisor: Divisor, sizes: &[i64]) -> Result<Outputs, Error> {
    match t.dtype() {
        DType::F32 => lines::<f32>(call, t, sizes, |x, out| avg_pool(x, f, divisor, out)),
        DType::F64 => lines::<f64>(call, t, sizes, |x, out| avg_pool(x, f, divisor, out)),
        _ => by_way_of(call, t, DType::F64, |call, t| averaged(call, t, f, divisor, sizes)),
    }
}

fn adaptive_average(call: &Call<'_>, args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    if t.dtype().is_complex() {
        // One mean of each channel, as the rule has seen.
        let mean = compose::all("aten::mean.dim", &[t.clone().into(), IValue::int_list(&[-1]), true.into()]);
        return if count(&sizes) == 0 { one(Tensor::zeros(&sizes, t.dtype())?) } else { mean };
    }
    evenly_averaged(call, t, n, &sizes)
}

fn evenly_averaged(call: &Call<'_>, t: &Tensor, n: usize, sizes: &[i64]) -> Result<Outputs, Error> {
    let (image, parts) = (three(t.sizes(), n), three(sizes, n));
    match t.dtype() {
        DType::F32 => lines::<f32>(call, t, sizes, |x, out| even_averages(x, image, parts, out)),
        DType::F64 => lines::<f64>(call, t, sizes, |x, out| even_averages(x, image, parts, out)),
        _ => by_way_of(call, t, DType::F64, |call, t| evenly_averaged(call, t, n, sizes)),
    }
}

fn max(call: &Call<'_>, args: &[IValue], n: usize, indices: bool) -> Result<Outputs, Error> {
    let windows = call.parsed(args, |a| pool::max(a, n))?;
    let (sizes, _) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    maxima(call, t, &windows.frame(last(t.sizes(), n), last(&sizes, n)), &sizes, indices)
}

fn maxima(call: &Call<'_>, t: &Tensor, f: &Frame, sizes: &[i64], indices: bool) -> Result<Outputs, Error> {
    fn of<T: Element + PartialOrd>(
        (call, t, f, sizes, indices): (&Call<'_>, &Tensor, &Frame, &[i64], bool),
        lowest: T,
    ) -> Result<Outputs, Error> {
        match indices {
            false => lines(call, t, sizes, |x, out| largest(x, f, lowest, out, &mut scratch::buffer(out.len()))),
            true => placed(call, t, sizes, |x, out, at| largest(x, f, lowest, out, at)),
        }
    }
    let all = (call, t, f, sizes, indices);
    match t.dtype() {
        DType::F32 if !indices => lines::<f32>(call, t, sizes, |x, out| max_pool(x, f, out)),
        DType::F64 if !indices => lines::<f64>(call, t, sizes, |x, out| max_pool(x, f, out)),
        DType::F32 => of(all, f32::NEG_INFINITY),
        DType::F64 => of(all, f64::NEG_INFINITY),
        DType::F16 | DType::BF16 => by_way_of(call, t, DType::F32, |call, t| maxima(call, t, f, sizes, indices)),
        DType::I64 => of(all, i64::MIN),
        DType::I8 => of(all, i8::MIN),
        DType::U8 => of(all, u8::MIN),
        _ => by_way_of(call, t, DType::I64, |call, t| maxima(call, t, f, sizes, indices)),
    }
}

fn adaptive_max(call: &Call<'_>, args: &[IValue], n: usize) -> Result<Outputs, Error> {
    evenly_maximal(call, tensor_arg(args, 0)?, n, &result(call.metas, 0)?.0)
}

fn evenly_maximal(call: &Call<'_>, t: &Tensor, n: usize, sizes: &[i64]) -> Result<Outputs, Error> {
    let (image, parts) = (three(t.sizes(), n), three(sizes, n));
    match t.dtype() {
        DType::F32 => placed::<f32>(call, t, sizes, |x, out, at| even_maxima(x, image, parts, out, at)),
        DType::F64 => placed::<f64>(call, t, sizes, |x, out, at| even_maxima(x, image, parts, out, at)),
        _ => by_way_of(call, t, DType::F32, |call, t| evenly_maximal(call, t, n, sizes)),
    }
}
