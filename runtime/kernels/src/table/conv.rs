//! Kernels of family `conv`. Made by `cargo xtask codegen` from dialects/td/ops/conv.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::_convolution", crate::conv::convolution),
    ("aten::_convolution.deprecated", crate::conv::convolution),
    ("aten::col2im", crate::conv::col2im),
    ("aten::conv1d", crate::conv::conv),
    ("aten::conv1d.padding", crate::conv::conv_padding),
    ("aten::conv2d", crate::conv::conv),
    ("aten::conv2d.padding", crate::conv::conv_padding),
    ("aten::conv3d", crate::conv::conv),
    ("aten::conv3d.padding", crate::conv::conv_padding),
    ("aten::conv_tbc", crate::conv::conv_tbc),
    ("aten::conv_transpose1d", crate::conv::conv_transpose),
    ("aten::conv_transpose2d.input", crate::conv::conv_transpose),
    ("aten::conv_transpose3d.input", crate::conv::conv_transpose),
    ("aten::convolution", crate::conv::convolution),
    ("aten::convolution_backward", crate::conv::convolution_backward),
    ("aten::im2col", crate::conv::im2col),
    ("aten::slow_conv_transpose2d", crate::composed::slow_conv_transpose2d),
];
