// A pointwise operator is a linalg.generic with the operator's expression in it.
// RUN: sconce-opt %s --convert-torch-to-linalg | FileCheck %s

// CHECK: func.func @f(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[OUT:.*]] = tensor.empty() : tensor<2x3xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<2x3xf32>) outs(%[[OUT]] : tensor<2x3xf32>)
// CHECK: arith.select
func.func @f(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %1 = torch.aten.relu %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  return %1 : !torch.vtensor<[2,3],f32>
}
