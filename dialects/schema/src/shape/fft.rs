//! Rules of Fourier transforms: a half spectrum where one side is real.

use super::args::*;
use super::view::replaced;

fn half(s: Size) -> Size {
    s.map(|n| n / 2 + 1)
}

/// Dimensions without repetition; `words` say that there is one.
fn distinct(dims: &[i64], rank: usize, words: &str) -> Result<SmallVec<[usize; 6]>, ShapeError> {
    let list: SmallVec<[usize; 6]> = dims.iter().map(|d| wrap_dim(*d, rank)).collect::<Result<_, _>>()?;
    refuse!(if (1..list.len()).any(|i| list[..i].contains(&list[i])), "{words}");
    Ok(list)
}

const DUPLICATE: &str = "permute(): duplicate dims are not allowed.";

/// `_fft_c2c`: sizes stay.
pub fn c2c(t: TensorMeta, dims: Dims) -> RuleResult {
    refuse!(if let Some(d) = t.dtype_not(DType::is_complex), "Only supports complex dtypes, but found: {d}");
    dims.zip(t.rank()).map_or(Ok(()), |(dims, rank)| distinct(&dims, rank, DUPLICATE).map(drop))?;
    one(t.dtype, t.sizes)
}

/// The last of the dimensions is halved, where that is asked for.
fn real_to_complex(t: TensorMeta, dims: Dims, onesided: Flag) -> RuleResult {
    refuse!(if let Some(d) = t.dtype_not(DType::is_float), "Only supports floating-point dtypes, but found: {d}");
    let dtype = t.dtype.map(DType::to_complex);
    let (Some(dims), Some(sizes), Some(onesided)) = (dims, t.sizes, onesided) else { return one(dtype, None) };
    let last = distinct(&dims, sizes.len(), DUPLICATE)?.last().copied().filter(|d| onesided && *d < sizes.len());
    one(dtype, Some(last.map_or(sizes.clone(), |d| replaced(&sizes, d, half(sizes[d])))))
}

fn complex_to_real(t: TensorMeta, dims: Dims, length: Size) -> RuleResult {
    refuse!(if let Some(d) = t.dtype_not(DType::is_complex), "Only supports complex dtypes, but found: {d}");
    let dtype = t.dtype.map(DType::to_real);
    let (Some(dims), Some(sizes)) = (dims, t.sizes) else { return one(dtype, None) };
    refuse!(Index if let (Some(d), true) = (dims.first(), sizes.is_empty()),
        "Dimension specified as {d} but tensor has no dimensions");
    let Some(&d) = distinct(&dims, sizes.len(), DUPLICATE)?.last() else {
        return error("ArrayRef: attempted to access back() of empty list");
    };
    one(dtype, Some(countable(replaced(&sizes, d, length))?))
}

rules! {
    r2c = |t: TensorMeta, dims: Dims, _: Skip<1>, onesided: Flag| real_to_complex(t, dims, onesided);
    c2r = |t: TensorMeta, dims: Dims, _: Skip<1>, length: Size| complex_to_real(t, dims, length);
    /// `prims.fft_r2c` and its inverse have no normalization.
    prims_r2c = real_to_complex; prims_c2r = complex_to_real;
}

/// What goes in and comes out.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Complex,
    FromReal,
    ToReal,
}

fn check_norm(mode: &Text) -> Result<(), ShapeError> {
    refuse!(if let Some(mode) = mode, !matches!(&**mode, "backward" | "ortho" | "forward"),
        "Invalid normalization mode: \"{mode}\"");
    Ok(())
}

fn result_dtype(name: &str, t: &TensorMeta, kind: Kind) -> Result<Option<DType>, ShapeError> {
    let Some(d) = t.dtype else { return Ok(None) };
    let what = if name.ends_with('n') || name.ends_with('2') { "real-valued" } else { "real" };
    refuse!(if kind == Kind::FromReal && d.is_complex(),
        "{name} expects a {what} input tensor, but got {}", d.scalar_type_name());
    let float = to_float(d);
    refuse!(if matches!(float, DType::F16 | DType::BF16 | DType::C32),
        "Unsupported dtype {}", float.scalar_type_name());
    Ok(Some(if kind == Kind::ToReal { float.to_real() } else { float.to_complex() }))
}

fn positive(n: Size) -> Result<(), ShapeError> {
    refuse!(if let Some(n) = n.known(), n < 1, "Invalid number of data points ({n}) specified");
    Ok(())
}

/// One dimension.
fn single(t: TensorMeta, n: Meta, dim: Int, norm: Text, name: &str, kind: Kind) -> RuleResult {
    refuse!(Index if t.rank() == Some(0),
        "Dimension specified as {} but tensor has no dimensions", dim.unwrap_or(-1));
    let dtype = result_dtype(name, &t, kind)?;
    let (Some(sizes), Some(d)) = (&t.sizes, t.dimension(dim)?) else { return one(dtype, None) };
    let n = match kind {
        _ if !n.is_none() => n.size(),
        Kind::ToReal => sizes[d].map(|n| 2 * (n - 1)),
        _ => sizes[d],
    };
    positive(n)?;
    check_norm(&norm)?;
    one(dtype, Some(replaced(sizes, d, if kind == Kind::FromReal { half(n) } else { n })))
}

