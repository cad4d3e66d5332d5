// Loops that lead through memory one after the other become one; a loop of one iteration goes with any.
// RUN: sconce-opt %s --sconce-collapse-loops | FileCheck %s

// CHECK-DAG: #[[WHOLE:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[CHANNEL:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0) -> (d0)>

#x = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>

// CHECK-LABEL: func.func @channels
// CHECK: memref.collapse_shape %arg0 {{\[\[}}0, 1], [2, 3]] : memref<1x64x7x7xf32> into memref<64x49xf32>
// CHECK: linalg.generic {indexing_maps = [#[[WHOLE]], #[[CHANNEL]], #[[WHOLE]]], iterator_types = ["parallel", "parallel"]}
func.func @channels(%x: memref<1x64x7x7xf32>, %b: memref<64x1x1xf32>, %y: memref<1x64x7x7xf32>) {
  linalg.generic {indexing_maps = [#x, #c, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %b : memref<1x64x7x7xf32>, memref<64x1x1xf32>) outs(%y : memref<1x64x7x7xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.addf %a, %s : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @all
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ALL]]], iterator_types = ["parallel"]} ins(%{{.*}} : memref<3136xf32>)
func.func @all(%x: memref<1x64x7x7xf32>, %y: memref<1x64x7x7xf32>) {
  linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : memref<1x64x7x7xf32>) outs(%y : memref<1x64x7x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}

// Rows with gaps between them stay rows; who counts them counts loops.
// CHECK-LABEL: func.func @gaps
// CHECK: linalg.generic {indexing_maps = [#[[WHOLE]], #[[WHOLE]]]
// CHECK: linalg.generic
// CHECK: linalg.index 1
func.func @gaps(%x: memref<8x7xf32, strided<[9, 1]>>, %y: memref<8x7xf32>, %z: memref<8x7xi64>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x7xf32, strided<[9, 1]>>) outs(%y : memref<8x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%z : memref<8x7xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 1 : index
    %0 = arith.index_cast %i : index to i64
    linalg.yield %0 : i64
  }
  return
}

// CHECK-LABEL: func.func @fills
// CHECK: linalg.fill ins(%arg1 : f32) outs(%{{.*}} : memref<56xf32>)
func.func @fills(%x: memref<8x7xf32>, %v: f32) {
  linalg.fill ins(%v : f32) outs(%x : memref<8x7xf32>)
  return
}
