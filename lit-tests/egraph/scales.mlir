// Scales by constants become part of constant weights.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// CHECK-LABEL: @gained
// CHECK: %[[L:.*]] = torch.aten.linear %arg0
// CHECK-NEXT: return %[[L]]
func.func @gained(%x: !torch.vtensor<[16,64],f32>) -> !torch.vtensor<[16,32],f32> {
  %w = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "w"]]} : () -> !torch.vtensor<[32,64],f32>
  %b = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "b"]]} : () -> !torch.vtensor<[32],f32>
  %g = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "g"]]} : () -> !torch.vtensor<[32],f32>
  %r1 = torch.aten.linear %x, %w, %b : !torch.vtensor<[16,64],f32>, !torch.vtensor<[32,64],f32>, !torch.vtensor<[32],f32> -> !torch.vtensor<[16,32],f32>
  %r2 = torch.aten.mul.Tensor %r1, %g : !torch.vtensor<[16,32],f32>, !torch.vtensor<[32],f32> -> !torch.vtensor<[16,32],f32>
  return %r2 : !torch.vtensor<[16,32],f32>
}
