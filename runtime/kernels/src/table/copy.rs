//! Kernels of family `copy`. Made by `cargo xtask codegen` from dialects/td/ops/copy.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
