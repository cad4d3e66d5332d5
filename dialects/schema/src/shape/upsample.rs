//! Rules of resampling: output sizes given, or input sizes scaled and rounded down.

use super::args::*;

fn named(sizes: &[Size]) -> String {
    let letters = ["D", "H", "W"];
    let items = letters[3 - sizes.len()..].iter().zip(sizes).map(|(letter, size)| format!("{letter}: {size}"));
    items.collect::<Vec<_>>().join(", ")
}

/// Which element types a kernel takes: floats and u8, and its name where it is another than the spatial rank's.
struct Kernel {
    name: &'static str,
    channels_last: Option<&'static str>,
}

fn check_dtype(t: &TensorMeta, k: &Kernel) -> Result<(), ShapeError> {
    // Few channels are taken by the kernel for channels_last.
    let few = t.size(1).known().is_some_and(|c| c <= 3);
    let name = k.channels_last.filter(|_| few).unwrap_or(k.name);
    kernel(name, t.dtype, |d| d.is_float() || d == DType::U8)
}

/// What is resampled, and what it becomes, has elements in every direction.
fn check_content(input: &[Size], output: &[Size]) -> Result<(), ShapeError> {
    let bad = |s: &[Size]| s.iter().any(|s| s.known().is_some_and(|n| n <= 0));
    let and = if input.len() == 1 { "and " } else { "" };
    refuse!(if bad(input) || bad(output),
        "Input and output sizes should be greater than 0, but got input ({}) {and}output ({})", named(input),
        named(output));
    Ok(())
}

fn resized(t: &TensorMeta, n: usize, out: List, kernel: &Kernel) -> RuleResult {
    let Some(out) = out else { return one(t.dtype, None) };
    refuse!(if out.len() != n, "It is expected output_size equals to {n}, but got size {}", out.len());
    let Some(sizes) = &t.sizes else { return one(t.dtype, None) };
    refuse!(if sizes.len() != n + 2, "It is expected input_size equals to {}, but got size {}", n + 2, sizes.len());
    check_content(&sizes[2..], &out)?;
    check_dtype(t, kernel)?;
    one(t.dtype, Some(sizes[..2].iter().copied().chain(out).collect()))
}

/// Output sizes as an argument.
fn sized(t: TensorMeta, out: List, n: usize, kernel: &Kernel) -> RuleResult {
    resized(&t, n, out, kernel)
}

