// A product of each slice of a tensor by the same weights is one product in front of the loop, whose slice each turn takes: slices by the turn's index (a list of them is taken apart before),
// weights turned in the loop or not. What takes another slice, or is written to, stays, and so does a loop that may end early.
// RUN: sconce-opt %s --select-loop-slices --hoist-loop-products=most-rows=4 | FileCheck %s
// RUN: sconce-opt %s --select-loop-slices --hoist-loop-products='most-rows=4 most-bytes=1000' | FileCheck %s --check-prefix=LARGE
// RUN: sconce-opt %s --select-loop-slices --hoist-loop-products=most-rows=3 | FileCheck %s --check-prefix=LARGE
// RUN: sconce-opt %s --select-loop-slices --hoist-loop-products='most-rows=4 most-growth=0' | FileCheck %s --check-prefix=GROWS

// CHECK-LABEL: func.func @linear
// CHECK: %[[ALL:.*]] = torch.aten.linear %arg0, %arg1, %arg2 : {{.*}} -> !torch.vtensor<[20,4,32],f32>
// CHECK: torch.prim.Loop
// CHECK: ^bb0(%[[I:.*]]: !torch.int, %{{.*}}: !torch.vtensor<[4,32],f32>):
// CHECK: torch.aten.select.int %[[ALL]], %{{.*}}, %[[I]] : {{.*}} -> !torch.vtensor<[4,32],f32>
// CHECK-NOT: torch.aten.linear
// LARGE-LABEL: func.func @linear
// LARGE: torch.prim.Loop
// LARGE: torch.aten.linear
func.func @linear(%xs: !torch.vtensor<[20,4,16],f32>, %w: !torch.vtensor<[32,16],f32>, %b: !torch.vtensor<[32],f32>, %h: !torch.vtensor<[4,32],f32>) -> !torch.vtensor<[4,32],f32> {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %list = torch.aten.unbind.int %xs, %zero : !torch.vtensor<[20,4,16],f32>, !torch.int -> !torch.list<vtensor>
  %r = torch.prim.Loop %turns, %true, init(%h) {
  ^bb0(%i: !torch.int, %s: !torch.vtensor<[4,32],f32>):
    %x = torch.aten.__getitem__.t %list, %i : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4,16],f32>
    %y = torch.aten.linear %x, %w, %b : !torch.vtensor<[4,16],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[32],f32> -> !torch.vtensor<[4,32],f32>
    %n = torch.aten.add.Tensor %s, %y, %one : !torch.vtensor<[4,32],f32>, !torch.vtensor<[4,32],f32>, !torch.int -> !torch.vtensor<[4,32],f32>
    torch.prim.Loop.condition %true, iter(%n : !torch.vtensor<[4,32],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[4,32],f32>) -> !torch.vtensor<[4,32],f32>
  return %r : !torch.vtensor<[4,32],f32>
}

