// Layers of one input become one where their weights are constants; to join weights in each call would cost more.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// CHECK-LABEL: @siblings
// CHECK: torch.aten.cat
// CHECK: torch.aten.linear %arg0
// CHECK-NOT: torch.aten.linear
// CHECK: torch.aten.split_with_sizes
// CHECK: torch.prim.ListUnpack
func.func @siblings(%x: !torch.vtensor<[16,64],f32>) -> (!torch.vtensor<[16,32],f32>, !torch.vtensor<[16,32],f32>, !torch.vtensor<[16,32],f32>) {
  %q = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "q"]]} : () -> !torch.vtensor<[32,64],f32>
  %k = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "k"]]} : () -> !torch.vtensor<[32,64],f32>
  %v = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "v"]]} : () -> !torch.vtensor<[32,64],f32>
  %c0 = torch.constant.none
  %r1 = torch.aten.linear %x, %q, %c0 : !torch.vtensor<[16,64],f32>, !torch.vtensor<[32,64],f32>, !torch.none -> !torch.vtensor<[16,32],f32>
  %r2 = torch.aten.linear %x, %k, %c0 : !torch.vtensor<[16,64],f32>, !torch.vtensor<[32,64],f32>, !torch.none -> !torch.vtensor<[16,32],f32>
  %r3 = torch.aten.linear %x, %v, %c0 : !torch.vtensor<[16,64],f32>, !torch.vtensor<[32,64],f32>, !torch.none -> !torch.vtensor<[16,32],f32>
  return %r1, %r2, %r3 : !torch.vtensor<[16,32],f32>, !torch.vtensor<[16,32],f32>, !torch.vtensor<[16,32],f32>
}

// CHECK-LABEL: @by_call
// CHECK: torch.aten.linear %arg0, %arg1
// CHECK: torch.aten.linear %arg0, %arg2
func.func @by_call(%x: !torch.vtensor<[16,64],f32>, %q: !torch.vtensor<[32,64],f32>, %k: !torch.vtensor<[32,64],f32>) -> (!torch.vtensor<[16,32],f32>, !torch.vtensor<[16,32],f32>) {
  %c0 = torch.constant.none
  %r1 = torch.aten.linear %x, %q, %c0 : !torch.vtensor<[16,64],f32>, !torch.vtensor<[32,64],f32>, !torch.none -> !torch.vtensor<[16,32],f32>
  %r2 = torch.aten.linear %x, %k, %c0 : !torch.vtensor<[16,64],f32>, !torch.vtensor<[32,64],f32>, !torch.none -> !torch.vtensor<[16,32],f32>
  return %r1, %r2 : !torch.vtensor<[16,32],f32>, !torch.vtensor<[16,32],f32>
}
