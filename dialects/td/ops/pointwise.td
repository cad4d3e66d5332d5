//===- pointwise.td - The op table: one result element per tuple of broadcast operand elements -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::__and__.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir]> {
  let scalar = (bitand $self, $other);
  let refuses = [NoKernel<"bitwise_and_cpu", [Floats, Complexes]>];
}
def : Op<"aten::__and__.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir]> {
  let scalar = (bitand $self, $other);
  let refuses = [NoKernel<"bitwise_and_cpu", [Floats, Complexes]>];
}

def : Op<"aten::__ilshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)"> { let functional = "aten::__lshift__.Scalar"; }
def : Op<"aten::__ilshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)"> { let functional = "aten::__lshift__.Tensor"; }

def : Op<"aten::__lshift__.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir]> {
  let scalar = (shl $self, $other);
  let refuses = [NoKernel<"lshift_cpu", [Floats, Complexes]>];
}
def : Op<"aten::__lshift__.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (shl $self, $other);
  let refuses = [NoKernel<"lshift_cpu", [Bools, Floats, Complexes]>];
}
def : Op<"aten::__lshift__.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::__lshift__.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::__or__.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (bitor $self, $other);
  let refuses = [NoKernel<"bitwise_or_cpu", [Floats, Complexes]>];
}
def : Op<"aten::__or__.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir]> {
  let scalar = (bitor $self, $other);
  let refuses = [NoKernel<"bitwise_or_cpu", [Floats, Complexes]>];
}

def : Op<"aten::__rshift__.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir]> {
  let scalar = (shr $self, $other);
  let refuses = [NoKernel<"rshift_cpu", [Floats, Complexes]>];
}
def : Op<"aten::__rshift__.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (shr $self, $other);
  let refuses = [NoKernel<"rshift_cpu", [Floats, Complexes]>, NoKernel<"rshift_cpu", [Bools]>];
}
def : Op<"aten::__rshift__.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::__rshift__.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::__xor__.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (bitxor $self, $other);
  let refuses = [NoKernel<"bitwise_xor_cpu", [Floats, Complexes]>];
}
def : Op<"aten::__xor__.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (bitxor $self, $other);
  let refuses = [NoKernel<"bitwise_xor_cpu", [Floats, Complexes]>];
}

