// Sums along short rows are made of several rows at once, whose vectors are folded together; what vectors leave of a row is one with a mask.
// RUN: sconce-opt %s --sconce-sum-rows | FileCheck %s

#x = affine_map<(d0, d1) -> (d0, d1)>
#k = affine_map<(d0, d1) -> (d1)>
#y = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @means
// CHECK-NOT: linalg
// CHECK: scf.parallel
// CHECK: scf.for
// CHECK: vector.load %arg0
// CHECK: vector.maskedload %arg0
// CHECK: vector.shuffle
// CHECK: vector.store
func.func @means(%x: memref<96x49xf32>, %y: memref<96xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<96xf32>)
  linalg.generic {indexing_maps = [#x, #y], iterator_types = ["parallel", "reduction"]} ins(%x : memref<96x49xf32>) outs(%y : memref<96xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.addf %a, %sum fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  return
}

// Long rows are read four at a time, and what is the same for them once; all sixteen are folded together. Without a fill the sums are added to what is there.
// CHECK-LABEL: func.func @vector
// CHECK-NOT: linalg
// CHECK: scf.parallel (%{{.*}}) = {{.*}} step (%c16)
// CHECK: scf.for
// CHECK-COUNT-4: vector.load %arg0
// CHECK: scf.for
// CHECK: vector.load %arg0
// CHECK: vector.load %arg1
// CHECK-COUNT-3: vector.load %arg0
// CHECK-NOT: vector.load %arg1
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: vector.load %arg2
func.func @vector(%w: memref<64x256xf32>, %v: memref<256xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "reduction"]} ins(%w, %v : memref<64x256xf32>, memref<256xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b fastmath<reassoc,contract> : f32
    %1 = arith.addf %sum, %0 fastmath<reassoc,contract> : f32
    linalg.yield %1 : f32
  }
  return
}

// Long rows, sums whose order matters, and extremes stay.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-3: linalg.generic
func.func @stay(%x: memref<64x4096xf32>, %s: memref<64x49xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [#x, #y], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x4096xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.addf %a, %sum fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#x, #y], iterator_types = ["parallel", "reduction"]} ins(%s : memref<64x49xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.addf %a, %sum : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#x, #y], iterator_types = ["parallel", "reduction"]} ins(%s : memref<64x49xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.maximumf %a, %sum : f32
    linalg.yield %0 : f32
  }
  return
}
