// Stages of compilation of a region: one loop nest for a chain, results written in place, no call of libm for tanh, vectors in the code.
// RUN: sconce-opt %s --print-region-code=stage=fused -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUSED
// RUN: sconce-opt %s --print-region-code=stage=loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: sconce-opt %s --print-region-code=stage=llvm -o /dev/null 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: sconce-opt %s --print-region-code=stage=asm -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASM
// RUN: sconce-opt %s --print-region-code=stage=spec -o /dev/null 2>&1 | FileCheck %s --check-prefix=SPEC

// FUSED: // region f.r0
// FUSED-COUNT-1: linalg.generic
// FUSED-NOT: linalg.generic
// LOOPS: func.func @f.r0(%arg0: memref<?x8xf32>, %arg1: memref<?x8xf32>, %arg2: memref<?x8xf32>)
// LOOPS-NOT: memref.alloc
// LOOPS: memref.store {{.*}}, %arg2
// LLVM: define {{.*}}@sconce_entry(ptr
// LLVM-NOT: @tanhf
// ASM: sconce_entry:
// SPEC: // input: ?x8xf32
// SPEC: // guard: == s0.0 s1.0
// SPEC: // output: f32 s0.0 8
func.func @f(%a: !torch.vtensor<[?,8],f32>, %b: !torch.vtensor<[?,8],f32>) -> !torch.vtensor<[?,8],f32> {
  %r = sconce.region "f.r0"(%a, %b) : (!torch.vtensor<[?,8],f32>, !torch.vtensor<[?,8],f32>) -> (!torch.vtensor<[?,8],f32>) {
  ^bb0(%x: !torch.vtensor<[?,8],f32>, %y: !torch.vtensor<[?,8],f32>):
    %0 = torch.aten.mul.Tensor %x, %y : !torch.vtensor<[?,8],f32>, !torch.vtensor<[?,8],f32> -> !torch.vtensor<[?,8],f32>
    %1 = torch.aten.tanh %0 : !torch.vtensor<[?,8],f32> -> !torch.vtensor<[?,8],f32>
    sconce.yield %1 : !torch.vtensor<[?,8],f32>
  }
  return %r : !torch.vtensor<[?,8],f32>
}