def : Op<"aten::abs(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (abs $self);
  let numerics = Close;
  let refuses = [NoKernel<"abs_cpu", [Bools]>];
}
def : Op<"aten::abs_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]> {
  let refuses = [Refuse<"In-place abs is not supported for complex tensors.", [Complexes], "any", "Runtime">];
}
def : Op<"aten::abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::absolute(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (abs $self);
  let refuses = [NoKernel<"abs_cpu", [Bools, Complexes]>];
}
def : Op<"aten::absolute_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::absolute.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::acos(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (acos $self);
  let numerics = Close;
}
def : Op<"aten::acos_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::acos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::acosh(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (acosh $self);
  let numerics = Close;
}
def : Op<"aten::acosh_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::acosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (add $self, (mul $other, $alpha));
}
def : Op<"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (add $self, (mul $other, $alpha));
  let numerics = Close;
}
def : Op<"aten::add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::add.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor", [TorchMlir]> {
  let scalar = (add $self, (mul $value, (div $tensor1, $tensor2)));
  let numerics = Close;
  let refuses = [Refuse<"Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.", [Bools, Ints], "tensor1 tensor2", "Runtime">];
}
def : Op<"aten::addcdiv_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::addcdiv.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (add $self, (mul (mul $value, $tensor1), $tensor2));
  let numerics = Close;
  let refuses = [NoKernel<"addcmul_cpu_out", [Bools]>];
}
def : Op<"aten::addcmul_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::addcmul.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::asin(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (asin $self);
  let numerics = Close;
}
def : Op<"aten::asin_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::asin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::asinh(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (asinh $self);
  let numerics = Close;
}
def : Op<"aten::asinh_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::asinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::atan(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (atan $self);
  let numerics = Close;
}
def : Op<"aten::atan_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::atan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::atan2(Tensor self, Tensor other) -> Tensor", [TorchMlir, Groups]> {
  let scalar = (atan2 $self, $other);
  let numerics = Close;
  let refuses = [NoKernel<"atan2_cpu", [Complexes]>];
}
def : Op<"aten::atan2_(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::atan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::atanh(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (atanh $self);
  let numerics = Close;
}
def : Op<"aten::atanh_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::atanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (bitand $self, $other);
  let refuses = [NoKernel<"bitwise_and_cpu", [Floats, Complexes]>];
}
def : Op<"aten::bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (bitand $self, $other);
  let refuses = [NoKernel<"bitwise_and_cpu", [Floats, Complexes]>];
}
def : Op<"aten::bitwise_and_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::bitwise_and_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::bitwise_and.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative, OwnDType]>;
def : Op<"aten::bitwise_and.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;
def : Op<"aten::bitwise_and.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir]> {
  let scalar = (shl $self, $other);
  let refuses = [NoKernel<"lshift_cpu", [Complexes]>, NoKernel<"lshift_cpu", [Floats]>];
}
def : Op<"aten::bitwise_left_shift_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::bitwise_left_shift_.Tensor_Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::bitwise_left_shift.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::bitwise_left_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::bitwise_left_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::bitwise_not(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (bitnot $self);
  let refuses = [NoKernel<"bitwise_not_cpu", [Floats, Complexes]>];
}
def : Op<"aten::bitwise_not_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::bitwise_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor", [Commutative]> {
  let scalar = (bitor $self, $other);
  let refuses = [NoKernel<"bitwise_or_cpu", [Floats, Complexes]>];
}
def : Op<"aten::bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (bitor $self, $other);
  let refuses = [NoKernel<"bitwise_or_cpu", [Floats, Complexes]>];
}
def : Op<"aten::bitwise_or_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", [Commutative]>;
def : Op<"aten::bitwise_or_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::bitwise_or.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative, OwnDType]>;
def : Op<"aten::bitwise_or.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;
def : Op<"aten::bitwise_or.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir]> {
  let scalar = (shr $self, $other);
  let refuses = [NoKernel<"rshift_cpu", [Floats, Complexes]>];
}
def : Op<"aten::bitwise_right_shift_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::bitwise_right_shift_.Tensor_Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::bitwise_right_shift.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::bitwise_right_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::bitwise_right_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor", [Commutative]> {
  let scalar = (bitxor $self, $other);
  let refuses = [NoKernel<"bitwise_xor_cpu", [Floats, Complexes]>];
}
def : Op<"aten::bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (bitxor $self, $other);
  let refuses = [NoKernel<"bitwise_xor_cpu", [Floats, Complexes]>];
}
def : Op<"aten::bitwise_xor_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", [Commutative]>;
def : Op<"aten::bitwise_xor_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::bitwise_xor.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative, OwnDType]>;
def : Op<"aten::bitwise_xor.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;
def : Op<"aten::bitwise_xor.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::ceil(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (ceil $self);
  let refuses = [NoKernel<"ceil_vml_cpu", [Bools]>, Refuse<"ceil is not supported for complex inputs", [Complexes]>];
}
def : Op<"aten::ceil_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::ceil.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", [TorchMlir, Groups, Differentiable]> { let quantized = "over_numbers::keep";
  let scalar = (ifnone $min, (ifnone $max, $self, (min $max, $self)), (ifnone $max, (max $min, $self), (min $max, (max $min, $self))));
  let promotes = ["self", "min", "max"];
  let refuses = [Refuse<"clamp is not supported for complex types", [Complexes]>];
}
def : Op<"aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor", [TorchMlir, Differentiable]> {
  let scalar = (ifnone $min, (ifnone $max, $self, (min $max, $self)), (ifnone $max, (max $min, $self), (min $max, (max $min, $self))));
  let refuses = [Refuse<"clamp is not supported for complex types", [Complexes]>];
}
def : Op<"aten::clamp_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::clamp_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::clamp.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::clamp.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::clamp_max(Tensor self, Scalar max) -> Tensor", [TorchMlir]> { let quantized = "over_numbers::keep";
  let scalar = (min $max, $self);
  let promotes = ["self", "max"];
  let refuses = [Refuse<"clamp is not supported for complex types", [Complexes]>];
}
def : Op<"aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor", [TorchMlir]> {
  let scalar = (min $max, $self);
  let refuses = [NoKernel<"minimum_cpu", [Complexes]>];
}
def : Op<"aten::clamp_max_(Tensor(a!) self, Scalar max) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::clamp_max_.Tensor(Tensor(a!) self, Tensor max) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::clamp_max.Tensor_out(Tensor self, Tensor max, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::clamp_max.out(Tensor self, Scalar max, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::clamp_min(Tensor self, Scalar min) -> Tensor", [TorchMlir]> { let quantized = "over_numbers::keep";
  let scalar = (max $min, $self);
  let promotes = ["self", "min"];
  let refuses = [Refuse<"clamp is not supported for complex types", [Complexes]>];
}
def : Op<"aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor", [TorchMlir]> {
  let scalar = (max $min, $self);
  let refuses = [NoKernel<"maximum_cpu", [Complexes]>];
}
def : Op<"aten::clamp_min_(Tensor(a!) self, Scalar min) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::clamp_min_.Tensor(Tensor(a!) self, Tensor min) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::clamp_min.Tensor_out(Tensor self, Tensor min, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::clamp_min.out(Tensor self, Scalar min, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (copysign $self, $other);
  let refuses = [NoKernel<"copysign_cpu", [Complexes]>];
}
def : Op<"aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir]> {
  let scalar = (copysign $self, $other);
  let refuses = [NoKernel<"copysign_cpu", [Complexes]>];
}
def : Op<"aten::copysign_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::copysign_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::copysign.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::copysign.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::cos(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (cos $self);
  let numerics = Close;
}
def : Op<"aten::cos_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::cos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::cosh(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (cosh $self);
  let numerics = Close;
}
def : Op<"aten::cosh_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::cosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::deg2rad(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (mul $self, "0.017453292519943295");
  let numerics = Close;
  let refuses = [Refuse<"deg2rad is not supported for complex tensors.", [Complexes]>];
}
def : Op<"aten::deg2rad_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::deg2rad.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::digamma(Tensor self) -> Tensor"> {
  let scalar = (digamma $self);
  let numerics = Close;
  let refuses = [NoKernel<"digamma", [Complexes]>];
}
def : Op<"aten::digamma_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::digamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::div.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (div $self, $other);
  let numerics = Close;
  let refuses = [NoKernel<"div_cpu", [HalfComplexes]>];
}
def : Op<"aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor", [TorchMlir, Differentiable]> {
  let scalar = (match $rounding_mode, "None", (div $self, $other), "trunc", (truncdiv $self, $other), "floor", (floordiv $self, $other));
  let numerics = Close;
  let shape = "pointwise::div_mode";
}
def : Op<"aten::div.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (div $self, $other);
  let numerics = Close;
  let refuses = [NoKernel<"div_cpu", [HalfComplexes]>];
}
def : Op<"aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor", [TorchMlir, Differentiable]> {
  let scalar = (match $rounding_mode, "None", (div $self, $other), "trunc", (truncdiv $self, $other), "floor", (floordiv $self, $other));
  let shape = "pointwise::div_mode";
}
def : Op<"aten::div_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::div_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::div_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::div_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::div.Scalar_mode_out(Tensor self, Scalar other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::div.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::div.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::div.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::eq.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir, Commutative, Groups, Differentiable]> { let quantized = "over_numbers::plainly";
  let scalar = (eq $self, $other);
}
def : Op<"aten::eq.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative, Groups]> { let quantized = "over_numbers::plainly";
  let scalar = (eq $self, $other);
}
def : Op<"aten::eq_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::eq_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::eq.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;
def : Op<"aten::eq.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::erf(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (erf $self);
  let numerics = Close;
  let refuses = [NoKernel<"erf_vml_cpu", [Complexes]>];
}
def : Op<"aten::erf_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::erf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"> { let numerics = Loose; }

def : Op<"aten::erfinv(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (erfinv $self);
  let numerics = Close;
  let refuses = [NoKernel<"erfinv_vml_cpu", [Complexes]>];
}
def : Op<"aten::erfinv_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::erfinv.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::exp(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (exp $self);
  let numerics = Close;
}
def : Op<"aten::exp_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::exp2(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (exp2 $self);
  let numerics = Close;
}
def : Op<"aten::exp2_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::exp2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"> { let numerics = Loose; }

