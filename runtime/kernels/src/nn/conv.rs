//! Convolutions: floats by [`sconce_gemm`], other types as matrix products over unfolded windows; transposed ones as the adjoint.

use crate::engine::arguments::{one, optional_tensor, result, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::cast;
use crate::engine::lanes::{count, reshape, transposed};
use crate::engine::rows::{Work, with_work};
use crate::linalg::batched_gemm::batched;
use crate::linalg::packed_factor::{PackedFactor, packed_factor};
use crate::pointwise::in_place::InPlace;
use crate::{Call, Error, Outputs};
use num_complex::Complex;
use sconce_gemm::implicit_gemm;
use sconce_gemm::padded::{Filters, Images, Ready, fits};
use sconce_gemm::transposed::{convolve_transposed, runs};
use sconce_gemm::{Done, depthwise, direct, winograd};
use sconce_schema::geometry::Frame;
use sconce_schema::geometry::convolution::{Convolution, Form, blocks};
use sconce_schema::shape::args::all_known;
use sconce_schema::shape::{Meta, ShapeError, Size as Dim};
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::SmallVec;
use std::sync::Arc;

kernels! {
    /// `conv1d`, `conv2d`, `conv3d`.
    conv = run, Form::Plain;
    conv_padding = run, Form::Named;
    /// `conv_transpose1d` and its siblings.
    conv_transpose = run, Form::Transposed;
    /// `convolution` and `_convolution`.
    convolution = run, Form::General;
}

/// Calls `f(row, position, pixel)` for every kernel element and window that meet a pixel of one channel.
fn for_each(f: &Frame, mut visit: impl FnMut(usize, usize, usize)) {
    for row in 0..f.area() {
        for met in runs(f, row) {
            let first = met.line * f[2].image + met.column;
            met.windows.enumerate().for_each(|(i, position)| visit(row, position, first + i * f[2].stride));
        }
    }
}

/// Windows of channels side by side: `[channels * area, positions]` from `[channels, pixels]`.
pub fn unfold<T: Work>(image: &[T], channels: usize, f: &Frame) -> Vec<T> {
    let (area, positions, pixels) = (f.area(), f.positions(), f.pixels());
    let mut columns = vec![T::default(); channels * area * positions];
    for_each(f, |row, position, pixel| {
        for c in 0..channels {
            columns[(c * area + row) * positions + position] = image[c * pixels + pixel];
        }
    });
    columns
}

/// The adjoint: every window's elements are added to the pixels they came from.
pub fn fold<T: Sum>(columns: &[T], channels: usize, f: &Frame) -> Vec<T> {
    let (area, positions, pixels) = (f.area(), f.positions(), f.pixels());
    let mut image = vec![T::default(); channels * pixels];
    for_each(f, |row, position, pixel| {
        for c in 0..channels {
            let target = &mut image[c * pixels + pixel];
            *target = target.plus(columns[(c * area + row) * positions + position]);
        }
    });
    image
}

/// Addition in the type that is worked in; integers wrap.
pub trait Sum: Work {
    fn plus(self, other: Self) -> Self;
}
macro_rules! sums {
    ($($t:ty: $plus:expr),*) => { $(
        impl Sum for $t {
            fn plus(self, other: $t) -> $t {
                let plus: fn($t, $t) -> $t = $plus;
                plus(self, other)
            }
        }
    )* };
}
sums!(f32: |a, b| a + b, f64: |a, b| a + b, Complex<f64>: |a, b| a + b, i64: i64::wrapping_add);

/// A product of matrices given as row-major data.
pub fn product<T: Work>(
    a: Vec<T>,
    a_sizes: [usize; 2],
    turn: (bool, bool),
    b: Vec<T>,
    b_sizes: [usize; 2],
) -> Result<Vec<T>, Error> {
    let make = |data: Vec<T>, s: [usize; 2], turn: bool| {
        let t = Tensor::from_vec(data, &[s[0] as i64, s[1] as i64]);
        if turn { transposed(&t) } else { Ok(t) }
    };
    Ok(batched(&make(a, a_sizes, turn.0)?, &make(b, b_sizes, turn.1)?)?.to_vec::<T>())
}

/// How windows lie over the image: the input, or what a transposed one gives.
pub fn frame(s: &Convolution, x: &[i64], out: &[i64]) -> Frame {
    let (image, windows) = if s.transposed { (out, x) } else { (x, out) };
    s.windows.frame(&image[2..], &windows[2..])
}

/// Floats: `x` is `[batch, channels, ..]`, `out` row-major with `sizes`, of f32 if it is finished. Says whether it could.
fn convolve_floats(
    out: &Tensor,
    x: &Tensor,
    w: &Tensor,
    bias: Option<&Tensor>,
    s: &Convolution,
    sizes: &[i64],
    finish: Option<&InPlace>,
) -> Result<bool, Error> {
    let dtype = x.dtype();
    let n = sizes.len() - 2;
    if w.dtype() != dtype || bias.is_some_and(|b| b.dtype() != dtype || b.dim() != 1) {
        return Ok(false);
    }
    if dtype.is_float() && dtype.size() < 4 {
        let wide = |t: &Tensor| cast::convert(t, DType::F32);
        let bias = bias.map(wide).transpose()?;
        // SAFETY: every element is written.
        let single = unsafe { Tensor::uninit(sizes, DType::F32) }?;
        let done = convolve_floats(&single, &wide(x)?, &wide(w)?, bias.as_ref(), s, sizes, None)?;
        if done {
            cast::convert_into(&out.as_strided(sizes, single.strides(), out.storage_offset())?, &single)?;
        }
        return Ok(done);
    }
    // Pixels of a transposed convolution are a matrix, and weights always are.
    let x = if s.transposed { x.contiguous()? } else { x.clone() };
    let w = w.contiguous()?;
    let f = frame(s, x.sizes(), sizes);
    let batch = x.sizes()[0] as usize;
    let groups = s.groups as usize;
    let (channels, rows) = (x.sizes()[1] as usize / groups, sizes[1] as usize / groups);
    if f.0.iter().any(|a| a.image * a.kernel * a.windows == 0) || batch * channels * rows == 0 {
        return Ok(false);
    }
    if !s.transposed && !fits(&f, batch.saturating_mul(channels).saturating_mul(groups), out.numel()) {
        return Ok(false);
    }
    // The values of all windows' elements are the largest thing a transposed convolution makes.
    let columns = f.area().saturating_mul(rows).saturating_mul(f.positions());
    if s.transposed && columns > 1 << 26 {
        Tensor::zeros(&[i64::try_from(columns).unwrap_or(i64::MAX)], dtype)?;
    }
    let mut strides = [x.strides()[0] as isize, x.strides()[1] as isize, 0, 0, 0];
    for d in 0..n {
        strides[5 - n + d] = x.strides()[d + 2] as isize;
    }
    let bias = bias.map(Tensor::contiguous).transpose()?;
    // SAFETY: what is complete is a part of the result, which is fresh.
    let finished = |done: Done<f32>| finish.iter().for_each(|f| unsafe { f.finish(&done) });
    let finished = finish.map(|f| f.as_finish(&finished));
    let shape = Shape { frame: &f, groups, channels, rows };
    macro_rules! go {
        ($t:ty, $direct:expr, $finish:expr) => {
            go!($t, $direct, $finish, Ready::Nothing)
        };
        ($t:ty, $direct:expr, $finish:expr, $ready:expr) => {{
            let images = Images { data: x.data_ptr::<$t>().cast_const(), strides, batch, groups, channels };
            let (weights, out) = (w.data_ptr::<$t>().cast_const(), out.data_ptr::<$t>());
            let bias = bias.as_ref().map(|b| b.data_ptr::<$t>().cast_const());
            let filters = Filters { weights, bias, rows, ready: $ready, finish: $finish };
            // SAFETY: the rule has compared the sizes of all four; the result is fresh.
            unsafe {
                if s.transposed {
                    convolve_transposed(&images, &f, &filters, out);
                } else {
                    $direct(&images, &f, &filters, out);
                }
            }
        }};
    }
    match dtype {
        DType::F32 if depthwise::takes(&f, channels, rows) => go!(f32, depthwise::convolve, finished),
        DType::F32 if winograd::takes(&f, batch, channels, rows) => {
            let kernels = if s.transposed { None } else { shape.transformed(&w) };
            let ready = kernels
                .as_ref()
                .map_or(Ready::Nothing, |k| Ready::Transformed(k.kernels.data_ptr::<f32>().cast_const()));
            go!(f32, winograd::convolve, finished, ready);
        }
        DType::F32 => {
            let packed = if s.transposed { None } else { shape.packed(&w)? };
            let ready = packed.as_ref().map_or(Ready::Nothing, |p| Ready::Panels(p.panels));
            go!(f32, implicit_gemm::convolve, finished, ready);
        }
        DType::F64 => go!(f64, implicit_gemm::convolve_f64, None),
        _ => return Ok(false),
    }
    Ok(true)
}

/// What convolves: channels and results of a group.
struct Shape<'a> {
    frame: &'a Frame,
    groups: usize,
    channels: usize,
    rows: usize,
}

