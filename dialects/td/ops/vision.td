//===- vision.td - The op table: torchvision's operators -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"torchvision::box_iou_rotated(Tensor boxes1, Tensor boxes2) -> Tensor"> { let numerics = Close; let shape = "vision::box_iou_rotated"; let kernel = "rotated::box_iou_rotated"; }

def : Op<"torchvision::deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups, SymInt offset_groups, bool use_mask) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "vision::deform_conv2d"; let kernel = "vision::deform_conv2d"; }

def : Op<"torchvision::nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor", [TorchMlir]> { let shape = "vision::nms"; let kernel = "vision::nms"; }

def : Op<"torchvision::ps_roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, int sampling_ratio) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "vision::ps_roi_align"; let kernel = "position_sensitive::ps_roi_align"; }

def : Op<"torchvision::ps_roi_pool(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "vision::ps_roi_pool"; let kernel = "position_sensitive::ps_roi_pool"; }

def : Op<"torchvision::roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, int sampling_ratio, bool aligned) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "vision::roi_align"; let kernel = "vision::roi_align"; }

def : Op<"torchvision::roi_pool(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width) -> (Tensor, Tensor)", [TorchMlir]> { let shape = "vision::roi_pool"; let kernel = "vision::roi_pool"; }
