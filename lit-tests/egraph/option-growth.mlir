// A block may grow to so many terms for each that it came with, and small blocks to a thousand.
// RUN: sconce-opt %s '--egraph=growth=2 report=1' 2>&1 | FileCheck %s

// CHECK-NOT: stopped by
// CHECK: torch.aten.mul.Scalar
func.func @f(%x: !torch.vtensor<[100],f32>) -> !torch.vtensor<[100],f32> {
  %c0 = torch.constant.int 4
  %r1 = torch.aten.div.Scalar %x, %c0 : !torch.vtensor<[100],f32>, !torch.int -> !torch.vtensor<[100],f32>
  %r2 = torch.aten.neg %r1 : !torch.vtensor<[100],f32> -> !torch.vtensor<[100],f32>
  %r3 = torch.aten.neg %r2 : !torch.vtensor<[100],f32> -> !torch.vtensor<[100],f32>
  return %r3 : !torch.vtensor<[100],f32>
}