def : Op<"aten::expm1(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (expm1 $self);
  let numerics = Close;
}
def : Op<"aten::expm1_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fix(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (trunc $self);
  let refuses = [NoKernel<"trunc_vml_cpu", [Bools]>, Refuse<"trunc is not supported for complex inputs", [Complexes]>];
}
def : Op<"aten::fix_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::fix.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "pointwise::float_power"; let kernel = "pointwise::float_power"; }
def : Op<"aten::float_power_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)"> { let shape = "pointwise::float_power_inplace"; }
def : Op<"aten::float_power_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)"> { let shape = "pointwise::float_power_inplace"; }
def : Op<"aten::float_power.Scalar_out(Scalar self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;
def : Op<"aten::float_power.Tensor_Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;
def : Op<"aten::float_power.Tensor_Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::floor(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (floor $self);
  let refuses = [NoKernel<"floor_vml_cpu", [Bools]>, Refuse<"floor is not supported for complex inputs", [Complexes]>];
}
def : Op<"aten::floor_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::floor.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::floor_divide(Tensor self, Tensor other) -> Tensor", [TorchMlir]> {
  let scalar = (floordiv $self, $other);
  let refuses = [NoKernel<"div_floor_cpu", [Bools, Complexes]>];
}
def : Op<"aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir]> {
  let scalar = (floordiv $self, $other);
  let refuses = [NoKernel<"div_floor_cpu", [Bools, Complexes]>];
}
def : Op<"aten::floor_divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::floor_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::floor_divide.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::floor_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fmax(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (fmax $self, $other);
  let refuses = [Refuse<"fmax not implemented for complex tensors.", [Complexes], "", "Type">];
}
def : Op<"aten::fmax.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::fmin(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (fmin $self, $other);
  let refuses = [Refuse<"fmin not implemented for complex tensors.", [Complexes], "", "Type">];
}
def : Op<"aten::fmin.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir, Differentiable]> {
  let scalar = (fmod $self, $other);
  let refuses = [NoKernel<"fmod_cpu", [Bools, Complexes]>];
}
def : Op<"aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Groups]> {
  let scalar = (fmod $self, $other);
  let refuses = [NoKernel<"fmod_cpu", [Bools, Complexes]>];
}
def : Op<"aten::fmod_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::fmod_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::fmod.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::fmod.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::frac(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (sub $self, (trunc $self));
  let refuses = [NoKernel<"frac_cpu", [Bools, Ints, Complexes]>];
}
def : Op<"aten::frac_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::frac.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)"> { let shape = "like::mantissa_and_exponent"; let kernel = "exponents::frexp"; let refuses = [Refuse<"torch.frexp() only supports floating-point dtypes", [Bools, Ints, Complexes], "self", "Runtime">]; }
def : Op<"aten::frexp.Tensor_out(Tensor self, *, Tensor(a!) mantissa, Tensor(b!) exponent) -> (Tensor(a!) mantissa, Tensor(b!) exponent)">;

def : Op<"aten::gcd(Tensor self, Tensor other) -> Tensor", [Commutative]> {
  let scalar = (gcd $self, $other);
  let refuses = [NoKernel<"gcd_cpu", [Floats, Complexes]>];
}
def : Op<"aten::gcd_(Tensor(a!) self, Tensor other) -> Tensor(a!)", [Commutative]>;
def : Op<"aten::gcd.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::ge.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir, Groups, Differentiable]> { let quantized = "over_numbers::plainly";
  let scalar = (ge $self, $other);
  let refuses = [NoKernel<"ge_cpu", [Complexes]>];
}
def : Op<"aten::ge.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Groups]> { let quantized = "over_numbers::plainly";
  let scalar = (ge $self, $other);
  let refuses = [NoKernel<"ge_cpu", [Complexes]>];
}
def : Op<"aten::ge_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::ge_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::ge.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::ge.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::gt.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir, Groups, Differentiable]> { let quantized = "over_numbers::plainly";
  let scalar = (gt $self, $other);
  let refuses = [NoKernel<"gt_cpu", [Complexes]>];
}
def : Op<"aten::gt.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Groups]> { let quantized = "over_numbers::plainly";
  let scalar = (gt $self, $other);
  let refuses = [NoKernel<"gt_cpu", [Complexes]>];
}
def : Op<"aten::gt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::gt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::gt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::gt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::heaviside(Tensor self, Tensor values) -> Tensor", [TorchMlir]> {
  let scalar = (select (eq $self, 0), $values, (number (gt $self, 0)));
  let shape = "pointwise::heaviside";
}
def : Op<"aten::heaviside_(Tensor(a!) self, Tensor values) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::heaviside.out(Tensor self, Tensor values, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::hypot(Tensor self, Tensor other) -> Tensor", [Commutative]> {
  let scalar = (hypot $self, $other);
  let numerics = Close;
  let refuses = [NoKernel<"hypot_cpu", [Complexes]>];
}
def : Op<"aten::hypot_(Tensor(a!) self, Tensor other) -> Tensor(a!)", [Commutative]>;
def : Op<"aten::hypot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> Tensor", [TorchMlir]> {
  let scalar = (or (eq $self, $other), (or
    (and $equal_nan, (and (isnan $self), (isnan $other))),
    (and (isfinite (sub $self, $other)), (le (abs (sub $self, $other)), (add $atol, (abs (mul $rtol, $other)))))));
  let compute = Float;
  let shape = "pointwise::isclose";
}

def : Op<"aten::isfinite(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (isfinite $self);
}

def : Op<"aten::isinf(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (isinf $self);
}
def : Op<"aten::isinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::isnan(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (isnan $self);
}
def : Op<"aten::isnan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::isneginf(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (and (isinf $self), (lt $self, 0));
  let refuses = [Refuse<"isneginf does not support complex inputs.", [Complexes], "", "Type">];
}
def : Op<"aten::isneginf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::isposinf(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (and (isinf $self), (gt $self, 0));
  let refuses = [Refuse<"isposinf does not support complex inputs.", [Complexes], "", "Type">];
}
def : Op<"aten::isposinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir]> {
  let scalar = (mul $self, (exp2 $other));
  let kernel = "exponents::ldexp"; // which moves exponents beyond what a power of two can be
}
def : Op<"aten::ldexp_(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::ldexp.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::le.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir, Groups, Differentiable]> { let quantized = "over_numbers::plainly";
  let scalar = (le $self, $other);
  let refuses = [NoKernel<"le_cpu", [Complexes]>];
}
def : Op<"aten::le.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Groups]> { let quantized = "over_numbers::plainly";
  let scalar = (le $self, $other);
  let refuses = [NoKernel<"le_cpu", [Complexes]>];
}
def : Op<"aten::le_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::le_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::le.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::le.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (select (lt (abs $weight), "0.5"), (add $self, (mul $weight, (sub $end, $self))), (sub $end, (mul (sub $end, $self), (sub 1, $weight))));
  let numerics = Close;
  let shape = "pointwise::lerp";
  let kernel = "pointwise::lerp";
}
def : Op<"aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (select (lt (abs $weight), "0.5"), (add $self, (mul $weight, (sub $end, $self))), (sub $end, (mul (sub $end, $self), (sub 1, $weight))));
  let numerics = Close;
  let shape = "pointwise::lerp";
  let kernel = "pointwise::lerp";
}
def : Op<"aten::lerp_.Scalar(Tensor(a!) self, Tensor end, Scalar weight) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::lerp_.Tensor(Tensor(a!) self, Tensor end, Tensor weight) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::lerp.Scalar_out(Tensor self, Tensor end, Scalar weight, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::lerp.Tensor_out(Tensor self, Tensor end, Tensor weight, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]> { let numerics = Loose; }

def : Op<"aten::lgamma(Tensor self) -> Tensor", [Groups]> {
  let scalar = (lgamma $self);
  let numerics = Close;
  let refuses = [NoKernel<"lgamma_vml_cpu", [Complexes]>];
}
def : Op<"aten::lgamma_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::lgamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::log(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (log $self);
  let numerics = Close;
}
def : Op<"aten::log_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::log.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::log10(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (log10 $self);
  let numerics = Close;
}
def : Op<"aten::log10_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::log10.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::log1p(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (log1p $self);
  let numerics = Close;
}
def : Op<"aten::log1p_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::log2(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (log2 $self);
  let numerics = Close;
}
def : Op<"aten::log2_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::log2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"> { let numerics = Loose; }

