// Square roots are the instruction that rounds as IEEE says.
// RUN: sconce-opt %s --sconce-gpu-square-roots | FileCheck %s

// CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.rn.f"(%arg0)
func.func @f(%x: f32) -> f32 {
  %r = math.sqrt %x : f32
  return %r : f32
}
