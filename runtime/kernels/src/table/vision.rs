//! Kernels of family `vision`. Made by `cargo xtask codegen` from dialects/td/ops/vision.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::kernel(crate::engine::extra::elsewhere)), // torchvision::box_iou_rotated
    Some(crate::kernel(crate::vision::deform_conv2d)), // torchvision::deform_conv2d
    Some(crate::kernel(crate::vision::nms)), // torchvision::nms
    Some(crate::kernel(crate::engine::extra::elsewhere)), // torchvision::ps_roi_align
    Some(crate::kernel(crate::engine::extra::elsewhere)), // torchvision::ps_roi_pool
    Some(crate::kernel(crate::vision::roi_align)), // torchvision::roi_align
    Some(crate::kernel(crate::vision::roi_pool)), // torchvision::roi_pool
];
