// What properties forbid stays as it is: operands of dtypes that are not known are not expanded, numbers that are no constants are nothing that a group knows, and
// nothing is computed behind a write to what it reads. Values are fused as tensors are.
// RUN: sconce-opt %s --fuse-graph | FileCheck %s

// CHECK-LABEL: func.func @unknown_dtypes
// CHECK: torch.aten.add.Tensor
// CHECK-NOT: broadcast_tensors
// CHECK: torch.operator "prim.FusionGroup"
// CHECK: prim.ConstantChunk
// CHECK-NOT: torch.aten.add.Tensor
func.func @unknown_dtypes(%a: !torch.tensor, %b: !torch.tensor) -> !torch.tensor {
  %one = torch.constant.int 1
  %sum = torch.aten.add.Tensor %a, %b, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
  %parts:2 = torch.operator "prim.ConstantChunk"(%sum) {torch.attributes = [["chunks", 2], ["dim", 1]]} : (!torch.tensor) -> (!torch.tensor, !torch.tensor)
  %x = torch.aten.sigmoid %parts#0 : !torch.tensor -> !torch.tensor
  %y = torch.aten.mul.Tensor %x, %parts#1 : !torch.tensor, !torch.tensor -> !torch.tensor
  return %y : !torch.tensor
}

// CHECK-LABEL: func.func @number
// CHECK: torch.aten.relu
// CHECK: torch.aten.mul.Scalar
// CHECK-NOT: FusionGroup
// CHECK: return
func.func @number(%a: !torch.tensor, %n: !torch.int) -> !torch.tensor {
  %x = torch.aten.relu %a : !torch.tensor -> !torch.tensor
  %y = torch.aten.mul.Scalar %x, %n : !torch.tensor, !torch.int -> !torch.tensor
  return %y : !torch.tensor
}

// CHECK-LABEL: func.func @written
// CHECK: torch.aten.relu %arg0
// CHECK: torch.aten.add_.Scalar
// CHECK-NOT: FusionGroup
// CHECK: return
func.func @written(%a: !torch.tensor) -> !torch.tensor {
  %one = torch.constant.int 1
  %x = torch.aten.relu %a : !torch.tensor -> !torch.tensor
  %w = torch.aten.add_.Scalar %a, %one, %one : !torch.tensor, !torch.int, !torch.int -> !torch.tensor
  %y = torch.aten.tanh %x : !torch.tensor -> !torch.tensor
  return %y : !torch.tensor
}

// CHECK-LABEL: func.func @values
// CHECK: torch.operator "prim.FusionGroup"(%arg0)
// CHECK-LABEL: func.func private @values.FusionGroup_0
// CHECK: torch.aten.relu
// CHECK: torch.aten.tanh
func.func @values(%a: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %x = torch.aten.relu %a : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %y = torch.aten.tanh %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %y : !torch.vtensor<[2],f32>
}
