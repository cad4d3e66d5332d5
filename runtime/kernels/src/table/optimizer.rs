//! Kernels of family `optimizer`. Made by `cargo xtask codegen` from dialects/td/ops/optimizer.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::optimizer::unscale), // aten::_amp_foreach_non_finite_check_and_unscale
    Some(crate::optimizer::unscale), // aten::_amp_foreach_non_finite_check_and_unscale.out
    Some(crate::optimizer::unscale), // aten::_amp_foreach_non_finite_check_and_unscale_
    Some(crate::optimizer::adagrad), // aten::_fused_adagrad
    Some(crate::optimizer::adagrad), // aten::_fused_adagrad.out
    Some(crate::optimizer::adagrad), // aten::_fused_adagrad.tensor_lr
    Some(crate::optimizer::adagrad), // aten::_fused_adagrad.tensor_lr_out
    Some(crate::optimizer::adagrad), // aten::_fused_adagrad_
    Some(crate::optimizer::adagrad), // aten::_fused_adagrad_.tensor_lr
    Some(crate::optimizer::adam), // aten::_fused_adam
    Some(crate::optimizer::adam), // aten::_fused_adam.out
    Some(crate::optimizer::adam), // aten::_fused_adam.tensor_lr
    Some(crate::optimizer::adam), // aten::_fused_adam.tensor_lr_out
    Some(crate::optimizer::adam), // aten::_fused_adam_
    Some(crate::optimizer::adam), // aten::_fused_adam_.tensor_lr
    Some(crate::optimizer::adamw), // aten::_fused_adamw
    Some(crate::optimizer::adamw), // aten::_fused_adamw.out
    Some(crate::optimizer::adamw), // aten::_fused_adamw.tensor_lr
    Some(crate::optimizer::adamw), // aten::_fused_adamw.tensor_lr_out
    Some(crate::optimizer::adamw), // aten::_fused_adamw_
    Some(crate::optimizer::adamw), // aten::_fused_adamw_.tensor_lr
    Some(crate::optimizer::sgd), // aten::_fused_sgd
    Some(crate::optimizer::sgd), // aten::_fused_sgd.out
    Some(crate::optimizer::sgd), // aten::_fused_sgd.tensor_lr
    Some(crate::optimizer::sgd), // aten::_fused_sgd.tensor_lr_out
    Some(crate::optimizer::sgd), // aten::_fused_sgd_
    Some(crate::optimizer::sgd), // aten::_fused_sgd_.tensor_lr
];
