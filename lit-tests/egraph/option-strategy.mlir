// A peephole optimiser with the same rules.
// RUN: sconce-opt %s '--egraph=strategy=greedy report=1' 2>&1 | FileCheck %s
// RUN: not sconce-opt %s '--egraph=strategy=other' 2>&1 | FileCheck %s --check-prefix=OTHER

// OTHER: there is no strategy 'other'; expected saturate or greedy
// CHECK: egraph: modelled cost
// CHECK-NOT: torch.aten.neg
func.func @f(%x: !torch.vtensor<[100],f32>) -> !torch.vtensor<[100],f32> {
  %c0 = torch.constant.int 4
  %r1 = torch.aten.div.Scalar %x, %c0 : !torch.vtensor<[100],f32>, !torch.int -> !torch.vtensor<[100],f32>
  %r2 = torch.aten.neg %r1 : !torch.vtensor<[100],f32> -> !torch.vtensor<[100],f32>
  %r3 = torch.aten.neg %r2 : !torch.vtensor<[100],f32> -> !torch.vtensor<[100],f32>
  return %r3 : !torch.vtensor<[100],f32>
}
