//===- activation.td - The op table: activation functions and softmax -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_add_relu.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"> {
  let scalar = (select (gt (add $self, (mul $other, $alpha)), 0), (add $self, (mul $other, $alpha)), 0);
  let numerics = Close;
  let refuses = [NoKernel<"add_clamp_cpu", [Complexes]>, NoKernel<"add_clamp_cpu", [HalfFloats]>];
}
def : Op<"aten::_add_relu.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"> {
  let scalar = (select (gt (add $self, (mul $other, $alpha)), 0), (add $self, (mul $other, $alpha)), 0);
  let numerics = Close;
  let refuses = [NoKernel<"add_clamp_cpu", [Complexes]>, NoKernel<"add_clamp_cpu", [HalfFloats]>];
}
def : Op<"aten::_add_relu_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)">;
def : Op<"aten::_add_relu_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)">;
def : Op<"aten::_add_relu.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::_add_relu.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", [TorchMlir, Rows]> { let numerics = Close; let shape = "norm::log_softmax_native"; let kernel = "norm::log_softmax"; }
def : Op<"aten::_log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "norm::log_softmax_backward"; let alike = [Alike<"grad_output output">]; }
def : Op<"aten::_log_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "norm::softmax"; let kernel = "norm::safe_softmax"; }

def : Op<"aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", [TorchMlir, Rows]> { let numerics = Close; let shape = "norm::softmax_native"; let kernel = "norm::softmax"; }
def : Op<"aten::_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "norm::softmax_backward"; let alike = [Alike<"grad_output output">]; }

def : Op<"aten::celu(Tensor self, Scalar alpha=1.) -> Tensor", [TorchMlir]> {
  let scalar = (select (gt $self, 0), $self, (mul $alpha, (expm1 (div $self, $alpha))));
  let promotes = ["self"];
  let numerics = Close;
  let shape = "activation::celu";
}
def : Op<"aten::celu_(Tensor(a!) self, Scalar alpha=1.) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::celu.out(Tensor self, Scalar alpha=1., *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor", [TorchMlir]> {
  let scalar = (select (le $self, 0), (mul (expm1 (mul $self, $input_scale)), (mul $alpha, $scale)), (mul $self, $scale));
  let promotes = ["self"];
  let numerics = Close;
  let refuses = [NoKernel<"elu_cpu", [Bools, Ints, Complexes]>];
}
def : Op<"aten::elu_(Tensor(a!) self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::elu.out(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor self_or_result) -> Tensor", [TorchMlir]> {
  let scalar = (select (le $self_or_result, 0),
    (select $is_result,
      (mul (mul $grad_output, $input_scale), (add $self_or_result, (mul $alpha, $scale))),
      (mul (mul (mul $grad_output, $input_scale), (mul $alpha, $scale)), (exp (mul $self_or_result, $input_scale)))),
    (mul $grad_output, $scale));
  let numerics = Close;
  let refuses = [NoKernel<"elu_backward_cpu", [Bools, Ints, Complexes]>];
}

def : Op<"aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor", [TorchMlir, Differentiable]> { let quantized = "over_numbers::keep";
  let scalar = (match $approximate,
    "none", (gelu $self),
    "tanh", (mul (mul "0.5", $self), (add 1, (tanh (mul "0.7978845608028654",
      (add $self, (mul "0.044715", (mul $self, (mul $self, $self)))))))));
  let numerics = Close;
  let shape = "activation::gelu";
}
def : Op<"aten::gelu_(Tensor(a!) self, *, str approximate=\"none\") -> Tensor(a!)">;
def : Op<"aten::gelu.out(Tensor self, *, str approximate=\"none\", Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::gelu_backward(Tensor grad_output, Tensor self, *, str approximate=\"none\") -> Tensor", [TorchMlir]> {
  let scalar = (match $approximate,
    "none", (mul $grad_output, (add
      (mul "0.5", (add 1, (erf (mul $self, "0.7071067811865476")))),
      (mul $self, (mul "0.3989422804014327", (exp (mul "-0.5", (mul $self, $self))))))),
    "tanh", (mul $grad_output, (add
      (mul "0.5", (add 1, (tanh (mul "0.7978845608028654", (add $self, (mul "0.044715", (mul $self, (mul $self, $self)))))))),
      (mul (mul (mul "0.5", $self), (sub 1, (mul (tanh (mul "0.7978845608028654", (add $self, (mul "0.044715", (mul $self, (mul $self, $self)))))), (tanh (mul "0.7978845608028654", (add $self, (mul "0.044715", (mul $self, (mul $self, $self))))))))),
        (mul "0.7978845608028654", (add 1, (mul "0.134145", (mul $self, $self))))))));
  let numerics = Close;
}

