//! Rules of Fourier transforms: a half spectrum where one side is real.

use super::args::*;

fn half(s: Size) -> Size {
    s.map(|n| n / 2 + 1)
}

fn check_dims(dims: &[i64], rank: usize) -> Result<SmallVec<[usize; 6]>, ShapeError> {
    let list: SmallVec<[usize; 6]> = dims.iter().map(|d| wrap_dim(*d, rank)).collect::<Result<_, _>>()?;
    refuse!(if (1..list.len()).any(|i| list[..i].contains(&list[i])), "permute(): duplicate dims are not allowed.");
    Ok(list)
}

/// `_fft_c2c`: sizes stay.
pub fn c2c(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if let Some(d) = t.dtype_not(DType::is_complex), "Only supports complex dtypes, but found: {d}");
    if let (Some(dims), Some(r)) = (a.ints(1), t.rank()) {
        check_dims(&dims, r)?;
    }
    one(t.dtype, t.sizes)
}

/// The last of the dimensions is halved, where `onesided` (argument `flag`) asks for it.
fn real_to_complex(a: &[Meta], flag: usize) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if let Some(d) = t.dtype_not(DType::is_float), "Only supports floating-point dtypes, but found: {d}");
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

rules! {
    r2c = real_to_complex, 3;
    /// `prims.fft_r2c` has no normalization.
    prims_r2c = real_to_complex, 2;
}

fn complex_to_real(a: &[Meta], length: usize) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if let Some(d) = t.dtype_not(DType::is_complex), "Only supports complex dtypes, but found: {d}");
    let dtype = t.dtype.map(DType::to_real);
    let (Some(dims), Some(mut sizes)) = (a.ints(1), t.sizes) else { return one(dtype, None) };
    refuse!(Index if let (Some(d), true) = (dims.first(), sizes.is_empty()),
        "Dimension specified as {d} but tensor has no dimensions");
    refuse!(if dims.is_empty(), "ArrayRef: attempted to access back() of empty list");
    let dims = check_dims(&dims, sizes.len())?;
    if let Some(&d) = dims.last() {
        sizes[d] = a.size(length);
        refuse!(if let Some(n) = sizes[d].known(), n < 0,
            "Trying to create tensor with negative dimension {n}: {}", show(&sizes));
    }
    one(dtype, Some(sizes))
}

rules! {
    c2r = complex_to_real, 3; prims_c2r = complex_to_real, 2;
}

/// What goes in and comes out.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Complex,
    FromReal,
    ToReal,
}

fn check_norm(a: &[Meta], i: usize) -> Result<(), ShapeError> {
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
    refuse!(if matches!(float, DType::F16 | DType::BF16 | DType::C32),
        "Unsupported dtype {}", float.scalar_type_name());
    Ok(Some(if kind == Kind::ToReal { float.to_real() } else { float.to_complex() }))
}

fn positive(n: Size) -> Result<(), ShapeError> {
    match n.known() {
        Some(n) if n < 1 => error(format!("Invalid number of data points ({n}) specified")),
        _ => Ok(()),
    }
}

/// One dimension: n, dimension, norm.
fn single(a: &[Meta], name: &str, kind: Kind) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(Index if t.rank() == Some(0),
        "Dimension specified as {} but tensor has no dimensions", a.int(2).unwrap_or(-1));
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
        refuse!(if (1..list.len()).any(|i| list[..i].contains(&list[i])), "FFT dims must be unique");
        let mut out: Sizes = list.iter().map(|d| sizes[*d]).collect();
        if let Some(s) = s {
            refuse!(if s.len() != list.len(), "When given, dim and shape arguments must have the same length");
            for (o, s) in out.iter_mut().zip(s) {
                if *s != Size::Known(-1) {
                    *o = *s;
                }
            }
        }
        return Ok((list, out));
    }
    let n = s.map_or(rank, <[Size]>::len);
    refuse!(if n > rank, "Got shape with {n} values but input tensor only has {rank} dimensions.");
    let list: SmallVec<[usize; 6]> = (rank - n..rank).collect();
    let out = match s {
        Some(s) => s.iter().zip(&list).map(|(s, d)| if *s == Size::Known(-1) { sizes[*d] } else { *s }).collect(),
        None => sizes.into(),
    };
    Ok((list, out))
}

/// Several dimensions: sizes, dimensions, norm.
fn several(a: &[Meta], name: &str, kind: Kind) -> RuleResult {
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
    refuse!(if kind != Kind::Complex && list.is_empty(), "{name} must transform at least one axis");
    for n in &n {
        positive(*n)?;
    }
    check_norm(a, 3)?;
    for (i, d) in list.iter().enumerate() {
        sizes[*d] = if kind == Kind::FromReal && i + 1 == list.len() { half(n[i]) } else { n[i] };
    }
    one(dtype, Some(sizes))
}

