//! What comes back through windows, borders, resampling and sampling, and what goes to places that are named: gradients of images, and unpooling.

use sconce_kernels::engine::arguments::{one, result, tensor_arg};
use sconce_kernels::engine::compute::Compute;
use sconce_kernels::engine::elementwise::channels_last_strides;
use sconce_kernels::engine::lanes::{Acc, count, with_acc};
use sconce_kernels::engine::strided_copy::{Table, Tables, for_each};
use sconce_kernels::engine::{cast, elementwise, scratch};
use sconce_kernels::nn::pool::for_each_part;
use sconce_kernels::nn::pool::{channels_last, last, three};
use sconce_kernels::nn::upsample::{Taps, in_format};
use sconce_kernels::{Call, Error, Outputs, kernels};
use sconce_schema::geometry::padding::{Border, Form, Padding};
use sconce_schema::geometry::pool::{self, Divisor};
use sconce_schema::geometry::{Axis, part};
use sconce_schema::resample::{Filter, Resampling};
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::smallvec;
use std::ops::Range;

kernels! {
    avg_pool2d_backward = average_backward, 2; avg_pool3d_backward = average_backward, 3;
    adaptive_avg_pool2d_backward = adaptive_backward, 2; adaptive_avg_pool3d_backward = adaptive_backward, 3;
    max_pool2d_backward = max_backward, 2; max_pool3d_backward = max_backward, 3;
    max_unpool2d = unpool, 2; max_unpool3d = unpool, 3;
    reflection_backward = padding_backward, Border::Reflect; replication_backward = padding_backward, Border::Replicate;
    nearest_backward = resize_backward, Filter::Nearest; nearest_exact_backward = resize_backward, Filter::NearestExact;
    linear_backward = resize_backward, Filter::Linear; cubic_backward = resize_backward, Filter::Cubic;
    smooth_linear_backward = resize_backward, Filter::SmoothLinear;
    smooth_cubic_backward = resize_backward, Filter::SmoothCubic;
}

/// Rows of f64 as a tensor in the memory format that another suggests.
fn laid_out(like: &Tensor, data: Vec<f64>, sizes: &[i64], dtype: DType) -> Result<Outputs, Error> {
    let out = cast::from_vec(data, sizes, dtype)?;
    if !channels_last(like) {
        return one(out);
    }
    let laid = elementwise::empty_strided(sizes, &channels_last_strides(sizes), dtype)?;
    laid.copy_bytes_from(&out)?;
    one(laid)
}

/// Spreads each gradient over its window, whose elements are neighbours, less what it is divided by.
fn spread_out(
    (grad, t): (&Tensor, &Tensor),
    n: usize,
    span: impl Fn(usize, usize) -> Range<usize>,
    divisor: impl Fn(usize, [usize; 3]) -> f64,
) -> Result<Outputs, Error> {
    let (image, windows) = (three(t.sizes(), n), three(grad.sizes(), n));
    let pixels: usize = image.iter().product();
    let g = cast::to_vec::<f64>(grad)?;
    let mut out = vec![0.0; t.numel()];
    let gradients = g.chunks_exact(windows.iter().product::<usize>().max(1));
    for (channel, gradients) in out.chunks_exact_mut(pixels.max(1)).zip(gradients) {
        for_each_part(windows, &span, |i, [zs, ys, xs]| {
            let share = gradients[i] / divisor(i, [zs.len(), ys.len(), xs.len()]);
            for line in zs.flat_map(|z| ys.clone().map(move |y| (z * image[1] + y) * image[2])) {
                channel[line + xs.start..line + xs.end].iter_mut().for_each(|v| *v += share);
            }
        });
    }
    laid_out(t, out, t.sizes(), t.dtype())
}

fn average_backward(call: &Call<'_>, args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let parsed = call.parsed(args, |a| Ok(pool::average(&a[1..], n)?.zip(Divisor::of(&a[1..]))))?;
    let (grad, t) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let f = parsed.0.frame(last(t.sizes(), n), last(grad.sizes(), n));
    let windows = f.each(|a| a.windows);
    let divisor = |i: usize, _| {
        let at = [i / windows[2] / windows[1], i / windows[2] % windows[1], i % windows[2]];
        parsed.1.whole((0..3).map(|d| parsed.1.factor(&f[d], at[d])).product())
    };
    spread_out((grad, t), n, |d, i| Axis::span(&f[d], i), divisor)
}

fn adaptive_backward(_: &Call<'_>, args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let (grad, t) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let (image, parts) = (three(t.sizes(), n), three(grad.sizes(), n));
    spread_out((grad, t), n, |d, i| part(image[d], parts[d], i), |_, taken| taken.iter().product::<usize>() as f64)
}

