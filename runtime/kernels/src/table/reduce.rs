//! Kernels of family `reduce`. Made by `cargo xtask codegen` from dialects/td/ops/reduce.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
