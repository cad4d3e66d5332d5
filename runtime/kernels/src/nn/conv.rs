//! Convolutions: floats by [`crate::nn::implicit_gemm`], other types and gradients as matrix products over unfolded windows; transposed ones as the adjoint.

use crate::engine::arguments::one;
use crate::engine::arguments::{arg, bool_arg, int_arg, ints_arg, optional_tensor, result, tensor_arg};
use crate::engine::cast::{self, Value};
use crate::engine::lanes::permute;
use crate::engine::lanes::{reshape, transposed};
use crate::linalg::batched_gemm::batched;
use crate::nn::implicit_gemm::{self, Frame, Images, convolve_transposed, fits};
use crate::{Call, Error, Outputs};
use num_complex::Complex;
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::smallvec;

/// How windows lie over an image. All lists have one value per spatial dimension.
#[derive(Clone, Debug)]
struct Geometry {
    image: Sizes,
    kernel: Sizes,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    /// Number of windows.
    windows: Sizes,
}

/// The pixel that element `k` of window `i` meets; far outside when it does not fit 64 bits.
fn place(i: i64, stride: i64, padding: i64, k: i64, dilation: i64) -> i64 {
    i.saturating_mul(stride).saturating_sub(padding).saturating_add(k.saturating_mul(dilation))
}

impl Geometry {
    fn area(&self) -> usize {
        crate::engine::lanes::count(&self.kernel)
    }
    fn positions(&self) -> usize {
        crate::engine::lanes::count(&self.windows)
    }
    fn pixels(&self) -> usize {
        crate::engine::lanes::count(&self.image)
    }
    /// Calls `f(row, position, pixel)` for every kernel element and window that meet a pixel of one channel.
    fn for_each(&self, mut f: impl FnMut(usize, usize, usize)) {
        let n = self.image.len();
        let mut k = vec![0i64; n];
        for row in 0..self.area() {
            let mut rest = row as i64;
            for d in (0..n).rev() {
                k[d] = rest % self.kernel[d];
                rest /= self.kernel[d];
            }
            let mut w = vec![0i64; n];
            let positions = self.positions();
            let mut position = 0;
            while position < positions {
                // All but the last dimension decide the line of pixels.
                let mut line = 0i64;
                let mut inside = true;
                for d in 0..n - 1 {
                    let at = place(w[d], self.stride[d], self.padding[d], k[d], self.dilation[d]);
                    inside &= (0..self.image[d]).contains(&at);
                    line = line.saturating_mul(self.image[d]).saturating_add(at);
                }
                let last = n - 1;
                if inside {
                    for i in 0..self.windows[last] {
                        let at = place(i, self.stride[last], self.padding[last], k[last], self.dilation[last]);
                        if (0..self.image[last]).contains(&at) {
                            f(row, position + i as usize, (line * self.image[last] + at) as usize);
                        }
                    }
                }
                position += self.windows[last] as usize;
                for d in (0..last).rev() {
                    w[d] += 1;
                    if w[d] < self.windows[d] {
                        break;
                    }
                    w[d] = 0;
                }
            }
        }
    }
}

/// Windows of channels side by side: `[channels * area, positions]` from `[channels, pixels]`.
fn unfold<T: Value>(image: &[T], channels: usize, g: &Geometry, zero: T) -> Vec<T> {
    let (area, positions, pixels) = (g.area(), g.positions(), g.pixels());
    let mut columns = vec![zero; channels * area * positions];
    g.for_each(|row, position, pixel| {
        for c in 0..channels {
            columns[(c * area + row) * positions + position] = image[c * pixels + pixel];
        }
    });
    columns
}

/// The adjoint: every window's elements are added to the pixels they came from.
fn fold<T: Value>(columns: &[T], channels: usize, g: &Geometry, zero: T, add: impl Fn(T, T) -> T) -> Vec<T> {
    let (area, positions, pixels) = (g.area(), g.positions(), g.pixels());
    let mut image = vec![zero; channels * pixels];
    g.for_each(|row, position, pixel| {
        for c in 0..channels {
            let target = &mut image[c * pixels + pixel];
            *target = add(*target, columns[(c * area + row) * positions + position]);
        }
    });
    image
}

/// The type products are computed in.
fn work(d: DType) -> DType {
    match d {
        DType::F64 => DType::F64,
        d if d.is_float() => DType::F32,
        d if d.is_complex() => DType::C128,
        _ => DType::I64,
    }
}

