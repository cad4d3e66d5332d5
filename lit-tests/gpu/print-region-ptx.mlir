// A region as text for a GPU, under its launches.
// RUN: sconce-opt %s --print-region-ptx=chip=sm_80 -o /dev/null 2>&1 | FileCheck %s

// CHECK: // region f.r0
// CHECK: // launch: k0
// CHECK: .target sm_80
// CHECK: .visible .entry k0(
func.func @f(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %1 = sconce.region "f.r0"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  ^bb0(%a: !torch.vtensor<[4,8],f32>):
    %2 = torch.aten.relu %a : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>
    sconce.yield %2 : !torch.vtensor<[4,8],f32>
  }
  return %1 : !torch.vtensor<[4,8],f32>
}
