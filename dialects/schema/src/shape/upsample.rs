//! Rules of resampling: output sizes given, or input sizes scaled and rounded down.

use super::args::*;

fn letters(n: usize) -> &'static [&'static str] {
    match n {
        1 => &["W"],
        2 => &["H", "W"],
        _ => &["D", "H", "W"],
    }
}

fn named(sizes: &[Size]) -> String {
    let items: Vec<String> = letters(sizes.len())
        .iter()
        .zip(sizes)
        .map(|(l, s)| format!("{l}: {}", s.known().map_or("?".to_string(), |n| n.to_string())))
        .collect();
    items.join(", ")
}

/// Which element types a kernel takes: floats and u8, and its name where it is another than the spatial rank's.
struct Kernel {
    name: &'static str,
    channels_last: Option<&'static str>,
}

fn check_dtype(t: &TensorMeta, k: &Kernel) -> Result<(), ShapeError> {
    match t.dtype {
        Some(d) if !d.is_float() && d != DType::U8 => {
            // Few channels are taken by the kernel for channels_last.
            let few = t.size(1).known().is_some_and(|c| c <= 3) && k.channels_last.is_some();
            not_implemented_for(if few { k.channels_last.unwrap_or(k.name) } else { k.name }, d)
        }
        _ => Ok(()),
    }
}

fn resized(t: &TensorMeta, n: usize, out: Option<Sizes>, kernel: &Kernel) -> RuleResult {
    let Some(out) = out else { return one(t.dtype, None) };
    refuse!(if out.len() != n, "It is expected output_size equals to {n}, but got size {}", out.len());
    let Some(sizes) = &t.sizes else { return one(t.dtype, None) };
    refuse!(if sizes.len() != n + 2, "It is expected input_size equals to {}, but got size {}", n + 2, sizes.len());
    let bad = |s: &[Size]| s.iter().any(|s| s.known().is_some_and(|n| n <= 0));
    if bad(&sizes[2..]) || bad(&out) {
        let (i, o) = (named(&sizes[2..]), named(&out));
        return error(match n {
            1 => format!("Input and output sizes should be greater than 0, but got input ({i}) and output ({o})"),
            _ => format!("Input and output sizes should be greater than 0, but got input ({i}) output ({o})"),
        });
    }
    check_dtype(t, kernel)?;
    let mut result: Sizes = smallvec![sizes[0], sizes[1]];
    result.extend(out);
    one(t.dtype, Some(result))
}

/// Output sizes as an argument.
fn sized(a: &[Meta], n: usize, kernel: &Kernel) -> RuleResult {
    resized(&a.tensor(0)?, n, a.sizes(1), kernel)
}

/// Output sizes, or scale factors at position `factors`.
fn scaled(a: &[Meta], n: usize, factors: usize, kernel: &Kernel) -> RuleResult {
    let t = a.tensor(0)?;
    let wrong = |what: &str| {
        error(format!("Expected static_cast<int64_t>({what}->size()) == spatial_dimensions to be true, but got false."))
    };
    let (size, factor) = (a.meta(1), a.meta(factors));
    if *size != Meta::None {
        refuse!(if *factor != Meta::None && *factor != Meta::Unknown && *size != Meta::Unknown,
            "Must specify exactly one of output_size and scale_factors");
        let n = t.rank().map_or(n, |r| r.saturating_sub(2));
        let out = a.sizes(1);
        if out.as_ref().is_some_and(|o| o.len() != n) {
            return wrong("output_size");
        }
        return resized(&t, n, out, kernel);
    }
    let Some(list) = a.floats(factors) else { return one(t.dtype, None) };
    refuse!(if *factor == Meta::None, "Must specify exactly one of output_size and scale_factors");
    let Some(sizes) = &t.sizes else { return one(t.dtype, None) };
    if list.len() != sizes.len().saturating_sub(2) {
        return wrong("scale_factors");
    }
    refuse!(if sizes.len() != n + 2, "It is expected input_size equals to {}, but got size {}", n + 2, sizes.len());
    let out = sizes[2..]
        .iter()
        .zip(&list)
        .map(|(s, f)| match s {
            Size::Known(i) => Size::Known((*i as f64 * f) as i64),
            s if *f == 1.0 => *s,
            _ => Size::Unknown,
        })
        .collect();
    resized(&t, n, Some(out), kernel)
}

