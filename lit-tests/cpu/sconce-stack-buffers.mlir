// A small buffer that each turn takes and gives back is one on the stack, in front of the loop. One that is taken once, one that is large, one of unknown size, and
// one that each iteration of a shared loop has stay as they are.
// RUN: sconce-opt %s --sconce-stack-buffers | FileCheck %s

// CHECK-LABEL: func.func @turns
// CHECK-NEXT: %[[S:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK: memref.alloc() : memref<8xf32>
// CHECK: scf.while
// CHECK-NOT: memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK: memref.store %{{.*}}, %[[S]]
// CHECK: memref.alloc() : memref<2048xf32>
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: scf.parallel
// CHECK: memref.alloc() : memref<2xf32>
// CHECK-NOT: memref.dealloc %[[S]]
func.func @turns(%more: i1, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %once = memref.alloc() : memref<8xf32>
  %r = scf.while (%a = %more) : (i1) -> i1 {
    scf.condition(%a) %a : i1
  } do {
  ^bb0(%a: i1):
    %small = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    memref.store %x, %small[%c0] : memref<4xf32>
    %large = memref.alloc() : memref<2048xf32>
    memref.store %x, %large[%c0] : memref<2048xf32>
    %unknown = memref.alloc(%n) : memref<?xf32>
    memref.store %x, %unknown[%c0] : memref<?xf32>
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      %own = memref.alloc() : memref<2xf32>
      memref.store %x, %own[%c0] : memref<2xf32>
      memref.dealloc %own : memref<2xf32>
      scf.reduce
    }
    memref.dealloc %small : memref<4xf32>
    memref.dealloc %large : memref<2048xf32>
    memref.dealloc %unknown : memref<?xf32>
    scf.yield %a : i1
  }
  memref.dealloc %once : memref<8xf32>
  return
}
