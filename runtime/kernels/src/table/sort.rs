//! Kernels of family `sort`. Made by `cargo xtask codegen` from dialects/td/ops/sort.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::_unique2", crate::unique::unique2),
    ("aten::argsort", crate::sort::argsort),
    ("aten::argsort.stable", crate::sort::argsort_stable),
    ("aten::bucketize.Scalar", crate::sort::bucketize),
    ("aten::bucketize.Tensor", crate::sort::bucketize),
    ("aten::kthvalue", crate::sort::kthvalue),
    ("aten::searchsorted.Scalar", crate::sort::searchsorted),
    ("aten::searchsorted.Tensor", crate::sort::searchsorted),
    ("aten::sort", crate::sort::sort),
    ("aten::sort.stable", crate::sort::sort_stable),
    ("aten::topk", crate::sort::topk),
    ("aten::unique_consecutive", crate::unique::unique_consecutive),
    ("aten::unique_dim", crate::unique::unique_dim),
    ("aten::_unique", crate::unique::unique),
    ("aten::msort", crate::sort::msort),
    ("aten::unique_dim_consecutive", crate::unique::unique_dim_consecutive),
];
