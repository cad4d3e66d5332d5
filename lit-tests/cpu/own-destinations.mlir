// Two searches start from equal values; each writes its own result, and nothing is copied between them.
// RUN: sconce-opt %s --print-region-code=stage=loops -o /dev/null 2>&1 | FileCheck %s
// CHECK: func.func @r(%arg0: memref<3x4xf32>, %arg1: memref<3xi64>, %arg2: memref<3xi64>)
// CHECK-NOT: memref.copy
// CHECK: memref.store {{.*}}, %arg1
// CHECK: memref.store {{.*}}, %arg2
// CHECK-NOT: memref.copy
func.func @f(%x: !torch.vtensor<[3,4],f32>) -> (!torch.vtensor<[3],si64>) {
  %r:2 = sconce.region "r"(%x) : (!torch.vtensor<[3,4],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3],si64>) {
  ^bb0(%a: !torch.vtensor<[3,4],f32>):
    %f = torch.constant.bool false
    %one = torch.constant.int 1
    %0 = torch.aten.argmax %a, %one, %f : !torch.vtensor<[3,4],f32>, !torch.int, !torch.bool -> !torch.vtensor<[3],si64>
    %1 = torch.aten.argmin %a, %one, %f : !torch.vtensor<[3,4],f32>, !torch.int, !torch.bool -> !torch.vtensor<[3],si64>
    sconce.yield %0, %1 : !torch.vtensor<[3],si64>, !torch.vtensor<[3],si64>
  }
  return %r#0 : !torch.vtensor<[3],si64>
}
