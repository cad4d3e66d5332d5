//===- loss.td - The op table: losses -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "loss::binary_cross_entropy"; let kernel = "likelihoods::binary_cross_entropy"; let fold = (loss (ifnone $weight, (sub (mul (sub $target, 1), (max (log1p (neg $self)), -100)), (mul $target, (max (log $self), -100))), (mul (sub (mul (sub $target, 1), (max (log1p (neg $self)), -100)), (mul $target, (max (log $self), -100))), $weight))); let promotes = ["self", "target"]; }
def : Op<"aten::binary_cross_entropy.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "like::second"; let alike = [Alike<"self target grad_output weight", "Found dtype {have} but expected {want}">]; }

def : Op<"aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "loss::binary_cross_entropy_with_logits"; let fold = (loss (ifnone $weight, (sub (mul (sub 1, $target), $self), (ifnone $pos_weight, (sub (min $self, 0), (log1p (exp (neg (abs $self))))), (mul (add (mul (sub $pos_weight, 1), $target), 1), (sub (min $self, 0), (log1p (exp (neg (abs $self)))))))), (mul (sub (mul (sub 1, $target), $self), (ifnone $pos_weight, (sub (min $self, 0), (log1p (exp (neg (abs $self))))), (mul (add (mul (sub $pos_weight, 1), $target), 1), (sub (min $self, 0), (log1p (exp (neg (abs $self)))))))), $weight))); let promotes = ["self", "target"]; }
def : Op<"aten::binary_cross_entropy_with_logits.out(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "loss::cosine_embedding_loss"; }

def : Op<"aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "loss::cross_entropy_loss"; let kernel = "loss::cross_entropy_loss"; }

def : Op<"aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor"> { let numerics = Close; let fold = (loss (select (le (abs (sub $self, $target)), $delta), (mul (mul "0.5", (abs (sub $self, $target))), (abs (sub $self, $target))), (mul $delta, (sub (abs (sub $self, $target)), (mul "0.5", $delta)))), $self); let refuses = [NoKernel<"huber_cpu", [Bools, Ints, Complexes]>]; let bounds = [Positive<"delta", "huber_loss does not support non-positive values for delta.">]; }
def : Op<"aten::huber_loss.out(Tensor self, Tensor target, int reduction=1, float delta=1., *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor", [TorchMlir]> { let numerics = Close; let refuses = [Refuse<"kl_div: Complex inputs not supported.", [Complexes], "", "Runtime">, Refuse<"kl_div: Integral inputs not supported.", [Bools, Ints], "self", "Runtime">]; let fold = (loss (select $log_target, (mul (exp $target), (sub $target, $self)), (sub (select (eq $target, 0), 0, (mul $target, (log $target))), (mul $target, $self)))); let promotes = ["target", "self"]; }

def : Op<"aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (loss (abs (sub $self, $target))); let refuses = [Refuse<"Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.", [Bools], "any">]; }

def : Op<"aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor"> { let numerics = Close; let shape = "loss::margin_ranking_loss"; }

def : Op<"aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (loss (mul (sub $self, $target), (sub $self, $target))); let refuses = [NoKernel<"mse_cpu", [Bools, Ints, Complexes]>]; }
def : Op<"aten::mse_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "loss::mse_loss_backward"; let refuses = [NoKernel<"mse_backward_cpu_out", [Complexes], "self">]; }

def : Op<"aten::nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "loss::nll_loss2d_backward"; let alike = [Alike<"self grad_output weight total_weight">]; }

def : Op<"aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)", [TorchMlir]> { let numerics = Close; let shape = "loss::nll_loss2d_forward"; let kernel = "likelihoods::nll_loss_forward"; }
def : Op<"aten::nll_loss2d_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))">;

def : Op<"aten::nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "loss::nll_loss_backward"; let alike = [Alike<"self grad_output weight total_weight">]; }

def : Op<"aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)", [TorchMlir]> { let numerics = Close; let shape = "loss::nll_loss_forward"; let kernel = "likelihoods::nll_loss_forward"; }
def : Op<"aten::nll_loss_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))">;

def : Op<"aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor"> { let numerics = Close; let shape = "loss::nll_loss_nd"; }

def : Op<"aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "loss::poisson_nll_loss"; }

