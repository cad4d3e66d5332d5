// What stays in a loop is what was there, also where its constants stand in front of the loop: neither it nor they are made anew.
// RUN: sconce-opt %s --egraph | FileCheck %s

// CHECK-LABEL: func.func @kept
// CHECK: torch.prim.Loop
// CHECK-NOT: onstant
// CHECK: torch.aten.sum.dim_IntList %{{.*}}, %{{.*}}, %true, %none
// CHECK-NOT: onstant
// CHECK: torch.aten.relu
// CHECK-NOT: torch.aten.relu
// CHECK: torch.prim.Loop.condition
func.func @kept(%x: !torch.tensor<[4,8],f32>, %n: !torch.int, %list: !torch.list<tensor>) -> !torch.tensor<[4,8],f32> {
  %true = torch.constant.bool true
  %none = torch.constant.none
  %minus = torch.constant.int -1
  %dims = torch.prim.ListConstruct %minus : (!torch.int) -> !torch.list<int>
  %r = torch.prim.Loop %n, %true, init(%x) {
  ^bb0(%i: !torch.int, %s: !torch.tensor<[4,8],f32>):
    %m = torch.aten.sum.dim_IntList %s, %dims, %true, %none : !torch.tensor<[4,8],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.tensor<[4,1],f32>
    %more = torch.aten.append.t %list, %m : !torch.list<tensor>, !torch.tensor<[4,1],f32> -> !torch.list<tensor>
    %e = torch.aten.exp %m : !torch.tensor<[4,1],f32> -> !torch.tensor<[4,1],f32>
    %a = torch.aten.mul.Tensor %s, %e : !torch.tensor<[4,8],f32>, !torch.tensor<[4,1],f32> -> !torch.tensor<[4,8],f32>
    %b = torch.aten.relu %a : !torch.tensor<[4,8],f32> -> !torch.tensor<[4,8],f32>
    %c = torch.aten.relu %b : !torch.tensor<[4,8],f32> -> !torch.tensor<[4,8],f32>
    torch.prim.Loop.condition %true, iter(%c : !torch.tensor<[4,8],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4,8],f32>) -> !torch.tensor<[4,8],f32>
  return %r : !torch.tensor<[4,8],f32>
}
