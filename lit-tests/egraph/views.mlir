// Transposes, reshapes and slices that undo or contain each other.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// CHECK-LABEL: @turned
// CHECK-NOT: permute
// CHECK: torch.aten.relu %arg0
func.func @turned(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = torch.constant.int 1
  %c1 = torch.constant.int 0
  %c2 = torch.prim.ListConstruct %c0, %c1 : (!torch.int, !torch.int) -> !torch.list<int>
  %r1 = torch.aten.permute %x, %c2 : !torch.vtensor<[4,8],f32>, !torch.list<int> -> !torch.vtensor<[8,4],f32>
  %r2 = torch.aten.relu %r1 : !torch.vtensor<[8,4],f32> -> !torch.vtensor<[8,4],f32>
  %r3 = torch.aten.permute %r2, %c2 : !torch.vtensor<[8,4],f32>, !torch.list<int> -> !torch.vtensor<[4,8],f32>
  return %r3 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: @flat
// CHECK: torch.aten.reshape %arg0
// CHECK-NOT: reshape
func.func @flat(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[32],f32> {
  %c0 = torch.constant.int 2
  %c1 = torch.constant.int 16
  %c2 = torch.prim.ListConstruct %c0, %c1 : (!torch.int, !torch.int) -> !torch.list<int>
  %r1 = torch.aten.view %x, %c2 : !torch.vtensor<[4,8],f32>, !torch.list<int> -> !torch.vtensor<[2,16],f32>
  %c3 = torch.constant.int 32
  %c4 = torch.prim.ListConstruct %c3 : (!torch.int) -> !torch.list<int>
  %r2 = torch.aten.view %r1, %c4 : !torch.vtensor<[2,16],f32>, !torch.list<int> -> !torch.vtensor<[32],f32>
  return %r2 : !torch.vtensor<[32],f32>
}
