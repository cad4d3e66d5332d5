//! Fourier transforms by recursive splitting into the prime factors of the length, in f64.

use crate::engine::arguments::one;
use crate::engine::arguments::{arg, bool_arg, int_arg, ints_arg, result, tensor_arg};
use crate::engine::cast;
use crate::engine::elementwise;
use crate::engine::lanes::{permute, wrap};
use crate::{Call, Error, Outputs};
use num_complex::Complex;
use sconce_schema::shape::Size;
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use std::f64::consts::PI;

type C = Complex<f64>;

/// `exp(-+ 2 pi i k / n)` for all k.
fn roots(n: usize, forward: bool) -> Vec<C> {
    let sign = if forward { -1.0 } else { 1.0 };
    (0..n)
        .map(|k| {
            let angle = sign * 2.0 * PI * k as f64 / n as f64;
            C::new(angle.cos(), angle.sin())
        })
        .collect()
}

/// Transforms `n` elements of `x`, `stride` apart, whose roots of unity are every `stride`-th of `w`.
fn transform(x: &[C], start: usize, stride: usize, n: usize, w: &[C]) -> Vec<C> {
    if n == 1 {
        return vec![x[start]];
    }
    let p = (2..).find(|p| n.is_multiple_of(*p) || p * p > n).filter(|p| n.is_multiple_of(*p)).unwrap_or(n);
    let m = n / p;
    let parts: Vec<Vec<C>> = if m == 1 {
        (0..p).map(|r| vec![x[start + r * stride]]).collect()
    } else {
        (0..p).map(|r| transform(x, start + r * stride, stride * p, m, w)).collect()
    };
    let step = w.len() / n;
    (0..n)
        .map(|k| {
            let mut sum = C::new(0.0, 0.0);
            for (r, part) in parts.iter().enumerate() {
                sum += part[k % m] * w[(r * k % n) * step];
            }
            sum
        })
        .collect()
}

/// Row-major data whose dimensions are transformed one after another.
struct Spectrum {
    data: Vec<C>,
    sizes: Sizes,
}

impl Spectrum {
    fn inner(&self, dim: usize) -> usize {
        crate::engine::lanes::count(&self.sizes[dim + 1..])
    }
    /// Replaces every lane along a dimension by one of another length.
    fn map(&mut self, dim: usize, length: usize, f: impl Fn(&[C]) -> Vec<C>) {
        let (n, inner) = (self.sizes[dim] as usize, self.inner(dim));
        let outer = crate::engine::lanes::count(&self.sizes[..dim]);
        let mut out = vec![C::new(0.0, 0.0); outer * length * inner];
        let mut lane = vec![C::new(0.0, 0.0); n];
        for o in 0..outer {
            for i in 0..inner {
                for (k, v) in lane.iter_mut().enumerate() {
                    *v = self.data[(o * n + k) * inner + i];
                }
                for (k, v) in f(&lane).into_iter().enumerate() {
                    out[(o * length + k) * inner + i] = v;
                }
            }
        }
        self.data = out;
        self.sizes[dim] = length as i64;
    }
    fn transform(&mut self, dim: usize, forward: bool) {
        let n = self.sizes[dim] as usize;
        if n > 0 {
            let w = roots(n, forward);
            self.map(dim, n, |lane| transform(lane, 0, 1, n, &w));
        }
    }
    /// Cuts, or fills with zeros.
    fn resize(&mut self, dim: usize, n: usize) {
        if self.sizes[dim] as usize != n {
            self.map(dim, n, |lane| (0..n).map(|k| lane.get(k).copied().unwrap_or(C::new(0.0, 0.0))).collect());
        }
    }
    /// A half spectrum as the whole of length `n`.
    fn mirror(&mut self, dim: usize, n: usize) {
        self.resize(dim, n / 2 + 1);
        self.map(dim, n, |lane| (0..n).map(|k| if k < lane.len() { lane[k] } else { lane[n - k].conj() }).collect());
    }
    fn scale(&mut self, by: f64) {
        self.data.iter_mut().for_each(|v| *v *= by);
    }
    fn conjugate(&mut self) {
        self.data.iter_mut().for_each(|v| *v = v.conj());
    }
}

