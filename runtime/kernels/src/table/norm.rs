//! Kernels of family `norm`. Made by `cargo xtask codegen` from dialects/td/ops/norm.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
