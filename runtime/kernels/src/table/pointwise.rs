//! Kernels of family `pointwise`. Made by `cargo xtask codegen` from dialects/td/ops/pointwise.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
