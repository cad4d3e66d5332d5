//! Rules of resampling: output sizes given, or input sizes scaled and rounded down.

use super::args::*;
use super::{Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
use smallvec::smallvec;

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
    if out.len() != n {
        return error(format!("It is expected output_size equals to {n}, but got size {}", out.len()));
    }
    let Some(sizes) = &t.sizes else { return one(t.dtype, None) };
    if sizes.len() != n + 2 {
        return error(format!("It is expected input_size equals to {}, but got size {}", n + 2, sizes.len()));
    }
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
fn sized(n: usize, kernel: &Kernel, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    resized(&a.tensor(0)?, n, a.sizes(1), kernel)
}

/// Output sizes, or scale factors at position `factors`.
fn scaled(n: usize, factors: usize, kernel: &Kernel, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let wrong = |what: &str| {
        error(format!("Expected static_cast<int64_t>({what}->size()) == spatial_dimensions to be true, but got false."))
    };
    let (size, factor) = (a.get(1), a.get(factors));
    if *size != Meta::None {
        if *factor != Meta::None && *factor != Meta::Unknown && *size != Meta::Unknown {
            return error("Must specify exactly one of output_size and scale_factors");
        }
        let n = t.rank().map_or(n, |r| r.saturating_sub(2));
        let out = a.sizes(1);
        if out.as_ref().is_some_and(|o| o.len() != n) {
            return wrong("output_size");
        }
        return resized(&t, n, out, kernel);
    }
    let Some(list) = a.floats(factors) else { return one(t.dtype, None) };
    if *factor == Meta::None {
        return error("Must specify exactly one of output_size and scale_factors");
    }
    let Some(sizes) = &t.sizes else { return one(t.dtype, None) };
    if list.len() != sizes.len().saturating_sub(2) {
        return wrong("scale_factors");
    }
    if sizes.len() != n + 2 {
        return error(format!("It is expected input_size equals to {}, but got size {}", n + 2, sizes.len()));
    }
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

/// The rule with sizes and the rule with factors, whose position follows.
macro_rules! rules {
    ($($sized:ident, $scaled:ident: $n:literal, $kernel:expr, $factors:literal;)*) => { $(
        pub fn $sized(a: &[Meta]) -> RuleResult {
            sized($n, &$kernel, a)
        }
        pub fn $scaled(a: &[Meta]) -> RuleResult {
            scaled($n, $factors, &$kernel, a)
        }
    )* };
}
rules! {
    nearest1d, nearest1d_vec: 1, NEAREST, 2;
    nearest2d, nearest2d_vec: 2, NEAREST2D, 2;
    nearest3d, nearest3d_vec: 3, NEAREST, 2;
    linear1d, linear1d_vec: 1, LINEAR, 3;
    bilinear2d, bilinear2d_vec: 2, BILINEAR, 3;
    trilinear3d, trilinear3d_vec: 3, LINEAR, 3;
    bicubic2d, bicubic2d_vec: 2, CUBIC, 3;
    smooth2d, smooth2d_vec: 2, SMOOTH, 3;
}

/// Gradients have the sizes of the third argument.
fn backward(n: usize, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let (Some(out), Some(input)) = (a.sizes(1), a.sizes(2)) else { return one(t.dtype, None) };
    if out.len() != n {
        return error(format!("It is expected output_size equals to {n}, but got size {}", out.len()));
    }
    if input.len() != n + 2 {
        return error(format!("It is expected input_size equals to {}, but got size {}", n + 2, input.len()));
    }
    let bad = |s: &[Size]| s.iter().any(|s| s.known().is_some_and(|n| n <= 0));
    if bad(&input[2..]) || bad(&out) {
        let (i, o) = (named(&input[2..]), named(&out));
        let and = if n == 1 { "and " } else { "" };
        return error(format!(
            "Input and output sizes should be greater than 0, but got input ({i}) {and}output ({o})"
        ));
    }
    if let Some(d) = t.dtype
        && (d == DType::Bool || d.is_int() && d != DType::U8)
    {
        return not_implemented_for(&format!("upsample{n}d_backward"), d);
    }
    one(t.dtype, Some(input))
}

pub fn backward1d(a: &[Meta]) -> RuleResult {
    backward(1, a)
}
pub fn backward2d(a: &[Meta]) -> RuleResult {
    backward(2, a)
}
pub fn backward3d(a: &[Meta]) -> RuleResult {
    backward(3, a)
}

pub fn pixel_shuffle(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let (Some(sizes), Some(r)) = (&t.sizes, a.int(1)) else { return one(t.dtype, None) };
    let n = sizes.len();
    if n < 3 {
        return error(format!(
            "pixel_shuffle expects input to have at least 3 dimensions, but got input with {n} dimension(s)"
        ));
    }
    if r <= 0 {
        return error(format!("pixel_shuffle expects a positive upscale_factor, but got {r}"));
    }
    let square = r.saturating_mul(r);
    if let Some(c) = sizes[n - 3].known()
        && c % square != 0
    {
        return error(format!(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)={c} is not divisible by {square}"
        ));
    }
    let mut out = sizes.clone();
    out[n - 3] = sizes[n - 3].map(|c| c / square);
    out[n - 2] = sizes[n - 2].times(Size::Known(r));
    out[n - 1] = sizes[n - 1].times(Size::Known(r));
    one(t.dtype, Some(out))
}

pub fn pixel_unshuffle(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let (Some(sizes), Some(r)) = (&t.sizes, a.int(1)) else { return one(t.dtype, None) };
    let n = sizes.len();
    if n < 3 {
        return error(format!(
            "pixel_unshuffle expects input to have at least 3 dimensions, but got input with {n} dimension(s)"
        ));
    }
    if r <= 0 {
        return error(format!("pixel_unshuffle expects a positive downscale_factor, but got {r}"));
    }
    for (d, name) in [(2, "height"), (1, "width")] {
        if let Some(s) = sizes[n - d].known()
            && s % r != 0
        {
            return error(format!(
                "pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size(-{d})={s} is not divisible by {r}"
            ));
        }
    }
    let mut out = sizes.clone();
    out[n - 3] = sizes[n - 3].times(Size::Known(r.saturating_mul(r)));
    out[n - 2] = sizes[n - 2].map(|s| s / r);
    out[n - 1] = sizes[n - 1].map(|s| s / r);
    one(t.dtype, Some(out))
}

pub fn channel_shuffle(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if let Some(n) = t.rank()
        && n <= 2
    {
        return error(format!(
            "channel_shuffle expects input with > 2 dims, but got input with sizes {}",
            show(t.sizes.as_deref().unwrap_or(&[]))
        ));
    }
    if let Some(g) = a.int(1) {
        if g <= 0 {
            return error(format!("Number of groups to divide channels in must be positive. Value of groups:{g}"));
        }
        if let Some(c) = t.size(1).known()
            && c % g != 0
        {
            return error(format!("Number of channels must be divisible by groups. Got {c} channels and {g} groups."));
        }
    }
    one(t.dtype, t.sizes)
}

pub fn affine_grid_generator(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let Some(size) = a.sizes(1) else { return one(t.dtype, None) };
    if size.len() != 4 && size.len() != 5 {
        return error("AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.");
    }
    let n = size.len() as i64 - 2;
    if t.rank().is_some_and(|r| r != 3) || t.size(1).differs(Size::Known(n)) {
        return error(format!(
            "Expected a batch of affine matrices of shape Nx{n}x{} but got {}",
            n + 1,
            show(t.sizes.as_deref().unwrap_or(&[]))
        ));
    }
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
    let a = Args(a);
    let (t, g) = (a.tensor(0)?, a.tensor(1)?);
    let (Some(ts), Some(gs)) = (&t.sizes, &g.sizes) else { return one(t.dtype, None) };
    if ts.is_empty() || gs.is_empty() || ts[0].differs(gs[0]) {
        return error(format!(
            "grid_sampler(): expected grid and input to have same batch size, but got input with sizes {} and grid with sizes {}",
            show(ts),
            show(gs)
        ));
    }
    let n = ts.len().saturating_sub(2);
    if gs[gs.len() - 1].differs(Size::Known(n as i64)) {
        return error(format!(
            "grid_sampler(): expected grid to have size {n} in last dimension, but got grid with sizes {}",
            show(gs)
        ));
    }
    if !(n == 2 || n == 3) || gs.len() != ts.len() {
        return error(format!(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes {} and grid with sizes {}",
            show(ts),
            show(gs)
        ));
    }
    if let Some(d) = (2..ts.len()).find(|d| ts[*d] == Size::Known(0)) {
        return error(format!(
            "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes {} with dimension {d} being empty",
            show(ts)
        ));
    }
    if let (Some(d), Some(e)) = (t.dtype, g.dtype) {
        if !d.is_float() {
            return not_implemented_for("grid_sampler_2d_cpu_kernel_impl", d);
        }
        if d != e {
            return error(format!("expected scalar type {} but found {}", d.scalar_type_name(), e.scalar_type_name()));
        }
    }
    let mut out: Sizes = smallvec![ts[0], ts[1]];
    out.extend_from_slice(&gs[1..gs.len() - 1]);
    one(t.dtype, Some(out))
}

/// (grad_output, input, grid, …): what fits the sample, and the gradients of input and grid.
pub fn grid_sampler_backward(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (grad, t, grid) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let sample = grid_sampler(&a[1..])?;
    if let (Some(want), Some(got)) = (sample[0].sizes(), &grad.sizes)
        && (want.len() != got.len() || want.iter().zip(got).any(|(a, b)| a.differs(*b)))
    {
        return error(format!("grid_sampler_backward: grad_output has sizes {}, not {}", show(got), show(&want)));
    }
    Ok(smallvec![tensor(t.dtype, t.sizes), tensor(grid.dtype, grid.sizes)])
}
