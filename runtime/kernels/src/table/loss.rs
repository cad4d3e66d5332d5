//! Kernels of family `loss`. Made by `cargo xtask codegen` from dialects/td/ops/loss.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::binary_cross_entropy", crate::loss::binary_cross_entropy),
    ("aten::binary_cross_entropy_backward", crate::loss::binary_cross_entropy_backward),
    ("aten::binary_cross_entropy_with_logits", crate::loss::binary_cross_entropy_with_logits),
    ("aten::cosine_embedding_loss", crate::loss::cosine_embedding_loss),
    ("aten::cross_entropy_loss", crate::loss::cross_entropy_loss),
    ("aten::huber_loss", crate::loss::huber_loss),
    ("aten::kl_div", crate::loss::kl_div),
    ("aten::l1_loss", crate::loss::l1_loss),
    ("aten::margin_ranking_loss", crate::loss::margin_ranking_loss),
    ("aten::mse_loss", crate::loss::mse_loss),
    ("aten::mse_loss_backward", crate::loss::mse_loss_backward),
    ("aten::nll_loss2d_backward", crate::loss::nll_loss_backward),
    ("aten::nll_loss2d_forward", crate::loss::nll_loss_forward),
    ("aten::nll_loss_backward", crate::loss::nll_loss_backward),
    ("aten::nll_loss_forward", crate::loss::nll_loss_forward),
    ("aten::nll_loss_nd", crate::loss::nll_loss),
    ("aten::poisson_nll_loss", crate::loss::poisson_nll_loss),
    ("aten::smooth_l1_loss", crate::loss::smooth_l1_loss),
    ("aten::triplet_margin_loss", crate::loss::triplet_margin_loss),
    ("aten::hinge_embedding_loss", crate::loss::hinge_embedding_loss),
    ("aten::huber_loss_backward", crate::loss::huber_loss_backward),
    ("aten::nll_loss", crate::loss::nll_loss),
    ("aten::smooth_l1_loss_backward", crate::loss::smooth_l1_loss_backward),
    ("aten::soft_margin_loss", crate::loss::soft_margin_loss),
];
