// What a tracer saw expanded goes where the other operand has the sizes; an expansion that a program asks for stays, and one that decides the sizes.
// RUN: sconce-opt %s --remove-expands | FileCheck %s

// CHECK-LABEL: func.func @traced
// CHECK-NOT: torch.aten.expand
// CHECK: torch.aten.add.Tensor %arg0, %arg1, %{{.*}} : !torch.tensor<[2,3],f32>, !torch.tensor<[3],f32>
func.func @traced(%x: !torch.tensor<[2,3],f32>, %y: !torch.tensor<[3],f32>) -> !torch.tensor<[2,3],f32> {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %three = torch.constant.int 3
  %true = torch.constant.bool true
  %sizes = torch.prim.ListConstruct %two, %three : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.expand %y, %sizes, %true : !torch.tensor<[3],f32>, !torch.list<int>, !torch.bool -> !torch.tensor<[2,3],f32>
  %1 = torch.aten.add.Tensor %x, %0, %one : !torch.tensor<[2,3],f32>, !torch.tensor<[2,3],f32>, !torch.int -> !torch.tensor<[2,3],f32>
  return %1 : !torch.tensor<[2,3],f32>
}

// CHECK-LABEL: func.func @asked_for
// CHECK: torch.aten.expand
// CHECK: torch.aten.expand
func.func @asked_for(%x: !torch.tensor, %y: !torch.tensor) -> !torch.tensor {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  %sizes = torch.prim.ListConstruct %two, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.expand %y, %sizes, %false : !torch.tensor, !torch.list<int>, !torch.bool -> !torch.tensor
  %1 = torch.aten.expand %0, %sizes, %true : !torch.tensor, !torch.list<int>, !torch.bool -> !torch.tensor
  %2 = torch.aten.add.Tensor %x, %1, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
  return %2 : !torch.tensor
}
