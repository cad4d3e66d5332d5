//! Kernels of family `pool`. Made by `cargo xtask codegen` from dialects/td/ops/pool.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
