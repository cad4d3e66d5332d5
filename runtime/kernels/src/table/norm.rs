//! Kernels of family `norm`. Made by `cargo xtask codegen` from dialects/td/ops/norm.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::kernel(crate::nn::norm::native_batch_norm)), // aten::_native_batch_norm_legit
    Some(crate::kernel(crate::engine::calling::defined)), // aten::_native_batch_norm_legit.no_stats
    None, // aten::_native_batch_norm_legit.no_stats_out
    Some(crate::kernel(crate::nn::norm::native_batch_norm_no_training)), // aten::_native_batch_norm_legit_no_training
    None, // aten::_native_batch_norm_legit_no_training.out
    Some(crate::kernel(crate::engine::calling::defined)), // aten::_weight_norm_interface
    None, // aten::_weight_norm_interface.out
    Some(crate::kernel(crate::nn::norm::batch_norm)), // aten::batch_norm
    Some(crate::kernel(crate::engine::calling::defined)), // aten::cosine_similarity
    Some(crate::kernel(crate::nn::norm::group_norm)), // aten::group_norm
    Some(crate::kernel(crate::engine::calling::defined)), // aten::instance_norm
    Some(crate::kernel(crate::nn::norm::layer_norm)), // aten::layer_norm
    Some(crate::kernel(crate::nn::norm::native_batch_norm)), // aten::native_batch_norm
    None, // aten::native_batch_norm.out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::native_batch_norm_backward
    None, // aten::native_batch_norm_backward.out
    Some(crate::kernel(crate::nn::norm::native_group_norm)), // aten::native_group_norm
    None, // aten::native_group_norm.out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::native_group_norm_backward
    None, // aten::native_group_norm_backward.out
    Some(crate::kernel(crate::nn::norm::native_layer_norm)), // aten::native_layer_norm
    None, // aten::native_layer_norm.out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::native_layer_norm_backward
    None, // aten::native_layer_norm_backward.out
    Some(crate::kernel(crate::engine::calling::defined)), // aten::pairwise_distance
    Some(crate::kernel(crate::engine::calling::defined)), // aten::renorm
    None, // aten::renorm_
    None, // aten::renorm.out
    Some(crate::kernel(crate::nn::norm::rms_norm)), // aten::rms_norm
    Some(crate::kernel(crate::engine::calling::defined)), // aten::_batch_norm_impl_index
    Some(crate::kernel(crate::engine::calling::defined)), // aten::_batch_norm_with_update
    None, // aten::_batch_norm_with_update.out
    Some(crate::kernel(crate::engine::calling::defined)), // aten::_fused_rms_norm
    None, // aten::_native_batch_norm_legit.out
    Some(crate::kernel(crate::engine::calling::defined)), // aten::_native_batch_norm_legit_functional
    Some(crate::kernel(crate::engine::calling::defined)), // aten::_weight_norm
    Some(crate::kernel(crate::engine::calling::defined)), // aten::_weight_norm_interface_backward
    None, // aten::_weight_norm_interface_backward.out
    Some(crate::kernel(crate::engine::calling::defined)), // aten::batch_norm_update_stats
    None, // aten::batch_norm_update_stats.out
    Some(crate::kernel(crate::engine::calling::defined)), // aten::_batch_norm_with_update_functional
];