/// Output sizes, or scale factors at position `factors`.
fn scaled(a: &[Meta], n: usize, factors: usize, kernel: &Kernel) -> RuleResult {
    let t = a.tensor(0)?;
    let fits = |what: &str, length: usize, rank: usize| {
        refuse!(if length != rank.saturating_sub(2),
            "Expected static_cast<int64_t>({what}->size()) == spatial_dimensions to be true, but got false.");
        Ok(())
    };
    let (size, factor) = (a.meta(1), a.meta(factors));
    refuse!(if !size.is_none() && !size.is_unknown() && !factor.is_none() && !factor.is_unknown(),
        "Must specify exactly one of output_size and scale_factors");
    if !size.is_none() {
        let out = a.sizes(1);
        out.as_ref().map_or(Ok(()), |out| fits("output_size", out.len(), t.rank().unwrap_or(n + 2)))?;
        return resized(&t, n, out, kernel);
    }
    let Some(list) = a.floats(factors) else { return one(t.dtype, None) };
    refuse!(if factor.is_none(), "Must specify exactly one of output_size and scale_factors");
    let Some(sizes) = &t.sizes else { return one(t.dtype, None) };
    fits("scale_factors", list.len(), sizes.len())?;
    refuse!(if sizes.len() != n + 2, "It is expected input_size equals to {}, but got size {}", n + 2, sizes.len());
    let size = |(s, f): (&Size, &f64)| match s {
        Size::Known(i) => Size::Known((*i as f64 * f) as i64),
        s if *f == 1.0 => *s,
        _ => Size::Unknown,
    };
    resized(&t, n, Some(sizes[2..].iter().zip(&list).map(size).collect()), kernel)
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
fn backward(t: TensorMeta, out: Sizes, input: Sizes, n: usize) -> RuleResult {
    refuse!(if out.len() != n, "It is expected output_size equals to {n}, but got size {}", out.len());
    refuse!(if input.len() != n + 2, "It is expected input_size equals to {}, but got size {}", n + 2, input.len());
    check_content(&input[2..], &out)?;
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

pub fn pixel_shuffle(t: Ranked, r: i64) -> RuleResult {
    let (n, square) = (t.sizes.len(), r.saturating_mul(r));
    refuse!(if n < 3, "pixel_shuffle expects input to have at least 3 dimensions, but got input with {n} dimension(s)");
    refuse!(if r <= 0, "pixel_shuffle expects a positive upscale_factor, but got {r}");
    let (lead, last) = t.sizes.split_at(n - 3);
    refuse!(if let Some(c) = last[0].known(), c % square != 0,
        "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)={c} is not divisible by {square}");
    let last = [last[0].map(|c| c / square), last[1].times(r), last[2].times(r)];
    one(t.dtype, Some(lead.iter().copied().chain(last).collect()))
}

pub fn pixel_unshuffle(t: Ranked, r: i64) -> RuleResult {
    let n = t.sizes.len();
    refuse!(if n < 3,
        "pixel_unshuffle expects input to have at least 3 dimensions, but got input with {n} dimension(s)");
    refuse!(if r <= 0, "pixel_unshuffle expects a positive downscale_factor, but got {r}");
    let (lead, last) = t.sizes.split_at(n - 3);
    for (d, name) in [(2, "height"), (1, "width")] {
        refuse!(if let Some(s) = last[3 - d].known(), s % r != 0,
            "pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size(-{d})={s} is not divisible by {r}");
    }
    let last = [last[0].times(r.saturating_mul(r)), last[1].map(|s| s / r), last[2].map(|s| s / r)];
    one(t.dtype, Some(lead.iter().copied().chain(last).collect()))
}

pub fn channel_shuffle(t: TensorMeta, groups: Int) -> RuleResult {
    refuse!(if let Some(n) = t.rank(), n <= 2,
        "channel_shuffle expects input with > 2 dims, but got input with sizes {}", t.shown());
    refuse!(if let Some(g) = groups, g <= 0,
        "Number of groups to divide channels in must be positive. Value of groups:{g}");
    refuse!(if let (Some(g), Some(c)) = (groups, t.size(1).known()), c % g != 0,
        "Number of channels must be divisible by groups. Got {c} channels and {g} groups.");
    one(t.dtype, t.sizes)
}

pub fn affine_grid_generator(t: TensorMeta, size: Sizes) -> RuleResult {
    refuse!(if size.len() != 4 && size.len() != 5, "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.");
    let n = size.len() as i64 - 2;
    refuse!(if t.rank_not(3).is_some() || t.size(1).differs(Size::Known(n)),
        "Expected a batch of affine matrices of shape Nx{n}x{} but got {}", n + 1, t.shown());
    super::matmul::refuse_batches([size[0], Size::Known(n + 1)], [t.size(0), t.size(2)])?;
    one(t.dtype, Some(size[..1].iter().chain(&size[2..]).copied().chain([Size::Known(n)]).collect()))
}

pub fn grid_sampler([t, grid]: [TensorMeta; 2]) -> RuleResult {
    let (Some(ts), Some(gs)) = (&t.sizes, &grid.sizes) else { return one(t.dtype, None) };
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
    kernel("grid_sampler_2d_cpu_kernel_impl", t.dtype.filter(|_| grid.dtype.is_some()), DType::is_float)?;
    scalar_type(&t, &grid)?;
    one(t.dtype, Some(ts[..2].iter().chain(&gs[1..gs.len() - 1]).copied().collect()))
}

/// What fits the sample, and the gradients of input and grid.
pub fn grid_sampler_backward([grad, t, grid]: [TensorMeta; 3]) -> RuleResult {
    let sample = grid_sampler([t.clone(), grid.clone()])?;
    refuse!(if let Some((want, got)) = mismatch(&sample.tensor(0)?.sizes, &grad.sizes),
        "grid_sampler_backward: grad_output has sizes {got}, not {want}");
    Ok(smallvec![t.like(), grid.like()])
}
