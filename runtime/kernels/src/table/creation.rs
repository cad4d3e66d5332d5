//! Kernels of family `creation`. Made by `cargo xtask codegen` from dialects/td/ops/creation.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
