// A copy of what has gaps in memory becomes a loop nest; with `all` every copy does.
// RUN: sconce-opt %s --sconce-copies-to-loops | FileCheck %s
// RUN: sconce-opt %s --sconce-copies-to-loops=all=1 | FileCheck %s --check-prefix=ALL

// CHECK: linalg.generic {{.*}} ins(%arg0
// CHECK: memref.copy %arg1, %arg2
// ALL-COUNT-2: linalg.generic
// ALL-NOT: memref.copy
func.func @f(%x: memref<4x4xf32, strided<[8, 1]>>, %y: memref<4x4xf32>, %z: memref<4x4xf32>) {
  memref.copy %x, %y : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32>
  memref.copy %y, %z : memref<4x4xf32> to memref<4x4xf32>
  return
}
