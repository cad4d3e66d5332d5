// The exponential of an f32 is arithmetic without branches, of which nothing may be fused that is not; that of an f64 stays, or is a call of the runtime.
// RUN: sconce-opt %s --sconce-expand-math | FileCheck %s
// RUN: sconce-opt %s --sconce-expand-math=calls=true | FileCheck %s --check-prefix=CALLS

// CHECK-LABEL: func.func @f(
// CHECK-NOT: math.exp
// CHECK-NOT: fastmath
// CHECK: math.fma
// CHECK-LABEL: func.func @wide(
// CHECK: math.exp
func.func @f(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

// CALLS-LABEL: func.func @wide(
// CALLS: call @sconce_f64_exp({{.*}}) : (f64) -> f64
// CALLS: func.func private @sconce_f64_exp(f64) -> f64
func.func @wide(%x: f64) -> f64 {
  %y = math.exp %x : f64
  return %y : f64
}
