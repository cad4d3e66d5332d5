//! Kernels of family `quantized`. Made by `cargo xtask codegen` from dialects/td/ops/quantized.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::dequantize.tensor", crate::composed::dequantized),
    ("aten::_choose_qparams_per_tensor", crate::tensor_info::choose_qparams),
    ("aten::dequantize.any", crate::composed::dequantized_any),
];
