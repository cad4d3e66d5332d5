//! Deformable convolutions: what a kernel element meets in each window is read where offsets say, then windows are multiplied with the weights.

use super::Real;
use crate::engine::arguments::{bool_arg, int_arg, result, tensor_arg};
use crate::engine::cast::{self, Value};
use crate::engine::lanes::reshape;
use crate::engine::rows::Shared;
use crate::engine::{compose, parallel, scratch};
use crate::linalg::batched_gemm::batched;
use crate::{Call, Error, Outputs};
use sconce_schema::geometry::convolution::deformable;
use sconce_schema::geometry::{Axis, Frame};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::smallvec;

/// What a picture's channels are unfolded by.
struct Unfolding {
    windows: Frame,
    channels: usize,
    offset_groups: usize,
}

/// (input, weight, offset, mask, bias, stride ×2, pad ×2, dilation ×2, groups, offset_groups, use_mask).
pub fn deform_conv2d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let out = call.contiguous_output(0, &sizes, dtype)?;
    if out.numel() == 0 {
        return Ok(smallvec![out.into()]);
    }
    let (input, weight, bias) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 4)?);
    let wide = if input.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
    let windows = call.parsed(args, |a| Ok(deformable(a)))?.frame(&input.sizes()[2..], &sizes[2..]);
    let w = Unfolding { windows, channels: input.sizes()[1] as usize, offset_groups: int_arg(args, 12)? as usize };
    let groups = int_arg(args, 11)?;
    let (rows, deep) = (sizes[1] / groups, w.channels as i64 / groups * windows.area() as i64);
    let weight = reshape(&cast::convert(weight, wide)?, &[groups, rows, deep])?;
    let mut columns = Tensor::zeros(&[groups, deep, windows.positions() as i64], wide)?;
    let product = Tensor::zeros(&sizes, wide)?;
    let each = sizes[1..].iter().product::<i64>();
    for picture in 0..sizes[0] {
        match wide {
            DType::F64 => unfold::<f64>(args, picture as usize, &w, &mut columns)?,
            _ => unfold::<f32>(args, picture as usize, &w, &mut columns)?,
        }
        let own = product.as_strided(&sizes[1..], &product.strides()[1..], picture * each)?;
        own.copy_bytes_from(&reshape(&batched(&weight, &columns)?, &sizes[1..])?)?;
    }
    let bias = reshape(bias, &[1, sizes[1], 1, 1])?;
    let product = cast::convert(&product, input.dtype())?;
    let sum = compose::tensor("aten::add.Tensor", &[product.into(), bias.into(), IValue::Int(1)])?;
    cast::convert_into(&out, &sum)?;
    Ok(smallvec![out.into()])
}

/// Four neighbours of a point and their weights.
#[derive(Clone, Copy)]
struct Point<T> {
    at: [usize; 4],
    weights: [T; 4],
    factor: T,
}

/// Writes what every kernel element meets in every window of one picture: rows are channels by kernel elements, columns windows.
fn unfold<T: Real>(args: &[IValue], picture: usize, w: &Unfolding, columns: &mut Tensor) -> Result<(), Error> {
    let one = |i: usize| -> Result<cast::Elements<T>, Error> {
        let t = tensor_arg(args, i)?;
        let start = t.storage_offset() + picture as i64 * t.strides()[0];
        // SAFETY: what is written is the columns alone.
        unsafe { cast::elements::<T>(&t.as_strided(&t.sizes()[1..], &t.strides()[1..], start)?) }
    };
    let (input, offsets) = (one(0)?, one(2)?);
    let mask = if bool_arg(args, 13)? { Some(one(3)?) } else { None };
    // SAFETY: nobody else has the columns.
    let columns = unsafe { columns.as_mut_slice::<T>() }.unwrap_or_default();
    let (f, rows, lines) = (&w.windows, &w.windows[1], &w.windows[2]);
    let (pixels, positions, area) = (f.pixels(), f.positions(), f.area());
    // Behind every channel stands a zero for what lies outside.
    let mut padded = scratch::zeros::<T>(w.channels * (pixels + 1));
    for (to, from) in padded.chunks_exact_mut(pixels + 1).zip(input.chunks_exact(pixels.max(1))) {
        to[..pixels].copy_from_slice(from);
    }
    let padded = &padded[..];
    let channels = w.channels / w.offset_groups;
    let columns = Shared::new(columns);
    let grain = (1usize << 13).div_ceil((channels + 4) * positions);
    parallel::split(w.offset_groups * area, grain, |range| {
        let mut points = scratch::list::<Point<T>>();
        for row in range {
            let (group, element) = (row / area, row % area);
            let offset = |d: usize| &offsets[(2 * row + d) * positions..][..positions];
            let (down, right) = (offset(0), offset(1));
            let factors = mask.as_ref().map(|m| &m[row * positions..][..positions]);
            points.clear();
            points.extend((0..positions).map(|i| {
                let from = |axis: &Axis, window: usize, element: usize| {
                    let at = (window * axis.stride + element * axis.dilation) as i64 - axis.padding as i64;
                    (at as f64).to::<T>()
                };
                let y = from(rows, i / lines.windows, element / lines.kernel) + down[i];
                let x = from(lines, i % lines.windows, element % lines.kernel) + right[i];
                point([y, x], [rows.image, lines.image], factors.map_or(T::one(), |f| f[i]))
            }));
            for channel in group * channels..(group + 1) * channels {
                let plane = &padded[channel * (pixels + 1)..][..pixels + 1];
                let begin = (channel * area + element) * positions;
                let line = columns.part(begin..begin + positions);
                for (to, p) in line.iter_mut().zip(points.iter()) {
                    let [a, b, c, d] = p.at.map(|at| plane[at]);
                    let [t, u, v, x] = p.weights;
                    *to = p.factor * (t * a + u * b + v * c + x * d);
                }
            }
        }
    });
    Ok(())
}

/// A point between four elements; those outside the picture are the zero behind it.
fn point<T: Real>(at: [T; 2], image: [usize; 2], factor: T) -> Point<T> {
    let zero = image[0] * image[1];
    let reaches = |d: usize| at[d] > -T::one() && at[d] < (image[d] as f64).to::<T>();
    if !reaches(0) || !reaches(1) {
        // What is not a number is nowhere, and says so.
        let nowhere = if (at[0] + at[1]).is_nan() { T::nan() } else { T::zero() };
        return Point { at: [zero; 4], weights: [nowhere; 4], factor };
    }
    let low = at.map(|x| x.floor());
    let [y, x] = low.map(|low| low.to::<i64>());
    let ([below, after], one) = ([at[0] - low[0], at[1] - low[1]], T::one());
    let (above, before) = (one - below, one - after);
    let index = |y: i64, x: i64| {
        let inside = y >= 0 && x >= 0 && y < image[0] as i64 && x < image[1] as i64;
        if inside { y as usize * image[1] + x as usize } else { zero }
    };
    Point {
        at: [index(y, x), index(y, x + 1), index(y + 1, x), index(y + 1, x + 1)],
        weights: [above * before, above * after, below * before, below * after],
        factor,
    }
}
