// Products of matrices as linear layers, and in the order that costs least.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// CHECK-LABEL: @bias
// CHECK: torch.aten.linear %arg0, %arg1, %arg2
// CHECK-NOT: torch.aten.mm
func.func @bias(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[16,8],f32>, %b: !torch.vtensor<[16],f32>) -> !torch.vtensor<[4,16],f32> {
  %r1 = torch.aten.t %w : !torch.vtensor<[16,8],f32> -> !torch.vtensor<[8,16],f32>
  %r2 = torch.aten.mm %x, %r1 : !torch.vtensor<[4,8],f32>, !torch.vtensor<[8,16],f32> -> !torch.vtensor<[4,16],f32>
  %c0 = torch.constant.int 1
  %r3 = torch.aten.add.Tensor %r2, %b, %c0 : !torch.vtensor<[4,16],f32>, !torch.vtensor<[16],f32>, !torch.int -> !torch.vtensor<[4,16],f32>
  return %r3 : !torch.vtensor<[4,16],f32>
}
