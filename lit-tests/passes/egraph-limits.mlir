// Without a round nothing is found, and a block of too many terms is left; what is cheap is asked of the target, which must be one that is known.
// RUN: sconce-opt %s --egraph=iterations=0 | FileCheck %s --check-prefix=NONE
// RUN: sconce-opt %s --egraph=nodes=1 | FileCheck %s --check-prefix=NONE
// RUN: sconce-opt %s --egraph=target=gpu | FileCheck %s
// RUN: not sconce-opt %s --egraph=target=abacus 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: there is no target 'abacus'
// CHECK-NOT: torch.aten.transpose
// NONE-COUNT-2: torch.aten.transpose.int
func.func @transposes(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %1 = torch.aten.transpose.int %x, %int0, %int1 : !torch.vtensor<[4,8],f32>, !torch.int, !torch.int -> !torch.vtensor<[8,4],f32>
  %2 = torch.aten.relu %1 : !torch.vtensor<[8,4],f32> -> !torch.vtensor<[8,4],f32>
  %3 = torch.aten.transpose.int %2, %int0, %int1 : !torch.vtensor<[8,4],f32>, !torch.int, !torch.int -> !torch.vtensor<[4,8],f32>
  return %3 : !torch.vtensor<[4,8],f32>
}
