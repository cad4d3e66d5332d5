//! Kernels of family `complex`. Made by `cargo xtask codegen` from dialects/td/ops/complex.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::kernel(crate::tensor::complex::angle)), // aten::angle
    None, // aten::angle.out
    Some(crate::kernel(crate::tensor::complex::complex)), // aten::complex
    None, // aten::complex.out
    Some(crate::kernel(crate::tensor::complex::polar)), // aten::polar
    None, // aten::polar.out
];
