//! Rules of torchvision's operators: what boxes, regions and offsets must look like, in torchvision's words.

use super::args::*;
use crate::geometry::convolution::deformable;

/// The size of a dimension that an operator asks for, one after the other.
fn size_at(t: &TensorMeta, dim: usize) -> Result<Size, ShapeError> {
    refuse!(if t.rank() == Some(0), "Dimension specified as {dim} but tensor has no dimensions");
    refuse!(if let Some(rank) = t.rank(), dim >= rank,
        "Dimension out of range (expected to be in range of [-{rank}, {}], but got {dim})", rank - 1);
    Ok(t.size(dim))
}

/// torchvision has kernels for floats, and half ones only where it says so.
fn has_kernel(kernel: &str, dtype: Option<DType>, half: bool) -> Result<(), ShapeError> {
    let has = |d| matches!(d, DType::F32 | DType::F64) || half && d == DType::F16;
    refuse!(if let Some(d) = dtype, !has(d), "\"{kernel}\" not implemented for '{}'", d.graph_name());
    Ok(())
}

/// Boxes of some numbers each.
fn check_boxes(name: &str, t: &TensorMeta, numbers: i64) -> Result<(), ShapeError> {
    refuse!(if let Some(rank) = t.rank_not(2), "{name} should be a 2d tensor, got {rank}D");
    refuse!(if let Some(n) = t.size(1).known(), n != numbers,
        "{name} should have {numbers} elements in dimension 1, got {n}");
    Ok(())
}

pub fn box_iou_rotated([first, second]: [TensorMeta; 2]) -> RuleResult {
    check_boxes("boxes1", &first, 5)?;
    check_boxes("boxes2", &second, 5)?;
    refuse!(if unlike(&first, &second).is_some(), "boxes1 and boxes2 must have the same dtype");
    has_kernel("box_iou_rotated_cpu", first.dtype, false)?;
    one(Some(DType::F32), Some(smallvec![first.size(0), second.size(0)]))
}

/// How many boxes stay is known when they have been compared.
pub fn nms([boxes, scores]: [TensorMeta; 2]) -> RuleResult {
    check_boxes("boxes", &boxes, 4)?;
    refuse!(if let Some(rank) = scores.rank_not(1), "scores should be a 1d tensor, got {rank}D");
    refuse!(if let (Size::Known(b), Size::Known(s)) = (boxes.size(0), scores.size(0)), b != s,
        "boxes and scores should have same number of elements in dimension 0, got {b} and {s}");
    has_kernel("nms_kernel", boxes.dtype, false)?;
    refuse!(if unlike(&boxes, &scores).is_some(), "dets should have the same type as scores");
    one(Some(DType::I64), Some(smallvec![Size::Unknown]))
}

/// How an operator over regions differs from the others.
struct Regions {
    kernel: &'static str,
    /// What torchvision says of regions that are not five numbers each.
    shape: &'static str,
    /// Every place of a bin has channels of its own.
    by_place: bool,
    /// Beside the values, where they come from.
    places: bool,
}

fn regions([input, rois]: [TensorMeta; 2], _: Skip<1>, [height, width]: [Size; 2], op: &Regions) -> RuleResult {
    refuse!(if size_at(&rois, 1)?.differs(Size::Known(5)) || rois.rank_not(2).is_some(), "{}", op.shape);
    refuse!(if unlike(&input, &rois).is_some(), "input should have the same type as rois");
    (0..4).try_for_each(|dim| size_at(&input, dim).map(drop))?;
    refuse!(if let Some(rank) = input.rank_not(4), "input should be args 4d tensor, got {rank}D");
    let channels = if op.by_place { shared_channels(input.size(1), height, width)? } else { input.size(1) };
    let sizes = countable(smallvec![rois.size(0), channels, height, width])?;
    // Of an empty result nothing is asked.
    if product(&sizes).differs(Size::Known(0)) {
        has_kernel(op.kernel, input.dtype, true)?;
    }
    let places = op.places.then(|| tensor(Some(DType::I32), Some(sizes.clone())));
    followed_by(one(input.dtype, Some(sizes)), places)
}

/// Channels of a result whose bins take different ones.
fn shared_channels(channels: Size, height: Size, width: Size) -> Result<Size, ShapeError> {
    let (Some(h), Some(w)) = (height.known(), width.known()) else { return Ok(Size::Unknown) };
    let Some(places) = h.checked_mul(w).filter(|places| *places != 0) else {
        return error(format!("pooling height * pooling width must be a number of bins, got {h} * {w}"));
    };
    refuse!(if let Some(c) = channels.known(), c.checked_rem(places) != Some(0),
        "input channels must be a multiple of pooling height * pooling width");
    Ok(channels.map(|c| c / places))
}

const FIVE: &str = "Tensor rois should have shape as Tensor[K, 5]";
const ALIGN: Regions = Regions {
    kernel: "roi_align_forward_kernel",
    shape: "rois must have shape as Tensor[K, 5]",
    by_place: false,
    places: false,
};

rules! {
    roi_align = regions, &ALIGN;
    roi_pool = regions, &Regions { kernel: "roi_pool_forward_kernel", shape: FIVE, by_place: false, places: true };
    ps_roi_align = regions, &Regions { kernel: "ps_roi_align_forward_kernel", shape: FIVE, by_place: true, places: true };
    ps_roi_pool = regions, &Regions { kernel: "ps_roi_pool_forward_kernel", shape: FIVE, by_place: true, places: true };
}

