//! Kernels of family `matmul`. Made by `cargo xtask codegen` from dialects/td/ops/matmul.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
