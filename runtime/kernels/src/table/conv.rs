//! Kernels of family `conv`. Made by `cargo xtask codegen` from dialects/td/ops/conv.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::kernel(crate::nn::conv::convolution)), // aten::_convolution
    Some(crate::kernel(crate::nn::conv::convolution)), // aten::_convolution.deprecated
    None, // aten::_convolution.out
    Some(crate::kernel(crate::nn::conv::conv_padding)), // aten::_convolution_mode
    Some(crate::kernel(crate::nn::conv::col2im)), // aten::col2im
    None, // aten::col2im.out
    Some(crate::kernel(crate::nn::conv::conv)), // aten::conv1d
    Some(crate::kernel(crate::nn::conv::conv_padding)), // aten::conv1d.padding
    Some(crate::kernel(crate::nn::conv::conv)), // aten::conv2d
    Some(crate::kernel(crate::nn::conv::conv_padding)), // aten::conv2d.padding
    Some(crate::kernel(crate::nn::conv::conv)), // aten::conv3d
    Some(crate::kernel(crate::nn::conv::conv_padding)), // aten::conv3d.padding
    Some(crate::kernel(crate::engine::calling::defined)), // aten::conv_tbc
    None, // aten::conv_tbc.out
    None, // aten::conv_tbc_backward
    Some(crate::kernel(crate::nn::conv::conv_transpose)), // aten::conv_transpose1d
    Some(crate::kernel(crate::nn::conv::conv_transpose)), // aten::conv_transpose2d.input
    Some(crate::kernel(crate::nn::conv::conv_transpose)), // aten::conv_transpose3d.input
    Some(crate::kernel(crate::nn::conv::convolution)), // aten::convolution
    None, // aten::convolution.out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::convolution_backward
    None, // aten::convolution_backward.out
    Some(crate::kernel(crate::nn::conv::im2col)), // aten::im2col
    None, // aten::im2col.out
    Some(crate::kernel(crate::engine::calling::defined)), // aten::slow_conv3d
    Some(crate::kernel(crate::engine::calling::defined)), // aten::slow_conv_dilated2d
    Some(crate::kernel(crate::engine::calling::defined)), // aten::slow_conv_dilated3d
    Some(crate::kernel(crate::engine::calling::defined)), // aten::slow_conv_transpose2d
    None, // aten::slow_conv_transpose2d.out
    Some(crate::kernel(crate::engine::calling::defined)), // aten::thnn_conv2d
    Some(crate::kernel(crate::nn::conv_pointwise::unary)), // mkldnn::_convolution_pointwise
    Some(crate::kernel(crate::nn::conv_pointwise::binary)), // mkldnn::_convolution_pointwise.binary
];
