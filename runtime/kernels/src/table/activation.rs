//! Kernels of family `activation`. Made by `cargo xtask codegen` from dialects/td/ops/activation.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
