// Parallel loops with much work become functions of a range of iterations; the others stay, and so does what cannot be given to a function.
// RUN: sconce-opt %s --sconce-outline-parallel-loops | FileCheck %s

// CHECK-LABEL: func.func private @elements_part0(
// CHECK-SAME: %[[FROM:.*]]: index, %[[TO:.*]]: index, %[[Y:.*]]: memref<400x400xf32>, %[[X:.*]]: memref<400x400xf32>) attributes {sconce.grain = {{[0-9]+}} : i64}
// What reads a buffer otherwise is made again, so that no two arguments are the same memory.
// CHECK: %[[VIEW:.*]] = memref.collapse_shape %[[X]]
// CHECK: scf.for %[[I:.*]] = %[[FROM]] to %[[TO]]
// CHECK: memref.load %[[VIEW]][%[[I]]]
// CHECK-LABEL: func.func @elements
// CHECK: call @elements_part0(%{{.*}}, %c160000{{.*}}, %arg1, %arg0)
// CHECK-NOT: scf.parallel
func.func @elements(%x: memref<400x400xf32>, %y: memref<400x400xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 160000 : index
  %b = memref.collapse_shape %y [[0, 1]] : memref<400x400xf32> into memref<160000xf32>
  %a = memref.collapse_shape %x [[0, 1]] : memref<400x400xf32> into memref<160000xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %old = memref.load %b[%i] : memref<160000xf32>
    %v = memref.load %a[%i] : memref<160000xf32>
    %w = arith.addf %v, %old : f32
    memref.store %w, %b[%i] : memref<160000xf32>
  }
  return
}

// Outer loops are shared together, as many as give threads enough of about the same; the innermost one leads through memory.
// CHECK-LABEL: func.func private @nested_part0
// CHECK: scf.for %[[I:.*]] = %arg0 to %arg1
// CHECK: %[[ROW:.*]] = arith.remui %[[I]], %{{.*}}
// CHECK: %[[IMAGE:.*]] = arith.divui %[[I]], %{{.*}}
// CHECK: arith.muli %[[ROW]], %{{.*}}
// CHECK: scf.for
// CHECK-LABEL: func.func @nested
// CHECK: call @nested_part0(%{{.*}}, %{{.*}}, %arg0)
func.func @nested(%x: memref<4x64x999xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 999 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c64) step (%c1, %c2) {
    %from = arith.constant 0 : index
    scf.parallel (%k) = (%from) to (%n) step (%c1) {
      %v = memref.load %x[%i, %j, %k] : memref<4x64x999xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %x[%i, %j, %k] : memref<4x64x999xf32>
    }
  }
  return
}

// Outer loops of few iterations are shared with blocks of the innermost one, which stays one that leads through memory.
// CHECK-LABEL: func.func private @few_rows_part0
// CHECK: scf.for %[[I:.*]] = %arg0 to %arg1
// CHECK: %[[BLOCK:.*]] = arith.remui %[[I]], %{{.*}}
// CHECK: %[[ROW:.*]] = arith.divui %[[I]], %{{.*}}
// CHECK: %[[FROM:.*]] = arith.muli %[[BLOCK]], %{{c256.*}}
// CHECK: %[[TO:.*]] = arith.minsi %{{.*}}, %{{.*}}
// CHECK: scf.for %[[J:.*]] = %[[FROM]] to %[[TO]]
// CHECK: memref.load %{{.*}}[%[[ROW]], %[[J]]]
// CHECK-LABEL: func.func @few_rows
// CHECK: call @few_rows_part0(
func.func @few_rows(%x: memref<4x1000xf32, strided<[2000, 1]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 1000 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %n) step (%c1, %c1) {
    %v = memref.load %x[%i, %j] : memref<4x1000xf32, strided<[2000, 1]>>
    %a = math.exp %v : f32
    %b = math.exp %a : f32
    %c = math.exp %b : f32
    %d = math.exp %c : f32
    %e = math.exp %d : f32
    %f = math.exp %e : f32
    %g = math.exp %f : f32
    %h = math.exp %g : f32
    %k = math.exp %h : f32
    %l = math.exp %k : f32
    %m = math.exp %l : f32
    %o = math.exp %m : f32
    %p = math.exp %o : f32
    %q = math.exp %p : f32
    memref.store %q, %x[%i, %j] : memref<4x1000xf32, strided<[2000, 1]>>
  }
  return
}

// CHECK-LABEL: func.func private @unknown_part0
// CHECK-LABEL: func.func @unknown
// CHECK: %[[LENGTH:.*]] = arith.subi %[[N:.*]], %
// CHECK: call @unknown_part0(
func.func @unknown(%x: memref<?x512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %n = memref.dim %x, %c0 : memref<?x512xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c512) step (%c1, %c1) {
    %v = memref.load %x[%i, %j] : memref<?x512xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i, %j] : memref<?x512xf32>
  }
  return
}

// CHECK-LABEL: func.func @little
// CHECK: scf.parallel
func.func @little(%x: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 512 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %x[%i] : memref<512xf32>
    memref.store %v, %x[%i] : memref<512xf32>
  }
  return
}

// A buffer that may be another one's memory cannot be given.
// CHECK-LABEL: func.func @which
// CHECK: scf.parallel
func.func @which(%x: memref<160000xf32>, %y: memref<160000xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 160000 : index
  %z = arith.select %c, %x, %y : memref<160000xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %x[%i] : memref<160000xf32>
    memref.store %v, %z[%i] : memref<160000xf32>
  }
  return
}
