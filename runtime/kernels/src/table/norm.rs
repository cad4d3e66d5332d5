//! Kernels of family `norm`. Made by `cargo xtask codegen` from dialects/td/ops/norm.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::_native_batch_norm_legit", crate::norm::native_batch_norm),
    ("aten::_native_batch_norm_legit.no_stats", crate::norm::native_batch_norm_no_stats),
    ("aten::_native_batch_norm_legit_no_training", crate::norm::native_batch_norm_no_training),
    ("aten::_weight_norm_interface", crate::norm::weight_norm),
    ("aten::batch_norm", crate::norm::batch_norm),
    ("aten::cosine_similarity", crate::norm::cosine_similarity),
    ("aten::group_norm", crate::norm::group_norm),
    ("aten::instance_norm", crate::norm::instance_norm),
    ("aten::layer_norm", crate::norm::layer_norm),
    ("aten::native_batch_norm", crate::norm::native_batch_norm),
    ("aten::native_batch_norm_backward", crate::norm::native_batch_norm_backward),
    ("aten::native_group_norm", crate::norm::native_group_norm),
    ("aten::native_group_norm_backward", crate::norm::native_group_norm_backward),
    ("aten::native_layer_norm", crate::norm::native_layer_norm),
    ("aten::native_layer_norm_backward", crate::norm::native_layer_norm_backward),
    ("aten::pairwise_distance", crate::norm::pairwise_distance),
    ("aten::renorm", crate::norm::renorm),
    ("aten::rms_norm", crate::norm::rms_norm),
    ("aten::_weight_norm", crate::statistics::weight_norm),
    ("aten::_weight_norm_interface_backward", crate::statistics::weight_norm_backward),
];
