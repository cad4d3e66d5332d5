// Sizes that are known are numbers, and what is made of them.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// CHECK-LABEL: @known
// CHECK: "value", [8, -1]
// CHECK: torch.aten.reshape {{.*}} -> !torch.vtensor<[8,4],f32>
// CHECK-NOT: torch.aten.size.int
func.func @known(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[?,?],f32> {
  %c0 = torch.constant.int 0
  %r1 = torch.aten.size.int %x, %c0 : !torch.vtensor<[4,8],f32>, !torch.int -> !torch.int
  %c1 = torch.constant.int 2
  %r2 = torch.aten.mul.int %r1, %c1 : !torch.int, !torch.int -> !torch.int
  %c2 = torch.constant.int -1
  %l = torch.prim.ListConstruct %r2, %c2 : (!torch.int, !torch.int) -> !torch.list<int>
  %r4 = torch.aten.view %x, %l : !torch.vtensor<[4,8],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %r4 : !torch.vtensor<[?,?],f32>
}