def : Op<"aten::glu(Tensor self, int dim=-1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "activation::glu"; let kernel = "activation::glu"; let refuses = [NoKernel<"glu_cpu", [Complexes]>]; }
def : Op<"aten::glu.out(Tensor self, int dim=-1, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", [TorchMlir, Differentiable]> {
  let scalar = (select (and (ge $self, (neg $lambd)), (le $self, $lambd)), 0, $self);
  let promotes = ["self"];
  let refuses = [NoKernel<"hardshrink_cpu", [Bools, Ints, Complexes]>];
}
def : Op<"aten::hardshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::hardsigmoid(Tensor self) -> Tensor", [TorchMlir, Differentiable]> { let quantized = "over_numbers::to_unit";
  let scalar = (div (select (lt $self, -3), 0, (select (gt $self, 3), 6, (add $self, 3))), 6);
  let numerics = Close;
  let refuses = [NoKernel<"hardsigmoid_cpu", [Bools, Ints, Complexes]>];
}
def : Op<"aten::hardsigmoid_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::hardsigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::hardswish(Tensor self) -> Tensor", [TorchMlir, Differentiable]> {
  let scalar = (div (mul $self, (select (lt $self, -3), 0, (select (gt $self, 3), 6, (add $self, 3)))), 6);
  let numerics = Close;
  let refuses = [NoKernel<"hardswish_cpu", [Bools, Ints, Complexes]>];
}
def : Op<"aten::hardswish_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::hardswish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor", [TorchMlir, Differentiable]> { let quantized = "over_numbers::keep";
  let scalar = (min $max_val, (max $min_val, $self));
  let promotes = ["self"];
  let refuses = [Refuse<"Bool inputs not supported for hardtanh", [Bools]>, Refuse<"clamp is not supported for complex types", [Complexes]>];
}
def : Op<"aten::hardtanh_(Tensor(a!) self, Scalar min_val=-1, Scalar max_val=1) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::hardtanh.out(Tensor self, Scalar min_val=-1, Scalar max_val=1, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor", [TorchMlir]> {
  let scalar = (select (or (le $self, $min_val), (ge $self, $max_val)), 0, $grad_output);
  let numerics = Close;
  let refuses = [NoKernel<"hardshrink_backward_cpu", [Complexes]>];
}

def : Op<"aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor", [TorchMlir, Differentiable]> { let quantized = "over_numbers::keep";
  let scalar = (select (gt $self, 0), $self, (mul $self, $negative_slope));
  let refuses = [NoKernel<"leaky_relu_cpu", [Bools, Ints, Complexes]>];
}
def : Op<"aten::leaky_relu_(Tensor(a!) self, Scalar negative_slope=0.01) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::leaky_relu.out(Tensor self, Scalar negative_slope=0.01, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor", [TorchMlir]> {
  let scalar = (select (gt $self, 0), $grad_output, (mul $grad_output, $negative_slope));
  let numerics = Close;
}

def : Op<"aten::log_sigmoid(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (sub (min $self, 0), (log1p (exp (neg (abs $self)))));
  let kernel = "activation::log_sigmoid"; // its result is row-major
  let numerics = Close;
  let refuses = [NoKernel<"log_sigmoid_cpu", [Bools, Ints, Complexes]>];
}
def : Op<"aten::log_sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor", [TorchMlir]> {
  let scalar = (mul $grad_output, (select (lt $self, 0), (sub 1, (div $buffer, (add 1, $buffer))), (div $buffer, (add 1, $buffer))));
  let numerics = Close;
  let shape = "pointwise::log_sigmoid_backward";
}

def : Op<"aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)", [TorchMlir]> { let numerics = Close; let shape = "like::first_twice"; let refuses = [NoKernel<"log_sigmoid_cpu", [Bools, Ints, Complexes]>]; }
def : Op<"aten::log_sigmoid_forward.output(Tensor self, *, Tensor(a!) output, Tensor(b!) buffer) -> (Tensor(a!), Tensor(b!))"> { let kernel = "log_sigmoid::log_sigmoid_forward_out"; }