/// What goes in and comes out.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Complex,
    FromReal,
    ToReal,
}

/// One transform over several dimensions.
struct Plan {
    dims: Vec<usize>,
    /// Lengths of the signal in those dimensions.
    lengths: Vec<usize>,
    kind: Kind,
    forward: bool,
    /// 0: as is; 1: by the root of the length; 2: by the length.
    normalization: i64,
    /// Only half of what a real signal gives.
    onesided: bool,
    /// Hermitian transforms take or give the conjugate.
    conjugate: bool,
}

/// Batch dimensions first, in the order of their strides; the transformed ones innermost.
fn run(t: &Tensor, plan: &Plan, sizes: &[i64], dtype: DType) -> Result<Outputs, Error> {
    // What is filled up with zeros is a copy, which lies by rows.
    let end = plan.dims.len().saturating_sub(1);
    let filled = plan.dims.iter().zip(&plan.lengths).enumerate().any(|(i, (&d, &n))| {
        let wanted = if plan.kind == Kind::ToReal && i == end { n / 2 + 1 } else { n };
        wanted as i64 > t.sizes()[d]
    });
    let strides: Sizes = if filled { sconce_tensor::contiguous_strides(t.sizes()) } else { t.strides().into() };
    let mut order: Vec<usize> = (0..t.dim()).filter(|d| !plan.dims.contains(d)).collect();
    order.sort_by_key(|d| std::cmp::Reverse(strides[*d]));
    let batch = order.len();
    // A half spectrum's dimension stays last.
    let free = plan.dims.len() - usize::from(plan.kind != Kind::Complex).min(plan.dims.len());
    let mut dims: Vec<(usize, usize)> = plan.dims.iter().copied().zip(plan.lengths.iter().copied()).collect();
    dims[..free].sort_by_key(|(d, _)| std::cmp::Reverse(strides[*d]));
    let lengths: Vec<usize> = dims.iter().map(|(_, n)| *n).collect();
    order.extend(dims.iter().map(|(d, _)| d));
    Tensor::zeros(sizes, dtype)?;
    let moved = permute(t, &order)?;
    let mut s = Spectrum { data: cast::to_vec::<C>(&moved)?, sizes: moved.sizes().into() };
    let last = plan.dims.len().wrapping_sub(1);
    if plan.conjugate && plan.kind == Kind::ToReal {
        s.conjugate();
    }
    for (i, &n) in lengths.iter().enumerate() {
        if plan.kind != Kind::ToReal || i != last {
            s.resize(batch + i, n);
            s.transform(batch + i, plan.forward);
        }
    }
    // Only after the other dimensions is the last one symmetric.
    if plan.kind == Kind::ToReal
        && let Some(&n) = lengths.last()
    {
        s.mirror(batch + last, n);
        s.transform(batch + last, plan.forward);
    }
    let count = lengths.iter().product::<usize>() as f64;
    match plan.normalization {
        1 => s.scale(1.0 / count.sqrt()),
        2 => s.scale(1.0 / count),
        _ => {}
    }
    if plan.kind == Kind::FromReal
        && plan.onesided
        && let Some(&n) = lengths.last()
    {
        s.resize(batch + last, n / 2 + 1);
    }
    if plan.conjugate && plan.kind == Kind::FromReal {
        s.conjugate();
    }
    let out = if dtype.is_complex() {
        cast::from_vec(s.data, &s.sizes, dtype)?
    } else {
        cast::from_vec(s.data.iter().map(|v| v.re).collect::<Vec<f64>>(), &s.sizes, dtype)?
    };
    let mut back = vec![0; order.len()];
    for (i, &d) in order.iter().enumerate() {
        back[d] = i;
    }
    one(permute(&out, &back)?)
}

fn dims_of(t: &Tensor, list: &[i64]) -> Result<Vec<usize>, Error> {
    list.iter().map(|d| wrap(*d, t.dim())).collect()
}

