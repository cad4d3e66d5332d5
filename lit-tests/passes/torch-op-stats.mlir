// How often each operation occurs is a remark.
// RUN: sconce-opt %s --torch-op-stats -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark
// CHECK: torch.aten.relu
func.func @f(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %1 = torch.aten.relu %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %2 = torch.aten.relu %1 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %2 : !torch.vtensor<[2],f32>
}
