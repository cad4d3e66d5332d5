// A function takes a buffer for the tensor that it gives.
// RUN: sconce-opt %s --sconce-destinations | FileCheck %s

// CHECK: func.func @f(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
// CHECK: %[[X:.*]] = bufferization.to_tensor %arg0
// CHECK: %[[R:.*]] = linalg.exp ins(%[[X]]
// CHECK: bufferization.materialize_in_destination %[[R]] in restrict writable %arg1
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
