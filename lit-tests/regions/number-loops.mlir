// A loop that computes numbers alone is a region; one that appends to a list is none, and its body is looked at.
// RUN: sconce-opt %s --outline-regions | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK: %[[R:.*]] = sconce.region "sum.r0"(%arg0)
// CHECK: torch.prim.Loop
// CHECK: sconce.yield %{{.*}} : !torch.int
// CHECK: return %[[R]]
func.func @sum(%n: !torch.int) -> !torch.int {
  %true = torch.constant.bool true
  %zero = torch.constant.int 0
  %r = torch.prim.Loop %n, %true, init(%zero) {
  ^bb0(%i: !torch.int, %acc: !torch.int):
    %s = torch.aten.add.int %acc, %i : !torch.int, !torch.int -> !torch.int
    torch.prim.Loop.condition %true, iter(%s : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  return %r : !torch.int
}

// CHECK-LABEL: func.func @listed
// CHECK-NOT: sconce.region
func.func @listed(%n: !torch.int, %l: !torch.list<int>) -> !torch.list<int> {
  %true = torch.constant.bool true
  torch.prim.Loop %n, %true, init() {
  ^bb0(%i: !torch.int):
    %0 = torch.aten.append.t %l, %i : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %l : !torch.list<int>
}