/// Two numbers, one for each direction of a picture.
fn pair(a: &[Meta], first: usize) -> [Option<i64>; 2] {
    [a.int(first), a.int(first + 1)]
}

/// Refuses a pair of which one number is below a bound.
fn at_least(bound: i64, what: &str, pair: [Option<i64>; 2]) -> Result<(), ShapeError> {
    refuse!(if let [Some(h), Some(w)] = pair, h < bound || w < bound, "{what}_h: {h} {what}_w: {w}");
    Ok(())
}

/// (input, weight, offset, mask, bias, stride ×2, pad ×2, dilation ×2, groups, offset_groups, use_mask).
pub fn deform_conv2d(args: &[Meta]) -> RuleResult {
    let [input, weight, offset, mask, bias] = [0, 1, 2, 3, 4].map(|i| args.tensor(i));
    let (input, weight, offset, mask, bias) = (input?, weight?, offset?, mask?, bias?);
    let use_mask = args.bool(13);
    for (name, t) in [("input", &input), ("offset", &offset), ("mask", &mask), ("weight", &weight)] {
        refuse!(if let Some(rank) = t.rank_not(4), name != "mask" || use_mask == Some(true),
            "{name} should be args 4d tensor, got {rank}D");
    }
    let kernel = [weight.size(2).known(), weight.size(3).known()];
    at_least(1, "weight", kernel)?;
    at_least(1, "stride", pair(args, 5))?;
    at_least(0, "pad", pair(args, 7))?;
    at_least(1, "dilation", pair(args, 9))?;
    check_channels(args, &input, &weight, &offset, &mask)?;
    let batch = input.size(0);
    refuse!(if batch.unequal(offset.size(0)), "invalid batch size of offset");
    let all = deformable(args);
    // Rounded towards 0, also where no window fits.
    let windows = [0, 1].map(|d| {
        let w = all.as_ref()?.0[d];
        let room = input.size(2 + d).plus(w.padding.0).plus(w.padding.1).minus(w.reach()).known()?;
        Some(room / w.stride + 1)
    });
    let is_windows = |what: &str, t: &TensorMeta| {
        refuse!(if let ([Some(h), Some(w)], Size::Known(th), Size::Known(tw)) = (windows, t.size(2), t.size(3)),
            (h, w) != (th, tw),
            "{what} output dims: ({th}, {tw}) - computed output dims: ({h}, {w})");
        Ok(())
    };
    is_windows("offset", &offset)?;
    refuse!(if batch.differs(size_at(&mask, 0)?), "invalid batch size of mask");
    if use_mask == Some(true) {
        is_windows("mask", &mask)?;
    }
    refuse!(if let [Some(h), Some(w)] = windows, (h < 1 || w < 1),
        "Calculated output size too small - out_h: {h} out_w: {w}");
    let spatial = |d: usize| windows[d].map_or(offset.size(2 + d), Size::Known);
    let sizes: Sizes = smallvec![batch, weight.size(0), spatial(0), spatial(1)];
    if batch == Size::Known(0) {
        // Of an empty batch nothing else is asked.
        return one(input.dtype, Some(sizes));
    }
    has_kernel("deformable_im2col", input.dtype, true)?;
    [&offset, &mask, &weight].iter().try_for_each(|t| scalar_type(&input, t))?;
    refuse!(if let (Size::Known(channels), Size::Known(n)) = (weight.size(0), bias.numel()), channels != n,
        "shape '[1, {channels}, 1, 1]' is invalid for input of size {n}");
    one(input.dtype.zip(bias.dtype).map(|(d, e)| promote_types(d, e)).transpose()?, Some(sizes))
}

/// Channels of the input by those of weights, offsets and mask.
fn check_channels(
    a: &[Meta],
    input: &TensorMeta,
    weight: &TensorMeta,
    offset: &TensorMeta,
    mask: &TensorMeta,
) -> Result<(), ShapeError> {
    let [groups, offset_groups] = pair(a, 11);
    let (channels, rows) = (input.size(1).known(), weight.size(0).known());
    refuse!(if let (Some(groups), Some(channels), Some(each)) = (groups, channels, weight.size(1).known()),
        groups < 1 || each.checked_mul(groups) != Some(channels),
        "weight.shape[1] is not valid: {each} channels in {groups} groups, but the input has {channels} channels");
    refuse!(if let (Some(groups), Some(rows)) = (groups, rows), rows.checked_rem(groups) != Some(0),
        "weight.shape[0] is not valid: {rows} channels cannot be divided into {groups} groups");
    let places = weight.size(2).times(weight.size(3)).known();
    let expected = |each: i64| offset_groups?.checked_mul(places?)?.checked_mul(each);
    let check = |what: &str, got: Size, each: i64| {
        refuse!(if let (Some(got), Some(expected)) = (got.known(), expected(each)), got != expected,
            "{what}.shape[1] is not valid: got: {got} expected: {expected}");
        Ok(())
    };
    check("offset", offset.size(1), 2)?;
    if a.bool(13) == Some(true) {
        check("mask", mask.size(1), 1)?;
    }
    refuse!(if let (Some(groups), Some(channels)) = (offset_groups, channels), channels.checked_rem(groups) != Some(0),
        "{channels} channels of the input cannot be divided into {groups} offset groups");
    Ok(())
}
