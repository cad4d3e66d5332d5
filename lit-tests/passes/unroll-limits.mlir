// A body of more operations than are asked for stays, as does one that would become more; `then` runs where something was written out, and nowhere else.
// RUN: sconce-opt %s --unroll=max-body=1 | FileCheck %s --check-prefix=LARGE
// RUN: sconce-opt %s --unroll=max-ops=5 | FileCheck %s --check-prefix=LARGE
// RUN: sconce-opt %s --unroll='max-ops=6 then=constant-propagation' | FileCheck %s
// RUN: sconce-opt %s --unroll=then=constant-propagation | FileCheck %s

// LARGE-COUNT-2: torch.prim.Loop
// CHECK-LABEL: func.func @short
// CHECK-NOT: torch.prim.Loop
// CHECK: %[[N:.*]] = torch.constant.int 6
// CHECK: return %[[N]]
// CHECK-LABEL: func.func @long
// CHECK: torch.aten.add.int %{{.*}}, %{{.*}}
// CHECK: torch.prim.Loop
func.func @short() -> !torch.int {
  %three = torch.constant.int 3
  %two = torch.constant.int 2
  %zero = torch.constant.int 0
  %true = torch.constant.bool true
  %1 = torch.prim.Loop %three, %true, init(%zero) {
  ^bb0(%i: !torch.int, %n: !torch.int):
    %2 = torch.aten.mul.int %two, %i : !torch.int, !torch.int -> !torch.int
    %3 = torch.aten.add.int %n, %2 : !torch.int, !torch.int -> !torch.int
    torch.prim.Loop.condition %true, iter(%3 : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  return %1 : !torch.int
}

func.func @long(%trips: !torch.int) -> !torch.int {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %true = torch.constant.bool true
  %sum = torch.aten.add.int %one, %two : !torch.int, !torch.int -> !torch.int
  %1 = torch.prim.Loop %trips, %true, init(%sum) {
  ^bb0(%i: !torch.int, %n: !torch.int):
    %2 = torch.aten.mul.int %two, %n : !torch.int, !torch.int -> !torch.int
    %3 = torch.aten.add.int %n, %2 : !torch.int, !torch.int -> !torch.int
    torch.prim.Loop.condition %true, iter(%3 : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  return %1 : !torch.int
}
