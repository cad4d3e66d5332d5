//! Kernels of family `list`. Made by `cargo xtask codegen` from dialects/td/ops/list.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
