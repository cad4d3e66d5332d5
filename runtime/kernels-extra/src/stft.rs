//! Fourier transforms of a signal's windowed frames, and the signal that such frames add up to.

use sconce_kernels::engine::arguments::{arg, int_arg, one, optional_tensor, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::compose::tensor as op;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{IValue, Sizes, Tensor};
use smallvec::smallvec;

/// How a signal is cut into frames.
struct Frames {
    n_fft: i64,
    hop: i64,
    /// Of length `n_fft`: a shorter one stands in the middle.
    window: Option<Tensor>,
}

/// Frames' distance and the window's length, given or by default.
fn lengths(args: &[IValue]) -> Result<(i64, i64), Error> {
    let number = |i: usize, default: i64| -> Result<i64, Error> {
        Ok(arg(args, i)?.optional().map(|v| v.as_int()).transpose()?.unwrap_or(default))
    };
    let n_fft = int_arg(args, 1)?;
    Ok((number(2, n_fft >> 2)?, number(3, n_fft)?))
}

/// A call as its messages begin: `stft(torch.FloatTensor[20], n_fft=8, …)`.
fn described(call: &Call<'_>, args: &[IValue], x: &Tensor) -> Result<String, Error> {
    let (hop, length) = lengths(args)?;
    let name = call.entry.base_name().trim_start_matches("aten::");
    let mut out = format!("{name}({}{:?}", x.dtype().tensor_type_name(), x.sizes());
    for (argument, value) in call.entry.schema().arguments.iter().zip(args).skip(1) {
        let text = match (&*argument.name, value) {
            // What has been padded is said as it is now.
            ("center" | "pad_mode", _) if name == "stft" => continue,
            ("hop_length", _) => hop.to_string(),
            ("win_length", _) => length.to_string(),
            (_, IValue::Tensor(t)) => format!("{}{{{:?}}}", t.dtype().tensor_type_name(), t.sizes()),
            (_, IValue::Bool(b)) => i64::from(*b).to_string(),
            (_, IValue::Int(i)) => i.to_string(),
            _ => "None".to_string(),
        };
        out.push_str(&format!(", {}={text}", argument.name));
    }
    Ok(out + ")")
}

impl Frames {
    /// `most`: the length of what is cut.
    fn new(args: &[IValue], most: i64, said: &dyn Fn(String) -> Result<Error, Error>) -> Result<Frames, Error> {
        let n_fft = int_arg(args, 1)?;
        let (hop, length) = lengths(args)?;
        let given = optional_tensor(args, 4)?;
        if n_fft <= 0 || n_fft > most {
            return Err(said(format!("expected 0 < n_fft < {most}, but got n_fft={n_fft}"))?);
        }
        if hop <= 0 {
            return Err(said(format!("expected hop_length > 0, but got hop_length={hop}"))?);
        }
        if length <= 0 || length > n_fft {
            return Err(said(format!("expected 0 < win_length <= n_fft, but got win_length={length}"))?);
        }
        if let Some(w) = given
            && (w.dim() != 1 || w.sizes()[0] != length)
        {
            return Err(said(format!(
                "expected a 1D window tensor of size equal to win_length={length}, but got window with size {:?}",
                w.sizes()
            ))?);
        }
        let full = match given {
            Some(w) => Some(w.clone()),
            None if length < n_fft => Some(op("aten::ones", &[IValue::int_list(&[length])])?),
            None => None,
        };
        let left = (n_fft - length) / 2;
        let pad = IValue::int_list(&[left, n_fft - length - left]);
        let window = full.map(|w| op("aten::constant_pad_nd", &[w.into(), pad.clone()])).transpose()?;
        Ok(Frames { n_fft, hop, window })
    }
}

fn flag(args: &[IValue], i: usize) -> Result<Option<bool>, Error> {
    arg(args, i)?.optional().map(|v| Ok(v.as_bool()?)).transpose()
}

fn spectrum(call: &Call<'_>, x: &Tensor, args: &[IValue], rest: usize) -> Result<Outputs, Error> {
    let said = |what: String| Ok(Error::runtime(format!("{} : {what}", described(call, args, x)?)));
    if !x.dtype().is_float() && !x.dtype().is_complex() {
        return Err(said("expected a tensor of floating point or complex values".into())?);
    }
    let [.., length] = *x.sizes() else { return Err(said("expected a 1D or 2D tensor".into())?) };
    if x.dim() > 2 {
        return Err(said("expected a 1D or 2D tensor".into())?);
    }
    let frames = Frames::new(args, length, &said)?;
    let (normalized, onesided, return_complex) = (flag(args, rest)?, flag(args, rest + 1)?, flag(args, rest + 2)?);
    let complex = x.dtype().is_complex() || frames.window.as_ref().is_some_and(|w| w.dtype().is_complex());
    let onesided = onesided.unwrap_or(!complex);
    if onesided && complex {
        return Err(Error::runtime("Cannot have onesided output if window or input is complex"));
    }
    let return_complex = match return_complex {
        Some(r) => r,
        None if complex => true,
        None => {
            return Err(Error::runtime("stft requires the return_complex parameter be given for real inputs"));
        }
    };
    let x = &if flag(args, rest + 3)? == Some(true) {
        // The first window, not the first transform, begins with the signal.
        let spare = frames.n_fft - lengths(args)?.1;
        let pad = IValue::int_list(&[spare / 2, spare - spare / 2]);
        op("aten::constant_pad_nd", &[x.clone().into(), pad])?
    } else {
        x.clone()
    };
    let length = *x.sizes().last().unwrap_or(&0);
    let count = 1 + (length - frames.n_fft) / frames.hop;
    let mut sizes: Sizes = x.sizes()[..x.dim() - 1].into();
    let mut strides: Sizes = x.strides()[..x.dim() - 1].into();
    sizes.extend([count, frames.n_fft]);
    let step = x.strides()[x.dim() - 1];
    strides.extend([step * frames.hop, step]);
    let mut cut = x.as_strided(&sizes, &strides, x.storage_offset())?;
    if let Some(w) = &frames.window {
        cut = op("aten::mul.Tensor", &[cut.into(), w.clone().into()])?;
    }
    let norm = if normalized == Some(true) { "ortho" } else { "backward" };
    let name = match (onesided, complex) {
        (true, _) => "aten::fft_rfft",
        _ => "aten::fft_fft",
    };
    let bins = op(name, &[cut.into(), IValue::None, IValue::Int(-1), norm.into()])?;
    let turned = op("aten::transpose.int", &[bins.into(), IValue::Int(-1), IValue::Int(-2)])?;
    one(if return_complex { turned } else { op("aten::view_as_real", &[turned.into()])? })
}

/// (self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window).
pub fn stft(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    spectrum(call, tensor_arg(args, 0)?, args, 5)
}

/// The same with `center` and `pad_mode` after the window.
pub fn stft_center(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let x = tensor_arg(args, 0)?;
    if !flag(args, 5)?.unwrap_or(true) || !(1..=2).contains(&x.dim()) {
        return spectrum(call, x, args, 7);
    }
    // Padding wants a batch and a channel.
    let half = int_arg(args, 1)? / 2;
    let mut sizes: Sizes = smallvec![1; 3 - x.dim()];
    sizes.extend_from_slice(x.sizes());
    let wide = op("aten::view", &[x.clone().into(), IValue::int_list(&sizes)])?;
    let padded = op("aten::pad", &[wide.into(), IValue::int_list(&[half, half]), arg(args, 6)?.clone()])?;
    let mut sizes: Sizes = x.sizes()[..x.dim() - 1].into();
    sizes.push(padded.sizes()[2]);
    spectrum(call, &op("aten::view", &[padded.into(), IValue::int_list(&sizes)])?, args, 7)
}

/// Frames added where they stood.
fn overlapped(frames: &Tensor, hop: i64) -> Result<Tensor, Error> {
    let (rows, count, n) = (frames.sizes()[0], frames.sizes()[1], frames.sizes()[2]);
    let total = n + hop * (count - 1);
    let source = cast::to_vec::<num_complex::Complex<f64>>(frames)?;
    let mut sum = vec![num_complex::Complex::new(0.0, 0.0); (rows * total) as usize];
    for r in 0..rows {
        for f in 0..count {
            for i in 0..n {
                sum[(r * total + f * hop + i) as usize] += source[((r * count + f) * n + i) as usize];
            }
        }
    }
    cast::from_vec(sum, &[rows, total], frames.dtype())
}

/// The frames that a transform gives back, windowed and added where they stood, and their windows' squares added likewise.
fn joined(x: &Tensor, frames: &Frames, transform: &str, norm: &str) -> Result<(Tensor, Tensor), Error> {
    let batch = if x.dim() == 3 { x.clone() } else { op("aten::unsqueeze", &[x.clone().into(), IValue::Int(0)])? };
    let turned = op("aten::transpose.int", &[batch.into(), IValue::Int(1), IValue::Int(2)])?;
    // Of a whole spectrum a real signal needs only the first half.
    let cut = op(transform, &[turned.into(), IValue::Int(frames.n_fft), IValue::Int(-1), norm.into()])?;
    let window = match &frames.window {
        Some(w) => w.clone(),
        None => op("aten::ones", &[IValue::int_list(&[frames.n_fft])])?,
    };
    let cut = op("aten::mul.Tensor", &[cut.into(), window.clone().into()])?;
    let squares = op("aten::mul.Tensor", &[window.clone().into(), window.into()])?;
    let squares = squares.expand(&[1, cut.sizes()[1], frames.n_fft])?;
    Ok((overlapped(&cut, frames.hop)?, overlapped(&squares, frames.hop)?))
}

/// (self, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex).
pub fn istft(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let x = tensor_arg(args, 0)?;
    if !x.dtype().is_complex() {
        return Err(Error::runtime(
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.",
        ));
    }
    if x.numel() == 0 || !(2..=3).contains(&x.dim()) {
        return Err(Error::runtime(format!(
            "istft: expected a tensor with 2 or 3 dimensions and elements, but got {:?}",
            x.sizes()
        )));
    }
    let said = |what: String| Ok(Error::runtime(format!("{} : {what}", described(call, args, x)?)));
    let n_fft = int_arg(args, 1)?;
    let (center, normalized) = (flag(args, 5)?.unwrap_or(true), flag(args, 6)?.unwrap_or(false));
    let return_complex = flag(args, 9)?.unwrap_or(false);
    let bins = x.sizes()[x.dim() - 2];
    let onesided = flag(args, 7)?.unwrap_or(bins != n_fft);
    let (expected, name) = if onesided { (n_fft / 2 + 1, "n_fft / 2 + 1") } else { (n_fft, "n_fft") };
    if bins != expected {
        let truth = if onesided { "True" } else { "False" };
        return Err(said(format!(
            "expected the frequency dimension (3rd to the last) of the input tensor to match {name} when onesided={truth}, but got {bins}"
        ))?);
    }
    let frames = Frames::new(args, i64::MAX, &said)?;
    if onesided && return_complex {
        return Err(Error::runtime("istft: cannot have onesided output if return_complex is true"));
    }
    let name = if return_complex { "aten::fft_ifft" } else { "aten::fft_irfft" };
    let (sum, envelope) = joined(x, &frames, name, if normalized { "ortho" } else { "backward" })?;
    let total = sum.sizes()[1];
    let start = if center { frames.n_fft / 2 } else { 0 };
    let length = arg(args, 8)?.optional().map(|v| v.as_int()).transpose()?;
    let end = match length {
        Some(n) => start + n,
        None if center => total - frames.n_fft / 2,
        None => total,
    };
    let part = |t: &Tensor| {
        op("aten::slice.Tensor", &[t.clone().into(), IValue::Int(1), IValue::Int(start), IValue::Int(end.min(total))])
    };
    let (sum, envelope) = (part(&sum)?, part(&envelope)?);
    let least = cast::to_vec::<f64>(&envelope)?.into_iter().fold(f64::INFINITY, |a, b| a.min(b.abs()));
    if least <= 1e-11 {
        // What is printed is whether the sums are large enough in their stead.
        let about = described(call, args, x)?;
        return Err(Error::runtime(format!("{about} window overlap add min: 1\n[ CPUBoolType{{}} ]")));
    }
    let mut signal = op("aten::div.Tensor", &[sum.into(), envelope.into()])?;
    if end > total {
        signal = op("aten::constant_pad_nd", &[signal.into(), IValue::int_list(&[0, end - total])])?;
    }
    one(if x.dim() == 3 { signal } else { op("aten::squeeze.dim", &[signal.into(), IValue::Int(0)])? })
}
