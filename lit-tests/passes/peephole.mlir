// Small rewrites whose result is plain to see, on tensors and on tensors as values, inside blocks too.
// RUN: sconce-opt %s --peephole | FileCheck %s
// RUN: sconce-opt %s --pass-pipeline='builtin.module(func.func(peephole{shapes=0}))' | FileCheck %s --check-prefix=PLAIN

// A test for None of what cannot be None, and the cast behind it.
// CHECK-LABEL: func.func @none
// CHECK: torch.prim.If %true
// CHECK-NEXT: torch.aten.relu %arg0
// CHECK-NOT: unchecked_cast
func.func @none(%x: !torch.tensor, %b: !torch.bool) -> !torch.tensor {
  %none = torch.constant.none
  %is = torch.aten.__isnot__ %x, %none : !torch.tensor, !torch.none -> !torch.bool
  %0 = torch.prim.If %is -> (!torch.tensor) {
    %c = torch.prim.unchecked_cast %x : !torch.tensor -> !torch.tensor
    %1 = torch.aten.relu %c : !torch.tensor -> !torch.tensor
    torch.prim.If.yield %1 : !torch.tensor
  } else {
    torch.prim.If.yield %x : !torch.tensor
  }
  return %0 : !torch.tensor
}

// CHECK-LABEL: func.func @values
// CHECK-NEXT: %[[T:.*]] = torch.aten.relu %arg0
// CHECK-NEXT: %[[TWO:.*]] = torch.constant.int 2
// CHECK-NEXT: torch.aten.mul.Scalar %[[T]], %[[TWO]]
// PLAIN-LABEL: func.func @values
// PLAIN: torch.aten.dim
func.func @values(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %one = torch.constant.int 1
  %0 = torch.aten.relu %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %1 = torch.aten.mul.Scalar %0, %one : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  %2 = torch.aten.t %1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[3,2],f32>
  %3 = torch.aten.t %2 : !torch.vtensor<[3,2],f32> -> !torch.vtensor<[2,3],f32>
  %rank = torch.aten.dim %3 : !torch.vtensor<[2,3],f32> -> !torch.int
  %4 = torch.aten.mul.Scalar %3, %rank : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  return %4 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @slices
// CHECK: %[[TWO:.*]] = torch.constant.int 2
// CHECK: return %[[TWO]]
// PLAIN-LABEL: func.func @slices
// PLAIN: torch.aten.len.Tensor
func.func @slices(%x: !torch.vtensor<[2,3],f32>) -> !torch.int {
  %n = torch.aten.len.Tensor %x : !torch.vtensor<[2,3],f32> -> !torch.int
  return %n : !torch.int
}

// Who returns `x + 0` returns another tensor than `x`: a caller that writes to it would see the difference.
// CHECK-LABEL: func.func @seen_from_outside
// CHECK: torch.aten.add.Scalar
func.func @seen_from_outside(%x: !torch.tensor) -> !torch.tensor {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %0 = torch.aten.add.Scalar %x, %zero, %one : !torch.tensor, !torch.int, !torch.int -> !torch.tensor
  return %0 : !torch.tensor
}

// CHECK-LABEL: func.func @lists
// CHECK-NEXT: %[[TWO:.*]] = torch.constant.int 2
// CHECK-NEXT: torch.aten.mul.int %arg1, %[[TWO]]
func.func @lists(%a: !torch.int, %b: !torch.int) -> !torch.int {
  %one = torch.constant.int 1
  %l = torch.prim.ListConstruct %a, %b : (!torch.int, !torch.int) -> !torch.list<int>
  %n = torch.aten.len.t %l : !torch.list<int> -> !torch.int
  %i = torch.aten.__getitem__.t %l, %one : !torch.list<int>, !torch.int -> !torch.int
  %0 = torch.aten.mul.int %i, %n : !torch.int, !torch.int -> !torch.int
  return %0 : !torch.int
}

// How many pieces a tensor is cut into, its type tells.
// CHECK-LABEL: func.func @pieces
// CHECK: torch.constant.int 5
// CHECK-NOT: torch.aten.len
// PLAIN-LABEL: func.func @pieces
// PLAIN: torch.aten.len
func.func @pieces(%x: !torch.tensor<[5,3],f32>) -> !torch.int {
  %zero = torch.constant.int 0
  %l = torch.aten.unbind.int %x, %zero : !torch.tensor<[5,3],f32>, !torch.int -> !torch.list<tensor>
  %n = torch.aten.len.t %l : !torch.list<tensor> -> !torch.int
  return %n : !torch.int
}

// Somebody may have changed the list.
// CHECK-LABEL: func.func @changed_pieces
// CHECK: torch.aten.len
func.func @changed_pieces(%x: !torch.tensor<[5,3],f32>) -> !torch.int {
  %zero = torch.constant.int 0
  %l = torch.aten.unbind.int %x, %zero : !torch.tensor<[5,3],f32>, !torch.int -> !torch.list<tensor>
  %more = torch.aten.append.t %l, %x : !torch.list<tensor>, !torch.tensor<[5,3],f32> -> !torch.list<tensor>
  %n = torch.aten.len.t %l : !torch.list<tensor> -> !torch.int
  return %n : !torch.int
}
