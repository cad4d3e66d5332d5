// The exponential of an f32 is arithmetic without branches; that of an f64 stays.
// RUN: sconce-opt %s --sconce-expand-math | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NOT: math.exp
// CHECK: arith.mulf {{.*}} fastmath<contract>
// CHECK-LABEL: func.func @wide(
// CHECK: math.exp
func.func @f(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

func.func @wide(%x: f64) -> f64 {
  %y = math.exp %x : f64
  return %y : f64
}