def : Op<"aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", [TorchMlir, Differentiable, Rows]> { let numerics = Close; let shape = "norm::log_softmax"; let kernel = "norm::log_softmax"; }
def : Op<"aten::log_softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::mish(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (mul $self, (tanh (log1p (exp $self))));
  let numerics = Close;
  let refuses = [NoKernel<"mish_cpu", [Bools, Ints, Complexes]>];
}
def : Op<"aten::mish_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::mish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::prelu(Tensor self, Tensor weight) -> Tensor", [TorchMlir]> { let shape = "activation::prelu"; let kernel = "activation::prelu"; let quantized = "over_numbers::keep"; }

def : Op<"aten::relu(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> { let quantized = "over_numbers::keep";
  let scalar = (select (lt $self, 0), 0, $self);
  let refuses = [Refuse<"Boolean inputs not supported for relu", [Bools]>, Refuse<"clamp is not supported for complex types", [Complexes]>];
}
def : Op<"aten::relu_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::relu6(Tensor self) -> Tensor", [TorchMlir, Differentiable]> { let quantized = "over_numbers::keep";
  let scalar = (select (lt $self, 0), 0, (select (gt $self, 6), 6, $self));
  let refuses = [Refuse<"Bool inputs not supported for hardtanh", [Bools]>, Refuse<"clamp is not supported for complex types", [Complexes]>];
}
def : Op<"aten::relu6_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;

def : Op<"aten::selu(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (select (le $self, 0),
    (mul (expm1 $self), "1.7580993408473766"), (mul $self, "1.0507009873554805"));
  let numerics = Close;
  let refuses = [NoKernel<"elu_cpu", [Bools, Ints, Complexes]>];
}
def : Op<"aten::selu_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;

def : Op<"aten::silu(Tensor self) -> Tensor", [TorchMlir, Differentiable]> {
  let scalar = (div $self, (add 1, (exp (neg $self))));
  let numerics = Close;
  let refuses = [NoKernel<"silu_cpu", [Bools, Ints]>];
}
def : Op<"aten::silu_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::silu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", [TorchMlir, Differentiable, Rows]> { let numerics = Close; let shape = "norm::softmax"; let kernel = "norm::softmax"; }
def : Op<"aten::softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor", [TorchMlir, Differentiable]> {
  let scalar = (select (gt (mul $self, $beta), $threshold), $self, (div (log1p (exp (mul $self, $beta))), $beta));
  let numerics = Close;
  let refuses = [NoKernel<"softplus_cpu", [Bools, Ints, Complexes]>];
}
def : Op<"aten::softplus.out(Tensor self, Scalar beta=1, Scalar threshold=20, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor", [TorchMlir]> {
  let scalar = (select (gt (mul $self, $beta), $threshold), $grad_output, (div (mul $grad_output, (exp (mul $self, $beta))), (add (exp (mul $self, $beta)), 1)));
  let numerics = Close;
  let refuses = [NoKernel<"softplus_backward_cpu", [Bools, Ints, Complexes]>];
}

def : Op<"aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", [TorchMlir]> {
  let scalar = (select (gt $self, $lambd), (sub $self, $lambd), (select (lt $self, (neg $lambd)), (add $self, $lambd), (mul $self, 0)));
  let shape = "pointwise::softshrink";
}
def : Op<"aten::softshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor", [TorchMlir, Groups, Differentiable]> { let quantized = "over_numbers::keep";
  let scalar = (select (le $self, $threshold), $value, $self);
  let refuses = [NoKernel<"threshold_cpu", [Bools, Complexes]>];
}
def : Op<"aten::threshold_(Tensor(a!) self, Scalar threshold, Scalar value) -> Tensor(a!)", [TorchMlir, Overlaps]>;
def : Op<"aten::threshold.out(Tensor self, Scalar threshold, Scalar value, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor", [TorchMlir]> {
  let scalar = (select (le $self, $threshold), 0, $grad_output);
  let numerics = Close;
  let refuses = [NoKernel<"threshold_cpu", [Complexes]>];
}

