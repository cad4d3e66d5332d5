//! Kernels of family `conv`. Made by `cargo xtask codegen` from dialects/td/ops/conv.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
