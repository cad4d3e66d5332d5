//! Kernels of family `rearrange`. Made by `cargo xtask codegen` from dialects/td/ops/rearrange.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
