// Sums, means and variances.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// CHECK-LABEL: @scaled
// CHECK: torch.aten.sum.dim_IntList %arg0
// CHECK: torch.aten.mul.Scalar
func.func @scaled(%x: !torch.vtensor<[32,64],f32>) -> !torch.vtensor<[32],f32> {
  %c0 = torch.constant.int 3
  %r1 = torch.aten.mul.Scalar %x, %c0 : !torch.vtensor<[32,64],f32>, !torch.int -> !torch.vtensor<[32,64],f32>
  %c1 = torch.constant.int 1
  %c2 = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %c3 = torch.constant.bool false
  %c4 = torch.constant.none
  %r2 = torch.aten.sum.dim_IntList %r1, %c2, %c3, %c4 : !torch.vtensor<[32,64],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[32],f32>
  return %r2 : !torch.vtensor<[32],f32>
}