def : Op<"aten::logaddexp(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (select (and (isinf $self), (eq $self, $other)), $self, (add (max $self, $other), (log1p (exp (neg (abs (sub $self, $other)))))));
  let numerics = Close;
}
def : Op<"aten::logaddexp.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]> { let numerics = Loose; }

def : Op<"aten::logaddexp2(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (select (and (isinf $self), (eq $self, $other)), $self, (add (max $self, $other), (mul (log1p (exp2 (neg (abs (sub $self, $other))))), "1.4426950408889634")));
  let numerics = Close;
  let refuses = [NoKernel<"logaddexp2_cpu", [Complexes]>];
}
def : Op<"aten::logaddexp2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]> { let numerics = Loose; }

def : Op<"aten::logical_and(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (and (truth $self), (truth $other));
  let refuses = [NoKernel<"logical_and_cpu", [HalfComplexes]>];
}
def : Op<"aten::logical_and_(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::logical_and.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::logical_not(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (not (truth $self));
  let refuses = [NoKernel<"logical_not_cpu", [HalfComplexes]>];
}
def : Op<"aten::logical_not_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::logical_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::logical_or(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (or (truth $self), (truth $other));
  let refuses = [NoKernel<"logical_or_cpu", [HalfComplexes]>];
}
def : Op<"aten::logical_or_(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::logical_or.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::logical_xor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (xor (truth $self), (truth $other));
  let refuses = [NoKernel<"logical_xor_cpu", [HalfComplexes]>];
}
def : Op<"aten::logical_xor_(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::logical_xor.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::logit(Tensor self, float? eps=None) -> Tensor", [TorchMlir, Groups]> {
  let scalar = (ifnone $eps, (log (div $self, (sub 1, $self))), (log (div
    (select (lt $self, $eps), $eps, (select (gt $self, (sub 1, $eps)), (sub 1, $eps), $self)),
    (sub 1, (select (lt $self, $eps), $eps, (select (gt $self, (sub 1, $eps)), (sub 1, $eps), $self))))));
  let numerics = Close;
  let refuses = [NoKernel<"logit_cpu", [Complexes]>];
}
def : Op<"aten::logit_(Tensor(a!) self, float? eps=None) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::lt.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir, Groups, Differentiable]> { let quantized = "over_numbers::plainly";
  let scalar = (lt $self, $other);
  let refuses = [NoKernel<"lt_cpu", [Complexes]>];
}
def : Op<"aten::lt.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Groups]> { let quantized = "over_numbers::plainly";
  let scalar = (lt $self, $other);
  let refuses = [NoKernel<"lt_cpu", [Complexes]>];
}
def : Op<"aten::lt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::lt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::lt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::lt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor", [TorchMlir]> { let quantized = "over_numbers::keep";
  let scalar = (select (truth $mask), $value, $self);
  let promotes = ["self"];
  let shape = "pointwise::masked_fill";
  let kernel = "pointwise::masked_fill";
}
def : Op<"aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor", [TorchMlir]> { let quantized = "over_numbers::keep";
  let scalar = (select (truth $mask), $value, $self);
  let promotes = ["self"];
  let shape = "pointwise::masked_fill";
  let kernel = "pointwise::masked_fill";
}
def : Op<"aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)", [TorchMlir, Overlaps]>;
def : Op<"aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)", [TorchMlir, Overlaps]>;
def : Op<"aten::masked_fill.Scalar_out(Tensor self, Tensor mask, Scalar value, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::masked_fill.Tensor_out(Tensor self, Tensor mask, Tensor value, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::max.other(Tensor self, Tensor other) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (max $self, $other);
  let refuses = [Refuse<"maximum not implemented for complex tensors.", [Complexes], "", "Type">];
}
def : Op<"aten::max.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::maximum(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (max $self, $other);
  let refuses = [Refuse<"maximum not implemented for complex tensors.", [Complexes], "", "Type">];
}
def : Op<"aten::maximum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::min.other(Tensor self, Tensor other) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (min $self, $other);
  let refuses = [Refuse<"minimum not implemented for complex tensors.", [Complexes], "", "Type">];
}
def : Op<"aten::min.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::minimum(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative]> {
  let scalar = (min $self, $other);
  let refuses = [Refuse<"minimum not implemented for complex tensors.", [Complexes], "", "Type">];
}
def : Op<"aten::minimum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::mul.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir, Commutative, Groups, Differentiable]> {
  let scalar = (mul $self, $other);
  let numerics = Close;
}
def : Op<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative, Groups, Differentiable]> {
  let scalar = (mul $self, $other);
  let numerics = Close;
}
def : Op<"aten::mul_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::mul.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative, OwnDType]>;
def : Op<"aten::mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor", [TorchMlir]> { let shape = "like::first"; let kernel = "nan_to_num::nan_to_num"; }
def : Op<"aten::nan_to_num_(Tensor(a!) self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor(a!)">;
def : Op<"aten::nan_to_num.out(Tensor self, float? nan=None, float? posinf=None, float? neginf=None, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::ne.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir, Commutative, Groups, Differentiable]> { let quantized = "over_numbers::plainly";
  let scalar = (ne $self, $other);
}
def : Op<"aten::ne.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Commutative, Groups]> { let quantized = "over_numbers::plainly";
  let scalar = (ne $self, $other);
}
def : Op<"aten::ne_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::ne_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [TorchMlir, Commutative]>;
def : Op<"aten::ne.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;
def : Op<"aten::ne.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [Commutative]>;

