//! Kernels of family `dict`. Made by `cargo xtask codegen` from dialects/td/ops/dict.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
