// Parts that are computed, and what is computed of joined tensors, are written where they lie in the caller's buffer: nothing is copied, and nothing allocated.
// RUN: sconce-opt %s --sconce-fuse --sconce-bufferize | FileCheck %s

#x = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @parts
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: %[[FIRST:.*]] = memref.subview %arg2[0, 0] [3, 5] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%[[FIRST]]
// CHECK: %[[SECOND:.*]] = memref.subview %arg2[3, 0] [5, 5] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%[[SECOND]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @parts(%a: tensor<3x5xf32>, %b: tensor<5x5xf32>) -> tensor<8x5xf32> {
  %0 = tensor.empty() : tensor<8x5xf32>
  %1 = tensor.insert_slice %a into %0[0, 0] [3, 5] [1, 1] : tensor<3x5xf32> into tensor<8x5xf32>
  %2 = tensor.insert_slice %b into %1[3, 0] [5, 5] [1, 1] : tensor<5x5xf32> into tensor<8x5xf32>
  %3 = tensor.empty() : tensor<8x5xf32>
  %4 = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x5xf32>) outs(%3 : tensor<8x5xf32>) {
  ^bb0(%v: f32, %out: f32):
    %5 = arith.negf %v : f32
    linalg.yield %5 : f32
  } -> tensor<8x5xf32>
  return %4 : tensor<8x5xf32>
}

// One tensor that is two results is computed once, and copied.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: memref.copy
// CHECK: return
func.func @twice(%a: tensor<3x5xf32>, %b: tensor<5x5xf32>) -> (tensor<8x5xf32>, tensor<8x5xf32>) {
  %0 = tensor.empty() : tensor<8x5xf32>
  %1 = tensor.insert_slice %a into %0[0, 0] [3, 5] [1, 1] : tensor<3x5xf32> into tensor<8x5xf32>
  %2 = tensor.insert_slice %b into %1[3, 0] [5, 5] [1, 1] : tensor<5x5xf32> into tensor<8x5xf32>
  %3 = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x5xf32>) outs(%0 : tensor<8x5xf32>) {
  ^bb0(%v: f32, %out: f32):
    %4 = arith.negf %v : f32
    linalg.yield %4 : f32
  } -> tensor<8x5xf32>
  return %3, %3 : tensor<8x5xf32>, tensor<8x5xf32>
}
