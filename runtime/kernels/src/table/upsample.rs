//! Kernels of family `upsample`. Made by `cargo xtask codegen` from dialects/td/ops/upsample.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
