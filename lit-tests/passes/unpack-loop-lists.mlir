// What a list of known length holds is carried through a loop instead of it, where each turn makes a list of as many elements; a list that is written to, that is
// seen from outside, or whose length changes stays.
// RUN: sconce-opt %s --unpack-loop-lists | FileCheck %s
// RUN: sconce-opt %s --unpack-loop-lists=most=1 | FileCheck %s --check-prefix=SHORT

// CHECK-LABEL: func.func @caches
// CHECK: torch.prim.Loop %{{.*}}, %true, init(%arg0, %arg1, %arg0) {
// CHECK-NEXT: ^bb0(%{{.*}}: !torch.int, %[[A:.*]]: !torch.tensor, %[[B:.*]]: !torch.tensor, %{{.*}}: !torch.tensor):
// CHECK: %[[L:.*]] = torch.prim.ListConstruct %[[A]], %[[B]]
// CHECK: torch.aten.__getitem__.t %[[L]]
// CHECK: iter(%[[K:.*]], %[[V:.*]], %[[K]] : !torch.tensor, !torch.tensor, !torch.tensor)
// SHORT-LABEL: func.func @caches
// SHORT: torch.prim.Loop %arg2, %true, init(%{{[0-9]+}}, %arg0) {
func.func @caches(%k: !torch.tensor, %v: !torch.tensor, %n: !torch.int) -> !torch.tensor {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %true = torch.constant.bool true
  %start = torch.prim.ListConstruct %k, %v : (!torch.tensor, !torch.tensor) -> !torch.list<tensor>
  %r:2 = torch.prim.Loop %n, %true, init(%start, %k) {
  ^bb0(%i: !torch.int, %l: !torch.list<tensor>, %s: !torch.tensor):
    %a = torch.aten.__getitem__.t %l, %zero : !torch.list<tensor>, !torch.int -> !torch.tensor
    %b = torch.aten.__getitem__.t %l, %one : !torch.list<tensor>, !torch.int -> !torch.tensor
    %x = torch.aten.add.Tensor %a, %b, %i : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
    %y = torch.aten.mul.Tensor %a, %b : !torch.tensor, !torch.tensor -> !torch.tensor
    %next = torch.prim.ListConstruct %x, %y : (!torch.tensor, !torch.tensor) -> !torch.list<tensor>
    torch.prim.Loop.condition %true, iter(%next, %x : !torch.list<tensor>, !torch.tensor)
  } : (!torch.int, !torch.bool, !torch.list<tensor>, !torch.tensor) -> (!torch.list<tensor>, !torch.tensor)
  return %r#1 : !torch.tensor
}

// CHECK-LABEL: func.func @written
// CHECK: torch.prim.Loop %arg1, %true, init(%{{[0-9]+}}) {
// CHECK: } : (!torch.int, !torch.bool, !torch.list<tensor>) -> !torch.list<tensor>
func.func @written(%k: !torch.tensor, %n: !torch.int) -> !torch.int {
  %true = torch.constant.bool true
  %start = torch.prim.ListConstruct %k : (!torch.tensor) -> !torch.list<tensor>
  %r = torch.prim.Loop %n, %true, init(%start) {
  ^bb0(%i: !torch.int, %l: !torch.list<tensor>):
    %more = torch.aten.append.t %l, %k : !torch.list<tensor>, !torch.tensor -> !torch.list<tensor>
    %next = torch.prim.ListConstruct %k : (!torch.tensor) -> !torch.list<tensor>
    torch.prim.Loop.condition %true, iter(%next : !torch.list<tensor>)
  } : (!torch.int, !torch.bool, !torch.list<tensor>) -> !torch.list<tensor>
  %size = torch.aten.len.t %r : !torch.list<tensor> -> !torch.int
  return %size : !torch.int
}

// CHECK-LABEL: func.func @given
// CHECK: torch.prim.Loop %arg1, %true, init(%{{[0-9]+}}) {
// CHECK: } : (!torch.int, !torch.bool, !torch.list<tensor>) -> !torch.list<tensor>
func.func @given(%k: !torch.tensor, %n: !torch.int) -> !torch.list<tensor> {
  %true = torch.constant.bool true
  %start = torch.prim.ListConstruct %k : (!torch.tensor) -> !torch.list<tensor>
  %r = torch.prim.Loop %n, %true, init(%start) {
  ^bb0(%i: !torch.int, %l: !torch.list<tensor>):
    %next = torch.prim.ListConstruct %k : (!torch.tensor) -> !torch.list<tensor>
    torch.prim.Loop.condition %true, iter(%next : !torch.list<tensor>)
  } : (!torch.int, !torch.bool, !torch.list<tensor>) -> !torch.list<tensor>
  return %r : !torch.list<tensor>
}

// CHECK-LABEL: func.func @longer
// CHECK: torch.prim.Loop %arg1, %true, init(%{{[0-9]+}}) {
// CHECK: } : (!torch.int, !torch.bool, !torch.list<tensor>) -> !torch.list<tensor>
func.func @longer(%k: !torch.tensor, %n: !torch.int) -> !torch.int {
  %true = torch.constant.bool true
  %start = torch.prim.ListConstruct %k : (!torch.tensor) -> !torch.list<tensor>
  %r = torch.prim.Loop %n, %true, init(%start) {
  ^bb0(%i: !torch.int, %l: !torch.list<tensor>):
    %next = torch.prim.ListConstruct %k, %k : (!torch.tensor, !torch.tensor) -> !torch.list<tensor>
    torch.prim.Loop.condition %true, iter(%next : !torch.list<tensor>)
  } : (!torch.int, !torch.bool, !torch.list<tensor>) -> !torch.list<tensor>
  %size = torch.aten.len.t %r : !torch.list<tensor> -> !torch.int
  return %size : !torch.int
}
