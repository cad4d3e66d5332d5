//! Kernels of family `complex`. Made by `cargo xtask codegen` from dialects/td/ops/complex.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