def : Op<"aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor"> { let numerics = Close; let fold = (loss (select (lt (abs (sub $self, $target)), $beta), (div (mul (mul "0.5", (abs (sub $self, $target))), (abs (sub $self, $target))), $beta), (sub (abs (sub $self, $target)), (mul "0.5", $beta)))); let refuses = [NoKernel<"smooth_l1_cpu", [Bools, Ints, Complexes]>]; let bounds = [NotNegative<"beta", "smooth_l1_loss does not support negative values for beta.">]; }
def : Op<"aten::smooth_l1_loss.out(Tensor self, Tensor target, int reduction=1, float beta=1., *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., float p=2., float eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor"> { let numerics = Close; let shape = "loss::triplet_margin_loss"; }

def : Op<"aten::_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor"> { let numerics = Close; let kernel = "ctc::ctc_loss_backward"; let shape = "like::second"; let refuses = [Refuse<"expected scalar type Int but found {}", [Bools, Bytes, Floats, Complexes], "targets", "Runtime">]; let alike = [Alike<"log_probs grad neg_log_likelihood log_alpha">]; }
def : Op<"aten::_ctc_loss_backward.out(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::binary_cross_entropy_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=1, *, Tensor(a!) grad_input) -> Tensor(a!)", [SameDType]> { let numerics = Close; }

def : Op<"aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor"> { let numerics = Close; let shape = "loss::ctc_loss"; let kernel = "ctc::ctc_loss"; let refuses = [NoKernel<"ctc_loss_cpu", [HalfFloats]>]; }
def : Op<"aten::ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor"> { let numerics = Close; let shape = "loss::ctc_loss"; let kernel = "ctc::ctc_loss"; let refuses = [NoKernel<"ctc_loss_cpu", [HalfFloats]>]; }

def : Op<"aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1) -> Tensor"> { let numerics = Close; let shape = "loss::hinge_embedding_loss"; }

def : Op<"aten::huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor"> { let numerics = Close; let shape = "loss::huber_loss_backward"; }
def : Op<"aten::huber_loss_backward.out(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::mse_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=1) -> Tensor"> { let numerics = Close; let shape = "loss::multi_margin_loss"; let refuses = [NoKernel<"multi_margin_loss_cpu_kernel", [HalfFloats]>]; }
def : Op<"aten::multi_margin_loss.out(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? weight=None, int reduction=1) -> Tensor"> { let numerics = Close; let shape = "loss::multi_margin_loss_backward"; let refuses = [LongIndices<"target">]; let alike = [Alike<"self grad_output weight">]; }
def : Op<"aten::multi_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? weight=None, int reduction=1, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"> { let numerics = Close; let shape = "loss::multilabel_margin_loss"; let refuses = [NoKernel<"multilabel_margin_loss_forward_out_frame", [HalfFloats]>]; }
def : Op<"aten::multilabel_margin_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target) -> Tensor"> { let numerics = Close; let shape = "loss::multilabel_margin_loss_backward"; let refuses = [LongIndices<"target">]; let alike = [Alike<"self grad_output is_target">]; }
def : Op<"aten::multilabel_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target)"> { let numerics = Close; let shape = "loss::multilabel_margin_loss_forward"; let refuses = [NoKernel<"multilabel_margin_loss_forward_out_frame", [HalfFloats]>]; }
def : Op<"aten::multilabel_margin_loss_forward.output(Tensor self, Tensor target, int reduction, *, Tensor(a!) output, Tensor(b!) is_target) -> (Tensor(a!), Tensor(b!))">;

def : Op<"aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor", [Differentiable]> { let numerics = Close; let shape = "loss::nll_loss_nd"; }
def : Op<"aten::nll_loss.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::nll_loss2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::nll_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) -> Tensor"> { let numerics = Close; let shape = "loss::mse_loss_backward"; let refuses = [NoKernel<"smooth_l1_backward_cpu_out", [Complexes], "self">]; }
def : Op<"aten::smooth_l1_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Loose; }

def : Op<"aten::soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"> { let numerics = Close; let shape = "loss::soft_margin_loss"; let fold = (loss (log1p (exp (mul (neg $self), $target))), $self); }
def : Op<"aten::soft_margin_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor"> { let numerics = Close; let shape = "like::second"; let alike = [Alike<"self target grad_output">]; }
def : Op<"aten::soft_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Loose; }
