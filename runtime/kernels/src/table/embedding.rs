//! Kernels of family `embedding`. Made by `cargo xtask codegen` from dialects/td/ops/embedding.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::kernel(crate::nn::embedding::embedding_bag)), // aten::_embedding_bag
    None, // aten::_embedding_bag.out
    Some(crate::kernel(crate::nn::embedding::embedding)), // aten::embedding
    None, // aten::embedding.out
    Some(crate::kernel(crate::nn::embedding::embedding_bag)), // aten::embedding_bag
    Some(crate::kernel(crate::nn::embedding::embedding_bag)), // aten::embedding_bag.padding_idx
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::embedding_dense_backward
    None, // aten::embedding_dense_backward.out
    Some(crate::kernel(crate::engine::calling::defined)), // aten::one_hot
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_embedding_bag_backward
    Some(crate::kernel(crate::nn::embedding::embedding_bag)), // aten::_embedding_bag_forward_only
    None, // aten::_embedding_bag_forward_only.out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_embedding_bag_per_sample_weights_backward
    None, // aten::_embedding_bag_per_sample_weights_backward.out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::embedding_renorm
    None, // aten::embedding_renorm_
    None, // aten::embedding_renorm.out
    Some(crate::kernel(crate::engine::calling::defined)), // aten::_no_grad_embedding_renorm_
];