macro_rules! with_work {
    ($dtype:expr, $t:ident => $body:expr) => {
        match work($dtype) {
            DType::F32 => {
                type $t = f32;
                $body
            }
            DType::F64 => {
                type $t = f64;
                $body
            }
            DType::C128 => {
                type $t = Complex<f64>;
                $body
            }
            _ => {
                type $t = i64;
                $body
            }
        }
    };
}

/// Addition that wraps for integers.
trait Sum: Value {
    const ZERO: Self;
    fn plus(self, other: Self) -> Self;
}
impl Sum for f32 {
    const ZERO: f32 = 0.0;
    fn plus(self, other: f32) -> f32 {
        self + other
    }
}
impl Sum for f64 {
    const ZERO: f64 = 0.0;
    fn plus(self, other: f64) -> f64 {
        self + other
    }
}
impl Sum for i64 {
    const ZERO: i64 = 0;
    fn plus(self, other: i64) -> i64 {
        self.wrapping_add(other)
    }
}
impl Sum for Complex<f64> {
    const ZERO: Self = Complex::new(0.0, 0.0);
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

/// A convolution's settings, one value per spatial dimension.
struct Settings {
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    groups: usize,
}

fn spread(list: Sizes, n: usize) -> Sizes {
    if list.len() == 1 { smallvec![list[0]; n] } else { list }
}

/// A product of matrices given as row-major data.
fn product<T: Value>(
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

/// Floats: `x` is `[batch, channels, ..]`, `out` row-major with `sizes`. Says whether it could.
fn convolve_floats(
    out: &Tensor,
    x: &Tensor,
    w: &Tensor,
    bias: Option<&Tensor>,
    s: &Settings,
    sizes: &[i64],
) -> Result<bool, Error> {
    let dtype = x.dtype();
    let n = sizes.len() - 2;
    if n > 3 || w.dtype() != dtype || bias.is_some_and(|b| b.dtype() != dtype || b.dim() != 1) {
        return Ok(false);
    }
    if dtype.is_float() && dtype.size() < 4 {
        let wide = |t: &Tensor| cast::convert(t, DType::F32);
        let bias = bias.map(wide).transpose()?;
        // SAFETY: every element is written.
        let single = unsafe { Tensor::uninit(sizes, DType::F32) }?;
        let done = convolve_floats(&single, &wide(x)?, &wide(w)?, bias.as_ref(), s, sizes)?;
        if done {
            cast::convert_into(&out.as_strided(sizes, single.strides(), out.storage_offset())?, &single)?;
        }
        return Ok(done);
    }
    // Pixels of a transposed convolution are a matrix, and weights always are.
    let x = if s.transposed { x.contiguous()? } else { x.clone() };
    let w = w.contiguous()?;
    let three = |list: &[i64], missing: usize| -> [usize; 3] {
        std::array::from_fn(|d| (d + n).checked_sub(3).map_or(missing, |d| usize::try_from(list[d]).unwrap_or(0)))
    };
    let (image, windows) = if s.transposed { (&sizes[2..], &x.sizes()[2..]) } else { (&x.sizes()[2..], &sizes[2..]) };
    let f = Frame {
        image: three(image, 1),
        kernel: three(&w.sizes()[2..], 1),
        stride: three(&s.stride, 1),
        padding: three(&s.padding, 0),
        dilation: three(&s.dilation, 1),
        windows: three(windows, 1),
    };
    let batch = x.sizes()[0] as usize;
    let (channels, rows) = (x.sizes()[1] as usize / s.groups, sizes[1] as usize / s.groups);
    let lengths = [f.image, f.kernel, f.stride, f.dilation, f.windows];
    if lengths.iter().flatten().chain(&[batch, channels, rows]).any(|n| *n == 0) {
        return Ok(false);
    }
    if !s.transposed && !fits(&f, batch.saturating_mul(channels).saturating_mul(s.groups), out.numel()) {
        return Ok(false);
    }
    // The values of all windows' elements are the largest thing a transposed convolution makes.
    let area = crate::engine::lanes::count(&w.sizes()[2..]).saturating_mul(rows);
    let columns = area.saturating_mul(f.windows.iter().product());
    if s.transposed && columns > 1 << 26 {
        Tensor::zeros(&[i64::try_from(columns).unwrap_or(i64::MAX)], dtype)?;
    }
    let mut strides = [x.strides()[0] as isize, x.strides()[1] as isize, 0, 0, 0];
    for d in 0..n {
        strides[5 - n + d] = x.strides()[d + 2] as isize;
    }
    let bias = bias.map(Tensor::contiguous).transpose()?;
    macro_rules! go {
        ($t:ty) => {{
            let images = Images { data: x.data_ptr::<$t>().cast_const(), strides, batch, groups: s.groups, channels };
            let (weights, out) = (w.data_ptr::<$t>().cast_const(), out.data_ptr::<$t>());
            let bias = bias.as_ref().map(|b| b.data_ptr::<$t>().cast_const());
            // SAFETY: the rule has compared the sizes of all four; the result is fresh.
            unsafe {
                if s.transposed {
                    convolve_transposed(&images, &f, weights, bias, rows, out);
                } else {
                    implicit_gemm::convolve(&images, &f, weights, bias, rows, out);
                }
            }
        }};
    }
    match dtype {
        DType::F32 => go!(f32),
        DType::F64 => go!(f64),
        _ => return Ok(false),
    }
    Ok(true)
}

/// `x` is `[batch, channels, ..]`; the result has `sizes`.
fn convolve(x: &Tensor, w: &Tensor, bias: Option<&Tensor>, s: &Settings, sizes: &[i64]) -> Result<Tensor, Error> {
    let dtype = x.dtype();
    let groups = s.groups;
    let (batch, cin, cout) = (x.sizes()[0] as usize, x.sizes()[1] as usize, sizes[1] as usize);
    let (image, windows) = if s.transposed { (&sizes[2..], &x.sizes()[2..]) } else { (&x.sizes()[2..], &sizes[2..]) };
    let g = Geometry {
        image: image.into(),
        kernel: w.sizes()[2..].into(),
        stride: s.stride.clone(),
        padding: s.padding.clone(),
        dilation: s.dilation.clone(),
        windows: windows.into(),
    };
    Tensor::zeros(sizes, dtype)?;
    // The unfolded windows are the largest thing here: their size is checked by the allocator.
    Tensor::zeros(&[(cin.max(cout) / groups.max(1)) as i64, g.area() as i64, g.positions() as i64], DType::U8)?;
    let (gin, gout) = (cin / groups, cout / groups);
    with_work!(dtype, T => {
        let (xv, wv) = (cast::to_vec::<T>(x)?, cast::to_vec::<T>(w)?);
        let biases = bias.map(cast::to_vec::<T>).transpose()?;
        let in_pixels = crate::engine::lanes::count(&x.sizes()[2..]);
        let out_pixels = crate::engine::lanes::count(&sizes[2..]);
        let mut data: Vec<T> = Vec::with_capacity(batch * cout * out_pixels);
        let per_group = wv.len() / groups;
        for b in 0..batch {
            for group in 0..groups {
                let input = &xv[(b * cin + group * gin) * in_pixels..][..gin * in_pixels];
                let weights = wv[group * per_group..][..per_group].to_vec();
                let block = if s.transposed {
                    // [gin, gout * area]^T times [gin, positions], folded.
                    let columns = product(weights, [gin, gout * g.area()], (true, false), input.to_vec(), [gin, in_pixels])?;
                    fold(&columns, gout, &g, T::ZERO, T::plus)
                } else {
                    let columns = unfold(input, gin, &g, T::ZERO);
                    product(weights, [gout, gin * g.area()], (false, false), columns, [gin * g.area(), out_pixels])?
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
fn run(call: &Call<'_>, args: &[IValue], s: &Settings) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (x, w, bias) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, optional_tensor(args, 2)?);
    let lifted = if x.dim() + 1 == w.dim() { Some(lift(x)?) } else { None };
    let mut full = sizes.clone();
    if lifted.is_some() {
        full.insert(0, 1);
    }
    let x = lifted.as_ref().unwrap_or(x);
    let out = call.contiguous_output(0, &sizes, dtype)?;
    if x.dtype() == dtype && convolve_floats(&out, x, w, bias, s, &full)? {
        return one(out);
    }
    let plain = convolve(x, w, bias, s, &full)?;
    cast::convert_into(&out, &reshape(&plain, &sizes)?)?;
    one(out)
}

fn spatial(args: &[IValue]) -> Result<usize, Error> {
    let rank = tensor_arg(args, 1)?.dim();
    rank.checked_sub(2).ok_or_else(|| Error::runtime(format!("a weight of rank {rank} has no spatial dimensions")))
}

/// `conv1d`, `conv2d`, `conv3d`.
pub fn conv(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let n = spatial(args)?;
    let s = Settings {
        stride: spread(ints_arg(args, 3)?, n),
        padding: spread(ints_arg(args, 4)?, n),
        dilation: spread(ints_arg(args, 5)?, n),
        transposed: false,
        groups: int_arg(args, 6)? as usize,
    };
    run(call, args, &s)
}

/// `padding="same"` puts the odd element of padding on the right.
pub fn conv_padding(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let n = spatial(args)?;
    let dilation = spread(ints_arg(args, 5)?, n);
    let kernel = &tensor_arg(args, 1)?.sizes()[2..];
    let same = arg(args, 4)?.as_str()? == "same";
    let padding = dilation.iter().zip(kernel).map(|(d, k)| if same { d * (k - 1) / 2 } else { 0 }).collect();
    let s = Settings {
        stride: spread(ints_arg(args, 3)?, n),
        padding,
        dilation,
        transposed: false,
        groups: int_arg(args, 6)? as usize,
    };
    run(call, args, &s)
}

/// `conv_transpose1d` and its siblings.
pub fn conv_transpose(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let n = spatial(args)?;
    let s = Settings {
        stride: spread(ints_arg(args, 3)?, n),
        padding: spread(ints_arg(args, 4)?, n),
        dilation: spread(ints_arg(args, 7)?, n),
        transposed: true,
        groups: int_arg(args, 6)? as usize,
    };
    run(call, args, &s)
}

/// `convolution` and `_convolution`.
pub fn convolution(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let n = spatial(args)?;
    let s = Settings {
        stride: spread(ints_arg(args, 3)?, n),
        padding: spread(ints_arg(args, 4)?, n),
        dilation: spread(ints_arg(args, 5)?, n),
        transposed: bool_arg(args, 6)?,
        groups: int_arg(args, 8)? as usize,
    };
    run(call, args, &s)
}

/// Gradients of input, weight and bias.
pub fn convolution_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (grad, x, w) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let n = w.dim().saturating_sub(2);
    let turned = bool_arg(args, 7)?;
    let groups = int_arg(args, 9)? as usize;
    let wanted: Vec<bool> =
        arg(args, 10)?.as_list()?.read().iter().map(|v| Ok(v.as_int_or_bool()? != 0)).collect::<Result<_, Error>>()?;
    let dtype = x.dtype();
    if wanted.len() != 3 || n == 0 || x.dim() != w.dim() || grad.dim() != w.dim() {
        return Err(Error::runtime(
            "convolution_backward: input, weight and gradient must have the same number of dimensions",
        ));
    }
    let (image, windows) = if turned { (grad, x) } else { (x, grad) };
    let g = Geometry {
        image: image.sizes()[2..].into(),
        kernel: w.sizes()[2..].into(),
        stride: spread(ints_arg(args, 4)?, n),
        padding: spread(ints_arg(args, 5)?, n),
        dilation: spread(ints_arg(args, 6)?, n),
        windows: windows.sizes()[2..].into(),
    };
    let (batch, cin, cout) = (x.sizes()[0] as usize, x.sizes()[1] as usize, grad.sizes()[1] as usize);
    let (rows, columns) = if turned { (cin, cout) } else { (cout, cin) };
    if groups == 0
        || w.sizes()[0] as usize != rows
        || w.sizes()[1] as usize * groups != columns
        || cin % groups != 0
        || cout % groups != 0
        || grad.sizes()[0] as usize != batch
        || [&g.stride, &g.padding, &g.dilation].iter().any(|l| l.len() != n)
        || g.stride.iter().chain(&g.dilation).any(|v| *v <= 0)
        || g.padding.iter().any(|v| *v < 0)
    {
        return Err(Error::runtime("convolution_backward: gradient, input and weight do not fit one another"));
    }
    let (gin, gout) = (cin / groups, cout / groups);
    with_work!(dtype, T => {
        let (xv, wv, gv) = (cast::to_vec::<T>(x)?, cast::to_vec::<T>(w)?, cast::to_vec::<T>(grad)?);
        let (xp, gp) = (crate::engine::lanes::count(&x.sizes()[2..]), crate::engine::lanes::count(&grad.sizes()[2..]));
        let per_group = wv.len() / groups;
        let mut dx: Vec<T> = Vec::new();
        let mut dw = vec![<T as Sum>::ZERO; wv.len()];
        for b in 0..batch {
            for group in 0..groups {
                let xs = &xv[(b * cin + group * gin) * xp..][..gin * xp];
                let gs = &gv[(b * cout + group * gout) * gp..][..gout * gp];
                let weights = wv[group * per_group..][..per_group].to_vec();
                let change = if turned {
                    let columns = unfold(gs, gout, &g, <T as Sum>::ZERO);
                    dx.extend(product(weights, [gin, gout * g.area()], (false, false), columns.clone(), [gout * g.area(), xp])?);
                    product(xs.to_vec(), [gin, xp], (false, true), columns, [gout * g.area(), xp])?
                } else {
                    let columns = product(weights, [gout, gin * g.area()], (true, false), gs.to_vec(), [gout, gp])?;
                    dx.extend(fold(&columns, gin, &g, <T as Sum>::ZERO, T::plus));
                    let columns = unfold(xs, gin, &g, <T as Sum>::ZERO);
                    product(gs.to_vec(), [gout, gp], (false, true), columns, [gin * g.area(), gp])?
                };
                for (target, v) in dw[group * per_group..].iter_mut().zip(change) {
                    *target = target.plus(v);
                }
            }
        }
        let mut db = vec![<T as Sum>::ZERO; cout];
        for (i, v) in gv.iter().enumerate() {
            let c = i / gp.max(1) % cout;
            db[c] = db[c].plus(*v);
        }
        let pick = |i: usize, data: Vec<T>, sizes: &[i64]| -> Result<IValue, Error> {
            Ok(if wanted[i] { IValue::Tensor(cast::from_vec(data, sizes, dtype)?) } else { IValue::None })
        };
        Ok(smallvec![pick(0, dx, x.sizes())?, pick(1, dw, w.sizes())?, pick(2, db, &[cout as i64])?])
    })
}

/// Time first: `[time, batch, in]` with `[width, in, out]`.
pub fn conv_tbc(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let x = permute(tensor_arg(args, 0)?, &[1, 2, 0])?;
    let w = permute(tensor_arg(args, 1)?, &[2, 1, 0])?;
    let s = Settings {
        stride: smallvec![1],
        padding: smallvec![int_arg(args, 3)?],
        dilation: smallvec![1],
        transposed: false,
        groups: 1,
    };
    let (bias, sizes) = (tensor_arg(args, 2)?, [sizes[1], sizes[2], sizes[0]]);
    // SAFETY: a convolution writes every element.
    let mut out = unsafe { Tensor::uninit(&sizes, x.dtype()) }?;
    if !convolve_floats(&out, &x, &w, Some(bias), &s, &sizes)? {
        out = convolve(&x, &w, Some(bias), &s, &sizes)?;
    }
    one(permute(&out, &[2, 0, 1])?.contiguous()?)
}

fn unfold_geometry(args: &[IValue], first: usize, image: &[i64]) -> Result<Geometry, Error> {
    let (kernel, dilation) = (ints_arg(args, first)?, ints_arg(args, first + 1)?);
    let (padding, stride) = (ints_arg(args, first + 2)?, ints_arg(args, first + 3)?);
    let windows =
        (0..2).map(|d| (image[d] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1) / stride[d] + 1).collect();
    Ok(Geometry { image: image.into(), kernel, stride, padding, dilation, windows })
}

/// `torch.nn.functional.unfold`.
pub fn im2col(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let n = t.dim();
    let g = unfold_geometry(args, 1, &t.sizes()[n - 2..])?;
    let channels = t.sizes()[n - 3] as usize;
    Tensor::zeros(&sizes, DType::U8)?;
    with_work!(dtype, T => {
        let data = cast::to_vec::<T>(t)?;
        let mut out = Vec::new();
        for image in data.chunks_exact((channels * g.pixels()).max(1)) {
            out.extend(unfold(image, channels, &g, <T as Sum>::ZERO));
        }
        one(cast::from_vec(out, &sizes, dtype)?)
    })
}

/// `torch.nn.functional.fold`.
pub fn col2im(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let g = unfold_geometry(args, 2, &sizes[sizes.len() - 2..])?;
    let channels = sizes[sizes.len() - 3] as usize;
    Tensor::zeros(&sizes, DType::U8)?;
    with_work!(dtype, T => {
        let data = cast::to_vec::<T>(t)?;
        let mut out = Vec::new();
        for columns in data.chunks_exact((channels * g.area() * g.positions()).max(1)) {
            out.extend(fold(columns, channels, &g, <T as Sum>::ZERO, T::plus));
        }
        one(cast::from_vec(out, &sizes, dtype)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_is_the_adjoint_of_unfolding() {
        let g = Geometry {
            image: smallvec![3, 4],
            kernel: smallvec![2, 2],
            stride: smallvec![1, 2],
            padding: smallvec![1, 0],
            dilation: smallvec![1, 1],
            windows: smallvec![4, 2],
        };
        let image: Vec<f64> = (0..12).map(f64::from).collect();
        let columns: Vec<f64> = (0..32).map(|i| f64::from(i * 7 % 11)).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let left = dot(&unfold(&image, 1, &g, 0.0), &columns);
        let right = dot(&image, &fold(&columns, 1, &g, 0.0, |a, b| a + b));
        assert_eq!(left, right);
    }
}
