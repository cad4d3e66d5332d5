//! Kernels of family `rnn`. Made by `cargo xtask codegen` from dialects/td/ops/rnn.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
];