def : Op<"aten::hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor"> {
  let scalar = (select (and (ge $self, (neg $lambd)), (le $self, $lambd)), 0, $grad_out);
  let numerics = Close;
  let refuses = [NoKernel<"shrink_backward_cpu", [Complexes]>];
}
def : Op<"aten::hardshrink_backward.grad_input(Tensor grad_out, Tensor self, Scalar lambd, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor"> {
  let scalar = (select (and (gt $self, -3), (lt $self, 3)), (mul $grad_output, "0.1666666716337204"), 0); // a sixth, as an f32 holds it, for every dtype
  let numerics = Close;
  let refuses = [NoKernel<"hardsigmoid_backward", [Complexes]>];
}
def : Op<"aten::hardsigmoid_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::hardswish_backward(Tensor grad_output, Tensor self) -> Tensor"> {
  let scalar = (select (lt $self, -3), 0, (select (le $self, 3), (mul $grad_output, (add (div $self, 3), "0.5")), $grad_output));
  let numerics = Close;
}
def : Op<"aten::hardswish_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor"> {
  let scalar = (ifnone $eps,
    (select (or (lt $self, 0), (gt $self, 1)), "nan", (select (or (eq $self, 0), (eq $self, 1)), (mul $grad_output, "inf"), (div $grad_output, (mul $self, (sub 1, $self))))),
    (select (or (lt $self, $eps), (gt $self, (sub 1, $eps))), 0, (div $grad_output, (mul $self, (sub 1, $self)))));
  let numerics = Close;
  let refuses = [NoKernel<"logit_backward_cpu", [Complexes]>];
}
def : Op<"aten::logit_backward.grad_input(Tensor grad_output, Tensor self, float? eps=None, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::mish_backward(Tensor grad_output, Tensor self) -> Tensor"> {
  let scalar = (mul $grad_output, (add (tanh (log1p (exp $self))), (mul (mul $self, (sigmoid $self)), (sub 1, (mul (tanh (log1p (exp $self))), (tanh (log1p (exp $self))))))));
  let numerics = Close;
  let refuses = [NoKernel<"mish_backward_cpu", [Complexes]>];
}

def : Op<"aten::silu_backward(Tensor grad_output, Tensor self) -> Tensor"> {
  let scalar = (mul (mul $grad_output, (sigmoid $self)), (add 1, (mul $self, (sub 1, (sigmoid $self)))));
  let numerics = Close;
}
def : Op<"aten::silu_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor"> {
  let scalar = (select (and (ge $self, (neg $lambd)), (le $self, $lambd)), 0, $grad_output);
  let numerics = Close;
  let refuses = [NoKernel<"shrink_backward_cpu", [Complexes]>];
}
def : Op<"aten::softshrink_backward.grad_input(Tensor grad_output, Tensor self, Scalar lambd, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor"> { let numerics = Close; let shape = "norm::masked_softmax"; let refuses = [NoKernel<"masked_softmax", [Bools, Ints, Complexes]>]; }
def : Op<"aten::_masked_softmax.out(Tensor self, Tensor mask, int? dim=None, int? mask_type=None, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor"> { let numerics = Close; let shape = "like::broadcast_of_two"; let kernel = "activation::prelu"; let alike = [Alike<"self weight", "Found dtype {have} but expected {want}">]; let quantized = "over_numbers::keep"; }

def : Op<"aten::_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "like::second_twice"; let alike = [Alike<"self weight grad_output", "Found dtype {have} but expected {want}">]; }

def : Op<"aten::_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::elu_backward.grad_input(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor self_or_result, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor"> { let numerics = Close; let shape = "like::second"; let alike = [Alike<"self grad_output", "Found dtype {have} but expected {want}">]; }
def : Op<"aten::glu_backward.grad_input(Tensor grad_output, Tensor self, int dim, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::glu_jvp(Tensor glu, Tensor x, Tensor dx, int dim) -> Tensor"> { let numerics = Close; let shape = "like::first"; let alike = [Alike<"glu x dx", "Found dtype {have} but expected {want}">]; }
def : Op<"aten::glu_jvp.out(Tensor glu, Tensor x, Tensor dx, int dim, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::hardtanh_backward.grad_input(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::log_sigmoid_backward.grad_input(Tensor grad_output, Tensor self, Tensor buffer, *, Tensor(a!) grad_input) -> Tensor(a!)", [SameDType]> { let numerics = Close; }

def : Op<"aten::softplus_backward.grad_input(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"> { let numerics = Close; let shape = "norm::log_softmax"; let kernel = "norm::log_softmax"; }

def : Op<"aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"> { let numerics = Close; let shape = "norm::softmax"; let kernel = "norm::softmax"; }

def : Op<"aten::threshold_backward.grad_input(Tensor grad_output, Tensor self, Scalar threshold, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }
