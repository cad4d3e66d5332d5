// Transcendental functions become polynomials, so that vectors of them stay vectors; f16 goes through f32.
// RUN: sconce-opt %s --sconce-math-polynomial-approximation | FileCheck %s
// RUN: sconce-opt %s --sconce-math-polynomial-approximation=only=tanh | FileCheck %s --check-prefix=ONLY

// CHECK-LABEL: func.func @f
// CHECK-NOT: math.exp
// CHECK-NOT: math.tanh
// CHECK: math.fma
// ONLY-LABEL: func.func @f
// ONLY: math.exp
// ONLY-NOT: math.tanh
func.func @f(%a: vector<8xf32>) -> vector<8xf32> {
  %b = math.exp %a : vector<8xf32>
  %c = math.tanh %b : vector<8xf32>
  return %c : vector<8xf32>
}

// CHECK-LABEL: func.func @half
// CHECK: arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
// CHECK: arith.truncf
func.func @half(%a: vector<8xf16>) -> vector<8xf16> {
  %b = math.exp %a : vector<8xf16>
  return %b : vector<8xf16>
}
