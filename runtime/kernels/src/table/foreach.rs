//! Kernels of family `foreach`. Made by `cargo xtask codegen` from dialects/td/ops/foreach.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
