// Activation functions that were written out.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// CHECK-LABEL: @silu
// CHECK: torch.aten.silu %arg0
// CHECK-NOT: torch.aten.exp
func.func @silu(%x: !torch.vtensor<[64],f32>) -> !torch.vtensor<[64],f32> {
  %r1 = torch.aten.neg %x : !torch.vtensor<[64],f32> -> !torch.vtensor<[64],f32>
  %r2 = torch.aten.exp %r1 : !torch.vtensor<[64],f32> -> !torch.vtensor<[64],f32>
  %c0 = torch.constant.float 1.0
  %c1 = torch.constant.int 1
  %r3 = torch.aten.add.Scalar %r2, %c0, %c1 : !torch.vtensor<[64],f32>, !torch.float, !torch.int -> !torch.vtensor<[64],f32>
  %r4 = torch.aten.div.Tensor %x, %r3 : !torch.vtensor<[64],f32>, !torch.vtensor<[64],f32> -> !torch.vtensor<[64],f32>
  return %r4 : !torch.vtensor<[64],f32>
}

// CHECK-LABEL: @gelu
// CHECK: torch.aten.gelu %arg0
// CHECK-NOT: torch.aten.tanh
func.func @gelu(%x: !torch.vtensor<[64],f32>) -> !torch.vtensor<[64],f32> {
  %c0 = torch.constant.float 0.5
  %r1 = torch.aten.mul.Scalar %x, %c0 : !torch.vtensor<[64],f32>, !torch.float -> !torch.vtensor<[64],f32>
  %c1 = torch.constant.float 3.0
  %r2 = torch.aten.pow.Tensor_Scalar %x, %c1 : !torch.vtensor<[64],f32>, !torch.float -> !torch.vtensor<[64],f32>
  %c2 = torch.constant.float 0.044715
  %r3 = torch.aten.mul.Scalar %r2, %c2 : !torch.vtensor<[64],f32>, !torch.float -> !torch.vtensor<[64],f32>
  %c3 = torch.constant.int 1
  %r4 = torch.aten.add.Tensor %x, %r3, %c3 : !torch.vtensor<[64],f32>, !torch.vtensor<[64],f32>, !torch.int -> !torch.vtensor<[64],f32>
  %c4 = torch.constant.float 0.7978845608028654
  %r5 = torch.aten.mul.Scalar %r4, %c4 : !torch.vtensor<[64],f32>, !torch.float -> !torch.vtensor<[64],f32>
  %r6 = torch.aten.tanh %r5 : !torch.vtensor<[64],f32> -> !torch.vtensor<[64],f32>
  %c5 = torch.constant.float 1.0
  %r7 = torch.aten.add.Scalar %r6, %c5, %c3 : !torch.vtensor<[64],f32>, !torch.float, !torch.int -> !torch.vtensor<[64],f32>
  %r8 = torch.aten.mul.Tensor %r1, %r7 : !torch.vtensor<[64],f32>, !torch.vtensor<[64],f32> -> !torch.vtensor<[64],f32>
  return %r8 : !torch.vtensor<[64],f32>
}
