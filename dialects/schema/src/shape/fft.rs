//! Rules of Fourier transforms: a half spectrum where one side is real.

use super::args::*;
use super::{Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
use crate::promotion::to_float;
use smallvec::{SmallVec, smallvec};

fn half(s: Size) -> Size {
    s.map(|n| n / 2 + 1)
}

fn check_dims(dims: &[i64], rank: usize) -> Result<SmallVec<[usize; 6]>, ShapeError> {
    let list: SmallVec<[usize; 6]> = dims.iter().map(|d| wrap_dim(*d, rank)).collect::<Result<_, _>>()?;
    if (1..list.len()).any(|i| list[..i].contains(&list[i])) {
        return error("permute(): duplicate dims are not allowed.");
    }
    Ok(list)
}

/// `_fft_c2c`: sizes stay.
pub fn c2c(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if let Some(d) = t.dtype
        && !d.is_complex()
    {
        return error(format!("Only supports complex dtypes, but found: {}", d.scalar_type_name()));
    }
    if let (Some(dims), Some(r)) = (a.ints(1), t.rank()) {
        check_dims(&dims, r)?;
    }
    one(t.dtype, t.sizes)
}

/// The last of the dimensions is halved, where `onesided` (argument `flag`) asks for it.
fn real_to_complex(a: Args<'_>, flag: usize) -> RuleResult {
    let t = a.tensor(0)?;
    if let Some(d) = t.dtype
        && !d.is_float()
    {
        return error(format!("Only supports floating-point dtypes, but found: {}", d.scalar_type_name()));
    }
    let dtype = t.dtype.map(DType::to_complex);
    let (Some(dims), Some(mut sizes), Some(onesided)) = (a.ints(1), t.sizes, a.bool(flag)) else {
        return one(dtype, None);
    };
    let dims = check_dims(&dims, sizes.len())?;
    if onesided && let Some(&d) = dims.last() {
        sizes[d] = half(sizes[d]);
    }
    one(dtype, Some(sizes))
}

pub fn r2c(a: &[Meta]) -> RuleResult {
    real_to_complex(Args(a), 3)
}

/// `prims.fft_r2c` has no normalization.
pub fn prims_r2c(a: &[Meta]) -> RuleResult {
    real_to_complex(Args(a), 2)
}

fn complex_to_real(a: Args<'_>, length: usize) -> RuleResult {
    let t = a.tensor(0)?;
    if let Some(d) = t.dtype
        && !d.is_complex()
    {
        return error(format!("Only supports complex dtypes, but found: {}", d.scalar_type_name()));
    }
    let dtype = t.dtype.map(DType::to_real);
    let (Some(dims), Some(mut sizes)) = (a.ints(1), t.sizes) else { return one(dtype, None) };
    let dims = check_dims(&dims, sizes.len())?;
    if let Some(&d) = dims.last() {
        sizes[d] = a.size(length);
        if let Some(n) = sizes[d].known()
            && n < 0
        {
            return error(format!("Trying to create tensor with negative dimension {n}: {}", show(&sizes)));
        }
    }
    one(dtype, Some(sizes))
}

pub fn c2r(a: &[Meta]) -> RuleResult {
    complex_to_real(Args(a), 3)
}

pub fn prims_c2r(a: &[Meta]) -> RuleResult {
    complex_to_real(Args(a), 2)
}

/// What goes in and comes out.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Complex,
    FromReal,
    ToReal,
}

fn check_norm(a: Args<'_>, i: usize) -> Result<(), ShapeError> {
    match a.str(i) {
        Some("backward" | "ortho" | "forward") | None => Ok(()),
        Some(other) => error(format!("Invalid normalization mode: \"{other}\"")),
    }
}

fn result_dtype(name: &str, t: &TensorMeta, kind: Kind) -> Result<Option<DType>, ShapeError> {
    let Some(d) = t.dtype else { return Ok(None) };
    if kind == Kind::FromReal && d.is_complex() {
        let what = if name.ends_with('n') || name.ends_with('2') { "real-valued" } else { "real" };
        return error(format!("{name} expects a {what} input tensor, but got {}", d.scalar_type_name()));
    }
    let float = to_float(d);
    if matches!(float, DType::F16 | DType::BF16 | DType::C32) {
        return error(format!("Unsupported dtype {}", float.scalar_type_name()));
    }
    Ok(Some(if kind == Kind::ToReal { float.to_real() } else { float.to_complex() }))
}

fn positive(n: Size) -> Result<(), ShapeError> {
    match n.known() {
        Some(n) if n < 1 => error(format!("Invalid number of data points ({n}) specified")),
        _ => Ok(()),
    }
}

