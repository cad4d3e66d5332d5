//! Kernels of family `quantized`. Made by `cargo xtask codegen` from dialects/td/ops/quantized.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::dequantize.tensor", crate::composed::dequantized),
];
