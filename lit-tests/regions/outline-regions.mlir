// What can be compiled goes into a region of values; a region of fewer operations than are asked for is none.
// RUN: sconce-opt %s --outline-regions | FileCheck %s
// RUN: sconce-opt %s --outline-regions=min-ops=3 | FileCheck %s --check-prefix=FEW

// CHECK: %[[X:.*]] = torch.copy.to_vtensor %arg0
// CHECK: sconce.region "f.r0"(%[[X]], %{{.*}})
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.relu
// CHECK: sconce.yield
// CHECK: torch.copy.to_tensor
// FEW-NOT: sconce.region
func.func @f(%x: !torch.tensor<[2,3],f32>, %y: !torch.tensor<[2,3],f32>) -> !torch.tensor<[2,3],f32> {
  %one = torch.constant.int 1
  %1 = torch.aten.add.Tensor %x, %y, %one : !torch.tensor<[2,3],f32>, !torch.tensor<[2,3],f32>, !torch.int -> !torch.tensor<[2,3],f32>
  %2 = torch.aten.relu %1 : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  return %2 : !torch.tensor<[2,3],f32>
}