/// One dimension: n, dimension, norm.
fn single(name: &str, kind: Kind, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if t.rank() == Some(0) {
        return index_error(format!("Dimension specified as {} but tensor has no dimensions", a.int(2).unwrap_or(-1)));
    }
    let dtype = result_dtype(name, &t, kind)?;
    let (Some(mut sizes), Some(d)) = (t.sizes.clone(), a.int(2)) else { return one(dtype, None) };
    let d = wrap_dim(d, sizes.len())?;
    let given = !a.is_none(1);
    let n = if given {
        a.size(1)
    } else if kind == Kind::ToReal {
        sizes[d].map(|n| 2 * (n - 1))
    } else {
        sizes[d]
    };
    positive(n)?;
    check_norm(a, 3)?;
    sizes[d] = if kind == Kind::FromReal { half(n) } else { n };
    one(dtype, Some(sizes))
}

/// The dimensions of a transform over several, and their lengths before it.
pub fn lengths(
    sizes: &[Size],
    s: Option<&[Size]>,
    dims: Option<&[i64]>,
) -> Result<(SmallVec<[usize; 6]>, Sizes), ShapeError> {
    let rank = sizes.len();
    if let Some(dims) = dims {
        if rank == 0
            && let Some(d) = dims.first()
        {
            return index_error(format!("Dimension specified as {d} but tensor has no dimensions"));
        }
        let list: SmallVec<[usize; 6]> = dims.iter().map(|d| wrap_dim(*d, rank)).collect::<Result<_, _>>()?;
        if (1..list.len()).any(|i| list[..i].contains(&list[i])) {
            return error("FFT dims must be unique");
        }
        let mut out: Sizes = list.iter().map(|d| sizes[*d]).collect();
        if let Some(s) = s {
            if s.len() != list.len() {
                return error("When given, dim and shape arguments must have the same length");
            }
            for (o, s) in out.iter_mut().zip(s) {
                if *s != Size::Known(-1) {
                    *o = *s;
                }
            }
        }
        return Ok((list, out));
    }
    let n = s.map_or(rank, <[Size]>::len);
    if n > rank {
        return error(format!("Got shape with {n} values but input tensor only has {rank} dimensions."));
    }
    let list: SmallVec<[usize; 6]> = (rank - n..rank).collect();
    let out = match s {
        Some(s) => s.iter().zip(&list).map(|(s, d)| if *s == Size::Known(-1) { sizes[*d] } else { *s }).collect(),
        None => sizes.into(),
    };
    Ok((list, out))
}

/// Several dimensions: sizes, dimensions, norm.
fn several(name: &str, kind: Kind, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let dtype = result_dtype(name, &t, kind)?;
    let Some(mut sizes) = t.sizes.clone() else { return one(dtype, None) };
    let s = if a.is_none(1) { None } else { a.sizes(1) };
    let dims = if a.is_none(2) { None } else { a.ints(2) };
    if (s.is_none() && !a.is_none(1)) || (dims.is_none() && !a.is_none(2)) {
        return one(dtype, None);
    }
    let (list, mut n) = lengths(&sizes, s.as_deref(), dims.as_deref())?;
    let given = s.as_ref().and_then(|s| s.last()).is_some_and(|s| *s != Size::Known(-1));
    if kind == Kind::ToReal
        && !given
        && let Some(last) = n.last_mut()
    {
        *last = last.map(|n| 2 * (n - 1));
    }
    if kind != Kind::Complex && list.is_empty() {
        return error(format!("{name} must transform at least one axis"));
    }
    for n in &n {
        positive(*n)?;
    }
    check_norm(a, 3)?;
    for (i, d) in list.iter().enumerate() {
        sizes[*d] = if kind == Kind::FromReal && i + 1 == list.len() { half(n[i]) } else { n[i] };
    }
    one(dtype, Some(sizes))
}

macro_rules! rules {
    ($($base:ident: $name:ident, $text:literal, $kind:ident;)*) => { $(
        pub fn $name(a: &[Meta]) -> RuleResult {
            $base($text, Kind::$kind, a)
        }
    )* };
}
rules! {
    single: fft, "fft", Complex;
    single: ifft, "ifft", Complex;
    single: rfft, "rfft", FromReal;
    single: irfft, "irfft", ToReal;
    single: hfft, "hfft", ToReal;
    single: ihfft, "ihfft", FromReal;
    several: fftn, "fftn", Complex;
    several: rfftn, "rfftn", FromReal;
    several: irfftn, "irfftn", ToReal;
}

/// A shift along dimensions.
pub fn shift(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if let (Some(dims), Some(r)) = (a.ints(1), t.rank()) {
        for d in dims {
            if r == 0 {
                return index_error(format!("Dimension specified as {d} but tensor has no dimensions"));
            }
            wrap_dim(d, r)?;
        }
    }
    Ok(smallvec![tensor(t.dtype, t.sizes)])
}
