//! Kernels of family `random`. Made by `cargo xtask codegen` from dialects/td/ops/random.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
