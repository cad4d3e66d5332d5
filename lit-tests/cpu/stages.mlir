// Each stage is a pass: pipelines stop at any of them, and print what it leaves.
// RUN: sconce-opt --list-pipelines | FileCheck %s --check-prefix=LIST
// RUN: sconce-opt %s --pass-pipeline='builtin.module(convert-torch-to-linalg,sconce-fuse,sconce-destinations)' | FileCheck %s --check-prefix=WRITES
// RUN: sconce-opt %s --pass-pipeline='builtin.module(convert-torch-to-linalg,sconce-fuse,sconce-bufferize)' | FileCheck %s --check-prefix=BUFFERS
// RUN: sconce-opt %s --pass-pipeline='builtin.module(convert-torch-to-linalg,sconce-fuse,sconce-bufferize,sconce-copies-to-loops,sconce-contraction)' | FileCheck %s --check-prefix=TILES
// RUN: sconce-opt %s --pass-pipeline='builtin.module(convert-torch-to-linalg,sconce-cpu)' | FileCheck %s --check-prefix=ENTRY
// RUN: sconce-opt %s --pass-pipeline='builtin.module(convert-torch-to-linalg,sconce-gpu)' | FileCheck %s --check-prefix=GPU

// LIST: --sconce-fuse: Fuse chains of elementwise operations
// LIST-NEXT: canonicalize,cse,sconce-split-concats,linalg-fuse-elementwise-ops
// LIST: --sconce-bufferize:
// LIST: --sconce-cpu:
// LIST-NEXT: sconce-fuse,sconce-bufferize,sconce-cpu-loops,sconce-cpu-llvm
// LIST: --sconce-gpu:
// WRITES: func.func @f(%{{.*}}: memref<4x8xf32>, %{{.*}}: memref<8x4xf32>, %{{.*}}: memref<4x4xf32>)
// WRITES: bufferization.materialize_in_destination
// BUFFERS: func.func @f
// BUFFERS: linalg.matmul ins({{.*}}: memref<4x8xf32>, memref<8x4xf32>)
// TILES-NOT: linalg.matmul
// TILES: vector.load
// ENTRY: llvm.func @sconce_entry(%{{.*}}: !llvm.ptr)
// GPU: gpu.launch_func
// GPU: gpu.func
func.func @f(%a: !torch.vtensor<[4,8],f32>, %b: !torch.vtensor<[8,4],f32>) -> !torch.vtensor<[4,4],f32> {
  %0 = torch.aten.mm %a, %b : !torch.vtensor<[4,8],f32>, !torch.vtensor<[8,4],f32> -> !torch.vtensor<[4,4],f32>
  %1 = torch.aten.tanh %0 : !torch.vtensor<[4,4],f32> -> !torch.vtensor<[4,4],f32>
  return %1 : !torch.vtensor<[4,4],f32>
}
