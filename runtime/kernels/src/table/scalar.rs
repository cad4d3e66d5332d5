//! Kernels of family `scalar`. Made by `cargo xtask codegen` from dialects/td/ops/scalar.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
