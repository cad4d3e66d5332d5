//! Resampling as weighted sums of input elements, one dimension after another; gradients are the same sums transposed.

use crate::engine::arguments::one;
use crate::engine::arguments::{arg, bool_arg, int_arg, ints_arg, result, tensor_arg};
use crate::engine::cast;
use crate::engine::elementwise;
use crate::engine::lanes::permute;
use crate::engine::lanes::reshape;
use crate::engine::scratch::{self, Scratch};
use crate::engine::simd::Real;
use crate::nn::norm::channels_last_strides;
use crate::nn::resample;
use crate::{Call, Error, Outputs};
use sconce_schema::resample::{Filter, Tap};
use sconce_tensor::{DType, IValue, Sizes, Tensor, contiguous_strides};
use smallvec::{SmallVec, smallvec};

/// A result that must not share its argument's storage.
fn fresh(out: Tensor, source: &Tensor) -> Result<Outputs, Error> {
    one(if out.shares_storage(source) { out.copy()? } else { out })
}

/// The same with the channels innermost where they are so in the source.
fn in_format_of(out: Tensor, source: &Tensor) -> Result<Outputs, Error> {
    match crate::engine::layout::suggested_format(source) {
        0 => fresh(out, source),
        format => crate::engine::compose::all("aten::clone", &[out.into(), IValue::Int(format)]),
    }
}

/// Those of all output positions.
type Taps = scratch::List<Tap>;

fn taps(filter: Filter, input: usize, output: usize, align: bool, scale: Option<f64>) -> Taps {
    sconce_schema::resample::taps(filter, input, output, align, scale).collect()
}

/// Applies taps along a dimension; `adjoint` goes from output positions to input positions.
fn apply(data: &[f64], sizes: &mut [i64], dim: usize, taps: &Taps, input: usize, adjoint: bool) -> Vec<f64> {
    let outer = crate::engine::lanes::count(&sizes[..dim]);
    let inner = crate::engine::lanes::count(&sizes[dim + 1..]);
    let (from, to) = if adjoint { (taps.len(), input) } else { (input, taps.len()) };
    let mut out = vec![0.0; outer * to * inner];
    for b in 0..outer {
        let (source, target) = (&data[b * from * inner..], &mut out[b * to * inner..(b + 1) * to * inner]);
        for (o, list) in taps.iter().enumerate() {
            for &(i, w) in list {
                let (s, t) = if adjoint { (o, i) } else { (i, o) };
                // A weight of zero does not let NaN through only where the element itself is not used.
                for k in 0..inner {
                    target[t * inner + k] += w * source[s * inner + k];
                }
            }
        }
    }
    sizes[dim] = to as i64;
    out
}

