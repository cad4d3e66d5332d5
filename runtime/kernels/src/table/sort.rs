//! Kernels of family `sort`. Made by `cargo xtask codegen` from dialects/td/ops/sort.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::kernel(crate::tensor::unique::unique2)), // aten::_unique2
    None, // aten::_unique2.out
    Some(crate::kernel(crate::tensor::sort::argsort)), // aten::argsort
    Some(crate::kernel(crate::tensor::sort::argsort_stable)), // aten::argsort.stable
    None, // aten::argsort.stable_out
    Some(crate::kernel(crate::tensor::sort::bucketize)), // aten::bucketize.Scalar
    Some(crate::kernel(crate::tensor::sort::bucketize)), // aten::bucketize.Tensor
    None, // aten::bucketize.Scalar_out
    None, // aten::bucketize.Tensor_out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::kthvalue
    None, // aten::kthvalue.values
    Some(crate::kernel(crate::tensor::sort::searchsorted)), // aten::searchsorted.Scalar
    Some(crate::kernel(crate::tensor::sort::searchsorted)), // aten::searchsorted.Tensor
    None, // aten::searchsorted.Scalar_out
    None, // aten::searchsorted.Tensor_out
    Some(crate::kernel(crate::tensor::sort::sort)), // aten::sort
    Some(crate::kernel(crate::tensor::sort::sort_stable)), // aten::sort.stable
    None, // aten::sort.values
    None, // aten::sort.values_stable
    Some(crate::kernel(crate::tensor::sort::topk)), // aten::topk
    None, // aten::topk.values
    Some(crate::kernel(crate::tensor::unique::unique_consecutive)), // aten::unique_consecutive
    None, // aten::unique_consecutive.out
    Some(crate::kernel(crate::tensor::unique::unique_dim)), // aten::unique_dim
    None, // aten::unique_dim.out
    Some(crate::kernel(crate::tensor::unique::unique)), // aten::_unique
    None, // aten::_unique.out
    Some(crate::kernel(crate::tensor::sort::msort)), // aten::msort
    None, // aten::msort.out
    Some(crate::kernel(crate::tensor::unique::unique_dim_consecutive)), // aten::unique_dim_consecutive
    None, // aten::unique_dim_consecutive.out
];
