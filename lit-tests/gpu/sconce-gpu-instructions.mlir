// Square roots and multiply-adds are the instructions that round as IEEE says.
// RUN: sconce-opt %s --sconce-gpu-instructions | FileCheck %s

// CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.rn.f"(%arg0)
func.func @f(%x: f32) -> f32 {
  %r = math.sqrt %x : f32
  return %r : f32
}

// CHECK: llvm.call_intrinsic "llvm.nvvm.fma.rn.d"(%arg0, %arg0, %arg0)
func.func @g(%x: f64) -> f64 {
  %r = math.fma %x, %x, %x : f64
  return %r : f64
}
