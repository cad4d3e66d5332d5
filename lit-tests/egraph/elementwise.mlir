// Elementwise algebra and strength reduction.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// CHECK-LABEL: @strength
// CHECK: torch.aten.mul.Scalar
// CHECK-NOT: torch.aten.neg
func.func @strength(%x: !torch.vtensor<[100],f32>) -> !torch.vtensor<[100],f32> {
  %c0 = torch.constant.int 8
  %r1 = torch.aten.div.Scalar %x, %c0 : !torch.vtensor<[100],f32>, !torch.int -> !torch.vtensor<[100],f32>
  %r2 = torch.aten.neg %r1 : !torch.vtensor<[100],f32> -> !torch.vtensor<[100],f32>
  %r3 = torch.aten.neg %r2 : !torch.vtensor<[100],f32> -> !torch.vtensor<[100],f32>
  return %r3 : !torch.vtensor<[100],f32>
}
