//! Kernels of family `pad`. Made by `cargo xtask codegen` from dialects/td/ops/pad.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::kernel(crate::nn::pad::constant)), // aten::constant_pad_nd
    None, // aten::constant_pad_nd.out
    Some(crate::kernel(crate::nn::pad::pad)), // aten::pad
    Some(crate::kernel(crate::nn::pad::reflection)), // aten::reflection_pad1d
    None, // aten::reflection_pad1d.out
    Some(crate::kernel(crate::nn::pad::reflection)), // aten::reflection_pad2d
    None, // aten::reflection_pad2d.out
    Some(crate::kernel(crate::nn::pad::reflection)), // aten::reflection_pad3d
    None, // aten::reflection_pad3d.out
    Some(crate::kernel(crate::nn::pad::replication)), // aten::replication_pad1d
    None, // aten::replication_pad1d.out
    Some(crate::kernel(crate::nn::pad::replication)), // aten::replication_pad2d
    None, // aten::replication_pad2d.out
    Some(crate::kernel(crate::nn::pad::replication)), // aten::replication_pad3d
    None, // aten::replication_pad3d.out
    Some(crate::kernel(crate::nn::pad::circular)), // aten::_pad_circular
    Some(crate::kernel(crate::nn::pad::pad)), // aten::_pad_enum
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::reflection_pad1d_backward
    None, // aten::reflection_pad1d_backward.grad_input
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::reflection_pad2d_backward
    None, // aten::reflection_pad2d_backward.grad_input
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::reflection_pad3d_backward
    None, // aten::reflection_pad3d_backward.grad_input
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::replication_pad1d_backward
    None, // aten::replication_pad1d_backward.grad_input
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::replication_pad2d_backward
    None, // aten::replication_pad2d_backward.grad_input
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::replication_pad3d_backward
    None, // aten::replication_pad3d_backward.grad_input
];
