//! Resampling as weighted sums of input elements, one dimension after another; gradients are the same sums transposed.

use crate::engine::arguments::{one, result, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::lanes::{count, permute, reshape};
use crate::engine::layout::strides_like;
use crate::engine::scratch::{self, Scratch};
use crate::engine::simd::Real;
use crate::engine::{cast, compose};
use crate::nn::resample;
use crate::{Call, Error, Outputs};
use sconce_schema::resample::{Filter, Resampling, Tap};
use sconce_tensor::{DType, IValue, Sizes, Tensor, contiguous_strides};
use smallvec::SmallVec;

/// A result that must not share its argument's storage.
fn fresh(out: Tensor, source: &Tensor) -> Result<Outputs, Error> {
    one(if out.shares_storage(source) { out.copy()? } else { out })
}

/// Those of all output positions.
pub type Taps = scratch::List<Tap>;

/// Weighted sums of bytes, which are summed in whole numbers: weights are rounded to 16 bits, and each dimension's result to a byte.
fn apply_bytes(data: &[u8], sizes: &mut [i64], dim: usize, taps: &Taps) -> Vec<u8> {
    let outer = count(&sizes[..dim]);
    let inner = count(&sizes[dim + 1..]);
    let input = sizes[dim] as usize;
    let largest = taps.iter().flatten().map(|t| t.1).fold(0.0, f64::max);
    // As many binary digits as the largest weight leaves room for.
    let digits = (0..22).find(|&d| 0.5 + largest * f64::from(1 << (d + 1)) >= 32768.0).unwrap_or(22);
    let scale = f64::from(1 << digits);
    let weights: Vec<Vec<(usize, i32)>> = taps
        .iter()
        .map(|list| list.iter().map(|&(i, w)| (i, (w * scale + 0.5f64.copysign(w)) as i32)).collect())
        .collect();
    let mut out = vec![0; outer * taps.len() * inner];
    for b in 0..outer {
        let source = &data[b * input * inner..][..input * inner];
        for (o, list) in weights.iter().enumerate() {
            let target = &mut out[(b * taps.len() + o) * inner..][..inner];
            for (k, slot) in target.iter_mut().enumerate() {
                let half = if digits > 0 { 1 << (digits - 1) } else { 0 };
                let sum = list.iter().fold(half, |sum: i32, &(i, w)| sum + w * i32::from(source[i * inner + k]));
                *slot = (sum >> digits).clamp(0, 255) as u8;
            }
        }
    }
    sizes[dim] = taps.len() as i64;
    out
}

pub fn in_format(like: &Tensor, out: Tensor) -> Result<Tensor, Error> {
    let strides = strides_like(like, out.sizes());
    crate::engine::layout::laid_out(out, &strides)
}

fn resize(call: &Call<'_>, args: &[IValue], filter: Filter, list: bool) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let how = call.parsed(args, |a| Ok(Resampling::of(filter, sizes.len().saturating_sub(2), a, 2, list)))?;
    resampled(call, tensor_arg(args, 0)?, &how, &sizes)
}

fn resampled(call: &Call<'_>, t: &Tensor, how: &Resampling, out: &[i64]) -> Result<Outputs, Error> {
    let n = t.dim() - 2;
    if count(out) == 0 {
        return one(Tensor::zeros(out, t.dtype())?);
    }
    if t.sizes()[2..].iter().any(|n| u32::try_from(*n).is_err()) {
        return Err(Error::runtime(format!(
            "resampling a tensor of sizes {:?}: too many elements in a row",
            t.sizes()
        )));
    }
    let taps = |d: usize| -> Taps { how.taps(d, t.sizes()[d + 2] as usize, out[d + 2] as usize).collect() };
    match t.dtype() {
        DType::F32 => resize_real::<f32>(call, t, out, taps),
        DType::F64 => resize_real::<f64>(call, t, out, taps),
        DType::U8 if !how.filter.moves() => {
            let (mut data, mut sizes) = (cast::to_vec::<u8>(t)?, Sizes::from(t.sizes()));
            for d in (0..n).rev() {
                data = apply_bytes(&data, &mut sizes, d + 2, &taps(d));
            }
            one(in_format(t, Tensor::from_vec(data, out))?)
        }
        _ => compose::by_way_of(call, t, DType::F64, |call, t| resampled(call, t, how, out)),
    }
}

/// Resamples in the tensor's own type, the last dimension first.
fn resize_real<T: Real + sconce_tensor::Element>(
    call: &Call<'_>,
    t: &Tensor,
    out_sizes: &[i64],
    taps: impl Fn(usize) -> Taps,
) -> Result<Outputs, Error> {
    let x = t.contiguous()?;
    let mut sizes: Sizes = t.sizes().into();
    let strides = strides_like(t, out_sizes);
    let rows = strides.as_slice() == contiguous_strides(out_sizes).as_slice();
    // SAFETY: every element is written.
    let mut out = if rows {
        call.contiguous_output(0, out_sizes, T::DTYPE)?
    } else {
        unsafe { Tensor::uninit(out_sizes, T::DTYPE) }?
    };
    let unfit = || Error::runtime("a resampled tensor is not contiguous");
    let mut from: Option<Scratch<T>> = None;
    for d in (0..t.dim() - 2).rev() {
        let taps = &taps(d);
        let (outer, inner) = (count(&sizes[..d + 2]), count(&sizes[d + 3..]));
        let input = sizes[d + 2] as usize;
        sizes[d + 2] = taps.len() as i64;
        let source = match &from {
            Some(s) => &s[..],
            // SAFETY: what is written below is the fresh result alone.
            None => unsafe { x.as_slice::<T>() }.ok_or_else(unfit)?,
        };
        if d == 0 {
            // SAFETY: the result is fresh.
            let to = unsafe { out.as_mut_slice::<T>() }.ok_or_else(unfit)?;
            resample::along(source, outer, input, inner, taps, to);
        } else {
            let mut to = scratch::buffer::<T>(count(&sizes));
            resample::along(source, outer, input, inner, taps, &mut to);
            from = Some(to);
        }
    }
    if rows {
        return one(out);
    }
    let laid = call.output(0, out_sizes, &strides, T::DTYPE)?;
    laid.copy_bytes_from(&out)?;
    one(laid)
}

kernels! {
    nearest = resize, Filter::Nearest, false; nearest_vec = resize, Filter::Nearest, true;
    nearest_exact = resize, Filter::NearestExact, false; nearest_exact_vec = resize, Filter::NearestExact, true;
    linear = resize, Filter::Linear, false; linear_vec = resize, Filter::Linear, true;
    cubic_sized = resize, Filter::Cubic, false; cubic_vec = resize, Filter::Cubic, true;
    smooth_linear = resize, Filter::SmoothLinear, false; smooth_linear_vec = resize, Filter::SmoothLinear, true;
    smooth_cubic = resize, Filter::SmoothCubic, false; smooth_cubic_vec = resize, Filter::SmoothCubic, true;
    smooth_lanczos = resize, Filter::SmoothLanczos, false; smooth_lanczos_vec = resize, Filter::SmoothLanczos, true;
}

/// The same elements cut into more dimensions, in another order, joined again.
fn rearranged(t: &Tensor, split: &[i64], order: &[usize], sizes: &[i64]) -> Result<Tensor, Error> {
    let lead = t.dim() - 3;
    let split: Sizes = t.sizes()[..lead].iter().chain(split).copied().collect();
    let order: SmallVec<[usize; 8]> = (0..lead).chain(order.iter().map(|d| lead + d)).collect();
    reshape(&permute(&reshape(t, &split)?, &order)?, sizes)
}

pub fn pixel_shuffle(call: &Call<'_>, t: &Tensor, r: i64) -> Result<Outputs, Error> {
    let (n, (sizes, _)) = (t.dim(), result(call.metas, 0)?);
    let split = [sizes[n - 3], r, r, t.sizes()[n - 2], t.sizes()[n - 1]];
    fresh(in_format(t, rearranged(t, &split, &[0, 3, 1, 4, 2], &sizes)?)?, t)
}

pub fn pixel_unshuffle(call: &Call<'_>, t: &Tensor, r: i64) -> Result<Outputs, Error> {
    let (n, (sizes, _)) = (t.dim(), result(call.metas, 0)?);
    let split = [t.sizes()[n - 3], sizes[n - 2], r, sizes[n - 1], r];
    fresh(rearranged(t, &split, &[0, 2, 4, 1, 3], &sizes)?, t)
}

pub fn channel_shuffle(call: &Call<'_>, t: &Tensor, groups: i64) -> Result<Outputs, Error> {
    if t.numel() == 0 {
        return one(t.as_strided(t.sizes(), t.strides(), t.storage_offset())?);
    }
    crate::tensor::rearrange::channel_shuffle(call, t, groups)
}
