//! Kernels of family `optimizer`. Made by `cargo xtask codegen` from dialects/td/ops/optimizer.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_amp_foreach_non_finite_check_and_unscale
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_amp_foreach_non_finite_check_and_unscale.out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_amp_foreach_non_finite_check_and_unscale_
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adagrad
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adagrad.out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adagrad.tensor_lr
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adagrad.tensor_lr_out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adagrad_
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adagrad_.tensor_lr
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adam
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adam.out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adam.tensor_lr
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adam.tensor_lr_out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adam_
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adam_.tensor_lr
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adamw
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adamw.out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adamw.tensor_lr
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adamw.tensor_lr_out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adamw_
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_adamw_.tensor_lr
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_sgd
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_sgd.out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_sgd.tensor_lr
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_sgd.tensor_lr_out
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_sgd_
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_fused_sgd_.tensor_lr
];
