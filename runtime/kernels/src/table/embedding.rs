//! Kernels of family `embedding`. Made by `cargo xtask codegen` from dialects/td/ops/embedding.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::_embedding_bag", crate::embedding::embedding_bag),
    ("aten::embedding", crate::embedding::embedding),
    ("aten::embedding_bag", crate::embedding::embedding_bag),
    ("aten::embedding_bag.padding_idx", crate::embedding::embedding_bag),
    ("aten::embedding_dense_backward", crate::embedding::dense_backward),
    ("aten::one_hot", crate::embedding::one_hot),
    ("aten::_embedding_bag_forward_only", crate::embedding::embedding_bag),
    ("aten::embedding_renorm", crate::composed::embedding_renorm),
];
