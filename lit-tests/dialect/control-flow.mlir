// If and Loop: their text, what travels along their edges, and that they go when they do nothing.
// RUN: sconce-opt %s | FileCheck %s
// RUN: sconce-opt %s --mlir-print-op-generic | sconce-opt | FileCheck %s
// RUN: sconce-opt %s --canonicalize | FileCheck %s --check-prefix=DCE

// CHECK-LABEL: @loop
// DCE-LABEL: @loop
func.func @loop(%n: !torch.int, %c: !torch.bool, %x: !torch.vtensor) -> !torch.vtensor {
  // CHECK: torch.prim.Loop %arg0, %arg1, init(%arg2) {
  // CHECK-NEXT: ^bb0(%arg3: !torch.int, %arg4: !torch.vtensor):
  // CHECK: torch.prim.Loop.condition %arg1, iter(%{{.*}} : !torch.vtensor)
  // CHECK-NEXT: } : (!torch.int, !torch.bool, !torch.vtensor) -> !torch.vtensor
  %0 = torch.prim.Loop %n, %c, init(%x) {
  ^bb0(%i: !torch.int, %a: !torch.vtensor):
    %1 = torch.aten.tanh %a : !torch.vtensor -> !torch.vtensor
    torch.prim.Loop.condition %c, iter(%1 : !torch.vtensor)
  } : (!torch.int, !torch.bool, !torch.vtensor) -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: @choose
// DCE-LABEL: @choose
func.func @choose(%c: !torch.bool, %x: !torch.int) -> !torch.optional<int> {
  // DCE-NOT: torch.aten.mul.int
  // CHECK: torch.prim.If %arg0 -> () {
  torch.prim.If %c -> () {
    %2 = torch.aten.mul.int %x, %x : !torch.int, !torch.int -> !torch.int
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  // CHECK: %0 = torch.prim.If %arg0 -> (!torch.optional<int>) {
  %0 = torch.prim.If %c -> (!torch.optional<int>) {
    %2 = torch.derefine %x : !torch.int to !torch.optional<int>
    torch.prim.If.yield %2 : !torch.optional<int>
  } else {
    %none = torch.constant.none
    %2 = torch.derefine %none : !torch.none to !torch.optional<int>
    torch.prim.If.yield {likely} %2 : !torch.optional<int>
  }
  return %0 : !torch.optional<int>
}
