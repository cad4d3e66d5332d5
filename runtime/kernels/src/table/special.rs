//! Kernels of family `special`. Made by `cargo xtask codegen` from dialects/td/ops/special.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
