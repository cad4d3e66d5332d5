// While a row is computed with, the next one comes: in front of the second loop that reads it. A row that is read once, one that other elements follow, and a
// short one are left to the processor.
// RUN: sconce-opt %s --sconce-prefetch-rows | FileCheck %s

// CHECK-LABEL: func.func @twice
// CHECK: scf.for %[[I:.*]] = %arg0 to %arg1
// CHECK: %[[ROW:.*]] = memref.subview %arg2[%[[I]], 0] [1, 512] [1, 1]
// CHECK: scf.for
// CHECK:   memref.load
// CHECK: %[[BEHIND:.*]] = arith.constant 512 : index
// CHECK: %[[END:.*]] = arith.constant 1024 : index
// CHECK: %[[LINE:.*]] = arith.constant 16 : index
// CHECK: scf.for %[[AT:.*]] = %[[BEHIND]] to %[[END]] step %[[LINE]]
// CHECK-NEXT: memref.prefetch %[[ROW]][%{{.*}}, %[[AT]]], read, locality<3>, data
// CHECK: scf.for
// CHECK:   memref.load
// CHECK-NOT: memref.prefetch
func.func @twice(%from: index, %to: index, %x: memref<?x512xf32>, %y: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  scf.for %i = %from to %to step %c1 {
    %row = memref.subview %x[%i, 0] [1, 512] [1, 1] : memref<?x512xf32> to memref<1x512xf32, strided<[512, 1], offset: ?>>
    scf.for %j = %c0 to %c512 step %c1 {
      %v = memref.load %row[%c0, %j] : memref<1x512xf32, strided<[512, 1], offset: ?>>
      memref.store %v, %y[%c0] : memref<512xf32>
    }
    %again = memref.subview %x[%i, 0] [1, 512] [1, 1] : memref<?x512xf32> to memref<1x512xf32, strided<[512, 1], offset: ?>>
    scf.for %j = %c0 to %c512 step %c1 {
      %v = memref.load %again[%c0, %j] : memref<1x512xf32, strided<[512, 1], offset: ?>>
      memref.store %v, %y[%j] : memref<512xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @left
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @left(%from: index, %to: index, %x: memref<?x512xf32>, %z: memref<?x1024xf32>, %short: memref<?x16xf32>, %y: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  scf.for %i = %from to %to step %c1 {
    %once = memref.subview %x[%i, 0] [1, 512] [1, 1] : memref<?x512xf32> to memref<1x512xf32, strided<[512, 1], offset: ?>>
    scf.for %j = %c0 to %c512 step %c1 {
      %v = memref.load %once[%c0, %j] : memref<1x512xf32, strided<[512, 1], offset: ?>>
      memref.store %v, %y[%j] : memref<512xf32>
    }
    %half = memref.subview %z[%i, 0] [1, 512] [1, 1] : memref<?x1024xf32> to memref<1x512xf32, strided<[1024, 1], offset: ?>>
    %little = memref.subview %short[%i, 0] [1, 16] [1, 1] : memref<?x16xf32> to memref<1x16xf32, strided<[16, 1], offset: ?>>
    scf.for %j = %c0 to %c16 step %c1 {
      %v = memref.load %half[%c0, %j] : memref<1x512xf32, strided<[1024, 1], offset: ?>>
      %w = memref.load %little[%c0, %j] : memref<1x16xf32, strided<[16, 1], offset: ?>>
      %s = arith.addf %v, %w : f32
      memref.store %s, %y[%j] : memref<512xf32>
    }
    scf.for %j = %c0 to %c16 step %c1 {
      %v = memref.load %half[%c0, %j] : memref<1x512xf32, strided<[1024, 1], offset: ?>>
      %w = memref.load %little[%c0, %j] : memref<1x16xf32, strided<[16, 1], offset: ?>>
      %s = arith.addf %v, %w : f32
      memref.store %s, %y[%j] : memref<512xf32>
    }
  }
  return
}
