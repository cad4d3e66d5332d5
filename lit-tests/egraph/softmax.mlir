// Softmax that was written out.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// CHECK-LABEL: @shifted
// CHECK: torch.aten.softmax.int %arg0
// CHECK-NOT: torch.aten.exp
func.func @shifted(%x: !torch.vtensor<[8,16],f32>) -> !torch.vtensor<[8,16],f32> {
  %c0 = torch.constant.int 1
  %c1 = torch.prim.ListConstruct %c0 : (!torch.int) -> !torch.list<int>
  %c2 = torch.constant.bool true
  %r1 = torch.aten.amax %x, %c1, %c2 : !torch.vtensor<[8,16],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[8,1],f32>
  %r2 = torch.aten.sub.Tensor %x, %r1, %c0 : !torch.vtensor<[8,16],f32>, !torch.vtensor<[8,1],f32>, !torch.int -> !torch.vtensor<[8,16],f32>
  %r3 = torch.aten.exp %r2 : !torch.vtensor<[8,16],f32> -> !torch.vtensor<[8,16],f32>
  %c3 = torch.constant.none
  %r4 = torch.aten.sum.dim_IntList %r3, %c1, %c2, %c3 : !torch.vtensor<[8,16],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[8,1],f32>
  %r5 = torch.aten.div.Tensor %r3, %r4 : !torch.vtensor<[8,16],f32>, !torch.vtensor<[8,1],f32> -> !torch.vtensor<[8,16],f32>
  return %r5 : !torch.vtensor<[8,16],f32>
}
