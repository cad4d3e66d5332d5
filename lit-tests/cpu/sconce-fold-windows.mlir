// Folds of windows read vectors along the last dimension; the places of a window are written out.
// RUN: sconce-opt %s --sconce-fold-windows | FileCheck %s

#x = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d3, d2 + d4)>
#x2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 * 2 + d3, d2 * 2 + d4)>
#w = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
#k = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
#y = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>

// What the result was filled with is where its sums start.
// CHECK-LABEL: func.func @channels
// CHECK-NOT: linalg.fill
// CHECK-NOT: linalg.generic
// CHECK: vector.broadcast %{{.*}} : f32 to vector
// CHECK-COUNT-9: math.fma
// CHECK: vector.store
func.func @channels(%x: memref<8x18x66xf32>, %w: memref<8x3x3xf32>, %y: memref<8x16x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8x16x64xf32>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<8x18x66xf32>, memref<8x3x3xf32>) outs(%y : memref<8x16x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = math.fma %a, %b, %c : f32
    linalg.yield %0 : f32
  }
  return
}

// Every other element is taken from two vectors; where the second would end beyond the row, a mask leaves out what lies there. Of the pool's second operand only
// the sizes are read.
// CHECK-LABEL: func.func @pool
// CHECK-NOT: linalg.generic
// CHECK: vector.deinterleave
// CHECK: arith.maximumf %{{.*}} : vector
// CHECK: vector.maskedload
// CHECK: vector.deinterleave
// CHECK: arith.maximumf %{{.*}} : vector
// CHECK: vector.maskedstore
// CHECK-NOT: memref.load
func.func @pool(%x: memref<8x32x64xf32>, %y: memref<8x16x32xf32>) {
  %k = memref.alloc() : memref<2x2xf32>
  linalg.generic {indexing_maps = [#x2, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %k : memref<8x32x64xf32>, memref<2x2xf32>) outs(%y : memref<8x16x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.maximumf %a, %c : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %k : memref<2x2xf32>
  return
}

// Sums of rows are no windows.
// CHECK-LABEL: func.func @rows
// CHECK: linalg.generic
func.func @rows(%x: memref<8x64xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x64xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.addf %a, %c : f32
    linalg.yield %0 : f32
  }
  return
}
