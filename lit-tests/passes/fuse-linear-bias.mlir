// A bias that is added in place joins the layer where it is known to be a vector of the product's dtype, and stays an addition where it may be more.
// RUN: sconce-opt %s --fuse-linear | FileCheck %s

// CHECK-LABEL: func.func @vector
// CHECK: torch.aten.linear %arg0, %arg1, %arg2
// CHECK-NOT: torch.aten.add_
func.func @vector(%x: !torch.tensor<[2,3],f32>, %w: !torch.tensor<[4,3],f32>, %b: !torch.tensor<[4],f32>) -> !torch.tensor<[2,4],f32> {
  %one = torch.constant.int 1
  %0 = torch.aten.t %w : !torch.tensor<[4,3],f32> -> !torch.tensor<[3,4],f32>
  %1 = torch.aten.matmul %x, %0 : !torch.tensor<[2,3],f32>, !torch.tensor<[3,4],f32> -> !torch.tensor<[2,4],f32>
  %2 = torch.aten.add_.Tensor %1, %b, %one : !torch.tensor<[2,4],f32>, !torch.tensor<[4],f32>, !torch.int -> !torch.tensor<[2,4],f32>
  return %2 : !torch.tensor<[2,4],f32>
}

// CHECK-LABEL: func.func @unknown
// CHECK: %[[NONE:.*]] = torch.constant.none
// CHECK: torch.aten.linear %arg0, %arg1
// CHECK: torch.aten.add_
func.func @unknown(%x: !torch.tensor, %w: !torch.tensor, %b: !torch.tensor) -> !torch.tensor {
  %one = torch.constant.int 1
  %0 = torch.aten.t %w : !torch.tensor -> !torch.tensor
  %1 = torch.aten.matmul %x, %0 : !torch.tensor, !torch.tensor -> !torch.tensor
  %2 = torch.aten.add_.Tensor %1, %b, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
  return %2 : !torch.tensor
}