/// Dimensions, normalization, direction.
fn native(call: &Call<'_>, args: &[IValue], kind: Kind, normalization: i64, flag: bool) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let dims = dims_of(t, &ints_arg(args, 1)?)?;
    let mut lengths: Vec<usize> = dims.iter().map(|d| t.sizes()[*d] as usize).collect();
    if kind == Kind::ToReal
        && let (Some(n), Some(d)) = (lengths.last_mut(), dims.last())
    {
        *n = sizes[*d] as usize;
    }
    let (forward, onesided) = match kind {
        Kind::Complex => (flag, false),
        Kind::FromReal => (true, flag),
        Kind::ToReal => (false, false),
    };
    run(t, &Plan { dims, lengths, kind, forward, normalization, onesided, conjugate: false }, &sizes, dtype)
}

pub fn c2c(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    native(call, args, Kind::Complex, int_arg(args, 2)?, bool_arg(args, 3)?)
}
pub fn r2c(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    native(call, args, Kind::FromReal, int_arg(args, 2)?, bool_arg(args, 3)?)
}
pub fn c2r(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    native(call, args, Kind::ToReal, int_arg(args, 2)?, false)
}
pub fn prims_c2c(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    native(call, args, Kind::Complex, 0, bool_arg(args, 2)?)
}
pub fn prims_r2c(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    native(call, args, Kind::FromReal, 0, bool_arg(args, 2)?)
}
pub fn prims_c2r(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    native(call, args, Kind::ToReal, 0, false)
}

fn normalization(args: &[IValue], forward: bool) -> Result<i64, Error> {
    let mode = match arg(args, 3)?.optional() {
        Some(v) => v.as_str()?.to_string(),
        None => "backward".to_string(),
    };
    Ok(match (mode.as_str(), forward) {
        ("ortho", _) => 1,
        ("forward", true) | ("backward", false) => 2,
        _ => 0,
    })
}

/// n, dimension, norm.
fn single(call: &Call<'_>, args: &[IValue], kind: Kind, forward: bool, hermitian: bool) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let dim = wrap(int_arg(args, 2)?, t.dim())?;
    let n = match arg(args, 1)?.optional() {
        Some(v) => v.as_int()? as usize,
        None if kind == Kind::ToReal => sizes[dim] as usize,
        None => t.sizes()[dim] as usize,
    };
    // A Hermitian transform in one direction is the other with conjugates.
    let plan = Plan {
        dims: vec![dim],
        lengths: vec![n],
        kind,
        forward: if hermitian { !forward } else { forward },
        normalization: normalization(args, forward)?,
        onesided: kind == Kind::FromReal,
        conjugate: hermitian,
    };
    run(t, &plan, &sizes, dtype)
}

/// The dimensions that sizes and dimensions name, and the lengths there.
fn spans(t: &Tensor, args: &[IValue]) -> Result<(Vec<usize>, Vec<usize>), Error> {
    let known = |v: &[i64]| v.iter().map(|&s| Size::Known(s)).collect::<Vec<_>>();
    let s = if arg(args, 1)?.is_none() { None } else { Some(known(&ints_arg(args, 1)?)) };
    let dims = if arg(args, 2)?.is_none() { None } else { Some(ints_arg(args, 2)?) };
    let (dims, lengths) = sconce_schema::shape::fft::lengths(&known(t.sizes()), s.as_deref(), dims.as_deref())?;
    Ok((dims.to_vec(), lengths.iter().map(|n| n.known().unwrap_or(0) as usize).collect()))
}

/// Sizes, dimensions, norm.
fn several(call: &Call<'_>, args: &[IValue], kind: Kind, forward: bool) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let (dims, mut lengths) = spans(t, args)?;
    if kind == Kind::ToReal
        && let (Some(n), Some(d)) = (lengths.last_mut(), dims.last())
    {
        *n = sizes[*d] as usize;
    }
    let plan = Plan {
        dims,
        lengths,
        kind,
        forward,
        normalization: normalization(args, forward)?,
        onesided: kind == Kind::FromReal,
        conjugate: false,
    };
    run(t, &plan, &sizes, dtype)
}

pub fn fft(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    single(call, args, Kind::Complex, true, false)
}
pub fn ifft(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    single(call, args, Kind::Complex, false, false)
}
pub fn rfft(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    single(call, args, Kind::FromReal, true, false)
}
pub fn irfft(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    single(call, args, Kind::ToReal, false, false)
}
pub fn hfft(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    single(call, args, Kind::ToReal, true, true)
}
pub fn ihfft(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    single(call, args, Kind::FromReal, false, true)
}
pub fn fftn(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    several(call, args, Kind::Complex, true)
}
pub fn ifftn(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    several(call, args, Kind::Complex, false)
}
pub fn rfftn(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    several(call, args, Kind::FromReal, true)
}
pub fn irfftn(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    several(call, args, Kind::ToReal, false)
}