/// Kernels of so many groups as [`winograd::transform`] makes them.
struct Transformed {
    kernels: Tensor,
    groups: usize,
}

impl Shape<'_> {
    /// Weights that somebody relies on, transformed once.
    fn transformed(&self, w: &Tensor) -> Option<Arc<Transformed>> {
        let Shape { frame, groups, channels, rows } = *self;
        let made = w.derived(|w| {
            let elements = i64::try_from(winograd::transformed(frame, groups, channels, rows)?).ok()?;
            let kernels = Tensor::zeros(&[elements], DType::F32).ok()?;
            // SAFETY: contiguous weights of these channels and rows; the memory is fresh.
            unsafe { winograd::transform(frame, groups, [channels, rows], w.data_ptr::<f32>(), kernels.data_ptr()) };
            Some(Transformed { kernels, groups })
        });
        // Another convolution may share the weights.
        made.filter(|made| made.groups == groups)
    }

    /// Weights that somebody relies on, packed once, where a way convolves by them.
    fn packed(&self, w: &Tensor) -> Result<Option<Arc<PackedFactor<f32>>>, Error> {
        let Shape { frame, groups, channels, rows } = *self;
        if !direct::takes(frame, groups, channels, rows) {
            return Ok(None);
        }
        let k = (channels * frame.area()) as i64;
        Ok(packed_factor(&w.as_strided(&[k, rows as i64], &[1, k], w.storage_offset())?))
    }
}

