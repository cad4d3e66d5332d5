// A product of matrices is a nest of loops over tiles that fit registers; threads share the columns.
// RUN: sconce-opt %s --sconce-contraction | FileCheck %s

// CHECK-NOT: linalg.matmul
// CHECK: scf.parallel
// CHECK: scf.for
// CHECK: vector.
func.func @f(%a: memref<8x16xf32>, %b: memref<16x32xf32>, %c: memref<8x32xf32>) {
  linalg.matmul ins(%a, %b : memref<8x16xf32>, memref<16x32xf32>) outs(%c : memref<8x32xf32>)
  return
}

// A transposed left side is read by columns; many rows have columns of the right side copied together, which threads do for themselves.
// CHECK-LABEL: func.func @turned
// CHECK-NOT: linalg.matmul
// CHECK: scf.parallel
// CHECK: %[[STRIP:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64x{{[0-9]+}}xf32>
// CHECK: vector.store %{{.*}}, %[[STRIP]]
// CHECK: vector.load %[[STRIP]]
// CHECK: memref.load %arg0[%[[P:.*]], %{{.*}}] : memref<64x96xf32>
// CHECK: memref.dealloc %[[STRIP]]
func.func @turned(%a: memref<64x96xf32>, %b: memref<64x128xf32>, %c: memref<96x128xf32>) {
  linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b : memref<64x96xf32>, memref<64x128xf32>) outs(%c : memref<96x128xf32>)
  return
}

// So is a transposed right side, where there are enough rows; fewer are dot products.
// CHECK-LABEL: func.func @right
// CHECK: memref.alloc() {alignment = 64 : i64}
// CHECK: memref.store
// CHECK: arith.mulf {{.*}} : vector
// CHECK-LABEL: func.func @dots
// CHECK-NOT: memref.alloc()
// The sums of a row of a tile are folded together, and no mask is needed where vectors fill k.
// CHECK-NOT: vector.maskedload
// CHECK: vector.shuffle
// CHECK: %[[OLD:.*]] = vector.load %arg2[%[[I:.*]], %[[J:.*]]] : memref<8x128xf32>, vector<[[C:[0-9]+]]xf32>
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}} : vector<[[C]]xf32>
// CHECK-NEXT: vector.store %[[NEW]], %arg2[%[[I]], %[[J]]]
// CHECK-LABEL: func.func @part
// CHECK: vector.maskedload
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#bt = affine_map<(d0, d1, d2) -> (d1, d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @right(%a: memref<96x64xf32>, %b: memref<128x64xf32>, %c: memref<96x128xf32>) {
  linalg.matmul indexing_maps = [#a, #bt, #c] ins(%a, %b : memref<96x64xf32>, memref<128x64xf32>) outs(%c : memref<96x128xf32>)
  return
}
func.func @dots(%a: memref<8x64xf32>, %b: memref<128x64xf32>, %c: memref<8x128xf32>) {
  linalg.matmul indexing_maps = [#a, #bt, #c] ins(%a, %b : memref<8x64xf32>, memref<128x64xf32>) outs(%c : memref<8x128xf32>)
  return
}
func.func @part(%a: memref<8x70xf32>, %b: memref<128x70xf32>, %c: memref<8x128xf32>) {
  linalg.matmul indexing_maps = [#a, #bt, #c] ins(%a, %b : memref<8x70xf32>, memref<128x70xf32>) outs(%c : memref<8x128xf32>)
  return
}

// What was a product before reshapes were fused into it is one still: other loops run around it.
// CHECK-LABEL: func.func @heads
// CHECK-NOT: linalg.generic
// CHECK: scf.for %[[HEAD:.*]] =
// CHECK: memref.subview %arg0[%{{.*}}, %[[HEAD]], 0, 0] [1, 1, 197, 64]
// CHECK: memref.subview %arg1[0, %[[HEAD]], 0] [192, 1, 64]
// CHECK: vector.load
func.func @heads(%a: memref<1x3x197x64xf32>, %b: memref<192x3x64xf32>, %c: memref<1x197x192xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%a, %b : memref<1x3x197x64xf32>, memref<192x3x64xf32>) outs(%c : memref<1x197x192xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y fastmath<reassoc,contract> : f32
    %1 = arith.addf %sum, %0 fastmath<reassoc,contract> : f32
    linalg.yield %1 : f32
  }
  return
}

// Sums whose order matters stay as they are.
// CHECK-LABEL: func.func @exact
// CHECK: linalg.generic
func.func @exact(%a: memref<8x16xf32>, %b: memref<16x32xf32>, %c: memref<8x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<8x16xf32>, memref<16x32xf32>) outs(%c : memref<8x32xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
