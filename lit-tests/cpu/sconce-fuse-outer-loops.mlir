// Operations that share their outer loops run one after the other for each part; what passes between them is as large as a part, and made by each piece of
// consecutive parts, which threads share.
// RUN: sconce-opt %s --sconce-fuse-outer-loops | FileCheck %s

#row = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0, d1) -> (d0)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @rows
// CHECK: scf.parallel (%[[FIRST:.*]]) = (%{{.*}}) to (%c64) step (%c16)
// CHECK: %[[PART:.*]] = memref.alloc() : memref<1x512xf32>
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %{{.*}} : index
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %[[END]]
// CHECK: memref.subview %arg0[%[[I]], 0] [1, 512]
// CHECK: linalg.generic {{.*}} outs(%[[PART]]
// CHECK: memref.subview %arg1[%[[I]]] [1]
// CHECK: linalg.generic {{.*}} ins(%[[PART]]
// CHECK: memref.dealloc %[[PART]]
// CHECK-NOT: memref<64x512xf32>
func.func @rows(%x: memref<64x512xf32>, %y: memref<64xf32>) {
  %t = memref.alloc() : memref<64x512xf32>
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x512xf32>) outs(%t : memref<64x512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%t : memref<64x512xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %t : memref<64x512xf32>
  return
}

// The number of a row counts on.
// CHECK-LABEL: func.func @numbers
// CHECK: scf.for %[[I:.*]] =
// CHECK: linalg.generic
// CHECK: %[[INNER:.*]] = linalg.index 0
// CHECK: arith.addi %[[INNER]], %[[I]]
// CHECK: linalg.generic
func.func @numbers(%y: memref<64xi64>) {
  %t = memref.alloc() : memref<64x512xi64>
  linalg.generic {indexing_maps = [#row], iterator_types = ["parallel", "parallel"]} outs(%t : memref<64x512xi64>) {
  ^bb0(%b: i64):
    %i = linalg.index 0 : index
    %0 = arith.index_cast %i : index to i64
    linalg.yield %0 : i64
  }
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%t : memref<64x512xi64>) outs(%y : memref<64xi64>) {
  ^bb0(%a: i64, %b: i64):
    %0 = arith.addi %a, %b : i64
    linalg.yield %0 : i64
  }
  memref.dealloc %t : memref<64x512xi64>
  return
}

// Padding is filled once a piece: every part overwrites the same elements between it.
// CHECK-LABEL: func.func @padded
// CHECK: %[[PART:.*]] = memref.alloc() : memref<1x514xf32>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[PART]]
// CHECK: scf.for
// CHECK-NOT: linalg.fill
// CHECK: memref.subview %[[PART]][0, 1] [1, 512] [1, 1] : memref<1x514xf32> to memref<1x512xf32, strided<[514, 1], offset: 1>>
// CHECK: linalg.generic
// CHECK: linalg.fill
// CHECK: linalg.generic
func.func @padded(%x: memref<64x512xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<64x514xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<64x514xf32>)
  %inner = memref.subview %t[0, 1] [64, 512] [1, 1] : memref<64x514xf32> to memref<64x512xf32, strided<[514, 1], offset: 1>>
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x512xf32>) outs(%inner : memref<64x512xf32, strided<[514, 1], offset: 1>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%t : memref<64x514xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %b : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %t : memref<64x514xf32>
  return
}

// A part that needs what another part makes is none.
// CHECK-LABEL: func.func @turned
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @turned(%x: memref<512x512xf32>, %y: memref<512xf32>) {
  %t = memref.alloc() : memref<512x512xf32>
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : memref<512x512xf32>) outs(%t : memref<512x512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#turned, #one], iterator_types = ["parallel", "reduction"]} ins(%t : memref<512x512xf32>) outs(%y : memref<512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %t : memref<512x512xf32>
  return
}

// What fits the first cache as a whole stays as it is.
// CHECK-LABEL: func.func @small
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @small(%x: memref<4x200xf32>, %y: memref<4xf32>) {
  %t = memref.alloc() : memref<4x200xf32>
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x200xf32>) outs(%t : memref<4x200xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%t : memref<4x200xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %t : memref<4x200xf32>
  return
}

// Sizes that nothing can have are nobody's to multiply.
// CHECK-LABEL: func.func @huge
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @huge(%x: memref<4611686018427387904x512xf32>, %y: memref<4611686018427387904xf32>) {
  %t = memref.alloc() : memref<4611686018427387904x512xf32>
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4611686018427387904x512xf32>) outs(%t : memref<4611686018427387904x512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%t : memref<4611686018427387904x512xf32>) outs(%y : memref<4611686018427387904xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %t : memref<4611686018427387904x512xf32>
  return
}

// Sizes that are not known are asked for in front; a piece has about as much work as one of known rows.
// CHECK-LABEL: func.func @rows_of_any_size
// CHECK: %[[LENGTH:.*]] = memref.dim %arg0, %c1
// CHECK: %[[COUNT:.*]] = memref.dim %arg0
// CHECK: arith.divui %c16384
// CHECK: scf.parallel (%[[FIRST:.*]]) = (%{{.*}}) to (%[[COUNT]]) step (%[[STEP:.*]])
// CHECK: %[[PART:.*]] = memref.alloc(%[[LENGTH]]) : memref<1x?xf32>
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %[[STEP]] : index
// CHECK: %[[LAST:.*]] = arith.minsi %[[END]], %[[COUNT]] : index
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %[[LAST]]
// CHECK: memref.subview %arg0[%[[I]], 0] [1, %{{.*}}] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%[[PART]]
// CHECK: linalg.generic {{.*}} ins(%[[PART]]
// CHECK-NOT: memref<?x?xf32>
func.func @rows_of_any_size(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf32>
  %length = memref.dim %x, %c1 : memref<?x?xf32>
  %t = memref.alloc(%rows, %length) : memref<?x?xf32>
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : memref<?x?xf32>) outs(%t : memref<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%t : memref<?x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %t : memref<?x?xf32>
  return
}

// Numbers between operations are no obstacle, and a size that is found after the first of them is not asked for in front of it.
// CHECK-LABEL: func.func @numbers_between
// CHECK: %[[N:.*]] = arith.sitofp
// CHECK: %[[COUNT:.*]] = memref.dim %arg0
// CHECK: scf.parallel {{.*}} to (%[[COUNT]])
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: arith.divf %{{.*}}, %[[N]]
func.func @numbers_between(%x: memref<?x512xf32>, %y: memref<?x512xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %x, %c0 : memref<?x512xf32>
  %t = memref.alloc(%rows) : memref<?x512xf32>
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : memref<?x512xf32>) outs(%t : memref<?x512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  %later = arith.index_cast %n : index to i64
  %number = arith.sitofp %later : i64 to f32
  %u = memref.alloc(%n) : memref<?x512xf32>
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%t : memref<?x512xf32>) outs(%u : memref<?x512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.divf %a, %number : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%u : memref<?x512xf32>) outs(%y : memref<?x512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %t : memref<?x512xf32>
  memref.dealloc %u : memref<?x512xf32>
  return
}