def : Op<"aten::neg(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (neg $self);
  let kernel = "complex::neg";
  let refuses = [Refuse<"Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.", [Bools]>];
}
def : Op<"aten::neg_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (pow $self, $exponent);
  let kernel = "pointwise::powers_of_number"; // its result is row-major
  let numerics = Close;
  let refuses = [NoKernel<"pow", [Bools, HalfComplexes]>];
}
def : Op<"aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (pow $self, $exponent);
  let shape = "pointwise::pow_number";
  let numerics = Close;
}
def : Op<"aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (pow $self, $exponent);
  let numerics = Loose;
  let refuses = [NoKernel<"pow", [Bools, HalfComplexes]>];
}
def : Op<"aten::pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)">;
def : Op<"aten::pow_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)">;
def : Op<"aten::pow.Scalar_out(Scalar self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::pow.Tensor_Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::pow.Tensor_Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::rad2deg(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (mul $self, "57.29577951308232");
  let numerics = Close;
  let refuses = [Refuse<"rad2deg is not supported for complex tensors.", [Complexes]>];
}
def : Op<"aten::rad2deg_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::rad2deg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::reciprocal(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (reciprocal $self);
  let numerics = Close;
}
def : Op<"aten::reciprocal_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::reciprocal.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor", [TorchMlir, Differentiable]> {
  let scalar = (remainder $self, $other);
  let refuses = [NoKernel<"remainder_cpu", [Bools, Complexes]>];
}
def : Op<"aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let scalar = (remainder $self, $other);
  let refuses = [NoKernel<"remainder_cpu", [Bools, Complexes]>];
}
def : Op<"aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir, Groups]> {
  let scalar = (remainder $self, $other);
  let refuses = [NoKernel<"remainder_cpu", [Bools, Complexes]>];
}
def : Op<"aten::remainder_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::remainder_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::remainder.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::remainder.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::remainder.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::round(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (round $self);
  let refuses = [NoKernel<"round_vml_cpu", [Bools, Complexes]>];
}
def : Op<"aten::round.decimals(Tensor self, *, int decimals) -> Tensor", [TorchMlir]> {
  let scalar = (select (lt $decimals, 0),
    (mul (round (div $self, (pow 10, (neg $decimals)))), (pow 10, (neg $decimals))),
    (div (round (mul $self, (pow 10, $decimals))), (pow 10, $decimals)));
  let refuses = [NoKernel<"round_cpu", [Bools, Complexes]>, NoKernel<"round_vml_cpu", [Ints]>];
}
def : Op<"aten::round_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::round_.decimals(Tensor(a!) self, *, int decimals) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::round.decimals_out(Tensor self, *, int decimals, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;
def : Op<"aten::round.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::rsqrt(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (rsqrt $self);
  let numerics = Close;
}
def : Op<"aten::rsqrt_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::rsqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", [TorchMlir, Differentiable]> {
  let scalar = (sub $other, (mul $self, $alpha));
  let refuses = [Refuse<"Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.", [Bools], "any">];
}
def : Op<"aten::rsub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let numerics = Close; }
def : Op<"aten::rsub.Tensor_out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::sgn(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (sign $self);
  let numerics = Close;
}
def : Op<"aten::sgn_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::sgn.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::sigmoid(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> { let quantized = "over_numbers::to_unit";
  let scalar = (sigmoid $self);
  let numerics = Close;
}
def : Op<"aten::sigmoid_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"> { let numerics = Loose; }

def : Op<"aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor", [TorchMlir]> {
  let scalar = (mul (mul $grad_output, (sub 1, $output)), $output);
  let numerics = Close;
}

def : Op<"aten::sign(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (sign $self);
  let refuses = [Refuse<"Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.", [Complexes]>];
}
def : Op<"aten::sign_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::sign.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::signbit(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (signbit $self);
  let refuses = [Refuse<"signbit is not implemented for complex tensors.", [Complexes]>];
}
def : Op<"aten::signbit.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::sin(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (sin $self);
  let numerics = Close;
}
def : Op<"aten::sin_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::sin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::sinh(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (sinh $self);
  let numerics = Close;
}
def : Op<"aten::sinh_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::sinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_expm1(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (expm1 $self);
  let numerics = Close;
}
def : Op<"aten::special_expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::sqrt(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (sqrt $self);
  let numerics = Close;
}
def : Op<"aten::sqrt_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::sqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::square(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (mul $self, $self);
  let shape = "pointwise::square";
  let refuses = [NoKernel<"pow", [HalfComplexes], "self">];
}
def : Op<"aten::square_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::square.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (sub $self, (mul $other, $alpha));
  let refuses = [Refuse<"Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.", [Bools], "any">];
}
def : Op<"aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (sub $self, (mul $other, $alpha));
  let numerics = Close;
  let refuses = [Refuse<"Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.", [Bools], "any">];
}
def : Op<"aten::sub_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::sub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::sub.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::tan(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (tan $self);
  let numerics = Close;
}
def : Op<"aten::tan_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::tan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"> { let numerics = Loose; }

def : Op<"aten::tanh(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> { let quantized = "over_numbers::to_signs";
  let scalar = (tanh $self);
  let numerics = Close;
}
def : Op<"aten::tanh_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::tanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor", [TorchMlir]> {
  let scalar = (mul $grad_output, (sub 1, (mul $output, $output)));
  let numerics = Close;
}

def : Op<"aten::trunc(Tensor self) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (trunc $self);
  let refuses = [NoKernel<"trunc_vml_cpu", [Bools]>, Refuse<"trunc is not supported for complex inputs", [Complexes]>];
}
def : Op<"aten::trunc_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::trunc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::where(Tensor condition) -> Tensor[]"> { let kernel = "index::nonzero_numpy"; let shape = "like::unknown"; }
def : Op<"aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor", [TorchMlir]> {
  let scalar = (select (truth $condition), $self, $other);
  let promotes = ["self", "other"];
  let refuses = [Refuse<"where expected condition to be a boolean tensor, but got a tensor with dtype {}", [NoTruths], "condition", "Runtime">];
}
def : Op<"aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor", [TorchMlir]> {
  let scalar = (select (truth $condition), $self, $other);
  let promotes = ["self", "other"];
  let refuses = [Refuse<"where expected condition to be a boolean tensor, but got a tensor with dtype {}", [NoTruths], "condition", "Runtime">];
}
def : Op<"aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor", [TorchMlir]> {
  let scalar = (select (truth $condition), $self, $other);
  let promotes = ["self", "other"];
  let refuses = [Refuse<"where expected condition to be a boolean tensor, but got a tensor with dtype {}", [NoTruths], "condition", "Runtime">];
}
def : Op<"aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor", [TorchMlir, Groups, Differentiable]> {
  let scalar = (select (truth $condition), $self, $other);
  let promotes = ["self", "other"];
  let refuses = [Refuse<"where expected condition to be a boolean tensor, but got a tensor with dtype {}", [NoTruths], "condition", "Runtime">];
}
def : Op<"aten::where.self_out(Tensor condition, Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor", [TorchMlir]> {
  let scalar = (select (isnan $other), $other, (select (eq $self, 0), 0, (mul $self, (log $other))));
  let numerics = Close;
  let refuses = [NoKernel<"xlogy_cpu", [Complexes]>];
}
def : Op<"aten::xlogy_.Scalar_Other(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::xlogy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::xlogy.OutScalar_Other(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)"> { let numerics = Loose; }
def : Op<"aten::xlogy.OutScalar_Self(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::xlogy.OutTensor(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"prim::abs(Tensor x) -> Tensor", [ScriptOnly]> {
  let scalar = (abs $x);
  let refuses = [NoKernel<"abs_cpu", [Bools]>];
}

def : Op<"prims::sqrt(Tensor self) -> Tensor", [TorchMlir]> {
  let scalar = (sqrt $self);
}

