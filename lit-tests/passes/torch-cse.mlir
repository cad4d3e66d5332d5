// The same of the same is computed once; not around a write to what it may be, and not what draws numbers.
// RUN: sconce-opt %s --torch-cse | FileCheck %s

// CHECK-LABEL: func.func @pure
// CHECK: %[[S:.*]] = torch.aten.sin %arg0
// CHECK-NOT: torch.aten.sin
// CHECK: torch.aten.mul.Tensor %[[S]], %[[S]]
// CHECK: torch.aten.rand_like
// CHECK: torch.aten.rand_like
func.func @pure(%x: !torch.tensor) -> !torch.list<tensor> {
  %none = torch.constant.none
  %1 = torch.aten.sin %x : !torch.tensor -> !torch.tensor
  %2 = torch.aten.sin %x : !torch.tensor -> !torch.tensor
  %3 = torch.aten.mul.Tensor %1, %2 : !torch.tensor, !torch.tensor -> !torch.tensor
  %4 = torch.aten.rand_like %3, %none, %none, %none, %none, %none : !torch.tensor, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.tensor
  %5 = torch.aten.rand_like %3, %none, %none, %none, %none, %none : !torch.tensor, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.tensor
  %6 = torch.prim.ListConstruct %3, %4, %5 : (!torch.tensor, !torch.tensor, !torch.tensor) -> !torch.list<tensor>
  return %6 : !torch.list<tensor>
}

// CHECK-LABEL: func.func @written
// CHECK: torch.aten.cos %arg0
// CHECK: torch.aten.relu_ %arg1
// CHECK: torch.aten.cos %arg0
func.func @written(%x: !torch.tensor, %y: !torch.tensor) -> !torch.list<tensor> {
  %1 = torch.aten.cos %x : !torch.tensor -> !torch.tensor
  %2 = torch.aten.relu_ %y : !torch.tensor -> !torch.tensor
  %3 = torch.aten.cos %x : !torch.tensor -> !torch.tensor
  %4 = torch.prim.ListConstruct %1, %3 : (!torch.tensor, !torch.tensor) -> !torch.list<tensor>
  return %4 : !torch.list<tensor>
}

// Tensors that are values are no graph's: the function stays as it is.
// CHECK-LABEL: func.func @values
// CHECK-COUNT-2: torch.aten.sin
func.func @values(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %one = torch.constant.int 1
  %1 = torch.aten.sin %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %2 = torch.aten.sin %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %3 = torch.aten.add.Tensor %1, %2, %one : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
  return %3 : !torch.vtensor<[2],f32>
}
