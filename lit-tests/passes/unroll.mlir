// A short body that runs a known number of times is written out, on tensors as values too; one that may stop before stays.
// RUN: sconce-opt %s --unroll | FileCheck %s
// RUN: sconce-opt %s --unroll=max-trips=2 | FileCheck %s --check-prefix=FEW

// CHECK-LABEL: func.func @values
// CHECK-NOT: torch.prim.Loop
// CHECK: %[[ZERO:.*]] = torch.constant.int 0
// CHECK: %[[A:.*]] = torch.aten.add.Scalar %arg0, %[[ZERO]]
// CHECK: %[[ONE:.*]] = torch.constant.int 1
// CHECK: %[[NEXT:.*]] = torch.aten.add.int %[[ZERO]], %[[ONE]]
// CHECK: %[[B:.*]] = torch.aten.add.Scalar %[[A]], %[[NEXT]]
// CHECK: return %[[B]]
// FEW-LABEL: func.func @values
// FEW: torch.prim.Loop
func.func @values(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %true = torch.constant.bool true
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %0 = torch.prim.Loop %two, %true, init(%x) {
  ^bb0(%i: !torch.int, %c: !torch.vtensor<[2],f32>):
    %1 = torch.aten.add.Scalar %c, %i, %one : !torch.vtensor<[2],f32>, !torch.int, !torch.int -> !torch.vtensor<[2],f32>
    torch.prim.Loop.condition %true, iter(%1 : !torch.vtensor<[2],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @may_stop
// CHECK: torch.prim.Loop
func.func @may_stop(%x: !torch.tensor, %b: !torch.bool) -> !torch.tensor {
  %two = torch.constant.int 2
  %true = torch.constant.bool true
  %0 = torch.prim.Loop %two, %true, init(%x) {
  ^bb0(%i: !torch.int, %c: !torch.tensor):
    %1 = torch.aten.relu %c : !torch.tensor -> !torch.tensor
    torch.prim.Loop.condition %b, iter(%1 : !torch.tensor)
  } : (!torch.int, !torch.bool, !torch.tensor) -> !torch.tensor
  return %0 : !torch.tensor
}
