// What is computed of one side of a product is computed once, and not for each row or column of the other side.
// RUN: sconce-opt %s --sconce-separate-factors | FileCheck %s

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#scale = affine_map<(d0, d1, d2) -> (d2)>
#b = affine_map<(d0, d1, d2) -> (d1, d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func.func @normalised
// CHECK: %[[LEFT:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16xf32>)
// CHECK: math.sqrt
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[LEFT]], %arg2 : tensor<8x16xf32>, tensor<32x16xf32>)
// CHECK-NOT: math.sqrt
// CHECK: return
func.func @normalised(%x: tensor<8x16xf32>, %s: tensor<16xf32>, %w: tensor<32x16xf32>, %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #scale, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %s, %w : tensor<8x16xf32>, tensor<16xf32>, tensor<32x16xf32>) outs(%c : tensor<8x32xf32>) {
  ^bb0(%v: f32, %k: f32, %y: f32, %sum: f32):
    %1 = math.sqrt %k : f32
    %2 = arith.divf %v, %1 : f32
    %3 = arith.mulf %2, %y fastmath<reassoc,contract> : f32
    %4 = arith.addf %sum, %3 fastmath<reassoc,contract> : f32
    linalg.yield %4 : f32
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// A factor that is another one for each step stays.
// CHECK-LABEL: func.func @of_all
// CHECK-COUNT-1: linalg.generic
// CHECK: return
func.func @of_all(%x: tensor<8x16xf32>, %w: tensor<32x16xf32>, %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x16xf32>, tensor<32x16xf32>) outs(%c : tensor<8x32xf32>) {
  ^bb0(%v: f32, %y: f32, %sum: f32):
    %1 = arith.subf %v, %y : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
