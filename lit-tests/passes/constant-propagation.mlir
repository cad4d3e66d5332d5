// What is constant is computed, on tensors as values too; a decided branch stands where it was taken.
// RUN: sconce-opt %s --constant-propagation | FileCheck %s

// CHECK-LABEL: func.func @values
// CHECK-NEXT: %[[L:.*]] = torch.vtensor.literal(dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>) : !torch.vtensor<[2],f32>
// CHECK-NEXT: %[[R:.*]] = torch.aten.mul.Tensor %arg0, %[[L]]
// CHECK-NEXT: return %[[R]]
func.func @values(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %l = torch.vtensor.literal(dense<[1.0, 2.0]> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  %less = torch.aten.lt.int %one, %two : !torch.int, !torch.int -> !torch.bool
  %0 = torch.prim.If %less -> (!torch.vtensor<[2],f32>) {
    %1 = torch.aten.mul.Scalar %l, %two : !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
    %2 = torch.aten.mul.Tensor %x, %1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %2 : !torch.vtensor<[2],f32>
  } else {
    torch.prim.If.yield %x : !torch.vtensor<[2],f32>
  }
  return %0 : !torch.vtensor<[2],f32>
}
