// A loop whose tensors are new in each turn is a region, and without a turn its result is what it was given; one that may give a tensor that was there, or two that share memory, is none: only its body is.
// RUN: sconce-opt %s --outline-regions | FileCheck %s

// CHECK-LABEL: func.func @new
// CHECK: %[[R:.*]] = sconce.region "new.r0"
// CHECK: torch.prim.Loop
// CHECK: ^bb0(%{{.*}}: !torch.int, %{{.*}}: !torch.vtensor<[4],f32>):
// CHECK: sconce.yield %{{.*}} : !torch.vtensor<[4],f32>
// CHECK: %[[T:.*]] = torch.copy.to_tensor %[[R]]
// CHECK: %[[SOME:.*]] = torch.aten.gt.int %arg0
// CHECK: %[[BOTH:.*]] = torch.aten.__and__.bool %[[SOME]]
// CHECK: %[[C:.*]] = torch.prim.If %[[BOTH]]
// CHECK: torch.prim.If.yield %[[T]]
// CHECK: torch.prim.If.yield %arg1
// CHECK: return %[[C]]
func.func @new(%n: !torch.int, %x: !torch.tensor<[4],f32>) -> !torch.tensor<[4],f32> {
  %true = torch.constant.bool true
  %one = torch.constant.int 1
  %r = torch.prim.Loop %n, %true, init(%x) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[4],f32>):
    %s = torch.aten.add.Tensor %a, %x, %one : !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.int -> !torch.tensor<[4],f32>
    torch.prim.Loop.condition %true, iter(%s : !torch.tensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4],f32>) -> !torch.tensor<[4],f32>
  return %r : !torch.tensor<[4],f32>
}

// The second is the first of the turn before.
// CHECK-LABEL: func.func @handed_on
// CHECK: torch.prim.Loop
// CHECK: sconce.region "handed_on.r0"
func.func @handed_on(%n: !torch.int, %x: !torch.tensor<[4],f32>) -> (!torch.tensor<[4],f32>, !torch.tensor<[4],f32>) {
  %true = torch.constant.bool true
  %r:2 = torch.prim.Loop %n, %true, init(%x, %x) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[4],f32>, %b: !torch.tensor<[4],f32>):
    %s = torch.aten.neg %a : !torch.tensor<[4],f32> -> !torch.tensor<[4],f32>
    torch.prim.Loop.condition %true, iter(%s, %a : !torch.tensor<[4],f32>, !torch.tensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>) -> (!torch.tensor<[4],f32>, !torch.tensor<[4],f32>)
  return %r#0, %r#1 : !torch.tensor<[4],f32>, !torch.tensor<[4],f32>
}

// The second is a view of the first.
// CHECK-LABEL: func.func @shared
// CHECK: torch.prim.Loop
// CHECK: sconce.region "shared.r0"
func.func @shared(%n: !torch.int, %x: !torch.tensor<[4],f32>, %y: !torch.tensor<[2,2],f32>) -> (!torch.tensor<[4],f32>, !torch.tensor<[2,2],f32>) {
  %true = torch.constant.bool true
  %two = torch.constant.int 2
  %l = torch.prim.ListConstruct %two, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %r:2 = torch.prim.Loop %n, %true, init(%x, %y) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[4],f32>, %b: !torch.tensor<[2,2],f32>):
    %s = torch.aten.neg %a : !torch.tensor<[4],f32> -> !torch.tensor<[4],f32>
    %v = torch.aten.view %s, %l : !torch.tensor<[4],f32>, !torch.list<int> -> !torch.tensor<[2,2],f32>
    torch.prim.Loop.condition %true, iter(%s, %v : !torch.tensor<[4],f32>, !torch.tensor<[2,2],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4],f32>, !torch.tensor<[2,2],f32>) -> (!torch.tensor<[4],f32>, !torch.tensor<[2,2],f32>)
  return %r#0, %r#1 : !torch.tensor<[4],f32>, !torch.tensor<[2,2],f32>
}

// The tensor grows.
// CHECK-LABEL: func.func @grows
// CHECK: torch.prim.Loop
func.func @grows(%n: !torch.int, %x: !torch.tensor<[?],f32>) -> !torch.tensor<[?],f32> {
  %true = torch.constant.bool true
  %zero = torch.constant.int 0
  %r = torch.prim.Loop %n, %true, init(%x) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[?],f32>):
    %l = torch.prim.ListConstruct %a, %x : (!torch.tensor<[?],f32>, !torch.tensor<[?],f32>) -> !torch.list<tensor<[?],f32>>
    %s = torch.aten.cat %l, %zero : !torch.list<tensor<[?],f32>>, !torch.int -> !torch.tensor<[?],f32>
    torch.prim.Loop.condition %true, iter(%s : !torch.tensor<[?],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[?],f32>) -> !torch.tensor<[?],f32>
  return %r : !torch.tensor<[?],f32>
}

// A turn may leave what the loop carries as it is, if nobody else has what it began with.
// CHECK-LABEL: func.func @chosen
// CHECK: sconce.region "chosen.r0"
// CHECK: torch.prim.Loop
// CHECK-LABEL: func.func @chosen_of_argument
// CHECK: torch.prim.Loop
// CHECK: sconce.region "chosen_of_argument.r0"
func.func @chosen(%n: !torch.int, %x: !torch.tensor<[4],f32>) -> !torch.tensor<[4],f32> {
  %true = torch.constant.bool true
  %two = torch.constant.int 2
  %y = torch.aten.relu %x : !torch.tensor<[4],f32> -> !torch.tensor<[4],f32>
  %r = torch.prim.Loop %n, %true, init(%y) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[4],f32>):
    %c = torch.aten.lt.int %i, %two : !torch.int, !torch.int -> !torch.bool
    %s = torch.prim.If %c -> (!torch.tensor<[4],f32>) {
      %t = torch.aten.neg %a : !torch.tensor<[4],f32> -> !torch.tensor<[4],f32>
      torch.prim.If.yield %t : !torch.tensor<[4],f32>
    } else {
      torch.prim.If.yield %a : !torch.tensor<[4],f32>
    }
    torch.prim.Loop.condition %true, iter(%s : !torch.tensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4],f32>) -> !torch.tensor<[4],f32>
  return %r : !torch.tensor<[4],f32>
}
func.func @chosen_of_argument(%n: !torch.int, %x: !torch.tensor<[4],f32>) -> !torch.tensor<[4],f32> {
  %true = torch.constant.bool true
  %two = torch.constant.int 2
  %r = torch.prim.Loop %n, %true, init(%x) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[4],f32>):
    %c = torch.aten.lt.int %i, %two : !torch.int, !torch.int -> !torch.bool
    %s = torch.prim.If %c -> (!torch.tensor<[4],f32>) {
      %t = torch.aten.neg %a : !torch.tensor<[4],f32> -> !torch.tensor<[4],f32>
      torch.prim.If.yield %t : !torch.tensor<[4],f32>
    } else {
      torch.prim.If.yield %a : !torch.tensor<[4],f32>
    }
    torch.prim.Loop.condition %true, iter(%s : !torch.tensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4],f32>) -> !torch.tensor<[4],f32>
  return %r : !torch.tensor<[4],f32>
}
