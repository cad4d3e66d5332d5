// What each turn takes of the list of a tensor's slices is a slice of the tensor, if there are as many as turns: of a list that is too short, or is changed, the error of
// the list stays.
// RUN: sconce-opt %s --select-loop-slices | FileCheck %s

// CHECK-LABEL: func.func @slices
// CHECK-NOT: torch.aten.unbind
// CHECK: ^bb0(%[[I:.*]]: !torch.int,
// CHECK: %[[X:.*]] = torch.aten.select.int %arg0, %int-1, %[[I]] : !torch.vtensor<[4,20],f32>, !torch.int, !torch.int -> !torch.vtensor<[4],f32>
// CHECK-NEXT: torch.aten.add.Tensor %{{.*}}, %[[X]]
func.func @slices(%xs: !torch.vtensor<[4,20],f32>, %h: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %last = torch.constant.int -1
  %one = torch.constant.int 1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %list = torch.aten.unbind.int %xs, %last : !torch.vtensor<[4,20],f32>, !torch.int -> !torch.list<vtensor>
  %r = torch.prim.Loop %turns, %true, init(%h) {
  ^bb0(%i: !torch.int, %s: !torch.vtensor<[4],f32>):
    %x = torch.aten.__getitem__.t %list, %i : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4],f32>
    %n = torch.aten.add.Tensor %s, %x, %one : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4],f32>
    torch.prim.Loop.condition %true, iter(%n : !torch.vtensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// As many turns as slices, however many these are; the list is also for somebody else.
// CHECK-LABEL: func.func @counted
// CHECK: %[[L:.*]] = torch.aten.unbind.int
// CHECK: torch.aten.select.int %arg0, %int0, %{{.*}} : !torch.tensor<[?,4],f32>, !torch.int, !torch.int -> !torch.tensor
// CHECK: return %{{.*}}, %[[L]]
func.func @counted(%xs: !torch.tensor<[?,4],f32>, %h: !torch.tensor) -> (!torch.tensor, !torch.list<tensor>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %true = torch.constant.bool true
  %list = torch.aten.unbind.int %xs, %zero : !torch.tensor<[?,4],f32>, !torch.int -> !torch.list<tensor>
  %turns = torch.aten.len.t %list : !torch.list<tensor> -> !torch.int
  %r = torch.prim.Loop %turns, %true, init(%h) {
  ^bb0(%i: !torch.int, %s: !torch.tensor):
    %x = torch.aten.__getitem__.t %list, %i : !torch.list<tensor>, !torch.int -> !torch.tensor
    %n = torch.aten.add.Tensor %s, %x, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
    torch.prim.Loop.condition %true, iter(%n : !torch.tensor)
  } : (!torch.int, !torch.bool, !torch.tensor) -> !torch.tensor
  return %r, %list : !torch.tensor, !torch.list<tensor>
}

// CHECK-LABEL: func.func @too_short
// CHECK: torch.aten.__getitem__.t
func.func @too_short(%xs: !torch.vtensor<[19,4],f32>, %h: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %list = torch.aten.unbind.int %xs, %zero : !torch.vtensor<[19,4],f32>, !torch.int -> !torch.list<vtensor>
  %r = torch.prim.Loop %turns, %true, init(%h) {
  ^bb0(%i: !torch.int, %s: !torch.vtensor<[4],f32>):
    %x = torch.aten.__getitem__.t %list, %i : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4],f32>
    %n = torch.aten.add.Tensor %s, %x, %one : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4],f32>
    torch.prim.Loop.condition %true, iter(%n : !torch.vtensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// CHECK-LABEL: func.func @changed
// CHECK: torch.aten.__getitem__.t
func.func @changed(%xs: !torch.tensor<[20,4],f32>, %h: !torch.tensor) -> !torch.tensor {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %list = torch.aten.unbind.int %xs, %zero : !torch.tensor<[20,4],f32>, !torch.int -> !torch.list<tensor>
  %r = torch.prim.Loop %turns, %true, init(%h) {
  ^bb0(%i: !torch.int, %s: !torch.tensor):
    %x = torch.aten.__getitem__.t %list, %i : !torch.list<tensor>, !torch.int -> !torch.tensor
    %more = torch.aten.append.t %list, %s : !torch.list<tensor>, !torch.tensor -> !torch.list<tensor>
    %n = torch.aten.add.Tensor %s, %x, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
    torch.prim.Loop.condition %true, iter(%n : !torch.tensor)
  } : (!torch.int, !torch.bool, !torch.tensor) -> !torch.tensor
  return %r : !torch.tensor
}
