// Rotary embeddings: angles.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// CHECK-LABEL: @angles
// CHECK: torch.aten.cos %arg0
// CHECK: torch.aten.cat
func.func @angles(%x: !torch.vtensor<[64,32],f32>) -> !torch.vtensor<[64,64],f32> {
  %r1 = torch.prim.ListConstruct %x, %x : (!torch.vtensor<[64,32],f32>, !torch.vtensor<[64,32],f32>) -> !torch.list<vtensor>
  %c0 = torch.constant.int -1
  %r2 = torch.aten.cat %r1, %c0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[64,64],f32>
  %r3 = torch.aten.cos %r2 : !torch.vtensor<[64,64],f32> -> !torch.vtensor<[64,64],f32>
  return %r3 : !torch.vtensor<[64,64],f32>
}

// CHECK-LABEL: @minus
// CHECK: torch.aten.cos %arg0
// CHECK-NOT: torch.aten.neg
func.func @minus(%x: !torch.vtensor<[64,32],f32>) -> !torch.vtensor<[64,32],f32> {
  %r1 = torch.aten.neg %x : !torch.vtensor<[64,32],f32> -> !torch.vtensor<[64,32],f32>
  %r2 = torch.aten.cos %r1 : !torch.vtensor<[64,32],f32> -> !torch.vtensor<[64,32],f32>
  return %r2 : !torch.vtensor<[64,32],f32>
}