/// Each value goes to the place its index names: gradients of maxima, and unpooling.
fn scatter(
    values: &Tensor,
    indices: &Tensor,
    like: &Tensor,
    sizes: &[i64],
    n: usize,
    add: bool,
) -> Result<Outputs, Error> {
    let image = last(sizes, n);
    let pixels = count(image);
    let (v, at) = (cast::to_vec::<f64>(values)?, cast::to_vec::<i64>(indices)?);
    let windows = count(last(values.sizes(), n));
    let mut out = cast::to_vec::<f64>(&Tensor::zeros(sizes, DType::F64)?)?;
    // Of several the last is named.
    if let Some(at) = at.iter().rev().find(|at| **at < 0 || **at as usize >= pixels) {
        let volume: Vec<String> = image.iter().map(i64::to_string).collect();
        return Err(Error::runtime(format!(
            "Found an invalid max index: {at} (output volumes are of size {})",
            volume.join("x")
        )));
    }
    for (i, (v, &at)) in v.iter().zip(&at).enumerate() {
        let target = &mut out[i / windows.max(1) * pixels + at as usize];
        *target = if add { *target + v } else { *v };
    }
    laid_out(like, out, sizes, values.dtype())
}

/// The indices are the last argument.
fn max_backward(_: &Call<'_>, args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 1)?;
    scatter(tensor_arg(args, 0)?, tensor_arg(args, args.len() - 1)?, t, t.sizes(), n, true)
}

fn unpool(call: &Call<'_>, args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    scatter(t, tensor_arg(args, 1)?, t, &result(call.metas, 0)?.0, n, false)
}

/// What each element of the input gave to the result comes back to it: (grad_output, self, padding).
fn padding_backward(call: &Call<'_>, args: &[IValue], border: Border) -> Result<Outputs, Error> {
    let padding = call.parsed(args, |a| Padding::of(Form::Backward(border), a))?;
    let (sizes, dtype) = result(call.metas, 0)?;
    let grad = tensor_arg(args, 0)?.contiguous()?;
    let strides = sconce_tensor::contiguous_strides(&sizes);
    let tables: Tables = padding
        .around(sizes.len())
        .enumerate()
        .map(|(d, (before, _))| {
            let mut list = scratch::buffer::<i64>(grad.sizes()[d] as usize);
            let source = |i: i64| border.source(i - before, sizes[d]).unwrap_or(0);
            list.iter_mut().zip(0i64..).for_each(|(to, i)| *to = source(i) * strides[d]);
            Table::List(list)
        })
        .collect();
    with_acc!(dtype, T => {
        let source = cast::to_vec::<T>(&grad)?;
        let mut sum: Vec<T> = vec![T::ZERO; count(&sizes)];
        for_each(&tables, grad.strides(), 0, 0, |from, to| {
            sum[to as usize] = Acc::add(sum[to as usize], source[from as usize]);
        });
        Ok(smallvec![IValue::Tensor(cast::from_vec(sum, &sizes, dtype)?)])
    })
}

/// What each position was made of comes back to it, along a dimension.
fn adjoint(data: &[f64], sizes: &mut [i64], dim: usize, taps: &Taps, input: usize) -> Vec<f64> {
    let (outer, inner) = (count(&sizes[..dim]), count(&sizes[dim + 1..]));
    let mut out = vec![0.0; outer * input * inner];
    let images = data.chunks_exact((taps.len() * inner).max(1)).zip(out.chunks_exact_mut((input * inner).max(1)));
    for (source, target) in images {
        for (o, list) in taps.iter().enumerate() {
            // A weight of zero does not let NaN through only where the element itself is not used.
            for &(i, w) in list {
                let from = &source[o * inner..][..inner];
                target[i * inner..][..inner].iter_mut().zip(from).for_each(|(t, s)| *t += w * s);
            }
        }
    }
    sizes[dim] = input as i64;
    out
}

/// Arguments: gradient, output size, input size, then as forward.
fn resize_backward(call: &Call<'_>, args: &[IValue], filter: Filter) -> Result<Outputs, Error> {
    let (in_sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let n = t.dim() - 2;
    let how = call.parsed(args, |a| Ok(Resampling::of(filter, n, a, 3, false)))?;
    let mut sizes: Sizes = t.sizes().into();
    let mut data = cast::to_vec::<f64>(t)?;
    for d in 0..n {
        let input = in_sizes[d + 2] as usize;
        let taps = how.taps(d, input, sizes[d + 2] as usize).collect();
        data = adjoint(&data, &mut sizes, d + 2, &taps, input);
    }
    one(in_format(t, cast::from_vec(data, &in_sizes, dtype)?)?)
}