/// Hermitian over several dimensions: the last one is the real signal's, the others are transformed before (or, in the other direction, after).
fn hermitian(call: &Call<'_>, args: &[IValue], forward: bool) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let (dims, lengths) = spans(t, args)?;
    let (Some((&last, others)), Some((_, other_lengths))) = (dims.split_last(), lengths.split_last()) else {
        return Err(Error::runtime("hfftn must transform at least one axis"));
    };
    let normalization = normalization(args, forward)?;
    let plan = |dims: &[usize], lengths: &[usize], kind: Kind, conjugate: bool| Plan {
        dims: dims.to_vec(),
        lengths: lengths.to_vec(),
        kind,
        forward: if conjugate { !forward } else { forward },
        normalization,
        onesided: kind == Kind::FromReal,
        conjugate,
    };
    let single = |out: Outputs| Ok::<Tensor, Error>(arg(&out, 0)?.as_tensor()?.clone());
    let mut t = t.clone();
    if forward {
        if !others.is_empty() {
            let mut middle: Sizes = t.sizes().into();
            others.iter().zip(other_lengths).for_each(|(d, n)| middle[*d] = *n as i64);
            t = single(run(&t, &plan(others, other_lengths, Kind::Complex, false), &middle, dtype.to_complex())?)?;
        }
        return run(&t, &plan(&[last], &[sizes[last] as usize], Kind::ToReal, true), &sizes, dtype);
    }
    let mut middle: Sizes = t.sizes().into();
    middle[last] = sizes[last];
    let length = lengths.last().copied().unwrap_or(0);
    let t = single(run(&t, &plan(&[last], &[length], Kind::FromReal, true), &middle, dtype)?)?;
    if others.is_empty() {
        return one(t);
    }
    run(&t, &plan(others, other_lengths, Kind::Complex, false), &sizes, dtype)
}

pub fn hfftn(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    hermitian(call, args, true)
}
pub fn ihfftn(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    hermitian(call, args, false)
}

/// Moves zero frequency to the middle, or back.
fn shift(args: &[IValue], back: bool) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let dims = if arg(args, 1)?.is_none() { (0..t.dim()).collect() } else { dims_of(t, &ints_arg(args, 1)?)? };
    let mut source = t.contiguous()?;
    for d in dims {
        let n = t.sizes()[d];
        let by = if back { n - n / 2 } else { n / 2 };
        let out = elementwise::empty_strided(t.sizes(), &sconce_tensor::contiguous_strides(t.sizes()), t.dtype())?;
        // The part after the cut comes first.
        for (from, to, len) in [(0, by, n - by), (n - by, 0, by)] {
            if len > 0 {
                let part = |t: &Tensor, at: i64| {
                    let mut s: Sizes = t.sizes().into();
                    s[d] = len;
                    t.as_strided(&s, t.strides(), t.storage_offset() + at * t.strides()[d])
                };
                part(&out, to)?.copy_bytes_from(&part(&source, from)?)?;
            }
        }
        source = out;
    }
    one(if source.shares_storage(t) { source.copy()? } else { source })
}

pub fn fftshift(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    shift(args, false)
}
pub fn ifftshift(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    shift(args, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting_agrees_with_the_definition() {
        for n in [1usize, 2, 6, 7, 12, 15] {
            let x: Vec<C> = (0..n).map(|i| C::new(i as f64, (i * i % 5) as f64)).collect();
            let got = transform(&x, 0, 1, n, &roots(n, true));
            for (k, g) in got.iter().enumerate() {
                let want: C = x
                    .iter()
                    .enumerate()
                    .map(|(j, v)| v * C::from_polar(1.0, -2.0 * PI * (j * k) as f64 / n as f64))
                    .sum();
                assert!((g - want).norm() < 1e-10, "{n} {k}");
            }
        }
    }
}
