// LLVM's intrinsic keeps NaN, where the conversion of arith would compare.
// RUN: sconce-opt %s --sconce-keep-extremes | FileCheck %s

// CHECK: llvm.intr.maximum(%arg0, %arg1) : (f32, f32) -> f32
func.func @f(%x: f32, %y: f32) -> f32 {
  %r = arith.maximumf %x, %y : f32
  return %r : f32
}
