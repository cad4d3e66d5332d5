//! Kernels of family `string`. Made by `cargo xtask codegen` from dialects/td/ops/string.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
