// Operations stand in the order in which they are needed, whatever order they came in.
// RUN: sconce-opt %s '--egraph=order=1' | FileCheck %s

// CHECK: torch.aten.cos %arg1
// CHECK: torch.aten.sin %arg0
func.func @f(%x: !torch.vtensor<[4],f32>, %y: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %r1 = torch.aten.sin %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  %r2 = torch.aten.cos %y : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  %r3 = torch.aten.mul.Tensor %r2, %r1 : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %r3 : !torch.vtensor<[4],f32>
}
