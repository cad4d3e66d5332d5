//! Kernels of family `embedding`. Made by `cargo xtask codegen` from dialects/td/ops/embedding.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::_embedding_bag", crate::embedding::embedding_bag),
    ("aten::embedding", crate::embedding::embedding),
    ("aten::embedding_bag", crate::embedding::embedding_bag),
    ("aten::embedding_bag.padding_idx", crate::embedding::embedding_bag),
    ("aten::embedding_dense_backward", crate::embedding::dense_backward),
    ("aten::one_hot", crate::embedding::one_hot),
    ("aten::_embedding_bag_backward", crate::embedding::bag_backward),
    ("aten::_embedding_bag_forward_only", crate::embedding::embedding_bag),
    ("aten::_embedding_bag_per_sample_weights_backward", crate::embedding::bag_weights_backward),
    ("aten::embedding_renorm", crate::composed::embedding_renorm),
    ("aten::_no_grad_embedding_renorm_", crate::composed::embedding_renorm_in_place),
];
