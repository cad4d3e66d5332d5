//! Kernels of family `loss`. Made by `cargo xtask codegen` from dialects/td/ops/loss.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
