// The loops of a region, which write into its caller's buffer: rows that follow each other are one.
// RUN: sconce-opt %s --print-region-code=stage=loops -o /dev/null 2>&1 | FileCheck %s

// CHECK: // region f.r0
// CHECK: func.func @f.r0(%arg0: memref<4x8xf32>, %arg1: memref<4x8xf32>)
// CHECK: %[[RESULT:.*]] = memref.collapse_shape %arg1
// CHECK: scf.parallel (%{{.*}}) = 
// CHECK-NOT: scf.
// CHECK: memref.store {{.*}}, %[[RESULT]]
func.func @f(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %1 = sconce.region "f.r0"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  ^bb0(%a: !torch.vtensor<[4,8],f32>):
    %2 = torch.aten.relu %a : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>
    sconce.yield %2 : !torch.vtensor<[4,8],f32>
  }
  return %1 : !torch.vtensor<[4,8],f32>
}
