//! Kernels of family `tensor_info`. Made by `cargo xtask codegen` from dialects/td/ops/tensor_info.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