/// The same for bytes, which are summed in whole numbers: weights are rounded to 16 bits, and each dimension's result to a byte.
fn apply_bytes(data: &[u8], sizes: &mut [i64], dim: usize, taps: &Taps) -> Vec<u8> {
    let outer = crate::engine::lanes::count(&sizes[..dim]);
    let inner = crate::engine::lanes::count(&sizes[dim + 1..]);
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

/// Nearest elements are moved, not computed with.
fn pick<T: cast::Value>(data: &[T], sizes: &mut [i64], dim: usize, taps: &Taps, input: usize) -> Vec<T> {
    let outer = crate::engine::lanes::count(&sizes[..dim]);
    let inner = crate::engine::lanes::count(&sizes[dim + 1..]);
    let mut out = Vec::with_capacity(outer * taps.len() * inner);
    for b in 0..outer {
        for list in taps.iter() {
            let at = (b * input + list[0].0) * inner;
            out.extend_from_slice(&data[at..at + inner]);
        }
    }
    sizes[dim] = taps.len() as i64;
    out
}

/// The scale given for a dimension, if any.
fn scales(args: &[IValue], first: usize, n: usize, list: bool) -> Result<SmallVec<[Option<f64>; 3]>, Error> {
    if list {
        return Ok(match arg(args, first)?.optional() {
            Some(v) => v.as_list()?.read().iter().map(|v| Ok(Some(v.as_double()?))).collect::<Result<_, Error>>()?,
            None => smallvec![None; n],
        });
    }
    (0..n).map(|d| Ok(arg(args, first + d)?.optional().map(IValue::as_double).transpose()?)).collect()
}

/// Strides of a result in the memory format that the input suggests.
fn format_strides(like: &Tensor, sizes: &[i64]) -> Sizes {
    if crate::engine::layout::suggested_format(like) == 0 {
        contiguous_strides(sizes)
    } else {
        channels_last_strides(sizes)
    }
}

fn in_format(like: &Tensor, out: Tensor) -> Result<Outputs, Error> {
    let strides = format_strides(like, out.sizes());
    if strides.as_slice() == out.strides() {
        return one(out);
    }
    let laid = elementwise::empty_strided(out.sizes(), &strides, out.dtype())?;
    laid.copy_bytes_from(&out)?;
    one(laid)
}

/// `align` is the position of `align_corners`, if the operator has it; the scales follow.
fn resize(call: &Call<'_>, args: &[IValue], filter: Filter, align: bool, list: bool) -> Result<Outputs, Error> {
    let (out_sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    if sconce_tensor::numel(&out_sizes) == Some(0) {
        return one(Tensor::zeros(&out_sizes, dtype)?);
    }
    let n = t.dim() - 2;
    let corners = align && bool_arg(args, 2)?;
    let scales = scales(args, if align { 3 } else { 2 }, n, list)?;
    let mut sizes: Sizes = t.sizes().into();
    let all = || -> SmallVec<[Taps; 3]> {
        let of = |d| taps(filter, t.sizes()[d + 2] as usize, out_sizes[d + 2] as usize, corners, scales[d]);
        (0..n).map(of).collect()
    };
    match dtype {
        DType::F32 if t.sizes().iter().all(|n| *n < 1 << 31) => return resize_real::<f32>(call, t, &out_sizes, all),
        DType::F64 if t.sizes().iter().all(|n| *n < 1 << 31) => return resize_real::<f64>(call, t, &out_sizes, all),
        _ => {}
    }
    // A result that is beyond memory is refused before its taps are made.
    Tensor::zeros(&out_sizes, dtype)?;
    let all = all();
    if dtype == DType::U8 && !matches!(filter, Filter::Nearest | Filter::NearestExact) {
        let mut data = cast::to_vec::<u8>(t)?;
        for d in (0..n).rev() {
            data = apply_bytes(&data, &mut sizes, d + 2, &all[d]);
        }
        return in_format(t, cast::from_vec(data, &out_sizes, dtype)?);
    }
    let mut data = cast::to_vec::<f64>(t)?;
    for d in (0..n).rev() {
        let input = sizes[d + 2] as usize;
        data = if matches!(filter, Filter::Nearest | Filter::NearestExact) {
            pick(&data, &mut sizes, d + 2, &all[d], input)
        } else {
            apply(&data, &mut sizes, d + 2, &all[d], input, false)
        };
    }
    in_format(t, cast::from_vec(data, &out_sizes, dtype)?)
}

/// Resamples in the tensor's own type, the last dimension first.
fn resize_real<T: Real + sconce_tensor::Element>(
    call: &Call<'_>,
    t: &Tensor,
    out_sizes: &[i64],
    taps: impl FnOnce() -> SmallVec<[Taps; 3]>,
) -> Result<Outputs, Error> {
    let x = t.contiguous()?;
    let mut sizes: Sizes = t.sizes().into();
    let strides = format_strides(t, out_sizes);
    let rows = strides.as_slice() == contiguous_strides(out_sizes).as_slice();
    // SAFETY: every element is written.
    let out = if rows {
        call.contiguous_output(0, out_sizes, T::DTYPE)?
    } else {
        unsafe { Tensor::uninit(out_sizes, T::DTYPE) }?
    };
    let unfit = || Error::runtime("a resampled tensor is not contiguous");
    let mut from: Option<Scratch<T>> = None;
    for (d, taps) in taps().iter().enumerate().rev() {
        let (outer, inner) =
            (crate::engine::lanes::count(&sizes[..d + 2]), crate::engine::lanes::count(&sizes[d + 3..]));
        let input = sizes[d + 2] as usize;
        sizes[d + 2] = taps.len() as i64;
        let source = match &from {
            Some(s) => &s[..],
            None => x.as_slice::<T>().ok_or_else(unfit)?,
        };
        if d == 0 {
            // SAFETY: the result is fresh.
            let to = unsafe { out.as_mut_slice::<T>() }.ok_or_else(unfit)?;
            resample::along(source, outer, input, inner, taps, to);
        } else {
            let mut to = scratch::buffer::<T>(crate::engine::lanes::count(&sizes));
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

/// Arguments: gradient, output size, input size, then as forward.
fn resize_backward(call: &Call<'_>, args: &[IValue], filter: Filter, align: bool) -> Result<Outputs, Error> {
    let (in_sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let n = in_sizes.len().saturating_sub(2);
    if n == 0 {
        return Err(Error::runtime("It is expected input_size to have a batch, channels and spatial dimensions"));
    }
    if t.dim() != in_sizes.len() {
        return Err(Error::runtime(format!(
            "Expected grad_output to be a tensor of dimension {} but got: dimension {}",
            n + 2,
            t.dim()
        )));
    }
    let out = ints_arg(args, 1)?;
    if out.len() != n {
        return Err(Error::runtime(format!("It is expected output_size equals to {n}, but got size {}", out.len())));
    }
    for d in 0..n + 2 {
        let want = if d < 2 { in_sizes[d] } else { out[d - 2] };
        if t.sizes()[d] != want {
            return Err(Error::runtime(format!(
                "Expected grad_output to have the same shape as output; output.size({d}) = {want} but got grad_output.size({d}) = {}",
                t.sizes()[d]
            )));
        }
    }
    Tensor::zeros(&in_sizes, dtype)?;
    if sconce_tensor::numel(&in_sizes) == Some(0) || t.numel() == 0 {
        return one(Tensor::zeros(&in_sizes, dtype)?);
    }
    let corners = align && bool_arg(args, 3)?;
    let scales = scales(args, if align { 4 } else { 3 }, n, false)?;
    let mut sizes: Sizes = t.sizes().into();
    let mut data = cast::to_vec::<f64>(t)?;
    for d in 0..n {
        let input = in_sizes[d + 2] as usize;
        let list = taps(filter, input, sizes[d + 2] as usize, corners, scales[d]);
        data = apply(&data, &mut sizes, d + 2, &list, input, true);
    }
    in_format(t, cast::from_vec(data, &in_sizes, dtype)?)
}

/// With sizes, with factors, and the gradient.
macro_rules! kernels {
    ($($filter:ident $align:literal: $sized:ident, $scaled:ident $(, $backward:ident)?;)*) => { $(
        pub fn $sized(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
            resize(call, args, Filter::$filter, $align, false)
        }
        pub fn $scaled(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
            resize(call, args, Filter::$filter, $align, true)
        }
        $(pub fn $backward(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
            resize_backward(call, args, Filter::$filter, $align)
        })?
    )* };
}
kernels! {
    Nearest false: nearest, nearest_vec, nearest_backward;
    NearestExact false: nearest_exact, nearest_exact_vec, nearest_exact_backward;
    Linear true: linear, linear_vec, linear_backward;
    Cubic true: cubic_sized, cubic_vec, cubic_backward;
    SmoothLinear true: smooth_linear, smooth_linear_vec, smooth_linear_backward;
    SmoothCubic true: smooth_cubic, smooth_cubic_vec, smooth_cubic_backward;
    SmoothLanczos true: smooth_lanczos, smooth_lanczos_vec;
}

pub fn pixel_shuffle(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let r = int_arg(args, 1)?;
    let n = t.dim();
    let lead = n - 3;
    let mut split: Sizes = t.sizes()[..lead].into();
    split.extend([sizes[n - 3], r, r, t.sizes()[n - 2], t.sizes()[n - 1]]);
    let mut order: Vec<usize> = (0..lead).collect();
    order.extend([lead, lead + 3, lead + 1, lead + 4, lead + 2]);
    in_format_of(reshape(&permute(&reshape(t, &split)?, &order)?, &sizes)?, t)
}

pub fn pixel_unshuffle(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let r = int_arg(args, 1)?;
    let n = t.dim();
    let lead = n - 3;
    let mut split: Sizes = t.sizes()[..lead].into();
    split.extend([t.sizes()[n - 3], sizes[n - 2], r, sizes[n - 1], r]);
    let mut order: Vec<usize> = (0..lead).collect();
    order.extend([lead, lead + 2, lead + 4, lead + 1, lead + 3]);
    fresh(reshape(&permute(&reshape(t, &split)?, &order)?, &sizes)?, t)
}

pub fn channel_shuffle(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let g = int_arg(args, 1)?;
    if t.numel() == 0 {
        return Ok(smallvec![IValue::Tensor(t.as_strided(t.sizes(), t.strides(), t.storage_offset())?)]);
    }
    let mut split: Sizes = smallvec![t.sizes()[0], g, t.sizes()[1] / g];
    split.push(t.sizes()[2..].iter().product());
    in_format_of(reshape(&permute(&reshape(t, &split)?, &[0, 2, 1, 3])?, t.sizes())?, t)
}