const NEAREST: Kernel = Kernel { name: "compute_indices_weights_nearest", channels_last: None };
const NEAREST2D: Kernel =
    Kernel { name: "compute_indices_weights_nearest", channels_last: Some("upsample_nearest2d_channels_last") };
const LINEAR: Kernel = Kernel { name: "compute_indices_weights_linear", channels_last: None };
const BILINEAR: Kernel =
    Kernel { name: "compute_indices_weights_linear", channels_last: Some("upsample_bilinear2d_channels_last") };
const CUBIC: Kernel = Kernel { name: "compute_indices_weights_cubic", channels_last: None };
const SMOOTH: Kernel = Kernel { name: "compute_index_ranges_weights", channels_last: None };

rules! {
    nearest1d = sized, 1, &NEAREST; nearest1d_vec = scaled, 1, 2, &NEAREST;
    nearest2d = sized, 2, &NEAREST2D; nearest2d_vec = scaled, 2, 2, &NEAREST2D;
    nearest3d = sized, 3, &NEAREST; nearest3d_vec = scaled, 3, 2, &NEAREST;
    linear1d = sized, 1, &LINEAR; linear1d_vec = scaled, 1, 3, &LINEAR;
    bilinear2d = sized, 2, &BILINEAR; bilinear2d_vec = scaled, 2, 3, &BILINEAR;
    trilinear3d = sized, 3, &LINEAR; trilinear3d_vec = scaled, 3, 3, &LINEAR;
    bicubic2d = sized, 2, &CUBIC; bicubic2d_vec = scaled, 2, 3, &CUBIC;
    smooth2d = sized, 2, &SMOOTH; smooth2d_vec = scaled, 2, 3, &SMOOTH;
}

/// Gradients have the sizes of the third argument.
fn backward(a: &[Meta], n: usize) -> RuleResult {
    let t = a.tensor(0)?;
    let (Some(out), Some(input)) = (a.sizes(1), a.sizes(2)) else { return one(t.dtype, None) };
    refuse!(if out.len() != n, "It is expected output_size equals to {n}, but got size {}", out.len());
    refuse!(if input.len() != n + 2, "It is expected input_size equals to {}, but got size {}", n + 2, input.len());
    let bad = |s: &[Size]| s.iter().any(|s| s.known().is_some_and(|n| n <= 0));
    if bad(&input[2..]) || bad(&out) {
        let (i, o) = (named(&input[2..]), named(&out));
        let and = if n == 1 { "and " } else { "" };
        return error(format!(
            "Input and output sizes should be greater than 0, but got input ({i}) {and}output ({o})"
        ));
    }
    kernel(&format!("upsample{n}d_backward"), t.dtype, |d| d == DType::U8 || d != DType::Bool && !d.is_int())?;
    if let Some(have) = &t.sizes {
        let want: Sizes = input[..2].iter().chain(&out).copied().collect();
        refuse!(if have.len() != n + 2,
            "Expected grad_output to be a tensor of dimension {} but got: dimension {}", n + 2, have.len());
        refuse!(if let Some(d) = (0..n + 2).find(|d| have[*d].unequal(want[*d])),
            "Expected grad_output to have the same shape as output; output.size({d}) = {} but got grad_output.size({d}) = {}",
            want[d], have[d]);
    }
    one(t.dtype, Some(input))
}

rules! {
    backward1d = backward, 1; backward2d = backward, 2; backward3d = backward, 3;
}

pub fn pixel_shuffle(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let (Some(sizes), Some(r)) = (&t.sizes, a.int(1)) else { return one(t.dtype, None) };
    let n = sizes.len();
    refuse!(if n < 3, "pixel_shuffle expects input to have at least 3 dimensions, but got input with {n} dimension(s)");
    refuse!(if r <= 0, "pixel_shuffle expects a positive upscale_factor, but got {r}");
    let square = r.saturating_mul(r);
    refuse!(if let Some(c) = sizes[n - 3].known(), c % square != 0,
        "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)={c} is not divisible by {square}");
    let mut out = sizes.clone();
    out[n - 3] = sizes[n - 3].map(|c| c / square);
    out[n - 2] = sizes[n - 2].times(Size::Known(r));
    out[n - 1] = sizes[n - 1].times(Size::Known(r));
    one(t.dtype, Some(out))
}