def : Op<"aten::arccos(Tensor self) -> Tensor"> {
  let scalar = (acos $self);
  let numerics = Close;
}
def : Op<"aten::arccos_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::arccos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::arccosh(Tensor self) -> Tensor"> {
  let scalar = (acosh $self);
  let numerics = Close;
}
def : Op<"aten::arccosh_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::arccosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::arcsin(Tensor self) -> Tensor"> {
  let scalar = (asin $self);
  let numerics = Close;
}
def : Op<"aten::arcsin_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::arcsin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::arcsinh(Tensor self) -> Tensor"> {
  let scalar = (asinh $self);
  let numerics = Close;
}
def : Op<"aten::arcsinh_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::arcsinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::arctan(Tensor self) -> Tensor"> {
  let scalar = (atan $self);
  let numerics = Close;
}
def : Op<"aten::arctan_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::arctan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::arctan2(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (atan2 $self, $other);
  let numerics = Close;
  let refuses = [NoKernel<"atan2_cpu", [Complexes]>];
}
def : Op<"aten::arctan2_(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::arctan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::arctanh(Tensor self) -> Tensor"> {
  let scalar = (atanh $self);
  let numerics = Close;
}
def : Op<"aten::arctanh_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::arctanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let scalar = (bitand $self, $other);
  let refuses = [NoKernel<"bitwise_and_cpu", [Floats, Complexes]>];
}

def : Op<"aten::bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let scalar = (shl $self, $other);
  let refuses = [NoKernel<"lshift_cpu", [Floats, Complexes]>];
}
def : Op<"aten::bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (shl $self, $other);
  let refuses = [NoKernel<"lshift_cpu", [Floats, Complexes]>];
}

def : Op<"aten::bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let scalar = (bitor $self, $other);
  let refuses = [NoKernel<"bitwise_or_cpu", [Floats, Complexes]>];
}

def : Op<"aten::bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let scalar = (shr $self, $other);
  let refuses = [NoKernel<"rshift_cpu", [Floats, Complexes]>];
}
def : Op<"aten::bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (shr $self, $other);
  let refuses = [NoKernel<"rshift_cpu", [Floats, Complexes]>];
}

def : Op<"aten::bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let scalar = (bitxor $self, $other);
  let refuses = [NoKernel<"bitwise_xor_cpu", [Floats, Complexes]>];
}

def : Op<"aten::clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor"> {
  let scalar = (ifnone $min, (ifnone $max, $self, (min $max, $self)), (ifnone $max, (max $min, $self), (min $max, (max $min, $self))));
  let promotes = ["self", "min", "max"];
  let refuses = [Refuse<"clamp is not supported for complex types", [Complexes]>];
}
def : Op<"aten::clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor"> {
  let scalar = (ifnone $min, (ifnone $max, $self, (min $max, $self)), (ifnone $max, (max $min, $self), (min $max, (max $min, $self))));
  let refuses = [Refuse<"clamp is not supported for complex types", [Complexes]>];
}
def : Op<"aten::clip_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)">;
def : Op<"aten::clip_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)">;
def : Op<"aten::clip.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::clip.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::divide.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (div $self, $other);
  let numerics = Close;
}
def : Op<"aten::divide.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor"> {
  let scalar = (match $rounding_mode, "None", (div $self, $other), "trunc", (truncdiv $self, $other), "floor", (floordiv $self, $other));
  let numerics = Close;
}
def : Op<"aten::divide.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (div $self, $other);
  let numerics = Close;
}
def : Op<"aten::divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor"> {
  let scalar = (match $rounding_mode, "None", (div $self, $other), "trunc", (truncdiv $self, $other), "floor", (floordiv $self, $other));
  let numerics = Close;
}
def : Op<"aten::divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::divide_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!)">;
def : Op<"aten::divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::divide_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)">;
def : Op<"aten::divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::divide.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::erfc(Tensor self) -> Tensor", [Groups, Differentiable]> {
  let scalar = (erfc $self);
  let numerics = Close;
  let refuses = [NoKernel<"erfc_vml_cpu", [Complexes]>];
}
def : Op<"aten::erfc_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::erfc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::greater.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (gt $self, $other);
  let refuses = [NoKernel<"gt_cpu", [Complexes]>];
}
def : Op<"aten::greater.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (gt $self, $other);
  let refuses = [NoKernel<"gt_cpu", [Complexes]>];
}
def : Op<"aten::greater_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::greater_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::greater.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::greater.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::greater_equal.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (ge $self, $other);
  let refuses = [NoKernel<"ge_cpu", [Complexes]>];
}
def : Op<"aten::greater_equal.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (ge $self, $other);
  let refuses = [NoKernel<"ge_cpu", [Complexes]>];
}
def : Op<"aten::greater_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::greater_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::greater_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::greater_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::lcm(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (abs (mul (truncdiv $self, (select (eq (gcd $self, $other), 0), 1, (gcd $self, $other))), $other));
  let refuses = [NoKernel<"lcm_cpu", [Floats, Complexes]>];
}
def : Op<"aten::lcm_(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::lcm.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::less.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (lt $self, $other);
  let refuses = [NoKernel<"lt_cpu", [Complexes]>];
}
def : Op<"aten::less.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (lt $self, $other);
  let refuses = [NoKernel<"lt_cpu", [Complexes]>];
}
def : Op<"aten::less_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::less_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::less.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::less.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::less_equal.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (le $self, $other);
  let refuses = [NoKernel<"le_cpu", [Complexes]>];
}
def : Op<"aten::less_equal.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (le $self, $other);
  let refuses = [NoKernel<"le_cpu", [Complexes]>];
}
def : Op<"aten::less_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::less_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::less_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::less_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::multiply.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (mul $self, $other);
  let numerics = Close;
}
def : Op<"aten::multiply.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (mul $self, $other);
  let numerics = Close;
}
def : Op<"aten::multiply_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::multiply_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::multiply.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::negative(Tensor self) -> Tensor"> {
  let scalar = (neg $self);
  let refuses = [Refuse<"Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.", [Bools]>];
}
def : Op<"aten::negative_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::negative.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::not_equal.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (ne $self, $other);
}
def : Op<"aten::not_equal.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (ne $self, $other);
}
def : Op<"aten::not_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::not_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::not_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::not_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"> {
  let scalar = (sub $other, (mul $self, $alpha));
  let numerics = Close;
  let refuses = [Refuse<"Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.", [Bools], "any">];
}

