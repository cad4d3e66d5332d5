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
