//! Maxima over windows that random samples place: as many as the result has elements, whatever the input's size.

use sconce_kernels::engine::arguments::{arg, ints_arg, result, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::lanes::count;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::smallvec;

/// Where the windows of a dimension begin.
fn starts(sample: f64, input: i64, output: i64, window: i64, narrow: bool) -> Vec<i64> {
    let round = |x: f64| if narrow { f64::from(x as f32) } else { x };
    let mut list = Vec::new();
    if output > 1 {
        let alpha = round((input - window) as f64 / (output - 1) as f64);
        let first = round(sample * alpha) as i64;
        list.extend((0..output - 1).map(|i| round(round(i as f64 + sample) * alpha) as i64 - first));
    }
    if output > 0 {
        list.push(input - window);
    }
    list
}

/// (self, kernel_size, output_size, random_samples) over the last `n` dimensions: the maxima and where they stand.
fn pool(call: &Call<'_>, args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (t, samples) = (tensor_arg(args, 0)?, tensor_arg(args, 3)?);
    let window = ints_arg(args, 1)?;
    let image = &t.sizes()[t.dim() - n..];
    let output = &sizes[sizes.len() - n..];
    let planes = count(&t.sizes()[..t.dim() - n]);
    let random = cast::to_vec::<f64>(samples)?;
    let x = cast::to_vec::<f64>(t)?;
    let pixels = count(image);
    let (mut values, mut places) = (Vec::new(), Vec::new());
    for plane in 0..planes {
        // In two dimensions the samples name the width first; in three the depth.
        let sample = |d: usize| random[plane * n + if n == 2 { n - 1 - d } else { d }];
        let tables: Vec<Vec<i64>> =
            (0..n).map(|d| starts(sample(d), image[d], output[d], window[d], dtype != DType::F64)).collect();
        for o in 0..count(output) {
            let mut corner = vec![0; n];
            let mut rest = o;
            for d in (0..n).rev() {
                corner[d] = tables[d][rest % output[d] as usize];
                rest /= output[d] as usize;
            }
            let (mut best, mut at) = (f64::NEG_INFINITY, 0);
            for w in 0..count(&window) {
                let (mut rest, mut offset, mut step) = (w, 0, 1);
                for d in (0..n).rev() {
                    offset += (corner[d] + (rest as i64 % window[d])) * step;
                    rest /= window[d] as usize;
                    step *= image[d];
                }
                let v = x[plane * pixels + offset as usize];
                if w == 0 {
                    at = offset;
                }
                if v > best || v.is_nan() {
                    (best, at) = (v, offset);
                }
            }
            values.push(best);
            places.push(at);
        }
    }
    Ok(smallvec![cast::from_vec(values, &sizes, dtype)?.into(), cast::from_vec(places, &sizes, DType::I64)?.into()])
}

pub fn pool2d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    pool(call, args, 2)
}

pub fn pool3d(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    pool(call, args, 3)
}

/// (grad_output, self, kernel_size, output_size, indices).
fn backward(args: &[IValue], n: usize) -> Result<Outputs, Error> {
    let (grad, t, indices) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, arg(args, 4)?.as_tensor()?);
    let (pixels, windows) = (count(&t.sizes()[t.dim() - n..]), count(&grad.sizes()[t.dim() - n..]));
    let (g, at) = (cast::to_vec::<f64>(grad)?, cast::to_vec::<i64>(indices)?);
    let mut out = vec![0.0; t.numel()];
    for (i, (g, at)) in g.iter().zip(at).enumerate() {
        let place = usize::try_from(at).ok().filter(|at| *at < pixels).map(|at| i / windows.max(1) * pixels + at);
        let target = place.and_then(|p| out.get_mut(p));
        *target.ok_or_else(|| Error::runtime(format!("an index of {at} is not below {pixels}")))? += g;
    }
    let out: Tensor = cast::from_vec(out, t.sizes(), t.dtype())?;
    Ok(smallvec![out.into()])
}

pub fn backward2d(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    backward(args, 2)
}

pub fn backward3d(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    backward(args, 3)
}