def : Op<"aten::sinc(Tensor self) -> Tensor"> {
  let scalar = (select (eq $self, 0), 1, (div (sin (mul $self, "3.141592653589793")), (mul $self, "3.141592653589793")));
  let numerics = Close;
}
def : Op<"aten::sinc_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::sinc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_digamma(Tensor self) -> Tensor"> {
  let scalar = (digamma $self);
  let numerics = Close;
  let refuses = [NoKernel<"digamma", [Complexes]>];
}
def : Op<"aten::special_digamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_entr(Tensor self) -> Tensor"> {
  let scalar = (select (isnan $self), $self, (select (gt $self, 0), (mul (neg $self), (log $self)), (select (eq $self, 0), 0, "-inf")));
  let compute = Float;
  let numerics = Close;
  let refuses = [NoKernel<"entr_cpu", [Complexes]>];
}
def : Op<"aten::special_entr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_erf(Tensor self) -> Tensor"> {
  let scalar = (erf $self);
  let numerics = Close;
  let refuses = [NoKernel<"erf_vml_cpu", [Complexes]>];
}
def : Op<"aten::special_erf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_erfc(Tensor self) -> Tensor"> {
  let scalar = (erfc $self);
  let numerics = Close;
  let refuses = [NoKernel<"erfc_vml_cpu", [Complexes]>];
}
def : Op<"aten::special_erfc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_erfinv(Tensor self) -> Tensor"> {
  let scalar = (erfinv $self);
  let numerics = Close;
  let refuses = [NoKernel<"erfinv_vml_cpu", [Complexes]>];
}
def : Op<"aten::special_erfinv.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_exp2(Tensor self) -> Tensor"> {
  let scalar = (exp2 $self);
  let numerics = Close;
}
def : Op<"aten::special_exp2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_expit(Tensor self) -> Tensor"> {
  let scalar = (sigmoid $self);
  let numerics = Close;
}
def : Op<"aten::special_expit.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_gammaln(Tensor self) -> Tensor"> {
  let scalar = (lgamma $self);
  let numerics = Close;
  let refuses = [NoKernel<"lgamma_vml_cpu", [Complexes]>];
}
def : Op<"aten::special_gammaln.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_log1p(Tensor self) -> Tensor"> {
  let scalar = (log1p $self);
  let numerics = Close;
}
def : Op<"aten::special_log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_logit(Tensor self, float? eps=None) -> Tensor"> {
  let scalar = (ifnone $eps, (log (div $self, (sub 1, $self))), (log (div
    (select (lt $self, $eps), $eps, (select (gt $self, (sub 1, $eps)), (sub 1, $eps), $self)),
    (sub 1, (select (lt $self, $eps), $eps, (select (gt $self, (sub 1, $eps)), (sub 1, $eps), $self))))));
  let numerics = Close;
  let refuses = [NoKernel<"logit_cpu", [Complexes]>];
}
def : Op<"aten::special_logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_ndtr(Tensor self) -> Tensor"> {
  let scalar = (mul "0.5", (erfc (mul $self, "-0.7071067811865476")));
  let numerics = Close;
  let refuses = [NoKernel<"erf_vml_cpu", [Complexes]>];
}
def : Op<"aten::special_ndtr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_psi(Tensor self) -> Tensor"> {
  let scalar = (digamma $self);
  let numerics = Close;
  let refuses = [NoKernel<"digamma", [Complexes]>];
}
def : Op<"aten::special_psi.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_round(Tensor self, *, int decimals=0) -> Tensor"> {
  let scalar = (select (lt $decimals, 0),
    (mul (round (div $self, (pow 10, (neg $decimals)))), (pow 10, (neg $decimals))),
    (div (round (mul $self, (pow 10, $decimals))), (pow 10, $decimals)));
  let refuses = [NoKernel<"round_cpu", [Bools, Ints, Complexes]>];
}
def : Op<"aten::special_round.out(Tensor self, *, int decimals=0, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::special_sinc(Tensor self) -> Tensor"> {
  let scalar = (select (eq $self, 0), 1, (div (sin (mul $self, "3.141592653589793")), (mul $self, "3.141592653589793")));
  let numerics = Close;
}
def : Op<"aten::special_sinc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_xlog1py(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (select (isnan $other), $other, (select (eq $self, 0), 0, (mul $self, (log1p $other))));
  let numerics = Close;
  let refuses = [NoKernel<"xlog1py_cpu", [Complexes]>];
}
def : Op<"aten::special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (select (isnan $other), $other, (select (eq $self, 0), 0, (mul $self, (log1p $other))));
  let numerics = Close;
  let refuses = [NoKernel<"xlog1py_cpu", [Complexes]>];
}
def : Op<"aten::special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor"> {
  let scalar = (select (isnan $other), $other, (select (eq $self, 0), 0, (mul $self, (log1p $other))));
  let numerics = Close;
  let refuses = [NoKernel<"xlog1py_cpu", [Complexes]>];
}
def : Op<"aten::special_xlog1py.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_xlog1py.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_xlog1py.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_xlogy(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (select (isnan $other), $other, (select (eq $self, 0), 0, (mul $self, (log $other))));
  let numerics = Close;
  let refuses = [NoKernel<"xlogy_cpu", [Complexes]>];
}
def : Op<"aten::special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (select (isnan $other), $other, (select (eq $self, 0), 0, (mul $self, (log $other))));
  let numerics = Close;
  let refuses = [NoKernel<"xlogy_cpu", [Complexes]>];
}
def : Op<"aten::special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor"> {
  let scalar = (select (isnan $other), $other, (select (eq $self, 0), 0, (mul $self, (log $other))));
  let numerics = Close;
  let refuses = [NoKernel<"xlogy_cpu", [Complexes]>];
}
def : Op<"aten::special_xlogy.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_xlogy.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_xlogy.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::subtract.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"> {
  let scalar = (sub $self, (mul $other, $alpha));
  let numerics = Close;
  let refuses = [Refuse<"Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.", [Bools], "any">];
}
def : Op<"aten::subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"> {
  let scalar = (sub $self, (mul $other, $alpha));
  let numerics = Close;
  let refuses = [Refuse<"Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.", [Bools], "any">];
}
def : Op<"aten::subtract_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)">;
def : Op<"aten::subtract_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)">;
def : Op<"aten::subtract.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::true_divide.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (div $self, $other);
  let numerics = Close;
}
def : Op<"aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (div $self, $other);
}
def : Op<"aten::true_divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)">;
def : Op<"aten::true_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::true_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor"> {
  let scalar = (select (isnan $other), $other, (select (eq $self, 0), 0, (mul $self, (log $other))));
  let numerics = Close;
  let refuses = [NoKernel<"xlogy_cpu", [Complexes]>];
}
def : Op<"aten::xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor"> {
  let scalar = (select (isnan $other), $other, (select (eq $self, 0), 0, (mul $self, (log $other))));
  let numerics = Close;
  let refuses = [NoKernel<"xlogy_cpu", [Complexes]>];
}

def : Op<"prims::abs(Tensor self) -> Tensor"> {
  let scalar = (abs $self);
}

def : Op<"prims::acos(Tensor self) -> Tensor"> {
  let scalar = (acos $self);
  let numerics = Close;
}

def : Op<"prims::acosh(Tensor self) -> Tensor"> {
  let scalar = (acosh $self);
  let numerics = Close;
}

def : Op<"prims::add(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (add $self, $other);
}

def : Op<"prims::asin(Tensor self) -> Tensor"> {
  let scalar = (asin $self);
  let numerics = Close;
}

def : Op<"prims::asinh(Tensor self) -> Tensor"> {
  let scalar = (asinh $self);
  let numerics = Close;
}

def : Op<"prims::atan(Tensor self) -> Tensor"> {
  let scalar = (atan $self);
  let numerics = Close;
}

def : Op<"prims::atan2(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (atan2 $self, $other);
  let numerics = Close;
}

def : Op<"prims::atanh(Tensor self) -> Tensor"> {
  let scalar = (atanh $self);
  let numerics = Close;
}

def : Op<"prims::bitwise_and(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (bitand $self, $other);
}

def : Op<"prims::bitwise_not(Tensor self) -> Tensor"> {
  let scalar = (bitnot $self);
}

