//! Sizes of padded tensors, and which paddings PyTorch refuses.

use super::args::*;
use super::rule;
use crate::geometry::padding::{Border, padded};

/// A pair of numbers for each of the last dimensions, the last one first; a negative one cuts.
pub fn constant(t: Ranked, pad: Sizes) -> RuleResult {
    let sizes = &t.sizes;
    refuse!(if !pad.len().is_multiple_of(2), "Length of pad must be even but instead it equals {}", pad.len());
    refuse!(if pad.len() > 2 * sizes.len(),
        "Length of pad should be no more than twice the number of dimensions of the input. Pad length is {}while the input has {}dimensions.",
        pad.len(), sizes.len());
    // Cutting is done first, by narrow().
    let cut = |s: Size| s.known().map_or(0, |p| p.min(0));
    let left = |(pair, n): (&[Size], &Size)| n.plus(cut(pair[0])).plus(cut(pair[1]));
    refuse!(if pad.chunks(2).zip(sizes.iter().rev()).map(left).any(|n| n.known().is_some_and(|n| n < 0)),
        "narrow(): length must be non-negative.");
    t.sized(Some(padded(sizes, &pad)))
}

const NAMES: [&str; 3] = ["D", "H", "W"];

/// Paddings that repeat the input's own elements, over `n` dimensions.
fn own_elements(t: Ranked, pad: Sizes, n: usize, reflects: bool) -> RuleResult {
    let sizes = &t.sizes;
    refuse!(if pad.len() != 2 * n, "padding size is expected to be {}, but got: {}", 2 * n, pad.len());
    let valid = sizes.len() == n + 1 || sizes.len() == n + 2;
    let batch = usize::from(sizes.len() == n + 2);
    refuse!(if !valid || sizes.iter().skip(batch).any(|s| *s == Size::Known(0)),
        "Expected {}D or {}D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: {}",
        n + 1, n + 2, show(sizes));
    let name = if reflects { "reflection" } else { "replication" };
    kernel(&format!("{name}_pad{n}d"), t.dtype, |d| d != DType::Bool)?;
    let out = padded(sizes, &pad);
    if reflects {
        for (i, pair) in pad.chunks_exact(2).enumerate() {
            let d = sizes.len() - 1 - i;
            refuse!(if let (Size::Known(size), Some(low), Some(high)) = (sizes[d], pair[0].known(), pair[1].known()),
                low >= size || high >= size,
                "Argument #{}: Padding size should be less than the corresponding input dimension, but got: padding ({low}, {high}) at dimension {d} of input {}",
                4 + 2 * i, show(sizes));
        }
    }
    let first = sizes.len() - n;
    if out[first..].iter().any(|s| s.known().is_some_and(|s| s < 1)) {
        let list = |sizes: &[Size], with: &str| {
            let items = NAMES[3 - n..].iter().zip(&sizes[first..]).map(|(name, s)| format!("{name}: {s}"));
            items.collect::<Vec<_>>().join(with)
        };
        let (input, output) = (list(sizes, ", "), list(&out, " "));
        refuse!(if n == 1 || n == 2 && !reflects, "input ({input}) is too small. Calculated output {output}");
        return error(format!("Calculated output {output} must be >= 1 in every dimension (input {input})"));
    }
    t.sized(Some(out))
}

rules! {
    reflection1d = own_elements, 1, true; reflection1d_backward = backward, 1, true;
    reflection2d = own_elements, 2, true; reflection2d_backward = backward, 2, true;
    reflection3d = own_elements, 3, true; reflection3d_backward = backward, 3, true;
    replication1d = own_elements, 1, false; replication1d_backward = backward, 1, false;
    replication2d = own_elements, 2, false; replication2d_backward = backward, 2, false;
    replication3d = own_elements, 3, false; replication3d_backward = backward, 3, false;
}

/// The gradient of a padding has the input's sizes, if it has the padded ones itself.
fn backward(a: &[Meta], n: usize, reflects: bool) -> RuleResult {
    let (grad, t) = (a.tensor(0)?, a.tensor(1)?);
    let padded = rule(own_elements, &a[1..], (n, reflects))?;
    refuse!(if let Some((want, got)) = mismatch(&padded.tensor(0)?.sizes, &grad.sizes),
        "grad_output has sizes {got}, not the {want} of the padded input");
    // Where nothing is added nothing is read.
    if !grad.is_empty() {
        scalar_type(&t, &grad)?;
    }
    Ok(smallvec![Meta::Tensor(t)])
}

/// Each of the last dimensions taken as a ring.
pub fn circular(t: Ranked, pad: Sizes) -> RuleResult {
    let sizes = &t.sizes;
    refuse!(if pad.len() > 2 * sizes.len(), "more padding than the input has dimensions");
    for (pair, n) in pad.chunks_exact(2).zip(sizes.iter().rev()) {
        refuse!(if let Size::Known(n) = n, pair.iter().any(|p| p.known().is_some_and(|p| p > *n)),
            "Padding value causes wrapping around more than once.");
        refuse!(if n.plus(pair[0]).plus(pair[1]).known().is_some_and(|n| n < 0),
            "Negative padding value is resulting in an empty dimension");
    }
    t.sized(Some(padded(sizes, &pad)))
}

fn unsupported(length: usize, rank: Option<usize>) -> RuleResult {
    not_implemented(format!(
        "Padding size {length} is not supported for {}D input tensor.\n\
         Supported combinations for non-constant padding:\n  \
         - 2D or 3D input: padding size = 2 (pads last dimension)\n  \
         - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n  \
         - 4D or 5D input: padding size = 6 (pads last 3 dimensions)",
        rank.unwrap_or_default()
    ))
}

/// (self, pad, mode, value): the mode is a name or a number.
pub fn pad(args: &[Meta]) -> RuleResult {
    let (t, length) = (args.tensor(0)?, args.sizes(1).map(|p| p.len()));
    let border = Border::named(args.meta(2))?;
    if let (None, Some(_)) = (border, args.int(2)) {
        return unsupported(length.unwrap_or(0), t.rank());
    }
    if let Some(length) = length {
        refuse!(if length % 2 != 0, "Padding length must be divisible by 2");
        refuse!(if let Some(rank) = t.rank(), length > 2 * rank,
            "Padding length should be less than or equal to two times the input dimension but got padding length {length} and input of dimension {rank}");
    }
    let Some(border) = border else { return t.sized(None) };
    if border == Border::Constant {
        return rule(constant, args, ());
    }
    refuse!(if !args.is_none(3) && !args.is_unknown(3) && args.float(3) != Some(0.0),
        "Padding mode \"{}\" doesn't take in value argument", border.mode());
    match (length.map(|l| l / 2), t.rank()) {
        (Some(n @ 1..=3), Some(rank)) if rank == n + 1 || rank == n + 2 => match border {
            Border::Circular => rule(circular, args, ()),
            _ => rule(own_elements, args, (n, border == Border::Reflect)),
        },
        (Some(n), Some(_)) => unsupported(2 * n, t.rank()),
        _ => t.sized(None),
    }
}
