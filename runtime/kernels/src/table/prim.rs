//! Kernels of family `prim`. Made by `cargo xtask codegen` from dialects/td/ops/prim.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
