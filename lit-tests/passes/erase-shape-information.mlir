// Types say nothing of sizes and dtypes any more; a tensor that is a value stays one, and a constant says what it is.
// RUN: sconce-opt %s --erase-shape-information | FileCheck %s

// CHECK-LABEL: func.func @known(%arg0: !torch.vtensor, %arg1: !torch.bool) -> !torch.vtensor
// CHECK: torch.prim.If %arg1 -> (!torch.vtensor)
// CHECK: torch.aten.relu %arg0 : !torch.vtensor -> !torch.vtensor
func.func @known(%x: !torch.vtensor<[2],f32>, %b: !torch.bool) -> !torch.vtensor<[2],f32> {
  %0 = torch.prim.If %b -> (!torch.vtensor<[2],f32>) {
    %1 = torch.aten.relu %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %1 : !torch.vtensor<[2],f32>
  } else {
    torch.prim.If.yield %x : !torch.vtensor<[2],f32>
  }
  return %0 : !torch.vtensor<[2],f32>
}
