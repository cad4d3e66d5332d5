// What is computed of joined tensors is computed of each of them, where its part of the result lies.
// RUN: sconce-opt %s --split-input-file --sconce-split-concats --canonicalize --cse | FileCheck %s

#x = affine_map<(d0, d1) -> (d0, d1)>
#scale = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: func.func @scaled
// CHECK: %[[OUT:.*]] = tensor.empty() : tensor<8x5xf32>
// CHECK: %[[S0:.*]] = tensor.extract_slice %arg2[0, 0] [3, 1] [1, 1]
// CHECK: %[[D0:.*]] = tensor.extract_slice %[[OUT]][0, 0] [3, 5] [1, 1]
// CHECK: %[[R0:.*]] = linalg.generic {{.*}} ins(%arg0, %[[S0]] : tensor<3x5xf32>, tensor<3x1xf32>) outs(%[[D0]]
// CHECK: %[[I0:.*]] = tensor.insert_slice %[[R0]] into %[[OUT]][0, 0] [3, 5] [1, 1]
// CHECK: %[[D1:.*]] = tensor.extract_slice %[[I0]][3, 0] [5, 5] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%arg1, %{{.*}} : tensor<5x5xf32>, tensor<5x1xf32>) outs(%[[D1]]
// CHECK: tensor.insert_slice %{{.*}} into %[[I0]][3, 0] [5, 5] [1, 1]
// CHECK-NOT: tensor.insert_slice
func.func @scaled(%a: tensor<3x5xf32>, %b: tensor<5x5xf32>, %s: tensor<8x1xf32>) -> tensor<8x5xf32> {
  %0 = tensor.empty() : tensor<8x5xf32>
  %1 = tensor.insert_slice %a into %0[0, 0] [3, 5] [1, 1] : tensor<3x5xf32> into tensor<8x5xf32>
  %2 = tensor.insert_slice %b into %1[3, 0] [5, 5] [1, 1] : tensor<5x5xf32> into tensor<8x5xf32>
  %3 = tensor.empty() : tensor<8x5xf32>
  %4 = linalg.generic {indexing_maps = [#x, #scale, #x], iterator_types = ["parallel", "parallel"]} ins(%2, %s : tensor<8x5xf32>, tensor<8x1xf32>) outs(%3 : tensor<8x5xf32>) {
  ^bb0(%v: f32, %k: f32, %out: f32):
    %5 = arith.mulf %v, %k : f32
    linalg.yield %5 : f32
  } -> tensor<8x5xf32>
  return %4 : tensor<8x5xf32>
}

// -----

#x = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// Two that are joined alike, one of them turned: neither is joined.
// CHECK-LABEL: func.func @both
// CHECK-NOT: tensor.insert_slice %arg
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg2 :
// CHECK-NOT: tensor.insert_slice %arg
// CHECK: linalg.generic {{.*}} ins(%arg1, %arg3 :
// CHECK-NOT: tensor.insert_slice %arg
// CHECK: return
func.func @both(%a: tensor<5x3xf32>, %b: tensor<5x5xf32>, %c: tensor<3x5xf32>, %d: tensor<5x5xf32>) -> tensor<5x8xf32> {
  %0 = tensor.empty() : tensor<5x8xf32>
  %1 = tensor.insert_slice %a into %0[0, 0] [5, 3] [1, 1] : tensor<5x3xf32> into tensor<5x8xf32>
  %2 = tensor.insert_slice %b into %1[0, 3] [5, 5] [1, 1] : tensor<5x5xf32> into tensor<5x8xf32>
  %3 = tensor.empty() : tensor<8x5xf32>
  %4 = tensor.insert_slice %c into %3[0, 0] [3, 5] [1, 1] : tensor<3x5xf32> into tensor<8x5xf32>
  %5 = tensor.insert_slice %d into %4[3, 0] [5, 5] [1, 1] : tensor<5x5xf32> into tensor<8x5xf32>
  %6 = linalg.generic {indexing_maps = [#x, #turned, #x], iterator_types = ["parallel", "parallel"]} ins(%2, %5 : tensor<5x8xf32>, tensor<8x5xf32>) outs(%0 : tensor<5x8xf32>) {
  ^bb0(%v: f32, %k: f32, %out: f32):
    %7 = arith.addf %v, %k : f32
    linalg.yield %7 : f32
  } -> tensor<5x8xf32>
  return %6 : tensor<5x8xf32>
}

// -----

#x = affine_map<(d0, d1) -> (d0, d1)>

// Something is left of what they are joined into, and what is computed asks for its place.
// CHECK-LABEL: func.func @not_all
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @by_place
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @not_all(%a: tensor<3x5xf32>, %b: tensor<4x5xf32>) -> tensor<8x5xf32> {
  %0 = tensor.empty() : tensor<8x5xf32>
  %1 = tensor.insert_slice %a into %0[0, 0] [3, 5] [1, 1] : tensor<3x5xf32> into tensor<8x5xf32>
  %2 = tensor.insert_slice %b into %1[3, 0] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<8x5xf32>
  %3 = tensor.empty() : tensor<8x5xf32>
  %4 = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x5xf32>) outs(%3 : tensor<8x5xf32>) {
  ^bb0(%v: f32, %out: f32):
    %5 = arith.negf %v : f32
    linalg.yield %5 : f32
  } -> tensor<8x5xf32>
  return %4 : tensor<8x5xf32>
}
func.func @by_place(%a: tensor<3x5xi64>, %b: tensor<5x5xi64>) -> tensor<8x5xi64> {
  %0 = tensor.empty() : tensor<8x5xi64>
  %1 = tensor.insert_slice %a into %0[0, 0] [3, 5] [1, 1] : tensor<3x5xi64> into tensor<8x5xi64>
  %2 = tensor.insert_slice %b into %1[3, 0] [5, 5] [1, 1] : tensor<5x5xi64> into tensor<8x5xi64>
  %3 = tensor.empty() : tensor<8x5xi64>
  %4 = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x5xi64>) outs(%3 : tensor<8x5xi64>) {
  ^bb0(%v: i64, %out: i64):
    %5 = linalg.index 0 : index
    %6 = arith.index_cast %5 : index to i64
    %7 = arith.addi %v, %6 : i64
    linalg.yield %7 : i64
  } -> tensor<8x5xi64>
  return %4 : tensor<8x5xi64>
}
