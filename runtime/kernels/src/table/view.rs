//! Kernels of family `view`. Made by `cargo xtask codegen` from dialects/td/ops/view.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