rules! {
    fft = single, "fft", Kind::Complex;
    ifft = single, "ifft", Kind::Complex;
    rfft = single, "rfft", Kind::FromReal;
    irfft = single, "irfft", Kind::ToReal;
    hfft = single, "hfft", Kind::ToReal;
    ihfft = single, "ihfft", Kind::FromReal;
    fftn = several, "fftn", Kind::Complex;
    rfftn = several, "rfftn", Kind::FromReal;
    irfftn = several, "irfftn", Kind::ToReal;
    hfftn = several, "hfftn", Kind::ToReal;
    ihfftn = several, "ihfftn", Kind::FromReal;
}

/// A shift along dimensions.
pub fn shift(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    if let (Some(dims), Some(r)) = (a.ints(1), t.rank()) {
        refuse!(if dims.is_empty() && !a.is_none(1), "`shifts` required");
        for d in dims {
            refuse!(Index if r == 0, "Dimension specified as {d} but tensor has no dimensions");
            wrap_dim(d, r)?;
        }
    }
    Ok(smallvec![tensor(t.dtype, t.sizes)])
}

/// Windows: (length, …, *, dtype, layout, device, pin_memory).
pub fn window(a: &[Meta]) -> RuleResult {
    let dtype = created(a, a.len().saturating_sub(4));
    refuse!(if let Some(d) = dtype, !d.is_float() && !d.is_complex(),
        "window function expects floating point dtypes, got: {}", d.scalar_type_name());
    refuse!(if let Some(n) = a.int(0), n < 0,
        "window function requires non-negative window_length, got window_length={n}");
    one(dtype, Some(smallvec![a.size(0)]))
}

fn created(args: &[Meta], dtype: usize) -> Option<DType> {
    args.dtype(dtype).map(|d| d.unwrap_or(DType::F32))
}

/// (n, d, *, dtype, …).
pub fn frequencies(a: &[Meta]) -> RuleResult {
    one(created(a, 2), Some(smallvec![a.size(0)]))
}

pub fn half_frequencies(a: &[Meta]) -> RuleResult {
    one(created(a, 2), Some(smallvec![half(a.size(0))]))
}

/// Frames of a signal of `length`.
fn frames(a: &[Meta], length: Size, rest: usize) -> RuleResult {
    let t = a.tensor(0)?;
    let window = a.optional_tensor(4)?;
    let (Some(d), Some(sizes), Some(n), Some(length)) = (t.dtype, &t.sizes, a.int(1), length.known()) else {
        return one(None, None);
    };
    let complex = d.is_complex() || window.and_then(|w| w.dtype).is_some_and(DType::is_complex);
    let hop = if a.is_none(2) { n / 4 } else { a.int(2).unwrap_or(0) };
    let onesided = if a.is_none(rest + 1) { !complex } else { a.bool(rest + 1).unwrap_or(false) };
    let aligned = a.bool(rest + 3) == Some(true);
    let window_length = if a.is_none(3) { n } else { a.int(3).unwrap_or(n) };
    // Frames begin with their windows, before the signal where those are shorter.
    let length = if aligned { length.saturating_add(n).saturating_sub(window_length) } else { length };
    if hop <= 0 || n <= 0 || length < n {
        // The kernel says what is wrong.
        return one(None, None);
    }
    let mut out: Sizes = sizes[..sizes.len() - 1].into();
    out.extend([Size::Known(if onesided { n / 2 + 1 } else { n }), Size::Known(1 + (length - n) / hop)]);
    if a.bool(rest + 2) == Some(false) {
        out.push(Size::Known(2));
        return one(Some(d.to_real()), Some(out));
    }
    one(Some(d.to_complex()), Some(out))
}

/// (self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, …).
pub fn stft(a: &[Meta]) -> RuleResult {
    let length = a.tensor(0)?.sizes.and_then(|s| s.last().copied()).unwrap_or(Size::Unknown);
    frames(a, length, 5)
}

/// The same with `center` and `pad_mode` after the window.
pub fn stft_center(a: &[Meta]) -> RuleResult {
    let length = a.tensor(0)?.sizes.and_then(|s| s.last().copied()).unwrap_or(Size::Unknown);
    let half = a.int(1).map_or(Size::Unknown, |n| Size::Known(n / 2));
    let length = if a.bool(5) == Some(false) { length } else { length.plus(half).plus(half) };
    frames(a, length, 7)
}

/// A signal, whose length the frames' overlap decides.
pub fn istft(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let dtype = match (t.dtype, a.bool(9)) {
        (Some(d), Some(complex)) => Some(if complex { d.to_complex() } else { d.to_real() }),
        _ => None,
    };
    let sizes = t.sizes.map(|s| {
        let mut out: Sizes = s[..s.len().saturating_sub(2)].into();
        out.push(Size::Unknown);
        out
    });
    one(dtype, sizes)
}
