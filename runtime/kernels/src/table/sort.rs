//! Kernels of family `sort`. Made by `cargo xtask codegen` from dialects/td/ops/sort.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
