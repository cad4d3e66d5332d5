//! Kernels of family `index`. Made by `cargo xtask codegen` from dialects/td/ops/index.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
