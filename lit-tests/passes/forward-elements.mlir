// What is done with lists of known elements is done at once.
// RUN: sconce-opt %s --forward-elements | FileCheck %s

// CHECK-LABEL: func.func @elements
// CHECK: %[[L:.*]] = torch.prim.ListConstruct %arg0, %arg1
// CHECK-NEXT: %[[TWO:.*]] = torch.constant.int 2
// CHECK-NEXT: return %[[L]], %arg1, %arg0, %[[TWO]]
func.func @elements(%a: !torch.vtensor, %b: !torch.vtensor) -> (!torch.list<vtensor>, !torch.vtensor, !torch.vtensor, !torch.int) {
  %last = torch.constant.int -1
  %0 = torch.prim.ListConstruct %a : (!torch.vtensor) -> !torch.list<vtensor>
  %1 = torch.operator "sconce.append.t"(%0, %b) : (!torch.list<vtensor>, !torch.vtensor) -> !torch.list<vtensor>
  %2 = torch.aten.__getitem__.t %1, %last : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  %3:2 = torch.prim.ListUnpack %1 : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor
  %4 = torch.aten.len.t %1 : !torch.list<vtensor> -> !torch.int
  return %1, %2, %3#0, %4 : !torch.list<vtensor>, !torch.vtensor, !torch.vtensor, !torch.int
}

// What is popped is an element, what is left a list of the others.
// CHECK-LABEL: func.func @popped
// CHECK: %[[L:.*]] = torch.prim.ListConstruct %arg0, %arg1
// CHECK-NEXT: return %[[L]], %arg2
func.func @popped(%a: !torch.int, %b: !torch.int, %c: !torch.int) -> (!torch.list<int>, !torch.int) {
  %one = torch.constant.int 1
  %0 = torch.prim.ListConstruct %b, %c, %a : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.operator "sconce.reverse.t"(%0) : (!torch.list<int>) -> !torch.list<int>
  %2:2 = torch.operator "sconce.pop.t"(%1, %one) : (!torch.list<int>, !torch.int) -> (!torch.list<int>, !torch.int)
  return %2#0, %2#1 : !torch.list<int>, !torch.int
}

// No index is out of range at once, a list that is changed is not known, and nobody knows how elements compare.
// CHECK-LABEL: func.func @unknown
// CHECK: torch.aten.__getitem__.t %{{.*}}, %{{.*}} :
// CHECK: torch.aten.append.t
// CHECK: torch.aten.__getitem__.t
// CHECK: torch.operator "sconce.sort.int"
func.func @unknown(%a: !torch.int, %b: !torch.int) -> (!torch.int, !torch.int, !torch.list<int>) {
  %zero = torch.constant.int 0
  %five = torch.constant.int 5
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct %a, %b : (!torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.aten.__getitem__.t %0, %five : !torch.list<int>, !torch.int -> !torch.int
  %2 = torch.prim.ListConstruct %a : (!torch.int) -> !torch.list<int>
  %3 = torch.aten.append.t %2, %b : !torch.list<int>, !torch.int -> !torch.list<int>
  %4 = torch.aten.__getitem__.t %2, %zero : !torch.list<int>, !torch.int -> !torch.int
  %5 = torch.operator "sconce.sort.int"(%0, %true) : (!torch.list<int>, !torch.bool) -> !torch.list<int>
  return %1, %4, %5 : !torch.int, !torch.int, !torch.list<int>
}

// A list of pieces whose number types tell is taken apart, where each is asked for by a known place.
// CHECK-LABEL: func.func @pieces
// CHECK: %[[L:.*]] = torch.aten.chunk
// CHECK-NEXT: %[[P:.*]]:2 = torch.prim.ListUnpack %[[L]]
// CHECK-NEXT: torch.aten.mul.Tensor %[[P]]#0, %[[P]]#1
// CHECK-NOT: __getitem__
func.func @pieces(%x: !torch.vtensor<[4,6],f32>) -> !torch.vtensor {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %last = torch.constant.int -1
  %0 = torch.aten.chunk %x, %two, %one : !torch.vtensor<[4,6],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %1 = torch.aten.__getitem__.t %0, %zero : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  %2 = torch.aten.__getitem__.t %0, %last : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  %3 = torch.aten.mul.Tensor %1, %2 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  return %3 : !torch.vtensor
}

// Of how many there are nothing says; a place that there is not raises when it is asked for.
// CHECK-LABEL: func.func @unknown_pieces
// CHECK-COUNT-2: torch.aten.__getitem__.t
func.func @unknown_pieces(%x: !torch.vtensor<[4,?],f32>, %y: !torch.vtensor<[4,6],f32>) -> (!torch.vtensor, !torch.vtensor) {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %0 = torch.aten.split.Tensor %x, %two, %one : !torch.vtensor<[4,?],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %1 = torch.aten.__getitem__.t %0, %one : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  %2 = torch.aten.chunk %y, %two, %one : !torch.vtensor<[4,6],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %3 = torch.aten.__getitem__.t %2, %two : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return %1, %3 : !torch.vtensor, !torch.vtensor
}

// `all += [x, y]` appends both to the list, which the loop need not carry.
// CHECK-LABEL: func.func @extended
// CHECK: %[[ALL:.*]] = torch.prim.ListConstruct
// CHECK: torch.prim.Loop %arg1, %true, init(%arg0) {
// CHECK: ^bb0(%{{.*}}: !torch.int, %[[X:.*]]: !torch.tensor):
// CHECK: torch.aten.append.t %[[ALL]], %[[X]]
// CHECK: torch.aten.append.t %[[ALL]], %arg0
// CHECK: return %[[ALL]]
func.func @extended(%x: !torch.tensor, %n: !torch.int) -> !torch.list<tensor> {
  %true = torch.constant.bool true
  %empty = torch.prim.ListConstruct : () -> !torch.list<tensor>
  %r:2 = torch.prim.Loop %n, %true, init(%empty, %x) {
  ^bb0(%i: !torch.int, %l: !torch.list<tensor>, %s: !torch.tensor):
    %two = torch.prim.ListConstruct %s, %x : (!torch.tensor, !torch.tensor) -> !torch.list<tensor>
    %m = torch.aten.add_.t %l, %two : !torch.list<tensor>, !torch.list<tensor> -> !torch.list<tensor>
    %t = torch.aten.relu %s : !torch.tensor -> !torch.tensor
    torch.prim.Loop.condition %true, iter(%m, %t : !torch.list<tensor>, !torch.tensor)
  } : (!torch.int, !torch.bool, !torch.list<tensor>, !torch.tensor) -> (!torch.list<tensor>, !torch.tensor)
  return %r#0 : !torch.list<tensor>
}
