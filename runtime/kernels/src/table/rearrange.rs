//! Kernels of family `rearrange`. Made by `cargo xtask codegen` from dialects/td/ops/rearrange.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::_reshape_alias_copy", crate::view::reshape_alias_copy),
    ("aten::alias_copy", crate::view::alias_copy),
    ("aten::as_strided_copy", crate::view::as_strided_copy),
    ("aten::detach_copy", crate::view::alias_copy),
    ("aten::diagonal_copy", crate::view::diagonal_copy),
    ("aten::expand_copy", crate::view::expand_copy),
    ("aten::permute_copy", crate::view::permute_copy),
    ("aten::select_copy.int", crate::view::select_copy),
    ("aten::slice_copy.Tensor", crate::view::slice_copy),
    ("aten::split_copy.Tensor", crate::view::split_copy),
    ("aten::split_with_sizes_copy", crate::view::split_with_sizes_copy),
    ("aten::squeeze_copy", crate::view::squeeze_copy),
    ("aten::squeeze_copy.dim", crate::view::squeeze_dim_copy),
    ("aten::t_copy", crate::view::t_copy),
    ("aten::transpose_copy.int", crate::view::transpose_copy),
    ("aten::unbind_copy.int", crate::view::unbind_copy),
    ("aten::unfold_copy", crate::view::unfold_copy),
    ("aten::unsqueeze_copy", crate::view::unsqueeze_copy),
    ("aten::view_copy", crate::view::view_copy),
    ("aten::view_copy.dtype", crate::view::view_dtype_copy),
];
