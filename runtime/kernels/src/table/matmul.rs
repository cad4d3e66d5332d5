//! Kernels of family `matmul`. Made by `cargo xtask codegen` from dialects/td/ops/matmul.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::_cdist_forward", crate::matmul::cdist),
    ("aten::_int_mm", crate::matmul::mm_dtype),
    ("aten::_pdist_forward", crate::matmul::pdist),
    ("aten::_trilinear", crate::matmul::trilinear),
    ("aten::addbmm", crate::matmul::addbmm),
    ("aten::addmm", crate::matmul::addmm),
    ("aten::addmm.dtype", crate::matmul::addmm_dtype),
    ("aten::baddbmm", crate::matmul::addmm),
    ("aten::baddbmm.dtype", crate::matmul::addmm_dtype),
    ("aten::bilinear", crate::matmul::bilinear),
    ("aten::bmm", crate::matmul::mm),
    ("aten::bmm.dtype", crate::matmul::mm_dtype),
    ("aten::cdist", crate::matmul::cdist),
    ("aten::dot", crate::matmul::matmul),
    ("aten::einsum", crate::matmul::einsum),
    ("aten::linalg_matrix_power", crate::matmul::linalg_matrix_power),
    ("aten::linear", crate::matmul::linear),
    ("aten::matmul", crate::matmul::matmul),
    ("aten::mm", crate::matmul::mm),
    ("aten::mm.dtype", crate::matmul::mm_dtype),
    ("aten::mv", crate::matmul::matmul),
    ("aten::outer", crate::matmul::outer),
    ("aten::scaled_dot_product_attention", crate::matmul::scaled_dot_product_attention),
    ("aten::tensordot", crate::matmul::tensordot),
];