pub fn pixel_unshuffle(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let (Some(sizes), Some(r)) = (&t.sizes, a.int(1)) else { return one(t.dtype, None) };
    let n = sizes.len();
    refuse!(if n < 3,
        "pixel_unshuffle expects input to have at least 3 dimensions, but got input with {n} dimension(s)");
    refuse!(if r <= 0, "pixel_unshuffle expects a positive downscale_factor, but got {r}");
    for (d, name) in [(2, "height"), (1, "width")] {
        refuse!(if let Some(s) = sizes[n - d].known(), s % r != 0,
            "pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size(-{d})={s} is not divisible by {r}");
    }
    let mut out = sizes.clone();
    out[n - 3] = sizes[n - 3].times(Size::Known(r.saturating_mul(r)));
    out[n - 2] = sizes[n - 2].map(|s| s / r);
    out[n - 1] = sizes[n - 1].map(|s| s / r);
    one(t.dtype, Some(out))
}

pub fn channel_shuffle(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if let Some(n) = t.rank(), n <= 2,
        "channel_shuffle expects input with > 2 dims, but got input with sizes {}", t.shown());
    if let Some(g) = a.int(1) {
        refuse!(if g <= 0, "Number of groups to divide channels in must be positive. Value of groups:{g}");
        refuse!(if let Some(c) = t.size(1).known(), c % g != 0,
            "Number of channels must be divisible by groups. Got {c} channels and {g} groups.");
    }
    one(t.dtype, t.sizes)
}

pub fn affine_grid_generator(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let Some(size) = a.sizes(1) else { return one(t.dtype, None) };
    refuse!(if size.len() != 4 && size.len() != 5, "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.");
    let n = size.len() as i64 - 2;
    refuse!(if t.rank().is_some_and(|r| r != 3) || t.size(1).differs(Size::Known(n)),
        "Expected a batch of affine matrices of shape Nx{n}x{} but got {}", n + 1, t.shown());
    if t.size(0).differs(size[0]) || t.size(2).differs(Size::Known(n + 1)) {
        let text = |s: Size| s.known().unwrap_or_default();
        return error(format!(
            "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, {}].",
            text(size[0]),
            n + 1,
            text(t.size(0)),
            text(t.size(2))
        ));
    }
    let mut out: Sizes = smallvec![size[0]];
    out.extend_from_slice(&size[2..]);
    out.push(Size::Known(n));
    one(t.dtype, Some(out))
}

pub fn grid_sampler(a: &[Meta]) -> RuleResult {
    let (t, g) = (a.tensor(0)?, a.tensor(1)?);
    let (Some(ts), Some(gs)) = (&t.sizes, &g.sizes) else { return one(t.dtype, None) };
    refuse!(if ts.is_empty() || gs.is_empty() || ts[0].differs(gs[0]),
        "grid_sampler(): expected grid and input to have same batch size, but got input with sizes {} and grid with sizes {}",
        show(ts), show(gs));
    let n = ts.len().saturating_sub(2);
    refuse!(if gs[gs.len() - 1].unequal(Size::Known(n as i64)),
        "grid_sampler(): expected grid to have size {n} in last dimension, but got grid with sizes {}", show(gs));
    refuse!(if !(n == 2 || n == 3) || gs.len() != ts.len(),
        "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes {} and grid with sizes {}",
        show(ts), show(gs));
    refuse!(if let Some(d) = (2..ts.len()).find(|d| ts[*d] == Size::Known(0)),
        "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes {} with dimension {d} being empty",
        show(ts));
    if let (Some(d), Some(e)) = (t.dtype, g.dtype) {
        if !d.is_float() {
            return not_implemented_for("grid_sampler_2d_cpu_kernel_impl", d);
        }
        refuse!(if d != e, "expected scalar type {} but found {}", d.scalar_type_name(), e.scalar_type_name());
    }
    let mut out: Sizes = smallvec![ts[0], ts[1]];
    out.extend_from_slice(&gs[1..gs.len() - 1]);
    one(t.dtype, Some(out))
}

/// (grad_output, input, grid, …): what fits the sample, and the gradients of input and grid.
pub fn grid_sampler_backward(a: &[Meta]) -> RuleResult {
    let (grad, t, grid) = (a.tensor(0)?, a.tensor(1)?, a.tensor(2)?);
    let sample = grid_sampler(&a[1..])?;
    refuse!(if let Some((want, got)) = mismatch(&sample.tensor(0)?.sizes, &grad.sizes),
        "grid_sampler_backward: grad_output has sizes {got}, not {want}");
    Ok(smallvec![t.like(), grid.like()])
}
