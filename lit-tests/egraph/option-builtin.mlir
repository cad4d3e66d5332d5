// Without the rules that are compiled in nothing changes.
// RUN: sconce-opt %s '--egraph=builtin=0' | FileCheck %s

// CHECK: torch.aten.div.Scalar
// CHECK: torch.aten.neg
// CHECK: torch.aten.neg
func.func @f(%x: !torch.vtensor<[100],f32>) -> !torch.vtensor<[100],f32> {
  %c0 = torch.constant.int 4
  %r1 = torch.aten.div.Scalar %x, %c0 : !torch.vtensor<[100],f32>, !torch.int -> !torch.vtensor<[100],f32>
  %r2 = torch.aten.neg %r1 : !torch.vtensor<[100],f32> -> !torch.vtensor<[100],f32>
  %r3 = torch.aten.neg %r2 : !torch.vtensor<[100],f32> -> !torch.vtensor<[100],f32>
  return %r3 : !torch.vtensor<[100],f32>
}