/// The dimensions of a transform over several, and their lengths before it.
pub fn lengths(
    sizes: &[Size],
    s: Option<&[Size]>,
    dims: Option<&[i64]>,
) -> Result<(SmallVec<[usize; 6]>, Sizes), ShapeError> {
    let rank = sizes.len();
    let list = if let Some(dims) = dims {
        refuse!(Index if let (Some(d), 0) = (dims.first(), rank),
            "Dimension specified as {d} but tensor has no dimensions");
        let list = distinct(dims, rank, "FFT dims must be unique")?;
        refuse!(if s.is_some_and(|s| s.len() != list.len()),
            "When given, dim and shape arguments must have the same length");
        list
    } else {
        let n = s.map_or(rank, <[Size]>::len);
        refuse!(if n > rank, "Got shape with {n} values but input tensor only has {rank} dimensions.");
        (rank - n..rank).collect()
    };
    let given = |i: usize| s.map(|s| s[i]).filter(|s| *s != Size::Known(-1));
    let out = list.iter().enumerate().map(|(i, d)| given(i).unwrap_or(sizes[*d])).collect();
    Ok((list, out))
}

/// Several dimensions.
fn several(t: TensorMeta, s: Meta, dims: Meta, norm: Text, name: &str, kind: Kind) -> RuleResult {
    let dtype = result_dtype(name, &t, kind)?;
    let Some(mut sizes) = t.sizes else { return one(dtype, None) };
    let (lengths_given, dims_given) = (s.list().filter(|_| !s.is_none()), dims.ints().filter(|_| !dims.is_none()));
    if (lengths_given.is_none() && !s.is_none()) || (dims_given.is_none() && !dims.is_none()) {
        return one(dtype, None);
    }
    let (list, mut n) = lengths(&sizes, lengths_given.as_deref(), dims_given.as_deref())?;
    let given = lengths_given.as_ref().and_then(|s| s.last()).is_some_and(|s| *s != Size::Known(-1));
    if let (Some(last), Kind::ToReal, false) = (n.last_mut(), kind, given) {
        *last = last.map(|n| 2 * (n - 1));
    }
    refuse!(if kind != Kind::Complex && list.is_empty(), "{name} must transform at least one axis");
    n.iter().try_for_each(|n| positive(*n))?;
    check_norm(&norm)?;
    for (i, d) in list.iter().enumerate() {
        sizes[*d] = if kind == Kind::FromReal && i + 1 == list.len() { half(n[i]) } else { n[i] };
    }
    one(dtype, Some(sizes))
}

rules! {
    fft = single, "fft", Kind::Complex; ifft = single, "ifft", Kind::Complex;
    rfft = single, "rfft", Kind::FromReal; irfft = single, "irfft", Kind::ToReal;
    hfft = single, "hfft", Kind::ToReal; ihfft = single, "ihfft", Kind::FromReal;
    fftn = several, "fftn", Kind::Complex;
    rfftn = several, "rfftn", Kind::FromReal; irfftn = several, "irfftn", Kind::ToReal;
    hfftn = several, "hfftn", Kind::ToReal; ihfftn = several, "ihfftn", Kind::FromReal;
    frequencies = |n: Size, _: Skip<1>, dtype: Asked| one(dtype.or(Some(DType::F32)), Some(smallvec![n]));
    half_frequencies = |n: Size, _: Skip<1>, dtype: Asked| one(dtype.or(Some(DType::F32)), Some(smallvec![half(n)]));
}

/// A shift along dimensions.
pub fn shift(t: TensorMeta, dims: Meta) -> RuleResult {
    if let (Some(list), Some(r)) = (dims.ints(), t.rank()) {
        refuse!(if list.is_empty() && !dims.is_none(), "`shifts` required");
        list.iter().try_for_each(|d| existing_dimension(*d, r).map(drop))?;
    }
    one(t.dtype, t.sizes)
}

/// Windows: (length, …, *, dtype, layout, device, pin_memory).
pub fn window(a: &[Meta]) -> RuleResult {
    let dtype = a.dtype_or(a.len().saturating_sub(4), Some(DType::F32));
    refuse!(if let Some(d) = dtype, !d.is_inexact(),
        "window function expects floating point dtypes, got: {}", d.scalar_type_name());
    refuse!(if let Some(n) = a.int(0), n < 0,
        "window function requires non-negative window_length, got window_length={n}");
    one(dtype, Some(smallvec![a.size(0)]))
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
    frames(a, a.tensor(0)?.last(), 5)
}

/// The same with `center` and `pad_mode` after the window.
pub fn stft_center(a: &[Meta]) -> RuleResult {
    let (length, half) = (a.tensor(0)?.last(), a.int(1).map_or(Size::Unknown, |n| Size::Known(n / 2)));
    frames(a, if a.bool(5) == Some(false) { length } else { length.plus(half).plus(half) }, 7)
}

/// A signal, whose length the frames' overlap decides.
pub fn istft(t: TensorMeta, _: Skip<8>, complex: Flag) -> RuleResult {
    let dtype = t.dtype.zip(complex).map(|(d, complex)| if complex { d.to_complex() } else { d.to_real() });
    let batch = |s: &Sizes| s[..s.len().saturating_sub(2)].iter().copied().chain([Size::Unknown]).collect();
    one(dtype, t.sizes.as_ref().map(batch))
}
