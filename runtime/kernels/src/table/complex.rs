//! Kernels of family `complex`. Made by `cargo xtask codegen` from dialects/td/ops/complex.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::angle", crate::complex::angle),
    ("aten::complex", crate::complex::complex),
    ("aten::polar", crate::complex::polar),
];
