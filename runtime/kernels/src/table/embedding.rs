//! Kernels of family `embedding`. Made by `cargo xtask codegen` from dialects/td/ops/embedding.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