/// `x` is `[batch, channels, ..]`; the result has `sizes`.
fn convolve(x: &Tensor, w: &Tensor, bias: Option<&Tensor>, s: &Convolution, sizes: &[i64]) -> Result<Tensor, Error> {
    let dtype = x.dtype();
    let groups = s.groups as usize;
    let (batch, cin, cout) = (x.sizes()[0] as usize, x.sizes()[1] as usize, sizes[1] as usize);
    let f = frame(s, x.sizes(), sizes);
    Tensor::zeros(sizes, dtype)?;
    // The unfolded windows are the largest thing here: their size is checked by the allocator.
    Tensor::zeros(&[(cin.max(cout) / groups.max(1)) as i64, f.area() as i64, f.positions() as i64], DType::U8)?;
    let (gin, gout) = (cin / groups, cout / groups);
    with_work!(dtype, T => {
        let (xv, wv) = (cast::to_vec::<T>(x)?, cast::to_vec::<T>(w)?);
        let biases = bias.map(cast::to_vec::<T>).transpose()?;
        let in_pixels = count(&x.sizes()[2..]);
        let out_pixels = count(&sizes[2..]);
        let mut data: Vec<T> = Vec::with_capacity(batch * cout * out_pixels);
        let per_group = wv.len() / groups;
        for b in 0..batch {
            for group in 0..groups {
                let input = &xv[(b * cin + group * gin) * in_pixels..][..gin * in_pixels];
                let weights = wv[group * per_group..][..per_group].to_vec();
                let block = if s.transposed {
                    // [gin, gout * area]^T times [gin, positions], folded.
                    let columns = product(weights, [gin, gout * f.area()], (true, false), input.to_vec(), [gin, in_pixels])?;
                    fold(&columns, gout, &f)
                } else {
                    let columns = unfold(input, gin, &f);
                    product(weights, [gout, gin * f.area()], (false, false), columns, [gin * f.area(), out_pixels])?
                };
                data.extend(block);
            }
        }
        if let Some(biases) = biases {
            for (i, v) in data.iter_mut().enumerate() {
                *v = v.plus(biases[i / out_pixels.max(1) % cout]);
            }
        }
        cast::from_vec(data, sizes, dtype)
    })
}

