//! Kernels of family `fft`. Made by `cargo xtask codegen` from dialects/td/ops/fft.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
