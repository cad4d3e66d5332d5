//! Kernels of family `linalg`. Made by `cargo xtask codegen` from dialects/td/ops/linalg.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
