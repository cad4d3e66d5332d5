// A loop of numbers and the branch in it: arithmetic on words, and a question to the runtime every 4096 turns.
// RUN: sconce-opt %s --outline-regions --convert-torch-to-linalg | FileCheck %s

// CHECK: func.func private @sconce_turns(i64) -> i1
// CHECK-LABEL: func.func @sum.r0
// CHECK-SAME: (%[[N:.*]]: i64) -> tensor<i64>
// CHECK: %[[L:.*]]:3 = scf.while
// CHECK: arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK: scf.if
// CHECK: func.call @sconce_turns
// CHECK: scf.condition
// CHECK: arith.remsi
// CHECK: scf.if
// CHECK: arith.addi
// CHECK: arith.shrsi
// CHECK: tensor.from_elements %[[L]]#2 : tensor<i64>
func.func @sum(%n: !torch.int) -> !torch.int {
  %true = torch.constant.bool true
  %zero = torch.constant.int 0
  %three = torch.constant.int 3
  %r = torch.prim.Loop %n, %true, init(%zero) {
  ^bb0(%i: !torch.int, %acc: !torch.int):
    %rest = torch.aten.remainder.int %i, %three : !torch.int, !torch.int -> !torch.int
    %c = torch.aten.eq.int %rest, %zero : !torch.int, !torch.int -> !torch.bool
    %next = torch.prim.If %c -> (!torch.int) {
      %s = torch.aten.add.int %acc, %i : !torch.int, !torch.int -> !torch.int
      torch.prim.If.yield %s : !torch.int
    } else {
      %s = torch.aten.__rshift__.int %acc, %three : !torch.int, !torch.int -> !torch.int
      torch.prim.If.yield %s : !torch.int
    }
    torch.prim.Loop.condition %true, iter(%next : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  return %r : !torch.int
}
