//! Kernels of family `linalg`. Made by `cargo xtask codegen` from dialects/td/ops/linalg.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::linalg_cholesky", crate::linalg::cholesky),
    ("aten::linalg_cross", crate::linalg::cross),
    ("aten::linalg_det", crate::linalg::det),
    ("aten::linalg_inv", crate::linalg::inv),
    ("aten::linalg_matrix_norm", crate::linalg::matrix_norm),
    ("aten::linalg_matrix_norm.str_ord", crate::linalg::matrix_norm_str),
    ("aten::linalg_norm", crate::linalg::norm),
    ("aten::linalg_norm.ord_str", crate::linalg::matrix_norm_str),
    ("aten::linalg_slogdet", crate::linalg::slogdet),
    ("aten::linalg_solve", crate::linalg::solve),
    ("aten::det", crate::linalg::det),
    ("aten::inverse", crate::linalg::inv),
    ("aten::slogdet", crate::linalg::slogdet),
];
