//! Rows of the op table, family `vision`. Made by `cargo xtask codegen` from dialects/td/ops/vision.td; do not edit.

use crate::op::{Numerics::*, OpRecord, Trait::*, Traits};

const ROW: OpRecord = OpRecord::DEFAULT;

#[rustfmt::skip]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "torchvision::box_iou_rotated(Tensor boxes1, Tensor boxes2) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::vision::box_iou_rotated, a, ())), ..ROW },
    OpRecord { schema_text: "torchvision::deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups, SymInt offset_groups, bool use_mask) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::vision::deform_conv2d, a, ())), ..ROW },
    OpRecord { schema_text: "torchvision::nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), shape: Some(|a| crate::shape::rule(crate::shape::vision::nms, a, ())), ..ROW },
    OpRecord { schema_text: "torchvision::ps_roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, int sampling_ratio) -> (Tensor, Tensor)", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::vision::ps_roi_align, a, ())), ..ROW },
    OpRecord { schema_text: "torchvision::ps_roi_pool(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width) -> (Tensor, Tensor)", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::vision::ps_roi_pool, a, ())), ..ROW },
    OpRecord { schema_text: "torchvision::roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, int sampling_ratio, bool aligned) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::vision::roi_align, a, ())), ..ROW },
    OpRecord { schema_text: "torchvision::roi_pool(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width) -> (Tensor, Tensor)", in_torch_mlir: true, traits: Traits::of(&[Pure]), shape: Some(|a| crate::shape::rule(crate::shape::vision::roi_pool, a, ())), ..ROW },
];
