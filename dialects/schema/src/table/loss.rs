//! Rows of the op table, family `loss`. Made by `cargo xtask codegen` from dialects/td/ops/loss.td; do not edit.

#[allow(unused_imports)]
use crate::op::{Numerics::*, OpRecord, Trait::*};

const ROW: OpRecord = OpRecord { family: "loss", ..OpRecord::DEFAULT };

#[rustfmt::skip]
#[allow(clippy::approx_constant)]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::binary_cross_entropy.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::binary_cross_entropy"), ..ROW },
    OpRecord { schema_text: "aten::binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::binary_cross_entropy_with_logits.out(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::binary_cross_entropy_with_logits"), ..ROW },
    OpRecord { schema_text: "aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::huber_loss.out(Tensor self, Tensor target, int reduction=1, float delta=1., *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::huber_loss"), ..ROW },
    OpRecord { schema_text: "aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::mse_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::mse_loss"), ..ROW },
    OpRecord { schema_text: "aten::mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::nll_loss2d_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))", traits: &[Out, Writes], numerics: Close, functional: Some("aten::nll_loss2d_forward"), ..ROW },
    OpRecord { schema_text: "aten::nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::nll_loss_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))", traits: &[Out, Writes], numerics: Close, functional: Some("aten::nll_loss_forward"), ..ROW },
    OpRecord { schema_text: "aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::smooth_l1_loss.out(Tensor self, Tensor target, int reduction=1, float beta=1., *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::smooth_l1_loss"), ..ROW },
    OpRecord { schema_text: "aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., float p=2., float eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
];