def : Op<"prims::bitwise_or(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (bitor $self, $other);
}

def : Op<"prims::bitwise_xor(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (bitxor $self, $other);
}

def : Op<"prims::ceil(Tensor self) -> Tensor"> {
  let scalar = (ceil $self);
}

def : Op<"prims::cos(Tensor self) -> Tensor"> {
  let scalar = (cos $self);
  let numerics = Close;
}

def : Op<"prims::cosh(Tensor self) -> Tensor"> {
  let scalar = (cosh $self);
  let numerics = Close;
}

def : Op<"prims::digamma(Tensor self) -> Tensor"> {
  let scalar = (digamma $self);
  let numerics = Close;
}

def : Op<"prims::eq(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (eq $self, $other);
}

def : Op<"prims::erf(Tensor self) -> Tensor"> {
  let scalar = (erf $self);
  let numerics = Close;
}

def : Op<"prims::erf_inv(Tensor self) -> Tensor"> {
  let scalar = (erfinv $self);
  let numerics = Close;
}

def : Op<"prims::erfc(Tensor self) -> Tensor"> {
  let scalar = (erfc $self);
  let numerics = Close;
}

def : Op<"prims::exp(Tensor self) -> Tensor"> {
  let scalar = (exp $self);
  let numerics = Close;
}

def : Op<"prims::exp2(Tensor self) -> Tensor"> {
  let scalar = (exp2 $self);
  let numerics = Close;
}

def : Op<"prims::expm1(Tensor self) -> Tensor"> {
  let scalar = (expm1 $self);
  let numerics = Close;
}

def : Op<"prims::floor(Tensor self) -> Tensor"> {
  let scalar = (floor $self);
}

def : Op<"prims::fmax(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (fmax $self, $other);
}

def : Op<"prims::fmin(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (fmin $self, $other);
}

def : Op<"prims::fmod(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (fmod $self, $other);
}

def : Op<"prims::gcd(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (gcd $self, $other);
}

def : Op<"prims::ge(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (ge $self, $other);
}

def : Op<"prims::gt(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (gt $self, $other);
}

def : Op<"prims::hypot(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (hypot $self, $other);
  let numerics = Close;
}

def : Op<"prims::isfinite(Tensor self) -> Tensor"> {
  let scalar = (isfinite $self);
}

def : Op<"prims::le(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (le $self, $other);
}

def : Op<"prims::lgamma(Tensor self) -> Tensor"> {
  let scalar = (lgamma $self);
  let numerics = Close;
}

def : Op<"prims::log(Tensor self) -> Tensor"> {
  let scalar = (log $self);
  let numerics = Close;
}

def : Op<"prims::log10(Tensor self) -> Tensor"> {
  let scalar = (log10 $self);
  let numerics = Close;
}

def : Op<"prims::log1p(Tensor self) -> Tensor"> {
  let scalar = (log1p $self);
  let numerics = Close;
}

def : Op<"prims::log2(Tensor self) -> Tensor"> {
  let scalar = (log2 $self);
  let numerics = Close;
}

def : Op<"prims::lt(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (lt $self, $other);
}

def : Op<"prims::maximum(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (max $self, $other);
}

def : Op<"prims::minimum(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (min $self, $other);
}

def : Op<"prims::mul(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (mul $self, $other);
}

def : Op<"prims::ne(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (ne $self, $other);
}

def : Op<"prims::neg(Tensor self) -> Tensor"> {
  let scalar = (neg $self);
}

def : Op<"prims::pow(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (pow $self, $other);
  let numerics = Close;
}

def : Op<"prims::reciprocal(Tensor self) -> Tensor"> {
  let scalar = (reciprocal $self);
}

def : Op<"prims::remainder(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (remainder $self, $other);
}

def : Op<"prims::round(Tensor self) -> Tensor"> {
  let scalar = (round $self);
}

def : Op<"prims::rsqrt(Tensor self) -> Tensor"> {
  let scalar = (rsqrt $self);
  let numerics = Close;
}

def : Op<"prims::shift_left(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (shl $self, $other);
}

def : Op<"prims::shift_right_arithmetic(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (shr $self, $other);
}

def : Op<"prims::sign(Tensor self) -> Tensor"> {
  let scalar = (sign $self);
}

def : Op<"prims::signbit(Tensor self) -> Tensor"> {
  let scalar = (signbit $self);
}

def : Op<"prims::sin(Tensor self) -> Tensor"> {
  let scalar = (sin $self);
  let numerics = Close;
}

def : Op<"prims::sinh(Tensor self) -> Tensor"> {
  let scalar = (sinh $self);
  let numerics = Close;
}

def : Op<"prims::sub(Tensor self, Tensor other) -> Tensor"> {
  let scalar = (sub $self, $other);
}

def : Op<"prims::tan(Tensor self) -> Tensor"> {
  let scalar = (tan $self);
  let numerics = Close;
}

def : Op<"prims::tanh(Tensor self) -> Tensor"> {
  let scalar = (tanh $self);
  let numerics = Close;
}

def : Op<"prims::trunc(Tensor self) -> Tensor"> {
  let scalar = (trunc $self);
}

def : Op<"prims::where(Tensor pred, Tensor a, Tensor b) -> Tensor"> {
  let scalar = (select (truth $pred), $a, $b);
  let promotes = ["a", "b"];
}

def : Op<"aten::__iand__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)"> { let functional = "aten::__and__.Scalar"; }
def : Op<"aten::__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)"> { let functional = "aten::__and__.Tensor"; }

def : Op<"aten::__ior__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)"> { let functional = "aten::__or__.Scalar"; }
def : Op<"aten::__ior__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)"> { let functional = "aten::__or__.Tensor"; }

def : Op<"aten::__irshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)"> { let functional = "aten::__rshift__.Scalar"; }
def : Op<"aten::__irshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)"> { let functional = "aten::__rshift__.Tensor"; }

def : Op<"aten::__ixor__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)"> { let functional = "aten::__xor__.Scalar"; }
def : Op<"aten::__ixor__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)"> { let functional = "aten::__xor__.Tensor"; }

def : Op<"aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor"> { let numerics = Close; let shape = "pointwise::float_power"; let kernel = "pointwise::float_power"; }
def : Op<"aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"> { let numerics = Close; let shape = "pointwise::float_power"; let kernel = "pointwise::float_power"; }

def : Op<"aten::sigmoid_backward.grad_input(Tensor grad_output, Tensor output, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::tanh_backward.grad_input(Tensor grad_output, Tensor output, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"prims::div(Tensor self, Tensor other) -> Tensor"> { let shape = "like::broadcast_of_two"; }

def : Op<"prims::frexp(Tensor self) -> (Tensor mantissa, Tensor exponent)"> { let shape = "like::mantissa_and_exponent"; let kernel = "exponents::frexp"; let refuses = [Refuse<"torch.frexp() only supports floating-point dtypes", [Bools, Ints, Complexes], "self", "Runtime">]; }
