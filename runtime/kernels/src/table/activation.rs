//! Kernels of family `activation`. Made by `cargo xtask codegen` from dialects/td/ops/activation.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::_log_softmax", crate::norm::log_softmax),
    ("aten::_log_softmax_backward_data", crate::norm::log_softmax_backward),
    ("aten::_safe_softmax", crate::norm::safe_softmax),
    ("aten::_softmax", crate::norm::softmax),
    ("aten::_softmax_backward_data", crate::norm::softmax_backward),
    ("aten::log_softmax.int", crate::norm::log_softmax),
    ("aten::softmax.int", crate::norm::softmax),
];
