//! Kernels of family `pad`. Made by `cargo xtask codegen` from dialects/td/ops/pad.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