// CHECK-LABEL: func.func @turned
// CHECK: %[[T:.*]] = torch.aten.t %arg1
// CHECK: %[[ALL:.*]] = torch.aten.matmul %arg0, %[[T]] : {{.*}} -> !torch.vtensor<[20,4,32],f32>
// CHECK: torch.prim.Loop
// CHECK-NOT: torch.aten.mm
// CHECK: torch.aten.select.int %[[ALL]]
func.func @turned(%xs: !torch.vtensor<[20,4,16],f32>, %w: !torch.vtensor<[32,16],f32>, %h: !torch.vtensor<[4,32],f32>) -> !torch.vtensor<[4,32],f32> {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %r = torch.prim.Loop %turns, %true, init(%h) {
  ^bb0(%i: !torch.int, %s: !torch.vtensor<[4,32],f32>):
    %x = torch.aten.select.int %xs, %zero, %i : !torch.vtensor<[20,4,16],f32>, !torch.int, !torch.int -> !torch.vtensor<[4,16],f32>
    %t = torch.aten.t %w : !torch.vtensor<[32,16],f32> -> !torch.vtensor<[16,32],f32>
    %y = torch.aten.mm %x, %t : !torch.vtensor<[4,16],f32>, !torch.vtensor<[16,32],f32> -> !torch.vtensor<[4,32],f32>
    %n = torch.aten.add.Tensor %s, %y, %one : !torch.vtensor<[4,32],f32>, !torch.vtensor<[4,32],f32>, !torch.int -> !torch.vtensor<[4,32],f32>
    torch.prim.Loop.condition %true, iter(%n : !torch.vtensor<[4,32],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[4,32],f32>) -> !torch.vtensor<[4,32],f32>
  return %r : !torch.vtensor<[4,32],f32>
}

// Parts of the product are looked at, as tensors that could be written to.
// CHECK-LABEL: func.func @parts
// CHECK: torch.aten.linear %arg0, %arg1, %arg2 : {{.*}} -> !torch.tensor<[20,4,32],f32>
// CHECK: torch.prim.Loop
// CHECK-NOT: torch.aten.linear
func.func @parts(%xs: !torch.tensor<[20,4,16],f32>, %w: !torch.tensor<[32,16],f32>, %b: !torch.tensor<[32],f32>, %h: !torch.tensor<[4,16],f32>) -> !torch.tensor<[4,16],f32> {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %r = torch.prim.Loop %turns, %true, init(%h) {
  ^bb0(%i: !torch.int, %s: !torch.tensor<[4,16],f32>):
    %x = torch.aten.select.int %xs, %zero, %i : !torch.tensor<[20,4,16],f32>, !torch.int, !torch.int -> !torch.tensor<[4,16],f32>
    %y = torch.aten.linear %x, %w, %b : !torch.tensor<[4,16],f32>, !torch.tensor<[32,16],f32>, !torch.tensor<[32],f32> -> !torch.tensor<[4,32],f32>
    %c = torch.aten.chunk %y, %two, %one : !torch.tensor<[4,32],f32>, !torch.int, !torch.int -> !torch.list<tensor>
    %p:2 = torch.prim.ListUnpack %c : !torch.list<tensor> -> !torch.tensor<[4,16],f32>, !torch.tensor<[4,16],f32>
    %m = torch.aten.mul.Tensor %p#0, %p#1 : !torch.tensor<[4,16],f32>, !torch.tensor<[4,16],f32> -> !torch.tensor<[4,16],f32>
    %n = torch.aten.add.Tensor %s, %m, %one : !torch.tensor<[4,16],f32>, !torch.tensor<[4,16],f32>, !torch.int -> !torch.tensor<[4,16],f32>
    torch.prim.Loop.condition %true, iter(%n : !torch.tensor<[4,16],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4,16],f32>) -> !torch.tensor<[4,16],f32>
  return %r : !torch.tensor<[4,16],f32>
}

// A part of the product is what the function gives: its caller may write to it.
// CHECK-LABEL: func.func @given
// CHECK-NOT: [20,4,32]
// CHECK: return
func.func @given(%xs: !torch.tensor<[20,4,16],f32>, %w: !torch.tensor<[32,16],f32>, %b: !torch.tensor<[32],f32>, %h: !torch.tensor<[4,16],f32>) -> !torch.tensor<[4,16],f32> {
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  %one = torch.constant.int 1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %r = torch.prim.Loop %turns, %true, init(%h) {
  ^bb0(%i: !torch.int, %s: !torch.tensor<[4,16],f32>):
    %x = torch.aten.select.int %xs, %zero, %i : !torch.tensor<[20,4,16],f32>, !torch.int, !torch.int -> !torch.tensor<[4,16],f32>
    %y = torch.aten.linear %x, %w, %b : !torch.tensor<[4,16],f32>, !torch.tensor<[32,16],f32>, !torch.tensor<[32],f32> -> !torch.tensor<[4,32],f32>
    %c = torch.aten.chunk %y, %two, %one : !torch.tensor<[4,32],f32>, !torch.int, !torch.int -> !torch.list<tensor>
    %p:2 = torch.prim.ListUnpack %c : !torch.list<tensor> -> !torch.tensor<[4,16],f32>, !torch.tensor<[4,16],f32>
    torch.prim.Loop.condition %true, iter(%p#0 : !torch.tensor<[4,16],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4,16],f32>) -> !torch.tensor<[4,16],f32>
  return %r : !torch.tensor<[4,16],f32>
}

// The first slice, weights that change, a loop that makes fewer turns than there are slices, one that may end, and a result that is written to.
// CHECK-LABEL: func.func @stay
// CHECK-NOT: -> !torch.tensor<[20,4,16],f32>
// CHECK: return
func.func @stay(%xs: !torch.tensor<[20,4,16],f32>, %w: !torch.tensor<[16,16],f32>, %goes: !torch.bool) -> !torch.tensor<[4,16],f32> {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %turns = torch.constant.int 20
  %fewer = torch.constant.int 19
  %true = torch.constant.bool true
  %start = torch.aten.select.int %xs, %zero, %zero : !torch.tensor<[20,4,16],f32>, !torch.int, !torch.int -> !torch.tensor<[4,16],f32>
  %a = torch.prim.Loop %turns, %true, init(%start) {
  ^bb0(%i: !torch.int, %s: !torch.tensor<[4,16],f32>):
    %x = torch.aten.select.int %xs, %zero, %zero : !torch.tensor<[20,4,16],f32>, !torch.int, !torch.int -> !torch.tensor<[4,16],f32>
    %y = torch.aten.mm %x, %w : !torch.tensor<[4,16],f32>, !torch.tensor<[16,16],f32> -> !torch.tensor<[4,16],f32>
    %z = torch.aten.select.int %xs, %zero, %i : !torch.tensor<[20,4,16],f32>, !torch.int, !torch.int -> !torch.tensor<[4,16],f32>
    %own = torch.aten.add.Tensor %w, %w, %i : !torch.tensor<[16,16],f32>, !torch.tensor<[16,16],f32>, !torch.int -> !torch.tensor<[16,16],f32>
    %u = torch.aten.mm %z, %own : !torch.tensor<[4,16],f32>, !torch.tensor<[16,16],f32> -> !torch.tensor<[4,16],f32>
    %v = torch.aten.mm %z, %w : !torch.tensor<[4,16],f32>, !torch.tensor<[16,16],f32> -> !torch.tensor<[4,16],f32>
    %p = torch.aten.add_.Tensor %v, %u, %one : !torch.tensor<[4,16],f32>, !torch.tensor<[4,16],f32>, !torch.int -> !torch.tensor<[4,16],f32>
    %n = torch.aten.add.Tensor %p, %y, %one : !torch.tensor<[4,16],f32>, !torch.tensor<[4,16],f32>, !torch.int -> !torch.tensor<[4,16],f32>
    torch.prim.Loop.condition %true, iter(%n : !torch.tensor<[4,16],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4,16],f32>) -> !torch.tensor<[4,16],f32>
  %b = torch.prim.Loop %fewer, %true, init(%a) {
  ^bb0(%i: !torch.int, %s: !torch.tensor<[4,16],f32>):
    %x = torch.aten.select.int %xs, %zero, %i : !torch.tensor<[20,4,16],f32>, !torch.int, !torch.int -> !torch.tensor<[4,16],f32>
    %y = torch.aten.mm %x, %w : !torch.tensor<[4,16],f32>, !torch.tensor<[16,16],f32> -> !torch.tensor<[4,16],f32>
    %n = torch.aten.add.Tensor %s, %y, %one : !torch.tensor<[4,16],f32>, !torch.tensor<[4,16],f32>, !torch.int -> !torch.tensor<[4,16],f32>
    torch.prim.Loop.condition %true, iter(%n : !torch.tensor<[4,16],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4,16],f32>) -> !torch.tensor<[4,16],f32>
  %c = torch.prim.Loop %turns, %goes, init(%b) {
  ^bb0(%i: !torch.int, %s: !torch.tensor<[4,16],f32>):
    %x = torch.aten.select.int %xs, %zero, %i : !torch.tensor<[20,4,16],f32>, !torch.int, !torch.int -> !torch.tensor<[4,16],f32>
    %y = torch.aten.mm %x, %w : !torch.tensor<[4,16],f32>, !torch.tensor<[16,16],f32> -> !torch.tensor<[4,16],f32>
    %n = torch.aten.add.Tensor %s, %y, %one : !torch.tensor<[4,16],f32>, !torch.tensor<[4,16],f32>, !torch.int -> !torch.tensor<[4,16],f32>
    torch.prim.Loop.condition %goes, iter(%n : !torch.tensor<[4,16],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4,16],f32>) -> !torch.tensor<[4,16],f32>
  return %c : !torch.tensor<[4,16],f32>
}

// As many turns as the tensor has slices, whatever that is: nobody knows its sizes.
// CHECK-LABEL: func.func @any_sizes
// GROWS-LABEL: func.func @any_sizes
// GROWS: torch.prim.Loop
// GROWS: torch.aten.linear
// CHECK: torch.aten.linear %arg0, %arg1, %arg2 {{.*}} -> !torch.tensor<[?,?,32],f32>
// CHECK: torch.prim.Loop
// CHECK: torch.aten.select.int {{.*}} -> !torch.tensor<[?,32],f32>
// CHECK-NOT: torch.aten.linear
// CHECK: return
func.func @any_sizes(%xs: !torch.tensor<[?,?,?],f32>, %w: !torch.tensor<[32,32],f32>, %b: !torch.tensor<[32],f32>, %h: !torch.tensor<[?,32],f32>) -> !torch.tensor<[?,32],f32> {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %true = torch.constant.bool true
  %turns = torch.aten.size.int %xs, %zero : !torch.tensor<[?,?,?],f32>, !torch.int -> !torch.int
  %r = torch.prim.Loop %turns, %true, init(%h) {
  ^bb0(%i: !torch.int, %s: !torch.tensor<[?,32],f32>):
    %x = torch.aten.select.int %xs, %zero, %i : !torch.tensor<[?,?,?],f32>, !torch.int, !torch.int -> !torch.tensor<[?,?],f32>
    %y = torch.aten.linear %x, %w, %b : !torch.tensor<[?,?],f32>, !torch.tensor<[32,32],f32>, !torch.tensor<[32],f32> -> !torch.tensor<[?,32],f32>
    %n = torch.aten.add.Tensor %s, %y, %one : !torch.tensor<[?,32],f32>, !torch.tensor<[?,32],f32>, !torch.int -> !torch.tensor<[?,32],f32>
    torch.prim.Loop.condition %true, iter(%n : !torch.tensor<[?,32],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[?,32],f32>) -> !torch.tensor<[?,32],f32>
  return %r : !torch.tensor<[?,32],f32>
}

// The slices of another tensor are counted, or results would have 32 times as many elements as the tensor.
// CHECK-LABEL: func.func @other_sizes
// CHECK-NOT: torch.aten.linear
// CHECK: torch.prim.Loop
// CHECK: torch.aten.linear
// CHECK: torch.aten.linear
// CHECK: return
func.func @other_sizes(%xs: !torch.tensor<[?,?,?],f32>, %ys: !torch.tensor<[?,?,?],f32>, %w: !torch.tensor<[32,1],f32>, %b: !torch.tensor<[32],f32>, %h: !torch.tensor<[?,32],f32>) -> !torch.tensor<[?,32],f32> {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %true = torch.constant.bool true
  %turns = torch.aten.size.int %ys, %zero : !torch.tensor<[?,?,?],f32>, !torch.int -> !torch.int
  %r = torch.prim.Loop %turns, %true, init(%h) {
  ^bb0(%i: !torch.int, %s: !torch.tensor<[?,32],f32>):
    %x = torch.aten.select.int %xs, %zero, %i : !torch.tensor<[?,?,?],f32>, !torch.int, !torch.int -> !torch.tensor<[?,?],f32>
    %y = torch.aten.linear %x, %w, %b : !torch.tensor<[?,?],f32>, !torch.tensor<[32,1],f32>, !torch.tensor<[32],f32> -> !torch.tensor<[?,32],f32>
    %v = torch.aten.select.int %ys, %zero, %i : !torch.tensor<[?,?,?],f32>, !torch.int, !torch.int -> !torch.tensor<[?,?],f32>
    %z = torch.aten.linear %v, %w, %b : !torch.tensor<[?,?],f32>, !torch.tensor<[32,1],f32>, !torch.tensor<[32],f32> -> !torch.tensor<[?,32],f32>
    %n = torch.aten.add.Tensor %y, %z, %one : !torch.tensor<[?,32],f32>, !torch.tensor<[?,32],f32>, !torch.int -> !torch.tensor<[?,32],f32>
    torch.prim.Loop.condition %true, iter(%n : !torch.tensor<[?,32],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[?,32],f32>) -> !torch.tensor<[?,32],f32>
  return %r : !torch.tensor<[?,32],f32>
}