fn lift(t: &Tensor) -> Result<Tensor, Error> {
    let (mut sizes, mut strides): (Sizes, Sizes) = (t.sizes().into(), t.strides().into());
    sizes.insert(0, 1);
    strides.insert(0, 0);
    Ok(t.as_strided(&sizes, &strides, t.storage_offset())?)
}

/// Convolves a batched or unbatched input; the rule has checked everything.
fn run(call: &Call<'_>, args: &[IValue], form: Form) -> Result<Outputs, Error> {
    let (out, _) = convolved(call, args, form, |_| Ok(None))?;
    one(out)
}

/// The same with results that go through what `after` gives for their tensor; says whether they did.
pub(crate) fn convolved(
    call: &Call<'_>,
    args: &[IValue],
    form: Form,
    after: impl FnOnce(&Tensor) -> Result<Option<InPlace>, Error>,
) -> Result<(Tensor, bool), Error> {
    let s = &*call.parsed(args, |a| Convolution::of(form, a))?;
    let (sizes, dtype) = result(call.metas, 0)?;
    let (x, w, bias) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, optional_tensor(args, 2)?);
    let lifted = if x.dim() + 1 == w.dim() { Some(lift(x)?) } else { None };
    let mut full = sizes.clone();
    if lifted.is_some() {
        full.insert(0, 1);
    }
    let x = lifted.as_ref().unwrap_or(x);
    let out = call.contiguous_output(0, &sizes, dtype)?;
    if x.dtype() == dtype {
        let finish = after(&out)?;
        if convolve_floats(&out, x, w, bias, s, &full, finish.as_ref())? {
            let finished = finish.is_some();
            finish.map_or(Ok(()), InPlace::end)?;
            return Ok((out, finished));
        }
    }
    let plain = convolve(x, w, bias, s, &full)?;
    cast::convert_into(&out, &reshape(&plain, &sizes)?)?;
    Ok((out, false))
}

/// The blocks over an image of these sizes that are a column each.
fn columns_over(a: &[Meta], at: [usize; 4], image: &[i64]) -> Result<Option<Frame>, ShapeError> {
    let over: SmallVec<[Dim; 6]> = image.iter().map(|s| Dim::Known(*s)).collect();
    Ok(blocks(a, at)?.and_then(|b| Some(b.frame(image, &all_known(&b.counts(&over))?))))
}

/// `torch.nn.functional.unfold`.
pub fn im2col(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let n = t.dim();
    let f = &*call.parsed(args, |a| columns_over(a, [1, 2, 3, 4], t.sizes()))?;
    let channels = t.sizes()[n - 3] as usize;
    Tensor::zeros(&sizes, DType::U8)?;
    with_work!(dtype, T => {
        let data = cast::to_vec::<T>(t)?;
        let mut out = Vec::new();
        for image in data.chunks_exact((channels * f.pixels()).max(1)) {
            out.extend(unfold(image, channels, f));
        }
        one(cast::from_vec(out, &sizes, dtype)?)
    })
}

/// `torch.nn.functional.fold`.
pub fn col2im(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let f = &*call.parsed(args, |a| columns_over(a, [2, 3, 4, 5], &sizes))?;
    let channels = sizes[sizes.len() - 3] as usize;
    Tensor::zeros(&sizes, DType::U8)?;
    with_work!(dtype, T => {
        let data = cast::to_vec::<T>(t)?;
        let mut out = Vec::new();
        for columns in data.chunks_exact((channels * f.area() * f.positions()).max(1)) {
            out.extend(fold(columns, channels, f));
        }
        one(cast::from_vec(out, &sizes, dtype)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sconce_schema::geometry::Axis;

    #[test]
    fn folding_is_the_adjoint_of_unfolding() {
        let line = Axis { image: 3, kernel: 2, stride: 1, padding: 1, dilation: 1, windows: 4 };
        let column = Axis { image: 4, stride: 2, padding: 0, windows: 2, ..line };
        let f = Frame([Axis::ONE, line, column]);
        let image: Vec<f64> = (0..12).map(f64::from).collect();
        let columns: Vec<f64> = (0..32).map(|i| f64::from(i * 7 % 11)).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let left = dot(&unfold(&image, 1, &f), &columns);
        let right = dot(&image, &fold(&columns, 1, &f));
        assert_eq!(left, right);
    }
}
