// A parallel loop is a launch of as many threads as it has turns.
// RUN: sconce-opt %s --sconce-gpu-launches | FileCheck %s

// CHECK: gpu.launch blocks
// CHECK: memref.load %arg0
// CHECK: memref.store {{.*}}, %arg1
// CHECK: gpu.terminator
// CHECK-NOT: scf.parallel
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %x[%i] : memref<64xf32>
    memref.store %v, %y[%i] : memref<64xf32>
    scf.reduce
  }
  return
}
