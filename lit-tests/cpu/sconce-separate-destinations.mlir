// Two that write into one empty tensor get one each.
// RUN: sconce-opt %s --sconce-separate-destinations | FileCheck %s

// CHECK: %[[A:.*]] = tensor.empty()
// CHECK: %[[B:.*]] = tensor.empty()
// CHECK: linalg.exp {{.*}} outs(%[[B]]
// CHECK: linalg.log {{.*}} outs(%[[A]]
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.log ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
