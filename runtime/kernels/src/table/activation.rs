//! Kernels of family `activation`. Made by `cargo xtask codegen` from dialects/td/ops/activation.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::_log_softmax", crate::norm::log_softmax),
    ("aten::_log_softmax_backward_data", crate::norm::log_softmax_backward),
    ("aten::_safe_softmax", crate::norm::safe_softmax),
    ("aten::_softmax", crate::norm::softmax),
    ("aten::_softmax_backward_data", crate::norm::softmax_backward),
    ("aten::glu", crate::activation::glu),
    ("aten::log_sigmoid_forward", crate::activation::log_sigmoid_forward),
    ("aten::log_softmax.int", crate::norm::log_softmax),
    ("aten::prelu", crate::activation::prelu),
    ("aten::softmax.int", crate::norm::softmax),
    ("aten::_masked_softmax", crate::composed::masked_softmax),
    ("aten::_prelu_kernel", crate::activation::prelu),
    ("aten::_prelu_kernel_backward", crate::composed::prelu_backward),
    ("aten::glu_backward", crate::activation::glu_backward),
    ("aten::glu_jvp", crate::composed::glu_jvp),
    ("aten::special_log_softmax", crate::norm::log_softmax),
    ("aten::special_softmax", crate::norm::softmax),
];
